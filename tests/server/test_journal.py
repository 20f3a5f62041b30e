"""The journal: on disk before anyone hears of it, and never edited."""

import os
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.board import Seat
from referee.events import Moved, Noted, Paid, Started, Thrown, Turn, Undone
from referee.throws import Beans
from server.journal import FILE, Entry, Journal, JournalLost, JournalRefused

AT = datetime(2026, 11, 30, 12, 0, 5, tzinfo=UTC)
START = Started("patolli", "classic", 1, (Seat(1), Seat(3)), {Seat(1): "Ana", Seat(3): "Бен"}, {}, 20)
THROW = Thrown(Seat(1), Beans(1), 1)
MOVE = (Moved(Seat(1), "reserve", "1", ("enter",)), Turn(Seat(3)))

WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from referee.board import Seat
from referee.events import Noted, Started
from server.journal import Journal
journal = Journal(Path(sys.argv[1]))
if not journal.games():
    journal.append([Started("patolli", "classic", 1, (Seat(1), Seat(3)), {}, {}, 20)], datetime.now(UTC))
number = len(journal.current()) // 3
while True:
    number += 1
    journal.append([Noted("light", {"number": number, "part": part}) for part in range(3)], datetime.now(UTC))
    print(number, flush=True)
"""


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    lines = (*journal.append([START, THROW], AT), *journal.append(MOVE, AT), *journal.append([START], AT))
    assert [(line.id, line.game) for line in lines] == [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2)]
    journal.close()
    again = Journal(tmp_path)
    assert again.games() == (1, 2)
    assert again.entries(1) == lines[:4]
    assert again.events(1) == (START, THROW, *MOVE)
    assert again.events(3) == ()
    assert again.current() == (Entry(5, 2, AT, START),)
    assert again.told == ""
    again.close()


def test_a_new_journal_has_no_game(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    assert (journal.games(), journal.current()) == ((), ())
    journal.close()


def test_all_or_nothing(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append([START], AT)

    with pytest.raises(TypeError):
        journal.append([THROW, Noted("light", {"x": object()})], AT)  # type: ignore[dict-item]
    assert journal.events(1) == (START,)
    journal.close()


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        ("UPDATE event SET data = '{}'", "events are never edited"),
        ("DELETE FROM event", "events are never deleted"),
        ("REPLACE INTO event (id, game, at, kind, data) VALUES (1, 1, '', '', '{}')", "events are never replaced"),
    ],
)
def test_no_row_is_ever_changed(tmp_path: Path, edit: str, why: str) -> None:
    journal = Journal(tmp_path)
    journal.append([START, Paid(Seat(1), "pot", 1, ("R-TRI",)), Undone("referee")], AT)
    journal.close()
    db = sqlite3.connect(tmp_path / FILE)
    with pytest.raises(sqlite3.IntegrityError, match=why):
        db.execute(edit)
    db.close()
    again = Journal(tmp_path)
    assert again.events(1) == (START, Paid(Seat(1), "pot", 1, ("R-TRI",)), Undone("referee"))
    again.close()


def test_the_disk_is_told_to_mean_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)
    journal.close()


def test_a_full_disk_books_nothing(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append([START], AT)
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(JournalLost, match="full"):
        journal.append([THROW] * 500, AT)
    assert journal.events(1) == (START,)
    journal.close()


def test_a_crop_is_kept_with_its_throw(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    throw = journal.append([START, THROW], AT)[1]
    journal.keep_crop(throw.id, b"\xff\xd8first")
    journal.keep_crop(throw.id, b"\xff\xd8second")
    assert (journal.crop(throw.id), journal.crop(99)) == (b"\xff\xd8first", None)
    journal.close()


def test_the_journal_of_a_newer_macuil_is_left_alone(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append([START], AT)
    journal.close()
    db = sqlite3.connect(tmp_path / FILE)
    db.execute("PRAGMA user_version = 7")
    db.close()
    before = bytes_of(tmp_path)
    with pytest.raises(JournalRefused, match=r"written by a newer Macuil \(journal 7, this one knows 1\)"):
        Journal(tmp_path)
    assert bytes_of(tmp_path) == before


def spoil_nothing(path: Path) -> None:
    path.write_bytes(b"")


def spoil_text(path: Path) -> None:
    path.write_bytes(b"this was a journal once, and a long one" * 20)


def spoil_head(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100])


def spoil_pages(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + os.urandom(len(whole) - 4096))


def spoil_line(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("INSERT INTO event (game, at, kind, data) VALUES (1, '', 'Moved', '{\"cut')")
    db.commit()
    db.close()


def spoil_owner(path: Path) -> None:
    path.unlink()
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE photographs (id)")
    db.close()


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (spoil_nothing, "was empty"),
        (spoil_text, "was broken (no database)"),
        (spoil_head, "was broken (database disk image is malformed)"),
        (spoil_pages, "was broken ("),
        (spoil_line, "was broken (line 3 cannot be understood: "),
        (spoil_owner, "was no journal (it holds photographs)"),
    ],
)
def test_a_spoilt_journal_is_set_aside_and_told(tmp_path: Path, spoil: object, told: str) -> None:
    assert callable(spoil)
    journal = Journal(tmp_path)
    journal.append([START, THROW], AT)
    journal.close()
    spoil(tmp_path / FILE)
    spoilt = (tmp_path / FILE).read_bytes()
    fresh = Journal(tmp_path, now=AT)
    aside = f"{FILE}.broken-20261130T120005Z"
    assert fresh.told.startswith(f"The journal {told}")
    assert fresh.told.endswith(f"it was set aside as {aside} and a new one begun.")
    assert (fresh.games(), (tmp_path / aside).read_bytes()) == ((), spoilt)
    fresh.append([START], AT)
    fresh.close()
    again = Journal(tmp_path)
    assert (again.told, again.events(1)) == ("", (START,))
    again.close()


def test_two_spoilt_journals_of_one_second_are_both_kept(tmp_path: Path) -> None:
    for text in (b"one", b"two"):
        (tmp_path / FILE).write_bytes(text)
        Journal(tmp_path, now=AT).close()
    assert sorted(path.read_bytes() for path in tmp_path.glob("*.broken-*")) == [b"one", b"two"]


def test_a_folder_in_its_place_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(JournalRefused, match="cannot read the journal"):
        Journal(tmp_path)


def test_nothing_acknowledged_is_lost_when_the_writer_is_killed(tmp_path: Path) -> None:
    for acknowledged in (1, 7, 20, 33):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            last = 0
            for _ in range(acknowledged):
                last = int(writer.stdout.readline())
            writer.kill()
            rest = writer.stdout.read().splitlines(keepends=True)
            last = max([last, *(int(line) for line in rest if line.endswith("\n"))])
        journal = Journal(tmp_path)
        events = journal.events(1)
        journal.close()
        assert journal.told == ""
        booked = [(event.args["number"], event.args["part"]) for event in events[1:] if hasattr(event, "args")]
        whole = len(booked) // 3
        assert booked == [(number, part) for number in range(1, whole + 1) for part in range(3)]
        assert whole >= last
