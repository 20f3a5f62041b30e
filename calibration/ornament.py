"""The quiet ornaments of the empty quarters: flower, steps, beans, and the fibres of the paper."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from calibration.drawing import Ring, Shape, arc, filled, moved, outlined, stroked
from calibration.inks import AMATE, COCHINEAL, FAINT, GESSO, INK, LINE_MM, MAYA, OCHRE, ROSE, SKY, mix
from calibration.lettering import lettering
from calibration.outlines import Point, square


def bezier(start: Point, *curves: tuple[Point, Point, Point]) -> Ring:
    """Cubic curves joined end to end, as points."""
    points = [start]
    for a, b, end in curves:
        p = points[-1]
        for i in range(1, 25):
            t = i / 24
            u = 1 - t
            weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
            points.append(
                (
                    sum(w * q[0] for w, q in zip(weights, (p, a, b, end), strict=True)),
                    sum(w * q[1] for w, q in zip(weights, (p, a, b, end), strict=True)),
                )
            )
    return tuple(points)


def flower(size: float) -> tuple[Shape, ...]:
    """Five petals about the origin, one of them up, on a string for five beads: Macuilxochitl, five flower."""
    s = size / 90
    petal = bezier(
        (0, -7),
        ((-3, -12), (-14.5, -15), (-13.5, -24.5)),
        ((-13, -31), (-5.5, -35), (0, -31)),
        ((5.5, -35), (13, -31), (13.5, -24.5)),
        ((14.5, -15), (3, -12), (0, -7)),
    )
    drop = bezier(
        (0, -11),
        ((-2, -15), (-6.5, -17), (-5.5, -22.5)),
        ((-4.5, -26.5), (4.5, -26.5), (5.5, -22.5)),
        ((6.5, -17), (2, -15), (0, -11)),
    )
    shapes = [outlined(arc((0, 0), 37.5), INK, 0.35), outlined(arc((0, 0), 36), INK, 0.35)]
    for i in range(5):
        one = (outlined(petal, INK, LINE_MM, fill=ROSE), outlined(drop, INK, 0.35, fill=GESSO))
        shapes += moved(one, (0, 0), 72 * i)
    shapes.append(outlined(arc((0, 0), 9), INK, LINE_MM, fill=MAYA))
    shapes.append(outlined(arc((0, 0), 5.4), INK, LINE_MM, fill=OCHRE))
    shapes.append(filled(arc((0, 0), 1.5), fill=INK))
    return scaled(shapes, s)


def steps(size: float) -> tuple[Shape, ...]:
    """A stepped pyramid in the lower right corner of its square, a smaller one within it."""
    s = size / 44
    outer, inner = _stair(22, 44, 4), _stair(19, 27.5, 3)
    return scaled(
        [outlined(outer, INK, LINE_MM, fill=SKY), outlined(inner, INK, 0.35, fill=mix(OCHRE, GESSO, 0.25))], s
    )


def _stair(corner: float, edge: float, count: int) -> Ring:
    step, left = edge / count, corner - edge
    points: list[Point] = [(corner, corner), (left, corner)]
    for i in range(count):
        points += [(left + i * step, corner - (i + 1) * step), (left + (i + 1) * step, corner - (i + 1) * step)]
    return tuple(points)


def beans(size: float, *, marked: bool) -> tuple[Shape, ...]:
    """Five beans as a quincunx in a frame like those of the tags, their marks up or down."""
    s = size / 44
    spots = ((-11.5, -11, 30), (11.5, -11, 150), (0, 0, 95), (-11.5, 11, 140), (11.5, 11, 25))
    body = bezier(
        (-7.6, 0.6),
        ((-7.6, -5.4), (-1.7, -6), (0, -3.7)),
        ((1.7, -6), (7.6, -5.4), (7.6, 0.6)),
        ((7.6, 7), (-7.6, 7), (-7.6, 0.6)),
    )
    one = [outlined(body, INK, LINE_MM, fill=mix(COCHINEAL, INK, 0.3))]
    if marked:
        one.append(filled(arc((0, 1.1), 2.1), fill=GESSO))
    shapes: list[Shape] = [outlined(square((0, 0), 44 + LINE_MM), INK, LINE_MM, fill=GESSO)]
    for x, y, angle in spots:
        shapes += moved(one, (x, y), angle)
    return scaled(shapes, s)


def dots(size: float) -> tuple[Shape, ...]:
    """Five small rings in a row, the numeral five."""
    return tuple(
        outlined(arc(((i - 2) * size / 5, 0), size / 16), INK, 0.4, fill=colour)
        for i, colour in enumerate((ROSE, OCHRE, GESSO, OCHRE, ROSE))
    )


def ruler(size: float) -> tuple[Shape, ...]:
    """A scale of ``size`` millimetres to check the printer by."""
    marks = [((x - size / 2, -1.6 if x % 50 == 0 else -0.8), (x - size / 2, 0)) for x in range(0, round(size) + 1, 10)]
    return (
        stroked(((-size / 2, 0), (size / 2, 0)), *marks, ink=INK, width_mm=0.25),
        lettering(f"{size:g} mm · print at 100 %", (0, 3), 2.2, INK),
    )


def scaled(shapes: Sequence[Shape], factor: float) -> tuple[Shape, ...]:
    """About the origin; the pens keep their width."""
    return tuple(
        replace(shape, rings=tuple(tuple((x * factor, y * factor) for x, y in ring) for ring in shape.rings))
        for shape in shapes
    )


def fibres(size_mm: tuple[float, float]) -> tuple[Shape, ...]:
    """The beaten bark of amate paper: faint long fibres, the same on every print."""
    chance = random.Random(5)
    light: list[Ring] = []
    dark: list[Ring] = []
    for number in range(round(size_mm[0] * size_mm[1] / 420)):
        x, y = chance.uniform(0, size_mm[0]), chance.uniform(0, size_mm[1])
        heading, bend = chance.gauss(0.0, 0.55), chance.gauss(0.0, 0.035)
        line = [(x, y)]
        for _ in range(chance.randint(5, 16)):
            heading += bend
            x, y = x + 3 * math.cos(heading), y + 3 * math.sin(heading)
            line.append((min(max(x, 0.0), size_mm[0]), min(max(y, 0.0), size_mm[1])))
        (light if number % 2 else dark).append(tuple(line))
    return (
        stroked(*dark, ink=mix(AMATE, FAINT, 0.22), width_mm=0.35),
        stroked(*light, ink=mix(AMATE, GESSO, 0.32), width_mm=0.5),
    )


ORNAMENTS: dict[str, Callable[[float], tuple[Shape, ...]]] = {
    "flower": flower,
    "steps": steps,
    "beans": partial(beans, marked=True),
    "blanks": partial(beans, marked=False),
    "dots": dots,
    "ruler": ruler,
}
"""Drawings about the origin by their name in the layout file."""
