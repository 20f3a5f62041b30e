"""Which candidates are the throw: probabilities of single things put together with how many were thrown."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ALL_SEEN, NOTHING, FEWER, MORE = 0.74, 0.2, 0.01, 0.01
"""How often all that was thrown lies in the place, nothing does, and one number of things less or more."""
ANY, RARE = 0.1, 0.003
"""Where it is not known how many were thrown: one number of things, and one that is hardly ever thrown, against
nothing."""
LEAST = 1e-4
"""No net is surer than this."""


def likeliest(chances: Sequence[float], thrown: int | None, fewest: int = 1) -> tuple[NDArray[np.intp], float]:
    """The likeliest set of real things among candidates that are independent but for their number.

    What one bean tells of another is in the probability of each already (:mod:`vision.together`).

    Args:
        chances: for each candidate the probability that it is real.
        thrown: how many were thrown; None: any number is as likely as another, but for
        fewest: so many are thrown at least, as a rule.

    Returns:
        Indices of the set, likeliest first, and the probability that exactly these are real.
    """
    known = np.clip(np.asarray(chances, np.float64), LEAST, 1 - LEAST)
    order = np.argsort(-known, kind="stable")
    odds = (known / (1 - known))[order]
    prior = _of_number(len(odds), thrown, fewest)
    every_set = np.zeros(len(odds) + 1)
    every_set[0] = 1.0
    for one in odds:
        every_set[1:] += one * every_set[:-1].copy()
    best = prior * np.concatenate([[1.0], np.cumprod(odds)])
    number = int(np.argmax(best))
    return order[:number], float(best[number] / (prior * every_set).sum())


def _of_number(candidates: int, thrown: int | None, fewest: int) -> Floats:
    """How likely 0, 1, … of the candidates are real, before they were looked at."""
    number = np.arange(candidates + 1)
    if thrown is None:
        return np.where(number == 0, 1.0, np.where(number < fewest, RARE, ANY))
    prior = np.where(number < thrown, FEWER, MORE)
    prior[number == 0], prior[number == thrown] = NOTHING, ALL_SEEN
    return prior
