"""`macuil replay`: play a written game or one of the journal again, and say what followed from each throw and move."""

import json
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from referee import match as matches
from referee.events import Event
from referee.notation import dump_event
from referee.notation_game import Record, log, perform, transcribe
from referee.notation_position import PositionText, print_position
from referee.notation_text import parse_game, print_game
from referee.rules import BadQuestion
from server.cli import Refused
from server.folder import default_folder
from server.journal import FILE, MAGIC, JournalRefused, read_game


@dataclass(frozen=True, slots=True)
class Written:
    """One event of a game."""

    event: Event
    at: datetime | None = None
    """When it was booked, as the journal has it; a written game does not say."""


def configure(parser: ArgumentParser) -> None:
    """Name the arguments."""
    add_source(parser)
    parser.add_argument("--json", action="store_true", help="what happened and the position after each act, as JSON")


def add_source(parser: ArgumentParser) -> None:
    """The arguments that say which game."""
    parser.add_argument("source", nargs="?", help="a written game, a journal, or a data folder (default: Macuil's own)")
    parser.add_argument("--game", type=int, metavar="N", help="which game of the journal, from 1 (default: the latest)")


def run(arguments: Namespace) -> int:
    """Play it to its end."""
    try:
        game, events = recorded(arguments.source, arguments.game)
        if arguments.json:
            for act, happened, match in perform(game):
                line = {"act": act.kind, "events": [dump_event(event) for event in happened]}
                print(json.dumps({**line, "position": match.game.dump(match.position)}, ensure_ascii=False))
            return 0
        last, started = matches.replay(written.event for written in events), game.started
        state = last.game.dump(last.position)
        print(print_game(game))
        print(print_position(PositionText(started.game, started.preset, started.options, state)))
    except BadQuestion as error:
        raise Refused(f"{arguments.source or FILE}: {error}") from error
    return 0


def recorded(source: str | None, number: int | None) -> tuple[Record, tuple[Written, ...]]:
    """A game: what people did, and all that happened.

    Args:
        source: a written game, a journal, or a folder with one; None: the data folder of this system.
        number: which game of a journal; None: the latest.

    Raises:
        Refused: it cannot be read, or there is no such game.
        BadQuestion: it is no game, or not everything in it follows from rules that this referee knows.
    """
    path = default_folder() if source is None else Path(source)
    path = path / FILE if path.is_dir() else path
    try:
        with path.open("rb") as file:
            is_journal = file.read(len(MAGIC)) == MAGIC
        if is_journal:
            entries = read_game(path, number)
            return transcribe(entry.event for entry in entries), tuple(Written(line.event, line.at) for line in entries)
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        if source is None:
            kept = default_folder()
            raise Refused(f"no game has been kept yet in {kept}; play one, or name a game or folder") from error
        raise Refused(f"{path}: there is no such file; name a written game or a data folder") from error
    except OSError as error:
        raise Refused(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise Refused(f"{path}: is neither a journal nor a text in UTF-8") from error
    except JournalRefused as error:
        raise Refused(str(error)) from error
    if number is not None:
        raise Refused(f"--game {number}: {path} is one written game, not a journal")
    game = parse_game(text)
    return game, tuple(map(Written, log(game)))
