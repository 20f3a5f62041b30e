"""What clumsy people do wrong, and the moves that nobody may make."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal

from referee import match as matches
from referee.board import Cell, Occupancy, Seat
from referee.events import RESERVE
from referee.match import Match
from referee.umpire import visible

FaultKind = Literal["illegal", "cocked", "touching", "bump", "shove", "lamp", "hand"]


@dataclass(frozen=True, slots=True)
class Clumsiness:
    """How likely each mishap is; once for every throw or move."""

    illegal: float = 0.0
    """A move against the rules is tried first."""
    cocked: float = 0.0
    touching: float = 0.0
    bump: float = 0.0
    """The sheet is pushed by a few millimetres."""
    shove: float = 0.0
    """The sheet is pushed by more than half a cell."""
    lamp: float = 0.0
    hand: float = 0.0
    """A hand is left lying for some seconds."""
    slow: float = 0.0


@dataclass
class Fault:
    """A mishap brought about on purpose."""

    kind: FaultKind
    at: float
    """Simulated seconds."""
    what: str = ""
    answered: bool = False
    """Whether the referee said so: an objection that names every cell that looks wrong, a plight, a note; or read what
    touched all the same."""


def wrong_moves(match: Match, cells: Iterable[Cell], looks: Seat) -> list[tuple[Cell, Cell]]:
    """One-piece moves of the player whose turn it is that leave a board that looks like that of no legal move.

    Onto free cells only, so that carrying one piece back undoes them.

    Args:
        match: in phase ``move``.
        cells: of the board.
        looks: whose piece the player's pieces look like.
    """
    before = match.game.occupancy(match.position)
    unseen = match.game.unseen
    allowed = [visible(before), *(visible(board_after(match, move)) for move in match.legal)]
    player: Any = match.game.dump(match.position)["players"]
    # What the reserve is called is the game's: pieces, men or sticks in the hand.
    held = {"reserve", "sticks"} & {what for what, number in player[str(match.turn)].items() if number}
    origins = [*(cell for cell in before if looks in before[cell]), *([RESERVE] if held else [])]
    return [
        (origin, target)
        for origin in origins
        for target in cells
        if target not in before
        and target not in unseen
        and f"{origin}>{target}" not in match.legal
        and visible(carried(before, origin, target, looks)) not in allowed
    ]


def carried(before: Occupancy, origin: Cell, target: Cell, owner: Seat) -> Occupancy:
    """The board after one piece was carried to a free cell."""
    board = {**before, target: (owner,)}
    if origin != RESERVE:
        rest = list(before[origin])
        rest.remove(owner)
        board[origin] = tuple(rest)
    return {cell: stack for cell, stack in board.items() if stack}


def board_after(match: Match, move: str) -> Occupancy:
    """What stands where when a legal move was made."""
    return match.game.occupancy(reduce(matches.after, matches.move(match, move), match).position)
