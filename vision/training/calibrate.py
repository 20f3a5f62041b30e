"""``python -m vision.training.calibrate``: temperatures for beans.py and dice.py and the gate of throws.py.

From the calibration split of the photographs and the first rendered scenes, which no net was trained on. What is held
out for the report is not touched.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.rules import Needs
from vision import throws
from vision.finder import Finder, Floats, zooms_for
from vision.judge import Judge, probabilities
from vision.training import cache
from vision.training.lies import RARE
from vision.training.photographs import photographs
from vision.training.samples import READABLE_PX, true_labels
from vision.training.scenes import BEAN_LABELS, DIE_LABELS, Scene

GATES = (0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995)


def main() -> None:
    """Print the temperature with the least log loss, and what each gate lets through."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=Path, default=Path(".cache/scenes"))
    options = parser.parse_args()
    cv2.setNumThreads(1)
    sources = {"photographs": [photo.place() for photo in photographs() if photo.split == "calibrate"]}
    for name in ("cast", "traced"):
        sources[f"{name} throws"] = cache.scenes(options.scenes, name, cache.VALIDATED, thrown=True)
    kinds: tuple[tuple[Literal["bean", "die"], str, tuple[str, ...]], ...] = (
        ("bean", "beans", BEAN_LABELS),
        ("die", "dice", DIE_LABELS),
    )
    for source, scenes in sources.items():
        for kind, name, labels in kinds:
            if not any(thing.kind == kind for scene in scenes for thing in scene.things):
                continue
            logits, truth = _answers(scenes, kind, labels, Judge(name))
            print(f"{name}, {source}: {len(truth)} candidates")
            counts = np.ones(len(truth))
            if source != "photographs":
                counts[truth == labels.index("askew")] = RARE
            _temperature(logits, truth, counts)
        _gates(source, scenes)


def _answers(
    scenes: Sequence[Scene], kind: Literal["bean", "die"], labels: tuple[str, ...], judge: Judge
) -> tuple[Floats, NDArray[np.int64]]:
    """Logits of every candidate the finder proposes, shape (n, classes), and what really lies there."""
    finder = Finder()
    logits: list[Floats] = []
    truth: list[int] = []
    for scene in scenes:
        image = np.ascontiguousarray(scene.image)
        found = finder.find(image, zooms_for(image, None))
        judged = judge.judge(image, found)
        logits += [judgement.logits for judgement in judged]
        truth += list(true_labels(scene, [judgement.found for judgement in judged], kind, labels))
    return np.stack(logits), np.asarray(truth, np.int64)


def _temperature(logits: Floats, truth: NDArray[np.int64], counts: NDArray[np.float64]) -> None:
    """``counts``: how much each candidate counts, shape (n,)."""
    rows = np.arange(len(truth))
    losses = {
        float(t): float(np.average(-np.log(probabilities(logits, float(t))[rows, truth] + 1e-9), weights=counts))
        for t in np.arange(0.6, 3.05, 0.1)
    }
    best = min(losses, key=lambda t: losses[t])
    print(f"  temperature {best:.1f}, log loss {losses[best]:.3f}, right {(logits.argmax(1) == truth).mean():.3f}")


def _gates(source: str, scenes: Sequence[Scene]) -> None:
    """How many throws of one kind each gate lets through, how many of these wrongly, and how many were to be feared.

    Of rendered throws only those with nothing askew: there more lies askew than where people throw.
    """
    chances: list[float] = []
    right: list[bool] = []
    for scene in scenes:
        things = [thing for thing in scene.things if thing.kind != "other"]
        if not things or len({thing.kind for thing in things}) > 1 or not all(thing.whole for thing in things):
            continue
        if source != "photographs" and any(thing.label == "askew" for thing in things):
            continue
        beans = things[0].kind == "bean"
        needs = Needs(beans=len(things)) if beans else Needs(dice=len(things))
        seen = throws.ThrowReader(needs).read([np.ascontiguousarray(scene.image)])
        if min(thing.size_px for thing in things) < READABLE_PX:
            continue
        truth = sorted(thing.label for thing in things)
        read = sorted(bean.face for bean in seen.beans) if beans else sorted(str(die.value) for die in seen.dice)
        chances.append(seen.chance)
        right.append(read == truth)
    print(f"{source}: {len(right)} throws, {sum(right)} right")
    for gate in GATES:
        through = np.asarray(chances) >= gate
        wrong, of = int((through & ~np.asarray(right)).sum()), int(through.sum())
        feared = float((1 - np.asarray(chances))[through].sum())
        print(f"  {gate:.3f} lets {through.mean():.1%} through, {wrong} of {of} wrong, {feared:.1f} feared")


if __name__ == "__main__":
    main()
