"""Batok's rules one by one: the ruling, its reasons and the next state."""

import json
from collections.abc import Iterator, Mapping
from itertools import combinations, combinations_with_replacement, product
from random import Random

import pytest

from referee import match, rules
from referee.adjudicator import answer
from referee.board import Occupancy, Seat
from referee.events import Corrected, Out, Over, Turn
from referee.games.batok import Batok
from referee.games.batok_position import SEATS
from referee.rules import BadQuestion, Illegal
from referee.throws import Beans, Dice
from tests.referee.play import booked

GAME = Batok()
ONE, TWO, THREE, *_ = SEATS
FULL = "1 2 3 4 5 6 7 8 9 10"
LENIENT = {"full_board": "eleven", "last_stick": "complete"}


def at(
    turn: int | None, hands: Mapping[int, int], posts: str = "", dropped: int | None = None, may: str = "throw pass"
) -> dict[str, object]:
    """A position; what is not in hands or on posts has dropped."""
    taken = [int(post) for post in posts.split()]
    rest = 20 * len(hands) - sum(hands.values()) - len(taken)
    return {
        "players": {str(seat): {"sticks": sticks} for seat, sticks in hands.items()},
        "posts": taken,
        "dropped": rest if dropped is None else dropped,
        "turn": None if turn is None else str(turn),
        "may": may.split(),
    }


def ruled(
    state: object, dice: tuple[int, ...], move: str | None, options: Mapping[str, object]
) -> tuple[object, str | None, list[str]]:
    position = GAME.load("standard", state, options)
    events = GAME.decide(position, Dice(dice) if dice else None, move)
    after = rules.fold(GAME, position, events)
    return GAME.dump(after), after.over, rules.why(events)


# fmt: off
RULINGS = [
    pytest.param(at(1, {1: 20, 2: 20}, may="throw"), (3, 5), "3,5", {}, at(1, {1: 18, 2: 20}, "3 5"), None,
                 [], id="a stick on either post"),
    pytest.param(at(1, {1: 20, 2: 20}, may="throw"), (4, 6), "4,hole", {}, at(1, {1: 18, 2: 20}, "4"), None,
                 ["six_into_hole"], id="a six into the hole"),
    pytest.param(at(1, {1: 20, 2: 20}, may="throw"), (5, 5), "10", {}, at(1, {1: 19, 2: 20}, "10"), None,
                 ["R-BA-DOUBLE"], id="R-BA-DOUBLE a double can only be added up"),
    pytest.param(at(1, {1: 18, 2: 20}, "5 6"), (5, 6), "hole", {}, at(1, {1: 17, 2: 20}, "5 6"), None,
                 ["eleven"], id="the eleven rule"),
    pytest.param(at(1, {1: 19, 2: 20}, "6"), (5, 6), "5,hole", {}, at(1, {1: 17, 2: 20}, "5 6"), None,
                 ["R-BA-11-EITHER"], id="R-BA-11-EITHER"),
    pytest.param(at(1, {1: 10, 2: 20}, FULL), (6, 6), "hole,hole", {}, at(1, {1: 8, 2: 20}, FULL), None,
                 ["full", "six_into_hole"], id="6-6 saves on a full board"),
    pytest.param(at(1, {1: 10, 2: 18}, FULL), (5, 6), None, {}, at(2, {1: 20, 2: 18}, may="throw"), None,
                 ["full", "R-BA-FULL-STRICT", "no_move", "take_back", "R-BA-HOLE"], id="R-BA-FULL-STRICT R-BA-HOLE"),
    pytest.param(at(1, {1: 10, 2: 20}, FULL), (5, 6), "hole", LENIENT, at(1, {1: 9, 2: 20}, FULL), None,
                 ["eleven"], id="the eleven rule on a full board, as an option"),
    pytest.param(at(2, {1: 19, 2: 19}, "2 6"), (2, 4), None, {}, at(1, {1: 19, 2: 21}, may="throw"), None,
                 ["R-BA-SUM6", "R-BA-COMPLETE", "no_move", "take_back"], id="R-BA-SUM6 R-BA-COMPLETE"),
    pytest.param(at(3, {1: 20, 3: 20}, may="throw"), (6, 6), "6,hole", {}, at(3, {1: 20, 3: 18}, "6"), None,
                 ["R-BA-DOUBLE", "six_into_hole"], id="6-6"),
    pytest.param(at(1, {1: 1, 2: 20}, ""), (5, 5), "5", {}, at(None, {1: 0, 2: 20}, "5", may=""), "1",
                 ["R-BA-LAST", "hand_empty"], id="R-BA-LAST one die alone, of a double too"),
    pytest.param(at(1, {1: 1, 2: 20}, "8"), (3, 5), None, LENIENT, at(2, {1: 2, 2: 20}, may="throw"), None,
                 ["R-BA-COMPLETE", "no_move", "take_back", "R-BA-HOLE"], id="the last stick complete, as an option"),
    pytest.param(at(1, {1: 18, 2: 20, 4: 20}, "3 5"), (), "pass", {},
                 at(2, {1: 18, 2: 20, 4: 20}, "3 5", may="throw"), None, ["pass"], id="passing"),
    pytest.param(at(4, {1: 18, 2: 20, 4: 20}, "3 5"), (), "pass", {},
                 at(1, {1: 18, 2: 20, 4: 20}, "3 5", may="throw"), None, ["pass"], id="passing round the table"),
]
# fmt: on


