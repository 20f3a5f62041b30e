"""Whole games as text that a person can read, write and mail; ``parse_game`` reads what ``print_game`` writes.

A game is what people did (``Act``): throws, moves, and what they asked of the referee. All that follows from it is the
rules' affair and stands in comments. ``transcribe`` finds the acts behind a log, ``perform`` makes a log of them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Literal

from referee import match as matches
from referee.board import Occupancy, Seat
from referee.events import (
    Corrected,
    Event,
    Moved,
    Noted,
    Objected,
    Offered,
    Over,
    Paid,
    Redone,
    Source,
    Started,
    Thrown,
    Turn,
    Undone,
)
from referee.ledger import Account
from referee.match import Match
from referee.rules import BadQuestion, Illegal
from referee.throws import Throw

Kind = Literal["throw", "move", "resign", "draw", "undo", "redo", "correct", "pause", "resume"]


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that people did. Only fields of its kind are set."""

    kind: Kind
    seat: Seat | None = None
    """Who threw, moved, resigned, or offered or accepted a draw."""
    throw: Throw | None = None
    move: str = ""
    source: Source = "camera"
    inferred: bool = False
    by: str = ""
    """Who asked for an undo, a redo, a correction or a pause."""
    why: str = ""
    pieces: Occupancy = field(default_factory=dict)
    payments: tuple[tuple[Account, Account, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A game: how it was begun and what people did."""

    started: Started
    acts: tuple[Act, ...] = ()


def perform(record: Record) -> Iterator[tuple[Act, tuple[Event, ...], Match]]:
    """Play a record: each act, what happened, and the match after it.

    Raises:
        BadQuestion: it cannot have been played like that; names the act by its number.
    """
    match = matches.begin(record.started)
    for number, act in enumerate(record.acts, 1):
        try:
            if act.seat not in (None, match.turn) and act.kind in ("throw", "move"):
                raise BadQuestion(f"it is the turn of seat {match.turn}, not {act.seat}")
            events = _events(match, act)
        except (Illegal, BadQuestion) as error:
            raise BadQuestion(f"act {number} ({act.kind} {act.move}".rstrip() + f"): {error}") from error
        match = reduce(matches.after, events, match)
        yield act, events, match


def log(record: Record) -> tuple[Event, ...]:
    """Everything that happened in a recorded game. Raises BadQuestion as ``perform``."""
    return (record.started, *(event for _, events, _ in perform(record) for event in events))


def transcribe(events: Iterable[Event]) -> Record:
    """The acts behind a log. What the table noted and objected to, and how beans lay, is left out.

    Raises:
        BadQuestion: it is no log, or something in it does not follow from the rules.
    """
    left = [_bare(event) for event in events if not _is_aside(event)]
    started = left.pop(0) if left else None
    if not isinstance(started, Started):
        raise BadQuestion("event: a log begins with the start of the match")
    match, acts = matches.begin(started), []
    while left:
        try:
            act = _act(match, left)
            happened = _events(match, act)
        except Illegal as error:
            raise BadQuestion(f"event: {left[0]} does not follow from the rules ({error})") from error
        if tuple(left[: len(happened)]) != tuple(map(_bare, happened)):
            raise BadQuestion(f"event: {left[0]} does not follow from the rules")
        acts.append(act)
        match = reduce(matches.after, happened, match)
        del left[: len(happened)]
    return Record(started, tuple(acts))


def _events(match: Match, act: Act) -> tuple[Event, ...]:
    match act.kind:
        case "throw":
            assert act.throw is not None
            return matches.throw(match, act.throw, act.source)
        case "move":
            return matches.move(match, act.move, act.source, act.inferred)
        case "resign" | "draw":
            assert act.seat is not None
            return (matches.resign if act.kind == "resign" else matches.draw)(match, act.seat)
        case "undo":
            return matches.undo(match, act.by, act.why)
        case "redo":
            return matches.redo(match, act.by)
        case "correct":
            return matches.correct(match, act.pieces, act.by, act.why, act.payments)
        case "pause":
            return matches.pause(match, act.by)
        case "resume":
            return matches.resume(match, act.by)


def _act(match: Match, left: list[Event]) -> Act:
    """The act that brought about the first of these events."""
    match left[0]:
        case Thrown() as thrown:
            return Act("throw", thrown.seat, thrown.throw, source=thrown.source)
        case Offered() as offered:
            return Act("draw", offered.seat)
        case Undone() as undone:
            return Act("undo", by=undone.by, why=undone.why)
        case Redone() as redone:
            return Act("redo", by=redone.by)
        case Noted(what="paused" | "resumed") as noted:
            return Act("pause" if noted.what == "paused" else "resume", by=str(noted.args.get("by", "")))
        case Corrected() as corrected:
            batch = _batch(left)
            paid = tuple((event.payer, event.payee, event.amount) for event in batch if isinstance(event, Paid))
            return Act("correct", by=corrected.by, why=corrected.why, pieces=corrected.pieces, payments=paid)
        case _:
            return _move_or_resignation(match, _batch(left))


def _move_or_resignation(match: Match, batch: tuple[Event, ...]) -> Act:
    move = matches.move_made(match, batch)
    if move:
        moved = next((event for event in batch if isinstance(event, Moved)), None)
        source: Source = moved.source if moved else "camera"
        return Act("move", match.turn, move=move, source=source, inferred=bool(moved and moved.inferred))
    for seat in match.game.players(match.position):
        try:
            if matches.resign(match, seat) == batch:
                return Act("resign", seat)
        except Illegal:
            continue
    raise BadQuestion(f"event: {batch[0]} does not follow from the rules")


def _batch(left: list[Event]) -> tuple[Event, ...]:
    last = next((number for number, event in enumerate(left) if isinstance(event, Turn | Over)), len(left) - 1)
    return tuple(left[: last + 1])


def _is_aside(event: Event) -> bool:
    return isinstance(event, Objected) or (isinstance(event, Noted) and event.what not in ("paused", "resumed"))


def _bare(event: Event) -> Event:
    """Without what is told beside the facts: how beans lay, what was taken back."""
    match event:
        case Thrown():
            return replace(event, lay=())
        case Undone() | Corrected():
            return replace(event, took="")
    return event
