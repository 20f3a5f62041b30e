"""The demo's people: they go on where the match stands, clear the board for the next one, and never wait for ever."""

from collections.abc import Iterator
from contextlib import closing
from functools import reduce
from typing import Any

import pytest

from calibration.layout import load
from referee import match as matches
from referee.board import Seat
from referee.events import Started
from referee.match import Match
from referee.throws import Beans, Dice, Throw
from server.company import Company
from vision.synthetic.camera import SimulatedCamera
from vision.synthetic.people import People

Scene = tuple[Company, list[Match], list[Started]]
"""The people, the matches they are told of, and those they asked for."""
Entries = list[tuple[int, dict[str, object]]]
STARTED = matches.start("patolli", "modern", (Seat(1), Seat(3)))


def entered() -> Match:
    """A match in which both have entered a piece."""
    match = matches.begin(STARTED)
    for marks in (3, 2):
        match = reduce(matches.after, matches.throw(match, Beans(marks)), match)
    for marks in (3, 2):
        match = reduce(matches.after, matches.throw(match, Beans(marks)), match)
        match = reduce(matches.after, matches.move(match, match.legal[0]), match)
    return match


def page(match: Match, version: int) -> dict[str, Any]:
    occupancy = match.game.occupancy(match.position)
    return {
        "version": version,
        "phase": match.phase,
        "turn": str(match.turn),
        "throw": None,
        "legal": [{"move": move} for move in match.legal],
        "pieces": {cell: [str(seat) for seat in stack] for cell, stack in occupancy.items()},
        "message": {"key": "hand", "args": {}},
        "objection": None,
        "seen": {"state": "hand"},
    }


@pytest.fixture
def entries() -> Entries:
    """What the people enter at the page."""
    return []


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch, entries: Entries) -> Iterator[Scene]:
    monkeypatch.setattr("server.company.SimulatedCamera", lambda table, paced: SimulatedCamera(table, paced=False))
    played, begun = [entered()], list[Started]()
    company = Company(
        load("patolli"),
        5,
        match=lambda: played[-1],
        page=lambda: page(played[-1], len(played)),
        begin=begun.append,
        enter=lambda version, command: entries.append((version, command)),
    )
    with closing(company):
        company.open()
        yield company, played, begun


def test_the_pieces_stand_where_the_match_has_them(stage: Scene) -> None:
    company, _, begun = stage
    assert company._table is not None
    assert company._table.truth().occupancy == {"3": (1,), "28": (3,)}
    frame = company.read()
    assert frame is not None
    assert frame.image.shape == (720, 1280, 3)
    assert begun == []


def test_for_another_match_the_board_is_cleared_by_hand(stage: Scene) -> None:
    company, played, _ = stage
    assert company._table is not None
    played.append(matches.begin(matches.start("patolli", "quick", (Seat(1), Seat(3)))))
    hands = False
    for _ in range(600):
        company.read()
        hands = hands or company._table.truth().hand
        if company._people is not None and company._people.started is played[-1].started:
            break
    assert company._people is not None
    assert company._people.started is played[-1].started
    assert company._table.truth().occupancy == {}
    assert hands


def test_people_who_can_do_nothing_begin_anew(stage: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    company, _, begun = stage
    monkeypatch.setattr("server.company.STUCK_AFTER_S", 1.0)
    for _ in range(25):
        company.read()
    assert begun == [STARTED]
    assert begun[0] is not STARTED


@pytest.mark.parametrize(
    ("what", "command"),
    [
        pytest.param("pass", {"type": "move", "move": "pass"}, id="a move that no camera sees"),
        pytest.param(Beans(3), {"type": "throw", "marks": 3}, id="beans that were not made out"),
        pytest.param(Dice((2, 5)), {"type": "throw", "dice": [2, 5]}, id="dice that were not made out"),
    ],
)
def test_what_the_camera_does_not_tell_the_people_enter(
    stage: Scene, entries: Entries, what: str | Throw, command: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    company, _, _ = stage
    monkeypatch.setattr(People, "act", lambda people, announced: what)
    company.read()
    assert entries == [(1, command)]


def test_in_a_pause_the_people_wait_however_long_it_takes(stage: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    company, _, begun = stage
    monkeypatch.setattr("server.company.STUCK_AFTER_S", 1.0)
    shown = company._page
    company._page = lambda: {**shown(), "paused": True}
    monkeypatch.setattr(People, "act", lambda people, announced: pytest.fail("they play in a pause"))
    for _ in range(40):
        company.read()
    assert begun == []
