"""Which cells bear a piece, and whose: for each cell the likelihood of empty and of each seat, from one top view.

Method: the printed board is known, so the ratio of picture to print, smoothed by a median, is the light on every
spot; with the light taken out a pixel looks like the print, like the print in shadow, like a seat's colour, or like
neither. Pixels of a seat's colour gather to a blob; its middle, less the parallax of half a piece's height, is where
the piece stands.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.colours import LogImage, Response, log_colours, measure_response, opponent
from calibration.homography import Matrix
from calibration.layout import Layout
from calibration.sheets import top_view
from referee.board import Cell, Seat
from vision.camera import Image
from vision.locate import Located

Rgb = tuple[int, int, int]
SEAT_COLOURS: Mapping[Seat, Rgb] = {
    Seat(1): (42, 157, 111),
    Seat(2): (233, 180, 60),
    Seat(3): (228, 112, 90),
    Seat(4): (62, 84, 152),
}
"""sRGB of the pieces where nobody says otherwise."""
PIECE_MM = 8.0
"""Height of a usual piece."""
OWN_CELL, BETWEEN = 0.35, 0.5
"""Off the middle by this share of a cell a piece is still surely in its cell; by that it is as much in the next."""
SHARED = 2.0
"""Evidence in each of two cells for a piece that stands on their border."""
NEITHER = -6.0
"""Log-likelihood of a pixel being neither board nor piece."""
LIGHT_PX_PER_MM = 0.25
"""Scale at which the light is followed."""
_LEVELS = 60.0
"""Steps a unit of log light: cv2's fast median works on bytes."""
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


