"""Which cells lie under something that is no piece: an arm, a sleeve, a sheet of paper, whatever its colour.

Three signs, from one top view with the light taken out: what is printed on and around the cell does not show; colours
that are not the board's fill more room than any piece takes; or what has a piece's colour has not the shape of pieces.
"""

from collections.abc import Collection

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout
from calibration.outlines import Point

DETAIL_PX = 9
"""Print is what differs from its surroundings of so many pixels."""
AROUND = 1.5
"""So many cells around a cell's middle its print is looked for."""
SHOWN = 80
"""Percentile of the cells whose print surely shows: no arm is over more than most of the board."""
VANISHED = 0.4
"""A cell whose print shows so much less than theirs is covered; in blur and noise uncovered ones showed 0.6 of it."""
TELLING, FREE = 0.1, 0.6
"""So much of the usual print, and so much of the ground around a cell, must be left beside pieces to tell."""
WIDEST = 1.3
"""In cells: a piece is narrower."""
FULL = 0.9
"""Share of such a square that draughts side by side do not fill."""
TOUCHED = 0.1
"""Share of a cell under what fills such a square from which on it is not read."""
FINER = 2
"""So much larger shapes are looked at: a pencil is two or three pixels wide."""
NARROWEST, PIECE_WIDE = 0.06, 0.6
"""In cells, half as wide: what is narrower is an edge of the print, and what is wider no piece."""
CORE = 0.85
"""The core of a shape is where it is nearly as thick as anywhere nearby: round pieces that touch have one each, an arm
has a single long one."""
ROUGH, JOINED = 1.5, 5
"""Finer pixels by which a line of the print notches a shape, and up to which cores are one that it has parted."""
PIECE_LONG = 1.25
"""In cells: a piece is shorter, but for what its height adds where it is seen obliquely."""
FROM_BEYOND = 1.1
"""In cells: so deep no piece reaches in that is cut by the rim of what is looked at, but for its height again."""
Plane = NDArray[np.float32]


