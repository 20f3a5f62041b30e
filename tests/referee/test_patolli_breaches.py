"""What Patolli's rules allow, what they forbid and why, and how a match may start."""

from collections.abc import Mapping

import pytest

from referee.board import Seat
from referee.games.patolli import Patolli
from referee.rules import BadQuestion, Illegal
from referee.throws import Beans, Dice
from tests.referee.positions import EAST, FRESH, NORTH, SMALL, SOUTH, WEST, at, duel

GAME = Patolli()


@pytest.mark.parametrize(
    ("preset", "before", "marks", "legal"),
    [
        pytest.param("classic", at(1, {1: (4, [5, 52], 0, 8), 3: FRESH}), 1, ("52>home", "5>6", "reserve>1"), id="a 1"),
        pytest.param("classic", at(1, {1: (4, [5, 52], 0, 8), 3: FRESH}), 0, (), id="no mark"),
        pytest.param("classic", at(3, {1: FRESH, 3: (4, [52, 8], 0, 8)}), 5, ("52>10", "8>18"), id="round the corner"),
        pytest.param("modern", at(1, {1: (4, [47, 52], 0, 8), 3: FRESH}), 4, ("47>51", "52>home", "reserve>4"), id="m"),
        pytest.param("quick", at(4, {1: SMALL, 4: (1, [36, 39], 0, 8)}), 4, ("36>home", "reserve>43"), id="arm 4"),
    ],
)
def test_legal_moves(preset: str, before: object, marks: int, legal: tuple[str, ...]) -> None:
    assert GAME.legal(GAME.load(preset, before, {}), Beans(marks)) == legal


HELD = at(1, {1: (3, [5, 6, 52], 0, 8), 3: (4, [8, 13], 0, 8)})


@pytest.mark.parametrize(
    ("preset", "before", "marks", "move", "why"),
    [
        pytest.param("classic", HELD, 1, "5>6", ("R-OWN",), id="own piece"),
        pytest.param("classic", HELD, 2, "6>8", ("blocked",), id="blocked"),
        pytest.param("classic", HELD, 2, "52>home", ("exact",), id="overshoot"),
        pytest.param("classic", HELD, 2, "52>2", ("exact",), id="a second lap"),
        pytest.param("classic", HELD, 2, "reserve>1", ("entry_on_one",), id="entry"),
        pytest.param("classic", HELD, 2, "5>9", ("steps",), id="too far"),
        pytest.param("classic", HELD, 2, "5>home", ("steps",), id="home from afar"),
        pytest.param("classic", HELD, 2, "8>10", ("not_yours",), id="the opponent's piece"),
        pytest.param("classic", HELD, 0, "5>6", ("offering",), id="no mark"),
        pytest.param("classic", at(1, {1: (0, [5], 5, 8), 3: FRESH}), 1, "reserve>1", ("reserve_empty",), id="none"),
        pytest.param("quick", at(1, {1: SMALL, 3: SMALL}), 0, "reserve>1", ("offering", "R-QUICK-BASE"), id="quick"),
        pytest.param(
            "quick",
            at(1, {1: SMALL, 3: (2, [3], 0, 8)}),
            3,
            "reserve>3",
            ("R-QUICK-ENTRY", "blocked", "R-QUICK-BASE"),
            id="quick entry",
        ),
        pytest.param("modern", at(1, {1: (5, [5], 0, 8), 3: (5, [7], 0, 8)}), 2, "5>7", ("tip_shelters",), id="tip"),
        pytest.param("jade-coral", duel(1, (5, [5], 0), (6, [], 0), 3), 0, "5>6", ("zero",), id="jade-coral no mark"),
        pytest.param("jade-coral", duel(1, (5, [5], 0), (6, [], 0), 1999), 1, "5>6", ("R-JC-COUNT",), id="the last"),
        pytest.param("classic", HELD, 2, None, ("R-MUST",), id="R-MUST a legal move must be made"),
    ],
)
def test_breaches_name_their_rule(
    preset: str, before: object, marks: int, move: str | None, why: tuple[str, ...]
) -> None:
    with pytest.raises(Illegal) as breach:
        GAME.decide(GAME.load(preset, before, {}), Beans(marks), move)
    assert breach.value.why == why


@pytest.mark.parametrize(
    ("preset", "seats", "expected"),
    [
        ("classic", (SOUTH, NORTH), at(1, {1: (6, [], 0, 20), 3: (6, [], 0, 20)})),
        ("quick", (WEST, NORTH, EAST), at(2, dict.fromkeys((2, 3, 4), (3, [], 0, 16)))),
        ("modern", (SOUTH, WEST, NORTH, EAST), at(1, dict.fromkeys((1, 2, 3, 4), (6, [], 0, 12)))),
        ("jade-coral", (SOUTH, NORTH), duel(1, (6, [], 0), (6, [], 0), 0)),
    ],
)
def test_start(preset: str, seats: tuple[Seat, ...], expected: object) -> None:
    assert GAME.dump(GAME.start(preset, seats, {})) == expected


@pytest.mark.parametrize(
    ("preset", "seats", "options", "stakes", "field"),
    [
        ("classic", (SOUTH, WEST), {}, None, "seats"),
        ("classic", (NORTH, SOUTH), {}, None, "seats"),
        ("classic", (SOUTH,), {}, None, "seats"),
        ("jade-coral", (SOUTH, WEST, NORTH), {}, None, "seats"),
        ("jade-coral", (SOUTH, NORTH), {}, 8, "stakes"),
        ("classic", (SOUTH, NORTH), {}, 0, "stakes"),
        ("chess", (SOUTH, NORTH), {}, None, "preset"),
        ("classic", (SOUTH, NORTH), {"corners": "own"}, None, "options"),
        ("classic", (SOUTH, NORTH), {"throw_limit": 10}, None, "options"),
        ("classic", (SOUTH, NORTH), {"triangle_rows": [7]}, None, "options.triangle_rows"),
    ],
)
def test_a_start_that_cannot_be(
    preset: str, seats: tuple[Seat, ...], options: Mapping[str, object], stakes: int | None, field: str
) -> None:
    with pytest.raises(BadQuestion, match=rf"^{field}:"):
        GAME.start(preset, seats, options, stakes)


@pytest.mark.parametrize("throw", [Beans(6), Beans(-1), Beans(3, count=4), Dice((3,))])
def test_what_is_no_throw_of_five_beans(throw: Beans | Dice) -> None:
    with pytest.raises(BadQuestion, match=r"^throw:"):
        GAME.legal(GAME.start("classic", (SOUTH, NORTH), {}), throw)


def test_all_five_count_ten_to_begin_under_every_preset() -> None:
    assert [GAME.first_throw_value(Beans(marks)) for marks in range(6)] == [0, 1, 2, 3, 4, 10]
