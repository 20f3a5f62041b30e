"""What lies on the table: pieces, beans, hands, and where the sheet is."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout, Rect
from referee.board import Cell, Seat
from vision.synthetic.conditions import BeanKind, Conditions
from vision.synthetic.hands import Hand, Owner, owner_of
from vision.synthetic.picture import Placed
from vision.synthetic.solids import Bean, Die, Draught, Pebble, Solid
from vision.synthetic.surface import linear
from vision.synthetic.view import Lie, about_z

Face = Literal["marked", "plain", "edge"]
SEAT_RGB: dict[Seat, tuple[int, int, int]] = {
    Seat(1): (0x2A, 0x9D, 0x6F),
    Seat(2): (0xE9, 0xB4, 0x3C),
    Seat(3): (0xE4, 0x70, 0x5A),
    Seat(4): (0x3E, 0x54, 0x98),
}
"""What the pieces on sale look like; whether one reads them right is not this room's concern."""
LEVEL = np.eye(3)
BEANS = 5


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Somebody's piece, standing on a cell."""

    owner: Seat
    placed: Placed


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """A bean or a die that came to rest."""

    placed: Placed
    face: Face | int
    angle_deg: float
    """Of the long axis, clockwise from the sheet's x axis."""


@dataclass
class Scene:
    """Everything that orders change."""

    layout: Layout
    conditions: Conditions
    rng: np.random.Generator
    lie: Lie = Lie()
    lamp: float = 1.0
    gain: float = 1.0
    """Slow drift of the exposure."""
    pieces: dict[Cell, list[Piece]] = field(default_factory=dict)
    lying: list[Lying] = field(default_factory=list)
    hands: dict[str, Hand] = field(default_factory=dict)
    moving: list[Placed] = field(default_factory=list)
    bowls: dict[Seat, list[Solid]] = field(default_factory=dict)
    """Pieces beside the board, out of the picture."""
    owners: dict[Seat, Owner] = field(default_factory=dict)
    beans: list[Bean] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.beans = [a_bean(self.conditions.beans, self.rng) for _ in range(BEANS)]
        for seat in SEAT_RGB:
            self.bowls[seat] = []
            self.owners[seat] = owner_of(self.rng)

    def from_bowl(self, seat: Seat) -> Solid:
        """One more piece of that seat."""
        if not self.bowls[seat]:
            self.bowls[seat].append(a_piece(seat, self.conditions, self.rng))
        return self.bowls[seat].pop()

    def stand(self, cell: Cell, owner: Seat, solid: Solid, away_share: float = 0.2) -> None:
        """Put a piece on a cell, off its middle by up to a share of the cell; on a taken one it squeezes in."""
        x, y = self.layout.cell(cell).centre_mm
        width = np.ptp(np.array(self.layout.cell(cell).outline_mm), axis=0).min()
        angle, away = self.rng.uniform(0, 2 * np.pi), away_share * width * np.sqrt(self.rng.uniform(0, 1))
        there = self.pieces.setdefault(cell, [])
        if there:
            angle, away = self.rng.choice((0.0, np.pi)), 0.36 * width
            other = there[0]
            shoved = (x - away * np.cos(angle), y - away * np.sin(angle))
            there[0] = Piece(other.owner, Placed(other.placed.solid, shoved, other.placed.turned))
        at = (float(x + away * np.cos(angle)), float(y + away * np.sin(angle)))
        there.append(Piece(owner, Placed(solid, at, about_z(self.rng.uniform(0, 360)))))

    def lift(self, cell: Cell, owner: Seat | None = None) -> Piece:
        """Take a piece off a cell, of that owner if there are several. LookupError if there is none."""
        there = self.pieces.get(cell, [])
        piece = next((p for p in there if owner in (None, p.owner)), None)
        if piece is None:
            raise LookupError(f"no piece of seat {owner} stands on {cell}")
        there.remove(piece)
        if not there:
            del self.pieces[cell]
        return piece

    def resting(self) -> list[Placed]:
        """All that stands still."""
        return [p.placed for stack in self.pieces.values() for p in stack] + [b.placed for b in self.lying]


def a_piece(seat: Seat, conditions: Conditions, rng: np.random.Generator) -> Solid:
    """One piece of that seat; no two are quite alike."""
    tint = linear(SEAT_RGB[seat][::-1]) * rng.normal(1, 0.05, 3) * rng.uniform(0.85, 1.12)
    bgr = (float(tint[0]), float(tint[1]), float(tint[2]))
    if conditions.pieces == "pebble":
        return Pebble(rng.uniform(8.5, 10.2), rng.uniform(2.8, 4.6), bgr, rng.uniform(0.35, 0.9), rng.uniform(0, 6))
    return Draught(rng.uniform(8.6, 10.2), rng.uniform(2.5, 4.6), bgr, rng.uniform(0.05, 0.5), rng.uniform(0, 0.5))


