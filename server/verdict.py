"""What counted throws say: for the terminal in English, for the page in its reader's language."""

import math

from referee.fairness import DOUBTFUL_BELOW, FEWEST_THROWS, Z_95, ChiSquare, Fairness
from referee.rules import Needs
from server.words import Said, english

NEVER = 0.005
"""What is expected of a fair set less often than this, and has not come up, is left out of pictures."""


def headline(judged: Fairness) -> Said:
    """The verdict in a few words."""
    return Said(f"fair.{judged.verdict}", {"throws": judged.throws})


def things(needs: Needs) -> Said:
    """What was thrown, such as ``5 beans``."""
    return Said("fair.beans", {"n": needs.beans}) if needs.beans else Said("fair.dice", {"n": needs.dice})


def throws(count: int) -> Said:
    """Such as ``1 throw``."""
    return Said("fair.throws", {"n": count})


def thrown(needs: Needs) -> str:
    """What was thrown, for the terminal."""
    return english(things(needs))


def times(count: int) -> str:
    """How many throws, for the terminal."""
    return english(throws(count))


def outcomes(judged: Fairness) -> list[int]:
    """Numbers of the outcomes worth a line: those that came up, or might have."""
    pairs = enumerate(zip(judged.counts, judged.expected, strict=True))
    return [number for number, (count, fair) in pairs if count or fair >= NEVER]


def sentences(judged: Fairness) -> list[tuple[Said, ...]]:
    """The estimate, the test and what follows, a line each."""
    said: list[tuple[Said, ...]] = []
    kind = "beans" if judged.mark else "dice"
    if judged.mark:
        said.append(
            (Said("fair.mark", {key: f"{getattr(judged.mark, key) * 100:.1f}" for key in ("seen", "low", "high")}),)
        )
    if judged.fit is None or judged.p is None:
        said.append((Said("fair.more", {"fewest": FEWEST_THROWS, "missing": FEWEST_THROWS - judged.throws}),))
        return said
    if judged.lean:
        said.append((_test("fair.lean", judged.lean),))
    said.append((_test(f"fair.fit.{kind}", judged.fit),))
    if judged.verdict == "fair":
        said.append((Said(f"fair.alike.{kind}"), _not_yet(judged)))
    elif judged.verdict == "unfair":
        said.append((*_reasons(judged), Said(f"fair.stray_never.{kind}")))
    elif judged.p < 0.01:
        said.append((*_reasons(judged), Said(f"fair.stray_less.{kind}")))
    else:
        said.append((*_reasons(judged), Said(f"fair.stray.{kind}", {"n": round(judged.p * 100)})))
    return said


def _test(key: str, test: ChiSquare) -> Said:
    chance = f"=\u00a0{test.p:.3f}" if test.p >= 0.001 else "<\u00a00.001"
    return Said(key, {"statistic": f"{test.statistic:.2f}", "degrees": test.degrees, "p": chance})


def _not_yet(judged: Fairness) -> Said:
    """What so many throws could not have found."""
    widest = judged.mark or max(judged.shares, key=lambda share: share.high - share.low)
    kind = "beans" if judged.mark else "dice"
    return Said(f"fair.hidden.{kind}", {"n": max(1, round((widest.high - widest.low) * 50))})


def _reasons(judged: Fairness) -> list[Said]:
    """What strays most."""
    if judged.mark is None or judged.lean is None:
        odd = max(range(len(judged.counts)), key=lambda face: abs(judged.counts[face] - judged.expected[face]))
        seen, fair = judged.counts[odd], judged.expected[odd]
        how = "often" if seen > fair else "seldom"
        return [Said(f"fair.face_{how}", {"face": odd + 1, "seen": seen, "fair": f"{fair:.0f}"})]
    reasons = []
    if judged.lean.p < DOUBTFUL_BELOW / 2:
        reasons.append(Said("fair.mark_often" if judged.mark.seen > 0.5 else "fair.mark_seldom"))
    # The index of dispersion has a standard deviation of sqrt(2 / n).
    if judged.spread and abs(judged.spread - 1) > Z_95 * math.sqrt(2 / judged.throws):
        reasons.append(Said("fair.together" if judged.spread > 1 else "fair.even"))
    return reasons or [Said("fair.shape")]
