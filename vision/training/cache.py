"""Rendered scenes kept on disk, so that every net trains on the same pictures without rendering them again."""

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.random import Generator

from vision.training import scenes as cast_scenes
from vision.training.scenes import Scene, Thing

DRAWN = 6
"""Counted up whenever scenes come to be drawn otherwise: those on disk are then drawn anew."""
CHUNK = 100
VALIDATED = 250
"""The first scenes of each kind are for watching the training and for calibration only."""


def scenes(folder: Path, kind: Literal["cast", "traced"], count: int, thrown: bool = False) -> list[Scene]:
    """``count`` scenes, those that are not on disk rendered first; the pictures are memory-mapped.

    ``thrown``: each is one throw as it lies on a table.
    """
    name = f"{kind}_thrown" if thrown else kind
    folder.mkdir(parents=True, exist_ok=True)
    found: list[Scene] = []
    for first in range(0, count, CHUNK):
        truth = folder / f"{name}{DRAWN}_{first:06d}.json"
        if not truth.exists():
            _fill(truth, partial(_renderer(kind), thrown=thrown), first, seed=2 if thrown else 1)
            print(f"{name}: {first + CHUNK} of {count}", flush=True)
        images = np.load(truth.with_suffix(".npy"), mmap_mode="r")
        for image, things in zip(images, json.loads(truth.read_text()), strict=True):
            known = tuple(
                Thing(thing["kind"], thing["label"], tuple(thing["centre_px"]), thing["size_px"], thing["whole"])
                for thing in things
            )
            found.append(Scene(image, known))
    return found[:count]


def _renderer(kind: Literal["cast", "traced"]) -> Callable[..., Scene]:
    if kind == "cast":
        return cast_scenes.render
    from vision.training import traced  # Mitsuba is needed only for what is not on disk yet

    return traced.render


def _fill(truth: Path, render: Callable[[Generator], Scene], first: int, seed: int) -> None:
    rendered = [render(np.random.default_rng((seed, first + i))) for i in range(CHUNK)]
    np.save(truth.with_suffix(".npy"), np.stack([scene.image for scene in rendered]))
    truth.write_text(json.dumps([[asdict(thing) for thing in scene.things] for scene in rendered]))
