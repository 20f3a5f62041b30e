"""`python -m referee`: questions in, answers out; whatever comes in, one line goes out."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.adjudicator import answer
from tests.referee.positions import at, duel

PROJECT = Path(__file__).parents[2]
COMMANDS = (("-m", "referee"), ("-m", "server", "adjudicate"))
QUESTION: Mapping[str, Any] = {
    "game": "patolli",
    "preset": "classic",
    "state": at(1, {1: (5, [5], 0, 8), 3: (5, [40], 0, 8)}, pot=2),
    "throw": {"marks": 1},
    "move": "5>6",
}
ANSWER = {
    "legal": ["5>6", "reserve>1"],
    "after": at(1, {1: (5, [6], 0, 8), 3: (5, [40], 0, 8)}, pot=2),
    "over": None,
    "why": ["tip", "R-EXTRA-MUST"],
}


def asked(**changed: object) -> Any:
    return answer(json.dumps({**QUESTION, **changed}).encode())


def changed_at(path: str, value: object) -> Any:
    """The question with one place of it replaced, answered; a value of ``...`` takes the field away."""
    question = json.loads(json.dumps(QUESTION))
    *way, last = path.split(".")
    place = question
    for name in way:
        place = place[name]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return answer(json.dumps(question).encode())


@contextmanager
def adjudicator(command: tuple[str, ...]) -> Iterator[subprocess.Popen[bytes]]:
    """A running adjudicator; it ends by itself when its input does."""
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        [sys.executable, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=PROJECT,
        env=buffered,
    ) as it:
        yield it
        assert it.stdin is not None
        assert it.stderr is not None
        it.stdin.close()
        assert (it.wait(timeout=30), it.stderr.read()) == (0, b"")


@pytest.mark.parametrize("command", COMMANDS)
def test_answers_at_once_in_order_and_goes_on_after_a_wrong_line(command: tuple[str, ...]) -> None:
    with adjudicator(command) as it:
        assert it.stdin is not None
        assert it.stdout is not None
        for line, expected in (
            (json.dumps(QUESTION).encode(), ANSWER),
            (b"\n  \nnonsense", None),
            (json.dumps(QUESTION).encode(), ANSWER),
        ):
            it.stdin.write(line + b"\n")
            it.stdin.flush()
            assert select.select([it.stdout], [], [], 30)[0], "no answer"
            given = json.loads(it.stdout.readline())
            assert list(given) == ["error"] if expected is None else given == expected


def test_a_reader_who_leaves_is_no_error() -> None:
    with adjudicator(("-m", "referee")) as it:
        assert it.stdin is not None
        assert it.stdout is not None
        it.stdout.close()
        it.stdin.write(b"{}\n" * 3)


def test_loads_nothing_but_the_standard_library() -> None:
    script = (
        "import sys, referee.__main__;"
        "print([name for name in {name.split('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)"
        " if name != 'referee' and not name.startswith('_')])"
    )
    done = subprocess.run([sys.executable, "-S", "-c", script], cwd=PROJECT, capture_output=True, check=True)
    assert done.stdout.decode().strip() == "[]"


def test_without_a_move_only_what_may_be_done_is_told() -> None:
    expected = {"legal": ["5>6", "reserve>1"], "after": None, "over": None, "why": []}
    assert (asked(move=None), changed_at("move", ...)) == (expected, expected)


def test_a_move_the_rules_forbid_is_an_answer() -> None:
    assert asked(move="5>7") == {
        "legal": ["5>6", "reserve>1"],
        "after": None,
        "over": None,
        "why": ["steps"],
        "illegal": True,
    }


def test_the_answer_is_the_next_question() -> None:
    after = asked(throw={"marks": 0}, move=None)["after"]
    assert asked(state=after, throw={"marks": 4}, move="40>44") == {
        "legal": ["40>44"],
        "after": at(1, {1: (5, [5], 0, 7), 3: (5, [44], 0, 8)}, pot=3),
        "over": None,
        "why": ["R-TRI"],
    }


def test_fields_of_a_worked_case_may_stay_in() -> None:
    assert asked(id="PA06", note="tip", reading=[], legal=[], after=None, over=None) == ANSWER


TOO_MUCH = 10**30


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("game", ..., "question.game"),
        ("game", "chess", "game"),
        ("game", ["patolli"], "game"),
        ("preset", "Classic", "preset"),
        ("preset", None, "preset"),
        ("state", ..., "question.state"),
        ("state", [], "state"),
        ("throw", ..., "question.throw"),
        ("throw", None, "throw"),
        ("throw", {}, "throw.marks"),
        ("throw", {"dice": [1]}, "throw.marks"),
        ("throw", {"marks": 1, "count": 5}, "throw"),
        ("throw.marks", 6, "throw.marks"),
        ("throw.marks", -1, "throw.marks"),
        ("throw.marks", True, "throw.marks"),
        ("throw.marks", 1.0, "throw.marks"),
        ("throw.marks", "1", "throw.marks"),
        ("throw.marks", TOO_MUCH, "throw.marks"),
        ("throw.marks", float("nan"), "throw.marks"),
        ("move", 5, "move"),
        ("move", "", "move"),
        ("move", "5", "move"),
        ("move", "5>", "move"),
        ("move", "05>6", "move"),
        ("move", "5>53", "move"),
        ("move", "0>1", "move"),
        ("move", "home>5", "move"),
        ("move", "5>6\n", "move"),
        ("move", "\u0665>6", "move"),
        ("move", "pass", "move"),
        ("options", [], "options"),
        ("options", None, "options"),
        ("options", {"corners": "own"}, "options"),
        ("options", {"throw_limit": 9}, "options"),
        ("options", {"triangle_rows": 4}, "options.triangle_rows"),
        ("options", {"triangle_rows": [0]}, "options.triangle_rows"),
        ("options", {"triangle_rows": [4, 4]}, "options.triangle_rows"),
        ("hint", 1, "question"),
        ("state.turn", "2", "state.turn"),
        ("state.turn", 1, "state.turn"),
        ("state.turn", None, "state.turn"),
        ("state.turn", {}, "state.turn"),
        ("state.pot", -1, "state.pot"),
        ("state.pot", ..., "state.pot"),
        ("state.pot", TOO_MUCH, "state.pot"),
        ("state.throws", 4, "state"),
        ("state.players", {}, "state.players"),
        ("state.players", [], "state.players"),
        ("state.players.3", ..., "state.players"),
        ("state.players.5", {}, "state.players"),
        ("state.players.3", None, "state.players.3"),
        ("state.players.3.stakes", ..., "state.players.3.stakes"),
        ("state.players.3.stakes", 2.5, "state.players.3.stakes"),
        ("state.players.3.colour", "red", "state.players.3"),
        ("state.players.3.track", "40", "state.players.3.track"),
        ("state.players.3.track", [53], "state.players.3.track"),
        ("state.players.3.track", ["40"], "state.players.3.track"),
        ("state.players.3.track", [5], "state.players"),
        ("state.players.3.reserve", 6, "state.players.3"),
        ("state.players.3.home", -1, "state.players.3.home"),
        ("state.players.3", {"reserve": 0, "track": [], "home": 6, "stakes": 8}, "state.players.3.home"),
        ("state.players.3", {"reserve": 4, "track": [40, 40], "home": 0, "stakes": 8}, "state.players"),
    ],
)
def test_a_wrong_question_names_the_field(path: str, value: object, field: str) -> None:
    given = changed_at(path, value)
    assert list(given) == ["error"]
    assert given["error"].startswith(f"{field}: ")


@pytest.mark.parametrize(
    ("preset", "state", "field"),
    [
        ("jade-coral", duel(1, (6, [], 0), (6, [], 0), 2000), "state.throws"),
        ("jade-coral", {"players": {"1": {}, "2": {}}, "turn": "1", "throws": 0}, "state.players"),
        ("jade-coral", at(1, {1: (6, [], 0, 8), 3: (6, [], 0, 8)}), "state.throws"),
        ("quick", at(1, {1: (6, [], 0, 8), 3: (6, [], 0, 8)}), "state.players.1.reserve"),
        ("all-stakes", at(1, {1: (5, [], 1, 8), 3: (6, [], 0, 8)}), "state.players.1.home"),
        ("all-stakes", at(1, {1: (6, [], 0, 8), 3: (6, [], 0, 0)}), "state.players"),
    ],
)
def test_an_impossible_position_names_the_field(preset: str, state: object, field: str) -> None:
    given = asked(preset=preset, state=state, move=None)
    assert list(given) == ["error"]
    assert given["error"].startswith(f"{field}: ")


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"\xff\xfe",
        b"[]",
        b"7",
        b"null",
        b'"classic"',
        b'{"game": "patolli", "game": "patolli"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"9" * 5_000,
        b'{"game": "\\ud800"}',
        b'{"game": NaN}',
    ],
    ids=lambda line: line[:12].decode(errors="replace"),
)
def test_what_is_no_question(line: bytes) -> None:
    given = answer(line)
    assert list(given) == ["error"]
    assert json.loads(json.dumps(given).encode()) == given


def test_a_number_of_thousands_of_digits_names_its_field() -> None:
    line = json.dumps(QUESTION).replace('"pot": ', f'"pot": {"9" * 5_000}').encode()
    assert answer(line) == {"error": "state.pot: must be a whole number from 0 to 1000000000, not Infinity"}


def test_a_player_named_twice_is_refused() -> None:
    line = json.dumps(QUESTION).replace('"3": {', '"1": {').encode()
    assert answer(line) == {"error": 'question: names the field "1" twice'}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
PLACES = st.sampled_from(
    ["game", "preset", "throw", "throw.marks", "move", "options", "state", "state.turn", "state.pot", "state.players"]
    + [f"state.players.{seat}{field}" for seat in (1, 3) for field in ("", ".reserve", ".track", ".home", ".stakes")]
)


@given(PLACES, ANYTHING | st.integers(0, 60) | st.lists(st.integers(1, 52), max_size=6))
@settings(max_examples=400, deadline=None)
def test_anything_anywhere_gets_one_answer(path: str, value: object) -> None:
    given = changed_at(path, value)
    assert list(given) in (["error"], [*ANSWER], [*ANSWER, "illegal"])
    assert "\n" not in json.dumps(given)
