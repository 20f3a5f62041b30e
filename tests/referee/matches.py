"""Matches of Patolli, begun and played as far as a test says."""

from referee import match
from referee.board import Seat
from referee.games.patolli_position import PatolliPosition
from referee.match import Match
from referee.throws import Beans
from tests.referee.play import booked
from tests.referee.positions import EAST, NORTH, SOUTH, WEST

FOUR = (SOUTH, WEST, NORTH, EAST)


def opened(preset: str = "classic", seats: tuple[Seat, ...] = (SOUTH, NORTH), stakes: int | None = None) -> Match:
    return match.begin(match.start("patolli", preset, seats, stakes=stakes))


def thrown(game: Match, *marks: int) -> Match:
    for count in marks:
        game = booked(game, match.throw(game, Beans(count)))
    return game


def walked(game: Match, *moves: str) -> Match:
    for move in moves:
        game = booked(game, match.move(game, move))
    return game


def held(game: Match) -> dict[str | int, int]:
    """What the position says that every account holds; nothing is left of a player who is out."""
    assert isinstance(game.position, PatolliPosition)
    stakes: dict[str | int, int] = dict.fromkeys(game.started.seats, 0)
    return stakes | {player.seat: player.stakes for player in game.position.players} | {"pot": game.position.pot}
