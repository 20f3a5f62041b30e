"""What the board may look like after each legal move, and why another move is none."""

from collections.abc import Mapping
from functools import reduce

from referee import match as matches
from referee.board import Occupancy
from referee.events import HOME, RESERVE, Captured, Event, Moved, Rule
from referee.match import Match
from referee.rules import BadQuestion


def outcomes(match: Match) -> Mapping[str, tuple[Occupancy, ...]]:
    """For each legal move the boards it may leave; nothing when no move is due.

    First the board as it is booked; where a player goes out also the board on which his pieces still stand.
    """
    if match.phase != "move":
        return {}
    before = match.game.occupancy(match.position)
    boards = {move: _boards(match, before, matches.move(match, move)) for move in match.legal}
    # A move that leaves the board as it was (a pass, a stick into the hole) shows nothing: people enter it.
    return {move: after for move, after in boards.items() if before not in after}


def why_illegal(match: Match, move: str) -> tuple[Rule, ...]:
    """Which rules forbid a move as it was seen; empty where what was seen is no move of this game."""
    try:
        breach = matches.breach(match, move)
    except BadQuestion:
        return ()
    return breach.why if breach else ()


def _boards(match: Match, before: Occupancy, events: tuple[Event, ...]) -> tuple[Occupancy, ...]:
    after = match.game.occupancy(reduce(matches.after, events, match).position)
    uncleared = _walked(before, events)
    return (after,) if uncleared == after else (after, uncleared)


def _walked(before: Occupancy, events: tuple[Event, ...]) -> Occupancy:
    """The board when the mover has done his part: walked, and taken what he captured, but nobody has cleared up."""
    board = {cell: list(stack) for cell, stack in before.items()}
    for event in events:
        match event:
            case Moved(seat=seat, origin=origin, target=target):
                if origin != RESERVE:
                    board[origin].remove(seat)
                if target != HOME:
                    board.setdefault(target, []).append(seat)
            case Captured(owner=owner, cell=cell):
                board[cell].remove(owner)
            case _:
                pass
    return {cell: tuple(sorted(stack)) for cell, stack in board.items() if stack}
