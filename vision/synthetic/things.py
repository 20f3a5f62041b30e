"""Making pieces, beans and dice, and laying them down: no two are quite alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.layout import Rect
from referee.board import Seat
from vision.synthetic.conditions import BeanKind, Conditions
from vision.synthetic.picture import Placed, Spot
from vision.synthetic.solids import Bean, Die, Draught, Pebble, Solid
from vision.synthetic.surface import linear
from vision.synthetic.view import about_z

Face = Literal["marked", "plain", "edge"]
Bgr = tuple[int, int, int]
SEAT_BGR: dict[Seat, Bgr] = {
    Seat(1): (0x6F, 0x9D, 0x2A),
    Seat(2): (0x3C, 0xB4, 0xE9),
    Seat(3): (0x5A, 0x70, 0xE4),
    Seat(4): (0x98, 0x54, 0x3E),
}
"""What the pieces on sale look like; whether one reads them right is not this room's concern."""
_RIM_MM = 20.0
"""Beans land no nearer to the border of the throwing place."""
_APART_MM = 21.0
"""Middles of beans that do not touch."""


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """A bean or a die that came to rest."""

    placed: Placed
    face: Face | int
    """Of a die: its value."""
    angle_deg: float
    """Of the long axis, clockwise from the sheet's x axis, 0 to 180."""


def a_piece(seat: Seat, conditions: Conditions, rng: np.random.Generator) -> Solid:
    """One piece of that seat."""
    bgr = _tinted(SEAT_BGR[seat], rng)
    if conditions.pieces == "pebble":
        return Pebble(rng.uniform(8.5, 10.2), rng.uniform(2.8, 4.6), bgr, rng.uniform(0.35, 0.9), rng.uniform(0, 6))
    if conditions.pieces == "stick":
        return Draught(rng.uniform(4, 6), rng.uniform(9, 18), bgr, rng.uniform(0.05, 0.5), 0.0)
    return Draught(rng.uniform(8.6, 10.2), rng.uniform(2.5, 4.6), bgr, rng.uniform(0.05, 0.5), rng.uniform(0, 0.5))


def some_beans(kind: BeanKind, count: int, rng: np.random.Generator) -> list[Bean]:
    """Beans of a kind, 14 to 19 mm long, their dots from one pot of paint."""
    base, paints = _BEAN_BGR[kind]
    paint = _tinted(paints[rng.integers(len(paints))], rng)
    return [_a_bean(kind, base, paint, rng) for _ in range(count)]


def fallen_beans(
    beans: Sequence[Bean], faces: Sequence[Face], touching: bool, place: Rect, rng: np.random.Generator
) -> list[Lying]:
    """Beans thrown: faces are dealt to them at random, two of them touch if told so.

    One on its edge leans against another: by itself it would fall over.
    """
    dealt = [faces[i] for i in rng.permutation(len(faces))]
    if len(beans) == 1 or (not touching and "edge" not in dealt):
        spots = _landing(place, len(beans), _APART_MM, rng)
        yaws = rng.uniform(0, 360, len(beans))
        return [lying_bean(*one, rng) for one in zip(beans, dealt, spots, yaws, strict=True)]
    leaning = dealt.index("edge") if "edge" in dealt else 0
    others = [i for i in range(len(beans)) if i != leaning]
    spots = _landing(place, len(others), 2 * _APART_MM, rng)
    yaws = rng.uniform(0, 360, len(others))
    alone = [lying_bean(beans[i], dealt[i], spot, yaw, rng) for i, spot, yaw in zip(others, spots, yaws, strict=True)]
    first = alone[0]
    beside = lying_bean(beans[leaning], dealt[leaning], (0, 0), yaws[0] + rng.normal(0, 15), rng)
    side = rng.choice((-1, 1)) * about_z(yaws[0])[:2, 1]
    far = sum(float(np.max(b.placed.solid.outline(b.placed.turned) @ side)) for b in (first, beside))
    at = np.array(first.placed.at_mm) + side * far * 0.98
    placed = Placed(beside.placed.solid, (float(at[0]), float(at[1])), beside.placed.turned)
    return [Lying(placed, beside.face, beside.angle_deg), *alone]


def fallen_dice(
    values: Sequence[int], place: Rect, rng: np.random.Generator, *, cocked: bool = False, touching: bool = False
) -> list[Lying]:
    """Dice thrown; told so, the first leans askew, or the second lies flush against the first.

    It leans on the second, or on a piece that was left there: by itself a die falls flat.
    """
    white = rng.random() < 0.6
    bgr, pips = ((0.8, 0.85, 0.86), (0.02, 0.02, 0.02)) if white else ((0.05, 0.05, 0.5), (0.9, 0.9, 0.9))
    die = Die(rng.uniform(6.5, 8), bgr, pips, 0.4)
    lying: list[Lying] = []
    for value, spot in zip(values, _landing(place, len(values), 1.3 * _APART_MM, rng), strict=True):
        yaw, at = rng.uniform(0, 90), spot
        if touching and len(lying) == 1:
            yaw, (x, y) = lying[0].angle_deg, lying[0].placed.at_mm
            dx, dy = about_z(yaw)[:2, 0] * 2.02 * die.half_mm
            at = (float(x + dx), float(y + dy))
        lying.append(Lying(Placed(die, at, about_z(yaw) @ _UP[value]), value, yaw))
    if not cocked:
        return lying
    colour = list(SEAT_BGR.values())[int(rng.integers(len(SEAT_BGR)))]
    piece = Draught(rng.uniform(8.6, 10.2), rng.uniform(2.5, 4.6), _tinted(colour, rng), 0.3, 0.0)
    first, *others = lying
    others = others or [Lying(Placed(piece, first.placed.at_mm, np.eye(3)), "edge", 0.0)]
    return [_leaning(first, others[0], rng), *others]


