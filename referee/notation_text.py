"""Records of games as text, line by line: the pair ``print_game`` and ``parse_game``. See docs/rules.md."""

import json
import re
from collections.abc import Iterator, Mapping

from referee.board import Seat
from referee.events import Began, Captured, Event, Moved, Out, Over, Paid, Source, Started, Turn
from referee.folding import game_of
from referee.ledger import POT, Account
from referee.notation_game import Act, Kind, Record, perform
from referee.questions import fields, parsed, printable, record, shown, whole
from referee.rules import BadQuestion, Needs
from referee.throws import Beans, Dice, Throw

TITLE = "Macuil game 1"
"""First line; the number is that of this format."""
HEADER = ("game", "preset", "rules", "seats", "stakes", "handicap", "options")
ASKED: Mapping[str, Kind] = {
    "undone": "undo",
    "redone": "redo",
    "corrected": "correct",
    "paused": "pause",
    "resumed": "resume",
}
WORDS: Mapping[str, Kind] = {"resigns": "resign", "draw": "draw"}
STRING = json.JSONDecoder()
MOST = 10**9
"""Larger numbers of stakes are no game."""


def print_game(record: Record) -> str:
    """Write a game; what follows from each act stands beside it as a comment. Raises BadQuestion as ``perform``."""
    lines: list[str] = [TITLE, *_header(record.started), ""]
    told: list[Event] = []
    open_seat: Seat | None = None
    for act, events, match in perform(record):
        if act.kind == "move" and act.seat == open_seat:
            lines[-1] += f" {_print_move(act)}"
        else:
            lines.append(_line(act))
            told = []
        told += events
        open_seat = act.seat if act.kind == "throw" and match.phase == "move" else None
        comment = _comment(told)
        if open_seat is None and comment and act.seat is not None:
            lines[-1] = f"{lines[-1]:24}# {comment}"
    return "\n".join(lines) + "\n"


def parse_game(text: str) -> Record:
    """Read a game. Raises BadQuestion naming the line when it is none; whether it can be played, ``perform`` says."""
    lines = [line.rstrip("\r") for line in text.removeprefix("\ufeff").split("\n")]
    if lines[0].strip() != TITLE:
        raise BadQuestion(f"line 1: a game begins with the line {TITLE!a}, not {shown(lines[0])}")
    given: dict[str, str] = {}
    acts: list[Act] = []
    for number, line in enumerate(lines[1:], 2):
        try:
            name, colon, rest = line.partition(":")
            if not line.strip() or line.startswith("#"):
                continue
            if colon and name in HEADER and not acts:
                if name in given:
                    raise BadQuestion(f"{name} is given twice")
                given[name] = rest.strip()
            else:
                acts += _parse_line(line, game_of(given.get("game", "")).needs)
        except BadQuestion as error:
            raise BadQuestion(f"line {number}: {error}") from error
    return Record(_parse_header(given), tuple(acts))


def _header(started: Started) -> Iterator[str]:
    yield f"game: {started.game}"
    yield f"preset: {started.preset}"
    yield f"rules: {started.rules_version}"
    named = [f"{seat} {_quoted(started.names[seat])}" if seat in started.names else f"{seat}" for seat in started.seats]
    yield f"seats: {', '.join(named)}"
    yield f"stakes: {started.stakes}"
    if started.handicap:
        yield f"handicap: {json.dumps({str(seat): stakes for seat, stakes in started.handicap.items()})}"
    if started.options:
        yield f"options: {json.dumps(started.options, ensure_ascii=False)}"


def _parse_header(given: Mapping[str, str]) -> Started:
    fields(dict(given), "header", ("game", "preset", "rules", "seats", "stakes"), HEADER)
    seats, names = _parse_seats(given["seats"])
    return Started(
        given["game"],
        given["preset"],
        _number(given["rules"], "rules"),
        seats,
        names,
        record(parsed(given.get("options", "{}"), "options"), "options"),
        _number(given["stakes"], "stakes"),
        _parse_handicap(given.get("handicap", "{}")),
    )


def _parse_seats(text: str) -> tuple[tuple[Seat, ...], dict[Seat, str]]:
    seats: list[Seat] = []
    names: dict[Seat, str] = {}
    text = f",{text}"
    while text:
        found = re.match(r", *([1-6]) *", text)
        if found is None:
            raise BadQuestion(f'seats: {shown(text.lstrip(", "))} is not written like 1 "Ana", 3 "Beto"')
        seats.append(Seat(int(found[1])))
        text = text[found.end() :]
        if text.startswith('"'):
            names[seats[-1]], text = _string(text)
    return tuple(seats), names


def _parse_handicap(text: str) -> dict[Seat, int]:
    given = record(parsed(text, "handicap"), "handicap")
    return {_seat(seat): whole(stakes, f"handicap.{seat}", 0, MOST) for seat, stakes in given.items()}


