"""The journal: everything that has happened, on disk before anyone hears of it. Rows are only ever added."""

import contextlib
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from referee.events import Event, Started
from referee.notation import dump_event, load_event
from referee.questions import parsed
from referee.rules import BadQuestion

FILE = "journal.sqlite"
SCHEMA_VERSION = 1
SCHEMA = f"""
BEGIN;
CREATE TABLE event (
    id INTEGER PRIMARY KEY,
    game INTEGER NOT NULL,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL
) STRICT;
CREATE INDEX event_game ON event (game);
CREATE TABLE crop (event INTEGER PRIMARY KEY REFERENCES event (id), jpeg BLOB NOT NULL) STRICT;
CREATE TRIGGER event_is_final BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never edited'); END;
CREATE TRIGGER event_stays BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TRIGGER event_once BEFORE INSERT ON event WHEN EXISTS (SELECT 1 FROM event WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'events are never replaced'); END;
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""
MAGIC = b"SQLite format 3\0"
"""First bytes of every database; the user version stands in bytes 60 to 63 (sqlite.org/fileformat2.html)."""


class JournalRefused(Exception):
    """The journal cannot be opened and must not be touched; one line that says why and what to do."""


class JournalLost(Exception):
    """The disk took no entry: nothing of it has happened."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal."""

    id: int
    """Rising over all games."""
    game: int
    """The number of the match, from 1."""
    at: datetime
    """When it was booked, UTC."""
    event: Event


class Journal:
    """One file of events, written by one process."""

    def __init__(self, folder: Path, *, now: datetime | None = None) -> None:
        """Open or begin the journal of a data folder.

        A broken or empty file is set aside under a name with the time, and ``told`` says so.

        Args:
            folder: the data folder; it must exist.
            now: for the name of a file set aside; the present if None.

        Raises:
            JournalRefused: it was written by a newer Macuil, or cannot be opened. Nothing has been changed.
        """
        self.told = ""
        """One line for the people, when something was set aside; else empty."""
        path = folder / FILE
        plight = _plight(path)
        if plight:
            aside = _set_aside(path, now or datetime.now(UTC))
            self.told = f"The journal {plight}; it was set aside as {aside.name} and a new one begun."
        try:
            # Threads never share it at one time; tests and uvicorn merely open it in another than they use it in.
            self._db = sqlite3.connect(path, check_same_thread=False)
            if _version(self._db) == 0:
                self._db.executescript(SCHEMA)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
        except sqlite3.Error as error:
            raise JournalRefused(f"cannot open the journal {path}: {error}; name another folder with --data") from error

    def append(self, events: Sequence[Event], at: datetime) -> tuple[Entry, ...]:
        """Put events on disk, all or none of them; a ``Started`` opens the next game.

        Returns:
            Their lines, in order.

        Raises:
            JournalLost: the disk took none of them.
            BadQuestion: one of them could not be read back; none is written.
        """
        for event in events:
            if load_event(dump_event(event)) != event:
                raise BadQuestion(f"event: {event} could not be read back")
        try:
            with self._db:
                return tuple(self._insert(event, at) for event in events)
        except sqlite3.Error as error:
            raise JournalLost(f"the journal took nothing: {error}") from error

    def games(self) -> tuple[int, ...]:
        """The numbers of all games, oldest first."""
        return _games(self._db)

    def entries(self, game: int) -> tuple[Entry, ...]:
        """All of one game, oldest first; empty if there is none of that number."""
        return _entries(self._db, game)

    def events(self, game: int) -> tuple[Event, ...]:
        """What has happened in one game."""
        return tuple(entry.event for entry in self.entries(game))

    def current(self) -> tuple[Entry, ...]:
        """The latest game; empty in a new journal."""
        return self.entries(self._game())

    def keep_crop(self, event_id: int, jpeg: bytes) -> None:
        """Keep the picture a throw was read from, once."""
        try:
            with self._db:
                self._db.execute("INSERT OR IGNORE INTO crop (event, jpeg) VALUES (?, ?)", (event_id, jpeg))
        except sqlite3.Error as error:
            raise JournalLost(f"the journal took no picture: {error}") from error

    def has_crop(self, event_id: int) -> bool:
        """Whether a picture was kept."""
        return self._db.execute("SELECT 1 FROM crop WHERE event = ?", (event_id,)).fetchone() is not None

    def crop(self, event_id: int) -> bytes | None:
        """The picture of a throw as JPEG, or None if none was kept."""
        row = self._db.execute("SELECT jpeg FROM crop WHERE event = ?", (event_id,)).fetchone()
        return None if row is None else bytes(row[0])

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def _game(self) -> int:
        return int(self._db.execute("SELECT coalesce(max(game), 0) FROM event").fetchone()[0])

    def _insert(self, event: Event, at: datetime) -> Entry:
        game = self._game() + isinstance(event, Started)
        written = dump_event(event)
        stamp = at.astimezone(UTC).isoformat().replace("+00:00", "Z")
        row = (game, stamp, str(written["event"]), json.dumps(written, ensure_ascii=False))
        insert = "INSERT INTO event (game, at, kind, data) VALUES (?, ?, ?, ?) RETURNING id"
        return Entry(int(self._db.execute(insert, row).fetchone()[0]), game, at, event)


