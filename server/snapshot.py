"""The whole state as people see it, derived anew each time, so that a page that slept is right at once."""

from collections.abc import Mapping
from datetime import UTC
from typing import Any

from referee import match as matches
from referee import rules
from referee.board import Seat
from referee.events import (
    HOME,
    RESERVE,
    Began,
    Captured,
    Corrected,
    Event,
    Moved,
    Noted,
    Objected,
    Offered,
    Out,
    Over,
    Paid,
    Redone,
    Started,
    Thrown,
    Turn,
    Undone,
)
from referee.match import Match
from referee.throws import Beans, Throw
from server.journal import Entry
from server.table import VOID, Table
from server.unwatched import unwatched
from vision.throws import NEEDED_PX

COLOURS: Mapping[int, str] = {1: "jade", 2: "maize", 3: "coral", 4: "indigo", 5: "obsidian", 6: "bone"}
LOG_LINES = 60
PASS = "pass"

Json = dict[str, Any]


def snapshot(table: Table, *, ended: bool = False) -> Json:
    """Everything but the camera, the overlay and the strip, which their owners add.

    Args:
        table: what people see of it.
        ended: whether it is watched through a recording that has ended.
    """
    match = table.match
    blind = unwatched(table, ended=ended)
    message = _message(table, blind)
    return {
        "version": table.version,
        "layout": table.layout.name,
        "seen": {"state": "ended", "plights": []} if ended else {"state": table.state, "plights": list(table.plights)},
        "message": message,
        "doubtful": _doubtful(table) if message["key"] == f"plight_{table.plight}" else None,
        "unwatched": blind if table.by_hand else None,
        "objection": _objection(table),
        "log": [_line(entry) for entry in table.entries[-LOG_LINES:]],
        **(_match(table, match) if match else {"phase": "setup", "turn": None, "seats": [], "pieces": {}, "legal": []}),
    }


def _message(table: Table, blind: str | None) -> Json:
    """What to do next, as a key and its arguments."""
    match = table.match
    if match and match.phase == "over":
        winner = match.position.over
        return _say("draw") if winner == "draw" else _say("over", seat=winner)
    if match and match.paused:
        return _say("paused", seat=_seat(match.turn))
    if blind:
        return _due(match) if match and table.by_hand else _say(blind)
    if match is None:
        return _say("setup")
    if "learning" in table.plights:
        return _say("learning")
    if table.objection:
        put_back = table.objection.key in ("illegal", "position")
        return _say("put_back" if put_back else table.objection.key, seat=_seat(match.turn))
    if not table.tidy:
        return _say("set_right", cells=_differing(table))
    if table.plight == "small":
        needed = NEEDED_PX["beans" if match.game.needs.beans else "dice"]
        px = int(table.doubtful.length_px)  # never as many as are needed
        return _say("plight_small", seat=_seat(match.turn), px=px, needed=round(needed))
    if table.plight:
        return _say(f"plight_{table.plight}", seat=_seat(match.turn))
    return _due(match)


def _due(match: Match) -> Json:
    """What the player whose turn it is may do now."""
    seat = _seat(match.turn)
    if match.phase != "move":
        return _say("throw_or_pass" if match.legal else match.phase, seat=seat)
    ways = [_legal(move) for move in match.legal]
    if len(ways) == 1 and ways[0]["from"] == RESERVE and ways[0]["to"]:
        return _say("enter", seat=seat, target=ways[0]["to"])
    return _say("move_or_pass" if PASS in match.legal else "move", seat=seat, steps=_steps(match))


def _match(table: Table, match: Match) -> Json:
    position: Json = match.game.dump(match.position)
    players = position["players"]
    over = match.position.over
    return {
        "game": match.started.game,
        "preset": match.started.preset,
        "needs": {"beans": match.game.needs.beans, "dice": match.game.needs.dice},
        "phase": match.phase,
        "turn": _seat(match.turn),
        "winner": over,
        "paused": match.paused,
        "seats": [_player(match, seat, players.get(str(seat))) for seat in match.started.seats],
        "pot": position.get("pot"),
        "dropped": position.get("dropped"),
        "pieces": {cell: [str(seat) for seat in stack] for cell, stack in table.booked.items()},
        "legal": [] if match.paused else [_legal(move) for move in match.legal],
        "throw": _throw(table.last_throw, match),
        "undo": _line(table.latest) if table.latest else None,
    }


def _player(match: Match, seat: Seat, player: Json | None) -> Json:
    """A player who is out is no longer in the position. What waits in a hand or beside the board is the reserve."""
    counted = player or {"reserve": 0, "home": 0, "stakes": 0 if match.started.stakes else None}
    return {
        "seat": str(seat),
        "name": match.started.names.get(seat, ""),
        "colour": COLOURS[seat],
        "reserve": counted.get("reserve", counted.get("sticks")),
        "home": counted.get("home"),
        "stakes": counted.get("stakes"),
        "out": player is None,
    }


def _throw(entry: Entry | None, match: Match) -> Json | None:
    if entry is None or not isinstance(entry.event, Thrown):
        return None
    event = entry.event
    beans = isinstance(event.throw, Beans)
    lying = [
        {"x": lie.x, "y": lie.y, **({"angle": lie.angle_deg, "face": lie.face} if beans else {"value": int(lie.face)})}
        for lie in event.lay
    ]
    return {
        "id": entry.id,
        "seat": str(event.seat),
        "kind": "beans" if beans else "dice",
        **_count(event.throw),
        "steps": event.steps,
        "to_begin": event.to_begin,
        "source": event.source,
        "why": _why(match),
        "beans": lying if beans else [],
        "dice": [] if beans else lying,
    }


