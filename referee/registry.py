"""The games this referee knows, one line each."""

from collections.abc import Mapping
from typing import Any

from referee.games.patolli import Patolli
from referee.rules import Game

GAMES: Mapping[str, Game[Any]] = {
    game.name: game
    for game in [
        Patolli(),
    ]
}
