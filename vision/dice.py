"""Thrown dice: the upper face, 1 to 6, lying askew, or no die at all."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.observation import DieSeen
from vision.camera import Image
from vision.finder import Floats, Found
from vision.judge import Judges, probabilities

ASKEW, OTHER = 6, 7
SHOWN = 0.5
"""Probability from which a face is shown at all."""
TEMPERATURE = 1.3
"""Set on the calibration split only; see vision/models/CARD.md."""
SHOWN_ASKEW = 0.3
"""How often what lies askew is shown to a net that learns, against one face: seen often, it makes flat ones doubted."""
LEARNT_ASKEW, THROWN_ASKEW = SHOWN_ASKEW / (6 + SHOWN_ASKEW), 0.015
"""How often a die lay askew for the net that learnt, and how often one does that was thrown."""


@dataclass(frozen=True, slots=True)
class DieJudged:
    """One candidate with what the net holds possible."""

    seen: DieSeen
    found: Found
    real: float
    """Probability that it is a die at all."""
    level: float
    """Probability that it lies flat, if it is a die."""
    sure: float
    """Probability that it lies flat and shows that face, if it is a die."""


def as_thrown(logits: Floats) -> Floats:
    """What the net says, shape (..., 8), with what lies askew as seldom as among thrown dice; before the temperature.

    Source: Saerens et al., Adjusting the Outputs of a Classifier to New a Priori Probabilities (2002).
    """
    learnt, thrown = (np.log(share / (1 - share)) for share in (LEARNT_ASKEW, THROWN_ASKEW))
    adjusted = np.array(logits, np.float32)
    adjusted[..., ASKEW] += thrown - learnt
    return adjusted


def judge_dice(image: Image, found: Sequence[Found], judge: Judges) -> tuple[DieJudged, ...]:
    """Judge every candidate; ``image`` is the frame the candidates' pixels refer to."""
    judged = []
    for judgement in judge.judge(image, found):
        thing = judgement.found
        chances = probabilities(as_thrown(judgement.logits), TEMPERATURE)
        real = max(float(1 - chances[OTHER]), 1e-6)
        value = int(np.argmax(chances[:ASKEW])) + 1
        sure = float(chances[value - 1]) / real
        flat = bool(chances[ASKEW] < 0.5 * real)
        x, y = thing.centre_px
        # The upright box around a turned square is on average 1.2 times as wide as the root of its area.
        wide = 1.2 * thing.size_px
        box = (x - wide / 2, y - wide / 2, wide, wide)
        seen = DieSeen(box, value if flat and sure > SHOWN else None, flat, round(min(sure * real, 1.0), 4))
        judged.append(DieJudged(seen, thing, real, float(chances[:ASKEW].sum()) / real, sure))
    return tuple(judged)