@pytest.mark.parametrize(("before", "dice", "move", "options", "after", "over", "why"), RULINGS)
def test_ruling(
    before: object,
    dice: tuple[int, ...],
    move: str | None,
    options: Mapping[str, object],
    after: object,
    over: str | None,
    why: list[str],
) -> None:
    assert ruled(before, dice, move, options) == (after, over, why)


HELD = at(1, {1: 18, 2: 20}, "3 5")


@pytest.mark.parametrize(
    ("before", "dice", "move", "why", "cells"),
    [
        pytest.param(HELD, (1, 3), "1,3", ("taken",), ("3",), id="a taken post"),
        pytest.param(HELD, (1, 2), "1", ("R-BA-COMPLETE",), ("1",), id="half a throw"),
        pytest.param(HELD, (1, 6), "hole", ("R-BA-COMPLETE",), ("hole",), id="half a throw into the hole"),
        pytest.param(HELD, (2, 4), "hole", ("R-BA-SUM6",), ("hole",), id="a sum of six"),
        pytest.param(HELD, (2, 4), "2,hole", ("no_six",), ("2", "hole"), id="no six at all"),
        pytest.param(at(1, {1: 19, 2: 20}, "5"), (5, 6), "6,hole", ("eleven",), ("6", "hole"), id="eleven, five taken"),
        pytest.param(HELD, (2, 2), "2,2", ("R-BA-DOUBLE",), ("2", "2"), id="two sticks on one post"),
        pytest.param(HELD, (2, 4), "7", ("steps",), ("7",), id="another post"),
        pytest.param(HELD, (2, 4), "pass", ("R-BA-PASS",), (), id="no passing with a throw on the table"),
        pytest.param(HELD, (2, 4), None, ("must_move",), (), id="a complete use must be made"),
        pytest.param(at(1, {1: 10, 2: 20}, FULL), (5, 6), "hole", ("full", "R-BA-FULL-STRICT"), ("hole",), id="full"),
        pytest.param(at(1, {1: 1, 2: 20}), (3, 5), "3,5", ("sticks",), ("3", "5"), id="one stick left"),
        pytest.param(at(1, {1: 20, 2: 20}, may="throw"), (), "pass", ("R-BA-PASS",), (), id="R-BA-PASS"),
        pytest.param(HELD, (), "1,2", ("throw_due",), (), id="a move without a throw"),
    ],
)
def test_breach(
    before: object, dice: tuple[int, ...], move: str | None, why: tuple[str, ...], cells: tuple[str, ...]
) -> None:
    with pytest.raises(Illegal) as breach:
        GAME.decide(GAME.load("standard", before, {}), Dice(dice) if dice else None, move)
    assert (breach.value.why, breach.value.cells) == (why, cells)


