"""`macuil replay`: play a written game or one of the journal again, and say what followed from each throw and move."""

import contextlib
import json
import sqlite3
from argparse import ArgumentParser, Namespace
from pathlib import Path

from referee import match as matches
from referee.events import Event
from referee.notation import dump_event, load_event
from referee.notation_game import log, perform, transcribe
from referee.notation_position import PositionText, print_position
from referee.notation_text import parse_game, print_game
from referee.rules import BadQuestion
from server.cli import Refused
from server.folder import default_folder
from server.journal import FILE, MAGIC


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
        events = recorded(arguments.source, arguments.game)
        game = transcribe(events)
        if arguments.json:
            for act, happened, match in perform(game):
                line = {"act": act.kind, "events": [dump_event(event) for event in happened]}
                print(json.dumps({**line, "position": match.game.dump(match.position)}, ensure_ascii=False))
            return 0
        last, started = matches.replay(events), game.started
        state = last.game.dump(last.position)
        print(print_game(game))
        print(print_position(PositionText(started.game, started.preset, started.options, state)))
    except BadQuestion as error:
        raise Refused(f"{arguments.source or FILE}: {error}") from error
    return 0


def recorded(source: str | None, number: int | None) -> tuple[Event, ...]:
    """What happened in a game.

    Args:
        source: a written game, a journal, or a folder with one; None: the data folder of this system.
        number: which game of a journal; None: the latest.

    Raises:
        Refused: it cannot be read, or there is no such game.
        BadQuestion: it is no game, or was not played by the rules this referee knows.
    """
    path = default_folder() if source is None else Path(source)
    path = path / FILE if path.is_dir() else path
    try:
        with path.open("rb") as file:
            is_journal = file.read(len(MAGIC)) == MAGIC
        if is_journal:
            return _from_journal(path, number)
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise Refused(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise Refused(f"{path}: is neither a journal nor a text in UTF-8") from error
    except sqlite3.Error as error:
        raise Refused(f"{path}: the journal cannot be read ({error})") from error
    if number is not None:
        raise Refused(f"--game {number}: {path} is one written game, not a journal")
    return log(parse_game(text))


def _from_journal(path: Path, number: int | None) -> tuple[Event, ...]:
    """Read without writing: the Macuil that keeps this journal may be running."""
    with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
        games = [row[0] for row in db.execute("SELECT DISTINCT game FROM event ORDER BY game")]
        if not games or (number is not None and number not in games):
            there = f"there are {games[0]} to {games[-1]}" if games else "there is none in it"
            raise Refused(f"{path}: no such game; {there}")
        rows = db.execute("SELECT data FROM event WHERE game = ? ORDER BY id", (number or games[-1],)).fetchall()
    return tuple(load_event(_json(data)) for (data,) in rows)


def _json(data: str) -> object:
    try:
        return json.loads(data)
    except ValueError as error:
        raise BadQuestion(f"event: a line of the journal is no JSON: {error}") from error
