"""A table of Patolli before a camera that shows it what the test says, frame after frame."""

from datetime import UTC, datetime
from pathlib import Path

from calibration.layout import load
from referee import match as matches
from referee.board import Cell, Occupancy, Seat
from referee.events import Event
from referee.observation import BeanSeen, BoardSeen, Face, Observation, Plight, ThrowSeen
from server.journal import Journal
from server.table import Table

JADE, CORAL = Seat(1), Seat(3)
LAYOUT = load("patolli")
FRAME_S = 1 / 15


class Camera:
    """Shows the table what the test puts there, frame after frame."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.at = 0.0
        self.board: Occupancy = {}
        self.throw = ThrowSeen("none", certain=True)
        self._spot = 0.1

    def rest(self, seconds: float = 0.5) -> None:
        for _ in range(max(2, round(seconds / FRAME_S))):
            self.show("rest", ThrowSeen("none", certain=True) if self.throw.kind == "none" else self.throw)

    def hand(self) -> None:
        self.show("hand", None)

    def throw_beans(self, marks: int, *, plights: tuple[Plight, ...] = (), picked_up: bool = True) -> None:
        """Pick the beans up, throw them, let them lie."""
        if picked_up:
            self.throw = ThrowSeen("none", certain=True)
            self.hand()
            self.show("hand", None, place_empty=True)
        self._spot = 0.1 if self._spot > 0.5 else self._spot + 0.13
        beans = tuple(_bean(index, "marked" if index < marks else "plain", self._spot) for index in range(5))
        self.throw = ThrowSeen("beans", beans, plights=plights, certain=not plights)

    def place(self, **cells: Seat | None) -> None:
        """Put pieces on cells (``c4=JADE``) or take them off (``c4=None``)."""
        self.hand()
        names = {name[1:]: seat for name, seat in cells.items()}
        self.board = {cell: stack for cell, stack in self.board.items() if cell not in names} | {
            cell: (seat,) for cell, seat in names.items() if seat is not None
        }

    def show(self, state: str, throw: ThrowSeen | None, place_empty: bool | None = None) -> None:
        """One frame."""
        self.at += FRAME_S
        at_rest = state == "rest"
        empty = (throw is not None and throw.kind == "none") if place_empty is None else place_empty
        seen = Observation(
            self.at,
            "rest" if at_rest else "hand",
            throw if at_rest else None,
            likelihoods(self.board) if at_rest else None,
            empty,
        )
        self.table.see(seen)


def likelihoods(board: Occupancy, blind: tuple[Cell, ...] = ()) -> BoardSeen:
    cells: dict[Cell, dict[Seat | None, float]] = {}
    for place in LAYOUT.cells:
        stack = board.get(place.name)
        there = stack[-1] if stack else None
        if place.name not in blind:
            cells[place.name] = {state: 0.0 if state == there else -14.0 for state in (None, JADE, CORAL)}
    return BoardSeen(cells)


def now() -> datetime:
    return datetime(2026, 11, 30, 12, tzinfo=UTC)


def new_table(folder: Path, preset: str = "quick", stakes: int = 8) -> Table:
    table = Table(Journal(folder), LAYOUT, now=now)
    options: dict[str, object] = {}
    table.start(matches.start("patolli", preset, (JADE, CORAL), names={}, options=options, stakes=stakes))
    return table


def booked(table: Table, *kinds: type) -> list[Event]:
    return [entry.event for entry in table.entries if isinstance(entry.event, kinds)]


def _bean(index: int, face: Face, spot: float) -> BeanSeen:
    return BeanSeen((100.0 + index, 100.0), face, True, 0.999, 30.0, (spot + index * 0.1, spot))