def oracle(hand: int, posts: set[int], one: int, two: int, options: Mapping[str, str]) -> Iterator[str]:
    """RULES 3 once more, as a filter over everything that can be written: each use is judged alone."""
    single = hand == 1 and options.get("last_stick") != "complete"
    places = [*map(str, range(1, 11)), "hole"]
    for use in [*[(place,) for place in places], *combinations_with_replacement(places, 2)]:
        if len(use) > hand:
            continue
        onto = [int(place) for place in use if place != "hole"]
        if set(onto) & posts or len(set(onto)) < len(onto):
            continue
        dice, eleven = [one, two], {one, two} == {5, 6}
        if len(posts) == 10:
            allowed = use == ("hole", "hole") and dice == [6, 6]
            allowed |= use == ("hole",) and dice == [6, 6] and single
            allowed |= use == ("hole",) and eleven and options.get("full_board") == "eleven"
        elif single:
            allowed = use[0] in map(str, [*dice, one + two]) or (use == ("hole",) and 6 in dice)
        elif len(use) == 1:
            allowed = onto == [one + two] or (not onto and eleven and bool(posts & {5, 6}))
        else:
            explained = [{str(die), "hole"} if die == 6 else {str(die)} for die in dice]
            allowed = any(use[0] in explained[k] and use[1] in explained[1 - k] for k in (0, 1))
        if allowed:
            yield ",".join(use)


@pytest.mark.parametrize("options", [{}, LENIENT, {"full_board": "eleven"}, {"last_stick": "complete"}], ids=str)
def test_legal_moves_are_those_of_an_independent_oracle(options: Mapping[str, str]) -> None:
    """Every throw; all boards of up to two and of eight or more posts, and some in between; 1, 2 and more sticks."""
    boards = [set(board) for size in (0, 1, 2, 8, 9, 10) for board in combinations(range(1, 11), size)]
    random = Random(3)
    boards += [set(random.sample(range(1, 11), size)) for size in range(3, 8) for _ in range(20)]
    wrong = []
    for posts, hand in product(boards, (1, 2, 7)):
        position = GAME.load("standard", at(1, {1: hand, 2: 20}, " ".join(map(str, sorted(posts)))), options)
        for one, two in combinations_with_replacement(range(1, 7), 2):
            expected = tuple(sorted(oracle(hand, posts, one, two, options)))
            if GAME.legal(position, Dice((one, two))) != expected:
                wrong.append((posts, hand, one, two, expected))
    assert wrong == []


@pytest.mark.parametrize(
    ("state", "options", "field"),
    [
        (at(1, {1: 20, 2: 20}, dropped=1), {}, "state: has 41 sticks"),
        (at(1, {1: 20, 2: 20}, "3", dropped=-1), {}, "state.dropped: "),
        ({**HELD, "posts": [3, 3]}, {}, "state.posts: names a post twice"),
        ({**HELD, "posts": [3, 11]}, {}, "state.posts: "),
        ({**HELD, "posts": ["3", "5"]}, {}, "state.posts: "),
        (at(1, {1: 20}), {}, "state.players: a game needs two"),
        (at(1, {1: 0, 2: 20}, FULL), {}, "state.players.1.sticks: a finished game"),
        (at(None, {1: 18, 2: 20}), {}, "state.turn: "),
        (at(1, {1: 18, 2: 20}, may=""), {}, "state.may: "),
        ({**HELD, "thrown": 1}, {}, "state.thrown: either"),
        ({name: value for name, value in HELD.items() if name != "may"}, {}, "state.thrown: either"),
        ({**HELD, "out": {"2": {"sticks": 0}}}, {}, "state.out: seat 2 is in"),
        (HELD, {"full_board": "open"}, "options.full_board: "),
        (HELD, {"last_stick": 1}, "options.last_stick: "),
        (HELD, {"corners": "own"}, "options: "),
    ],
)
def test_an_impossible_position_names_the_field(state: object, options: Mapping[str, object], field: str) -> None:
    with pytest.raises(BadQuestion) as wrong:
        GAME.load("standard", state, options)
    assert str(wrong.value).startswith(field)


def test_thrown_and_may_say_the_same() -> None:
    plain = {name: value for name, value in HELD.items() if name != "may"}
    assert GAME.load("standard", {**plain, "thrown": 2}, {}) == GAME.load("standard", HELD, {})
    assert GAME.dump(GAME.load("standard", {**plain, "thrown": 0}, {}))["may"] == ["throw"]


def asked(state: object, throw: object, move: object) -> object:
    question = {"game": "batok", "preset": "standard", "state": state, "throw": throw, "move": move}
    return answer(json.dumps(question).encode())


def test_passing_is_asked_without_a_throw() -> None:
    before = at(1, {1: 20, 2: 20}, may="throw")
    after = at(2, {1: 18, 2: 20}, "3 5", may="throw")
    assert asked(HELD, None, "pass") == {"legal": ["pass"], "after": after, "over": None, "why": ["pass"]}
    assert asked(HELD, None, None) == {"legal": ["pass"], "after": None, "over": None, "why": []}
    refused = {"legal": [], "after": None, "over": None, "why": ["R-BA-PASS"], "illegal": True}
    assert asked(before, None, "pass") == refused
    assert asked(before, None, None) == {"error": "throw: must be given where nothing can be done without one"}


