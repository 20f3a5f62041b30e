"""The data folder, opened again after whatever befell it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calibration.layout import load
from referee.board import Seat
from referee.events import Event, Moved, Paid, Started, Thrown, Turn
from referee.throws import Beans
from server.books import Books, open_books
from server.invitation import invite
from server.journal import Journal

JADE, CORAL = Seat(1), Seat(3)
AT = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
LAYOUT = load("patolli")
STARTED = invite(LAYOUT, game="patolli", preset="quick", seats=(JADE, CORAL), names={}, stakes=5)


@contextmanager
def opened(folder: Path) -> Iterator[Books]:
    with closing(open_books(folder, "http://127.0.0.1:1", LAYOUT, STARTED)) as books:
        yield books


def test_a_match_goes_on_where_it_was_left(tmp_path: Path) -> None:
    with opened(tmp_path) as books:
        books.table.command(books.table.version, {"type": "throw", "marks": 4})
        left = books.table.match
    with opened(tmp_path) as books:
        assert (books.table.match, books.told) == (left, "")


@pytest.mark.parametrize(
    "impossible",
    [
        Moved(JADE, "17", "20"),
        Paid(Seat(4), "pot", 1, ("R-TRI",)),
        Turn(Seat(4)),
        Started("patolli", "quick", 99, (JADE, CORAL), {}, {}, 5),
    ],
)
def test_a_match_that_cannot_be_understood_stays_in_the_journal_and_a_new_one_begins(
    tmp_path: Path, impossible: Event
) -> None:
    """Never a traceback at the table: people play on, and what was written can still be looked at."""
    with closing(Journal(tmp_path)) as journal:
        journal.append([STARTED, Thrown(JADE, Beans(3), 3, to_begin=True), impossible], AT)
        games = len(journal.games())
    with opened(tmp_path) as books:
        assert books.told.startswith("The last match cannot be gone on with (")
        assert books.table.match is not None
        assert books.table.match.phase == "first"
        assert len(books.journal.games()) == games + 1
        assert impossible in books.journal.events(games)
