"""``python -m vision.training.calibrate``: temperatures for beans.py and dice.py, from pictures set aside.

Uses the calibration split of the photographs and the first rendered scenes, which no net was trained on. What is
held out for the report is not touched.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.beans import OTHER
from vision.finder import Finder, Floats, Found, zooms_for
from vision.judge import Judge, probabilities
from vision.training import cache
from vision.training.photographs import photographs
from vision.training.samples import PLACED_PX, true_labels
from vision.training.scenes import BEAN_LABELS, DIE_LABELS, Scene


def main() -> None:
    """Print the temperature with the least log loss, and what each gate lets through."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=Path, default=Path(".cache/scenes"))
    options = parser.parse_args()
    cv2.setNumThreads(1)
    rendered = cache.load(options.scenes)[: cache.VALIDATED]
    photos = [photo.scene() for photo in photographs() if photo.split == "calibrate"]
    kinds: tuple[tuple[Literal["bean", "die"], str, tuple[str, ...]], ...] = (
        ("bean", "beans", BEAN_LABELS),
        ("die", "dice", DIE_LABELS),
    )
    for kind, name, labels in kinds:
        judge = Judge(name)
        for source, scenes in (("photographs", photos), ("rendered", rendered)):
            logits, truth = _answers(scenes, kind, labels, judge)
            print(f"{name}, {source}: {len(truth)} candidates")
            _report(logits, truth)
    logits, truth = _answers_placed(rendered)
    print(f"placed, rendered: {len(truth)} things that all views agree on")
    _report(logits, truth)


def _answers_placed(scenes: Sequence[Scene]) -> tuple[Floats, NDArray[np.int64]]:
    """Logits for what really lies there, its outline a little off as in a game, and only where all views agree."""
    rng, judge = np.random.default_rng(4), Judge("placed")
    logits: list[Floats] = []
    truth: list[int] = []
    for scene in scenes:
        lying = [thing for thing in scene.things if thing.whole and PLACED_PX[0] < thing.size_px < PLACED_PX[1]]
        found = []
        for thing in lying:
            x, y = np.asarray(thing.centre_px) + rng.normal(0, 0.06 * thing.size_px, 2)
            found.append(
                Found("bean", (float(x), float(y)), thing.size_px * float(np.exp(rng.normal(0, 0.1))), 1.0, 0.5)
            )
        labels = [BEAN_LABELS.index(thing.label) if thing.kind == "bean" else OTHER for thing in lying]
        for judgement, label in zip(judge.judge(np.ascontiguousarray(scene.image), found), labels, strict=True):
            if judgement.agreed == 1.0:
                logits.append(judgement.logits)
                truth.append(label)
    return np.stack(logits), np.asarray(truth, np.int64)


def _answers(
    scenes: Sequence[Scene], kind: Literal["bean", "die"], labels: tuple[str, ...], judge: Judge
) -> tuple[Floats, NDArray[np.int64]]:
    """Logits of every candidate the finder proposes, shape (n, classes), and what really lies there."""
    finder = Finder()
    logits: list[Floats] = []
    truth: list[int] = []
    for scene in scenes:
        image = np.ascontiguousarray(scene.image)
        found = [thing for thing in finder.find(image, zooms_for(image, None)) if thing.kind == kind]
        logits += [judgement.logits for judgement in judge.judge(image, found)]
        truth += list(true_labels(scene, found, labels))
    return np.stack(logits), np.asarray(truth, np.int64)


def _report(logits: Floats, truth: NDArray[np.int64]) -> None:
    def chances(temperature: float) -> Floats:
        return np.stack([probabilities(one, temperature) for one in logits])

    losses = {
        float(t): float(-np.log(chances(float(t))[np.arange(len(truth)), truth] + 1e-9).mean())
        for t in np.arange(0.6, 3.05, 0.1)
    }
    best = min(losses, key=lambda t: losses[t])
    print(f"  temperature {best:.1f}, log loss {losses[best]:.3f}, right {(logits.argmax(1) == truth).mean():.3f}")
    sure = chances(best)
    for gate in (0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995):
        through = sure.max(1) >= gate
        wrong = int((sure.argmax(1) != truth)[through].sum())
        print(f"  {gate:.3f} lets {through.mean():.1%} through, {wrong} of {int(through.sum())} wrong")


if __name__ == "__main__":
    main()
