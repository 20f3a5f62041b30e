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

from calibration.colours import LogImage, Response, between, log_colours, measure_response, opponent
from calibration.drawing import Rgb
from calibration.homography import Matrix
from calibration.layout import Layout
from calibration.sheets import top_view
from referee.board import Cell, Seat
from vision.camera import Image
from vision.covered import Covered
from vision.locate import Located

PIECE_MM = 8.0
"""Height of a usual piece."""
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
CLEAR = 0.6
"""Share of a cell that must be free of glare."""
NEITHER = -6.0
"""Log-likelihood of a pixel being neither board nor piece."""
LIT = 75
"""Percentile of brightness that lies in the lamp's light, if much of the sheet does."""
GLARE = 0.16
"""A spot that outshines its surroundings by so much, in log values of the camera, veils what is below."""
LIGHT_PX_PER_MM = 0.25
"""Scale at which the light is followed."""
_LEVELS = 60.0
"""Steps a unit of log light: cv2's fast median works on bytes."""
PLAINER, UNTINTED = 2, 6
"""Steps by which the light of the whole sheet must explain a place better than the light around it, and how well."""
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
        self._colours = opponent(log_colours(np.array([[colours[s][::-1] for s in self._seats]], np.uint8)))[0]
        art = top_view(layout, px_per_mm) if look is None else look
        self._learnt, self._chips = look is not None, () if look is not None else layout.chips
        self._palest = float(self._colours[:, 0].max()) if self._learnt else -np.inf
        """A dark board may bear what is brighter than it; on print nothing is."""
        self._between = between(self._colours) if self._learnt else ()
        self._art_logs = log_colours(art)
        self._edge_mm = math.sqrt(float(np.median([_area(c.outline_mm) for c in layout.cells])))
        self._centres = np.array([c.centre_mm for c in layout.cells])
        self._near = self._pixels_near_cells(art.shape[:2])
        rows, columns = self._near
        self._corner_px = np.array([columns.min(), rows.min()])
        """Of the box around all cells, in which blobs are sought."""
        self._box = (slice(None), rows - rows.min(), columns - columns.min())
        self._box_shape = (int(np.ptp(rows)) + 1, int(np.ptp(columns)) + 1)
        drawn = opponent(self._art_logs)
        self._covered = Covered(
            np.ascontiguousarray(drawn[..., 0]), self._near, self._centres * px_per_mm, self._edge_mm * px_per_mm
        )
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
        light, spot = self._light(logs)
        free = opponent(logs - light)
        shares, other, valid = self._classify(free[self._near], spot[self._near], self._measure_response(free))
        covered = np.zeros(len(self._centres), np.bool_)
        if self._learnt or (located.tags and self._chips):  # else it is not line for line what is drawn here
            covered = self._covered.cells(free[..., 0], shares.sum(axis=0), other)
        pictures = self._spread_out(np.vstack([shares, other[None], valid[None]]))
        return self._judge(pictures[:-2], pictures[-2], pictures[-1], covered)

    def _pixels_near_cells(self, shape: tuple[int, ...]) -> tuple[NDArray[np.intp], ...]:
        near = np.zeros(shape, np.uint8)
        for cell in self._layout.cells:
            cv2.fillConvexPoly(near, np.rint(np.asarray(cell.outline_mm) * self._scale).astype(np.int32), 1)
        reach = round(0.5 * self._edge_mm * self._scale) * 2 + 1
        return np.nonzero(cv2.dilate(near, np.ones((reach, reach), np.uint8)))

    def _light(self, logs: LogImage) -> tuple[LogImage, NDArray[np.float32]]:
        """Log of the light on every spot, relative to the print; and by how much it outshines its surroundings."""
        height, width = logs.shape[:2]
        ratio = logs - self._art_logs
        size = (round(width * LIGHT_PX_PER_MM / self._scale), round(height * LIGHT_PX_PER_MM / self._scale))
        coarse = cv2.resize(ratio, size, interpolation=cv2.INTER_AREA)
        middle = np.median(coarse[::2, ::2].reshape(-1, 3), axis=0)
        steps = np.clip((coarse - middle) * _LEVELS + 128, 0, 255).astype(np.uint8)
        near = cv2.blur(cv2.medianBlur(steps, 13), (3, 3))
        # Brightness may jump at a shadow, colour does not: a crowd of blue pieces must not look like blue light.
        half = cv2.resize(steps, (size[0] // 2, size[1] // 2), interpolation=cv2.INTER_AREA)
        tint = cv2.resize(_tint(half), size, interpolation=cv2.INTER_LINEAR)
        brighter = cv2.transform(near - tint, np.full((1, 3), 1 / 3, np.float32))[..., None]
        level = (tint + brighter - 128) / _LEVELS + middle
        # What is bright over less than two and a half cells is a reflection; a lit part of the table is larger.
        narrow = round(2.5 * self._edge_mm * LIGHT_PX_PER_MM)
        brightest = np.maximum.reduce(cv2.split(near))
        spot = cv2.morphologyEx(brightest, cv2.MORPH_TOPHAT, np.ones((narrow, narrow), np.uint8))
        # A strip of lamp light between a shadow and the sheet's edge is narrow too, but no brighter than the rest.
        lit = np.uint8(np.percentile(brightest[::2, ::2], LIT))
        spot = np.minimum(spot, brightest - np.minimum(brightest, lit))
        # A piece darkens the middle of a reflection, so what its rim shows counts for it.
        spot = cv2.dilate(spot, np.ones((5, 5), np.uint8)).astype(np.float32) / _LEVELS
        full = (width, height)
        return (
            np.asarray(cv2.resize(level, full, interpolation=cv2.INTER_LINEAR), np.float32),
            np.asarray(cv2.resize(spot, full, interpolation=cv2.INTER_LINEAR), np.float32),
        )

    def _measure_response(self, free: LogImage) -> Response:
        chips = self._chips
        x, y = (np.array([c.centre_mm for c in chips]) * self._scale).astype(np.intp).reshape(-1, 2).T
        patch = np.stack([free[y + dy, x + dx] for dy in (-1, 0, 1) for dx in (-1, 0, 1)])
        return measure_response(chips, np.median(patch, axis=0).astype(np.float32))

    def _classify(self, seen: LogImage, spot: Shares, response: Response) -> tuple[Shares, Shares, Shares]:
        """For n pixels: shares of the seats (seats, n), share of "neither" (n,), and whether they say anything (n,)."""
        art = response.seen(self._art)
        y, a, b = np.ascontiguousarray(seen.T)
        above = y - art[:, 0]
        glare = (np.maximum(spot, 0) + y - np.maximum(art[:, 0], self._palest) > 0.2) | (spot > GLARE)
        empty = (a - art[:, 1]) ** 2 / (0.07**2 + self._busy[:, 1])
        empty += (b - art[:, 2]) ** 2 / (0.07**2 + self._busy[:, 2])
        empty += _shaded(above / np.sqrt(1 + self._busy[:, 0] / 0.12**2), 0.12, 0.35)
        scores = np.full((len(self._seats) + 2, len(y)), NEITHER, np.float32)
        scores[0] = np.maximum(-0.5 * empty, -12) + math.log(2.0 if self._learnt else 0.7)
        for k, colour in enumerate(response.seen(self._colours)):
            strength = (a * colour[1] + b * colour[2]) / max(float(colour[1:] @ colour[1:]), 0.01)
            full, veiled = np.clip(strength, 0.55, 1.25), np.clip(strength, 0.1, 0.4)
            miss = ((a - full * colour[1]) ** 2 + (b - full * colour[2]) ** 2) / 0.18**2
            scores[k + 1] = -0.5 * (miss + _shaded(y - colour[0], 0.4, 0.7)) + math.log(0.06)
            pale = ((a - veiled * colour[1]) ** 2 + (b - veiled * colour[2]) ** 2) / 0.07**2
            np.maximum(scores[-1], -0.5 * pale + math.log(0.03), out=scores[-1])
        claimed = scores[1:-1].max(axis=0) + 1
        for colour, spread in self._between:
            strength = np.clip((a * colour[0] + b * colour[1]) / float(colour @ colour), 0.4, 1.25)
            miss = ((a - strength * colour[0]) ** 2 + (b - strength * colour[1]) ** 2) / spread**2
            np.maximum(scores[-1], np.minimum(-0.5 * miss + math.log(0.06), claimed), out=scores[-1])
        shares = np.exp(scores - scores.max(axis=0))
        shares *= ~glare / shares.sum(axis=0)
        return shares[1:-1], shares[-1], np.asarray(~glare, np.float32)

    def _spread_out(self, values: Shares) -> Shares:
        """Values of the pixels near cells as pictures of the box, (k, n) to (k, height, width); 0 elsewhere."""
        pictures = np.zeros((len(values), *self._box_shape), np.float32)
        pictures[self._box] = values
        return pictures

    def _judge(self, shares: Shares, other: Shares, valid: Shares, covered: NDArray[np.bool_]) -> CellsSeen:
        core, inner = (round(mm * self._scale) | 1 for mm in (9.0, 0.6 * self._edge_mm))
        clear = np.maximum(cv2.blur(valid, (core, core)), CLEAR)
        gathered = np.stack([cv2.blur(share, (core, core)) for share in shares]) / clear
        x, y = (self._centres * self._scale - self._corner_px).astype(np.intp).T
        strange, readable = cv2.blur(other, (inner, inner))[y, x], cv2.blur(valid, (inner, inner))[y, x]
        middles = (self._centres + self._shift_mm) * self._scale - 0.5 - self._corner_px
        x, y = np.rint(middles).astype(np.intp).T
        rows, columns = (  # a cell may touch the sheet's edge
            np.clip(at[:, None] + self._steps, 0, size - 1) for at, size in zip((y, x), self._box_shape, strict=True)
        )
        windows = gathered[:, rows[:, :, None], columns[:, None]]
        central = (windows * self._central).reshape(*windows.shape[:2], -1)
        at = central.argmax(axis=2)
        peaks = np.take_along_axis(windows.reshape(central.shape), at[..., None], axis=2)[..., 0]
        starts = np.stack([x + self._steps[at % len(self._steps)], y + self._steps[at // len(self._steps)]], axis=-1)
        off = (self._middles(shares, starts) - middles) / (self._edge_mm * self._scale)
        evidence = _evidence(peaks, np.abs(off).max(axis=-1))
        # The more of a cell looks like nothing known, the less can be ruled out for it.
        evidence = np.maximum(evidence, -MOST * np.clip(1 - 2.4 * strange / STRANGE, 0.08, 1))
        best = evidence.argmax(axis=0)  # not the fullest: that may be a neighbour's
        cells: dict[Cell, Mapping[Seat | None, float]] = {}
        standing: list[Standing] = []
        for i, place in enumerate(self._layout.cells):
            k = int(best[i])
            if readable[i] < CLEAR or covered[i] or (strange[i] > STRANGE and peaks[:, i].max() < 0.6):
                continue
            cells[place.name] = {None: 0.0, **dict(zip(self._seats, evidence[:, i].tolist(), strict=True))}
            if peaks[k, i] > 0.5 and np.abs(off[k, i]).max() < 0.5:
                foot = self._centres[i] + off[k, i] * self._edge_mm
                standing.append(Standing(place.name, self._seats[k], (float(foot[0]), float(foot[1]))))
        glare = tuple(place.name for i, place in enumerate(self._layout.cells) if readable[i] < CLEAR)
        return CellsSeen(cells, tuple(standing), glare)

    def _middles(self, shares: Shares, starts_px: NDArray[np.intp]) -> NDArray[np.float64]:
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


def _tint(steps: NDArray[np.uint8]) -> Shares:
    """Colour of the light, in steps of which 128 is the whole sheet's: what is usual nearby.

    But where the sheet's explains the place better, and around: beside a sleeve the usual colour is the sleeve's.
    """
    # Without brightness: else beside a sleeve and its shadow the light had some of the sleeve's colour.
    hue = np.clip(steps - steps.mean(axis=2, keepdims=True) + 128.5, 0, 255).astype(np.uint8)
    near, sheet = cv2.medianBlur(hue, 17), np.full_like(hue, 128)
    by_near, by_sheet = (cv2.medianBlur(cv2.absdiff(hue, tint), 5).sum(axis=2) for tint in (near, sheet))
    plain = (by_near > by_sheet + PLAINER) & (by_sheet < UNTINTED)
    beside = cv2.dilate(plain.astype(np.uint8), np.ones((5, 5), np.uint8))
    return np.asarray(np.where(beside[..., None], sheet, near), np.float32)


def _shaded(above: NDArray[np.float32], spread: float, shade: float) -> NDArray[np.float32]:
    """Squared misfit of brightness, in deviations: shadow costs less than light, and a deep one little more."""
    below = np.minimum(np.maximum(-above, 0) / shade, 2) + np.maximum(-above - 0.9, 0) / spread
    return np.asarray(np.where(above > 0, above / spread, below) ** 2, np.float32)


def _evidence(share: NDArray[np.floating], off: NDArray[np.float64]) -> NDArray[np.float64]:
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
