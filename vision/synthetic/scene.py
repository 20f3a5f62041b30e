"""What lies on the table: pieces, beans, hands, and where the sheet is."""

from dataclasses import dataclass, field

import numpy as np

from calibration.layout import Layout
from referee.board import Cell, Seat
from vision.synthetic.conditions import Conditions
from vision.synthetic.hands import Hand, Owner, owner_of
from vision.synthetic.picture import Moment, Placed, Spot
from vision.synthetic.solids import Bean, Solid
from vision.synthetic.things import SEAT_BGR, Lying, a_piece, some_beans
from vision.synthetic.view import Lie, about_z

BEANS = 5


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Somebody's piece, standing on a cell."""

    owner: Seat
    placed: Placed


@dataclass
class Scene:
    """Everything that orders change."""

    layout: Layout
    conditions: Conditions
    rng: np.random.Generator
    lie: Lie = field(default_factory=Lie)
    sliding: bool = False
    lamp: float = 1.0
    """Factor on the lamp's first brightness."""
    gain: float = 1.0
    """Factor on the camera's first exposure."""
    pieces: dict[Cell, list[Piece]] = field(default_factory=dict)
    lying: list[Lying] = field(default_factory=list)
    """In the throwing place, at rest."""
    moving: dict[str, list[Placed]] = field(default_factory=dict)
    """In motion, by who moves it."""
    hands: dict[str, Hand] = field(default_factory=dict)
    bowls: dict[Seat, list[Solid]] = field(default_factory=dict)
    """Pieces beside the board, out of the picture."""
    owners: dict[Seat, Owner] = field(default_factory=dict)
    beans: list[Bean] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.beans = some_beans(self.conditions.beans, BEANS, self.rng)
        self.bowls = {seat: [] for seat in SEAT_BGR}
        self.owners = {seat: owner_of(self.rng) for seat in SEAT_BGR}

    def from_bowl(self, seat: Seat) -> Solid:
        """One more piece of that seat."""
        return self.bowls[seat].pop() if self.bowls[seat] else a_piece(seat, self.conditions, self.rng)

    def stand(self, cell: Cell, owner: Seat, solid: Solid, off_share: float = 0.2) -> Spot:
        """Put a piece on a cell, off its middle by up to a share of its width.

        Beside another seat's it squeezes in; a seat's own stand on each other, pebbles side by side.
        """
        place = self.layout.cell(cell)
        width = float(np.ptp(np.array(place.outline_mm), axis=0).min())
        angle, off = self.rng.uniform(0, 2 * np.pi), off_share * width * np.sqrt(self.rng.uniform(0, 1))
        there = self.pieces.setdefault(cell, [])
        if any(piece.owner == owner for piece in there):
            return self._join(cell, owner, solid)
        if there:
            angle, off = self.rng.choice((0.0, np.pi)), 0.36 * width
            aside = np.subtract(_off(place.centre_mm, angle, -off), there[0].placed.at_mm)
            there[:] = [Piece(piece.owner, _shifted(piece.placed, aside)) for piece in there]
        at = _off(place.centre_mm, angle, off)
        there.append(Piece(owner, Placed(solid, at, about_z(self.rng.uniform(0, 360)))))
        return at

    def _join(self, cell: Cell, owner: Seat, solid: Solid) -> Spot:
        """Put one more of a seat's pieces where that seat has some: the uppermost or the newest is the last."""
        there, turned = self.pieces[cell], about_z(self.rng.uniform(0, 360))
        own = [piece for piece in there if piece.owner == owner]
        if self.conditions.pieces != "pebble":
            top = own[-1].placed
            at = _off(top.at_mm, self.rng.uniform(0, 2 * np.pi), self.rng.uniform(0, 1.5))
            there.append(Piece(owner, Placed(solid, at, turned, top.lift_mm + 2 * top.solid.rest_height(top.turned))))
            return at
        solids, middle = [*(piece.placed.solid for piece in own), solid], self.layout.cell(cell).centre_mm
        # As close around the middle as they go without touching.
        round_mm = max(one.reach for one in solids) / np.sin(np.pi / len(solids))
        there[:] = [piece for piece in there if piece.owner != owner]
        for number, one in enumerate(solids):
            at = _off(middle, np.pi / 4 + 2 * np.pi * number / len(solids), round_mm)
            there.append(Piece(owner, Placed(one, at, turned)))
        return at

    def find(self, cell: Cell, owner: Seat | None = None) -> Piece:
        """The uppermost piece on a cell, of that owner if there are several. LookupError if there is none."""
        for piece in reversed(self.pieces.get(cell, ())):
            if owner in (None, piece.owner):
                return piece
        raise LookupError(f"no piece {f'of seat {owner} ' if owner else ''}stands on {cell}")

    def lift(self, cell: Cell, piece: Piece) -> None:
        """Take a piece off a cell."""
        self.pieces[cell].remove(piece)
        if not self.pieces[cell]:
            del self.pieces[cell]

    def moment(self, exposure: float) -> Moment:
        """What there is to take a picture of."""
        resting = [p.placed for stack in self.pieces.values() for p in stack] + [b.placed for b in self.lying]
        moving = [placed for things in self.moving.values() for placed in things]
        hands = tuple(self.hands.values())
        return Moment(self.lie, self.sliding, self.lamp, exposure * self.gain, tuple(resting), tuple(moving), hands)


def _off(centre_mm: Spot, angle: float, off_mm: float) -> Spot:
    return float(centre_mm[0] + off_mm * np.cos(angle)), float(centre_mm[1] + off_mm * np.sin(angle))


def _shifted(placed: Placed, by_mm: np.typing.NDArray[np.float64]) -> Placed:
    x, y = np.add(placed.at_mm, by_mm)
    return Placed(placed.solid, (float(x), float(y)), placed.turned, placed.lift_mm)
