"""Several pictures of one moment, put together."""

from collections.abc import Mapping, Sequence

from referee.board import Cell, Seat


def together(seen: Sequence[Mapping[Cell, Mapping[Seat | None, float]]]) -> dict[Cell, Mapping[Seat | None, float]]:
    """The mean log-likelihoods of several pictures; cells that most of them could not read are absent."""
    merged: dict[Cell, Mapping[Seat | None, float]] = {}
    for name in dict.fromkeys(cell for cells in seen for cell in cells):
        readings = [cells[name] for cells in seen if name in cells]
        if 2 * len(readings) > len(seen):
            merged[name] = {seat: sum(reading[seat] for reading in readings) / len(readings) for seat in readings[0]}
    return merged
