"""The rules of the Royal Game of Ur one by one: the ruling, its reasons and the next state."""

from collections.abc import Mapping

import pytest

from referee import rules
from referee.board import Occupancy, Seat
from referee.events import Corrected, Out, Over
from referee.games.ur import SEATS, WAYS, Ur
from referee.rules import BadQuestion, Illegal
from referee.throws import Beans, Dice

GAME = Ur()
ONE, THREE = SEATS


def at(turn: int | None, jade: str, coral: str, home: tuple[int, int] = (0, 0)) -> dict[str, object]:
    """A position as ``load`` reads it, from the squares of the men."""
    players = {
        seat: {"reserve": 7 - len(squares.split()) - out, "track": squares.split(), "home": out}
        for seat, squares, out in (("1", jade, home[0]), ("3", coral, home[1]))
    }
    return {"players": players, "turn": None if turn is None else str(turn)}


def test_the_way_of_each_seat() -> None:
    assert " ".join(WAYS[ONE]) == "a4 a3 a2 a1 b1 b2 b3 b4 b5 b6 b7 b8 a8 a7"
    assert " ".join(WAYS[THREE]) == "c4 c3 c2 c1 b1 b2 b3 b4 b5 b6 b7 b8 c8 c7"


# fmt: off
RULINGS = [
    pytest.param(at(1, "", ""), 0, None, at(3, "", ""), None, ["zero"], id="no mark: the turn passes"),
    pytest.param(at(1, "", ""), 3, "reserve>a2", at(3, "a2", ""), None, ["entry"], id="any throw enters"),
    pytest.param(at(1, "", ""), 4, "reserve>a1", at(1, "a1", ""), None, ["entry", "rosette"], id="a rosette"),
    pytest.param(at(1, "b2", "b3"), 1, "b2>b3", at(3, "b3", ""), None, ["capture"], id="captured in the middle"),
    pytest.param(at(1, "a2 b1", "b4"), 3, "a2>b2", at(3, "b1 b2", "b4"), None, ["R-UR-SAFE"], id="R-UR-SAFE"),
    pytest.param(at(1, "a7", "", (6, 0)), 1, "a7>home", at(None, "", "", (7, 0)), "1", ["exit", "race"], id="won"),
    pytest.param(at(3, "", "c7 c8", (0, 5)), 2, "c8>home", at(1, "", "c7", (0, 6)), None,
                 ["R-UR-EXACT", "exit"], id="R-UR-EXACT one may leave, the other not"),
    pytest.param(at(3, "", "c7", (0, 6)), 2, None, at(1, "", "c7", (0, 6)), None,
                 ["R-UR-EXACT", "no_move"], id="R-UR-EXACT nothing can move"),
    pytest.param(at(1, "a4 a3 a2 a1 b1 b2 b3", "b4"), 1, None, at(3, "a4 a3 a2 a1 b1 b2 b3", "b4"), None,
                 ["own", "R-UR-SAFE", "no_move"], id="everything stands in the way"),
]
# fmt: on


@pytest.mark.parametrize(("before", "marks", "move", "after", "over", "why"), RULINGS)
def test_ruling(before: object, marks: int, move: str | None, after: object, over: str | None, why: list[str]) -> None:
    position = GAME.load("finkel", before, {})
    events = GAME.decide(position, Beans(marks, 4), move)
    ruled = rules.fold(GAME, position, events)
    expected = GAME.dump(GAME.load("finkel", after, {})) if over is None else after
    assert (GAME.dump(ruled), ruled.over, rules.why(events)) == (expected, over, why)


HELD = at(1, "a3 a1", "b2 b4")


