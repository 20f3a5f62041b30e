"""How people do at the table what the rules call a throw or a move: the same for every game."""

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import combinations_with_replacement

import numpy as np

from referee import match as matches
from referee.board import Cell, Seat
from referee.events import HOME, RESERVE, Captured, Event, Moved
from referee.match import Match
from referee.rules import Needs
from referee.throws import Beans, Dice, Throw
from referee.umpire import visible
from vision.synthetic.table import SimulatedTable

_FACES = range(1, 7)


def fair_throw(needs: Needs, rng: np.random.Generator) -> Throw:
    """Fair beans or dice."""
    if needs.beans:
        return Beans(int(rng.binomial(needs.beans, 0.5)), needs.beans)
    return Dice(tuple(sorted(int(value) for value in rng.integers(1, 7, needs.dice))))


def order_throw(table: SimulatedTable, throw: Throw, seat: Seat, *, cocked: bool, touching: bool) -> None:
    """Throw just that; a cocked bean or die is one of its number, and shows nothing."""
    if isinstance(throw, Dice):
        table.roll(throw.values, seat=seat, cocked=cocked, touching=touching and len(throw.values) > 1)
    else:
        marks = min(throw.marks, throw.count - cocked)
        table.throw(marks, seat=seat, cocked=cocked, touching=touching, count=throw.count)


def order_move(
    table: SimulatedTable, match: Match, events: Sequence[Event], looks: Seat, *, captives_first: bool
) -> None:
    """Carry out a move: pieces walk, and those that they capture are taken off the board before or after.

    Args:
        table: where.
        match: before the move.
        events: of the move.
        looks: whose piece the mover's pieces look like.
        captives_first: whether captured pieces go before or after.
    """
    kinds = (Captured, Moved) if captives_first else (Moved, Captured)
    for event in (event for kind in kinds for event in events if isinstance(event, kind)):
        if isinstance(event, Captured):
            table.remove(event.cell, event.by, event.owner)
        elif event.target in match.game.unseen:
            table.drop(event.target, event.seat, looks)
        else:
            table.move(event.origin, HOME if event.target == RESERVE else event.target, event.seat, looks)


def looks_like(match: Match, seat: Seat) -> Seat:
    """Whose piece on the board a piece of that seat is taken for: its own, or where pieces are nobody's another's.

    By the rules alone: whose is said to be there after the seat's first move onto the board.

    Args:
        match: at its start.
    """
    game, position = match.game, match.game.begin(match.position, seat)
    for throw in _throws(game.needs):
        for move in game.legal(position, throw):
            events = game.decide(position, throw, move)
            cells: list[Cell] = [event.target for event in events if isinstance(event, Moved)]
            board = game.occupancy(reduce(game.fold, events, position))
            for cell in cells:
                if cell in board:
                    return board[cell][-1]
    return seat


def is_told(match: Match, events: Iterable[Event]) -> bool:
    """Whether the move has to be told at the tablet: no camera above the table can see it."""
    after = reduce(matches.after, events, match)
    return visible(match.game.occupancy(after.position)) == visible(match.game.occupancy(match.position))


def _throws(needs: Needs) -> list[Throw]:
    if needs.beans:
        return [Beans(marks, needs.beans) for marks in range(needs.beans + 1)]
    return [Dice(values) for values in combinations_with_replacement(_FACES, needs.dice)]
