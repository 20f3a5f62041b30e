"""Thrown beans: marked, plain, lying askew, or no bean at all."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.observation import BeanSeen, Face
from vision.camera import Image
from vision.finder import Found
from vision.judge import KEPT_PX, Judge, crop, probabilities

MARKED, PLAIN, ASKEW, OTHER = range(4)


@dataclass(frozen=True, slots=True)
class Certainty:
    """How far a net's answers are believed; set on calibration pictures only, see vision/models/CARD.md."""

    temperature: float
    sure_from: float
    """Probability of a face from which it is sure."""
    log_priors: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """Added to the logits: how much rarer a class is at the table than in training."""


ANYWHERE = Certainty(1.1, 0.98)
"""For ``beans.onnx``: any picture."""
PLACED = Certainty(0.8, 0.97)
"""For ``placed.onnx``: outlines in a place whose empty look is known."""


@dataclass(frozen=True, slots=True)
class BeanJudged:
    """One candidate with what the net holds possible."""

    seen: BeanSeen
    found: Found
    is_bean: float
    """Probability that it is a bean at all."""
    sure: bool
    """All views and the finder's own opinion agree, far from any other answer."""


def judge_beans(
    image: Image, found: Sequence[Found], judge: Judge, certainty: Certainty = ANYWHERE
) -> tuple[BeanJudged, ...]:
    """Judge every candidate; ``image`` is the frame the candidates' pixels refer to."""
    judged = []
    for thing, judgement in zip(found, judge.judge(image, found), strict=True):
        chances = probabilities(judgement.logits + np.asarray(certainty.log_priors, np.float32), certainty.temperature)
        is_bean = float(1 - chances[OTHER])
        face: Face = "marked" if chances[MARKED] >= chances[PLAIN] else "plain"
        confidence = float(max(chances[MARKED], chances[PLAIN]))
        flat = bool(chances[ASKEW] < 0.5 * is_bean)
        second = thing.mark if face == "marked" else 1 - thing.mark
        sure = confidence >= certainty.sure_from and judgement.agreed == 1.0 and second > 0.2
        shown: Face = face if flat and confidence > 0.6 else "unsure"
        seen = BeanSeen(thing.centre_px, shown, flat, round(confidence, 4), _long_axis_deg(image, thing))
        judged.append(BeanJudged(seen, thing, is_bean, sure))
    return tuple(judged)


def _long_axis_deg(image: Image, thing: Found) -> float:
    """Direction of the silhouette's long axis, from its second moments; the silhouette differs from the rim."""
    kept = crop(image, thing.centre_px, thing.size_px)
    middle = kept[KEPT_PX // 6 : -KEPT_PX // 6, KEPT_PX // 6 : -KEPT_PX // 6].astype(np.float32)
    rim = np.concatenate([middle[0], middle[-1], middle[:, 0], middle[:, -1]])
    differs = np.clip(np.abs(middle - np.median(rim, axis=0)).sum(-1) / 3, 0, 255).astype(np.uint8)
    _, mask = cv2.threshold(differs, 0, 1, cv2.THRESH_OTSU)
    _, parts = cv2.connectedComponents(np.asarray(mask, np.uint8))
    centre = parts[parts.shape[0] // 2, parts.shape[1] // 2]
    moments = cv2.moments(np.asarray(parts == centre, np.uint8), True)
    turn = 0.5 * np.arctan2(2 * moments["mu11"], moments["mu20"] - moments["mu02"])
    return round(float(np.degrees(turn)), 1)
