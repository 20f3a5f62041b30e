"""Convex polygons in the plane: whether an outline is one, and how far two of them are apart."""

import math
from collections.abc import Sequence
from itertools import pairwise

Point = tuple[float, float]


def square(centre: Point, edge: float) -> tuple[Point, ...]:
    """An upright square, clockwise from its top left."""
    (x, y), h = centre, edge / 2
    return ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h))


def bounds(outline: Sequence[Point]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the smallest upright rectangle around it."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return (min(xs), min(ys), max(xs), max(ys))


def clockwise(outline: Sequence[Point]) -> tuple[Point, ...]:
    """The outline in the order of the clock as seen with y down, the first point kept first.

    Raises:
        ValueError: fewer than three corners, no area, an edge that crosses another, or a dent; the message says which.
    """
    if len(set(outline)) < 3 or len(set(outline)) != len(outline):
        raise ValueError("needs at least three corners, each written once")
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise((*outline, outline[0]))) / 2
    turned = tuple(outline) if area > 0 else (outline[0], *reversed(outline[1:]))
    if _crosses_itself(turned):
        raise ValueError("crosses itself; write the corners in the order in which one walks around the cell")
    if abs(area) < 1.0:
        raise ValueError("encloses nothing; write the corners in millimetres")
    corners = (*turned, turned[0], turned[1])
    if any(_turn(a, b, c) < -1e-6 for a, b, c in zip(corners, corners[1:], corners[2:], strict=False)):
        raise ValueError("has a dent; only convex cells can be read, so cut off what sticks out")
    return turned


def contains(outline: Sequence[Point], point: Point) -> bool:
    """Whether the point lies inside a clockwise convex outline or on its edge."""
    return all(_turn(a, b, point) >= 0 for a, b in pairwise((*outline, outline[0])))


def gap(first: Sequence[Point], second: Sequence[Point]) -> float:
    """How far two clockwise convex outlines are apart along their best separating edge; negative when they overlap.

    Source: Gottschalk, Separating axis theorem, 1996. Between two corners it is a lower bound of the distance.
    """
    return max(_best_edge(first, second), _best_edge(second, first))


def _best_edge(outline: Sequence[Point], other: Sequence[Point]) -> float:
    best = -math.inf
    for a, b in pairwise((*outline, outline[0])):
        length = math.dist(a, b)
        nearest = min(-_turn(a, b, point) / length for point in other)
        best = max(best, nearest)
    return best


def _turn(a: Point, b: Point, c: Point) -> float:
    """Twice the signed area of a triangle; positive when the walk a, b, c turns with the clock (y down)."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _crosses_itself(outline: Sequence[Point]) -> bool:
    edges = list(pairwise((*outline, outline[0])))
    return any(
        _turn(*first, second[0]) * _turn(*first, second[1]) < 0
        and _turn(*second, first[0]) * _turn(*second, first[1]) < 0
        for i, first in enumerate(edges)
        for second in edges[i + 2 :]
    )
