"""Why a throw that was seen may not be booked, in the order in which players can mend it."""

from collections.abc import Sequence

import numpy as np

from referee.observation import Plight
from vision.beans import BeanJudged
from vision.camera import Image
from vision.dice import DieJudged

Judged = BeanJudged | DieJudged
CERTAIN = 0.97
"""Probability of the whole reading from which it is certain; set on calibration pictures, see vision/models/CARD.md."""
CLOSE = 0.62
"""Distance of two centres, in sizes, under which one lies on the other."""
DARK = 28.0
"""Level, of 255, that a tenth of the place must reach."""


def askew_or_stacked(things: Sequence[Judged]) -> set[Plight]:
    """Askew, or closer together than can be told apart."""
    plights: set[Plight] = set()
    for i, thing in enumerate(things):
        if not thing.seen.flat:
            plights.add("leaning")
        for other in things[:i]:
            apart = np.subtract(thing.found.centre_px, other.found.centre_px)
            if np.hypot(*apart) < CLOSE * min(thing.found.size_px, other.found.size_px):
                plights.add("stacked")
    return plights


def why_unsure(image: Image, part: Image, things: Sequence[Judged], chance: float, small: bool) -> set[Plight]:
    """The likeliest reason why the reading is not certain, in the order a player can mend it."""
    if dark(part):
        return {"dark"}
    least = min(thing.sure for thing in things)
    if chance < least:
        return {"extra"}
    unsure = [thing for thing in things if thing.sure <= max(least, CERTAIN)]
    for thing in unsure:
        x, y, half = *thing.found.centre_px, 0.5 * thing.found.size_px
        patch = image[max(0, int(y - half)) : int(y + half) + 1, max(0, int(x - half)) : int(x + half) + 1]
        if patch.size and float((patch.min(-1) >= 250).mean()) > 0.25:
            return {"glare"}
    for thing in unsure:
        for other in things:
            apart_px = np.hypot(*np.subtract(thing.found.centre_px, other.found.centre_px))
            if other is not thing and apart_px < 1.1 * thing.found.size_px:
                return {"touching"}
    if any(isinstance(thing, DieJudged) and thing.held for thing in unsure):
        return {"held"}
    if small:
        return {"small"}
    return {"blurred"}


def dark(part: Image) -> bool:
    """Whether there is too little light in a part of the picture to tell anything."""
    return float(np.percentile(part[::4, ::4].max(-1), 90)) < DARK