class Covered:
    """Looks for what covers the cells of one print.

    Args:
        printed: brightness of the print as a logarithm, shape (height, width).
        near: rows and columns of the pixels near cells.
        centres_px: of the cells, x and y, shape (n, 2).
        edge_px: of a cell.
    """

    def __init__(
        self, printed: Plane, near: tuple[NDArray[np.intp], ...], centres_px: NDArray[np.float64], edge_px: float
    ) -> None:
        self._printed, self._near, self._edge_px = printed, near, edge_px
        self._at = (centres_px[:, 1].astype(np.intp), centres_px[:, 0].astype(np.intp))
        self._around = round(AROUND * edge_px) | 1
        looked_at = self._spread_out(np.ones(len(near[0]), np.float32))
        self._ground = _mean(looked_at, self._around)[self._at]
        self._depth = FINER * _finer(_to_the_rim(np.pad(looked_at.astype(np.uint8), 1)))[FINER:-FINER, FINER:-FINER]
        """How far each pixel is from what is not looked at, in finer pixels."""

    def cells(self, seen: Plane, pieces: Plane, other: Plane) -> NDArray[np.bool_]:
        """Which cells are covered, by the first two signs, shape (n,).

        Args:
            seen: brightness without the light, as a logarithm, shape (height, width).
            pieces: how much each pixel near cells looks like pieces of any seat, 0 to 1.
            other: and how much like nothing known.
        """
        return self._vanished(seen, pieces) | self._too_wide(pieces + other)

    def misshapen(self, pieces: Plane, lean_px: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which cells lie under something of a piece's colour that has not the shape of pieces, shape (n,).

        Args:
            pieces: as for ``cells``.
            lean_px: by how much a usual piece's height makes it longer, at most, along x and y.
        """
        # Closed, for what is printed in that colour shows through, and lines of it would take an arm apart.
        plane = np.asarray(cv2.morphologyEx(self._spread_out(pieces), cv2.MORPH_CLOSE, np.ones((3, 3))), np.float32)
        there = (plane > 0.5).astype(np.uint8)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(there)
        if stats[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(initial=0) <= self._edge_px:
            return np.zeros(len(self._at[0]), np.bool_)
        rows, columns = self._misshapen_at(plane, lean_px)
        parts = np.asarray(labels, np.int32)
        wrong = np.isin(parts, np.setdiff1d(parts[rows, columns], (0,)))
        return np.asarray(_mean(wrong.astype(np.float32), round(self._edge_px) | 1)[self._at] > TOUCHED)

    def _misshapen_at(self, plane: Plane, lean_px: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rows and columns of the cores of what are no pieces, alone or side by side."""
        edge = FINER * self._edge_px
        thick = _to_the_rim((_finer(plane) > 0.5).astype(np.uint8))
        nearby = np.ones((round(edge) | 1,) * 2, np.uint8)
        most = cv2.dilate(thick, nearby)
        core = ((thick > np.minimum(CORE * most, most - ROUGH)) & (thick > NARROWEST * edge)).astype(np.uint8)
        core = np.asarray(cv2.morphologyEx(core, cv2.MORPH_CLOSE, np.ones((JOINED, JOINED), np.uint8)), np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(core, connectivity=8)
        rows, columns = np.nonzero(core)
        of = np.asarray(labels, np.int32)[rows, columns]
        half, deepest, shallowest = np.zeros(count), np.zeros(count), np.full(count, np.inf)
        np.maximum.at(half, of, thick[rows, columns])
        np.maximum.at(deepest, of, self._depth[rows, columns])
        np.minimum.at(shallowest, of, self._depth[rows, columns])
        lean = FINER * lean_px
        sides = np.maximum(stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]] - lean, 0)
        cut_off = shallowest <= half + 1
        wrong = half > PIECE_WIDE * edge
        wrong |= np.hypot(*sides.T) + 2 * CORE * half > PIECE_LONG * edge
        wrong |= cut_off & (deepest + CORE * half > FROM_BEYOND * edge + lean.max())
        told = wrong[of]
        return rows[told] // FINER, columns[told] // FINER

    def _vanished(self, seen: Plane, pieces: Plane) -> NDArray[np.bool_]:
        """By the slope of picture over print."""
        weight = self._spread_out(1 - pieces)
        local = np.maximum(_mean(weight, DETAIL_PX), 1e-3)
        drawn, shown = ((v - _mean(v * weight, DETAIL_PX) / local) * weight for v in (self._printed, seen))
        energy, alike = (_mean(v, self._around)[self._at] for v in (drawn * drawn, drawn * shown))
        slope = alike / np.maximum(energy, 1e-9)
        free = _mean(weight, self._around)[self._at] > FREE * self._ground
        telling = free & (energy > TELLING * np.median(energy))
        return np.asarray(telling & (slope < VANISHED * np.percentile(slope, SHOWN)))

    def _too_wide(self, foreign: Plane) -> NDArray[np.bool_]:
        plane, widest = self._spread_out(foreign), round(WIDEST * self._edge_px) | 1
        full = (_mean(plane, widest) > FULL).astype(np.uint8)
        if not full.any():
            return np.zeros(len(self._at[0]), np.bool_)
        cover = cv2.dilate(full, np.ones((widest, widest), np.uint8)) > 0
        _, parts = cv2.connectedComponents(((plane > 0.5) | cover).astype(np.uint8))
        cover = np.isin(parts, np.unique(parts[cover]))  # with its fingers
        return np.asarray(_mean(cover.astype(np.float32), round(self._edge_px) | 1)[self._at] > TOUCHED)

    def _spread_out(self, values: Plane) -> Plane:
        plane = np.zeros(self._printed.shape, np.float32)
        plane[self._near] = values
        return plane


def under_tags(layout: Layout, ids: Collection[int]) -> list[Point]:
    """Points as close as pieces all over some tags and their white, millimetres.

    Where a tag was measured no hand lies, though glare may hide what else there is of the print.
    """
    return [
        (tag.centre_mm[0] + across * tag.size_mm, tag.centre_mm[1] + down * tag.size_mm)
        for tag in layout.tags
        if tag.id in ids
        for across in (-0.45, 0.0, 0.45)
        for down in (-0.45, 0.0, 0.45)
    ]


def _finer(plane: Plane) -> Plane:
    return np.asarray(cv2.resize(plane, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_LINEAR), np.float32)


def _to_the_rim(mask: NDArray[np.uint8]) -> Plane:
    return np.asarray(cv2.distanceTransform(mask, cv2.DIST_L2, 5), np.float32)


def _mean(values: NDArray[np.floating], size_px: int) -> Plane:
    return np.asarray(cv2.blur(np.asarray(values, np.float32), (size_px, size_px)), np.float32)
