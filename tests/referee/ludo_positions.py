"""Ludo positions in a form short enough for tables."""

from collections.abc import Mapping, Sequence

from referee.games.ludo import Ludo
from referee.games.ludo_position import SEATS

GAME = Ludo()
ONE, TWO, THREE, FOUR = SEATS


def at(turn: int | None, men: Mapping[int, str], stakes: Sequence[int] = (), pot: int = 0) -> dict[str, object]:
    """A position as CONTRACTS writes it, from the squares of each seat's men."""
    players: dict[str, dict[str, object]] = {
        str(seat): {"reserve": 4 - len(squares.split()), "track": squares.split()} for seat, squares in men.items()
    }
    for player, held in zip(players.values(), stakes, strict=False):
        player["stakes"] = held
    return {"players": players, "turn": None if turn is None else str(turn)} | ({"pot": pot} if stakes else {})
