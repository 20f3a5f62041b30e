"""A drawing as a list of shapes in millimetres; every curve is already a fine polyline, so that all printers agree."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from calibration.outlines import Point

Rgb = tuple[int, int, int]
Ring = tuple[Point, ...]

FINE_MM = 0.01
"""How far a polyline may be off the curve it stands for."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Rings filled by the even-odd rule, or lines drawn with a round pen."""

    rings: tuple[Ring, ...]
    fill: Rgb | None = None
    ink: Rgb | None = None
    width_mm: float = 0.0
    closed: bool = True
    """False: the rings are open strokes."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A sheet with its shapes, painted in order."""

    title: str
    size_mm: tuple[float, float]
    ground: Rgb
    shapes: tuple[Shape, ...]
    whole: tuple[Ring, ...] = ()
    """Outlines through which no paper's edge may go."""


def filled(*rings: Sequence[Point], fill: Rgb) -> Shape:
    """An area without an edge; further rings are holes."""
    return Shape(tuple(tuple(ring) for ring in rings), fill=fill)


def outlined(ring: Sequence[Point], ink: Rgb, width_mm: float, fill: Rgb | None = None) -> Shape:
    """A closed line, filled where ``fill`` is given."""
    return Shape((tuple(ring),), fill=fill, ink=ink, width_mm=width_mm)


def stroked(*lines: Sequence[Point], ink: Rgb, width_mm: float) -> Shape:
    """Open lines."""
    return Shape(tuple(tuple(line) for line in lines), ink=ink, width_mm=width_mm, closed=False)


def arc(centre: Point, radius: float, start_deg: float = 0.0, end_deg: float = 360.0) -> Ring:
    """Points along an arc; 0 degrees is right, 90 is down. A full turn does not repeat its first point."""
    sweep = math.radians(end_deg - start_deg)
    step = 2 * math.acos(max(0.0, 1 - FINE_MM / max(radius, 2 * FINE_MM)))
    count = max(4, math.ceil(abs(sweep) / step))
    last = count if abs(end_deg - start_deg) >= 360 else count + 1
    angles = (math.radians(start_deg) + sweep * i / count for i in range(last))
    return tuple((centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles)


def moved(shapes: Iterable[Shape], shift: Point, turn_deg: float = 0.0) -> tuple[Shape, ...]:
    """The shapes turned with the clock about the origin, then moved."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return tuple(
        replace(
            shape,
            rings=tuple(
                tuple((c * x - s * y + shift[0], s * x + c * y + shift[1]) for x, y in ring) for ring in shape.rings
            ),
        )
        for shape in shapes
    )
