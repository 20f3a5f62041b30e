"""Matches of every game, preset and kind of table, for properties that hold for all of them."""

from collections.abc import Mapping
from random import Random

from hypothesis import strategies as st

from referee import match
from referee.board import Cell, Seat
from referee.events import HOME, Event, Started
from referee.match import Match
from referee.registry import GAMES
from referee.rules import BadQuestion, Illegal
from tests.referee.play import random_events, random_throw

OPTIONS: Mapping[str, list[dict[str, object]]] = {
    "patolli": [{}, {"triangle_rows": [1, 6]}],
    "ludo": [{}, {"corners": "shared"}],
    "batok": [{}, {"full_board": "eleven"}, {"last_stick": "complete"}],
    "ur": [{}],
}
NAMES = st.text(max_size=8)


@st.composite
def starts(draw: st.DrawFn) -> Started:
    """The first event of some match: any game, preset, seats, options, stakes and handicap it takes."""
    game = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    preset = draw(st.sampled_from(game.presets))
    seats = tuple(sorted(draw(st.sets(st.sampled_from(game.seats), min_size=2))))
    if len(seats) == 2 or game.name == "ur":
        seats = (Seat(1), Seat(3))
    seats = (Seat(1), Seat(3)) if preset == "jade-coral" else seats
    staked = game.name == "ludo" or (game.name == "patolli" and preset != "jade-coral")
    stakes = draw(st.integers(1, 6)) if staked and draw(st.booleans()) else None
    handicap = {seats[0]: draw(st.integers(1, 9))} if staked and stakes and draw(st.booleans()) else {}
    names = draw(st.dictionaries(st.sampled_from(seats), NAMES))
    options = draw(st.sampled_from(OPTIONS[game.name]))
    return match.start(game.name, preset, seats, names=names, options=options, stakes=stakes, handicap=handicap)


def random_act(game: Match, random: Random) -> tuple[Event, ...]:
    """What people may do at any time; mostly they play on. Nothing where what they try is not allowed just then."""
    seats = game.game.players(game.position) or game.started.seats
    seat = random.choice(seats)
    try:
        match random.randrange(60):
            case 0:
                return match.undo(game, "Ana", random.choice(["", "his sleeve"]))
            case 1:
                return match.redo(game, "Ana \u2028 #2")
            case 2:
                return match.correct(game, shuffled(game, random), "Beto", payments=payment(game, random))
            case 3:
                return match.pause(game, "Ana")
            case 4:
                return match.draw(game, seat)
            case 5 if random.random() < 0.1:
                return match.resign(game, seat)
            case 6 if game.phase == "throw" and game.legal:
                return match.move(game, random.choice(game.legal))
            case 7 if game.phase == "move":
                return match.move(game, random.choice(game.legal), "hand", inferred=True)
            case 8 if game.phase in ("first", "throw"):
                return match.throw(game, random_throw(game.game.needs, random), "hand")
        if game.paused:
            return match.resume(game, "Ana")
        return () if game.phase == "over" else random_events(game, random)
    except (Illegal, BadQuestion):
        return ()


def shuffled(game: Match, random: Random) -> dict[Cell, tuple[Seat, ...]]:
    """The board with some stack taken off, another set beside it, perhaps a piece home."""
    pieces = dict(game.game.occupancy(game.position))
    for cell in random.sample(sorted(pieces), min(len(pieces), random.randrange(3))):
        stack = pieces.pop(cell)
        pieces[random.choice(["4", "9", "52", "b2", "d1", "a1", HOME])] = stack
    return pieces


def payment(game: Match, random: Random) -> list[tuple[Seat, Seat, int]]:
    seats = game.game.players(game.position)
    return [(seats[0], seats[-1], 1)] if random.random() < 0.3 else []
