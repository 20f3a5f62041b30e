"""What people ask for at a page, as events: the same rules as for what the camera sees."""

from collections.abc import Mapping

from referee import match as matches
from referee.board import Occupancy, Seat
from referee.events import Event
from referee.ledger import POT, Account
from referee.match import Match
from referee.questions import fields, items, record, shown, text, whole
from referee.rules import BadQuestion, Illegal
from referee.throws import Beans, Throw

LONGEST = 200
"""Characters of what people write into the log."""
SEATS = {str(number): Seat(number) for number in range(1, 7)}
ARGUMENTS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "undo": ((), ("why",)),
    "redo": ((), ()),
    "throw": ((), ("marks", "dice")),
    "recast": (("throw",), ("marks", "dice", "why")),
    "move": (("move",), ()),
    "accept": ((), ("why",)),
    "correct": (("pieces",), ("payments", "why")),
    "resign": (("seat",), ()),
    "draw": (("seat",), ()),
    "pause": ((), ()),
    "resume": ((), ()),
}
"""What each command must and may name, beside its ``type`` and ``by`` whom."""


class BadCommand(Exception):
    """The command cannot be carried out; one line for people."""


def wished(
    match: Match, command: Mapping[str, object], seen: Occupancy | None, thrown: int | None
) -> tuple[Event, ...]:
    """The events of a command.

    Args:
        match: as it stands.
        command: its ``type`` and arguments, ``by`` whom.
        seen: what the camera saw on the board last; None: nothing yet.
        thrown: the number of the latest throw that stands, which alone can be corrected.

    Raises:
        BadCommand: it cannot be done now, or is not understood.
    """
    kind = command.get("type")
    if not isinstance(kind, str) or kind not in ARGUMENTS:
        raise BadCommand(f"unknown command {shown(kind)}; there are {', '.join(ARGUMENTS)}, throw_again and new_game")
    try:
        required, optional = ARGUMENTS[kind]
        given = fields(dict(command), kind, ("type", *required), ("by", *optional))
        return _events(match, kind, given, seen, thrown)
    except Illegal as error:
        raise BadCommand(f"the rules do not allow that now ({', '.join(error.why)})") from error
    except BadQuestion as error:
        raise BadCommand(str(error)) from error


def seat_of(value: object, path: str) -> Seat:
    """A seat as pages write it, ``"1"`` to ``"6"``. Raises BadQuestion naming the field."""
    if not isinstance(value, str) or value not in SEATS:
        raise BadQuestion(f'{path}: must be a seat from "1" to "6", not {shown(value)}')
    return SEATS[value]


def written(value: object, path: str) -> str:
    """What a person wrote, at most ``LONGEST`` characters. Raises BadQuestion naming the field."""
    if len(text(value, path)) > LONGEST:
        raise BadQuestion(f"{path}: is longer than {LONGEST} characters")
    return text(value, path)


def _events(
    match: Match, kind: str, given: Mapping[str, object], seen: Occupancy | None, thrown: int | None
) -> tuple[Event, ...]:
    by, why = written(given.get("by", "referee"), "by"), written(given.get("why", ""), "why")
    match kind:
        case "undo":
            return matches.undo(match, by, why)
        case "redo":
            return matches.redo(match, by)
        case "throw" if match.phase == "move":  # one lies already: it is corrected
            return matches.recast(match, _throw(match, given), by)
        case "throw":
            return matches.throw(match, _throw(match, given), "hand")
        case "recast":
            if given["throw"] != thrown:
                raise BadQuestion(f"throw: {shown(given['throw'])} is not the latest throw: undo step by step instead")
            return matches.recast(match, _throw(match, given), by, why or "throw corrected")
        case "move":
            return matches.move(match, text(given["move"], "move"), "hand")
        case "accept":
            if seen is None:
                raise BadCommand("the board has not been read yet: wait until it rests, or enter the move by hand")
            return matches.correct(match, seen, by, why or "accepted as seen")
        case "correct":
            return matches.correct(match, _pieces(given["pieces"]), by, why, _payments(given.get("payments", [])))
        case "resign" | "draw":
            act = matches.resign if kind == "resign" else matches.draw
            return act(match, seat_of(given["seat"], "seat"))
        case "pause":
            return matches.pause(match, by)
    return matches.resume(match, by)


def by_hand(entered: str | Throw) -> dict[str, object]:
    """The command that enters a move or a throw."""
    if isinstance(entered, str):
        return {"type": "move", "move": entered}
    if isinstance(entered, Beans):
        return {"type": "throw", "marks": entered.marks}
    return {"type": "throw", "dice": list(entered.values)}


def _throw(match: Match, given: Mapping[str, object]) -> Throw:
    value = {key: given[key] for key in ("marks", "dice") if key in given}
    return match.game.load_throw(match.position, value)


def _pieces(value: object) -> Occupancy:
    return {
        cell: tuple(sorted(seat_of(seat, f"pieces.{cell}") for seat in items(stack, f"pieces.{cell}")))
        for cell, stack in record(value, "pieces").items()
    }


def _payments(value: object) -> list[tuple[Account, Account, int]]:
    paid = []
    for number, entry in enumerate(items(value, "payments")):
        path = f"payments.{number}"
        given = fields(entry, path, ("payer", "payee", "amount"))
        payer, payee = (
            POT if given[who] == POT else seat_of(given[who], f"{path}.{who}") for who in ("payer", "payee")
        )
        paid.append((payer, payee, whole(given["amount"], f"{path}.amount", 1, 10**9)))
    return paid
