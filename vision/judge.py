"""What one object shows: a small net on a crop, first asked where the object really lies, then what it is.

Source of the first step: bounding box regression, Girshick et al., Rich Feature Hierarchies (2014), appendix C.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.finder import MODELS, Floats, Found, net, normalised

CROP_PX = 48
CROP_SIZES = 2.0
"""Edge of what the net sees, in sizes (square root of the silhouette's area)."""
KEPT = 1.45
"""Edge of what is cut out before it is turned, in edges of what the net sees."""
View = tuple[float, float, bool]
"""Turn in degrees, zoom, mirrored."""
LOOK: View = (0.0, 1.0, False)
"""How a crop is shown to learn where the object lies ..."""
VIEWS: tuple[View, ...] = ((0.0, 1.0, False), (120.0, 0.95, True), (240.0, 1.05, False))
"""... and what it shows."""
DISMISSED = 0.95
"""Probability of being nothing of the kind, at the first look, from which a candidate is not looked at again."""
FURTHEST, LARGEST = 0.5, 1.7
"""How far an object may lie from where it was found, in sizes, and by what factor it may be larger or smaller."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How one object looks to the net."""

    logits: Floats
    """Mean over the views, one a class."""
    features: Floats
    """Mean over the views of what the net makes of it, shape (96,)."""
    found: Found
    """The candidate, put right."""


class Judges(Protocol):
    """Who judges: the net as it is, or as it was taught."""

    def judge(self, image: Image, things: Sequence[Found]) -> tuple[Judgement, ...]:
        """One judgement for each thing, in order."""


class Judge:
    """One net, loaded once. Not safe for several threads at a time."""

    def __init__(self, name: str, models: Path = MODELS) -> None:
        self._net = net(models / f"{name}.onnx")

    def judge(self, image: Image, things: Sequence[Found]) -> tuple[Judgement, ...]:
        """One judgement for each thing, in order."""
        if not things:
            return ()
        looks, first = (value[:, 0] for value in self._ask(image, things, (LOOK,)))
        judged = [
            Judgement(look[:-3], features, thing) for look, features, thing in zip(looks, first, things, strict=True)
        ]
        nothing = probabilities(looks[:, :-3], 1.0)[:, -1]
        kept = [i for i in range(len(things)) if nothing[i] < DISMISSED]
        right = [_put_right(things[i], looks[i, -3:]) for i in kept]
        if kept:
            answers, features = (value.mean(axis=1) for value in self._ask(image, right, VIEWS))
            for i, answer, feature, thing in zip(kept, answers, features, right, strict=True):
                judged[i] = Judgement(answer[:-3], feature, thing)
        return tuple(judged)

    def _ask(self, image: Image, things: Sequence[Found], views: Sequence[View]) -> tuple[Floats, Floats]:
        """The net's answers, shape (things, views, classes + 3), and features, shape (things, views, 96)."""
        kept_px = round(KEPT * CROP_PX)
        crops = [cut_out(image, thing.centre_px, KEPT * CROP_SIZES * thing.size_px, kept_px) for thing in things]
        batch = np.stack(
            [cv2.warpAffine(crop, _turn(*view, kept_px), (CROP_PX, CROP_PX)) for crop in crops for view in views]
        )
        self._net.setInput(normalised(batch.astype(np.float32)))
        answers, features = self._net.forward(["answer", "features"])
        shape = (len(things), len(views), -1)
        return np.asarray(answers, np.float32).reshape(shape), np.asarray(features, np.float32).reshape(shape)


def cut_out(image: Image, centre_px: tuple[float, float], edge_px: float, kept_px: int) -> Image:
    """A square around an object, ``edge_px`` of the picture brought to ``kept_px``; beyond it its edge is repeated."""
    zoom = kept_px / edge_px
    if zoom < 0.6:
        # Averaged first, for the sampling below looks at four pixels only.
        x, y, half = *centre_px, edge_px / 2 + 2
        height, width = image.shape[:2]
        left, top = (int(np.clip(v - half, 0, end - 2)) for v, end in ((x, width), (y, height)))
        right, bottom = (int(np.clip(v + half, 2, end)) for v, end in ((x, width), (y, height)))
        part = image[min(top, bottom - 2) : bottom, min(left, right - 2) : right]
        size = (max(1, round(part.shape[1] * zoom)), max(1, round(part.shape[0] * zoom)))
        shrunk = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
        back = part.shape[1] / size[0], part.shape[0] / size[1]
        at = ((x - left + 0.5) / back[0] - 0.5, (y - top + 0.5) / back[1] - 0.5)
        return cut_out(shrunk, at, kept_px * 1.0, kept_px)
    middle = (kept_px - 1) / 2
    move = np.asarray([[zoom, 0, middle - zoom * centre_px[0]], [0, zoom, middle - zoom * centre_px[1]]], np.float64)
    how = cv2.INTER_CUBIC if zoom > 1 else cv2.INTER_LINEAR
    seen = cv2.warpAffine(image, move, (kept_px, kept_px), flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def probabilities(logits: Floats, temperature: float) -> Floats:
    """Calibrated probabilities of the classes (Guo et al., On Calibration of Modern Neural Networks, 2017)."""
    scaled = (logits - logits.max(axis=-1, keepdims=True)) / temperature
    return np.asarray(np.exp(scaled) / np.exp(scaled).sum(axis=-1, keepdims=True), np.float32)


def _put_right(thing: Found, off: Floats) -> Found:
    """Where the object lies, by the net's last three answers."""
    right, down, larger = np.clip(off, *np.array([[-1], [1]]) * [FURTHEST, FURTHEST, np.log(LARGEST)])
    x, y = thing.centre_px
    centre = (float(x + right * thing.size_px), float(y + down * thing.size_px))
    return replace(thing, centre_px=centre, size_px=float(thing.size_px * np.exp(larger)))


def _turn(degrees: float, zoom: float, mirrored: bool, kept_px: int) -> NDArray[np.float64]:
    turn = np.asarray(cv2.getRotationMatrix2D((0, 0), degrees, zoom * KEPT * CROP_PX / kept_px), np.float64)
    if mirrored:
        turn[0] = -turn[0]
    turn[:, 2] = (CROP_PX - 1) / 2 - turn[:, :2] @ np.full(2, (kept_px - 1) / 2)
    return turn
