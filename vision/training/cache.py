"""Rendered scenes kept on disk, so that every net trains on the same pictures without rendering them again."""

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

from vision.training.scenes import Scene, Thing, render

CHUNK = 250
VALIDATED = 250
"""The first scenes on disk are for watching the training and for calibration only."""


def fill(folder: Path, count: int, seed: int = 1) -> None:
    """Render until ``count`` scenes are there; chunks already on disk are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, count, CHUNK):
        truth = folder / f"{seed}_{first:06d}.json"
        if truth.exists():
            continue
        scenes = [render(np.random.default_rng((seed, first + i))) for i in range(CHUNK)]
        np.save(truth.with_suffix(".npy"), np.stack([scene.image for scene in scenes]))
        truth.write_text(json.dumps([[asdict(thing) for thing in scene.things] for scene in scenes]))
        print(f"rendered {first + CHUNK} of {count}", flush=True)


def load(folder: Path) -> list[Scene]:
    """All scenes on disk; the pictures are memory-mapped."""
    scenes = []
    for truth in sorted(folder.glob("*.json")):
        images = np.load(truth.with_suffix(".npy"), mmap_mode="r")
        for image, things in zip(images, json.loads(truth.read_text()), strict=True):
            known = tuple(Thing(**{**thing, "centre_px": tuple(thing["centre_px"])}) for thing in things)
            scenes.append(Scene(image, known))
    return scenes