def a_bean(kind: BeanKind, rng: np.random.Generator) -> Bean:
    """One bean of a kind, 14 to 19 mm long."""
    base, dots = _BEAN_BGR[kind]
    dot = dots[rng.integers(len(dots))]
    length = rng.uniform(14, 19)
    width = length * rng.uniform(0.58, 0.68)
    tint = linear(base) * rng.uniform(0.85, 1.15) * rng.normal(1, 0.04, 3)
    return Bean(
        half_mm=(length / 2, width / 2, width / 2 * rng.uniform(0.68, 0.82)),
        bend=rng.uniform(0.08, 0.24),
        bgr=(float(tint[0]), float(tint[1]), float(tint[2])),
        speckles=(0.05, 0.07, 0.16) if kind == "pinto" else None,
        dot_bgr=tuple(linear(dot).tolist()),
        dot_mm=width * rng.uniform(0.24, 0.33),
        dot_at=(rng.normal(0, 0.6), rng.normal(0, 0.4)),
        gloss=rng.uniform(0.2, 0.7),
        grain=rng.uniform(0, 6),
    )


def lying_bean(bean: Bean, face: Face, at_mm: tuple[float, float], rng: np.random.Generator) -> Lying:
    """A bean at rest: on its back, on its belly, or cocked on its edge."""
    yaw, rock = rng.uniform(0, 360), np.radians(rng.normal(0, 4))
    over = {"marked": 0.0, "plain": np.pi, "edge": np.pi / 2 * rng.choice((-1, 1))}[face] + rock
    c, s = np.cos(over), np.sin(over)
    turned = about_z(yaw) @ np.array(((1, 0, 0), (0, c, -s), (0, s, c)))
    return Lying(Placed(bean, at_mm, turned), face, float(yaw % 180))


def lying_die(value: int, at_mm: tuple[float, float], rng: np.random.Generator) -> Lying:
    """A die at rest with that value up."""
    yaw = rng.uniform(0, 90)
    bgr, pips = ((0.8, 0.85, 0.86), (0.02, 0.02, 0.02)) if rng.random() < 0.6 else ((0.05, 0.05, 0.5), (0.9,) * 3)
    return Lying(Placed(Die(rng.uniform(6.5, 8), bgr, pips, 0.4), at_mm, about_z(yaw) @ _UP[value]), value, yaw)


def landing(
    place: Rect, count: int, spread_mm: float, gap_mm: float, rng: np.random.Generator
) -> Sequence[tuple[float, float]]:
    """Spots in the throwing place for that many bodies, no two nearer than the gap."""
    low = np.array((place.x_mm, place.y_mm)) + 20
    high = np.array((place.x_mm + place.width_mm, place.y_mm + place.height_mm)) - 20
    spots: list[tuple[float, float]] = []
    middle, tries = rng.uniform(low + spread_mm, high - spread_mm), 0
    while len(spots) < count:
        tries += 1
        x, y = np.clip(middle + rng.normal(0, spread_mm + 0.2 * tries, 2), low, high) + rng.uniform(-4, 4, 2)
        if all(np.hypot(x - u, y - v) > gap_mm for u, v in spots):
            spots.append((float(x), float(y)))
    return spots


_BEAN_BGR: dict[BeanKind, tuple[tuple[int, int, int], tuple[tuple[int, int, int], ...]]] = {
    "black": ((34, 30, 32), ((235, 240, 240), (60, 180, 230), (200, 225, 235))),
    "brown": ((44, 74, 118), ((230, 238, 240), (40, 40, 40), (120, 215, 240))),
    "red": ((38, 30, 110), ((232, 238, 240), (110, 200, 235))),
    "white": ((196, 216, 224), ((30, 28, 30), (50, 40, 170), (140, 60, 30))),
    "pinto": ((136, 168, 200), ((245, 248, 248), (30, 28, 30), (150, 70, 30))),
}


def _about_x(degrees: float) -> NDArray[np.float64]:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array(((1, 0, 0), (0, c, -s), (0, s, c)))


def _about_y(degrees: float) -> NDArray[np.float64]:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array(((c, 0, s), (0, 1, 0), (-s, 0, c)))


_UP = {6: LEVEL, 1: _about_x(180), 3: _about_x(90), 4: _about_x(-90), 2: _about_y(-90), 5: _about_y(90)}
"""Rotation that brings the face of that value up."""
