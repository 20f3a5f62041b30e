"""`macuil export`: write a game as text or JSON, or its stakes as CSV."""

import csv
import io
import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from referee import match as matches
from referee.ledger import POT, Account
from referee.notation import dump_event
from referee.notation_game import Record
from referee.notation_text import print_game
from referee.rules import BadQuestion
from server.cli import Refused
from server.commands.replay import Written, add_source, recorded
from server.new_file import write_new


def configure(parser: ArgumentParser) -> None:
    """Name the arguments."""
    add_source(parser)
    parser.add_argument("--format", choices=sorted(FORMATS), default="text", help="csv: statements of all accounts")
    parser.add_argument("--out", metavar="FILE", help="where to (default: standard output)")


def run(arguments: Namespace) -> int:
    """Write one file, or to standard output."""
    try:
        written = FORMATS[arguments.format](*recorded(arguments.source, arguments.game))
    except BadQuestion as error:
        raise Refused(f"{arguments.source or 'the journal'}: {error}") from error
    if arguments.format == "csv" and written.count("\n") == 1:
        print("macuil export: this game has no stakes", file=sys.stderr)
    if arguments.out is None:
        print(written, end="")
        return 0
    write_new("--out", Path(arguments.out), written.encode())
    print(f"{arguments.out}: written as {arguments.format}")
    return 0


def _text(game: Record, _: Sequence[Written]) -> str:
    return print_game(game)


def _as_json(_: Record, events: Sequence[Written]) -> str:
    """All events as in the journal and when they were booked, one a line."""
    lines = [json.dumps({**dump_event(line.event), "at": _stamp(line.at)}, ensure_ascii=False) for line in events]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _stamp(at: datetime | None) -> str | None:
    return at.isoformat().replace("+00:00", "Z") if at else None


def _csv(_: Record, events: Sequence[Written]) -> str:
    """For each account what came and went and what it then held, oldest first; without stakes nobody has one."""
    match = matches.replay(line.event for line in events)
    accounts: tuple[Account, ...] = (*match.started.seats, POT) if any(match.ledger.opened.values()) else ()
    rows = io.StringIO()
    sheet = csv.writer(rows)
    sheet.writerow(["account", "name", "amount", "other", "why", "balance"])
    for account in accounts:
        name = "" if account == POT else match.started.names.get(account, "")
        for entry in match.ledger.statement(account):
            other = "" if entry.other is None else entry.other
            sheet.writerow([account, name, entry.amount, other, " ".join(entry.why), entry.balance])
    return rows.getvalue()


FORMATS: Mapping[str, Callable[[Record, Sequence[Written]], str]] = {"text": _text, "json": _as_json, "csv": _csv}
