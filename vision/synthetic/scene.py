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
        """Put a piece on a cell, off its middle by up to a share of its width; on a taken one it squeezes in."""
        place = self.layout.cell(cell)
        width = float(np.ptp(np.array(place.outline_mm), axis=0).min())
        angle, off = self.rng.uniform(0, 2 * np.pi), off_share * width * np.sqrt(self.rng.uniform(0, 1))
        there = self.pieces.setdefault(cell, [])
        if there:
            angle, off = self.rng.choice((0.0, np.pi)), 0.36 * width
            other = there[0]
            there[0] = Piece(other.owner, Placed(other.placed.solid, _off(place.centre_mm, angle, -off), np.eye(3)))
        at = _off(place.centre_mm, angle, off)
        there.append(Piece(owner, Placed(solid, at, about_z(self.rng.uniform(0, 360)))))
        return at

    def find(self, cell: Cell, owner: Seat | None = None) -> Piece:
        """The piece on a cell, of that owner if there are several. LookupError if there is none."""
        for piece in self.pieces.get(cell, ()):
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