@pytest.mark.parametrize("move", ["5,3", "hole,5", "3,4,5", "0", "11", "3, 5", "", "3,", "reserve>3", "Hole"])
def test_what_is_no_move(move: str) -> None:
    with pytest.raises(BadQuestion, match=r"^move: "):
        GAME.decide(GAME.load("standard", HELD, {}), Dice((3, 5)), move)


@pytest.mark.parametrize("throw", [{"dice": [3]}, {"dice": [3, 7]}, {"dice": [1, 2, 3]}, {"dice": "35"}, {"marks": 2}])
def test_what_is_no_throw(throw: object) -> None:
    with pytest.raises(BadQuestion, match=r"^throw"):
        GAME.load_throw(GAME.load("standard", HELD, {}), throw)
    for wrong in (Dice((1,)), Dice((0, 3)), Beans(3)):
        with pytest.raises(BadQuestion, match=r"^throw:"):
            GAME.legal(GAME.load("standard", HELD, {}), wrong)


@pytest.mark.parametrize("seats", [(ONE,), (TWO, ONE), (ONE, Seat(7))])
def test_who_cannot_play(seats: tuple[Seat, ...]) -> None:
    with pytest.raises(BadQuestion, match=r"^seats:"):
        GAME.start("standard", seats, {})
    with pytest.raises(BadQuestion, match=r"^stakes:"):
        GAME.start("standard", (ONE, TWO), {}, 3)


def test_a_match_with_passing_and_undoing() -> None:
    game = match.begin(match.start("batok", "standard", (ONE, TWO)))
    for dice in ((1, 2), (6, 6), (1, 2)):
        game = booked(game, match.throw(game, Dice(dice)))
    assert (game.phase, game.turn, game.legal) == ("move", TWO, ("1,2", "3"))
    played = booked(game, match.move(game, "1,2"))
    assert (played.phase, played.turn, played.legal) == ("throw", TWO, ("pass",))
    passed = booked(played, match.move(played, "pass", "hand"))
    assert (passed.phase, passed.turn, passed.legal) == ("throw", ONE, ())
    assert booked(passed, match.undo(passed, "referee")) == played
    with pytest.raises(Illegal) as breach:
        match.move(passed, "pass")
    assert breach.value.why == ("R-BA-PASS",)


def test_who_resigns_takes_his_hand_along() -> None:
    position = GAME.load("standard", at(1, {1: 15, 2: 30, 3: 10}, "2 3", may="throw pass"), {})
    assert GAME.resign(position, ONE) == (Out(ONE, ("resigned",)), Turn(TWO))
    fewer = rules.fold(GAME, position, GAME.resign(position, TWO))
    written = {**at(1, {1: 15, 3: 10}, "2 3", dropped=3), "out": {"2": {"sticks": 30}}}
    assert GAME.dump(fewer) == written
    assert GAME.load("standard", written, {}) == fewer
    assert GAME.resign(fewer, THREE) == (Out(THREE, ("resigned",)), Over(ONE, ("last",)))


def test_a_correction_takes_from_the_movers_hand_or_gives_to_it() -> None:
    position = GAME.load("standard", at(1, {1: 15, 2: 20}, "2 3"), {})
    agreed = GAME.fold(position, Corrected("Ana", {"2": (ONE,), "9": (TWO,), "10": (ONE,), "hole": (ONE,)}))
    assert GAME.dump(agreed) == at(1, {1: 16, 2: 20}, "2 9 10", dropped=1)
    assert GAME.occupancy(agreed) == {"2": (ONE,), "9": (ONE,), "10": (ONE,)}


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ({"11": (ONE,)}, 'pieces: "11" is no post'),
        ({"2": (ONE, TWO)}, "pieces: one stick stands on a post, not 2"),
        ({"hole": (ONE,) * 20}, "pieces: seat 1 has not that many sticks"),
    ],
)
def test_what_is_no_correction(pieces: Occupancy, message: str) -> None:
    with pytest.raises(BadQuestion) as wrong:
        GAME.fold(GAME.load("standard", at(1, {1: 15, 2: 20}, "2 3"), {}), Corrected("Ana", pieces))
    assert str(wrong.value).startswith(message)
