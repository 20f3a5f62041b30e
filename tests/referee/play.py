"""Random play through a match, for any game."""

from random import Random

from referee import match
from referee.events import Event
from referee.match import Match
from referee.rules import Needs
from referee.throws import Beans, Dice, Throw


def random_throw(needs: Needs, random: Random) -> Throw:
    """Fair beans or dice."""
    if needs.beans:
        return Beans(random.getrandbits(needs.beans).bit_count(), needs.beans)
    return Dice(tuple(sorted(random.randint(1, 6) for _ in range(needs.dice))))


def random_events(game: Match, random: Random) -> tuple[Event, ...]:
    """What happens next, whichever is awaited; the match must be on."""
    if game.phase == "move":
        return match.move(game, random.choice(game.legal))
    return match.throw(game, random_throw(game.game.needs, random))


def booked(game: Match, events: tuple[Event, ...]) -> Match:
    """The match after several events."""
    for event in events:
        game = match.after(game, event)
    return game
