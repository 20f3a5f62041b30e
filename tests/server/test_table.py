"""The table books what lies there once, and nothing else: observations in, journal out."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calibration.layout import load
from referee import match as matches
from referee.board import Cell, Occupancy, Seat
from referee.events import Event, Moved, Noted, Objected, Thrown
from referee.observation import BeanSeen, BoardSeen, Face, Observation, Plight, Refusal, TableState, ThrowSeen
from referee.throws import Beans
from server.journal import Journal
from server.snapshot import snapshot
from server.table import Stale, Table
from server.wish import BadCommand

JADE, CORAL = Seat(1), Seat(3)
LAYOUT = load("patolli")
FRAME_S = 1 / 15


class Camera:
    """Shows the table what the test puts there, frame after frame."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.at = 0.0
        self.board: Occupancy = {}
        self.throw = ThrowSeen("none", certain=True)
        self._spot = 0.1

    def rest(self, seconds: float = 0.5) -> None:
        for _ in range(max(2, round(seconds / FRAME_S))):
            self._show("rest", ThrowSeen("none", certain=True) if self.throw.kind == "none" else self.throw)

    def hand(self) -> None:
        self._show("hand", None)

    def throw_beans(self, marks: int, *, plights: tuple[Plight, ...] = (), picked_up: bool = True) -> None:
        """Pick the beans up, throw them, let them lie."""
        if picked_up:
            self.throw = ThrowSeen("none", certain=True)
            self.hand()
            self._show("hand", None, place_empty=True)
        self._spot = 0.1 if self._spot > 0.5 else self._spot + 0.13
        beans = tuple(_bean(index, "marked" if index < marks else "plain", self._spot) for index in range(5))
        self.throw = ThrowSeen("beans", beans, plights=plights, certain=not plights)

    def place(self, **cells: Seat | None) -> None:
        """Put pieces on cells (``c4=JADE``) or take them off (``c4=None``)."""
        self.hand()
        names = {name[1:]: seat for name, seat in cells.items()}
        self.board = {cell: stack for cell, stack in self.board.items() if cell not in names} | {
            cell: (seat,) for cell, seat in names.items() if seat is not None
        }

    def _show(self, state: str, throw: ThrowSeen | None, place_empty: bool | None = None) -> None:
        self.at += FRAME_S
        at_rest = state == "rest"
        empty = (throw is not None and throw.kind == "none") if place_empty is None else place_empty
        seen = Observation(
            self.at,
            "rest" if at_rest else "hand",
            throw if at_rest else None,
            likelihoods(self.board) if at_rest else None,
            empty,
        )
        self.table.see(seen)


def _bean(index: int, face: Face, spot: float) -> BeanSeen:
    return BeanSeen((100.0 + index, 100.0), face, True, 0.999, 30.0, (spot + index * 0.1, spot))


def likelihoods(board: Occupancy, blind: tuple[Cell, ...] = ()) -> BoardSeen:
    cells: dict[Cell, dict[Seat | None, float]] = {}
    for place in LAYOUT.cells:
        stack = board.get(place.name)
        there = stack[-1] if stack else None
        if place.name not in blind:
            cells[place.name] = {state: 0.0 if state == there else -14.0 for state in (None, JADE, CORAL)}
    return BoardSeen(cells)


def now() -> datetime:
    return datetime(2026, 11, 30, 12, tzinfo=UTC)


def new_table(folder: Path, preset: str = "quick", stakes: int = 8) -> Table:
    table = Table(Journal(folder), LAYOUT, now=now)
    options: dict[str, object] = {}
    table.start(matches.start("patolli", preset, (JADE, CORAL), names={}, options=options, stakes=stakes))
    return table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = new_table(tmp_path)
    with closing(table._journal):
        yield table


@pytest.fixture
def begun(table: Table) -> Camera:
    """Jade has won the right to begin; the beans are picked up."""
    camera = Camera(table)
    for marks in (4, 2):
        camera.throw_beans(marks)
        camera.rest()
    assert table.match is not None
    assert (table.match.phase, table.match.turn) == ("throw", JADE)
    return camera


def booked(table: Table, *kinds: type) -> list[Event]:
    return [entry.event for entry in table.entries if isinstance(entry.event, kinds)]


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
    begun._show("hand", None, place_empty=True)
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
        begun._show("rest", begun.throw)
    assert begun.table.version == version


def test_nothing_is_booked_while_the_board_has_moved(begun: Camera) -> None:
    begun.throw_beans(3)
    begun.rest()
    version = begun.table.version
    for _ in range(20):
        begun.at += FRAME_S
        seen = Observation(begun.at, "rest", None, likelihoods({"3": (JADE,)}), plights=("board moved",))
        begun.table.see(seen)
    assert begun.table.version == version
    assert snapshot(begun.table)["message"]["key"] == "board_moved"


def test_while_the_board_is_learnt_the_players_are_asked_to_wait(begun: Camera) -> None:
    begun.rest()
    before = snapshot(begun.table)["message"]
    told: tuple[tuple[TableState, tuple[Plight, ...]], ...]
    told = (("settling", ("learning",)), ("hand", ("hand", "learning")))
    for state, plights in told:
        begun.at += FRAME_S
        begun.table.see(Observation(begun.at, state, plights=plights))
        assert snapshot(begun.table)["message"] == {"key": "learning", "args": {}}
    begun.rest()
    assert (before["key"], snapshot(begun.table)["message"]) == ("throw", before)


def test_after_a_restart_it_is_said_who_won_while_the_board_is_learnt(begun: Camera, tmp_path: Path) -> None:
    begun.table.command(begun.table.version, {"type": "resign", "seat": "3"})
    begun.table._journal.close()
    journal = Journal(tmp_path)
    again = Table(journal, LAYOUT, now=now, log=journal.current())
    again.see(Observation(0.0, "settling", plights=("learning",)))
    assert snapshot(again)["message"] == {"key": "over", "args": {"seat": "1"}}
    journal.close()


def test_a_plight_is_told_until_a_hand_is_at_it(begun: Camera) -> None:
    begun.throw_beans(3, plights=("touching",))
    begun.rest(2)
    assert snapshot(begun.table)["message"]["key"] == "plight_touching"
    begun.hand()
    assert snapshot(begun.table)["message"]["key"] == "throw"


def test_why_no_board_is_seen_is_said(begun: Camera) -> None:
    told: tuple[tuple[Refusal | None, str], ...]
    told = (("cut off", "board_cut_off"), ("mirrored", "board_mirrored"), (None, "camera_lost"))
    for refusal, key in told:
        begun.table.see(Observation(begun.at, "lost", refusal=refusal))
        assert snapshot(begun.table)["message"]["key"] == key


def test_a_bump_is_noted_once_it_rests(begun: Camera) -> None:
    seen: tuple[tuple[TableState, float], ...] = (("rest", 0.4), ("moving", 4.0), ("settling", 6.0), ("rest", 6.0))
    for state, moved_mm in (*seen, ("rest", 0.1)):
        begun.at += FRAME_S
        begun.table.see(Observation(begun.at, state, moved_mm=moved_mm))
    assert booked(begun.table, Noted) == [Noted("board_moved", {"mm": 6.0})]


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
