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
_LIGHT_SCALE = 0.25
"""The light is followed at 4 mm a pixel."""
_LEVELS = 60.0
"""Steps a unit of log light: cv2's fast median works on bytes."""
Shares = NDArray[np.float32]
"""Shape (seats, height, width), 0 to 1."""


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

    def __init__(self, layout: Layout, colours: Mapping[Seat, Rgb], *, px_per_mm: float = 1.0) -> None:
        self._layout, self._scale = layout, px_per_mm
        self._seats = tuple(sorted(colours))
        self._colours = opponent(log_colours(np.array([[colours[s][::-1] for s in self._seats]], np.uint8)))[0]
        art = top_view(layout, px_per_mm)
        self._art_logs = cv2.blur(log_colours(art), (3, 3))
        self._art = opponent(self._art_logs)
        mean = cv2.blur(self._art, (5, 5))
        self._edges = np.sqrt(np.maximum(cv2.blur(self._art**2, (5, 5)) - mean**2, 0))
        self._edge_mm = math.sqrt(float(np.median([_area(c.outline_mm) for c in layout.cells])))
        self._centres = np.array([c.centre_mm for c in layout.cells])
        near = np.zeros(art.shape[:2], np.uint8)
        for cell in layout.cells:
            cv2.fillConvexPoly(near, np.rint(np.asarray(cell.outline_mm) * px_per_mm).astype(np.int32), 1)
        reach = round(0.5 * self._edge_mm * px_per_mm) * 2 + 1
        self._near = np.nonzero(cv2.dilate(near, np.ones((reach, reach), np.uint8)))
        self._shift_for: Matrix | None = None
        self._response = Response()

    def read(self, sheet: Image, located: Located) -> CellsSeen:
        """Read one top view of the whole sheet (``Rectifier`` at the same scale)."""
        if self._shift_for is not located.projection:
            raised = located.on_board(located.project(self._centres, PIECE_MM / 2))
            self._shift_mm, self._shift_for = raised - self._centres, located.projection
        logs = cv2.blur(log_colours(sheet), (3, 3))
        free = opponent(np.asarray(logs - self._light(logs), np.float32))
        self._response = self._measure_response(free)
        shares, other, valid = self._classify(free, sheet)
        return self._judge(shares, other, valid)

    def _light(self, logs: LogImage) -> LogImage:
        """Log of the light on every spot, relative to the print."""
        size = (round(logs.shape[1] * _LIGHT_SCALE / self._scale), round(logs.shape[0] * _LIGHT_SCALE / self._scale))
        ratio = cv2.resize(logs - self._art_logs, size, interpolation=cv2.INTER_AREA)
        middle = np.median(ratio.reshape(-1, 3), axis=0)
        steps = np.clip((ratio - middle) * _LEVELS + 128, 0, 255).astype(np.uint8)
        smooth = cv2.blur(cv2.medianBlur(steps, 13), (3, 3))
        level = (smooth.astype(np.float32) - 128) / _LEVELS + middle.astype(np.float32)
        return np.asarray(cv2.resize(level, (logs.shape[1], logs.shape[0]), interpolation=cv2.INTER_LINEAR), np.float32)

    def _measure_response(self, free: LogImage) -> Response:
        chips = self._layout.chips
        x, y = (np.array([c.centre_mm for c in chips]) * self._scale).astype(np.intp).T.reshape(2, -1)
        patch = np.stack([free[y + dy, x + dx] for dy in (-2, 0, 2) for dx in (-2, 0, 2)])
        return measure_response(chips, np.median(patch, axis=0).astype(np.float32))

    def _classify(self, free: LogImage, sheet: Image) -> tuple[Shares, NDArray[np.float32], NDArray[np.float32]]:
        """For each pixel near a cell: shares of the seats, share of "neither", and whether it says anything."""
        at = self._near
        seen, art = free[at], self._response.seen(self._art[at])
        edge = self._edges[at]
        above = seen[:, 0] - art[:, 0]
        glare = (above > 0.3) & (sheet[at].min(axis=1) > 120)
        spread = 0.09**2 + edge[:, 1:] ** 2
        empty = -0.5 * (((seen[:, 1:] - art[:, 1:]) ** 2) / spread).sum(axis=1)
        empty -= 0.5 * _shaded(above, 0.12, edge[:, 0])
        wanted = self._response.seen(self._colours)
        scores = [np.maximum(empty, -12) + math.log(0.7)]
        for colour in wanted:
            miss = (((seen[:, 1:] - colour[1:]) / 0.2) ** 2).sum(axis=1) + _shaded(seen[:, 0] - colour[0], 0.3, 0)
            scores.append(-0.5 * miss + math.log(0.06))
        scores.append(np.full(len(seen), -6.0, np.float32))
        stacked = np.stack(scores)
        weights = np.exp(stacked - stacked.max(axis=0))
        weights *= (~glare) / weights.sum(axis=0)
        maps = np.zeros((len(wanted) + 2, *sheet.shape[:2]), np.float32)
        maps[(slice(None), *at)] = np.vstack([weights[1:], (~glare)[None]])
        return maps[:-2], maps[-2], maps[-1]

    def _judge(self, shares: Shares, other: NDArray[np.float32], valid: NDArray[np.float32]) -> CellsSeen:
        core = round(9 * self._scale) | 1
        clear = np.maximum(cv2.blur(valid, (core, core)), 0.3)
        gathered = np.stack([cv2.blur(share, (core, core)) / clear for share in shares])
        cells: dict[Cell, Mapping[Seat | None, float]] = {}
        standing: list[Standing] = []
        for i, place in enumerate(self._layout.cells):
            middle = (self._centres[i] + self._shift_mm[i]) * self._scale - 0.5
            strange, readable = self._inner(other, self._centres[i]), self._inner(valid, self._centres[i])
            found = [self._blob(gathered[k], shares[k], middle) for k in range(len(self._seats))]
            best = int(np.argmax([share for share, _ in found]))
            if readable < 0.6 or (strange > 0.35 and found[best][0] < 0.6):
                continue
            evidence = {seat: _evidence(*found[k]) for k, seat in enumerate(self._seats)}
            cells[place.name] = {None: 0.0, **evidence}
            share, off = found[best]
            if share > 0.5 and np.abs(off).max() < BETWEEN:
                x, y = self._centres[i] + off * self._edge_mm
                standing.append(Standing(place.name, self._seats[best], (float(x), float(y))))
        return CellsSeen(cells, tuple(standing))

    def _blob(
        self, gathered: NDArray[np.float32], share: NDArray[np.float32], middle_px: NDArray[np.float64]
    ) -> tuple[float, NDArray[np.float64]]:
        """How full the fullest spot in the cell is of the colour, and how far its blob is off the middle, in cells."""
        edge = self._edge_mm * self._scale
        reach = round(0.6 * edge)
        x, y = (int(round(float(v))) for v in middle_px)
        window = gathered[y - reach : y + reach + 1 : 2, x - reach : x + reach + 1 : 2]
        steps = np.arange(-reach, reach + 1, 2)[: window.shape[0]]
        central = 1 - 0.4 * np.maximum(np.abs(steps)[:, None], np.abs(steps)[None, :]) / reach
        row, column = divmod(int(np.argmax(window * central)), window.shape[1])
        peak = float(window[row, column])
        if peak < 0.1:
            return peak, np.zeros(2)
        at = np.array([x + steps[column], y + steps[row]], np.float64)
        around = round(0.42 * edge)
        grid = np.arange(-around, around + 1)
        for _ in range(2):
            left, top = (int(round(v)) - around for v in at)
            mass = share[top : top + 2 * around + 1, left : left + 2 * around + 1]
            total = float(mass.sum())
            if total < 1:
                break
            at = np.array([left, top]) + around + np.array([mass.sum(axis=0) @ grid, mass.sum(axis=1) @ grid]) / total
        return peak, (at - middle_px) / edge

    def _inner(self, values: NDArray[np.float32], centre_mm: NDArray[np.float64]) -> float:
        reach = round(0.3 * self._edge_mm * self._scale)
        x, y = (int(v * self._scale) for v in centre_mm)
        return float(values[y - reach : y + reach + 1, x - reach : x + reach + 1].mean())


