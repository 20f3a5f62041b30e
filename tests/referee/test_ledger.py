"""The stakes, in double entry."""

from referee import ledger
from referee.events import Paid, Started, Turn
from referee.ledger import Entry, Ledger
from tests.referee.positions import NORTH, SOUTH

STARTED = Started("patolli", "classic", 1, (SOUTH, NORTH), {}, {}, 8)


def test_balances_and_statement() -> None:
    books = Ledger()
    for event in (
        STARTED,
        Paid(SOUTH, "pot", 1, ("offering",)),
        Turn(NORTH),
        Paid(SOUTH, NORTH, 1, ("capture",)),
        Paid("pot", SOUTH, 1, ("exit", "pot")),
    ):
        books = ledger.after(books, event)
    assert dict(books.balances) == {"pot": 0, SOUTH: 7, NORTH: 9}
    assert books.statement(SOUTH) == (
        Entry(8, None, ("started",), 8),
        Entry(-1, "pot", ("offering",), 7),
        Entry(-1, NORTH, ("capture",), 6),
        Entry(1, "pot", ("exit", "pot"), 7),
    )
    assert books.statement("pot") == (
        Entry(1, SOUTH, ("offering",), 1),
        Entry(-1, SOUTH, ("exit", "pot"), 0),
    )
