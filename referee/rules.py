"""The Game protocol: what every game in referee/games offers, and nothing more.

A game is a value without state. Positions are that game's own frozen values; the other rooms see them only as
the public JSON (``dump``), as who stands where (``occupancy``) and as whose turn it is.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Protocol, TypeVar

from referee.board import Cell, Occupancy, Seat
from referee.events import Event, Paid, Rule, Source, Thrown
from referee.throws import Throw


class Illegal(Exception):
    """A well-formed move that the rules forbid."""

    def __init__(self, why: tuple[Rule, ...], cells: tuple[Cell, ...] = ()) -> None:
        super().__init__(", ".join(why))
        self.why = why
        """The rules that forbid it, most telling first."""
        self.cells = cells
        """Where the move would have begun and ended, as far as these are cells."""


class BadQuestion(Exception):
    """Input that no position, throw or option answers to; the message names the field in one line."""


class Position(Protocol):
    """One moment of a match, frozen."""

    @property
    def turn(self) -> Seat | None:
        """Who throws, or moves if a throw lies; None when the game is over."""

    @property
    def over(self) -> str | None:
        """None while it is played, the winner's seat as text, or ``"draw"``."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What a game throws with: the reader is told to expect it."""

    beans: int = 0
    dice: int = 0


Stakes = int | Mapping[Seat, int]
"""What players bring to the table: each the same, or each his own."""

P = TypeVar("P", bound=Position)


class Game(Protocol[P]):
    """One game with its presets. All methods are pure."""

    name: str
    presets: tuple[str, ...]
    seats: tuple[Seat, ...]
    """All seats the game knows."""
    needs: Needs
    passes: bool
    """Whether a player may ever move instead of throwing: pass the turn."""
    unseen: tuple[Cell, ...]
    """Cells on which whatever lies there says nothing about the position."""
    rules_version: int
    first_rule: Rule
    """Under which rule or reading the highest throw begins."""

    def start(
        self, preset: str, seats: Sequence[Seat], options: Mapping[str, object], stakes: Stakes | None = None
    ) -> P:
        """The position before the first throw, the first of ``seats`` to throw and ``opening`` paid.

        Raises:
            BadQuestion: unknown preset or option, seats or stakes that cannot play it.
        """

    def opening(self, position: P) -> tuple[Paid, ...]:
        """What everybody has paid before the first throw, in a position from ``start``."""

    def default_stakes(self, preset: str, players: int) -> int:
        """Stakes each player starts with where nobody says otherwise; 0 where the game has none."""

    def load(self, preset: str, state: object, options: Mapping[str, object]) -> P:
        """Read a position as CONTRACTS writes it. Raises BadQuestion naming the field."""

    def dump(self, position: P) -> dict[str, object]:
        """Write a position as CONTRACTS writes it; ``load`` reads it back."""

    def load_throw(self, position: P, throw: object) -> Throw:
        """Read ``{"marks": 3}`` or ``{"dice": [4]}``. Raises BadQuestion."""

    def steps(self, position: P, throw: Throw) -> int:
        """What the throw is worth."""

    def legal(self, position: P, throw: Throw | None) -> tuple[str, ...]:
        """The complete set of legal moves, sorted as strings; empty when nothing can be chosen.

        Without a throw: what may be done instead of throwing.
        """

    def decide(self, position: P, throw: Throw | None, move: str | None) -> tuple[Event, ...]:
        """What follows ``Thrown``: with ``move`` None from the throw alone, which must leave nothing to choose.

        ``position`` may be the one before ``Thrown`` or after it, here and in ``legal``. The last event is ``Turn`` or
        ``Over``. Without a throw: what follows from a move that is made instead of one.

        Raises:
            Illegal: the rules forbid the move; names the rule.
            BadQuestion: the text is no move at all.
        """

    def resign(self, position: P, seat: Seat) -> tuple[Event, ...]:
        """What follows when a player leaves. Ends with ``Turn`` or ``Over``. Raises Illegal when he is not in it."""

    def fold(self, position: P, event: Event) -> P:
        """The position after one event. Raises BadQuestion for a ``Corrected`` that cannot stand."""

    def next_turn(self, position: P) -> Seat:
        """Whose turn it is once the present player's is over."""

    def players(self, position: P) -> tuple[Seat, ...]:
        """Who is still in, ascending."""

    def occupancy(self, position: P) -> Occupancy:
        """Who stands where on the board."""

    def first_throw_value(self, throw: Throw) -> int:
        """How high a throw counts when it is thrown for the right to begin."""

    def chooses_first(self, preset: str) -> bool:
        """False where the rules name who begins (``jade-coral``: Jade)."""

    def begin(self, position: P, seat: Seat) -> P:
        """The starting position with ``seat`` to throw."""


def thrown(game: Game[P], position: P, throw: Throw, source: Source = "camera") -> Thrown:
    """The throw of the player whose turn it is, as an event. Raises BadQuestion when the game has no such throw."""
    assert position.turn is not None
    return Thrown(position.turn, throw, game.steps(position, throw), source)


def fold(game: Game[P], position: P, events: Iterable[Event]) -> P:
    """The position after all the events."""
    return reduce(game.fold, events, position)


def why(events: Iterable[Event]) -> list[Rule]:
    """The rules and readings that decided, in order of effect, each once."""
    return list(dict.fromkeys(rule for event in events for rule in getattr(event, "why", ())))