class PieceReader:
    """Reads the cells of one layout, for pieces of given colours.

    Args:
        layout: what is printed.
        colours: sRGB of each seat's pieces.
        px_per_mm: scale of the top views.
    """

    def __init__(self, layout: Layout, colours: Mapping[Seat, Rgb], *, px_per_mm: float = 0.5) -> None:
        self._layout, self._scale = layout, px_per_mm
        self._seats = tuple(sorted(colours))
        self._colours = opponent(log_colours(np.array([[colours[s][::-1] for s in self._seats]], np.uint8)))[0]
        art = top_view(layout, px_per_mm)
        self._art_logs = log_colours(art)
        self._edge_mm = math.sqrt(float(np.median([_area(c.outline_mm) for c in layout.cells])))
        self._centres = np.array([c.centre_mm for c in layout.cells])
        self._near = self._pixels_near_cells(art.shape[:2])
        drawn = opponent(self._art_logs)
        busy = np.maximum(cv2.blur(drawn**2, (3, 3)) - cv2.blur(drawn, (3, 3)) ** 2, 0)
        self._art, self._busy = drawn[self._near], np.asarray(busy[self._near], np.float32)
        reach = round(0.6 * self._edge_mm * px_per_mm)
        self._steps = np.arange(-reach, reach + 1)
        self._central = np.asarray(1 - 0.4 * np.maximum.outer(abs(self._steps), abs(self._steps)) / reach, np.float32)
        self._shift_for: Matrix | None = None

    def read(self, sheet: Image, located: Located) -> CellsSeen:
        """Read one top view of the whole sheet, at ``px_per_mm``."""
        if self._shift_for is not located.projection:
            raised = located.on_board(located.project(self._centres, PIECE_MM / 2))
            self._shift_mm, self._shift_for = raised - self._centres, located.projection
        logs = log_colours(sheet)
        free = opponent(np.asarray(logs - self._light(logs), np.float32))
        shares, other, valid = self._classify(free[self._near], sheet[self._near], self._measure_response(free))
        return self._judge(self._spread_out(shares), self._spread_out(other[None])[0], self._spread_out(valid[None])[0])

    def _pixels_near_cells(self, shape: tuple[int, ...]) -> tuple[NDArray[np.intp], ...]:
        near = np.zeros(shape, np.uint8)
        for cell in self._layout.cells:
            cv2.fillConvexPoly(near, np.rint(np.asarray(cell.outline_mm) * self._scale).astype(np.int32), 1)
        reach = round(0.5 * self._edge_mm * self._scale) * 2 + 1
        return np.nonzero(cv2.dilate(near, np.ones((reach, reach), np.uint8)))

    def _light(self, logs: LogImage) -> LogImage:
        """Log of the light on every spot, relative to the print."""
        height, width = logs.shape[:2]
        ratio = logs - self._art_logs
        size = (round(width * LIGHT_PX_PER_MM / self._scale), round(height * LIGHT_PX_PER_MM / self._scale))
        coarse = cv2.resize(ratio, size, interpolation=cv2.INTER_AREA)
        middle = np.median(coarse.reshape(-1, 3), axis=0)
        steps = np.clip((coarse - middle) * _LEVELS + 128, 0, 255).astype(np.uint8)
        smooth = cv2.blur(cv2.medianBlur(steps, 13), (3, 3))
        level = (smooth.astype(np.float32) - 128) / _LEVELS + middle
        return np.asarray(cv2.resize(level, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)

    def _measure_response(self, free: LogImage) -> Response:
        chips = self._layout.chips
        x, y = (np.array([c.centre_mm for c in chips]) * self._scale).astype(np.intp).reshape(-1, 2).T
        patch = np.stack([free[y + dy, x + dx] for dy in (-1, 0, 1) for dx in (-1, 0, 1)])
        return measure_response(chips, np.median(patch, axis=0).astype(np.float32))

    def _classify(self, seen: LogImage, raw: NDArray[np.uint8], response: Response) -> tuple[Shares, Shares, Shares]:
        """For n pixels: shares of the seats (seats, n), share of "neither" (n,), and whether they say anything (n,)."""
        art = response.seen(self._art)
        y, a, b = np.ascontiguousarray(seen.T)
        above = y - art[:, 0]
        glare = (above > 0.3) & (raw.min(axis=1) > 120)
        empty = (a - art[:, 1]) ** 2 / (0.09**2 + self._busy[:, 1])
        empty += (b - art[:, 2]) ** 2 / (0.09**2 + self._busy[:, 2])
        empty += _shaded(above) / (0.12**2 + self._busy[:, 0])
        scores = np.empty((len(self._seats) + 2, len(y)), np.float32)
        scores[0] = np.maximum(-0.5 * empty, -12) + math.log(0.7)
        for k, colour in enumerate(response.seen(self._colours)):
            paleness = np.clip((a * colour[1] + b * colour[2]) / max(float(colour[1:] @ colour[1:]), 0.01), 0.55, 1.25)
            miss = ((a - paleness * colour[1]) ** 2 + (b - paleness * colour[2]) ** 2) / 0.18**2
            miss += _shaded(y - colour[0]) / 0.4**2
            scores[k + 1] = -0.5 * miss + math.log(0.06)
        scores[-1] = NEITHER
        shares = np.exp(scores - scores.max(axis=0))
        shares *= ~glare / shares.sum(axis=0)
        return shares[1:-1], shares[-1], np.asarray(~glare, np.float32)

    def _spread_out(self, values: Shares) -> Shares:
        """Values of the pixels near cells as pictures, (k, n) to (k, height, width); 0 elsewhere."""
        pictures = np.zeros((len(values), *self._art_logs.shape[:2]), np.float32)
        pictures[(slice(None), *self._near)] = values
        return pictures

    def _judge(self, shares: Shares, other: Shares, valid: Shares) -> CellsSeen:
        core, inner = (round(mm * self._scale) | 1 for mm in (9.0, 0.6 * self._edge_mm))
        clear = np.maximum(cv2.blur(valid, (core, core)), 0.3)
        gathered = np.stack([cv2.blur(share, (core, core)) for share in shares]) / clear
        x, y = (self._centres * self._scale).astype(np.intp).T
        strange, readable = cv2.blur(other, (inner, inner))[y, x], cv2.blur(valid, (inner, inner))[y, x]
        middles = (self._centres + self._shift_mm) * self._scale - 0.5
        x, y = np.rint(middles).astype(np.intp).T
        windows = gathered[:, y[:, None, None] + self._steps[:, None], x[:, None, None] + self._steps]
        central = (windows * self._central).reshape(*windows.shape[:2], -1)
        at = central.argmax(axis=2)
        peaks = np.take_along_axis(windows.reshape(central.shape), at[..., None], axis=2)[..., 0]
        cells: dict[Cell, Mapping[Seat | None, float]] = {}
        standing: list[Standing] = []
        for i, place in enumerate(self._layout.cells):
            best = int(peaks[:, i].argmax())
            if readable[i] < 0.6 or (strange[i] > 0.35 and peaks[best, i] < 0.6):
                continue
            evidence: dict[Seat | None, float] = {None: 0.0}
            for k, seat in enumerate(self._seats):
                off = np.zeros(2)
                if peaks[k, i] > 0.3:
                    row, column = divmod(int(at[k, i]), len(self._steps))
                    start = np.array([x[i] + self._steps[column], y[i] + self._steps[row]], np.float64)
                    off = (self._middle(shares[k], start) - middles[i]) / (self._edge_mm * self._scale)
                    if k == best and peaks[k, i] > 0.5 and np.abs(off).max() < BETWEEN:
                        foot = self._centres[i] + off * self._edge_mm
                        standing.append(Standing(place.name, seat, (float(foot[0]), float(foot[1]))))
                evidence[seat] = _evidence(float(peaks[k, i]), float(np.abs(off).max()))
            cells[place.name] = evidence
        return CellsSeen(cells, tuple(standing))

    def _middle(self, share: Shares, start_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """The middle of the blob near a pixel (mean shift within somewhat less than half a cell)."""
        around = round(0.42 * self._edge_mm * self._scale)
        grid = np.arange(-around, around + 1, dtype=np.float32)
        at = start_px
        for _ in range(3):
            left, top = (round(float(v)) - around for v in at)
            mass = share[max(top, 0) : top + 2 * around + 1, max(left, 0) : left + 2 * around + 1]
            total = float(mass.sum())
            if total < 1 or mass.shape != (len(grid), len(grid)):
                break
            aside = np.array([mass.sum(axis=0) @ grid, mass.sum(axis=1) @ grid]) / total
            at = np.array([left + around, top + around]) + aside
        return at


def _shaded(above: NDArray[np.float32]) -> NDArray[np.float32]:
    """Squared misfit of brightness: shadow down to 40 % costs nothing."""
    return np.asarray((np.maximum(above, 0) + np.minimum(above + 0.9, 0)) ** 2, np.float32)


def _evidence(share: float, off: float, *, most: float = 8.0) -> float:
    """Log-likelihood of a piece against empty.

    A piece between two cells speaks for neither: from ``OWN_CELL`` on the evidence is limited, at ``BETWEEN`` and in
    the next cell it is little more than a coin would say, and it turns where the blob is the neighbour's.

    Args:
        share: how full the fullest spot of the cell is of the colour.
        off: how far the blob's middle is off the cell's, along the worse axis, in cells.
        most: where evidence ends; a thousand times as likely is as sure as one picture makes.
    """
    full = min(max((share - 0.42) * 24, -most), most)
    if full <= 0 or off <= OWN_CELL:
        return full
    width = BETWEEN - OWN_CELL
    if off <= BETWEEN:
        return min(full, SHARED + (most - SHARED) * (BETWEEN - off) / width)
    return max(min(full, SHARED - (most + SHARED) * (off - BETWEEN) / width), -most)


def _area(outline: object) -> float:
    return float(cv2.contourArea(np.asarray(outline, np.float32).reshape(-1, 1, 2)))
