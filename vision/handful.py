"""Things of one throw resemble each other: five beans of one bag, dice of one size. A pebble beside them does not.

Size and colour of each candidate against those of the others that are likely real, as a ratio of two normal
distributions: how much things of one sort differ, and how much any two things do.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.colours import log_colours, opponent
from vision.camera import Image
from vision.finder import Found
from vision.judge import cut_out

Floats = NDArray[np.float64]
WITHIN = np.array([0.15, 0.35, 0.12, 0.12])
"""Deviations among things of one sort: logarithms of size and brightness, two chromatic axes."""
AMONG = np.array([0.5, 0.9, 0.35, 0.35])
"""... among things of any sort."""
ONE_SORT = 0.85
"""How often what is thrown is of one sort."""
MOST = 10.0
"""No resemblance speaks for a thing more than this."""
FEWEST = 1.5
"""So many others, by their probabilities, must be there to compare with."""
DISC_PX, DISC = 17, 0.36
"""What is looked at of a thing: pixels across, and the radius of a disc in sizes."""


def look(image: Image, thing: Found) -> Floats:
    """Logarithm of its size in pixels, and its median colour in opponent logarithms; shape (4,)."""
    part = cut_out(image, thing.centre_px, thing.size_px, DISC_PX)
    y, x = np.mgrid[:DISC_PX, :DISC_PX] - (DISC_PX - 1) / 2
    colours = opponent(log_colours(part))[np.hypot(x, y) <= DISC * DISC_PX]
    return np.asarray([np.log(thing.size_px), *np.median(colours, axis=0)], np.float64)


def resemblance(looks: Sequence[Floats], chances: Sequence[float], features: int) -> Floats:
    """By what factor the odds of each being real change because of how it looks beside the others.

    Args:
        looks: of each thing.
        chances: probability of each being real, for its own looks alone.
        features: how many of a look's numbers things of one sort share: all, or for dice only the first, their size.
    """
    factors = np.ones(len(looks))
    if len(looks) < 2:
        return factors
    points, weights = np.stack(looks)[:, :features], np.asarray(chances, np.float64)
    for i in range(len(points)):
        others = np.delete(np.arange(len(points)), i)
        weight = weights[others]
        if weight.sum() < FEWEST:
            continue
        middle = np.array([_median(points[others, k], weight) for k in range(features)])
        # The middle itself is known only as well as so many things tell it.
        within = WITHIN[:features] * np.sqrt(1 + 1 / weight.sum())
        off = points[i] - middle
        log_ratio = float((_log_normal(off, within) - _log_normal(off, np.hypot(within, AMONG[:features]))).sum())
        factors[i] = min(MOST, ONE_SORT * np.exp(min(log_ratio, 20.0)) + 1 - ONE_SORT)
    return factors


def _log_normal(off: Floats, deviation: Floats) -> Floats:
    return np.asarray(-0.5 * (off / deviation) ** 2 - np.log(deviation))


def _median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values)
    share = np.cumsum(weights[order]) / weights.sum()
    return float(values[order][np.searchsorted(share, 0.5)])
