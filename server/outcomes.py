"""What the board may look like after each legal move, and why another move is none."""

from collections.abc import Iterable, Mapping
from functools import reduce

from referee import match as matches
from referee.board import Occupancy
from referee.events import Captured, Event, Out, Rule
from referee.match import Match
from referee.rules import BadQuestion, Illegal


def outcomes(match: Match) -> Mapping[str, tuple[Occupancy, ...]]:
    """For each legal move the boards it may leave; nothing when no move is due.

    First the board as it is booked; where a player goes out also the board on which his pieces still stand.
    """
    if match.phase != "move":
        return {}
    before = match.game.occupancy(match.position)
    return {move: _boards(match, before, matches.move(match, move)) for move in match.legal}


def why_illegal(match: Match, move: str) -> tuple[Rule, ...]:
    """Which rules forbid a move as it was seen; empty where what was seen is no move of this game."""
    try:
        matches.move(match, move)
    except Illegal as illegal:
        return illegal.why
    except BadQuestion:
        return ()
    return ()


def _boards(match: Match, before: Occupancy, events: Iterable[Event]) -> tuple[Occupancy, ...]:
    events = tuple(events)
    after = match.game.occupancy(reduce(matches.after, events, match).position)
    out = {event.seat for event in events if isinstance(event, Out)}
    captured = {event.cell for event in events if isinstance(event, Captured)}
    uncleared = {cell: stack for cell, stack in before.items() if out & {*stack} and cell not in captured}
    return (after, {**uncleared, **after}) if uncleared else (after,)
