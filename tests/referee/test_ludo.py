"""Ludo's rules one by one: the ruling, its reasons and the next state."""

from collections.abc import Mapping

import pytest

from referee import match, rules
from referee.events import Corrected, Out, Over, Paid, Turn
from referee.games.ludo_position import SEATS, way
from referee.rules import BadQuestion, Illegal
from referee.throws import Dice
from tests.referee.ludo_positions import FOUR, GAME, ONE, THREE, TWO, at
from tests.referee.play import booked

SHARED = {"corners": "shared"}


def ruled(
    state: object, die: int, move: str | None, options: Mapping[str, object]
) -> tuple[object, str | None, list[str]]:
    position = GAME.load("chessboard", state, options)
    events = GAME.decide(position, Dice((die,)), move)
    after = rules.fold(GAME, position, events)
    return GAME.dump(after), after.over, rules.why(events)


def test_the_way_of_each_seat() -> None:
    assert " ".join(way(FOUR, "own")) == (
        "h2 h3 h4 h5 h6 h7 g8 f8 e8 d8 c8 b8 a7 a6 a5 a4 a3 a2 b1 c1 d1 e1 f1 g1 h1 g2 f3 e4"
    )
    assert " ".join(way(TWO, "shared")) == (
        "a7 a6 a5 a4 a3 a2 a1 b1 c1 d1 e1 f1 g1 h1 h2 h3 h4 h5 h6 h7 h8 g8 f8 e8 d8 c8 b8 a8 b7 c6 d5"
    )
    starts = [way(seat, "own")[0] for seat in SEATS]
    assert (starts, {len(way(seat, "own")) for seat in SEATS}) == (["b1", "a7", "g8", "h2"], {28})
    assert {len(way(seat, "shared")) for seat in SEATS} == {31}


# fmt: off
RULINGS = [
    pytest.param(at(1, {1: "", 3: ""}), 5, None, at(3, {1: "", 3: ""}), None,
                 ["entry_on_six", "no_move"], id="a man enters on a six only"),
    pytest.param(at(1, {1: "", 3: ""}), 6, "reserve>b1", at(1, {1: "b1", 3: ""}), None,
                 ["entry", "six", "R-LU-SIX-ALWAYS"], id="a six gives another throw"),
    pytest.param(at(1, {1: "b2 c3 d4 f1", 3: ""}), 6, "f1>h6",
                 at(1, {1: "b2 c3 d4 h6", 3: ""}), None,
                 ["R-LU-EXACT", "R-LU-RING24", "six", "R-LU-SIX-ALWAYS"], id="R-LU-EXACT no step beyond the fourth"),
    pytest.param(at(1, {1: "b2 c3 d4", 3: ""}), 5, None, at(3, {1: "b2 c3 d4", 3: ""}), None,
                 ["entry_on_six", "R-LU-EXACT", "no_move"], id="R-LU-EXACT nothing can move"),
    pytest.param(at(3, {3: "f6 e5 h8", 4: "", 1: ""}), 4, None, at(1, {3: "e5 f6 h8", 4: "", 1: ""}), None,
                 ["entry_on_six", "R-LU-EXACT", "no_move"], id="the turn goes against the clock"),
    pytest.param(at(1, {1: "", 2: "", 4: ""}), 1, None, at(4, {1: "", 2: "", 4: ""}), None,
                 ["entry_on_six", "no_move"], id="from 1 to 4"),
    pytest.param(at(1, {1: "e1 e1", 3: "f1 f1"}), 1, "e1>f1", at(1, {1: "e1 f1", 3: ""}), None,
                 ["hit", "R-LU-STACK"], id="R-LU-STACK all men there are hit"),
    pytest.param(at(1, {1: "", 3: "b1"}), 6, "reserve>b1", at(1, {1: "b1", 3: ""}), None,
                 ["entry", "hit", "R-LU-ENTER-HIT", "six", "R-LU-SIX-ALWAYS", "R-LU-ONE-EXTRA"],
                 id="R-LU-ENTER-HIT R-LU-ONE-EXTRA"),
    pytest.param(at(1, {1: "a1 a2", 3: ""}), 1, "a1>b2", at(3, {1: "a2 b2", 3: ""}), None,
                 ["R-LU-HOME-MAY"], id="R-LU-HOME-MAY a man in the home may move though another must not wait"),
    pytest.param(at(1, {1: "a1", 3: ""}), 1, "pass", at(3, {1: "a1", 3: ""}), None,
                 ["R-LU-HOME-MAY"], id="R-LU-HOME-MAY passing"),
    pytest.param(at(1, {1: "a1 b2", 3: ""}), 1, "a1>b2", at(3, {1: "b2 b2", 3: ""}), None,
                 ["R-LU-HOME-MAY", "R-LU-HOME-STACK"], id="R-LU-HOME-STACK home men share a square"),
    pytest.param(at(1, {1: "a2 b2 c3 d4", 3: ""}), 1, "a2>a1", at(None, {1: "a1 b2 c3 d4", 3: ""}), "1",
                 ["R-LU-EXACT", "race"], id="won when the fourth man enters the home"),
    pytest.param(at(1, {1: "a2 b2 c3 d4", 3: "h2"}, (-2, 7), 9), 1, "a2>a1",
                 at(None, {1: "a1 b2 c3 d4", 3: "h2"}, (7, 7), 0), "1",
                 ["R-LU-EXACT", "race", "R-LU-BANK"], id="R-LU-BANK the winner takes the bank"),
    pytest.param(at(1, {1: "e1", 3: "f1 f1"}, (3, 1), 2), 1, "e1>f1", at(1, {1: "f1", 3: ""}, (3, -1), 4), None,
                 ["hit", "R-LU-STACK", "R-LU-FINE1"], id="R-LU-FINE1 each man is paid for, into debt"),
]
SHARED_RULINGS = [
    pytest.param(at(1, {1: "g1", 3: "h1"}), 1, "g1>h1", at(3, {1: "h1", 3: "h1"}), None,
                 ["corner"], id="nobody is hit on a corner"),
    pytest.param(at(1, {1: "e1", 3: "h1"}), 4, "e1>h2", at(3, {1: "h2", 3: "h1"}), None,
                 [], id="corners are steps"),
    pytest.param(at(1, {1: "a2", 3: "a1"}), 1, "a2>a1", at(3, {1: "a1", 3: "a1"}), None,
                 [], id="a stranger does not mind in one's own corner"),
    pytest.param(at(3, {1: "a1", 3: "a1"}), 1, "a1>b1", at(1, {1: "a1", 3: "b1"}), None,
                 [], id="for strangers the corner is a step on the ring"),
]
# fmt: on


