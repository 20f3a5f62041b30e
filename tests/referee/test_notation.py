"""Events as the journal stores them."""

import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.events import (
    Began,
    Captured,
    Corrected,
    Event,
    Lying,
    Moved,
    Noted,
    Objected,
    Offered,
    Out,
    Over,
    Paid,
    Redone,
    Started,
    Thrown,
    Turn,
    Undone,
)
from referee.notation import dump_event, load_event
from referee.rules import BadQuestion
from referee.throws import Beans, Dice
from tests.referee.positions import EAST, NORTH, SOUTH, WEST

SEATS = st.sampled_from([SOUTH, WEST, NORTH, EAST])
CELLS = st.sampled_from(["reserve", "home", "1", "52", "b1"])
WHY = st.lists(st.text(max_size=9), max_size=3).map(tuple)
SOURCE = st.sampled_from(["camera", "hand"])
THROWS = st.builds(Beans, st.integers(0, 5)) | st.builds(
    Dice, st.lists(st.integers(1, 6), min_size=1, max_size=2).map(lambda values: tuple(sorted(values)))
)
PART = st.floats(0, 1)
LYING = st.builds(Lying, PART, PART, st.floats(-180, 180), st.sampled_from(["marked", "plain", "6"]))
JSON = st.integers() | st.text() | st.lists(st.integers(1, 6))
ACCOUNTS = SEATS | st.just("pot")
EVENTS: dict[type, st.SearchStrategy[Event]] = {
    Started: st.builds(
        Started,
        st.text(),
        st.text(),
        st.integers(),
        st.lists(SEATS).map(tuple),
        st.dictionaries(SEATS, st.text()),
        st.dictionaries(st.text(), JSON),
        st.integers(),
        st.dictionaries(SEATS, st.integers()),
    ),
    Thrown: st.builds(Thrown, SEATS, THROWS, st.integers(), SOURCE, st.booleans(), st.lists(LYING).map(tuple)),
    Began: st.builds(Began, SEATS, WHY),
    Moved: st.builds(Moved, SEATS, CELLS, CELLS, WHY, SOURCE, st.booleans()),
    Captured: st.builds(Captured, SEATS, SEATS, CELLS, WHY),
    Paid: st.builds(Paid, ACCOUNTS, ACCOUNTS, st.integers(1), WHY),
    Out: st.builds(Out, SEATS, WHY),
    Turn: st.builds(Turn, SEATS, WHY, st.booleans()),
    Over: st.builds(Over, st.none() | SEATS, WHY),
    Offered: st.builds(Offered, SEATS),
    Objected: st.builds(Objected, st.none() | SEATS, WHY, st.lists(CELLS).map(tuple), st.text()),
    Noted: st.builds(
        Noted, st.text(), st.dictionaries(st.text(), st.text() | st.integers() | st.floats(allow_nan=False))
    ),
    Undone: st.builds(Undone, st.text(), st.text()),
    Redone: st.builds(Redone, st.text()),
    Corrected: st.builds(
        Corrected, st.text(), st.dictionaries(CELLS, st.lists(SEATS, min_size=1).map(tuple)), st.text()
    ),
}


def test_every_kind_of_event_is_tried_here() -> None:
    assert set(EVENTS) == set(get_args(Event))


@given(st.one_of(list(EVENTS.values())))
def test_an_event_survives_the_journal(event: Event) -> None:
    assert load_event(json.loads(json.dumps(dump_event(event)))) == event


def test_how_an_event_is_written() -> None:
    assert dump_event(Thrown(NORTH, Beans(3), 3, lay=(Lying(0.5, 0.25, 40.0, "marked"),))) == {
        "event": "thrown",
        "seat": 3,
        "throw": {"marks": 3, "count": 5},
        "steps": 3,
        "source": "camera",
        "to_begin": False,
        "lay": [{"x": 0.5, "y": 0.25, "angle_deg": 40.0, "face": "marked"}],
    }


def test_fields_with_a_default_may_be_absent() -> None:
    assert load_event({"event": "turn", "seat": 2}) == Turn(WEST)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "event: must be an object"),
        ({}, "event: null is no kind of event"),
        ({"event": "exploded"}, 'event: "exploded" is no kind of event'),
        ({"event": "turn"}, "turn.seat: is missing"),
        ({"event": "turn", "seat": "2"}, 'turn.seat: cannot be "2"'),
        ({"event": "turn", "seat": 7}, "turn.seat: 7 is no seat"),
        ({"event": "turn", "seat": True}, "turn.seat: cannot be true"),
        ({"event": "turn", "seat": 2, "until": 3}, 'turn: has an unknown field "until"'),
        ({"event": "turn", "seat": 2, "why": "tip"}, 'turn.why: cannot be "tip"'),
        ({"event": "paid", "payer": 1, "payee": "bank", "amount": 1, "why": []}, 'paid.payee: cannot be "bank"'),
        ({"event": "thrown", "seat": 1, "throw": {"marks": "3"}, "steps": 3}, "thrown.throw: cannot be an object"),
        ({"event": "moved", "seat": 1, "origin": "4", "target": "5", "source": "ear"}, 'moved.source: cannot be "ear"'),
    ],
)
def test_what_is_no_event(value: object, message: str) -> None:
    with pytest.raises(BadQuestion) as wrong:
        load_event(value)
    assert str(wrong.value).startswith(message)