def _shaded(above: NDArray[np.float32], spread: float, edge: NDArray[np.float32] | float) -> NDArray[np.float32]:
    """Squared misfit of brightness: shadow down to 40 % costs nothing."""
    miss = np.maximum(above, 0) + np.minimum(above + 0.9, 0)
    return np.asarray(miss**2 / (spread**2 + np.square(edge)), np.float32)


def _evidence(share: float, off: NDArray[np.float64], *, most: float = 8.0) -> float:
    """Log-likelihood of a piece against empty.

    A piece between two cells speaks for neither: from ``OWN_CELL`` on the evidence is limited, at ``BETWEEN`` and in
    the next cell it is what a coin would say, and it turns against the piece where the blob is the neighbour's.
    """
    full = float(np.clip((share - 0.42) * 24, -most, most))
    away = float(np.abs(off).max())
    if full <= 0 or away <= OWN_CELL:
        return full
    if away <= BETWEEN:
        return min(full, 2 + (most - 2) * (BETWEEN - away) / (BETWEEN - OWN_CELL))
    beyond = (away - BETWEEN) / (BETWEEN - OWN_CELL)
    return max(min(full, 2 - (most + 2) * beyond), -most)


def _area(outline: object) -> float:
    return float(cv2.contourArea(np.asarray(outline, np.float32).reshape(-1, 1, 2)))
