"""Are my beans fair? Against numbers from textbooks and against simulated sets of beans."""

import math
import random
from collections import Counter
from dataclasses import astuple

import pytest

from referee.fairness import ChiSquare, chi_square, judge_beans, judge_dice, survival, wilson


def _throws(chance: float, throws: int, seed: int, beans: int = 5) -> list[int]:
    # Small neighbouring seeds start alike; strings are hashed first.
    dice = random.Random(f"beans {seed}")
    marks = Counter(sum(dice.random() < chance for _ in range(beans)) for _ in range(throws))
    return [marks[number] for number in range(beans + 1)]


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [
        pytest.param(8, 10, 0.4902, 0.9433, id="8 of 10"),
        pytest.param(0, 10, 0.0, 0.2775, id="none of 10"),
        pytest.param(10, 10, 0.7225, 1.0, id="all of 10"),
        pytest.param(15, 148, 0.0624, 0.1605, id="Newcombe 1998, 15 of 148"),
        pytest.param(81, 263, 0.2553, 0.3662, id="Newcombe 1998, 81 of 263"),
    ],
)
def test_the_interval_is_wilsons(hits: int, trials: int, low: float, high: float) -> None:
    assert astuple(wilson(hits, trials)) == pytest.approx((hits / trials, low, high), abs=6e-5)


@pytest.mark.parametrize(
    ("statistic", "degrees", "p"),
    [
        pytest.param(3.841459, 1, 0.05, id="5 %, 1 degree"),
        pytest.param(6.634897, 1, 0.01, id="1 %, 1 degree"),
        pytest.param(11.070498, 5, 0.05, id="5 %, 5 degrees"),
        pytest.param(20.515006, 5, 0.001, id="1 in 1000, 5 degrees"),
        pytest.param(1.145476, 5, 0.95, id="95 %, 5 degrees"),
        pytest.param(124.342113, 100, 0.05, id="5 %, 100 degrees"),
        pytest.param(0.0, 5, 1.0, id="nothing strays"),
        pytest.param(1e5, 5, 0.0, id="far out"),
    ],
)
def test_chances_are_those_of_the_tables(statistic: float, degrees: int, p: float) -> None:
    assert survival(statistic, degrees) == pytest.approx(p, rel=1e-5)


def test_weldons_dice() -> None:
    """Weldon 1894: 26306 throws of 12 dice, fives and sixes as hits; Pearson 1900 found 43.87 with 13 degrees."""
    hits = (185, 1149, 3265, 5475, 6114, 5194, 3067, 1331, 403, 105, 14, 4, 0)
    expected = (203, 1217, 3345, 5576, 6273, 5018, 2927, 1254, 392, 87, 13, 1, 0.05)
    pearson = sum((seen - fair) ** 2 / fair for seen, fair in zip(hits, expected, strict=True))
    pooled = chi_square(hits, expected)
    assert pearson == pytest.approx(43.87, abs=0.1)
    assert pooled is not None
    # 14, 4 and 0 are expected 14.05 times together.
    assert pooled.statistic == pytest.approx(pearson - 1 / 13 - 9 - 0.05 + 3.95**2 / 14.05)
    assert pooled.degrees == 10
    assert pooled.p < 0.001


def test_rare_outcomes_are_pooled_with_their_neighbours() -> None:
    pooled = chi_square((1, 2, 10, 4, 3), (1, 4, 10, 4, 1))
    assert pooled is not None
    assert astuple(pooled) == pytest.approx((1.6, 2, math.exp(-0.8)))
    assert chi_square((3, 3), (3, 3)) is None


def test_a_count_that_is_just_as_expected() -> None:
    judged = judge_beans((2, 10, 20, 20, 10, 2))
    assert judged.verdict == "fair"
    assert (judged.throws, judged.p, judged.lean) == (64, 1.0, ChiSquare(0.0, 1, 1.0))
    assert judged.expected == (2.0, 10.0, 20.0, 20.0, 10.0, 2.0)
    assert judged.fit == ChiSquare(0.0, 3, 1.0)
    assert judged.mark == wilson(160, 320)
    assert judged.spread == 1.0


def test_fair_beans_are_called_fair() -> None:
    verdicts = Counter(judge_beans(_throws(0.5, 100, seed)).verdict for seed in range(400))
    assert 0.925 <= verdicts["fair"] / 400 <= 0.985
    assert verdicts["unfair"] <= 3


def test_fair_dice_are_called_fair() -> None:
    dice = random.Random("dice")
    throws = [[dice.randint(1, 6) for _ in range(100)] for _ in range(400)]
    verdicts = Counter(judge_dice([faces.count(face) for face in range(1, 7)], 100).verdict for faces in throws)
    assert 0.925 <= verdicts["fair"] / 400 <= 0.985
    assert verdicts["unfair"] <= 3


def test_beans_that_lean_are_found() -> None:
    assert {judge_beans(_throws(0.65, 300, seed)).verdict for seed in range(50)} == {"unfair"}
    assert {judge_beans(_throws(0.35, 300, seed)).verdict for seed in range(50)} == {"unfair"}


def test_beans_that_fall_alike_are_found_though_half_are_marked() -> None:
    judged = judge_beans((30, 5, 5, 5, 5, 30))
    assert judged.verdict == "unfair"
    assert judged.lean == ChiSquare(0.0, 1, 1.0)
    assert judged.spread == pytest.approx((60 * 6.25 + 10 * 2.25 + 10 * 0.25) / 80 / 1.25)


def test_a_loaded_die_is_found() -> None:
    judged = judge_dice((8, 9, 10, 9, 9, 30), 75)
    assert judged.verdict == "unfair"
    x = 369.5 / 12.5
    closed = math.erfc(math.sqrt(x / 2)) + math.sqrt(2 * x / math.pi) * math.exp(-x / 2) * (1 + x / 3)
    assert judged.fit is not None
    assert astuple(judged.fit) == pytest.approx((x, 5, closed))
    assert judged.shares[5] == wilson(30, 75)


def test_below_thirty_throws_nothing_is_said() -> None:
    few, enough = judge_beans((0, 4, 10, 10, 5, 0)), judge_beans((0, 5, 10, 10, 5, 0))
    assert (few.verdict, few.p, few.fit, few.lean, few.spread) == ("too_few", None, None, None, None)
    assert (few.throws, few.mark) == (29, wilson(74, 145))
    assert enough.verdict == "fair"


def test_one_side_only_is_no_division_by_nothing() -> None:
    judged = judge_beans((0, 0, 0, 0, 0, 40))
    assert (judged.verdict, judged.spread) == ("unfair", None)


def test_nothing_counted_is_no_question() -> None:
    with pytest.raises(ValueError, match="at least one throw"):
        judge_beans((0, 0, 0, 0, 0, 0))
    with pytest.raises(ValueError, match="at least one throw"):
        judge_dice((0,) * 6, 0)
