"""Patolli's rules one by one: the ruling, its reasons and the next state."""

from collections.abc import Mapping

import pytest

from referee import rules
from referee.events import Captured, Event, Moved, Out, Over, Paid, Turn
from referee.games.patolli import Patolli
from referee.throws import Beans
from tests.referee.positions import EAST, FRESH, NORTH, SMALL, SOUTH, WEST, at, duel

GAME = Patolli()


def decided(preset: str, state: object, marks: int, move: str | None) -> tuple[Event, ...]:
    return GAME.decide(GAME.load(preset, state, {}), Beans(marks), move)


def ruled(
    preset: str, state: object, marks: int, move: str | None, options: Mapping[str, object]
) -> tuple[object, str | None, list[str]]:
    """The next state, how it ended, and what decided."""
    position, throw = GAME.load(preset, state, options), Beans(marks)
    events = GAME.decide(position, throw, move)
    after = rules.fold(GAME, position, (rules.thrown(GAME, position, throw), *events))
    return GAME.dump(after), after.over, rules.why(events)


# fmt: off
CLASSIC = [
    pytest.param(at(1, {1: FRESH, 3: FRESH}), 0, None,
                 at(3, {1: (6, [], 0, 7), 3: FRESH}, pot=1), None,
                 ["offering", "R-ZERO-EMPTY"], id="R-ZERO-EMPTY an offering with nothing on the board"),
    pytest.param(at(1, {1: (5, [9], 0, 8), 3: FRESH}), 0, None,
                 at(3, {1: (5, [9], 0, 7), 3: FRESH}, pot=1), None,
                 ["offering"], id="offering and the turn is lost"),
    pytest.param(at(1, {1: (5, [9], 0, 1), 3: FRESH}), 0, None,
                 at(3, {1: (5, [9], 0, 0), 3: FRESH}, pot=1), None,
                 ["offering"], id="R-BANKRUPT having no stakes left is not bankruptcy"),
    pytest.param(at(2, {1: FRESH, 2: (6, [], 0, 0), 4: FRESH}, pot=2), 0, None,
                 at(4, {1: FRESH, 4: FRESH}, pot=2), None,
                 ["offering", "R-ZERO-EMPTY", "out", "R-BANKRUPT", "R-OUT-ORDER"],
                 id="R-BANKRUPT an offering that cannot be made; R-OUT-ORDER the next clockwise from that seat"),
    pytest.param(at(1, {1: (5, [9], 0, 0), 3: (5, [30], 0, 8)}, pot=2), 0, None,
                 at(None, {3: (5, [30], 0, 10)}), "3",
                 ["offering", "out", "R-BANKRUPT", "R-POT-END", "last", "R-LAST-AT-ONCE"],
                 id="R-POT-END the last one left takes the pot"),
    pytest.param(at(1, {1: (5, [10], 0, 8), 3: FRESH}), 5, "10>20",
                 at(1, {1: (5, [20], 0, 8), 3: FRESH}), None,
                 ["R-TRI", "tip", "R-EXTRA-MUST"], id="five marks are ten; R-EXTRA-MUST a tip gives a throw"),
    pytest.param(at(1, {1: (0, [13], 5, 8), 3: (5, [14], 0, 8)}), 1, None,
                 at(3, {1: (0, [13], 5, 8), 3: (5, [14], 0, 8)}), None,
                 ["blocked", "no_move"], id="an opponent outside the centre blocks; a turn without a move is free"),
    pytest.param(at(1, {1: (3, [], 3, 8), 3: FRESH}), 4, None,
                 at(3, {1: (3, [], 3, 8), 3: FRESH}), None,
                 ["entry_on_one", "no_move"], id="a piece enters on a 1 only"),
    pytest.param(at(1, {1: (1, [1], 4, 8), 3: FRESH}), 1, "1>2",
                 at(3, {1: (1, [2], 4, 8), 3: FRESH}), None,
                 ["R-OWN"], id="R-OWN one's own piece bars the first cell"),
    pytest.param(at(1, {1: (0, [12, 13], 4, 8), 3: FRESH}), 1, "13>14",
                 at(3, {1: (0, [12, 14], 4, 8), 3: FRESH}), None,
                 ["R-OWN"], id="R-OWN one's own piece bars the centre"),
    pytest.param(at(1, {1: (5, [11], 0, 8), 3: (5, [13], 0, 8)}), 4, "11>15",
                 at(3, {1: (5, [15], 0, 8), 3: (5, [13], 0, 8)}), None,
                 ["R-JUMP-CENTRE"], id="R-JUMP-CENTRE jumping captures nothing"),
    pytest.param(at(1, {1: (5, [37], 0, 8), 3: (5, [39], 0, 8)}), 2, "37>39",
                 at(3, {1: (5, [39], 0, 9), 3: (6, [], 0, 7)}), None,
                 ["capture"], id="captures in a centre cell of anybody"),
    pytest.param(at(1, {1: (5, [37], 0, 8), 2: FRESH, 3: (3, [39], 2, 0)}), 2, "37>39",
                 at(2, {1: (5, [39], 0, 8), 2: FRESH}), None,
                 ["capture", "R-CAP-BROKE", "out", "R-BANKRUPT"],
                 id="R-CAP-BROKE the capture stands, the captor gets nothing, the game goes on"),
    pytest.param(at(1, {1: (5, [1], 0, 8), 3: FRESH}), 3, "1>4",
                 at(3, {1: (5, [4], 0, 7), 3: FRESH}, pot=1), None,
                 ["R-TRI", "triangle"], id="R-TRI a triangle costs a stake"),
    pytest.param(at(1, {1: (5, [3], 0, 8), 3: FRESH}), 2, "3>5",
                 at(3, {1: (5, [5], 0, 8), 3: FRESH}), None,
                 ["R-TRI"], id="R-TRI passing a triangle is free"),
    pytest.param(at(1, {1: (5, [20], 0, 8), 3: FRESH}), 2, "20>22",
                 at(3, {1: (5, [22], 0, 7), 3: FRESH}, pot=1), None,
                 ["R-TRI", "triangle"], id="R-SEATS the triangles of an empty arm cost"),
    pytest.param(at(1, {1: (5, [18], 0, 8), 3: FRESH}), 1, "18>19",
                 at(1, {1: (5, [19], 0, 8), 3: FRESH}), None,
                 ["tip", "R-EXTRA-MUST"], id="R-SEATS the tips of an empty arm give a throw"),
    pytest.param(at(1, {1: (0, [3], 5, 0), 2: FRESH, 3: FRESH}, pot=4), 1, "3>4",
                 at(2, {2: FRESH, 3: FRESH}, pot=4), None,
                 ["R-TRI", "triangle", "R-MUST", "out", "R-BANKRUPT", "R-OUT-ORDER"],
                 id="R-MUST the only move must be made though it ruins; the pot is untouched"),
    pytest.param(at(2, {1: FRESH, 2: (2, [13], 3, 2), 3: (5, [5], 0, 8), 4: FRESH}, pot=5), 1, "13>home",
                 at(3, {1: (6, [], 0, 7), 2: (2, [], 4, 10), 3: (5, [5], 0, 7), 4: (6, [], 0, 7)}), None,
                 ["exit", "R-EXIT-ORDER", "pot"], id="R-EXIT-ORDER every opponent pays, then the pot"),
    pytest.param(at(1, {1: (5, [52], 0, 8), 3: FRESH}), 1, "52>home",
                 at(3, {1: (5, [], 1, 9), 3: (6, [], 0, 7)}), None,
                 ["exit"], id="exit with an empty pot"),
    pytest.param(at(1, {1: (0, [51], 5, 8), 3: FRESH}), 3, None,
                 at(3, {1: (0, [51], 5, 8), 3: FRESH}), None,
                 ["exact", "no_move"], id="a piece leaves by exact count"),
    pytest.param(at(1, {1: (0, [43], 5, 8), 3: FRESH}, pot=2), 5, "43>home",
                 at(None, {1: (0, [], 6, 11), 3: (6, [], 0, 7)}), "1",
                 ["R-TRI", "exit", "pot", "race"], id="six pieces home win"),
    pytest.param(at(1, {1: (0, [52], 5, 0), 2: (6, [], 0, 0), 3: FRESH}), 1, "52>home",
                 at(None, {1: (0, [], 6, 1), 3: (6, [], 0, 7)}), "1",
                 ["exit", "R-EXIT-ORDER", "out", "R-BANKRUPT", "race"],
                 id="losers of a race stay listed, a player who is out does not"),
    pytest.param(at(1, {1: (0, [52], 5, 3), 3: (6, [], 0, 0)}, pot=1), 1, "52>home",
                 at(None, {1: (0, [], 6, 4)}), "1",
                 ["exit", "out", "R-BANKRUPT", "R-POT-END", "last", "R-LAST-AT-ONCE"],
                 id="R-LAST-AT-ONCE the last piece home when nobody can pay wins once"),
]
MODERN = [
    pytest.param(at(1, {1: FRESH, 3: FRESH}), 0, "reserve>10",
                 at(3, {1: (5, [10], 0, 8), 3: FRESH}), None,
                 ["entry"], id="no mark is ten steps and no offering"),
    pytest.param(at(1, {1: (0, [1], 5, 8), 3: (5, [6], 0, 8)}), 5, None,
                 at(1, {1: (0, [1], 5, 8), 3: (5, [6], 0, 8)}), None,
                 ["tip_shelters", "no_move", "five", "R-FIVE-NOMOVE"], id="R-FIVE-NOMOVE though nothing moves"),
    pytest.param(at(1, {1: (0, [1], 5, 8), 3: (5, [6], 0, 8)}), 0, "1>11",
                 at(3, {1: (0, [11], 5, 8), 3: (5, [6], 0, 8)}), None,
                 ["R-TRI"], id="passing a tip is no capture"),
    pytest.param(at(1, {1: (0, [2], 5, 8), 3: FRESH}), 5, "2>7",
                 at(1, {1: (0, [7], 5, 8), 3: FRESH}), None,
                 ["R-TRI", "tip", "R-EXTRA-MUST", "five", "R-EXTRA-ONE"], id="R-EXTRA-ONE never two extra throws"),
    pytest.param(at(1, {1: FRESH, 3: (5, [3], 0, 8)}), 3, "reserve>3",
                 at(3, {1: (5, [3], 0, 9), 3: (6, [], 0, 7)}), None,
                 ["entry", "capture", "R-ENTRY-HIT"], id="R-ENTRY-HIT entering captures"),
    pytest.param(at(1, {1: FRESH, 3: (5, [4], 0, 8)}), 4, "reserve>4",
                 at(3, {1: (5, [4], 0, 8), 3: (6, [], 0, 7)}, pot=1), None,
                 ["entry", "R-TRI", "capture", "R-ENTRY-HIT", "R-EFFECT-ORDER", "triangle"],
                 id="R-EFFECT-ORDER the captured owner pays before the triangle does"),
    pytest.param(at(1, {1: (0, [1], 5, 0), 2: FRESH, 3: (5, [4], 0, 1)}), 3, "1>4",
                 at(2, {1: (0, [4], 5, 0), 2: FRESH, 3: (6, [], 0, 0)}, pot=1), None,
                 ["R-TRI", "capture", "R-EFFECT-ORDER", "triangle"],
                 id="R-EFFECT-ORDER what the capture brings pays the triangle"),
    pytest.param(at(1, {1: (0, [20], 5, 8), 3: (5, [23], 0, 8)}), 3, "20>23",
                 at(3, {1: (0, [23], 5, 9), 3: (6, [], 0, 7)}), None,
                 ["R-TRI", "capture"], id="captures everywhere but on tips"),
    pytest.param(at(1, {1: (2, [50], 3, 8), 3: FRESH}, pot=1), 5, "50>home",
                 at(1, {1: (2, [], 4, 10), 3: (6, [], 0, 7)}), None,
                 ["exit", "pot", "five"], id="leaving on all five gives the other throw"),
    pytest.param(at(1, {1: (0, [52], 5, 8), 3: (5, [2], 0, 8)}), 0, "52>home",
                 at(None, {1: (0, [], 6, 9), 3: (5, [2], 0, 7)}), "1",
                 ["exit", "race"], id="no exact count; what lies beyond the lap is not jumped"),
    pytest.param(at(2, {1: FRESH, 2: (0, [12], 5, 0), 3: FRESH}, pot=3), 5, "12>home",
                 at(None, {1: (6, [], 0, 7), 2: (0, [], 6, 5), 3: (6, [], 0, 7)}), "2",
                 ["exit", "R-EXIT-ORDER", "pot", "race"], id="a win on all five gives no other throw"),
    pytest.param(at(1, {1: (0, [12], 5, 0), 2: FRESH, 3: FRESH}), 5, "12>17",
                 at(2, {2: FRESH, 3: FRESH}), None,
                 ["R-TRI", "triangle", "R-MUST", "out", "R-BANKRUPT", "R-OUT-ORDER"],
                 id="R-BANKRUPT a pending extra throw dies"),
    pytest.param(at(1, {1: (0, [8], 5, 3), 2: FRESH, 3: (5, [13], 0, 0)}), 5, "8>13",
                 at(1, {1: (0, [13], 5, 3), 2: FRESH}), None,
                 ["R-TRI", "capture", "R-CAP-BROKE", "out", "R-BANKRUPT", "five"],
                 id="the extra throw outlives the bankruptcy of another"),
]
QUICK = [
    pytest.param(at(1, {1: SMALL, 3: SMALL}), 5, "reserve>10",
                 at(3, {1: (2, [10], 0, 8), 3: SMALL}), None,
                 ["R-QUICK-BASE", "entry", "R-QUICK-ENTRY"], id="R-QUICK-BASE five marks are ten; R-QUICK-ENTRY"),
    pytest.param(at(3, {1: SMALL, 3: SMALL}), 4, "reserve>30",
                 at(1, {1: SMALL, 3: (2, [30], 0, 7)}, pot=1), None,
                 ["entry", "R-QUICK-ENTRY", "R-TRI", "triangle"], id="R-QUICK-ENTRY a triangle is paid for"),
    pytest.param(at(1, {1: (1, [2, 9], 0, 8), 3: SMALL}), 2, "9>11",
                 at(3, {1: (1, [2, 11], 0, 8), 3: SMALL}), None,
                 ["R-QUICK-ENTRY", "R-OWN"], id="R-OWN bars the cell of the throw"),
    pytest.param(at(1, {1: (0, [52], 2, 8), 3: SMALL}), 2, None,
                 at(3, {1: (0, [52], 2, 8), 3: SMALL}), None,
                 ["exact", "R-QUICK-BASE", "no_move"], id="R-QUICK-BASE by exact count"),
    pytest.param(at(1, {1: (0, [52], 2, 8), 3: SMALL}), 1, "52>home",
                 at(None, {1: (0, [], 3, 9), 3: (3, [], 0, 7)}), "1",
                 ["exit", "race"], id="three pieces home win"),
]
ALL_STAKES = [
    pytest.param(at(1, {1: (5, [52], 0, 8), 3: FRESH}, pot=2), 1, "52>home",
                 at(3, {1: (6, [], 0, 11), 3: (6, [], 0, 7)}), None,
                 ["exit", "pot"], id="a completed lap pays and the piece may go again"),
    pytest.param(at(1, {1: (5, [11], 0, 15), 3: (5, [13], 0, 1)}), 2, "11>13",
                 at(None, {1: (5, [13], 0, 16), 3: (6, [], 0, 0)}), "1",
                 ["capture", "R-ALL-END"], id="R-ALL-END one player holds every stake"),
    pytest.param(at(1, {1: (5, [11], 0, 14), 3: (5, [13], 0, 1)}, pot=1), 2, "11>13",
                 at(3, {1: (5, [13], 0, 15), 3: (6, [], 0, 0)}, pot=1), None,
                 ["capture"], id="R-ALL-END not while the pot holds any"),
    pytest.param(at(1, {1: (5, [52], 0, 5), 2: (6, [], 0, 1), 3: (6, [], 0, 1)}, pot=2), 1, "52>home",
                 at(None, {1: (6, [], 0, 9), 2: (6, [], 0, 0), 3: (6, [], 0, 0)}), "1",
                 ["exit", "R-EXIT-ORDER", "pot", "R-ALL-END"], id="R-ALL-END after the whole chain, with three"),
    pytest.param(at(1, {1: (5, [52], 0, 5), 2: (6, [], 0, 0), 3: (6, [], 0, 0)}, pot=2), 1, "52>home",
                 at(None, {1: (6, [], 0, 7)}), "1",
                 ["exit", "R-EXIT-ORDER", "out", "R-BANKRUPT", "R-POT-END", "last", "R-LAST-AT-ONCE"],
                 id="R-LAST-AT-ONCE when nobody else can pay"),
]
JADE_CORAL = [
    pytest.param(duel(1, (5, [9], 0), (6, [], 0), 7), 0, None, {},
                 duel(3, (5, [9], 0), (6, [], 0), 8), None, ["zero"], id="no mark passes"),
    pytest.param(duel(1, (5, [1], 0), (6, [], 0), 7), 3, "1>4", {"triangle_rows": [4, 5]},
                 duel(3, (5, [4], 0), (6, [], 0), 8), None, [], id="triangles mean nothing"),
    pytest.param(duel(3, (5, [26], 0), (5, [25], 0), 7), 1, "25>26", {},
                 duel(1, (6, [], 0), (5, [26], 0), 8), None, ["capture"], id="capture in the centre"),
    pytest.param(duel(3, (6, [], 0), (5, [31], 0), 7), 2, "31>33", {},
                 duel(3, (6, [], 0), (5, [33], 0), 8), None, ["tip", "R-EXTRA-MUST"], id="a tip gives another throw"),
    pytest.param(duel(1, (0, [52], 5), (6, [], 0), 1999), 1, None, {},
                 duel(None, (0, [52], 5), (6, [], 0), 2000), "draw", ["R-JC-COUNT"], id="the 2,000th throw is a draw"),
    pytest.param(duel(1, (0, [52], 5), (6, [], 0), 9), 0, None, {"throw_limit": 10},
                 duel(None, (0, [52], 5), (6, [], 0), 10), "draw", ["R-JC-COUNT"], id="the limit is an option"),
    pytest.param(duel(1, (0, [52], 5), (6, [], 0), 8), 1, "52>home", {"throw_limit": 10},
                 duel(None, (0, [], 6), (6, [], 0), 9), "1", ["exit", "race"], id="the throw before the limit counts"),
]
ROWS = [
    pytest.param([6], 8, at(1, {1: (5, [6], 0, 7), 2: FRESH, 3: FRESH}, pot=1),
                 ["R-TRI", "triangle", "R-EFFECT-ORDER", "tip", "R-EXTRA-MUST"], id="pay, then throw again"),
    pytest.param([6], 0, at(2, {2: FRESH, 3: FRESH}),
                 ["R-TRI", "triangle", "R-EFFECT-ORDER", "R-MUST", "out", "R-BANKRUPT", "R-OUT-ORDER"],
                 id="who cannot pay does not throw again"),
    pytest.param([4, 5], 8, at(1, {1: (5, [6], 0, 8), 2: FRESH, 3: FRESH}), ["tip", "R-EXTRA-MUST"], id="rows 4 and 5"),
    pytest.param([], 8, at(1, {1: (5, [6], 0, 8), 2: FRESH, 3: FRESH}), ["tip", "R-EXTRA-MUST"], id="no triangles"),
]
# fmt: on


