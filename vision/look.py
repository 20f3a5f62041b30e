"""A board of one's own: how it looks when it lies empty is guessed from one picture, or learnt while it rests.

A guess takes each cell for plain: its ground is what most of a ring inside its outline shows, for no piece reaches all
around; narrow lines belong to the board. What is learnt is the board line for line, but for cells that bear a piece:
these stay guessed until one rest shows them empty. Against either the cells are read as against a print.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.colours import log_colours, opponent
from calibration.drawing import Rgb
from calibration.layout import CellPlace, Layout
from referee.board import Cell, Seat
from vision.camera import Image
from vision.locate import Located
from vision.pieces import PIECE_MM, CellsSeen, PieceReader

RING, POINTS = 0.8, 24
"""Where the ground is looked for: an outline so much smaller than the cell's, and points on it."""
NARROW_MM = 14.0
"""What is much narrower than this is a line and belongs to the board."""
GUESS = 8.0
"""Where evidence ends that rests on a guess: a stain of a piece's colour and size would be one. Enough to contradict a
move (``referee.umpire.CONTRADICTS``), for what speaks against one must not count less than what speaks for it."""
DOUBTED, EMPTY = 1.0, -2.0
"""Evidence for a piece, by a guess, from which a cell that should be empty is not; and below which one surely is."""
GONE = 30.0
"""Code values by which a cell must have changed where a piece went away."""
FRAMES = 5
"""Pictures of one rest from which the look is learnt."""
HIDDEN = 0.15
"""Share of the cells that look like nothing known, from which a hand may lie there."""
PATIENCE = 150
"""In so many pictures of one rest a hand would have moved: the board is drawn like that."""
OPENED = 0.7
"""So much less unlike each other the cells' grounds must be than when the look was learnt."""
ODD = 0.35
"""Distance of two grounds, in logarithms, from which they are not of one kind."""
PRINTED = 0.7
"""Correlation of the chips' colours with what is seen at their places, from which the board is the printed one."""
PLAIN = 6.0
"""Evidence from which a piece tells the colour of its seat."""
SAMPLES, APART = 12, 25
"""So many pieces tell it; and code values by which it must be off what it was taken for to be taken for another."""
UNREAD: Mapping[Seat | None, float] = {Seat(1): 0.0}
"""Nothing speaks for or against a piece."""
Floats = NDArray[np.float64]


def guessed(sheet: Image, layout: Layout, px_per_mm: float) -> Image:
    """What the empty board may look like of which a top view is given, pieces and all; same shape."""
    smooth = np.asarray(cv2.medianBlur(sheet, round(NARROW_MM * px_per_mm) | 1), np.uint8)
    look = smooth.copy()
    for cell, ground in zip(layout.cells, _grounds(smooth, layout, px_per_mm), strict=True):
        cv2.fillConvexPoly(look, _outline_px(cell, px_per_mm), ground.tolist())
    lines = sheet.astype(np.int16) - smooth
    return np.asarray(np.clip(look + lines, 0, 255), np.uint8)


def is_printed(sheet: Image, layout: Layout, px_per_mm: float) -> bool:
    """Whether a top view shows the chips of a layout where they are printed; their colours, for light is grey."""
    if len(layout.chips) < 3:
        return False
    x, y = (np.array([chip.centre_mm for chip in layout.chips]) * px_per_mm).astype(np.intp).T
    seen = opponent(log_colours(sheet[y, x][None]))[0]
    drawn = opponent(log_colours(np.array([[chip.rgb[::-1] for chip in layout.chips]], np.uint8)))[0]
    seen, drawn = seen - seen.mean(axis=0), drawn - drawn.mean(axis=0)
    norm = float(np.linalg.norm(seen) * np.linalg.norm(drawn))
    return norm > 0 and float((seen * drawn).sum()) > PRINTED * norm


def by_guess(
    sheet: Image, located: Located, layout: Layout, colours: Mapping[Seat, Rgb], *, px_per_mm: float
) -> CellsSeen:
    """Read one top view of a board of which nothing else was seen; nothing is certain."""
    reader = PieceReader(layout, colours, px_per_mm=px_per_mm, look=guessed(sheet, layout, px_per_mm))
    seen = reader.read(sheet, located)
    cells = {
        name: {seat: float(np.clip(value, -GUESS, GUESS)) for seat, value in values.items()}
        for name, values in seen.cells.items()
    }
    return replace(seen, cells=cells)