def _doubtful(table: Table) -> Json:
    """What the throw in a plight was taken for.

    Whether it counts once it is told what lies there, or is to be thrown again; its count or values only where it
    counts and all of it was made out.
    """
    assert table.match is not None
    seen, needs = table.doubtful, table.match.game.needs
    beans, dice = [bean.face for bean in seen.beans], [die.value for die in seen.dice]
    counts = table.plight not in VOID
    made_out = counts and len(beans) == needs.beans and len(dice) == needs.dice
    return {
        "kind": "beans" if needs.beans else "dice",
        "counts": counts,
        "marked": seen.marked if made_out and beans and "unsure" not in beans else None,
        "dice_values": dice if made_out and None not in dice else [],
        "beans": [
            {"x": bean.place_xy[0], "y": bean.place_xy[1], "angle": bean.angle_deg, "face": bean.face}
            for bean in seen.beans
            if bean.place_xy
        ],
        "dice": [{"x": die.place_xy[0], "y": die.place_xy[1], "value": die.value} for die in seen.dice if die.place_xy],
    }


def _why(match: Match) -> list[str]:
    """The rules by which something has followed from the latest throw so far."""
    if match.thrown and match.thrown.to_begin:
        return [match.game.first_rule]
    return rules.why(match.act) if match.act and isinstance(match.act[0], Thrown | Moved) else []


def _objection(table: Table) -> Json | None:
    objection = table.objection
    if objection is None or table.match is None:
        return None
    breach = matches.breach(table.match, objection.seen) if objection.seen and objection.why else None
    return {
        "key": objection.key,
        "args": {
            "seat": _seat(table.match.turn),
            "seen": objection.seen,
            "rule": list(objection.why),
            "cell": breach.cells[-1] if breach and breach.cells else None,
            "owner": _seat(next(iter(breach.seats), None)) if breach else None,
            "legal": list(breach.legal) if breach else [],
        },
        "cells": list(objection.cells),
        "ways": ["accept", "enter"],
    }


def _line(entry: Entry) -> Json:
    key, args = _words(entry.event)
    return {"id": entry.id, "at": entry.at.astimezone(UTC).isoformat().replace("+00:00", "Z"), "key": key, "args": args}


def _words(event: Event) -> tuple[str, Json]:
    """An event as a key and arguments; sentences are made where the language is known."""
    match event:
        case Started():
            return "started", {"game": event.game, "preset": event.preset}
        case Thrown():
            lies = _count(event.throw) if isinstance(event.throw, Beans) else {"dice": list(event.throw.values)}
            return "thrown", {"seat": str(event.seat), "steps": event.steps, **lies}
        case Began():
            return "began", {"seat": str(event.seat)}
        case Moved():
            key = {RESERVE: "entered"}.get(event.origin, {HOME: "left"}.get(event.target, "moved"))
            return key, {"seat": str(event.seat), "origin": event.origin, "target": event.target}
        case Captured():
            return "captured", {"owner": str(event.owner), "by": str(event.by), "cell": event.cell}
        case Paid():
            why = next(iter(event.why), "")
            return "paid", {"payer": str(event.payer), "payee": str(event.payee), "amount": event.amount, "why": why}
        case Out():
            return "resigned" if "resigned" in event.why else "out", {"seat": str(event.seat)}
        case Turn():
            # Without a reason another throw is no duty: in Batok a player may pass instead.
            again = "again" if event.why else "may_throw_again"
            return again if event.again else "turn_passed", {"seat": str(event.seat)}
        case Over():
            return ("over", {"seat": str(event.winner)}) if event.winner else ("draw", {})
        case Offered():
            return "offered", {"seat": str(event.seat)}
        case Objected():
            rule = next(iter(event.why), "")
            return "objected", {"seat": _seat(event.seat), "seen": event.seen, "rule": rule}
        case Noted():
            return f"noted_{event.what}", dict(event.args)
        case Undone():
            return "undone", {"by": event.by, "why": event.why, "took": event.took}
        case Redone():
            return "redone", {"by": event.by}
        case Corrected():
            return "corrected", {"by": event.by, "why": event.why, "took": event.took}


def _legal(move: str) -> Json:
    """One legal move: from where to where, and the cells onto which something is put; Batok's come from the hand."""
    origin, arrow, target = move.partition(">")
    if arrow:
        return {"move": move, "from": origin, "to": target, "cells": [] if target == HOME else [target]}
    cells = [] if move == PASS else list(dict.fromkeys(move.split(",")))
    return {"move": move, "from": RESERVE if cells else "", "to": "", "cells": cells}


def _differing(table: Table) -> str:
    cells = {cell for cell in {*table.booked, *table.standing} if table.booked.get(cell) != table.standing.get(cell)}
    return ", ".join(sorted(cells, key=lambda cell: (len(cell), cell)))


def _steps(match: Match) -> int:
    return match.game.steps(match.position, match.throw) if match.throw else 0


def _count(throw: Throw) -> Json:
    return {"marked": throw.marks} if isinstance(throw, Beans) else {"dice_values": list(throw.values)}


def _seat(seat: Seat | None) -> str | None:
    return None if seat is None else str(seat)


def _say(key: str, **args: object) -> Json:
    return {"key": key, "args": args}
