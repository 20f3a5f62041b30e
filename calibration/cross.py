"""A Patolli cross as a mesh of corners, from which its 52 cells are cut."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from calibration.layout import CellPlace, Layout, Rect, load
from calibration.outlines import Point

Node = tuple[int, int]
"""A corner of cells: so many to the right of the middle and so many below it, -7 to 7."""

Arm = Literal["north", "east", "south", "west"]
ARMS: Mapping[Arm, Node] = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
"""Which way each arm goes."""

PRINTED_CELL_MM = 26.0
"""Edge of a cell of the layout that comes with the program."""
ROWS = 6
REACH = ROWS + 1
NODES: tuple[Node, ...] = tuple(
    (x, y) for y in range(-REACH, REACH + 1) for x in range(-REACH, REACH + 1) if min(abs(x), abs(y)) <= 1
)


@dataclass(frozen=True, slots=True)
class Cross:
    """A cross on a board whose sides are 1 long, the origin at its top left."""

    points: Mapping[Node, Point]
    """Where each of ``NODES`` lies."""
    round_tips: bool
    """Whether the arms end in a half circle, as the printed board's, instead of square."""


def along(arm: Arm, row: int, side: int) -> Node:
    """A node of an arm.

    Args:
        arm: whose.
        row: 0 at the centre block, 6 at the tip.
        side: -1, 0 or 1; from the left edge, looking down or to the right, over the middle line.
    """
    x, y = ARMS[arm]
    return (x * (row + 1) + abs(y) * side, y * (row + 1) + abs(x) * side)


def usual_size(cross: Cross) -> tuple[float, float]:
    """Width and height of the board, millimetres, if all arms are as broad as the printed board's."""
    rows = range(ROWS + 1)

    def half(axis: int, arms: Sequence[Arm]) -> float:
        ends = [(cross.points[along(arm, row, 1)], cross.points[along(arm, row, -1)]) for arm in arms for row in rows]
        return math.fsum(one[axis] - other[axis] for one, other in ends) / (2 * len(ends))

    return (
        round(PRINTED_CELL_MM / half(0, ("north", "south")), 1),
        round(PRINTED_CELL_MM / half(1, ("east", "west")), 1),
    )


def place(
    cross: Cross, size_mm: tuple[float, float], *, name: str = "my board", triangle_rows: Sequence[int] = (4,)
) -> Layout:
    """The cross as a layout whose field is the whole board; cells have the names, seats and LEDs of the printed one.

    Args:
        cross: where its corners are.
        size_mm: width and height of the board.
        name: of the layout.
        triangle_rows: rows that bear triangles, counted from the centre.
    """
    drawn = load("patolli")
    middle = drawn.field.middle_mm

    def lattice(point: Point) -> Point:
        return ((point[0] - middle[0]) / PRINTED_CELL_MM, (point[1] - middle[1]) / PRINTED_CELL_MM)

    def cut(cell: CellPlace) -> CellPlace:
        at = lattice(cell.centre_mm)
        node = (math.floor(at[0]), math.floor(at[1]))
        rounded = cross.round_tips and cell.kind == "tip"
        ring = [lattice(point) for point in cell.outline_mm] if rounded else list(_corners(node))
        kind = "plain" if cell.kind == "triangle" else cell.kind
        return CellPlace(
            name=cell.name,
            centre_mm=_mm(_within(cross, node, at if rounded else (node[0] + 0.5, node[1] + 0.5)), size_mm),
            outline_mm=_bulging([_mm(_within(cross, node, point), size_mm) for point in ring]),
            kind="triangle" if kind == "plain" and cell.row in triangle_rows else kind,
            seat=cell.seat,
            led=cell.led,
            row=cell.row,
        )

    return Layout(
        name=name,
        game="patolli",
        size_mm=size_mm,
        field=Rect(0.0, 0.0, *size_mm),
        cells=tuple(cut(cell) for cell in drawn.cells),
        tags=(),
        chips=(),
        place=None,
        triangle_rows=tuple(triangle_rows),
    )


def lines() -> Iterator[tuple[Node, Node, Node]]:
    """Every three nodes in a row."""
    for x, y in NODES:
        for right, down in ((1, 0), (0, 1)):
            three = ((x - right, y - down), (x, y), (x + right, y + down))
            if all(min(abs(i), abs(j)) <= 1 and max(abs(i), abs(j)) <= REACH for i, j in three):
                yield three


def edges() -> Iterator[tuple[Node, Node]]:
    """Every two nodes between which the board has a line, the upper or left one first."""
    for x, y in NODES:
        for other in ((x + 1, y), (x, y + 1)):
            if min(abs(other[0]), abs(other[1])) <= 1 and max(other) <= REACH:
                yield (x, y), other


def _bulging(ring: Sequence[Point]) -> tuple[Point, ...]:
    """The ring without corners that a skew mesh dents; four corners stay as they are, so that they can be refused."""
    if len(ring) == 4:
        return tuple(ring)
    kept = np.ravel(cv2.convexHull(np.asarray(ring, np.float32), returnPoints=False))
    return tuple(ring[k] for k in sorted(int(k) for k in kept))


def _corners(node: Node) -> tuple[Node, Node, Node, Node]:
    x, y = node
    return ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))


def _within(cross: Cross, node: Node, at: Point) -> Point:
    """Bilinear between the four corners of the cell that begins at a node."""
    u, v = at[0] - node[0], at[1] - node[1]
    shares = ((1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v)
    a, b, c, d = (cross.points[corner] for corner in _corners(node))
    return (
        sum(share * point[0] for share, point in zip(shares, (a, b, c, d), strict=True)),
        sum(share * point[1] for share, point in zip(shares, (a, b, c, d), strict=True)),
    )


def _mm(share: Point, size_mm: tuple[float, float]) -> Point:
    """Onto the board, rounded as files have it."""
    return (
        round(min(max(share[0], 0.0), 1.0) * size_mm[0], 2),
        round(min(max(share[1], 0.0), 1.0) * size_mm[1], 2),
    )
