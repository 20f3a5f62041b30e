"""What counted throws say, in plain words: for the terminal and the page alike."""

import math

from referee.fairness import DOUBTFUL_BELOW, FEWEST_THROWS, Z_95, ChiSquare, Fairness
from referee.rules import Needs

NEVER = 0.005
"""What is expected of a fair set less often than this, and has not come up, is left out of pictures."""


def headline(judged: Fairness) -> str:
    """The verdict in a few words."""
    return {
        "too_few": "Too few throws to tell",
        "fair": f"Fair, as far as {judged.throws} throws can tell",
        "doubtful": "Doubtful",
        "unfair": "Not fair",
    }[judged.verdict]


def thrown(needs: Needs) -> str:
    """What was thrown, such as ``5 beans``."""
    count, one, many = (needs.beans, "bean", "beans") if needs.beans else (needs.dice, "die", "dice")
    return f"{count} {one if count == 1 else many}"


def times(throws: int) -> str:
    """Such as ``1 throw``."""
    return f"{throws} throw{'' if throws == 1 else 's'}"


def outcomes(judged: Fairness) -> list[int]:
    """Numbers of the outcomes worth a line: those that came up, or might have."""
    pairs = enumerate(zip(judged.counts, judged.expected, strict=True))
    return [number for number, (count, fair) in pairs if count or fair >= NEVER]


def sentences(judged: Fairness) -> list[str]:
    """The estimate, the test and what follows, a sentence each."""
    said = []
    things = "beans" if judged.mark else "dice"
    if judged.mark:
        low, high = f"{judged.mark.low * 100:.1f}", f"{judged.mark.high * 100:.1f}"
        said.append(
            f"A bean shows its mark {judged.mark.seen * 100:.1f} % of the time; "
            f"the truth lies between {low} and {high} % (95 % interval)."
        )
    if judged.fit is None or judged.p is None:
        missing = FEWEST_THROWS - judged.throws
        said.append(f"At least {FEWEST_THROWS} throws are needed: {missing} more.")
        return said
    if judged.lean:
        said.append(f"Marks against half of the beans: {_test(judged.lean)}.")
    said.append(f"Histogram against fair {things}: {_test(judged.fit)}.")
    if judged.verdict == "fair":
        said.append(f"Fair {things} look like this. {_not_yet(judged)}")
    elif judged.verdict == "doubtful":
        said.append(f"{_reason(judged)} Fair {things} stray this far in {_of_100(judged.p)} of 100 counts: count on.")
    else:
        said.append(f"{_reason(judged)} Fair {things} stray this far in fewer than 1 of 1000 counts.")
    return said


def _test(test: ChiSquare) -> str:
    degree = "degree" if test.degrees == 1 else "degrees"
    chance = f"p = {test.p:.3f}" if test.p >= 0.001 else "p < 0.001"
    return f"chi-square {test.statistic:.2f}, {test.degrees} {degree} of freedom, {chance}"


def _of_100(p: float) -> str:
    return "fewer than 1" if p < 0.01 else f"about {p * 100:.0f}"


def _not_yet(judged: Fairness) -> str:
    """What so many throws could not have found."""
    widest = judged.mark or max(judged.shares, key=lambda share: share.high - share.low)
    off = "A lean of" if judged.mark else "A face off by"
    return f"{off} less than {max(1, round((widest.high - widest.low) * 50))} in 100 might not show yet."


def _reason(judged: Fairness) -> str:
    """What strays most."""
    if judged.mark is None or judged.lean is None:
        odd = max(range(len(judged.counts)), key=lambda face: abs(judged.counts[face] - judged.expected[face]))
        seen, fair = judged.counts[odd], judged.expected[odd]
        how = "often" if seen > fair else "seldom"
        return f"{odd + 1} comes up too {how}: {seen} times, fair dice show it {fair:.0f} times."
    reasons = []
    if judged.lean.p < DOUBTFUL_BELOW / 2:
        reasons.append(f"The mark comes up too {'often' if judged.mark.seen > 0.5 else 'seldom'}.")
    # The index of dispersion has a standard deviation of sqrt(2 / n).
    if judged.spread and abs(judged.spread - 1) > Z_95 * math.sqrt(2 / judged.throws):
        alike = "The beans of one throw fall alike too often."
        even = "The throws are too even: some beans may favour the mark, others the plain side."
        reasons.append(alike if judged.spread > 1 else even)
    return " ".join(reasons) or "The histogram has another shape than that of fair beans."
