"""What people enter, take back and correct at the table while the camera looks on."""

import pytest

from server.snapshot import snapshot
from server.table import Stale
from server.wish import BadCommand
from tests.server.filmed import CORAL, JADE, Camera


def test_undo_waits_for_the_board_to_be_set_right(begun: Camera) -> None:
    table = begun.table
    begun.throw_beans(3)
    begun.rest()
    begun.place(c3=JADE)
    begun.rest()
    table.command(table.version, {"type": "undo"})
    assert snapshot(table)["message"] == {"key": "set_right", "args": {"cells": "3"}}
    begun.rest(4)
    assert (table.match and table.match.phase, table.booked) == ("move", {})
    begun.place(c3=None)
    begun.rest()
    assert snapshot(table)["message"] == {"key": "enter", "args": {"seat": "1", "target": "3"}}
    begun.place(c3=JADE)
    begun.rest()
    assert (table.match and table.match.turn, table.booked) == (CORAL, {"3": (JADE,)})


def test_entering_by_hand(begun: Camera) -> None:
    table = begun.table
    table.command(table.version, {"type": "throw", "marks": 3})
    table.command(table.version, {"type": "throw", "marks": 2})
    assert table.match is not None
    assert table.match.legal == ("reserve>2",)
    table.command(table.version, {"type": "move", "move": "reserve>2"})
    assert (table.booked, table.tidy) == ({"2": (JADE,)}, False)
    begun.place(c2=JADE)
    begun.rest()
    assert table.tidy
    assert table.match.turn == CORAL


def test_a_pause_books_nothing_and_ends_when_asked(begun: Camera) -> None:
    table = begun.table
    begun.throw_beans(3)
    begun.rest()
    table.command(table.version, {"type": "pause"})
    version = table.version
    begun.place(c3=JADE)
    begun.rest(5)
    begun.throw_beans(2)
    begun.rest()
    assert table.version == version
    table.command(version, {"type": "resume"})
    begun.rest()
    assert table.booked == {"3": (JADE,)}


def test_a_throw_made_in_a_pause_does_not_count(begun: Camera) -> None:
    table = begun.table
    table.command(table.version, {"type": "pause"})
    begun.throw_beans(3)
    begun.rest()
    table.command(table.version, {"type": "resume"})
    begun.rest(3)
    assert (table.match and table.match.phase) == "throw"
    begun.throw_beans(2)
    begun.rest()
    assert table.match is not None
    assert (table.match.phase, table.match.legal) == ("move", ("reserve>2",))


def test_a_throw_is_corrected_after_its_move_and_what_depended_on_it_is_told(begun: Camera) -> None:
    table = begun.table
    begun.throw_beans(3)
    begun.rest()
    begun.place(c3=JADE)
    begun.rest()
    thrown = snapshot(table)["throw"]["id"]
    table.command(
        table.version, {"type": "recast", "throw": thrown, "marks": 2, "by": "Ana", "why": "a dot was hidden"}
    )
    told = [line["args"] for line in snapshot(table)["log"] if line["key"] == "undone"]
    assert told == [{"by": "Ana", "why": "a dot was hidden", "took": took} for took in ("reserve>3", "3")]
    assert snapshot(table)["message"] == {"key": "set_right", "args": {"cells": "3"}}
    begun.place(c3=None)
    begun.rest()
    begun.place(c2=JADE)
    begun.rest()
    assert table.booked == {"2": (JADE,)}


def test_what_was_taken_back_is_neither_shown_nor_corrected(begun: Camera) -> None:
    """Correcting the throw on a page that still showed an undone one would have rewritten another player's."""
    table = begun.table
    before = snapshot(table)["throw"]
    begun.throw_beans(3)
    begun.rest()
    late = snapshot(table)["throw"]["id"]
    assert snapshot(table)["undo"]["key"] == "thrown"
    table.command(table.version, {"type": "undo"})
    assert snapshot(table)["throw"] == before
    with pytest.raises(BadCommand, match="is not the latest throw"):
        table.command(table.version, {"type": "recast", "throw": late, "marks": 2})
    begun.rest(3)
    assert snapshot(table)["throw"] == before, "the beans that still lie there are not booked again"


def test_what_is_seen_may_be_accepted(begun: Camera) -> None:
    """The players agree that the illegal move shall stand; the throw is used up by it."""
    table = begun.table
    begun.throw_beans(3)
    begun.rest()
    begun.place(c5=JADE)
    begun.rest(4)
    assert snapshot(table)["objection"]["ways"] == ["accept", "enter"]
    table.command(table.version, {"type": "accept", "by": "Ana"})
    begun.rest(4)
    assert table.match is not None
    assert (table.booked, table.objection, table.match.turn, table.match.phase) == (
        {"5": (JADE,)},
        None,
        CORAL,
        "throw",
    )
    table.command(table.version, {"type": "undo"})
    assert (table.match.turn, table.match.phase, table.booked) == (JADE, "move", {})


def test_stale_and_bad_commands_change_nothing(begun: Camera) -> None:
    table = begun.table
    version = table.version
    with pytest.raises(Stale):
        table.command(version - 1, {"type": "throw", "marks": 3})
    for command in (
        {"type": "throw", "marks": 7},
        {"type": "throw"},
        {"type": "move", "move": "reserve>3"},
        {"type": "dance"},
        {},
    ):
        with pytest.raises(BadCommand):
            table.command(version, command)
    assert table.version == version
