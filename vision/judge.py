"""What each object shows: a small net on a crop, first asked where the object really lies, then what it is.

What it says of all of them is weighed together (:mod:`vision.together`).

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
from vision.crops import cut_out
from vision.finder import MODELS, Floats, Found, net, normalised
from vision.together import FEATURES, Together, geometry

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
TELLING = frozenset({"beans"})
"""Of what the others in a throw tell something; a die shows by itself what it shows."""
DISMISSED = 0.95
"""Probability of being nothing of the kind, at the first look, from which a candidate is not looked at again."""
FURTHEST, LARGEST = 0.5, 1.7
"""How far an object may lie from where it was found, in sizes, and by what factor it may be larger or smaller."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How one object looks to the net."""

    logits: Floats
    """Mean over the views, one a class; of beans that were looked at twice, weighed beside the others."""
    features: Floats
    """Mean over the views of what the net makes of it, shape (96,)."""
    found: Found
    """The candidate, put right."""


class Judges(Protocol):
    """Who judges: the net as it is, or as it was taught."""

    def judge(self, image: Image, things: Sequence[Found]) -> tuple[Judgement, ...]:
        """One judgement for each thing, in order."""


class Judge:
    """The nets of one kind, loaded once. Not safe for several threads at a time."""

    def __init__(self, name: str, models: Path = MODELS, *, alone: bool = False) -> None:
        """Load them; ``alone``: each object is judged by itself also where others tell of it."""
        self._net = net(models / f"{name}.onnx")
        self._together = Together(name, models) if name in TELLING and not alone else None

    def judge(self, image: Image, things: Sequence[Found]) -> tuple[Judgement, ...]:
        """One judgement for each thing, in order."""
        if not things:
            return ()
        logits, seen, off = self._ask(image, things, (LOOK,))
        judged = [_judgement(*values) for values in zip(logits[0], seen[0], things, strict=True)]
        nothing = probabilities(logits[0], 1.0)[:, -1]
        kept = [i for i in range(len(things)) if nothing[i] < DISMISSED]
        if kept:
            right = [_put_right(things[i], off[i]) for i in kept]
            logits, seen, _ = self._ask(image, right, VIEWS)
            if self._together is not None:
                where = np.asarray([geometry(image, thing) for thing in right], np.float32)
                views = zip(logits, seen, strict=True)
                logits = np.stack([self._together.weigh(where, *view) for view in views])
            for i, *values in zip(kept, logits.mean(axis=0), seen.mean(axis=0), right, strict=True):
                judged[i] = _judgement(*values)
        return tuple(judged)

    def _ask(self, image: Image, things: Sequence[Found], views: Sequence[View]) -> tuple[Floats, Floats, Floats]:
        """What the net answers.

        Returns:
            Logits, shape (views, things, classes); what else it makes of them, the features first, shape (views,
            things, n); and where they lie in the first view, shape (things, 3).
        """
        kept_px = round(KEPT * CROP_PX)
        crops = [cut_out(image, thing.centre_px, KEPT * CROP_SIZES * thing.size_px, kept_px) for thing in things]
        batch = [cv2.warpAffine(crop, _turn(*view, kept_px), (CROP_PX, CROP_PX)) for view in views for crop in crops]
        self._net.setInput(normalised(np.stack(batch).astype(np.float32)))
        outputs = ["answer", "features"] if self._together is None else ["answer", "features", "look"]
        answers, *parts = (np.asarray(output, np.float32) for output in self._net.forward(outputs))
        shape, seen = (len(views), len(things), -1), np.concatenate(parts, axis=1)
        return answers[:, :-3].reshape(shape), seen.reshape(shape), answers[: len(things), -3:]


def _judgement(logits: Floats, seen: Floats, thing: Found) -> Judgement:
    return Judgement(logits, seen[:FEATURES], thing)


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
