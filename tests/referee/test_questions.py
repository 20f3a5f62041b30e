"""Questions about every game with something wrong anywhere in them: one answer or one error each, never a crash."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.adjudicator import answer
from referee.notation_position import parse_position

QUESTIONS = {
    line: {"throw": throw, "move": move}
    for line, throw, move in (
        ("patolli classic turn=1 pot=1 | 1 reserve=5 track=[5] home=0 stakes=8 | 3 reserve=5 track=[40] home=0 "
         "stakes=8",
         {"marks": 1}, "5>6"),
        ("ludo chessboard (corners=shared) pot=2 turn=1 | 1 reserve=2 track=[b1 c3] stakes=5 | 3 reserve=3 track=[f1] "
         "stakes=-1", {"dice": [4]}, "b1>f1"),
        ("batok standard (full_board=eleven last_stick=single) posts=[3 5] dropped=1 turn=1 may=[throw pass] | "
         "1 sticks=17 | 2 sticks=20 | out 4 sticks=20", {"dice": [2, 6]}, "2,hole"),
        ("ur finkel turn=3 | 1 reserve=5 track=[a1] home=1 | 3 reserve=7 track=[] home=0", {"marks": 2}, "reserve>c3"),
    )
}  # fmt: skip
KEYS = ["legal", "after", "over", "why"]
ODD = [
    None,
    True,
    -1,
    0,
    1,
    2,
    7,
    20,
    10**30,
    1.0,
    "",
    "1",
    "3",
    "a1",
    "hole",
    "pass",
    "5>5",
    "\ud800",
    [],
    [1],
    ["b1"],
]
ANYTHING: st.SearchStrategy[object] = st.recursive(
    st.sampled_from([*ODD, {}]) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["1", "dice", "sticks"]), inner),
    max_leaves=4,
)


def asked(line: str) -> dict[str, Any]:
    read = parse_position(line)
    return {"game": read.game, "preset": read.preset, "state": read.state, "options": read.options, **QUESTIONS[line]}


def places(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """The way to everything inside a question."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inside for place in places(item, (*path, key)))][bool(not path) :]


@pytest.mark.parametrize("line", QUESTIONS)
def test_the_question_itself_is_a_good_one(line: str) -> None:
    given = answer(json.dumps(asked(line)).encode())
    assert list(given) == KEYS
    assert given["after"] is not None


@given(st.sampled_from(sorted(QUESTIONS)), st.integers(0, 2**32), ANYTHING, st.booleans())
@settings(max_examples=500, deadline=None)
def test_anything_anywhere_gets_one_answer(line: str, seed: int, value: object, remove: bool) -> None:
    question = json.loads(json.dumps(asked(line)))
    *way, last = Random(seed).choice(places(question))
    place: Any = question
    for key in way:
        place = place[key]
    if remove:
        del place[last]
    else:
        place[last] = value
    given_answer = answer(json.dumps(question).encode())
    assert list(given_answer) in (["error"], KEYS, [*KEYS, "illegal"])
    if "error" in given_answer:
        assert "\n" not in str(given_answer["error"])
        assert ": " in str(given_answer["error"])
    json.dumps(given_answer).encode()
