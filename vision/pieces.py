"""Which cells bear a piece, and whose: for each cell the likelihood of empty and of each seat, from one top view.

Method: the printed board is known, so the ratio of picture to print is the light on every spot (``Illumination``);
with the light taken out a pixel looks like the print, like a seat's colour, or like neither (``Palette``). Pixels of a
seat's colour gather to a blob; its middle, less the parallax of half a piece's height, is where the piece stands. What
is no blob of a piece's size is no piece (``Covered``).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.colours import LogImage, Response, log_colours, measure_response, opponent
from calibration.drawing import Rgb
from calibration.homography import Matrix
from calibration.layout import Layout
from calibration.sheets import top_view
from referee.board import Cell, Seat
from vision.camera import Image
from vision.covered import Covered
from vision.illumination import Illumination
from vision.locate import Located
from vision.palette import Palette

PIECE_MM = 8.0
"""Height of a usual piece."""
CORE_MM = 9.0
"""So much of a piece, across, is surely its colour."""
BORDER = (0.35, 0.45, 0.55, 0.65)
"""How far off the middle, in cells, a piece is surely in its cell; from where to where it may be in either; and from
where on it is surely the neighbour's."""
SHARED = 2.0
"""Evidence in each of two cells for a piece that stands on their border."""
MOST = 11.0
"""Where evidence ends: sixty thousand times as likely is as sure as one picture makes. With much less no illegal move
could be told from a doubt."""
STRANGE = 0.35
"""A cell of which so much looks like nothing known is not read, unless a piece is plain to see."""
PLAIN = 0.6
"""So full of a seat's colour is a piece that is plain to see."""
DRAWN = 0.5
"""And one that is drawn where it stands."""
CLEAR = 0.6
"""Share of a cell that must be free of glare."""
REACH = 0.6
"""In cells: so far from a cell's middle, along either axis, its piece is sought."""
Floats = NDArray[np.float64]
Shares = NDArray[np.float32]
"""0 to 1; shape (seats, height, width), (seats, n) or one of them."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A piece as read, for drawing."""

    cell: Cell
    seat: Seat
    foot_mm: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class CellsSeen:
    """One top view, read."""

    cells: Mapping[Cell, Mapping[Seat | None, float]]
    """Log-likelihoods as in ``BoardSeen``; cells that could not be read are absent."""
    standing: tuple[Standing, ...]
    glare: tuple[Cell, ...]
    """Cells that a spot of light veils."""


@dataclass(frozen=True, slots=True, eq=False)
class _Blobs:
    """What gathers to a piece in or near each cell, by seat."""

    peaks: NDArray[np.floating]
    """How full the fullest spot is of the seat's colour, 0 to 1, (seats, cells)."""
    off: Floats
    """How far the blob's middle is off the cell's, in cells, x and y, (seats, cells, 2)."""