def _line(act: Act) -> str:
    match act.kind:
        case "throw":
            return f"{act.seat}: {_print_throw(act)}"
        case "move":
            return f"{act.seat}: {_print_move(act)}"
        case "resign" | "draw":
            return f"{act.seat}: {next(word for word, kind in WORDS.items() if kind == act.kind)}"
        case _:
            word = next(word for word, kind in ASKED.items() if kind == act.kind)
            why = [_quoted(act.why)] if act.why else []
            stacks = [f"{cell}={','.join(map(str, stack))}" for cell, stack in act.pieces.items()]
            paid = [f"{payer}>{payee}:{amount}" for payer, payee, amount in act.payments]
            return " ".join([word, "by", _quoted(act.by), *why, *stacks, *paid])


def _print_throw(act: Act) -> str:
    values = [act.throw.marks] if isinstance(act.throw, Beans) else act.throw.values if act.throw else []
    return "-".join(map(str, values)) + "*" * (act.source == "hand")


def _print_move(act: Act) -> str:
    return act.move + "*" * (act.source == "hand") + "?" * act.inferred


def _parse_line(line: str, needs: Needs) -> list[Act]:
    word, _, rest = line.partition(" ")
    if word in ASKED:
        return [_parse_asked(ASKED[word], rest)]
    found = re.fullmatch(r"([1-6]): *([^#]*?) *(#.*)?", line)
    if found is None:
        raise BadQuestion(f'{shown(line)} is not written like 1: 3 4>7, or like undone by "Ana"')
    seat = Seat(int(found[1]))
    return [_parse_word(seat, text, needs) for text in found[2].split()]


def _parse_word(seat: Seat, text: str, needs: Needs) -> Act:
    if text in WORDS:
        return Act(WORDS[text], seat)
    found = re.fullmatch(r"([^*?]+)(\*?)(\??)", text)
    if found is None:
        raise BadQuestion(f"{shown(text)} is neither a throw nor a move")
    source: Source = "hand" if found[2] else "camera"
    throw = _parse_throw(found[1], needs)
    if throw is None:
        return Act("move", seat, move=found[1], source=source, inferred=bool(found[3]))
    if found[3]:
        raise BadQuestion(f"{shown(text)}: only a move can be inferred, not a throw")
    return Act("throw", seat, throw, source=source)


def _parse_throw(text: str, needs: Needs) -> Throw | None:
    """None for a move: throws are as many numbers, joined by dashes, as there are dice, or one number of marks."""
    if not re.fullmatch(r"[0-9](-[0-9])*", text) or text.count("-") + 1 != (needs.dice or 1):
        return None
    if needs.beans:
        return Beans(int(text), needs.beans)
    return Dice(tuple(sorted(int(value) for value in text.split("-"))))


def _parse_asked(kind: Kind, rest: str) -> Act:
    if not rest.startswith('by "'):
        raise BadQuestion('after undone, redone, corrected, paused or resumed stands by "who"')
    by, rest = _string(rest[3:])
    why, rest = _string(rest) if rest.startswith('"') else ("", rest)
    pieces: dict[str, tuple[Seat, ...]] = {}
    payments: list[tuple[Account, Account, int]] = []
    for word in rest.split():
        placed = re.fullmatch(r"([a-z0-9]+)=((?:[1-6](?:,[1-6])*)?)", word)
        paid = re.fullmatch(r"([1-6]|pot)>([1-6]|pot):([0-9]{1,10})", word)
        if kind != "correct" or not (placed or paid):
            raise BadQuestion(f"{shown(word)} is neither a stack like 4=1 nor a payment like 1>pot:2")
        if placed and placed[1] in pieces:
            raise BadQuestion(f"{placed[1]} is named twice")
        if placed:
            pieces[placed[1]] = tuple(Seat(int(seat)) for seat in placed[2].split(",") if seat)
        if paid:
            payments.append((_account(paid[1]), _account(paid[2]), int(paid[3])))
    return Act(kind, by=by, why=why, pieces=pieces, payments=tuple(payments))


def _comment(events: list[Event]) -> str:
    return "; ".join(dict.fromkeys(filter(None, map(_told, events))))


def _told(event: Event) -> str:
    match event:
        case Began():
            return f"{event.seat} begins"
        case Moved(target="reserve"):
            return f"{event.seat} takes all sticks from the posts"
        case Captured():
            return f"{event.owner} loses a piece on {event.cell}"
        case Paid():
            return f"{event.payer} pays {event.amount} to {event.payee} ({event.why[0]})"
        case Out():
            return f"{event.seat} is out ({event.why[0]})"
        case Turn(again=True):
            return "again"
        case Turn(why=why) if "no_move" in why:
            return "no move"
        case Over():
            return f"{event.winner} wins" if event.winner else "a draw"
        case _:
            return ""


def _account(text: str) -> Account:
    return POT if text == POT else Seat(int(text))


def _seat(text: str) -> Seat:
    if not re.fullmatch(r"[1-6]", text):
        raise BadQuestion(f"{shown(text)} is no seat")
    return Seat(int(text))


def _number(text: str, name: str) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,9}", text):
        raise BadQuestion(f"{name}: {shown(text)} is no whole number")
    return int(text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _string(text: str) -> tuple[str, str]:
    try:
        value, end = STRING.raw_decode(text)
    except ValueError as error:
        raise BadQuestion(f"{shown(text)} does not begin with a text in quotes") from error
    if not isinstance(value, str):
        raise BadQuestion(f"{shown(text)} does not begin with a text in quotes")
    return printable(value, "text"), text[end:].lstrip()
