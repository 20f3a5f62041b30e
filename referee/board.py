"""Seats and cells: the words every room shares."""

from collections.abc import Iterable, Mapping
from typing import NewType

Seat = NewType("Seat", int)
"""1 to 6. In Patolli a seat is its arm: 1 south, 2 west, 3 north, 4 east."""

Cell = str
"""The name of a place on a board, as the layout and the notation write it: ``"17"``, ``"b1"``, ``"hole"``."""

Occupancy = Mapping[Cell, tuple[Seat, ...]]
"""What stands where: occupied cells only, the seats of a stack in ascending order."""


def stacks(standing: Iterable[tuple[Cell, Seat]]) -> Occupancy:
    """What stands where, from each piece's cell and seat, seats ascending."""
    held: dict[Cell, tuple[Seat, ...]] = {}
    for cell, seat in standing:
        held[cell] = (*held.get(cell, ()), seat)
    return held
