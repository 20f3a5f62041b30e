"""What clumsy people do wrong, and the moves that nobody may make."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal

from referee import match as matches
from referee.board import Cell, Occupancy
from referee.events import RESERVE
from referee.match import Match

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
    """Whether the referee said so: an objection, a plight, a note."""


def wrong_moves(match: Match, cells: Iterable[Cell]) -> list[tuple[Cell, Cell]]:
    """One-piece moves of the player whose turn it is that leave a board like that of no legal move.

    Onto free cells only, so that carrying one piece back undoes them.

    Args:
        match: in phase ``move``.
        cells: of the board.
    """
    assert match.turn is not None
    before: Occupancy = match.game.occupancy(match.position)
    allowed = [_board_after(match, move) for move in match.legal]
    player: Any = match.game.dump(match.position)["players"]
    origins = [cell for cell in before if match.turn in before[cell]]
    if player[str(match.turn)]["reserve"]:
        origins.append(RESERVE)
    wrong = []
    for origin in origins:
        for target in cells:
            board = {**{cell: stack for cell, stack in before.items() if cell != origin}, target: (match.turn,)}
            if target not in before and f"{origin}>{target}" not in match.legal and board not in allowed:
                wrong.append((origin, target))
    return wrong


def _board_after(match: Match, move: str) -> dict[Cell, Any]:
    return dict(match.game.occupancy(reduce(matches.after, matches.move(match, move), match).position))
