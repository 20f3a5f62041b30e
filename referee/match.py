"""A match: seats, log, throws for the right to begin, turns, undo, resignation and draws; the same for every game.

State is a fold: ``replay(log)`` gives what ``after`` gave when the events happened.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Literal

from referee import ledger, rules
from referee.board import Seat
from referee.events import Began, Event, Moved, Noted, Objected, Offered, Over, Source, Started, Thrown, Turn, Undone
from referee.ledger import Ledger
from referee.registry import GAMES
from referee.rules import BadQuestion, Game, Illegal, Position
from referee.throws import Throw

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
    legal: tuple[str, ...] = ()
    """What may be done with it, in phase ``move``."""
    contenders: tuple[Seat, ...] = ()
    """Who throws for the right to begin, in this round."""
    first: tuple[tuple[Seat, int], ...] = ()
    """What they have thrown in this round, in order."""
    offers: tuple[Seat, ...] = ()
    """Who would take a draw; a throw or a move takes all offers back."""
    booking: bool = False
    """Amid the events of one throw or move."""
    earlier: "Match | None" = field(default=None, compare=False, repr=False)
    """The match before the latest throw or move, to which ``Undone`` returns."""


def start(
    game: str,
    preset: str,
    seats: tuple[Seat, ...],
    *,
    names: Mapping[Seat, str] | None = None,
    options: Mapping[str, object] | None = None,
    stakes: int | None = None,
) -> Started:
    """The first event of a new match. Raises BadQuestion when it cannot be played like that."""
    chosen = _game(game)
    chosen.start(preset, seats, options or {}, stakes)
    purse = chosen.default_stakes(preset, len(seats)) if stakes is None else stakes
    return Started(game, preset, chosen.rules_version, seats, names or {}, options or {}, purse)


def begin(started: Started) -> Match:
    """The match at its first event. Raises BadQuestion for a game, preset or rules version unknown to this referee."""
    game = _game(started.game)
    if started.rules_version != game.rules_version:
        raise BadQuestion(
            f"rules_version: this match was played under version {started.rules_version} of the {game.name} rules; "
            f"this referee knows version {game.rules_version}"
        )
    position = game.start(started.preset, started.seats, started.options, started.stakes)
    books = ledger.after(Ledger(), started)
    if game.chooses_first(started.preset):
        return Match(started, game, position, "first", started.seats[0], books, contenders=started.seats)
    return Match(started, game, position, "throw", position.turn, books)


def after(match: Match, event: Event) -> Match:
    """The match after one event of its log."""
    match event:
        case Started():
            raise BadQuestion("event: a match starts only once")
        case Objected() | Noted():
            return match
        case Offered():
            return replace(match, offers=(*match.offers, event.seat))
        case Undone():
            return _undone(match)
        case Thrown(to_begin=True):
            return replace(_first(match, event), earlier=match)
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
    return reduce(after, log, begin(started))


def throw(match: Match, throw: Throw, source: Source = "camera") -> tuple[Event, ...]:
    """What happens when the player whose turn it is throws. Raises Illegal when no throw is due."""
    if match.phase == "first":
        return _throw_first(match, throw, source)
    if match.phase != "throw":
        raise Illegal(("move_due",) if match.phase == "move" else ("over",))
    thrown = rules.thrown(match.game, match.position, throw, source)
    if match.game.legal(match.position, throw):
        return (thrown,)
    return (thrown, *match.game.decide(match.position, throw, None))


def move(match: Match, move: str, source: Source = "camera", inferred: bool = False) -> tuple[Event, ...]:
    """What happens when the player makes a move. Raises Illegal, BadQuestion when the text is no move."""
    if match.phase != "move" or match.throw is None:
        raise Illegal(("over",) if match.phase == "over" else ("throw_due",))
    events = match.game.decide(match.position, match.throw, move)
    return tuple(
        replace(event, source=source, inferred=inferred) if isinstance(event, Moved) else event for event in events
    )


def undo(match: Match, by: str, why: str = "") -> tuple[Event, ...]:
    """Take the latest throw or move back, with all that followed. Raises Illegal when there is none."""
    if match.earlier is None:
        raise Illegal(("nothing_to_undo",))
    return (Undone(by, why),)


def resign(match: Match, seat: Seat) -> tuple[Event, ...]:
    """A player leaves. Raises Illegal when he is not in, or another's move is due and must be made first."""
    if match.phase == "first" or (match.phase == "move" and match.turn != seat):
        raise Illegal(("throw_due" if match.phase == "first" else "move_due",))
    return match.game.resign(match.position, seat)


def draw(match: Match, seat: Seat) -> tuple[Event, ...]:
    """A player offers a draw or accepts it: agreed once everybody still in has. Raises Illegal when he cannot."""
    if match.phase in ("over", "first"):
        raise Illegal(("over" if match.phase == "over" else "throw_due",))
    players = match.game.players(match.position)
    if seat in match.offers or seat not in players:
        raise Illegal(("offered_already" if seat in match.offers else "not_in",))
    offered = Offered(seat)
    return (offered, Over(None, ("agreed",))) if {*match.offers, seat} == set(players) else (offered,)


def _game(name: str) -> Game[Any]:
    if name not in GAMES:
        raise BadQuestion(f"game: {name!a} is none of {', '.join(GAMES)}")
    return GAMES[name]


def _undone(match: Match) -> Match:
    if match.earlier is None:
        raise BadQuestion("event: nothing is left to undo")
    return match.earlier


def _first(match: Match, event: Thrown) -> Match:
    """One more throw for the right to begin; a tie for the highest opens a new round among the tied."""
    thrown = (*match.first, (event.seat, event.steps))
    waiting = match.contenders[len(thrown) :]
    if waiting:
        return replace(match, first=thrown, turn=waiting[0])
    best = _best(thrown)
    if len(best) == 1:
        return replace(match, first=thrown)
    return replace(match, contenders=best, first=(), turn=best[0])


def _throw_first(match: Match, throw: Throw, source: Source) -> tuple[Event, ...]:
    assert match.turn is not None
    thrown = Thrown(match.turn, throw, match.game.first_throw_value(throw), source, to_begin=True)
    values = (*match.first, (thrown.seat, thrown.steps))
    if len(values) < len(match.contenders) or len(_best(values)) > 1:
        return (thrown,)
    return (thrown, Began(_best(values)[0], (match.game.first_rule,)))


def _best(thrown: tuple[tuple[Seat, int], ...]) -> tuple[Seat, ...]:
    highest = max(value for _, value in thrown)
    return tuple(seat for seat, value in thrown if value == highest)


def _played(match: Match, event: Event) -> Match:
    """A throw, a move or what follows from it."""
    position = match.game.fold(match.position, event)
    lying, phase = match.throw, match.phase
    legal: tuple[str, ...] = ()
    match event:
        case Thrown():
            lying, legal = event.throw, match.game.legal(match.position, event.throw)
            phase = "move" if legal else "throw"
        case Turn():
            lying, phase = None, "throw"
        case Over():
            lying, phase = None, "over"
    return Match(
        match.started,
        match.game,
        position,
        phase,
        position.turn,
        ledger.after(match.ledger, event),
        lying,
        legal,
        booking=not (legal or isinstance(event, Turn | Over)),
        earlier=match.earlier if match.booking else _without_offers(match),
    )


def _without_offers(match: Match) -> Match:
    """Undoing an agreed draw does not agree to it again."""
    return replace(match, offers=()) if match.offers else match
