"""Where beans and dice lie: a small fully convolutional net over the picture, at one or two scales.

Source of the method: objects as points, Zhou, Wang and Kraehenbuehl, Objects as Points (2019).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image

Floats = NDArray[np.float32]
STRIDE = 4
READABLE_PX = (6.0, 50.0)
"""Sizes the net was trained on, in its own input."""
UNKNOWN_SCALE_PX = 832
"""Where no scale is known, the longer side of the picture is brought down to this, to a third and a ninth of it."""
ALIKE = 1.6
"""Two candidates are one only if neither is larger than the other by this: two beans are no coarse one."""
MODELS = Path(__file__).parent / "models"


@dataclass(frozen=True, slots=True)
class Found:
    """Something that may be a bean or a die: which, and what it shows, the judges tell."""

    centre_px: tuple[float, float]
    size_px: float
    """Square root of its silhouette's area."""
    score: float
    """Heat at its centre, 0 to 1."""


class Finder:
    """The net, loaded once. Not safe for several threads at a time."""

    def __init__(self, models: Path = MODELS) -> None:
        self._net = net(models / "finder.onnx")

    def find(self, image: Image, zooms: Sequence[float], at_least: float = 0.12) -> tuple[Found, ...]:
        """All candidates, best first, in the image's own pixels; the same thing is not found twice."""
        candidates = [found for zoom in zooms for found in self._at(image, zoom, at_least)]
        kept: list[Found] = []
        for found in sorted(candidates, key=lambda found: -found.score):
            if all(apart(found, other) for other in kept):
                kept.append(found)
        return tuple(kept)

    def _at(self, image: Image, zoom: float, at_least: float) -> list[Found]:
        height, width = image.shape[:2]
        size = (max(16, round(width * zoom)), max(16, round(height * zoom)))
        how = cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR
        scaled = cv2.resize(image, size, interpolation=how)
        picture = _blob(np.asarray(scaled, np.uint8))
        pad = ((0, 0), (0, 0), (0, -size[1] % 32), (0, -size[0] % 32))
        self._net.setInput(np.pad(picture, pad))
        answer = np.asarray(self._net.forward(), np.float32)[0]
        # A round bean with a dot looks like a die that shows one.
        heat = _sigmoid(answer[:2].max(axis=0))
        return [
            _found(answer, int(row), int(column), heat, (width / size[0], height / size[1]))
            for row, column in zip(*_peaks(heat, at_least), strict=True)
            if READABLE_PX[0] <= 16 * np.exp(answer[2, row, column]) <= READABLE_PX[1]
        ]


def net(path: Path) -> cv2.dnn.Net:
    """Load a net for one core."""
    # OpenCV 5 has a second engine, which takes up to twice as long for nets as small as these; OpenCV 4 has but one.
    engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    return cv2.dnn.readNetFromONNX(str(path)) if engine is None else cv2.dnn.readNetFromONNX(str(path), engine)


def zooms_for(image: Image, px_per_mm: float | None) -> tuple[float, ...]:
    """At which scales to look: one where the scale is known (beans become about 18 px), else three."""
    if px_per_mm is not None:
        return (min(2.5, 1.5 / px_per_mm),)
    first = min(1.0, UNKNOWN_SCALE_PX / max(image.shape[:2]))
    return (first, first / 3, first / 9)


def normalised(batch: Floats) -> Floats:
    """Each picture to mean 0 and about deviation 1; (n, h, w, 3) to (n, 3, h, w)."""
    mean = batch.mean((1, 2, 3), keepdims=True)
    deviation = batch.std((1, 2, 3), keepdims=True)
    return np.ascontiguousarray(((batch - mean) / (deviation + 8)).transpose(0, 3, 1, 2), np.float32)


def _blob(image: Image) -> Floats:
    """One picture as :func:`normalised` makes it, in a quarter of the time."""
    means, deviations = (np.ravel(values) for values in cv2.meanStdDev(image))
    mean = float(means.mean())
    deviation = float(np.sqrt((deviations**2 + means**2).mean() - mean**2))
    return np.asarray(cv2.dnn.blobFromImage(image, 1 / (deviation + 8), mean=(mean, mean, mean)), np.float32)


def _peaks(heat: Floats, at_least: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= highest) & (heat >= at_least))
    return rows, columns


def _found(answer: Floats, row: int, column: int, heat: Floats, back: tuple[float, float]) -> Found:
    rows = slice(max(0, row - 1), min(row + 2, heat.shape[0]))
    columns = slice(max(0, column - 1), min(column + 2, heat.shape[1]))
    weight = heat[rows, columns]
    y, x = np.mgrid[rows, columns]
    centre = ((x * weight).sum() / weight.sum(), (y * weight).sum() / weight.sum())
    return Found(
        centre_px=(
            float(centre[0] * STRIDE + STRIDE / 2) * back[0] - 0.5,
            float(centre[1] * STRIDE + STRIDE / 2) * back[1] - 0.5,
        ),
        size_px=float(16 * np.exp(answer[2, row, column])) * (back[0] + back[1]) / 2,
        score=float(heat[row, column]),
    )


def apart(a: Found, b: Found) -> bool:
    """Whether two candidates are two things: elsewhere, or of quite another size."""
    distance = float(np.hypot(a.centre_px[0] - b.centre_px[0], a.centre_px[1] - b.centre_px[1]))
    small, large = sorted((a.size_px, b.size_px))
    return distance > 0.42 * small or large > ALIKE * small


def _sigmoid(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), np.float32)
