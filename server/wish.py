"""What people ask for at a page, as events: the same rules as for what the camera sees."""

from collections.abc import Mapping

from referee import match as matches
from referee.board import Occupancy, Seat
from referee.events import Event
from referee.match import Match
from referee.rules import BadQuestion, Illegal
from referee.throws import Throw


class BadCommand(Exception):
    """The command cannot be carried out; one line for people."""


def wished(match: Match, command: Mapping[str, object], seen: Occupancy | None) -> tuple[Event, ...]:
    """The events of a command.

    Args:
        match: as it stands.
        command: its ``type`` and arguments, ``by`` whom.
        seen: what the camera saw on the board last; None: nothing yet.

    Raises:
        BadCommand: it cannot be done now, or is not understood.
    """
    by = str(command.get("by", "referee"))
    try:
        match command:
            case {"type": "undo"}:
                return matches.undo(match, by, str(command.get("why", "")))
            case {"type": "redo"}:
                return matches.redo(match, by)
            case {"type": "throw"}:
                return _throw(match, command, by)
            case {"type": "recast"}:
                return matches.recast(match, _read(match, command), by)
            case {"type": "move", "move": str(move)}:
                return matches.move(match, move, "hand")
            case {"type": "accept"}:
                if seen is None:
                    raise BadCommand("the board has not been read yet: wait until it rests, or enter the move by hand")
                return matches.correct(match, seen, by, "accepted as seen")
            case {"type": "resign", "seat": seat} if str(seat).isdecimal():
                return matches.resign(match, Seat(int(str(seat))))
            case {"type": "draw", "seat": seat} if str(seat).isdecimal():
                return matches.draw(match, Seat(int(str(seat))))
            case {"type": "pause"}:
                return matches.pause(match, by)
            case {"type": "resume"}:
                return matches.resume(match, by)
    except Illegal as error:
        raise BadCommand(f"the rules do not allow that now ({', '.join(error.why)})") from error
    except BadQuestion as error:
        raise BadCommand(str(error)) from error
    raise BadCommand(f"unknown command {command.get('type')!r}")


def _throw(match: Match, command: Mapping[str, object], by: str) -> tuple[Event, ...]:
    """A throw entered by hand; where one lies already it is corrected."""
    throw = _read(match, command)
    return matches.recast(match, throw, by) if match.phase == "move" else matches.throw(match, throw, "hand")


def _read(match: Match, command: Mapping[str, object]) -> Throw:
    value = {key: command[key] for key in ("marks", "dice") if key in command}
    return match.game.load_throw(match.position, value)
