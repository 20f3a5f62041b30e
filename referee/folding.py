"""A match as a fold over its events: ``replay(log)`` gives what ``after`` gave when they happened."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Literal

from referee import ledger
from referee.board import Seat
from referee.events import (
    Began,
    Event,
    Moved,
    Noted,
    Objected,
    Offered,
    Over,
    Redone,
    Started,
    Thrown,
    Turn,
    Undone,
)
from referee.ledger import Ledger
from referee.registry import GAMES
from referee.rules import BadQuestion, Game, Position
from referee.throws import Throw

_IMPOSSIBLE = (LookupError, ValueError, AttributeError, TypeError, AssertionError)
"""How a fold fails over an event that does not fit: the rules never write one, a damaged log may hold one."""

Phase = Literal["first", "throw", "move", "over"]


@dataclass(frozen=True, slots=True)
class Match:
    """One moment of a match and how it came about."""

    started: Started
    game: Game[Any]
    position: Position
    phase: Phase
    """What is awaited: a throw for the right to begin, a throw, a move, or nothing any more."""
    turn: Seat | None
    """Who is to throw or move."""
    ledger: Ledger
    throw: Throw | None = None
    """The throw that lies, until what follows from it is booked."""
    thrown: Thrown | None = None
    """The latest throw that still stands, also after what followed from it."""
    legal: tuple[str, ...] = ()
    """What may be done with it, in phase ``move``; in phase ``throw`` what may be done instead of throwing."""
    contenders: tuple[Seat, ...] = ()
    """Who throws for the right to begin, in this round."""
    first: tuple[tuple[Seat, int], ...] = ()
    """What they have thrown in this round, in order."""
    offers: tuple[Seat, ...] = ()
    """Who would take a draw; a throw or a move takes all offers back."""
    booking: bool = False
    """Amid the events of one throw or move."""
    paused: bool = False
    """No throw and no move counts."""
    earlier: "Match | None" = field(default=None, compare=False, repr=False)
    """The match before the latest throw or move, to which ``Undone`` returns."""
    act: tuple[Event, ...] = field(default=(), compare=False, repr=False)
    """Everything that happened in the latest throw, move or other act that can be undone."""
    undone: "Match | None" = field(default=None, compare=False, repr=False)
    """The match that was left by ``Undone``, to which ``Redone`` returns until something else happens."""


def begin(started: Started) -> Match:
    """The match at its first event. Raises BadQuestion for a game, preset or rules version unknown to this referee."""
    game = game_of(started.game)
    if started.rules_version != game.rules_version:
        raise BadQuestion(
            f"rules_version: this match was played under version {started.rules_version} of the {game.name} rules; "
            f"this referee knows version {game.rules_version}"
        )
    for what, seats in (("names", started.names), ("handicap", started.handicap)):
        for seat in seats:
            if seat not in started.seats:
                raise BadQuestion(f"{what}: seat {seat} does not play")
    brought = dict.fromkeys(started.seats, started.stakes) | dict(started.handicap)
    position = game.start(started.preset, started.seats, started.options, brought)
    books = reduce(ledger.after, game.opening(position), ledger.after(Ledger(), started))
    if game.chooses_first(started.preset):
        return Match(started, game, position, "first", started.seats[0], books, contenders=started.seats)
    return Match(started, game, position, "throw", position.turn, books)


def after(match: Match, event: Event) -> Match:
    """The match after one event of its log. Raises BadQuestion when it cannot have happened in this match."""
    match event:
        case Thrown(seat=seat) | Began(seat=seat) | Offered(seat=seat) | Turn(seat=seat) | Moved(seat=seat):
            if seat not in match.started.seats:
                raise BadQuestion(f"event: seat {seat} does not play")
    match event:
        case Started():
            raise BadQuestion("event: a match starts only once")
        case Noted(what="paused" | "resumed"):
            return replace(match, paused=event.what == "paused")
        case Objected() | Noted():
            return match
        case Offered():
            return replace(match, offers=(*match.offers, event.seat), undone=None)
        case Undone():
            return _undone(match)
        case Redone():
            if match.undone is None:
                raise BadQuestion("event: nothing has been undone that could be redone")
            return replace(match.undone, paused=match.paused)
        case Thrown(to_begin=True):
            return replace(_first(match, event), thrown=event, earlier=match, act=(event,), undone=None)
        case Began():
            position = match.game.begin(match.position, event.seat)
            return replace(match, position=position, phase="throw", turn=event.seat, contenders=(), first=())
        case _:
            return _played(match, event)


def replay(events: Iterable[Event]) -> Match:
    """The match at the end of a log. Raises BadQuestion when it is none."""
    log = iter(events)
    started = next(log, None)
    if not isinstance(started, Started):
        raise BadQuestion("event: a log begins with the start of the match")
    match = begin(started)
    for number, event in enumerate(log, 2):
        try:
            match = after(match, event)
        except _IMPOSSIBLE as error:
            raise BadQuestion(f"event {number}: {type(event).__name__.lower()} cannot have happened there") from error
    return match


def best(thrown: tuple[tuple[Seat, int], ...]) -> tuple[Seat, ...]:
    """Who has thrown highest for the right to begin; several when they tie."""
    highest = max(value for _, value in thrown)
    return tuple(seat for seat, value in thrown if value == highest)


def game_of(name: str) -> Game[Any]:
    """The game of that name. Raises BadQuestion when there is none."""
    if name not in GAMES:
        raise BadQuestion(f"game: {name!a} is none of {', '.join(GAMES)}")
    return GAMES[name]


def _undone(match: Match) -> Match:
    if match.earlier is None:
        raise BadQuestion("event: nothing is left to undo")
    return replace(match.earlier, paused=match.paused, undone=match)


def _first(match: Match, event: Thrown) -> Match:
    """One more throw for the right to begin; a tie for the highest opens a new round among the tied."""
    thrown = (*match.first, (event.seat, event.steps))
    waiting = match.contenders[len(thrown) :]
    if waiting:
        return replace(match, first=thrown, turn=waiting[0])
    tied = best(thrown)
    if len(tied) == 1:
        return replace(match, first=thrown)
    return replace(match, contenders=tied, first=(), turn=tied[0])


def _played(match: Match, event: Event) -> Match:
    """A throw, a move or what follows from it."""
    position = match.game.fold(match.position, event)
    lying, phase = match.throw, match.phase
    legal: tuple[str, ...] = ()
    complete = False
    match event:
        case Thrown():
            lying, legal = event.throw, match.game.legal(match.position, event.throw)
            phase, complete = ("move", True) if legal else ("throw", False)
        case Turn():
            lying, phase, complete = None, "throw", True
            legal = match.game.legal(position, None)
        case Over():
            complete = True
            lying, phase = None, "over"
    return Match(
        match.started,
        match.game,
        position,
        phase,
        position.turn,
        ledger.after(match.ledger, event),
        lying,
        event if isinstance(event, Thrown) else match.thrown,
        legal,
        booking=not complete,
        paused=match.paused,
        earlier=match.earlier if match.booking else _unagreed(match) if isinstance(event, Over) else match,
        act=(*match.act, event) if match.booking else (event,),
    )


def _unagreed(match: Match) -> Match:
    """Undoing an agreed draw does not agree to it again."""
    return replace(match, offers=()) if match.offers else match