@pytest.mark.parametrize(("before", "die", "move", "after", "over", "why"), RULINGS)
def test_ruling(before: object, die: int, move: str | None, after: object, over: str | None, why: list[str]) -> None:
    assert ruled(before, die, move, {}) == (after, over, why)


@pytest.mark.parametrize(("before", "die", "move", "after", "over", "why"), SHARED_RULINGS)
def test_ruling_with_shared_corners(
    before: object, die: int, move: str | None, after: object, over: str | None, why: list[str]
) -> None:
    assert ruled(before, die, move, SHARED) == (after, over, why)


def test_an_entry_is_paid_into_the_bank_where_there_are_stakes() -> None:
    game = match.begin(match.start("ludo", "chessboard", (ONE, TWO, FOUR), stakes=5, handicap={TWO: 2}))
    assert game.game.dump(game.position) == at(1, {1: "", 2: "", 4: ""}, (4, 1, 4), 3)
    assert dict(game.ledger.balances) == {"pot": 3, ONE: 4, TWO: 1, FOUR: 4}
    assert game.ledger.payments[1] == Paid(TWO, "pot", 1, ("entry_fee",))
    assert match.begin(match.start("ludo", "chessboard", (ONE, TWO))).ledger.payments == ()


def test_resigning() -> None:
    position = GAME.load("chessboard", at(4, {1: "b1", 2: "", 4: "h2"}, (-1, 4, 4), 8), {})
    assert GAME.resign(position, ONE) == (Paid("pot", ONE, 1, ("resigned",)), Out(ONE, ("resigned",)), Turn(FOUR))
    assert GAME.resign(position, FOUR) == (Paid(FOUR, "pot", 4, ("resigned",)), Out(FOUR, ("resigned",)), Turn(TWO))
    two = rules.fold(GAME, position, GAME.resign(position, FOUR))
    last = GAME.resign(two, TWO)
    assert last[2:] == (Paid("pot", ONE, 16, ("last", "R-LU-BANK")), Over(ONE, ("last",)))
    assert GAME.dump(rules.fold(GAME, two, last)) == at(None, {1: "b1"}, (15,), 0)
    with pytest.raises(Illegal) as gone:
        GAME.resign(two, FOUR)
    assert gone.value.why == ("not_in",)


def test_a_debt_to_the_bank_cannot_be_given_away() -> None:
    """Else the resignation of who owes it would leave the bank with less than nothing."""
    game = match.begin(match.start("ludo", "chessboard", (ONE, TWO), stakes=1))
    for value in (4, 6):
        game = booked(game, match.throw(game, Dice((value,))))
    game = booked(game, match.correct(game, {"c1": (TWO,), "e1": (ONE, ONE)}, "referee"))
    game = booked(game, match.throw(game, Dice((2,))))
    game = booked(game, match.move(game, "c1>e1"))
    assert dict(game.ledger.balances) == {"pot": 4, ONE: -2, TWO: 0}
    with pytest.raises(BadQuestion, match="from 1 to 2, not 3"):
        match.correct(game, {}, "referee", payments=[("pot", TWO, 3)])
    agreed = booked(game, match.correct(game, {}, "referee", payments=[("pot", TWO, 2)]))
    left = booked(agreed, match.resign(agreed, ONE))
    assert dict(left.ledger.balances) == {"pot": 0, ONE: 0, TWO: 2}


def test_the_highest_die_begins() -> None:
    game = match.begin(match.start("ludo", "chessboard", (ONE, THREE)))
    for value in (4, 4, 2, 5):
        game = booked(game, match.throw(game, Dice((value,))))
    assert (game.phase, game.turn) == ("throw", THREE)


def test_a_correction_sets_men_anywhere_on_their_way() -> None:
    position = GAME.load("chessboard", at(1, {1: "b1 b1", 3: "g8"}), {})
    agreed = GAME.fold(position, Corrected("Ana", {"c3": (ONE,), "d1": (THREE, THREE)}))
    assert GAME.dump(agreed) == at(1, {1: "c3", 3: "d1 d1"})
    assert GAME.occupancy(agreed) == {"c3": (ONE,), "d1": (THREE, THREE)}
