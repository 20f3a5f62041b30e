"""The games this referee knows, one line each."""

from collections.abc import Mapping
from typing import Any

from referee.games.batok import Batok
from referee.games.ludo import Ludo
from referee.games.patolli import Patolli
from referee.games.ur import Ur
from referee.rules import Game

_GAMES: list[Game[Any]] = [
    Patolli(),
    Ludo(),
    Batok(),
    Ur(),
]
GAMES: Mapping[str, Game[Any]] = {game.name: game for game in _GAMES}
