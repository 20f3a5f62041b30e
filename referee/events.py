"""Everything that can happen at a table. State and ledger are folds over these; none is ever edited."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from referee.board import Cell, Occupancy, Seat
from referee.throws import Throw

Rule = str
"""A rule key (``capture``, ``tip``, …) or a named reading (``R-TRI``, …); the vocabulary is in docs/rules.md."""
Pot = Literal["pot"]
Source = Literal["camera", "hand"]
"""Who said so: the camera, or a person at a page."""
RESERVE: Cell = "reserve"
HOME: Cell = "home"


@dataclass(frozen=True, slots=True)
class Started:
    """A match begins; always the first event of a log."""

    game: str
    preset: str
    rules_version: int
    seats: tuple[Seat, ...]
    """Who plays, ascending."""
    names: Mapping[Seat, str]
    options: Mapping[str, object]
    """As in the adjudicator: ``triangle_rows``, ``throw_limit``, …; only what differs from the preset."""
    stakes: int
    """Whole stakes each player starts with; 0 where the game has none."""
    handicap: Mapping[Seat, int] = field(default_factory=dict)
    """Seats that start with other stakes than that."""


@dataclass(frozen=True, slots=True)
class Lying:
    """One bean or die as it lies, so that people see the throw again as it was."""

    x: float
    y: float
    """In the throwing place as printed, 0 to 1 from its top left corner."""
    angle_deg: float
    """Clockwise from the sheet's x axis."""
    face: str
    """``marked``, ``plain``, or a die's value."""


@dataclass(frozen=True, slots=True)
class Thrown:
    """Beans or dice lie and are counted."""

    seat: Seat
    throw: Throw
    steps: int
    """What the throw is worth under the preset."""
    source: Source = "camera"
    to_begin: bool = False
    """A throw for the right to begin (``R-FIRST``); nothing moves."""
    lay: tuple[Lying, ...] = ()
    """Empty when a person entered the throw."""


@dataclass(frozen=True, slots=True)
class Began:
    """The throws for the right to begin are decided."""

    seat: Seat
    why: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """A piece walks: from the reserve, along the track, or off the board."""

    seat: Seat
    origin: Cell
    """A cell, or ``reserve``."""
    target: Cell
    """A cell, or ``home``."""
    why: tuple[Rule, ...] = ()
    source: Source = "camera"
    inferred: bool = False
    """The picture was between two cells and only this one was legal."""


@dataclass(frozen=True, slots=True)
class Captured:
    """A piece goes back to its owner's reserve."""

    owner: Seat
    by: Seat
    cell: Cell
    why: tuple[Rule, ...] = ("capture",)


@dataclass(frozen=True, slots=True)
class Paid:
    """A stake changes hands; the ledger is a fold over these."""

    payer: Seat | Pot
    payee: Seat | Pot
    amount: int
    """Whole stakes, at least 1."""
    why: tuple[Rule, ...]
    """The rule or reading that makes it due, e.g. ``R-TRI``."""


@dataclass(frozen=True, slots=True)
class Out:
    """A payment fell due and could not be made: the player leaves, his pieces leave the board."""

    seat: Seat
    why: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """Who throws next; ``again`` when the same player does by right."""

    seat: Seat
    why: tuple[Rule, ...] = ()
    again: bool = False


@dataclass(frozen=True, slots=True)
class Over:
    """The match has ended."""

    winner: Seat | None
    """None: a draw."""
    why: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Offered:
    """A player would take a draw; the match is drawn once everybody still in would. Changes nothing in the position."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Objected:
    """The referee does not accept what the table shows. Changes nothing in the position."""

    seat: Seat | None
    why: tuple[Rule, ...]
    cells: tuple[Cell, ...] = ()
    seen: str = ""
    """The move as seen, e.g. ``"11>12"``, where it can be told."""


@dataclass(frozen=True, slots=True)
class Noted:
    """Something about the table, not about the game: the board was bumped, the light changed, the camera was lost."""

    what: str
    """A key: ``board_moved``, ``light``, ``camera_lost``, ``camera_back``, ``disturbed``, ``settled``, and ``paused``
    and ``resumed``, between which no throw and no move counts."""
    args: Mapping[str, str | int | float]


@dataclass(frozen=True, slots=True)
class Undone:
    """The latest throw or move that still stands is taken back, with all that followed from it."""

    by: str
    """Who asked: a seat's name or ``referee``."""
    why: str = ""
    took: str = ""
    """The throw (``"3"``, ``"2-5"``) or move (``"4>7"``) that is taken back; empty for anything else."""


@dataclass(frozen=True, slots=True)
class Redone:
    """The latest throw or move that was taken back happens again."""

    by: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """People have agreed on what stands where; from now on that holds, whatever led to it.

    What a player then misses on the board is in his reserve, so that nothing appears or vanishes.
    """

    by: str
    """Who said so: a seat's name or ``referee``."""
    pieces: Occupancy
    """Everything that stands on the board; under ``home`` pieces that have left it, where their number changes."""
    why: str = ""
    took: str = ""
    """The throw that lay and is used up by that."""


Event = (
    Started
    | Thrown
    | Began
    | Moved
    | Captured
    | Paid
    | Out
    | Turn
    | Over
    | Offered
    | Objected
    | Noted
    | Undone
    | Redone
    | Corrected
)