class PieceReader:
    """Reads the cells of one layout, for pieces of given colours.

    Args:
        layout: what is printed.
        colours: sRGB of each seat's pieces.
        px_per_mm: scale of the top views.
        look: top view of the empty board where it was learnt; None: it looks as it is printed.
    """

    def __init__(
        self, layout: Layout, colours: Mapping[Seat, Rgb], *, px_per_mm: float = 0.5, look: Image | None = None
    ) -> None:
        self._layout, self._scale = layout, px_per_mm
        self._seats = tuple(sorted(colours))
        self._learnt, self._chips = look is not None, () if look is not None else layout.chips
        self._edge_mm = math.sqrt(float(np.median([_area(c.outline_mm) for c in layout.cells])))
        self._centres = np.array([c.centre_mm for c in layout.cells])
        printed = log_colours(top_view(layout, px_per_mm) if look is None else look)
        self._light = Illumination(printed, px_per_mm, self._edge_mm)
        self._near = self._pixels_near_cells(printed.shape[:2])
        rows, columns = self._near
        self._corner_px = np.array([columns.min(), rows.min()])
        """Of the box around all cells, in which blobs are sought."""
        self._box = (slice(None), rows - rows.min(), columns - columns.min())
        self._box_shape = (int(np.ptp(rows)) + 1, int(np.ptp(columns)) + 1)
        drawn = opponent(printed)
        pieces = opponent(log_colours(np.array([[colours[s][::-1] for s in self._seats]], np.uint8)))[0]
        self._palette = Palette(drawn, self._near, pieces, learnt=self._learnt)
        self._covered = Covered(
            np.ascontiguousarray(drawn[..., 0]), self._near, self._centres * px_per_mm, self._edge_mm * px_per_mm
        )
        reach = round(REACH * self._edge_mm * px_per_mm)
        self._steps = np.arange(-reach, reach + 1)
        # A neighbour's piece may be fuller, but it is further off.
        self._central = np.asarray(1 - 0.4 * np.maximum.outer(abs(self._steps), abs(self._steps)) / reach, np.float32)
        self._shift_for: Matrix | None = None

    def read(self, sheet: Image, located: Located) -> CellsSeen:
        """Read one top view of the whole sheet, at ``px_per_mm``."""
        if self._shift_for is not located.projection:
            raised = located.on_board(located.project(self._centres, PIECE_MM / 2))
            self._shift_mm, self._shift_for = raised - self._centres, located.projection
            self._lean_px = 2 * np.abs(self._shift_mm).max(axis=0) * self._scale
        logs = log_colours(sheet)
        light, spot = self._light.of(logs)
        free = opponent(logs - light)
        shares, other, valid = self._palette.shares(free[self._near], spot[self._near], self._measure_response(free))
        covered = self._covered.misshapen(shares.sum(axis=0), self._lean_px)
        if self._learnt or (located.tags and self._chips):  # else it is not line for line what is drawn here
            covered |= self._covered.cells(free[..., 0], shares.sum(axis=0), other)
        pictures = self._spread_out(np.vstack([shares, other[None], valid[None]]))
        return self._judge(pictures[:-2], pictures[-2], pictures[-1], covered)

    def _pixels_near_cells(self, shape: tuple[int, ...]) -> tuple[NDArray[np.intp], ...]:
        near = np.zeros(shape, np.uint8)
        for cell in self._layout.cells:
            cv2.fillConvexPoly(near, np.rint(np.asarray(cell.outline_mm) * self._scale).astype(np.int32), 1)
        reach = round(0.5 * self._edge_mm * self._scale) * 2 + 1
        return np.nonzero(cv2.dilate(near, np.ones((reach, reach), np.uint8)))

    def _measure_response(self, free: LogImage) -> Response:
        chips = self._chips
        x, y = (np.array([c.centre_mm for c in chips]) * self._scale).astype(np.intp).reshape(-1, 2).T
        patch = np.stack([free[y + dy, x + dx] for dy in (-1, 0, 1) for dx in (-1, 0, 1)])
        return measure_response(chips, np.median(patch, axis=0).astype(np.float32))

    def _spread_out(self, values: Shares) -> Shares:
        """Values of the pixels near cells as pictures of the box, (k, n) to (k, height, width); 0 elsewhere."""
        pictures = np.zeros((len(values), *self._box_shape), np.float32)
        pictures[self._box] = values
        return pictures

    def _judge(self, shares: Shares, other: Shares, valid: Shares, covered: NDArray[np.bool_]) -> CellsSeen:
        """Tell each cell from pictures of the box: shares of the seats, of "neither", and what says anything."""
        inner = round(0.6 * self._edge_mm * self._scale) | 1
        x, y = (self._centres * self._scale - self._corner_px).astype(np.intp).T
        strange, readable = (cv2.blur(picture, (inner, inner))[y, x] for picture in (other, valid))
        blobs = self._blobs(shares, valid)
        plain = blobs.peaks.max(axis=0) >= PLAIN
        unread = (readable < CLEAR) | covered | ((strange > STRANGE) & ~plain)
        evidence = _evidence(blobs.peaks, np.abs(blobs.off).max(axis=-1))
        # The more of a cell looks like nothing known, the less can be ruled out for it.
        evidence = np.maximum(evidence, -MOST * np.clip(1 - 2.4 * strange / STRANGE, 0.08, 1))
        names = [place.name for place in self._layout.cells]
        return CellsSeen(
            cells={
                names[i]: {None: 0.0, **dict(zip(self._seats, evidence[:, i].tolist(), strict=True))}
                for i in np.flatnonzero(~unread)
            },
            standing=self._standing(evidence, blobs, unread),
            glare=tuple(names[i] for i in np.flatnonzero(readable < CLEAR)),
        )

    def _standing(self, evidence: Floats, blobs: _Blobs, unread: NDArray[np.bool_]) -> tuple[Standing, ...]:
        standing = []
        # By evidence: the fullest blob may be a neighbour's.
        for i, k in enumerate(evidence.argmax(axis=0)):
            if not unread[i] and blobs.peaks[k, i] > DRAWN and np.abs(blobs.off[k, i]).max() < 0.5:
                x, y = self._centres[i] + blobs.off[k, i] * self._edge_mm
                standing.append(Standing(self._layout.cells[i].name, self._seats[k], (float(x), float(y))))
        return tuple(standing)

    def _blobs(self, shares: Shares, valid: Shares) -> _Blobs:
        """Where each seat's colour gathers near each cell, seen at half a piece's height."""
        core = round(CORE_MM * self._scale) | 1
        clear = np.maximum(cv2.blur(valid, (core, core)), CLEAR)
        gathered = np.stack([cv2.blur(share, (core, core)) for share in shares]) / clear
        middles = (self._centres + self._shift_mm) * self._scale - 0.5 - self._corner_px
        x, y = np.rint(middles).astype(np.intp).T
        rows, columns = (  # a cell may touch the sheet's edge
            np.clip(at[:, None] + self._steps, 0, size - 1) for at, size in zip((y, x), self._box_shape, strict=True)
        )
        windows = gathered[:, rows[:, :, None], columns[:, None]]
        central = (windows * self._central).reshape(*windows.shape[:2], -1)
        at = central.argmax(axis=2)
        peaks = np.take_along_axis(windows.reshape(central.shape), at[..., None], axis=2)[..., 0]
        down, right = np.divmod(at, len(self._steps))
        starts = np.stack([x + self._steps[right], y + self._steps[down]], axis=-1)
        return _Blobs(peaks, (self._middles(shares, starts) - middles) / (self._edge_mm * self._scale))

    def _middles(self, shares: Shares, starts_px: NDArray[np.intp]) -> Floats:
        """The middles of the blobs near some pixels, (seats, cells, 2): mean shift in the size of a tall piece.

        What is nearer weighs more, linearly: else two alike that lean towards each other were one piece between them.
        """
        window = round(0.6 * self._edge_mm * self._scale) | 1
        height, width = shares.shape[1:]
        across, down = np.arange(width, dtype=np.float32)[None, :], np.arange(height, dtype=np.float32)[:, None]

        def near(values: Shares) -> Shares:
            return np.asarray(cv2.blur(cv2.blur(values, (window, window)), (window, window)), np.float32)

        moments = np.stack([[near(share), near(share * across), near(share * down)] for share in shares], axis=1)
        at, seat = starts_px.astype(np.float64), np.arange(len(shares))[:, None]
        for _ in range(12):
            x, y = np.clip(np.rint(at).astype(np.intp), 0, (width - 1, height - 1)).transpose(2, 0, 1)
            mass, right, lower = moments[:, seat, y, x]
            some = mass > 1e-3
            at[some] = np.stack([right[some], lower[some]], axis=1) / mass[some, None]
        return np.asarray(at)


def _evidence(share: NDArray[np.floating], off: Floats) -> Floats:
    """Log-likelihood of a piece against empty; any shape.

    A piece between two cells speaks for neither more than a coin would, and one that stands in the next cell speaks
    against this.

    Args:
        share: how full the fullest spot of the cell is of the colour.
        off: how far the blob's middle is off the cell's, along the worse axis, in cells.
    """
    full = np.interp(share, (0.12, 0.22, 0.4, 0.6), (-MOST, -1, 1, MOST))
    return np.asarray(np.minimum(full, np.interp(off, BORDER, (MOST, SHARED, SHARED, -MOST))))


def _area(outline: object) -> float:
    return float(cv2.contourArea(np.asarray(outline, np.float32).reshape(-1, 1, 2)))
