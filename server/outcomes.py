"""What the board may look like after each legal move, and why another move is none."""

from collections.abc import Mapping
from functools import reduce

from referee import match as matches
from referee.board import Occupancy
from referee.events import HOME, RESERVE, Captured, Event, Moved, Rule
from referee.match import Match
from referee.rules import BadQuestion, Position


def outcomes(match: Match) -> Mapping[str, tuple[Occupancy, ...]]:
    """For each legal move the boards it may leave; nothing when no move is due.

    First the board as it is booked; where a player goes out also the board on which his pieces still stand.
    """
    if match.phase != "move":
        return {}
    before = match.game.occupancy(match.position)
    boards: dict[str, tuple[Occupancy, ...]] = {}
    reached: list[Position] = []
    for move in match.legal:
        events = matches.move(match, move)
        after = reduce(matches.after, events, match).position
        booked, walked = match.game.occupancy(after), _walked(before, events)
        # Where several moves end in the same position (each ruins the mover) the tidied board stands for any of them.
        known = (booked,) if after not in reached else ()
        shown = known if walked == booked else (*known, walked)
        reached.append(after)
        # A move that leaves the board as it was (a pass, a stick into the hole) shows nothing: people enter it.
        if shown and before not in shown:
            boards[move] = shown
    return boards


def why_illegal(match: Match, move: str) -> tuple[Rule, ...]:
    """Which rules forbid a move as it was seen; empty where what was seen is no move of this game."""
    try:
        breach = matches.breach(match, move)
    except BadQuestion:
        return ()
    return breach.why if breach else ()


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
