"""Thrown beans: marked, plain, lying askew, or no bean at all."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.colours import log_colours, opponent
from referee.observation import BeanSeen, Face
from vision.camera import Image
from vision.crops import cut_out
from vision.finder import Floats, Found
from vision.judge import Judges, probabilities

MARKED, PLAIN, ASKEW, OTHER = range(4)
SHOWN = 0.6
"""Probability from which a face is shown at all."""


TEMPERATURE = 1.1
"""Set on the calibration split only; see vision/models/CARD.md."""
Outline = NDArray[np.float32]
"""Corners of a convex outline, pixels of the frame, shape (n, 1, 2)."""
SPOT_COLOUR = 0.5
"""Distance of two colours, in logarithms, from which they are two; a red dot on a brown bean is at 0.8."""
SPOT_SHARE = 0.08
"""Of the disc about a bean's middle that is looked at: the smallest mark."""
SPOT_PX = 6
SHINES = 0.35
"""Logarithm of brightness by which a highlight outshines the bean."""
DIM = 4.0
"""Logarithm of brightness below which colours are doubted."""


@dataclass(frozen=True, slots=True)
class BeanJudged:
    """One candidate with what the net holds possible."""

    seen: BeanSeen
    found: Found
    real: float
    """Probability that it is a bean at all."""
    level: float
    """Probability that it lies flat, if it is a bean."""
    sure: float
    """Probability that it lies flat and shows that face, if it is a bean."""


def judge_beans(image: Image, found: Sequence[Found], judge: Judges) -> tuple[BeanJudged, ...]:
    """Judge every candidate; ``image`` is the frame the candidates' pixels refer to."""
    judged = []
    for judgement in judge.judge(image, found):
        thing = judgement.found
        chances = probabilities(judgement.logits, TEMPERATURE)
        real = max(float(1 - chances[OTHER]), 1e-6)
        likelier = MARKED if chances[MARKED] >= chances[PLAIN] else PLAIN
        sure = float(chances[likelier]) / real
        flat = bool(chances[ASKEW] < 0.5 * real)
        face: Face = ("marked" if likelier == MARKED else "plain") if flat and sure > SHOWN else "unsure"
        seen = BeanSeen(thing.centre_px, face, flat, round(min(sure * real, 1.0), 4), _long_axis_deg(image, thing))
        level = float(chances[MARKED] + chances[PLAIN]) / real
        judged.append(BeanJudged(seen, thing, real, level, sure))
    return tuple(judged)


def has_spot(image: Image, outline_px: Outline) -> bool:
    """Whether a bean bears a spot of another colour that no highlight explains, whatever the net says of it.

    A second opinion that knows no beans: colours as logarithms, so that shadows drop out; what only turns towards
    the light's own colour is a highlight.

    Args:
        image: the frame, blue green red.
        outline_px: of what is looked at, within one bean, (n, 1, 2), in the frame.
    """
    left, top, width, height = cv2.boundingRect(outline_px)
    part = image[max(0, top - height) : top + 2 * height, max(0, left - width) : left + 2 * width]
    corner = np.array([max(0, left - width), max(0, top - height)], np.float32)
    logs = log_colours(np.asarray(cv2.medianBlur(np.ascontiguousarray(part), 3), np.uint8))
    brightness, redder, bluer = cv2.split(opponent(logs))
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(outline_px - corner).astype(np.int32), (1,))
    edge = max(1, round(0.12 * min(width, height)))
    inside = cv2.erode(mask, np.ones((2 * edge + 1, 2 * edge + 1), np.uint8)) > 0
    if inside.sum() < SPOT_PX:
        return False
    colours = np.asarray(np.stack([redder, bluer], axis=-1)[inside], np.float32)
    one, other = _two_parts(colours)
    if min(one.sum(), other.sum()) < max(SPOT_PX, SPOT_SHARE * len(colours)):
        return False
    around = cv2.dilate(mask, np.ones((5, 5), np.uint8)) == 0
    light = np.array([np.median(redder[around]), np.median(bluer[around])])
    parts = [(np.median(colours[part], axis=0), float(np.median(brightness[inside][part]))) for part in (one, other)]
    (near, near_bright), (far, far_bright) = sorted(parts, key=lambda part: float(np.linalg.norm(part[0] - light)))
    # In the dark, noise has colours.
    limit = SPOT_COLOUR * (1 + max(0.0, DIM - min(near_bright, far_bright)))
    # What is nearer to the colour of the light and brighter is a highlight.
    way = (light - far) / max(float(np.linalg.norm(light - far)), 1e-6)
    aside = near - far
    across = abs(float(way[0] * aside[1] - way[1] * aside[0]))
    shines = near_bright - far_bright > SHINES and across < limit
    return bool(np.linalg.norm(near - far) > limit and not shines)


def _two_parts(colours: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The colours, shape (n, 2), divided where they differ most: Otsu's threshold along their main axis."""
    off = colours - colours.mean(axis=0)
    along = off @ np.linalg.eigh(off.T @ off)[1][:, -1]
    spread = max(float(np.ptp(along)), 1e-6)
    levels = np.asarray(255 * (along - along.min()) / spread, np.uint8).reshape(-1, 1)
    _, upper = cv2.threshold(levels, 0, 1, cv2.THRESH_OTSU)
    part = upper.ravel() > 0
    return part, ~part


AXIS_PX, AXIS_SIZES = 54, 1.9


def _long_axis_deg(image: Image, thing: Found) -> float:
    """Direction of the silhouette's long axis, from its second moments; the silhouette differs from the rim."""
    middle = cut_out(image, thing.centre_px, AXIS_SIZES * thing.size_px, AXIS_PX).astype(np.float32)
    rim = np.concatenate([middle[0], middle[-1], middle[:, 0], middle[:, -1]])
    differs = np.clip(np.abs(middle - np.median(rim, axis=0)).sum(-1) / 3, 0, 255).astype(np.uint8)
    _, mask = cv2.threshold(differs, 0, 1, cv2.THRESH_OTSU)
    _, parts = cv2.connectedComponents(np.asarray(mask, np.uint8))
    centre = parts[parts.shape[0] // 2, parts.shape[1] // 2]
    moments = cv2.moments(np.asarray(parts == centre, np.uint8), True)
    turn = 0.5 * np.arctan2(2 * moments["mu11"], moments["mu20"] - moments["mu02"])
    return round(float(np.degrees(turn)), 1)
