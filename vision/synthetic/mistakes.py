"""Moves that nobody may make: what clumsy people try."""

from collections.abc import Iterable
from functools import reduce
from typing import Any

from referee import match as matches
from referee.board import Cell, Occupancy
from referee.events import RESERVE
from referee.match import Match


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
