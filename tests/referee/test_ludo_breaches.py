"""What Ludo's rules allow, what they forbid and why, and which positions there cannot be."""

from collections.abc import Mapping

import pytest

from referee.board import Occupancy, Seat
from referee.events import Corrected
from referee.rules import BadQuestion, Illegal
from referee.throws import Beans, Dice
from tests.referee.ludo_positions import GAME, ONE, THREE, TWO, at


@pytest.mark.parametrize(
    ("before", "die", "legal"),
    [
        pytest.param(at(1, {1: "a1 b2", 3: ""}), 1, ("a1>b2", "b2>c3", "pass"), id="home moves only"),
        pytest.param(at(1, {1: "a1 a2", 3: ""}), 1, ("a1>b2", "a2>a1"), id="a ring man enters: no passing"),
        pytest.param(at(1, {1: "a1 b2 c1 c1", 3: ""}), 6, ("c1>h3",), id="a stack is one choice"),
        pytest.param(at(1, {1: "d4", 3: ""}), 1, (), id="the last home square"),
        pytest.param(at(1, {1: "a1", 3: ""}), 6, ("reserve>b1",), id="a six never moves within the home"),
    ],
)
def test_legal_moves(before: object, die: int, legal: tuple[str, ...]) -> None:
    assert GAME.legal(GAME.load("chessboard", before, {}), Dice((die,))) == legal


HELD = at(1, {1: "a1 b1 a2", 3: "d1"})


@pytest.mark.parametrize(
    ("before", "die", "move", "why", "cells"),
    [
        pytest.param(HELD, 3, "reserve>b1", ("entry_on_six",), ("b1",), id="entry"),
        pytest.param(HELD, 6, "reserve>c1", ("steps",), ("c1",), id="elsewhere"),
        pytest.param(HELD, 3, "d1>g1", ("not_yours",), ("d1", "g1"), id="another's man"),
        pytest.param(HELD, 3, "b1>f1", ("steps",), ("b1", "f1"), id="too far"),
        pytest.param(at(1, {1: "g1", 3: ""}), 1, "g1>h1", ("R-LU-RING24",), ("g1", "h1"), id="on a stranger's corner"),
        pytest.param(at(1, {1: "g1", 3: ""}), 2, "g1>h2", ("R-LU-RING24",), ("g1", "h2"), id="the corner counted"),
        pytest.param(HELD, 5, "a2>d4", ("exact", "R-LU-EXACT"), ("a2", "d4"), id="beyond the home"),
        pytest.param(HELD, 3, "pass", ("R-LU-HOME-MAY",), (), id="no passing while a ring man can move"),
        pytest.param(at(1, {1: "b1", 3: ""}), 3, "pass", ("must_move",), (), id="no passing at all"),
        pytest.param(at(1, {1: "", 3: ""}), 3, "pass", ("no_move",), (), id="nothing to pass"),
        pytest.param(at(1, {1: "b1 b1 b1 b1", 3: ""}), 6, "reserve>b1", ("reserve_empty",), ("b1",), id="all are in"),
        pytest.param(HELD, 3, None, ("must_move",), (), id="a legal move must be made"),
    ],
)
def test_breach(before: object, die: int, move: str | None, why: tuple[str, ...], cells: tuple[str, ...]) -> None:
    with pytest.raises(Illegal) as breach:
        GAME.decide(GAME.load("chessboard", before, {}), Dice((die,)), move)
    assert (breach.value.why, breach.value.cells) == (why, cells)


@pytest.mark.parametrize(
    ("state", "options", "field"),
    [
        (at(1, {1: "h1", 3: ""}), {}, 'state.players: "h1" is not on the way of seat 1'),
        (at(1, {1: "i9", 3: ""}), {}, 'state.players: "i9"'),
        (at(1, {1: "d5", 3: ""}), {}, 'state.players: "d5"'),
        (at(1, {1: "d1", 3: "d1"}), {}, "state.players: men of two seats stand on d1"),
        (at(1, {1: "a1 a1 b2 c3", 3: ""}), {}, "state.players: all men of seat 1 are home"),
        (at(1, {1: ""}), {}, "state.players: a game needs two"),
        (at(2, {1: "", 3: ""}), {}, "state.turn: "),
        (at(None, {1: "", 3: ""}), {}, "state.turn: "),
        (at(1, {1: "", 3: ""}, (3,), 1), {}, "state.players: stakes are for all players or none"),
        ({**at(1, {1: "", 3: ""}), "pot": 1}, {}, "state.pot: "),
        ({"players": at(1, {1: "", 3: ""}, (3, 3))["players"], "turn": "1"}, {}, "state.pot: is missing"),
        (at(1, {1: "", 3: ""}, (3, 3), -1), {}, "state.pot: "),
        (at(1, {1: "", 3: "", 5: ""}), {}, "state.players: has an unknown field"),
        (at(1, {1: "b1 b1 b1 b1 b1", 3: ""}), {}, "state.players.1.reserve: "),
        (at(1, {1: "", 3: ""}), {"corners": "round"}, "options.corners: "),
        (at(1, {1: "", 3: ""}), {"triangle_rows": [4]}, "options: "),
    ],
)
def test_an_impossible_position_names_the_field(state: object, options: Mapping[str, object], field: str) -> None:
    with pytest.raises(BadQuestion) as wrong:
        GAME.load("chessboard", state, options)
    assert str(wrong.value).startswith(field)


@pytest.mark.parametrize(
    ("throw", "field"),
    [({"dice": [7]}, "throw.dice"), ({"dice": [1, 2]}, "throw.dice"), ({"marks": 2}, "throw.dice"), (None, "throw")],
)
def test_what_is_no_throw(throw: object, field: str) -> None:
    with pytest.raises(BadQuestion, match=rf"^{field}"):
        GAME.load_throw(GAME.start("chessboard", (ONE, THREE), {}), throw)
    for wrong in (Dice((1, 2)), Dice((0,)), Beans(3)):
        with pytest.raises(BadQuestion, match=r"^throw:"):
            GAME.legal(GAME.start("chessboard", (ONE, THREE), {}), wrong)


@pytest.mark.parametrize("seats", [(ONE,), (THREE, ONE), (ONE, ONE), (ONE, Seat(5))])
def test_who_cannot_play(seats: tuple[Seat, ...]) -> None:
    with pytest.raises(BadQuestion, match=r"^seats:"):
        GAME.start("chessboard", seats, {})


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ({"h1": (ONE,)}, 'pieces: "h1" is not on the way of seat 1'),
        ({"home": (ONE,)}, 'pieces: "home" is not on the way'),
        ({"d1": (ONE, THREE)}, "pieces: men of two seats stand on d1"),
        ({"d1": (ONE,) * 5}, "pieces: seat 1 would have 5 of 4"),
        ({"d4": (ONE,) * 4}, "pieces: all men of seat 1 are home"),
        ({"d1": (TWO,)}, 'pieces: seat 2 on "d1" is not in the match'),
    ],
)
def test_what_is_no_correction(pieces: Occupancy, message: str) -> None:
    with pytest.raises(BadQuestion) as wrong:
        GAME.fold(GAME.start("chessboard", (ONE, THREE), {}), Corrected("Ana", pieces))
    assert str(wrong.value).startswith(message)