class OwnBoard:
    """Reads the pieces on a board whose look is learnt at its first rest; until then no cell is read.

    Args:
        layout: its cells.
        colours: sRGB of each seat's pieces; how they really look is learnt.
        px_per_mm: scale of the top views.
        standing: cells that bear pieces at the first rest, by the log; all others are taken for empty.
    """

    def __init__(
        self, layout: Layout, colours: Mapping[Seat, Rgb], *, px_per_mm: float, standing: Collection[Cell] = ()
    ) -> None:
        self._layout, self._scale = layout, px_per_mm
        self._colours = dict(colours)
        self._samples: dict[Seat, list[Floats]] = {seat: [] for seat in colours}
        self._unknown = set(standing)
        self._look: Image | None = None
        self._first: Image | None = None
        """As the board was seen when it was learnt, pieces and all."""
        self._reader: PieceReader | None = None
        self._sheets: list[Image] = []
        self._rested, self._anew = 0, False

    @property
    def known(self) -> bool:
        """Whether anything can be read yet."""
        return self._reader is not None

    def read(self, sheet: Image, located: Located) -> CellsSeen:
        """Read one top view, as ``PieceReader.read``."""
        if self._reader is None:
            return CellsSeen({}, (), ())
        seen = self._reader.read(sheet, located)
        cells = {
            name: {seat: float(np.clip(v, -GUESS, GUESS)) for seat, v in values.items()}
            if name in self._unknown
            else values
            for name, values in seen.cells.items()
        }
        return replace(seen, cells=cells)

    def opened(self, sheet: Image) -> bool:
        """Whether what seems to cover the board is the board, and what was learnt was a cover over it."""
        assert self._look is not None
        now, then = (self._motley(picture) for picture in (sheet, self._look))
        return now < OPENED * then - 0.005

    def learn_anew(self) -> None:
        """What was learnt was no open board: learn it at the next rest."""
        self._anew = True

    def clear(self) -> None:
        """The board does not rest, or a hand is over it."""
        self._sheets.clear()
        self._rested = 0

    def rest(self, sheet: Image, located: Located) -> bool:
        """Learn from the next top view of a rest; whether anything can be read yet."""
        self._rested += 1
        if len(self._sheets) < FRAMES:
            self._sheets.append(sheet)
        if len(self._sheets) == FRAMES and (self._reader is None or (self._anew and self._rested == FRAMES)):
            self._begin(located)
        elif self._rested == FRAMES:
            self._go_on(located)
        return self.known

    def _begin(self, located: Located) -> None:
        look = _middle(self._sheets)
        seen = by_guess(look, located, self._layout, self._colours, px_per_mm=self._scale)
        strange = [c.name for c in self._layout.cells if c.name not in seen.cells and c.name not in self._unknown]
        if len(strange) > HIDDEN * len(self._layout.cells) and self._rested < PATIENCE:
            self._sheets.clear()
            return
        self._unknown |= {name for name, values in seen.cells.items() if _evidence(values) > DOUBTED}
        # What something covers, or what bore a piece when the board was learnt wrongly, is told by a later rest.
        self._unknown |= set(strange) if self._rested < PATIENCE else set()
        self._unknown |= {c.name for c, odd in zip(self._layout.cells, self._odd(look), strict=True) if odd}
        if self._reader is not None:
            before = self._reader.read(look, located).cells
            self._unknown |= {c.name for c in self._layout.cells if _evidence(before.get(c.name, UNREAD)) > EMPTY}
        self._look, self._first, self._anew = look, look.copy(), False
        guess = guessed(look, self._layout, self._scale)
        for cell in self._layout.cells:
            if cell.name in self._unknown:
                _copy(guess, look, cell, self._scale)
        self._take(look)

    def _go_on(self, located: Located) -> None:
        """Learn the look of cells that were covered so far, and of the pieces that are plain to see."""
        assert self._look is not None
        assert self._first is not None
        sheet, look = _middle(self._sheets), self._look
        now, then = (_grounds(picture, self._layout, self._scale) for picture in (sheet, look))
        light = (then + 1) / (now + 1)
        # What goes away changes a cell as light does: the light of a cell that was never seen empty is its neighbours'.
        unseen = np.array([cell.name in self._unknown for cell in self._layout.cells])
        light[unseen] = np.median(light[~unseen], axis=0) if not unseen.all() else 1.0
        learnt = False
        if self._unknown:
            seen = by_guess(sheet, located, self._layout, self._colours, px_per_mm=self._scale)
            for cell, gain in zip(self._layout.cells, light, strict=True):
                if cell.name in self._unknown & set(seen.cells) and _evidence(seen.cells[cell.name]) < EMPTY:
                    bare = np.asarray(np.clip(sheet * gain, 0, 255), np.uint8)
                    if _differ(bare, self._first, cell, self._scale) < GONE:
                        continue
                    _copy(bare, look, cell, self._scale)
                    self._unknown.discard(cell.name)
                    learnt = True
        if self._sample(sheet, located, light) or learnt:
            self._take(look)

    def _odd(self, sheet: Image) -> NDArray[np.bool_]:
        """Which cells have a ground that hardly a fifth of the others have: hatched, or under a cup."""
        logs = log_colours(_grounds(sheet, self._layout, self._scale)[None].astype(np.uint8))[0]
        apart = np.sort(np.linalg.norm(logs[:, None] - logs, axis=2), axis=1)
        return np.asarray(apart[:, len(logs) // 5] > ODD)

    def _motley(self, sheet: Image) -> float:
        """How unlike each other the cells' grounds are: how far each is off the nearest fifth of them, in the mean."""
        chroma = opponent(log_colours(_grounds(sheet, self._layout, self._scale)[None].astype(np.uint8)))[0, :, 1:]
        apart = np.sort(np.linalg.norm(chroma[:, None] - chroma, axis=2), axis=1)
        return float(np.minimum(apart[:, len(chroma) // 5], 0.5).mean())

    def _sample(self, sheet: Image, located: Located, light: Floats) -> bool:
        """Look at pieces that are plain to see; whether a seat's are of another colour than they were taken for."""
        seen = self.read(sheet, located)
        gains = dict(zip((cell.name for cell in self._layout.cells), light, strict=True))
        for piece in seen.standing:
            if piece.cell in seen.cells and seen.cells[piece.cell][piece.seat] > PLAIN:
                x, y = np.rint(
                    located.on_board(located.project([piece.foot_mm], PIECE_MM / 2))[0] * self._scale - 0.5
                ).astype(int)
                patch = sheet[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2].reshape(-1, 3)
                samples = self._samples[piece.seat]
                samples.append(np.median(patch, axis=0) * gains[piece.cell])
                del samples[:-SAMPLES]
        changed = False
        for seat, samples in self._samples.items():
            if samples:
                blue, green, red = (int(v) for v in np.clip(np.median(samples, axis=0), 0, 255))
                if np.abs(np.subtract((red, green, blue), self._colours[seat])).max() > APART:
                    self._colours[seat], changed = (red, green, blue), True
        return changed

    def _take(self, look: Image) -> None:
        self._reader = PieceReader(self._layout, self._colours, px_per_mm=self._scale, look=look)


def _evidence(values: Mapping[Seat | None, float]) -> float:
    return max(value for seat, value in values.items() if seat is not None)


def _middle(sheets: Sequence[Image]) -> Image:
    return np.asarray(np.median(sheets, axis=0), np.uint8)


def _copy(source: Image, target: Image, cell: CellPlace, px_per_mm: float) -> None:
    inside = cv2.fillConvexPoly(np.zeros(target.shape[:2], np.uint8), _outline_px(cell, px_per_mm), (1,)) > 0
    target[inside] = source[inside]


def _differ(one: Image, other: Image, cell: CellPlace, px_per_mm: float) -> float:
    """By how many code values a tenth of a cell differs at least."""
    inside = cv2.fillConvexPoly(np.zeros(one.shape[:2], np.uint8), _outline_px(cell, px_per_mm), (1,)) > 0
    return float(np.percentile(cv2.absdiff(one, other)[inside].max(axis=1), 90))


def _outline_px(cell: CellPlace, px_per_mm: float) -> NDArray[np.int32]:
    return np.rint(np.asarray(cell.outline_mm) * px_per_mm).astype(np.int32)


def _grounds(sheet: Image, layout: Layout, px_per_mm: float) -> Floats:
    """Blue, green and red of the cells' ground, (n, 3)."""
    rings = np.rint(np.stack([_ring(cell) for cell in layout.cells]) * px_per_mm - 0.5).astype(np.intp)
    x, y = np.clip(rings[..., 0], 0, sheet.shape[1] - 1), np.clip(rings[..., 1], 0, sheet.shape[0] - 1)
    return np.asarray(np.median(sheet[y, x], axis=1))


def _ring(cell: CellPlace) -> Floats:
    """Points evenly along a smaller outline, millimetres, (POINTS, 2)."""
    corners = np.asarray([*cell.outline_mm, cell.outline_mm[0]])
    walked = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(corners, axis=0).T))])
    at = np.linspace(0, walked[-1], POINTS, endpoint=False)
    ring = np.column_stack([np.interp(at, walked, corners[:, axis]) for axis in (0, 1)])
    return np.asarray(cell.centre_mm + RING * (ring - cell.centre_mm))