@pytest.mark.parametrize(
    ("before", "marks", "move", "why", "cells"),
    [
        pytest.param(HELD, 2, "a3>a1", ("own",), ("a3", "a1"), id="own man"),
        pytest.param(HELD, 4, "a1>b4", ("R-UR-SAFE",), ("a1", "b4"), id="the middle rosette is safe"),
        pytest.param(HELD, 4, "a1>b3", ("steps",), ("a1", "b3"), id="elsewhere"),
        pytest.param(HELD, 4, "b2>b6", ("not_yours",), ("b2", "b6"), id="another's man"),
        pytest.param(HELD, 0, "a1>b1", ("zero",), ("a1", "b1"), id="no mark"),
        pytest.param(at(1, "a7", "", (6, 0)), 2, "a7>home", ("R-UR-EXACT",), ("a7",), id="beyond the end"),
        pytest.param(at(1, "a7", "", (6, 0)), 2, "reserve>a3", ("reserve_empty",), ("a3",), id="nobody waits"),
        pytest.param(HELD, 1, None, ("R-UR-MUST",), (), id="a legal move must be made"),
    ],
)
def test_breach(before: object, marks: int, move: str | None, why: tuple[str, ...], cells: tuple[str, ...]) -> None:
    with pytest.raises(Illegal) as breach:
        GAME.decide(GAME.load("finkel", before, {}), Beans(marks, 4), move)
    assert (breach.value.why, breach.value.cells) == (why, cells)


@pytest.mark.parametrize(
    ("state", "options", "field"),
    [
        (at(1, "c1", ""), {}, 'state.players: "c1" is not on the way of seat 1'),
        (at(1, "b1", "b1"), {}, "state.players: two men stand on b1"),
        (at(1, "", "", (7, 0)), {}, "state.players: all men of seat 1 are home"),
        (at(2, "", ""), {}, "state.turn: "),
        (at(None, "", ""), {}, "state.turn: "),
        ({"players": {"1": {"reserve": 7, "track": [], "home": 0}}, "turn": "1"}, {}, "state.players.3: is missing"),
        ({**at(1, "", ""), "pot": 1}, {}, "state: has an unknown field"),
        (at(1, "", "", (8, 0)), {}, "state.players.1.reserve: "),
        (at(1, "", ""), {"corners": "own"}, "options: "),
    ],
)
def test_an_impossible_position_names_the_field(state: object, options: Mapping[str, object], field: str) -> None:
    with pytest.raises(BadQuestion) as wrong:
        GAME.load("finkel", state, options)
    assert str(wrong.value).startswith(field)


@pytest.mark.parametrize("throw", [Beans(5, 4), Beans(3, 5), Dice((3,))])
def test_what_is_no_throw_of_four_lots(throw: Beans | Dice) -> None:
    with pytest.raises(BadQuestion, match=r"^throw:"):
        GAME.legal(GAME.start("finkel", SEATS, {}), throw)


@pytest.mark.parametrize("seats", [(ONE,), (ONE, Seat(2)), (THREE, ONE)])
def test_who_cannot_play(seats: tuple[Seat, ...]) -> None:
    with pytest.raises(BadQuestion, match=r"^seats:"):
        GAME.start("finkel", seats, {})


def test_resigning() -> None:
    assert GAME.resign(GAME.start("finkel", SEATS, {}), ONE) == (Out(ONE, ("resigned",)), Over(THREE, ("last",)))


def test_a_correction() -> None:
    position = GAME.load("finkel", at(1, "a1 b5", "b2", (1, 0)), {})
    agreed = GAME.fold(position, Corrected("Ana", {"b6": (ONE,), "home": (THREE,)}))
    assert GAME.dump(agreed) == at(1, "b6", "", (0, 1))


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ({"c1": (ONE,)}, 'pieces: "c1" is not on the way of seat 1'),
        ({"b1": (ONE, THREE)}, "pieces: two men stand on b1"),
        ({"b1": (ONE,), "home": (ONE,) * 7}, "pieces: seat 1 would have 8 of 7"),
        ({"home": (ONE,) * 7}, "pieces: all men of seat 1 are home"),
    ],
)
def test_what_is_no_correction(pieces: Occupancy, message: str) -> None:
    with pytest.raises(BadQuestion) as wrong:
        GAME.fold(GAME.start("finkel", SEATS, {}), Corrected("Ana", pieces))
    assert str(wrong.value).startswith(message)
