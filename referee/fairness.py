"""Are my beans fair? What counted throws say about the beans or dice that were thrown."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["too_few", "fair", "doubtful", "unfair"]

FEWEST_THROWS = 30
"""Below it nothing is said."""
DOUBTFUL_BELOW = 0.05
UNFAIR_BELOW = 0.001
"""Of a thousand fair sets one may be blamed. One of a hundred would be too many for a thing people quarrel about."""
SMALLEST_EXPECTED = 5.0
"""Outcomes expected less often than this are pooled with their neighbours (Cochran's rule)."""
Z_95 = 1.959963984540054
"""Between minus and plus this lie 95 % of a standard normal distribution."""


@dataclass(frozen=True, slots=True)
class Share:
    """How often something happened, and between which shares the truth lies with 95 % confidence; 0 to 1."""

    seen: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """A test of counts against what is expected."""

    statistic: float
    degrees: int
    p: float
    """Chance that fair beans or dice stray this far or further."""


@dataclass(frozen=True, slots=True)
class Fairness:
    """Counted throws, judged."""

    verdict: Verdict
    throws: int
    counts: tuple[int, ...]
    """Beans: throws with 0, 1, 2 … marks. Dice: how often 1 to 6 came up."""
    expected: tuple[float, ...]
    """The same of a fair set, on average."""
    shares: tuple[Share, ...]
    """The share of each outcome."""
    fit: ChiSquare | None
    """Of ``counts`` against ``expected``; None if the throws are too few."""
    p: float | None
    """What the verdict rests on; None if the throws are too few."""
    mark: Share | None = None
    """Beans only: the chance of a mark, over all beans of all throws."""
    lean: ChiSquare | None = None
    """Beans only: the marks of all throws against half of the beans."""
    spread: float | None = None
    """Beans only: variance of the marks over that of equal and independent beans with this chance of a mark. Above 1
    the beans of one throw fall alike; below, single beans favour a side each."""


def judge_beans(counts: Sequence[int]) -> Fairness:
    """Judge a set of beans by how many throws showed 0, 1, … marks.

    Two questions are put to the counts: does a mark come up half of the time, and do the throws spread as those of
    independent beans do. So the smaller of the two chances counts double (Bonferroni).

    Raises:
        ValueError: no throw was counted, or there is no bean.
    """
    beans, throws = len(counts) - 1, sum(counts)
    if beans < 1 or throws < 1:
        raise ValueError("a set of beans is judged by at least one throw of at least one bean")
    trials, marks = beans * throws, sum(marks * count for marks, count in enumerate(counts))
    expected = tuple(throws * math.comb(beans, marks) / 2**beans for marks in range(beans + 1))
    half = trials / 2
    lean = chi_square((marks, trials - marks), (half, half))
    fit = chi_square(counts, expected)
    enough = throws >= FEWEST_THROWS and fit is not None and lean is not None
    p = min(1.0, 2 * min(fit.p, lean.p)) if enough and fit and lean else None
    mark = wilson(marks, trials)
    return Fairness(
        verdict=_verdict(p),
        throws=throws,
        counts=tuple(counts),
        expected=expected,
        shares=tuple(wilson(count, throws) for count in counts),
        fit=fit if enough else None,
        p=p,
        mark=mark,
        lean=lean if enough else None,
        spread=_spread(counts, mark.seen),
    )


def judge_dice(counts: Sequence[int], throws: int) -> Fairness:
    """Judge dice by how often each face came up in so many throws.

    Raises:
        ValueError: no die was counted.
    """
    dice = sum(counts)
    if throws < 1 or dice < 1:
        raise ValueError("dice are judged by at least one throw of at least one die")
    expected = (dice / len(counts),) * len(counts)
    fit = chi_square(counts, expected) if throws >= FEWEST_THROWS else None
    return Fairness(
        verdict=_verdict(fit.p if fit else None),
        throws=throws,
        counts=tuple(counts),
        expected=expected,
        shares=tuple(wilson(count, dice) for count in counts),
        fit=fit,
        p=fit.p if fit else None,
    )


def wilson(hits: int, trials: int) -> Share:
    """The share of hits with its 95 % score interval.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
    """
    seen, z2 = hits / trials, Z_95**2
    middle = (seen + z2 / (2 * trials)) / (1 + z2 / trials)
    half = Z_95 / (1 + z2 / trials) * math.sqrt(seen * (1 - seen) / trials + z2 / (4 * trials**2))
    return Share(seen, max(0.0, middle - half), min(1.0, middle + half))


def chi_square(counts: Sequence[int], expected: Sequence[float]) -> ChiSquare | None:
    """Pearson's test; neighbours are pooled until enough is expected of each pool. None if fewer than two are left."""
    pools: list[tuple[float, float]] = []
    count_open = expected_open = 0.0
    for count, expectation in zip(counts, expected, strict=True):
        count_open, expected_open = count_open + count, expected_open + expectation
        if expected_open >= SMALLEST_EXPECTED:
            pools.append((count_open, expected_open))
            count_open = expected_open = 0.0
    if expected_open and pools:
        last_count, last_expected = pools.pop()
        pools.append((last_count + count_open, last_expected + expected_open))
    if len(pools) < 2:
        return None
    statistic = sum((count - expectation) ** 2 / expectation for count, expectation in pools)
    return ChiSquare(statistic, len(pools) - 1, survival(statistic, len(pools) - 1))


def survival(statistic: float, degrees: int) -> float:
    """Chance that a chi-square variable exceeds ``statistic``: the upper regularised incomplete gamma function.

    Source: Press et al., Numerical Recipes, 3rd ed., section 6.2 (series below a + 1, Lentz's fraction above).
    """
    a, x = degrees / 2, statistic / 2
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return 1 - front * total
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    fraction = d
    for i in range(1, 1000):
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * fraction


def _spread(counts: Sequence[int], chance: float) -> float | None:
    beans, throws = len(counts) - 1, sum(counts)
    if throws < FEWEST_THROWS or not 0 < chance < 1:
        return None
    square = sum(count * (marks - beans * chance) ** 2 for marks, count in enumerate(counts))
    return square / throws / (beans * chance * (1 - chance))


def _verdict(p: float | None) -> Verdict:
    if p is None:
        return "too_few"
    return "unfair" if p < UNFAIR_BELOW else "doubtful" if p < DOUBTFUL_BELOW else "fair"
