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
TEMPERATURE = 1.0
"""Set on the calibration split only; see vision/models/CARD.md."""
WARY = 1.8
"""Logarithm of how much oftener a die is held to lie askew than the net learnt: one that leans on the wall of a tray
looks much like one that lies flat under a slanted camera, and must never be certain."""


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
    held: bool = False
    """Something may hold it on an edge, so that nobody is sure."""


def wary(logits: Floats) -> Floats:
    """What the net says, shape (..., 8), with more fear of what lies askew.

    Source: Saerens et al., Adjusting the Outputs of a Classifier to New a Priori Probabilities (2002).
    """
    feared = np.array(logits, np.float32)
    feared[..., ASKEW] += WARY
    return feared


def judge_dice(image: Image, found: Sequence[Found], judge: Judges) -> tuple[DieJudged, ...]:
    """Judge every candidate; ``image`` is the frame the candidates' pixels refer to."""
    judged = []
    for judgement in judge.judge(image, found):
        thing = judgement.found
        chances = probabilities(wary(judgement.logits), TEMPERATURE)
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
