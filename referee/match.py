"""A match: seats, throws for the right to begin, moves, undo, corrections, pauses, resignation and draws.

The same for every game. Each act gives the events that follow from it; ``after`` makes them the next match.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from referee import rules
from referee.board import Cell, Occupancy, Seat
from referee.events import (
    HOME,
    Began,
    Corrected,
    Event,
    Moved,
    Noted,
    Offered,
    Over,
    Paid,
    Redone,
    Rule,
    Source,
    Started,
    Thrown,
    Turn,
    Undone,
)
from referee.folding import Match as Match
from referee.folding import Phase as Phase
from referee.folding import after as after
from referee.folding import begin as begin
from referee.folding import best, game_of
from referee.folding import replay as replay
from referee.ledger import POT, Account
from referee.questions import shown, whole
from referee.rules import BadQuestion, Illegal
from referee.throws import Beans, Dice, Throw


@dataclass(frozen=True, slots=True)
class Breach:
    """Why a move may not be made, with everything a sentence about it needs."""

    move: str
    why: tuple[Rule, ...]
    """Most telling first."""
    cells: tuple[Cell, ...]
    """Where the move would have begun and ended, as far as these are cells."""
    seats: tuple[Seat, ...]
    """Who else stands where it would have ended."""
    legal: tuple[str, ...]
    """What may be done instead."""


def start(
    game: str,
    preset: str,
    seats: tuple[Seat, ...],
    *,
    names: Mapping[Seat, str] | None = None,
    options: Mapping[str, object] | None = None,
    stakes: int | None = None,
    handicap: Mapping[Seat, int] | None = None,
) -> Started:
    """The first event of a new match. Raises BadQuestion when it cannot be played like that.

    Args:
        stakes: what each player starts with; None: as the rules have it.
        handicap: seats that start with other stakes than that.
    """
    chosen = game_of(game)
    chosen.start(preset, seats, options or {}, stakes)
    purse = chosen.default_stakes(preset, len(seats)) if stakes is None else stakes
    started = Started(game, preset, chosen.rules_version, seats, names or {}, options or {}, purse, handicap or {})
    begin(started)
    return started


def throw(match: Match, thrown: Throw, source: Source = "camera") -> tuple[Event, ...]:
    """What happens when the player whose turn it is throws. Raises Illegal when no throw is due."""
    _played_on(match)
    if match.phase == "first":
        return _throw_first(match, thrown, source)
    if match.phase != "throw":
        raise Illegal(("move_due",) if match.phase == "move" else ("over",))
    booked = rules.thrown(match.game, match.position, thrown, source)
    if match.game.legal(match.position, thrown):
        return (booked,)
    return (booked, *match.game.decide(match.position, thrown, None))


def move(match: Match, move: str, source: Source = "camera", inferred: bool = False) -> tuple[Event, ...]:
    """What happens when the player makes a move, in some games also one instead of a throw.

    Raises:
        Illegal: the rules forbid it, or it is not the time.
        BadQuestion: the text is no move.
    """
    _played_on(match)
    if match.phase in ("over", "first"):
        raise Illegal(("over",) if match.phase == "over" else ("throw_due",))
    events = match.game.decide(match.position, match.throw, move)
    return tuple(
        replace(event, source=source, inferred=inferred) if isinstance(event, Moved) else event for event in events
    )


def move_made(match: Match, happened: tuple[Event, ...]) -> str:
    """Which of the legal moves brought this about; empty when none did."""
    moved = next((event for event in happened if isinstance(event, Moved)), None)
    source, inferred = (moved.source, moved.inferred) if moved else ("camera", False)
    for way in match.legal:
        try:
            if move(match, way, source, inferred) == happened:
                return way
        except Illegal:
            return ""
    return ""


def breach(match: Match, seen: str) -> Breach | None:
    """Why a move as it was seen may not be made; None when it may. Raises BadQuestion when it is no move."""
    try:
        move(match, seen)
    except Illegal as illegal:
        stack = match.game.occupancy(match.position).get(illegal.cells[-1], ()) if illegal.cells else ()
        seats = tuple(dict.fromkeys(seat for seat in stack if seat != match.turn))
        return Breach(seen, illegal.why, illegal.cells, seats, match.legal)
    return None


def undo(match: Match, by: str, why: str = "") -> tuple[Undone]:
    """Take the latest throw or move back, with all that followed. Raises Illegal when there is none."""
    if match.earlier is None:
        raise Illegal(("nothing_to_undo",))
    return (Undone(by, why, _told(match)),)


def recast(match: Match, rightly: Throw, by: str, why: str = "throw corrected") -> tuple[Event, ...]:
    """The latest throw was another: it and the move made with it are taken back, and the right one is booked.

    Raises:
        Illegal: there is none, something else than its move has happened since, or the match is paused.
        BadQuestion: the game has no such throw.
    """
    _played_on(match)
    if match.thrown is None:
        raise Illegal(("nothing_to_undo",))
    events: tuple[Event, ...] = ()
    while True:
        took = undo(match, by, why)
        if not took[0].took:
            raise Illegal(("throw_past",))
        is_throw = isinstance(match.act[0], Thrown)
        events, match = (*events, *took), after(match, took[0])
        if is_throw:
            return (*events, *throw(match, rightly, "hand"))


def redo(match: Match, by: str) -> tuple[Event, ...]:
    """Let what was undone last happen again. Raises Illegal when there is nothing, or something has happened since."""
    if match.undone is None:
        raise Illegal(("nothing_to_redo",))
    return (Redone(by),)


def correct(
    match: Match, pieces: Occupancy, by: str, why: str = "", payments: Iterable[tuple[Account, Account, int]] = ()
) -> tuple[Event, ...]:
    """People agree on what stands where and, perhaps, on stakes that change hands (payer, payee, amount).

    A throw that lies is used up by that, and the turn passes; a throw that is due stays due.

    Args:
        pieces: everything that stands on the board, and under ``home`` what has left it if that number changes.

    Raises:
        Illegal: the match is over or has not begun.
        BadQuestion: pieces or stakes would appear or vanish, cannot stand so, or would end the match.
    """
    if match.phase in ("over", "first"):
        raise Illegal(("over" if match.phase == "over" else "throw_due",))
    assert match.turn is not None
    for cell, stack in pieces.items():
        if not stack and cell != HOME and cell not in match.game.unseen:
            raise BadQuestion(f"pieces: nothing stands on {shown(cell)}: leave it out")
    held = dict(match.ledger.balances)
    paid = []
    for payer, payee, amount in payments:
        for account in (payer, payee):
            if account != POT and account not in match.game.players(match.position):
                raise BadQuestion(f"payments: {account} is not in the match")
        if payer == payee:
            raise BadQuestion("payments: payer and payee are the same")
        # What players owe the bank it has not got: only the rest may be given away.
        owed = sum(-balance for balance in held.values() if balance < 0) if payer == POT else 0
        if held[payer] <= owed:
            raise BadQuestion(f"payments: {payer} has nothing to give")
        whole(amount, "payments", 1, held[payer] - owed)
        held[payer] -= amount
        held[payee] += amount
        paid.append(Paid(payer, payee, amount, ("corrected",)))
    turn = match.game.next_turn(match.position) if match.phase == "move" else match.turn
    used_up = _told(match) if match.phase == "move" else ""
    events: tuple[Event, ...] = (Corrected(by, pieces, why, used_up), *paid, Turn(turn, ("corrected",)))
    agreed = rules.fold(match.game, match.position, events)
    # What the referee would not take as a position when asked, it does not take here.
    match.game.load(match.started.preset, match.game.dump(agreed), match.started.options)
    return events


def pause(match: Match, by: str) -> tuple[Event, ...]:
    """No throw and no move counts until the match is resumed. Raises Illegal when that is so already."""
    if match.paused or match.phase == "over":
        raise Illegal(("paused" if match.paused else "over",))
    return (Noted("paused", {"by": by}),)


def resume(match: Match, by: str) -> tuple[Event, ...]:
    """Play goes on. Raises Illegal when it was not paused."""
    if not match.paused:
        raise Illegal(("not_paused",))
    return (Noted("resumed", {"by": by}),)


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


def _told(match: Match) -> str:
    """The latest act in short, as it is written in a game's text, if it was a throw or a move; else nothing."""
    match match.act:
        case (Thrown(throw=Beans(marks=marks)), *_):
            return str(marks)
        case (Thrown(throw=Dice(values=values)), *_):
            return "-".join(map(str, values))
    return move_made(match.earlier, match.act) if match.earlier else ""


def _played_on(match: Match) -> None:
    if match.paused:
        raise Illegal(("paused",))


def _throw_first(match: Match, throw: Throw, source: Source) -> tuple[Event, ...]:
    assert match.turn is not None
    thrown = Thrown(match.turn, throw, match.game.first_throw_value(throw), source, to_begin=True)
    values = (*match.first, (thrown.seat, thrown.steps))
    if len(values) < len(match.contenders) or len(best(values)) > 1:
        return (thrown,)
    return (thrown, Began(best(values)[0], (match.game.first_rule,)))
