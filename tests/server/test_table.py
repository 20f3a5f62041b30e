"""The table books what lies there once, and nothing else: observations in, journal out."""

from dataclasses import replace
from pathlib import Path

import pytest

from referee.events import Moved, Noted, Objected, Thrown
from referee.observation import Plight
from referee.throws import Beans
from server.journal import Journal
from server.snapshot import snapshot
from server.table import Table
from tests.server.filmed import CORAL, JADE, LAYOUT, Camera, booked, new_table, now


def test_a_throw_and_a_move_are_booked_once(begun: Camera) -> None:
    table = begun.table
    begun.throw_beans(3)
    begun.rest(3)
    begun.place(c3=JADE)
    begun.rest(3)
    thrown = [(event.seat, event.throw) for event in booked(table, Thrown) if isinstance(event, Thrown)]
    assert thrown == [(JADE, Beans(4)), (CORAL, Beans(2)), (JADE, Beans(3))]
    walked = [(event.seat, event.origin, event.target) for event in booked(table, Moved) if isinstance(event, Moved)]
    assert walked == [(JADE, "reserve", "3")]
    assert booked(table, Objected, Noted) == []
    assert table.match is not None
    assert (table.match.phase, table.match.turn, table.booked) == ("throw", CORAL, {"3": (JADE,)})


def test_a_throw_keeps_how_it_lay(begun: Camera) -> None:
    begun.throw_beans(1)
    begun.rest()
    state = snapshot(begun.table)
    assert state["throw"]["marked"] == 1
    assert [bean["face"] for bean in state["throw"]["beans"]] == ["marked", *["plain"] * 4]
    assert [bean["x"] for bean in state["throw"]["beans"]] == [
        bean.place_xy[0] for bean in begun.throw.beans if bean.place_xy
    ]


def test_beans_that_stay_lying_are_no_second_throw(begun: Camera) -> None:
    """After the move the mover's beans still lie there, and somebody's sleeve made the place look empty once."""
    begun.throw_beans(3)
    begun.rest()
    begun.place(c3=JADE)
    begun.show("hand", None, place_empty=True)
    begun.rest(3)
    assert len(booked(begun.table, Thrown)) == 3


def test_a_booked_throw_is_locked_until_the_place_was_emptied(begun: Camera) -> None:
    begun.throw_beans(3)
    begun.rest()
    begun.place(c3=JADE)
    begun.rest()
    begun.throw_beans(1, picked_up=False)
    begun.rest(3)
    assert len(booked(begun.table, Thrown)) == 3
    begun.throw_beans(1)
    begun.rest()
    assert len(booked(begun.table, Thrown)) == 4


@pytest.mark.parametrize("plight", ["leaning", "stacked", "missing", "extra"])
def test_a_void_throw_must_be_thrown_again_and_not_put_right(begun: Camera, plight: Plight) -> None:
    begun.throw_beans(3, plights=(plight,))
    begun.rest(1)
    assert snapshot(begun.table)["message"] == {"key": f"plight_{plight}", "args": {"seat": "1"}}
    begun.throw_beans(3, picked_up=False)
    begun.rest(3)
    assert len(booked(begun.table, Thrown)) == 2
    begun.throw_beans(3)
    begun.rest()
    assert len(booked(begun.table, Thrown)) == 3
    assert snapshot(begun.table)["message"]["key"] == "enter"


def test_glare_that_goes_away_needs_no_new_throw(begun: Camera) -> None:
    begun.throw_beans(3, plights=("glare",))
    begun.rest(1)
    begun.throw = replace(begun.throw, plights=(), certain=True)
    begun.rest()
    assert len(booked(begun.table, Thrown)) == 3


def test_a_throw_when_a_move_is_due_is_objected_to_once_and_never_counts(begun: Camera) -> None:
    begun.throw_beans(3)
    begun.rest()
    begun.throw_beans(5)
    begun.rest(2)
    objections = [event.why for event in booked(begun.table, Objected) if isinstance(event, Objected)]
    assert objections == [("wrong_throw",)]
    begun.place(c3=JADE)
    begun.rest(3)
    assert len(booked(begun.table, Thrown)) == 3
    assert len(booked(begun.table, Moved)) == 1


def test_move_and_next_throw_between_two_quiet_pictures(begun: Camera) -> None:
    begun.throw_beans(3)
    begun.rest()
    begun.place(c3=JADE)
    begun.throw_beans(2)
    begun.rest()
    assert [type(event).__name__ for event in booked(begun.table, Thrown, Moved, Objected)[2:]] == [
        "Thrown",
        "Moved",
        "Thrown",
    ]


def test_an_illegal_move_is_named_and_putting_it_right_goes_on_by_itself(begun: Camera) -> None:
    table = begun.table
    begun.throw_beans(3)
    begun.rest()
    begun.place(c5=JADE)
    begun.rest(2.5)
    assert table.objection is None
    begun.rest(1)
    state = snapshot(table)
    assert (state["objection"]["key"], state["objection"]["cells"]) == ("illegal", ["5"])
    assert state["objection"]["args"]["seen"] == "reserve>5"
    assert state["message"]["key"] == "put_back"
    begun.rest(5)
    begun.place(c5=None)
    begun.rest()
    assert table.objection is None
    begun.place(c3=JADE)
    begun.rest()
    assert len(booked(table, Objected)) == 1
    assert len(booked(table, Moved)) == 1
    assert table.booked == {"3": (JADE,)}


def test_a_board_that_flickers_books_nothing(begun: Camera) -> None:
    begun.throw_beans(3)
    begun.rest()
    version = begun.table.version
    for _ in range(30):
        begun.board = {"3": (JADE,)} if not begun.board else {}
        begun.show("rest", begun.throw)
    assert begun.table.version == version


def test_a_player_who_cannot_pay_is_cleared_from_the_board(tmp_path: Path) -> None:
    """Coral, with one stake left, makes an offering, then another: out; his piece is taken off before play ends."""
    table = new_table(tmp_path, stakes=1)
    camera = Camera(table)
    for marks in (2, 4):
        camera.throw_beans(marks)
        camera.rest()
    camera.throw_beans(3)
    camera.rest()
    camera.place(c29=CORAL)
    camera.rest()
    for marks in (1, 0, 2, 0):
        assert table.match is not None
        camera.throw_beans(marks)
        camera.rest()
        if table.match.phase == "move":
            origin, _, target = table.match.legal[0].partition(">")
            camera.place(**{f"c{target}": table.match.turn}, **({} if origin == "reserve" else {f"c{origin}": None}))
            camera.rest()
    assert table.match is not None
    assert (table.match.phase, snapshot(table)["winner"]) == ("over", "1")
    assert snapshot(table)["pot"] == 0
    table._journal.close()


def test_a_restart_goes_on_where_it_was(begun: Camera, tmp_path: Path) -> None:
    begun.throw_beans(3)
    begun.rest()
    before = snapshot(begun.table)
    begun.table._journal.close()
    journal = Journal(tmp_path)
    again = Table(journal, LAYOUT, now=now, log=journal.current())
    after = snapshot(again)
    assert {**after, "seen": None, "message": None} == {**before, "seen": None, "message": None}
    camera = Camera(again)
    camera.throw = begun.throw
    camera.rest()
    camera.place(c3=JADE)
    camera.rest()
    assert len(booked(again, Thrown)) == 3
    assert again.booked == {"3": (JADE,)}
    journal.close()