def _leaning(die: Lying, held_by: Lying, rng: np.random.Generator) -> Lying:
    """A die that stands on an edge, its top against something that lies there."""
    yaw = rng.uniform(0, 360)
    turned = about_z(yaw) @ about_x(rng.uniform(25, 50)) @ about_z(-die.angle_deg) @ die.placed.turned
    towards = -about_z(yaw)[:2, 1]
    far = float(np.max(die.placed.solid.outline(turned) @ towards))
    far += float(np.max(held_by.placed.solid.outline(held_by.placed.turned) @ -towards))
    x, y = np.array(held_by.placed.at_mm) - 0.95 * far * towards
    return Lying(Placed(die.placed.solid, (float(x), float(y)), turned), "edge", yaw % 90)


def lying_bean(bean: Bean, face: Face, at_mm: Spot, yaw_deg: float, rng: np.random.Generator) -> Lying:
    """A bean at rest: on its back, on its belly, or cocked on its edge."""
    over = {"marked": 0.0, "plain": 180.0, "edge": 90.0 * rng.choice((-1, 1))}[face] + rng.normal(0, 4)
    return Lying(Placed(bean, at_mm, about_z(yaw_deg) @ about_x(over)), face, float(yaw_deg % 180))


def about_x(degrees: float) -> NDArray[np.float64]:
    """Rotation about the x axis, shape (3, 3)."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array(((1, 0, 0), (0, c, -s), (0, s, c)))


def _landing(place: Rect, count: int, apart_mm: float, rng: np.random.Generator) -> list[Spot]:
    """Spots in the throwing place, in a loose heap, no two nearer than that."""
    low = np.array((place.x_mm, place.y_mm)) + _RIM_MM
    high = np.array((place.x_mm + place.width_mm, place.y_mm + place.height_mm)) - _RIM_MM
    spread = rng.uniform(25, 50)
    middle = low + (high - low) * rng.uniform(0.3, 0.7, 2)
    spots: list[Spot] = []
    while len(spots) < count:
        x, y = middle + rng.normal(0, spread, 2)
        if np.all((x, y) > low) and np.all((x, y) < high) and all(np.hypot(x - u, y - v) > apart_mm for u, v in spots):
            spots.append((float(x), float(y)))
        spread += 0.2
    return spots


def _a_bean(kind: BeanKind, base: Bgr, paint: tuple[float, float, float], rng: np.random.Generator) -> Bean:
    length = rng.uniform(14, 19)
    width = length * rng.uniform(0.58, 0.68)
    return Bean(
        half_mm=(length / 2, width / 2, width / 2 * rng.uniform(0.68, 0.82)),
        bend=rng.uniform(0.08, 0.24),
        bgr=_tinted(base, rng),
        speckles=(0.05, 0.07, 0.16) if kind == "pinto" else None,
        dot_bgr=paint,
        dot_mm=width * rng.uniform(0.24, 0.33),
        dot_at=(rng.normal(0, 0.6), rng.normal(0, 0.4)),
        gloss=rng.uniform(0.2, 0.7),
        grain=rng.uniform(0, 6),
    )


def _tinted(bgr: Bgr, rng: np.random.Generator) -> tuple[float, float, float]:
    """A colour as linear reflectance, a little off."""
    blue, green, red = (float(v) for v in linear(bgr) * rng.normal(1, 0.045, 3) * rng.uniform(0.85, 1.13))
    return blue, green, red


_BEAN_BGR: dict[BeanKind, tuple[Bgr, tuple[Bgr, ...]]] = {
    "black": ((34, 30, 32), ((235, 240, 240), (60, 180, 230), (200, 225, 235))),
    "brown": ((44, 74, 118), ((230, 238, 240), (120, 215, 240))),
    "red": ((38, 30, 110), ((232, 238, 240), (110, 200, 235))),
    "white": ((196, 216, 224), ((30, 28, 30), (50, 40, 170), (140, 60, 30))),
    "pinto": ((136, 168, 200), ((40, 30, 130), (30, 28, 30), (150, 70, 30))),
}
"""Body, and the paints that are used on it."""


def _about_y(degrees: float) -> NDArray[np.float64]:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array(((c, 0, s), (0, 1, 0), (-s, 0, c)))


_UP = {6: np.eye(3), 1: about_x(180), 3: about_x(90), 4: about_x(-90), 2: _about_y(-90), 5: _about_y(90)}
"""Rotation that brings the face of that value up."""
