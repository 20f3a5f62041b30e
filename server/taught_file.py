"""What a table was taught, in its data folder: one file for its beans and one for its dice."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from referee.rules import Needs
from server.folder import default_folder
from server.settings import Settings, read_settings
from server.teaching import Figures, Lessons
from vision.taught import FACES, Kind, Taught, net_of
from vision.together import FEATURES

VERSION = 1
ENOUGH_BYTES = 1_000_000


class BadTaught(Exception):
    """A file of what was taught that cannot be used; one line that says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """What was taught, and how that came about."""

    taught: Taught
    at: datetime
    throws: int
    before: Figures
    after: Figures


def add_folder(parser: ArgumentParser) -> None:
    """The arguments that say which table's data folder, for commands that do not referee one."""
    parser.add_argument("--table", type=Path, metavar="TOML", help="settings of the table, for its data folder")
    add_data(parser)


def add_data(parser: ArgumentParser) -> None:
    """The argument that names the data folder itself."""
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="where the table keeps its games and what it was taught"
    )


def table_folder(arguments: Namespace) -> Path:
    """The data folder that ``--data``, else ``--table`` name, else this system's. Raises SettingsError."""
    settings = read_settings(arguments.table) if arguments.table else Settings()
    return arguments.data or settings.data or default_folder()


def path_of(folder: Path, kind: Kind) -> Path:
    """Where it is kept."""
    return folder / f"taught-{kind}.json"


def keep(folder: Path, lessons: Lessons, now: datetime) -> Path:
    """Keep what was taught; what was taught before is set aside. Raises BadTaught."""
    taught = lessons.taught
    path = path_of(folder, taught.kind)
    content = {
        "macuil": "taught",
        "version": VERSION,
        "kind": taught.kind,
        "net": net_of(taught.kind),
        "at": now.astimezone(UTC).isoformat(timespec="seconds"),
        "throws": lessons.before.throws,
        "before": asdict(lessons.before),
        "after": asdict(lessons.after),
        "weights": np.round(taught.weights, 6).tolist(),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Beside it first: a full disk must not cost what was there.
        beside = path.with_name(f"{path.name}.part")
        beside.write_text(json.dumps(content) + "\n", encoding="utf-8")
        forget(folder, (taught.kind,), now)
        beside.replace(path)
    except OSError as error:
        raise BadTaught(f"{path}: cannot be written ({error.strerror})") from error
    return path


def forget(folder: Path, kinds: Sequence[Kind], now: datetime) -> tuple[Path, ...]:
    """Set aside what was taught; returns where to. Raises BadTaught."""
    aside = []
    for path in (path_of(folder, kind) for kind in kinds):
        name = f"{path.name}.forgotten-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
        names = (name, *(f"{name}-{number}" for number in range(2, 100)))
        to = next(free for free in map(path.with_name, names) if not free.exists())
        try:
            path.rename(to)
            aside.append(to)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise BadTaught(f"{path}: cannot be set aside ({error.strerror})") from error
    return tuple(aside)


def remember(folder: Path, kind: Kind) -> Remembered | None:
    """What was taught of one kind; None if nothing was.

    Raises:
        BadTaught: the file is damaged, foreign, of a newer Macuil, or was taught to another net.
    """
    path = path_of(folder, kind)
    try:
        if path.stat().st_size > ENOUGH_BYTES:
            raise ValueError("too large")
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["macuil"] != "taught" or found["kind"] != kind:
            raise ValueError("of something else")
        if found["version"] > VERSION:
            raise BadTaught(f"{path} was written by a newer Macuil: update this one, or teach again")
        remembered = _remembered(kind, found)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadTaught(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadTaught(f"{path} holds nothing that was taught here: teach again, or macuil teach --forget") from error
    if found["net"] != net_of(kind):
        raise BadTaught(f"{path} was taught to another version of the reader: teach again with the same pictures")
    return remembered


def recall(folder: Path, needs: Needs | None) -> tuple[Taught, ...]:
    """What a table was taught of what is thrown, told in a line of standard error; nothing where it cannot be used.

    Args:
        folder: the data folder.
        needs: what is thrown; None: not known.
    """
    kinds: dict[Kind, bool] = {"beans": needs is None or needs.beans > 0, "dice": needs is None or needs.dice > 0}
    known = []
    for kind in (kind for kind, thrown in kinds.items() if thrown):
        try:
            remembered = remember(folder, kind)
        except BadTaught as error:
            print(f"macuil: {error}; until then {kind} are read untaught", file=sys.stderr, flush=True)
            continue
        if remembered:
            when = f"on {remembered.at:%Y-%m-%d} with {remembered.throws} throws"
            print(f"macuil: {kind} are read as taught {when}", file=sys.stderr, flush=True)
            known.append(remembered.taught)
    return tuple(known)


def _remembered(kind: Kind, found: dict[str, Any]) -> Remembered:
    weights = np.asarray(found["weights"], np.float64)
    if weights.shape != (FACES[kind], FEATURES + FACES[kind] + 1) or not np.isfinite(weights).all():
        raise ValueError("weights")
    figures = (Figures(**found["before"]), Figures(**found["after"]))
    return Remembered(Taught(kind, weights), datetime.fromisoformat(found["at"]), int(found["throws"]), *figures)
