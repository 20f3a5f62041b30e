"""Boards of one's own for the simulated table, without tags: a cross drawn by hand, a wooden chessboard."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from unittest.mock import patch

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.corners import Quad
from calibration.layout import CellPlace, Layout, Rect, load
from referee.board import Cell
from vision.camera import Image
from vision.synthetic import ground
from vision.synthetic.table import SimulatedTable

FINE = 3.0
"""Pixels a millimetre of a board as drawn: what the simulated table takes."""
EDGE_MM = 6.0
"""Of the board around its field."""
Floats = NDArray[np.float64]


def cut_out(layout: Layout) -> Layout:
    """The field of a printed board alone: a board as large as it, without tags, chips or throwing place."""
    left, top = layout.field.x_mm - EDGE_MM, layout.field.y_mm - EDGE_MM
    width, height = layout.field.width_mm, layout.field.height_mm

    def moved(cell: CellPlace) -> CellPlace:
        x, y = cell.centre_mm
        outline = tuple((i - left, j - top) for i, j in cell.outline_mm)
        return replace(cell, centre_mm=(x - left, y - top), outline_mm=outline)

    return replace(
        layout,
        name=f"own {layout.game}",
        size_mm=(width + 2 * EDGE_MM, height + 2 * EDGE_MM),
        field=Rect(EDGE_MM, EDGE_MM, width, height),
        cells=tuple(moved(cell) for cell in layout.cells),
        tags=(),
        chips=(),
        ornaments=(),
        place=None,
    )


CROSS = cut_out(load("patolli"))
CHESS = cut_out(load("ludo"))


def drawn_cross(
    seed: int, *, shaded: tuple[Cell, ...] = (), stained: tuple[Cell, ...] = (), wobble_mm: float = 1.2
) -> Image:
    """A cross as a person draws it: paper or bark, uneven strokes that miss each other, triangles, shaded cells."""
    rng = np.random.default_rng(seed)
    paper = np.array([(205, 222, 232), (238, 241, 243), (165, 195, 215), (150, 185, 205)][rng.integers(4)], float)
    ink = np.array([(40, 40, 45), (95, 50, 40), (40, 45, 130), (90, 95, 100)][rng.integers(4)], float)
    shape = (round(CROSS.size_mm[1] * FINE), round(CROSS.size_mm[0] * FINE))
    strokes: NDArray[np.float32] = np.zeros(shape, np.float32)
    wash = np.zeros(shape, np.float32)
    for cell in CROSS.cells:
        ring = np.array([*cell.outline_mm, cell.outline_mm[0]])
        if cell.kind == "tip":
            ring = ring[:: max(1, len(ring) // 12)]
        for start, end in pairwise(ring):
            _stroke(strokes, start, end, wobble_mm, rng)
        if cell.kind == "triangle":
            x, y = cell.centre_mm
            corners = np.array([(x - 7, y + 6), (x + 7, y + 6), (x, y - 7), (x - 7, y + 6)])
            for start, end in pairwise(corners):
                _stroke(strokes, start, end, wobble_mm, rng)
        if cell.name in shaded:
            for x in np.arange(cell.centre_mm[0] - 10, cell.centre_mm[0] + 11, 3.0):
                _stroke(strokes, (x - 3, cell.centre_mm[1] + 10), (x + 3, cell.centre_mm[1] - 10), wobble_mm, rng)
        if cell.name in stained:
            at = np.array(cell.centre_mm) + rng.uniform(-5, 5, 2)
            cv2.ellipse(
                wash, tuple((at * FINE).astype(int)), (int(9 * FINE), int(6 * FINE)), 30.0, 0, 360, (1.0,), cv2.FILLED
            )
    fibres = cv2.GaussianBlur(rng.normal(0, 1, shape), (0, 0), sigmaX=6, sigmaY=1.5)
    blotches = cv2.resize(rng.normal(0, 1, (7, 7)), shape[::-1], interpolation=cv2.INTER_CUBIC)
    sheet = paper * (1 + 0.12 * fibres + 0.03 * blotches)[..., None]
    sheet *= 1 - cv2.GaussianBlur(wash, (0, 0), 2)[..., None] * np.array([0.5, 0.38, 0.25])  # coffee
    cover = cv2.GaussianBlur(strokes, (0, 0), 1)[..., None] * rng.uniform(0.6, 0.95)
    return np.asarray(np.clip(sheet * (1 - cover) + ink * cover, 0, 255), np.uint8)


def _stroke(
    strokes: NDArray[np.float32], start: object, end: object, wobble_mm: float, rng: np.random.Generator
) -> None:
    one, other = np.asarray(start, float), np.asarray(end, float)
    steps = np.linspace(-0.04, 1.04, 9)[:, None]
    sway = np.cumsum(rng.normal(0, 0.35 * wobble_mm, (9, 2)), axis=0)
    points = one + (other - one) * steps + sway - sway.mean(axis=0) + rng.normal(0, 0.5 * wobble_mm, 2)
    line = np.rint(points * FINE * 16).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(strokes, [line], False, (1.0,), int(rng.integers(2, 6)), cv2.LINE_AA, 4)


def wooden_chessboard(seed: int) -> Image:
    """Squares of two woods with grain, each square a little different; a1 is dark."""
    rng = np.random.default_rng(seed)
    pairs = [((160, 205, 230), (50, 80, 120)), ((175, 215, 235), (85, 120, 70)), ((200, 220, 230), (40, 40, 45))]
    light, dark = (np.array(colour, float) for colour in pairs[rng.integers(3)])
    shape = (round(CHESS.size_mm[1] * FINE), round(CHESS.size_mm[0] * FINE))
    sheet = np.empty((*shape, 3))
    sheet[:] = dark * 0.8
    for cell in CHESS.cells:
        (left, top), (right, bottom) = np.min(cell.outline_mm, axis=0), np.max(cell.outline_mm, axis=0)
        even = (ord(cell.name[0]) + int(cell.name[1])) % 2 == 0
        rows, columns = slice(round(top * FINE), round(bottom * FINE)), slice(round(left * FINE), round(right * FINE))
        sheet[rows, columns] = (dark if even else light) * (1 + rng.normal(0, 0.03))
    for name in {f"{column}{row}" for column in "abcdefgh" for row in range(1, 9)} - {
        cell.name for cell in CHESS.cells
    }:
        x, y = EDGE_MM + 38 * (ord(name[0]) - 97), EDGE_MM + 38 * (8 - int(name[1]))
        even = (ord(name[0]) + int(name[1])) % 2 == 0
        rows, columns = (slice(round(v * FINE), round((v + 38) * FINE)) for v in (y, x))
        sheet[rows, columns] = dark if even else light
    grain = cv2.GaussianBlur(rng.normal(0, 1, shape), (0, 0), sigmaX=24, sigmaY=1.5)
    return np.asarray(np.clip(sheet * (1 + 0.5 * grain)[..., None], 0, 255), np.uint8)


@contextmanager
def drawn_on(art: Image) -> Iterator[None]:
    """Tables made within have this art on their sheet, whatever their layout would print."""
    with patch.object(ground, "_top_view", lambda layout: art):
        yield


def field_px(table: SimulatedTable, layout: Layout) -> Quad:
    """Where the corners of the field are in the picture."""
    one, two, three, four = table.picture.feet_px(layout.field.corners_mm, table.truth().lie)
    return one, two, three, four