def read_game(path: Path, game: int | None) -> tuple[Entry, ...]:
    """All of one game of a journal that another Macuil may be writing; nothing is written.

    Args:
        path: the journal's file.
        game: its number; None: the latest.

    Raises:
        JournalRefused: it cannot be read, was written by a newer Macuil, or has no such game.
        BadQuestion: an event in it is none.
    """
    try:
        with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            if _version(db) > SCHEMA_VERSION:
                raise JournalRefused(_newer(path, _version(db)))
            games = _games(db)
            if not games or (game is not None and game not in games):
                there = f"there are {games[0]} to {games[-1]}" if games else "there is none in it"
                raise JournalRefused(f"{path}: no such game; {there}")
            return _entries(db, game or games[-1])
    except sqlite3.Error as error:
        raise JournalRefused(f"{path}: the journal cannot be read ({error})") from error


def read_pictured(path: Path, latest: int) -> tuple[tuple[tuple[Entry, ...], ...], dict[int, bytes]]:
    """The latest throws of which a picture was kept, from a journal that another Macuil may be writing.

    Args:
        path: the journal's file.
        latest: how many pictures at most.

    Returns:
        All entries of each game they are of, oldest first; and the pictures, JPEG by the number of their entry.

    Raises:
        JournalRefused: it cannot be read, or was written by a newer Macuil.
        BadQuestion: an event in it is none.
    """
    try:
        with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            if _version(db) > SCHEMA_VERSION:
                raise JournalRefused(_newer(path, _version(db)))
            crops = dict(db.execute("SELECT event, jpeg FROM crop ORDER BY event DESC LIMIT ?", (latest,)))
            games = [game for game in _games(db) if any(entry.id in crops for entry in _entries(db, game))]
            return tuple(_entries(db, game) for game in games), crops
    except sqlite3.Error as error:
        raise JournalRefused(f"{path}: the journal cannot be read ({error})") from error


def _games(db: sqlite3.Connection) -> tuple[int, ...]:
    return tuple(row[0] for row in db.execute("SELECT DISTINCT game FROM event ORDER BY game"))


def _entries(db: sqlite3.Connection, game: int) -> tuple[Entry, ...]:
    rows = db.execute("SELECT id, game, at, data FROM event WHERE game = ? ORDER BY id", (game,))
    return tuple(Entry(id_, number, datetime.fromisoformat(at), _load(data)) for id_, number, at, data in rows)


def _load(data: str) -> Event:
    return load_event(parsed(data, "event"))


def _newer(path: Path, version: int) -> str:
    return (
        f"{path} was written by a newer Macuil (journal {version}, this one knows {SCHEMA_VERSION}); "
        "update this one, or name another folder with --data"
    )


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _plight(path: Path) -> str:
    """Why the file cannot be gone on with; empty when it can, or when there is none."""
    if not path.exists():
        return ""
    try:
        with path.open("rb") as file:
            header = file.read(64)
    except OSError as error:
        raise JournalRefused(
            f"cannot read the journal {path}: {error.strerror}; name another folder with --data"
        ) from error
    if not header:
        return "was empty"
    if not header.startswith(MAGIC):
        return "was broken (no database)"
    # Asking through SQLite could already change the file of a newer Macuil.
    version = int.from_bytes(header[60:64], "big")
    if version > SCHEMA_VERSION:
        raise JournalRefused(_newer(path, version))
    try:
        with contextlib.closing(sqlite3.connect(path)) as db:
            return _damage(db)
    except sqlite3.OperationalError as error:
        raise JournalRefused(f"cannot open the journal {path}: {error}; name another folder with --data") from error
    except sqlite3.DatabaseError as error:
        return f"was broken ({error})"


def _damage(db: sqlite3.Connection) -> str:
    check = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
    if check != "ok":
        return f"was broken ({check})"
    if _version(db) == 0:
        foreign = db.execute("SELECT name FROM sqlite_master LIMIT 1").fetchone()
        return f"was no journal (it holds {foreign[0]})" if foreign else ""
    for id_, data in db.execute("SELECT id, data FROM event WHERE game = (SELECT max(game) FROM event)"):
        try:
            _load(data)
        except (ValueError, KeyError, TypeError, BadQuestion) as error:
            return f"was broken (line {id_} cannot be understood: {error})"
    return ""


def _set_aside(path: Path, now: datetime) -> Path:
    name = f"{path.name}.broken-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    names = (name, *(f"{name}-{number}" for number in range(2, 100)))
    aside = next(free for free in map(path.with_name, names) if not free.exists())
    for part in ("-wal", "-shm", ""):
        source = path.with_name(path.name + part)
        if source.exists():
            source.rename(aside.with_name(aside.name + part))
    return aside
