"""What one object shows: a small net on a crop of fixed size, asked about several turned and scaled views."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.finder import MODELS, Floats, Found, normalised

CROP_PX = 48
CROP_SIZES = 1.9
"""Edge of what the net sees, in sizes (square root of the silhouette's area)."""
KEPT_PX = 80
"""Edge of an object's crop before it is turned: 1.5 times what the net sees."""
VIEWS = ((0.0, 1.0, False), (90.0, 0.9, True), (180.0, 1.12, False), (270.0, 1.0, True), (45.0, 1.0, False))
"""Turn in degrees, zoom, mirrored."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How one object looks to the net."""

    logits: Floats
    """Mean over the views, one a class."""
    agreed: float
    """Share of the views whose first choice is the mean's first choice."""


class Judge:
    """One net, loaded once. Not safe for several threads at a time."""

    def __init__(self, name: str) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(MODELS / f"{name}.onnx"))

    def judge(self, image: Image, things: Sequence[Found]) -> tuple[Judgement, ...]:
        """One judgement for each thing, in order."""
        if not things:
            return ()
        batch = np.stack([view for thing in things for view in views(crop(image, thing.centre_px, thing.size_px))])
        self._net.setInput(normalised(batch.astype(np.float32)))
        answers = np.asarray(self._net.forward(), np.float32).reshape(len(things), len(VIEWS), -1)
        return tuple(_judgement(answer) for answer in answers)


def crop(image: Image, centre_px: tuple[float, float], size_px: float) -> Image:
    """KEPT_PX square around an object, 1.5 times CROP_SIZES wide; beyond the picture its edge is repeated."""
    half = 1.5 * CROP_SIZES * size_px / 2
    x, y = centre_px
    left, top, right, bottom = (round(v) for v in (x - half, y - half, x + half, y + half))
    height, width = image.shape[:2]
    part = np.ascontiguousarray(image[max(0, top) : max(0, bottom), max(0, left) : max(0, right)])
    edges = (max(0, -top), max(0, bottom - height), max(0, -left), max(0, right - width))
    if any(edges):
        part = np.asarray(cv2.copyMakeBorder(part, *edges, cv2.BORDER_REPLICATE), np.uint8)
    how = cv2.INTER_AREA if part.shape[0] > KEPT_PX else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(part, (KEPT_PX, KEPT_PX), interpolation=how), np.uint8)


def views(kept: Image) -> list[Image]:
    """The crop as the net is shown it."""
    return [
        np.asarray(cv2.warpAffine(kept, _turn(degrees, zoom, mirrored), (CROP_PX, CROP_PX)), np.uint8)
        for degrees, zoom, mirrored in VIEWS
    ]


def probabilities(logits: Floats, temperature: float) -> Floats:
    """Calibrated probabilities of the classes (Guo et al., On Calibration of Modern Neural Networks, 2017)."""
    scaled = (logits - logits.max()) / temperature
    return np.asarray(np.exp(scaled) / np.exp(scaled).sum(), np.float32)


def _turn(degrees: float, zoom: float, mirrored: bool) -> NDArray[np.float64]:
    scale = zoom * CROP_PX * 1.5 / KEPT_PX
    turn = np.asarray(cv2.getRotationMatrix2D((KEPT_PX / 2, KEPT_PX / 2), degrees, scale), np.float64)
    turn[:, 2] += (CROP_PX - KEPT_PX) / 2
    if mirrored:
        turn[0] = -turn[0]
        turn[0, 2] += CROP_PX
    return turn


def _judgement(answer: Floats) -> Judgement:
    mean = np.asarray(answer.mean(0), np.float32)
    return Judgement(mean, float((answer.argmax(1) == mean.argmax()).mean()))
