"""Patolli positions in a form short enough for tables."""

from collections.abc import Mapping

from referee.board import Seat

SOUTH, WEST, NORTH, EAST = Seat(1), Seat(2), Seat(3), Seat(4)

Has = tuple[int, list[int], int, int]
"""Reserve, track, home, stakes."""
FRESH: Has = (6, [], 0, 8)
SMALL: Has = (3, [], 0, 8)
"""The same under quick."""


def at(turn: int | None, players: Mapping[int, Has], pot: int = 0) -> dict[str, object]:
    """A staked position as CONTRACTS writes it."""
    return {
        "players": {
            str(seat): {"reserve": reserve, "track": track, "home": home, "stakes": stakes}
            for seat, (reserve, track, home, stakes) in players.items()
        },
        "pot": pot,
        "turn": None if turn is None else str(turn),
    }


def duel(turn: int | None, jade: tuple[int, list[int], int], coral: tuple[int, list[int], int], throws: int) -> object:
    """A jade-coral position."""
    return {
        "players": {
            seat: {"reserve": reserve, "track": track, "home": home}
            for seat, (reserve, track, home) in (("1", jade), ("3", coral))
        },
        "turn": None if turn is None else str(turn),
        "throws": throws,
    }
