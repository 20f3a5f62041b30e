"""The light on every spot of a board, from one top view of it: what the picture shows more or less than the print."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.colours import LogImage

PX_PER_MM = 0.25
"""Scale at which the light is followed."""
LIT = 75
"""Percentile of brightness that lies in the lamp's light, if much of the sheet does."""
REFLECTION = 2.5
"""In cells: a bright spot narrower than this is a reflection; a lit part of the table is wider."""
PLAINER, UNTINTED = 2, 6
"""Steps by which the light of the whole sheet must explain a place better than the light around it, and how well."""
_LEVELS = 60.0
"""Steps a unit of log light: cv2's fast median works on bytes."""
_USUAL = 128
"""The step that stands for the light of the whole sheet."""
Plane = NDArray[np.float32]
Steps = NDArray[np.uint8]


class Illumination:
    """Tells the light on top views of one print.

    Args:
        printed: logarithms of the print's blue, green and red.
        px_per_mm: scale of the print and of the top views.
        edge_mm: of a usual cell.
    """

    def __init__(self, printed: LogImage, px_per_mm: float, edge_mm: float) -> None:
        self._printed = printed
        height, width = printed.shape[:2]
        self._full = (width, height)
        self._size = (round(width * PX_PER_MM / px_per_mm), round(height * PX_PER_MM / px_per_mm))
        self._narrow_px = round(REFLECTION * edge_mm * PX_PER_MM)

    def of(self, seen: LogImage) -> tuple[LogImage, Plane]:
        """The light of a top view, of which the logarithms are given.

        Returns:
            Log of the light on every spot, relative to the print, (height, width, 3); and by how much it outshines its
            surroundings, (height, width).
        """
        coarse = cv2.resize(seen - self._printed, self._size, interpolation=cv2.INTER_AREA)
        middle = np.median(coarse[::2, ::2].reshape(-1, 3), axis=0)
        steps = np.clip((coarse - middle) * _LEVELS + _USUAL, 0, 255).astype(np.uint8)
        near = np.asarray(cv2.blur(cv2.medianBlur(steps, 13), (3, 3)), np.uint8)
        level = (self._tinted(steps, near) - _USUAL) / _LEVELS + middle
        return (
            np.asarray(cv2.resize(level, self._full, interpolation=cv2.INTER_LINEAR), np.float32),
            np.asarray(cv2.resize(self._spots(near), self._full, interpolation=cv2.INTER_LINEAR), np.float32),
        )

    def _tinted(self, steps: Steps, near: Steps) -> Plane:
        """The light in steps: as bright as what is near, in the colour of what is usual around.

        Brightness may jump at a shadow, colour does not: a crowd of blue pieces must not look like blue light.
        """
        width, height = self._size
        half = np.asarray(cv2.resize(steps, (width // 2, height // 2), interpolation=cv2.INTER_AREA), np.uint8)
        tint = cv2.resize(_tint(half), self._size, interpolation=cv2.INTER_LINEAR)
        brighter = cv2.transform(near - tint, np.full((1, 3), 1 / 3, np.float32))[..., None]
        return np.asarray(tint + brighter, np.float32)

    def _spots(self, near: Steps) -> Plane:
        """By how much each place outshines its surroundings."""
        brightest = np.maximum.reduce(cv2.split(near))
        square = np.ones((self._narrow_px, self._narrow_px), np.uint8)
        spot = cv2.morphologyEx(brightest, cv2.MORPH_TOPHAT, square)
        # A strip of lamp light between a shadow and the sheet's edge is narrow too, but no brighter than the rest.
        lit = np.uint8(np.percentile(brightest[::2, ::2], LIT))
        spot = np.minimum(spot, brightest - np.minimum(brightest, lit))
        # A piece darkens the middle of a reflection, so what its rim shows counts for it.
        return np.asarray(cv2.dilate(spot, np.ones((5, 5), np.uint8)).astype(np.float32) / _LEVELS)


def _tint(steps: Steps) -> Plane:
    """Colour of the light, in steps: what is usual nearby.

    But where the whole sheet's explains the place better, and around: beside a sleeve the usual colour is the sleeve's.
    """
    # Without brightness: else beside a sleeve and its shadow the light had some of the sleeve's colour.
    hue = np.clip(steps - steps.mean(axis=2, keepdims=True) + (_USUAL + 0.5), 0, 255).astype(np.uint8)
    near, sheet = cv2.medianBlur(hue, 17), np.full_like(hue, _USUAL)
    by_near, by_sheet = (cv2.medianBlur(cv2.absdiff(hue, tint), 5).sum(axis=2) for tint in (near, sheet))
    plain = (by_near > by_sheet + PLAINER) & (by_sheet < UNTINTED)
    beside = cv2.dilate(plain.astype(np.uint8), np.ones((5, 5), np.uint8))
    return np.asarray(np.where(beside[..., None], sheet, near), np.float32)
