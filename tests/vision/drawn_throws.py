"""Throws drawn in three shades, and nets that read them, as biased as the test wants.

A bean is a disc, a die a square; how bright it is says what it shows. The judge expects other shades than those of the
set it looks at: what it must be taught is where this set's shades lie.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np
import pytest

from vision import taught, throws
from vision.camera import Image
from vision.finder import Floats, Found
from vision.judge import Judgement

GROUND = 128
SPOTS = ((50, 50), (140, 60), (230, 40), (90, 150), (200, 160), (280, 120))
FACES = {"beans": 2, "dice": 6}
BINS = np.linspace(0, 255, 96)


def drawn(kind: str, shades: Sequence[float]) -> Image:
    """One throw; beans and dice are as bright as said, 0 to 255, but not as the ground."""
    image = np.full((220, 340, 3), GROUND, np.uint8)
    for (x, y), shade in zip(SPOTS, shades, strict=False):
        colour = (int(shade), int(shade), int(shade))
        if kind == "beans":
            cv2.circle(image, (x, y), 14, colour, -1)
        else:
            cv2.rectangle(image, (x - 12, y - 12), (x + 12, y + 12), colour, -1)
    return image


class DrawnFinder:
    """Finds whatever is no ground."""

    def find(self, image: Image, zooms: Sequence[float]) -> tuple[Found, ...]:
        """All of it, from the left."""
        mask = np.asarray(np.abs(image[..., 0].astype(int) - GROUND) > 8, np.uint8)
        _, _, stats, centres = cv2.connectedComponentsWithStats(mask)
        found = []
        for area, (x, y) in zip(stats[1:, cv2.CC_STAT_AREA], centres[1:], strict=True):
            found.append(Found((float(x), float(y)), float(area) ** 0.5, 0.9))
        return tuple(sorted(found, key=lambda thing: thing.centre_px))


class DrawnJudge:
    """Tells faces by their shades; what it expects of them may be wrong."""

    expected: Mapping[str, Sequence[float]] = MappingProxyType({})
    """For each kind the shades of its faces in order."""
    spread = 30.0
    """The larger, the less sure."""

    def __init__(self, name: str) -> None:
        self._name = name

    def judge(self, image: Image, things: Sequence[Found]) -> tuple[Judgement, ...]:
        """Whole and flat, each of them."""
        return tuple(self._judge(image, thing) for thing in things)

    def _judge(self, image: Image, thing: Found) -> Judgement:
        x, y = thing.centre_px
        shade = float(image[round(y), round(x), 0])
        shades = np.asarray(self.expected[self._name], np.float64)
        faces = -0.5 * ((shade - shades) / self.spread) ** 2
        logits = np.concatenate([faces, [faces.max() - 9.0, faces.max() - 9.0]])
        features: Floats = np.exp(-0.5 * ((shade - BINS) / 12) ** 2).astype(np.float32)
        return Judgement(logits.astype(np.float32), features, thing)


def stand_in(
    monkeypatch: pytest.MonkeyPatch, folder: Path, spread: float = 30.0, **expected: Sequence[float]
) -> type[DrawnJudge]:
    """Put these nets in the place of the real ones.

    Args:
        monkeypatch: takes them away again.
        folder: for a file of each net, by which its version is known.
        spread: how unsure the judge is.
        expected: for ``beans`` and ``dice``, where they occur, the shades that the judge expects.
    """

    class Judge(DrawnJudge):
        pass

    Judge.expected, Judge.spread = expected, spread
    for kind in FACES:
        (folder / f"{kind}.onnx").write_bytes(b"one net")
    monkeypatch.setattr(taught, "MODELS", folder)
    for module, name, stand in ((throws, "Finder", DrawnFinder), (throws, "Judge", Judge), (taught, "Judge", Judge)):
        monkeypatch.setattr(module, name, stand)
    return Judge
