"""Thrown dice: the upper face, 1 to 6, lying askew, or no die at all."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.observation import DieSeen
from vision.camera import Image
from vision.finder import Found
from vision.judge import Judge, probabilities

ASKEW, OTHER = 6, 7
TEMPERATURE = 1.6
"""Set on the calibration split only; see vision/models/CARD.md."""


@dataclass(frozen=True, slots=True)
class DieJudged:
    """One candidate with what the net holds possible."""

    seen: DieSeen
    found: Found
    is_die: float
    """Probability that it is a die at all."""
    sure: bool
    """All views agree, far from any other answer."""


def judge_dice(image: Image, found: Sequence[Found], judge: Judge, sure_from: float = 0.97) -> tuple[DieJudged, ...]:
    """Judge every candidate; ``image`` is the frame the candidates' pixels refer to."""
    judged = []
    for thing, judgement in zip(found, judge.judge(image, found), strict=True):
        chances = probabilities(judgement.logits, TEMPERATURE)
        is_die = float(1 - chances[OTHER])
        value = int(np.argmax(chances[:ASKEW])) + 1
        confidence = float(chances[value - 1])
        flat = bool(chances[ASKEW] < 0.5 * is_die)
        sure = confidence >= sure_from and judgement.agreed == 1.0
        x, y = thing.centre_px
        # The upright box around a turned square is on average 1.2 times as wide as the root of its area.
        wide = 1.2 * thing.size_px
        box = (x - wide / 2, y - wide / 2, wide, wide)
        seen = DieSeen(box, value if flat and confidence > 0.5 else None, flat, round(confidence, 4))
        judged.append(DieJudged(seen, thing, is_die, sure))
    return tuple(judged)
