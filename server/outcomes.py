"""What the board may look like after each legal move, and why another move is none."""

from collections.abc import Mapping
from typing import Any

from referee import rules
from referee.board import Occupancy
from referee.events import HOME, RESERVE, Captured, Event, Moved, Rule
from referee.match import Match
from referee.rules import BadQuestion, Game, Illegal, Position
from referee.throws import Throw
from referee.umpire import visible


def outcomes(match: Match) -> Mapping[str, tuple[Occupancy, ...]]:
    """For each legal move the boards it may leave; nothing when no move is due."""
    return boards_after(match.game, match.position, match.throw) if match.phase == "move" else {}


def boards_after(game: Game[Any], position: Position, throw: Throw | None) -> Mapping[str, tuple[Occupancy, ...]]:
    """For each move that is legal with the throw the boards it may leave.

    First the board as it is booked; where a player goes out also the board on which his pieces still stand.
    """
    before = game.occupancy(position)
    boards: dict[str, tuple[Occupancy, ...]] = {}
    reached: list[Position] = []
    for move in game.legal(position, throw):
        events = game.decide(position, throw, move)
        after = rules.fold(game, position, events)
        booked, walked = game.occupancy(after), _walked(before, events)
        # Where several moves end in the same position (each ruins the mover) the tidied board stands for any of them.
        known = (booked,) if after not in reached else ()
        shown = known if walked == booked else (*known, walked)
        reached.append(after)
        # A move that leaves the board looking as it did (a pass, a man onto a stack) shows nothing: people enter it.
        if shown and visible(before) not in map(visible, shown):
            boards[move] = shown
    return boards


def why_illegal(match: Match, move: str) -> tuple[Rule, ...]:
    """Which rules forbid a move as it was seen; empty where what was seen is no move of this game."""
    return forbidden_by(match.game, match.position, match.throw, move)


def forbidden_by(game: Game[Any], position: Position, throw: Throw | None, move: str) -> tuple[Rule, ...]:
    """The same of a bare position and throw."""
    try:
        game.decide(position, throw, move)
    except Illegal as illegal:
        return illegal.why
    except BadQuestion:
        pass
    return ()


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
