"""Hands, sleeves and whatever else covers the board: not by skin, but by what the board no longer shows."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.colours import log_colours
from calibration.layout import Layout
from calibration.outlines import Point
from calibration.sheets import top_view
from vision.camera import Image

PX_PER_MM = 0.5
"""Scale at which covers are sought: a finger is 8 pixels wide, a piece 9."""
CELLS = 2.5
"""A connected cover of so many cells is no piece."""
MARGIN = 0.75
"""What begins within so many cells of the sheet's edge and is too large for one piece came from beyond."""
PART = 0.25
"""What hides less of a cell is noise."""
DARKEST_SHADOW = 1.3
"""Log of the camera's values: a quarter of the brightness is still a shadow."""
FIST_MM = 75.0
"""Beans that lie and beans that lay there before do not fill a disc of this size together; a hand does."""
PRINTED, HIDDEN = 0.15, 0.1
"""A cover over so much print of which less than this is hidden is light."""
EDGE_PX = 5
"""The sheet's own edge, curled or shadowed, is not looked at."""
INK_BLACK = np.uint8(30)
"""No ink is blacker to a camera."""
Plane = NDArray[np.float32]
Mask = NDArray[np.uint8]
"""0 or 1, shape (height, width), at ``PX_PER_MM``."""


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """What lies over the board."""

    found: bool
    mask: Mask
    """Everything that differs from the reference, pieces included."""
    transparent: bool
    """The print shows through all of it: coloured light does that, no hand."""
    aside: bool
    """No cell is hidden and nothing of the throwing place: as by a cup or a pencil on the sheet's margin."""


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """A top view made comparable; all of shape (height, width)."""

    colours: tuple[Plane, Plane, Plane]
    """Opponent colours."""
    detail: Plane
    """Brightness against its surroundings."""
    energy: Plane
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
        self._reference = _look(np.maximum(top_view(layout, PX_PER_MM), INK_BLACK))
        self._printed = True
        # Print and camera agree less well than two pictures of the same camera.
        self._colour_step, self._print = 0.2, 0.15
        edge_px = float(np.sqrt(np.median([_area(c.outline_mm) for c in layout.cells]))) * PX_PER_MM
        self._cell_px = edge_px**2
        shape = self._reference.detail.shape
        self._cells = _within([cell.outline_mm for cell in layout.cells], shape)
        self._place = _within([layout.place.corners_mm] if layout.place else [], shape)
        self._piece = _disc(0.95 * edge_px)
        self._finger = _disc(7)
        self._fist = _disc(FIST_MM * PX_PER_MM)

    def accept(self, sheet: Image) -> None:
        """Take this top view, of a table at rest and without hands, as the reference."""
        self._reference, self._printed = _look(sheet), False
        self._colour_step, self._print = 0.16, 0.06

    def see(self, sheet: Image, hidden: Sequence[int] = (), pieces_mm: Sequence[Point] = ()) -> Cover:
        """What covers the board.

        Args:
            sheet: top view of the whole sheet, at ``PX_PER_MM``.
            hidden: tags that could not be measured.
            pieces_mm: where pieces are known to have come or gone; what differs there is no hand.
        """
        mask, opaque = self._differs(sheet)
        pieces, radius_px = np.zeros_like(mask), round(0.55 * self._cell_px**0.5)
        for x, y in pieces_mm:
            at = (round(x * PX_PER_MM), round(y * PX_PER_MM))
            cv2.circle(mask, at, radius_px, (0,), cv2.FILLED)
            cv2.circle(pieces, at, radius_px + 2, (1,), cv2.FILLED)
        printed = (self._reference.energy > self._print**2) & (mask > 0)
        seen_through = printed.sum() > PRINTED * mask.sum() and (opaque & printed).sum() < HIDDEN * printed.sum()
        _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        hands = self._hands(mask, np.asarray(labels, np.int32), np.asarray(stats, np.int32))
        something = int(mask.sum()) > PART * self._cell_px
        found = bool(hands) or (something and any(self._covered(mask, tag) for tag in hidden))
        parts = np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] > PART * self._cell_px) + 1
        parts = np.union1d(np.setdiff1d(parts, labels[pieces > 0]), hands)  # without the rims and shadows of pieces
        hides = np.isin(labels[self._cells], parts).any() or np.isin(labels[self._place], hands).any()
        return Cover(found, mask, bool(seen_through), not hides)

    def _differs(self, sheet: Image) -> tuple[Mask, NDArray[np.bool_]]:
        """Where the sheet differs from the reference, and where it does not show what is printed there."""
        now, was = _look(sheet), self._reference
        brighter, redder, bluer = (n - w for n, w in zip(now.colours, was.colours, strict=True))
        brighter -= np.median(brighter[::5, ::5])
        redder -= np.median(redder[::5, ::5])
        bluer -= np.median(bluer[::5, ::5])
        unsure = 1 + np.maximum(3.6 - np.minimum(now.colours[0], was.colours[0]), 0)  # in the dark, noise has colours
        coloured = redder * redder + bluer * bluer > (self._colour_step * unsure) ** 2
        if self._printed:
            brighter -= cv2.blur(brighter, (31, 31))
        black = brighter < -DARKEST_SHADOW
        like = cv2.blur(now.detail * was.detail, (9, 9))
        alike = like > 0.45 * np.sqrt(was.energy * now.energy)
        vanished = (was.energy > self._print**2) & ~(alike & (now.energy > 0.04 * was.energy))
        mask = (coloured | black | vanished) & (sheet[..., 0] < 250)
        closed = np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, _disc(5)), np.uint8)
        closed[:EDGE_PX] = closed[-EDGE_PX:] = closed[:, :EDGE_PX] = closed[:, -EDGE_PX:] = 0
        return closed, black | vanished

    def _hands(self, mask: Mask, labels: NDArray[np.int32], stats: NDArray[np.int32]) -> list[int]:
        """Which connected parts of a mask are too large for pieces and beans."""
        large = np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] > self._cell_px) + 1
        if not large.size:
            return []
        thick, firm = (
            np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, disc, borderType=cv2.BORDER_REPLICATE), np.uint8)
            for disc in (self._piece, self._finger)
        )
        return [int(k) for k in large if self._is_hand(labels == k, stats[k], thick, firm)]

    def _is_hand(self, part: NDArray[np.bool_], stats: NDArray[np.int32], thick: Mask, firm: Mask) -> bool:
        left, top, across, down, area = (int(v) for v in stats)
        if self._in_place(left, top, across, down):
            # Beans that lie close together are what the place is for.
            return bool(cv2.erode(part.astype(np.uint8), self._fist).any())
        if area > CELLS * self._cell_px and thick[part].any():
            return True
        beyond = min(left, top, part.shape[1] - left - across, part.shape[0] - top - down)
        return beyond <= MARGIN * self._cell_px**0.5 and int(firm[part].sum()) > 0.7 * self._cell_px

    def _in_place(self, left: int, top: int, across: int, down: int) -> bool:
        place = self._layout.place
        if place is None:
            return False
        x, y = left / PX_PER_MM - place.x_mm, top / PX_PER_MM - place.y_mm
        w, h = across / PX_PER_MM, down / PX_PER_MM
        return x > 0 and y > 0 and x + w < place.width_mm and y + h < place.height_mm

    def _covered(self, mask: Mask, tag_id: int) -> bool:
        tag = next(tag for tag in self._layout.tags if tag.id == tag_id)
        (left, top), _, (right, bottom), _ = ((int(x * PX_PER_MM), int(y * PX_PER_MM)) for x, y in tag.corners_mm)
        return bool(mask[max(top, 0) : bottom, max(left, 0) : right].mean() > 0.3)


def _look(sheet: Image) -> _Look:
    blue, green, red = (_blurred(plane, 3) for plane in cv2.split(log_colours(sheet)))
    brightness = np.asarray((blue + green + red) / 3, np.float32)
    detail = brightness - _blurred(brightness, 9)
    return _Look((brightness, red - green, blue - green), detail, _blurred(detail * detail, 9))


def _blurred(plane: NDArray[np.generic], size: int) -> Plane:
    return np.asarray(cv2.blur(np.asarray(plane, np.float32), (size, size)), np.float32)


def _within(outlines_mm: Sequence[Sequence[Point]], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    filled = np.zeros(shape, np.uint8)
    for outline_mm in outlines_mm:
        cv2.fillPoly(filled, [np.rint(np.asarray(outline_mm) * PX_PER_MM).astype(np.int32)], (1,))
    return filled > 0


def _disc(diameter_px: float) -> Mask:
    size = round(diameter_px) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def _area(outline: object) -> float:
    return float(cv2.contourArea(np.asarray(outline, np.float32).reshape(-1, 1, 2)))
