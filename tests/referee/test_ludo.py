"""Ludo's rules one by one: the ruling, its reasons and the next state."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random

import pytest

from referee import match, rules
from referee.board import Occupancy, Seat
from referee.events import Corrected, Out, Over, Paid, Turn
from referee.games.ludo import Ludo
from referee.games.ludo_position import SEATS, way
from referee.rules import BadQuestion, Illegal
from referee.throws import Beans, Dice
from tests.referee.play import booked

GAME = Ludo()
ONE, TWO, THREE, FOUR = SEATS
SHARED = {"corners": "shared"}


def at(turn: int | None, men: Mapping[int, str], stakes: Sequence[int] = (), pot: int = 0) -> dict[str, object]:
    """A position as CONTRACTS writes it, from the squares of each seat's men."""
    players: dict[str, dict[str, object]] = {
        str(seat): {"reserve": 4 - len(squares.split()), "track": squares.split()} for seat, squares in men.items()
    }
    for player, held in zip(players.values(), stakes, strict=False):
        player["stakes"] = held
    return {"players": players, "turn": None if turn is None else str(turn)} | ({"pot": pot} if stakes else {})


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


HOMES = {
    1: ["a1", "b2", "c3", "d4"],
    2: ["a8", "b7", "c6", "d5"],
    3: ["h8", "g7", "f6", "e5"],
    4: ["h1", "g2", "f3", "e4"],
}
CORNERS = {home[0] for home in HOMES.values()}


def step(seat: int, square: str, corners: str) -> str | None:
    """RULES 2 once more, walked on coordinates: the next square of a man's way, None after the last."""
    if square in HOMES[seat]:
        return dict(pairwise(HOMES[seat])).get(square)
    x, y = ord(square[0]) - ord("a"), int(square[1]) - 1
    if y in (0, 7) and (x, y) not in ((7, 0), (0, 7)):
        x += 1 if y == 0 else -1
    else:
        y += 1 if x == 7 else -1
    ahead = f"{chr(ord('a') + x)}{y + 1}"
    if ahead in CORNERS - {HOMES[seat][0]} and corners == "own":
        return step(seat, ahead, "own past a corner")
    return ahead


def oracle(men: Mapping[int, list[str]], turn: int, die: int, corners: str) -> dict[str, tuple[object, int | None]]:
    """For each legal move the men after it and who throws next, None once the mover has won."""
    found: dict[str, tuple[object, int | None]] = {}
    for origin in {*men[turn], "reserve"}:
        target: str | None = origin
        for _ in range(die):
            target = step(turn, target, corners) if target not in (None, "reserve") else target
        if origin == "reserve":
            target = {1: "b1", 2: "a7", 3: "g8", 4: "h2"}[turn] if die == 6 and len(men[turn]) < 4 else None
        if target is None:
            continue
        after = {seat: [*squares] for seat, squares in men.items()}
        if origin != "reserve":
            after[turn].remove(origin)
        after[turn].append(target)
        hit = target not in CORNERS and any(target in squares for seat, squares in men.items() if seat != turn)
        for seat in after:
            if seat != turn and hit:
                after[seat] = [square for square in after[seat] if square != target]
        won = sum(square in HOMES[turn] for square in after[turn]) == 4
        again = turn if hit or die == 6 else following(turn, [*men])
        found[f"{origin}>{target}"] = (
            {seat: sorted(squares) for seat, squares in after.items()},
            None if won else again,
        )
    if found and all(move[:2] in HOMES[turn] for move in found):
        found["pass"] = ({seat: sorted(squares) for seat, squares in men.items()}, following(turn, [*men]))
    return found


def following(turn: int, seats: list[int]) -> int:
    order = [4, 3, 2, 1] * 2
    return next(seat for seat in order[order.index(turn) + 1 :] if seat in seats)


@pytest.mark.parametrize("corners", ["own", "shared"])
def test_moves_and_their_ends_are_those_of_an_independent_oracle(corners: str) -> None:
    random, wrong, asked = Random(6), [], 0
    ways = {seat: list(iter_way(seat, corners)) for seat in (1, 2, 3, 4)}
    while asked < 600:
        seats = sorted(random.sample([1, 2, 3, 4], random.randint(2, 4)))
        men = {seat: sorted(random.choices(ways[seat], k=random.randint(0, 4))) for seat in seats}
        state = at(random.choice(seats), {seat: " ".join(squares) for seat, squares in men.items()})
        try:
            position = GAME.load("chessboard", state, {"corners": corners})
        except BadQuestion:
            continue
        asked += 1
        assert position.turn is not None
        for die in range(1, 7):
            found: dict[str, tuple[object, int | None]] = {}
            for move in GAME.legal(position, Dice((die,))):
                after = rules.fold(GAME, position, GAME.decide(position, Dice((die,)), move))
                found[move] = ({player.seat: list(player.track) for player in after.players}, after.turn)
            if found != oracle(men, position.turn, die, corners):
                wrong.append((state, die))
    assert wrong == []


def iter_way(seat: int, corners: str) -> Iterator[str]:
    square: str | None = {1: "b1", 2: "a7", 3: "g8", 4: "h2"}[seat]
    while square is not None:
        yield square
        square = step(seat, square, corners)
