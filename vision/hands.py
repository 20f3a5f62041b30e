"""Hands, sleeves and whatever else covers the board: not by skin, but by what the board no longer shows."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.colours import log_colours, opponent
from calibration.layout import Layout
from calibration.sheets import top_view
from vision.camera import Image

PX_PER_MM = 0.5
"""Scale at which covers are sought: a finger is 8 pixels wide, a piece 9."""
CELLS = 2.5
"""A connected cover of so many cells is no piece."""
Mask = NDArray[np.uint8]
"""0 or 1, shape (height, width), at ``PX_PER_MM``."""


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """What lies over the board."""

    found: bool
    mask: Mask
    """Everything that differs from the reference, pieces included."""


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """A top view made comparable."""

    colours: NDArray[np.float32]
    """Opponent colours, (height, width, 3)."""
    detail: NDArray[np.float32]
    """Brightness against its surroundings, (height, width)."""
    energy: NDArray[np.float32]
    """Local mean of its square."""


class Covers:
    """Compares top views with the board as it last lay open.

    Shadows keep colour and print, so only three things count as covered: another colour, a brightness that no shadow
    gives, and print that has vanished.

    Args:
        layout: what is printed; the reference until a picture is accepted.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._reference = _look(top_view(layout, PX_PER_MM))
        self._printed = True
        edge_px = float(np.sqrt(np.median([_area(c.outline_mm) for c in layout.cells]))) * PX_PER_MM
        self._cell_px = edge_px**2
        self._piece = _disc(0.95 * edge_px)
        self._finger = _disc(7)

    def accept(self, sheet: Image) -> None:
        """Take this top view, of a table at rest and without hands, as the reference."""
        self._reference, self._printed = _look(sheet), False

    def see(self, sheet: Image, hidden: Sequence[int] = ()) -> Cover:
        """What covers the board.

        Args:
            sheet: top view of the whole sheet, at ``PX_PER_MM``.
            hidden: tags that could not be measured.
        """
        mask = self._differs(sheet)
        return Cover(self._is_hand(mask, hidden), mask)

    def _differs(self, small: Image) -> Mask:
        now, was = _look(small), self._reference
        difference = now.colours - was.colours
        difference -= np.median(difference[::5, ::5].reshape(-1, 3), axis=0)
        dark_noise = 1 + 8 * np.exp(-np.minimum(now.colours[..., 0], was.colours[..., 0]) + 2.3)
        limit = (0.32 if self._printed else 0.16) * dark_noise
        coloured = np.hypot(difference[..., 1], difference[..., 2]) > limit
        level = cv2.blur(difference[..., 0], (31, 31)) if self._printed else 0
        outside = (difference[..., 0] < -1.3) | (difference[..., 0] - level > (0.9 if self._printed else 0.45))
        like = cv2.blur(now.detail * was.detail, (9, 9))
        vanished = (was.energy > 0.06**2) & (like < 0.3 * was.energy)
        mask = (coloured | outside | vanished) & (small.min(axis=2) < 250)
        return cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, _disc(5))

    def _is_hand(self, mask: Mask, hidden: Sequence[int]) -> bool:
        if int(mask.sum()) < 0.3 * self._cell_px:
            return False
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        thick = cv2.morphologyEx(mask, cv2.MORPH_OPEN, self._piece, borderType=cv2.BORDER_REPLICATE)
        firm = cv2.morphologyEx(mask, cv2.MORPH_OPEN, self._finger, borderType=cv2.BORDER_REPLICATE)
        height, width = mask.shape
        for k in range(1, count):
            left, top, across, down, area = (int(v) for v in stats[k])
            if area > CELLS * self._cell_px and thick[labels == k].any():
                return True
            border = left <= 2 or top <= 2 or left + across >= width - 2 or top + down >= height - 2
            if border and area > self._cell_px and int(firm[labels == k].sum()) > 0.7 * self._cell_px:
                return True
        return any(self._covered(mask, tag) for tag in hidden)

    def _covered(self, mask: Mask, tag_id: int) -> bool:
        tag = next(tag for tag in self._layout.tags if tag.id == tag_id)
        (left, top), _, (right, bottom), _ = ((int(x * PX_PER_MM), int(y * PX_PER_MM)) for x, y in tag.corners_mm)
        return bool(mask[max(top, 0) : bottom, max(left, 0) : right].mean() > 0.3)


def _look(small: Image) -> _Look:
    colours = opponent(cv2.blur(log_colours(small), (3, 3)))
    detail = colours[..., 0] - cv2.blur(np.ascontiguousarray(colours[..., 0]), (9, 9))
    return _Look(colours, detail, cv2.blur(detail * detail, (9, 9)))


def _disc(diameter_px: float) -> Mask:
    size = round(diameter_px) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def _area(outline: object) -> float:
    return float(cv2.contourArea(np.asarray(outline, np.float32).reshape(-1, 1, 2)))