@pytest.mark.parametrize(
    ("preset", "before", "marks", "move", "after", "over", "why"),
    [
        pytest.param(preset, *row.values, id=f"{preset}: {row.id}")
        for preset, rows in (("classic", CLASSIC), ("modern", MODERN), ("quick", QUICK), ("all-stakes", ALL_STAKES))
        for row in rows
    ],
)
def test_ruling(
    preset: str, before: object, marks: int, move: str | None, after: object, over: str | None, why: list[str]
) -> None:
    assert ruled(preset, before, marks, move, {}) == (after, over, why)


@pytest.mark.parametrize(("before", "marks", "move", "options", "after", "over", "why"), JADE_CORAL)
def test_jade_coral(
    before: object,
    marks: int,
    move: str | None,
    options: Mapping[str, object],
    after: object,
    over: str | None,
    why: list[str],
) -> None:
    assert ruled("jade-coral", before, marks, move, options) == (after, over, why)


@pytest.mark.parametrize(("rows", "stakes", "after", "why"), ROWS)
def test_triangle_rows_of_the_board(rows: list[int], stakes: int, after: object, why: list[str]) -> None:
    before = at(1, {1: (5, [5], 0, stakes), 2: FRESH, 3: FRESH})
    assert ruled("classic", before, 1, "5>6", {"triangle_rows": rows}) == (after, None, why)


def test_effects_fall_due_in_order() -> None:
    before = at(2, {1: FRESH, 2: (2, [13], 3, 2), 3: (6, [], 0, 0), 4: FRESH}, pot=5)
    assert decided("classic", before, 1, "13>home") == (
        Moved(WEST, "13", "home", ("exit",)),
        Out(NORTH, ("exit", "R-EXIT-ORDER", "out", "R-BANKRUPT")),
        Paid(EAST, WEST, 1, ("exit", "R-EXIT-ORDER")),
        Paid(SOUTH, WEST, 1, ("exit", "R-EXIT-ORDER")),
        Paid("pot", WEST, 5, ("exit", "pot")),
        Turn(EAST),
    )


def test_the_last_one_left_is_charged_nothing_more() -> None:
    before = at(1, {1: (0, [1], 5, 0), 3: (4, [4, 40], 0, 0)}, pot=5)
    assert decided("modern", before, 3, "1>4") == (
        Moved(SOUTH, "1", "4", ("R-TRI",)),
        Captured(NORTH, SOUTH, "4", ("capture", "R-EFFECT-ORDER")),
        Out(NORTH, ("capture", "R-CAP-BROKE", "out", "R-BANKRUPT")),
        Paid("pot", SOUTH, 5, ("R-POT-END",)),
        Over(SOUTH, ("last", "R-LAST-AT-ONCE")),
    )
