"""Whole throws for the judges: every candidate of a scene at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.crops import cut_out
from vision.finder import Finder, normalised, zooms_for
from vision.judge import CROP_PX, CROP_SIZES, Judge, probabilities
from vision.together import GEOMETRY, MOST, geometry
from vision.training.recolour import Recolour
from vision.training.samples import AS_FOUND, CUT_PX, CUT_SIZES, FOUND, PUT_RIGHT, lies_at, nearest, true_labels, turned
from vision.training.scenes import Scene
from vision.training.solids import Floats

WEIGHED = 16
"""Candidates of a scene, the likeliest first."""
EMPTY = 0.15
"""Share of the scenes without any of the kind that are kept."""
UNSEEN = 0.7
"""Probability that a bean is plain, by the judge as it is, from which nobody sees its mark."""
UNKNOWN = -1
"""Label of what is seen and not learnt from, such as what the picture's edge cuts."""
LOST = 0.05
"""How often a candidate is hidden from the others, so that none relies on another."""


@dataclass(frozen=True, slots=True)
class Throw:
    """The candidates of one scene."""

    crops: NDArray[np.uint8]
    """Shape (n, CUT_PX, CUT_PX, 3), blue green red."""
    where: Floats
    """See :func:`vision.together.geometry`; shape (n, GEOMETRY)."""
    labels: NDArray[np.int64]
    off: Floats
    """Where the object really lies: right and down in the candidate's sizes, logarithm of its size; NaN where there is
    none. Shape (n, 3)."""


def gathered(
    scenes: Sequence[Scene],
    kind: Literal["bean", "die"],
    labels: Sequence[str],
    rng: Generator,
    finder: Finder,
    judge: Judge,
    *,
    thrown: bool = True,
) -> list[Throw]:
    """What the finder sees in each scene, where the judge puts it.

    Labels that no picture bears out are not learnt from, for they teach doubt about every bean (Northcutt et al.,
    Confident Learning, 2021): that of a mark nobody sees, burnt out or of the bean's own colour; and unless ``thrown``
    of what lies askew, which was put so at random, and so often, that it looks like what lies flat.
    """
    throws = [_gather(scene, kind, labels, finder, judge) for scene in scenes]
    if not thrown:
        for throw in throws:
            throw.labels[throw.labels == labels.index("askew")] = UNKNOWN
    other = len(labels) - 1
    return [
        throw
        for throw in throws
        if len(throw.labels) and ((throw.labels < other) & (throw.labels >= 0)).any() | (rng.random() < EMPTY)
    ]


def _gather(scene: Scene, kind: Literal["bean", "die"], labels: Sequence[str], finder: Finder, judge: Judge) -> Throw:
    image = np.ascontiguousarray(scene.image)
    judged = judge.judge(image, finder.find(image, zooms_for(image, None))[:WEIGHED])
    found = [judgement.found for judgement in judged]
    chances = [probabilities(judgement.logits, 1.0) for judgement in judged]
    numbers = list(true_labels(scene, found, kind, labels))
    off = np.full((len(found), 3), np.nan, np.float32)
    for i, candidate in enumerate(found):
        cut = any(not thing.whole for thing in scene.things if lies_at(candidate, thing))
        unseen = labels[numbers[i]] == "marked" and chances[i][labels.index("plain")] > UNSEEN
        if cut or unseen:
            numbers[i] = UNKNOWN
        thing = nearest(scene, candidate, kind)
        if thing is not None:
            aside = np.subtract(thing.centre_px, candidate.centre_px) / candidate.size_px
            off[i] = (*aside, np.log(thing.size_px / candidate.size_px))
    crops = [cut_out(image, thing.centre_px, CUT_SIZES * thing.size_px, CUT_PX) for thing in found]
    return Throw(
        np.asarray(crops, np.uint8).reshape(-1, CUT_PX, CUT_PX, 3),
        np.asarray([geometry(image, thing) for thing in found], np.float32).reshape(-1, GEOMETRY),
        np.asarray(numbers, np.int64),
        off,
    )


@dataclass(frozen=True, slots=True)
class Batch:
    """Throws as the nets see them."""

    pictures: Floats
    """Normalised, shape (n, 3, CROP_PX, CROP_PX)."""
    rows: NDArray[np.int64]
    """Which row of the throws each picture belongs to, shape (n,)."""
    labels: NDArray[np.int64]
    """Shape (throws x MOST,), UNKNOWN where there is nothing."""
    where: Floats
    """Shape (throws x MOST, GEOMETRY)."""
    there: Floats
    """Whether a row is seen by the others, shape (throws x MOST, 1)."""
    off: Floats
    """Where the object lies in the picture, shape (n, 3), NaN where there is none."""


def spread(
    throws: Sequence[Throw], rng: Generator, *, loose: bool = False, invert: bool = False, plain: bool = False
) -> Batch:
    """Each throw turned, mirrored and recoloured as a whole, for its light is one; each picture a little off.

    Args:
        throws: at least one, each with a candidate.
        rng: draws it all.
        loose: often as far off as it is found.
        invert: now and then dark for light, as dice come.
        plain: neither recoloured nor hidden, as the judge meets them at last.
    """
    rows = len(throws) * MOST
    labels, there = np.full(rows, UNKNOWN, np.int64), np.zeros((rows, 1), np.float32)
    where = np.zeros((rows, GEOMETRY), np.float32)
    pictures, filled, offs = [], [], []
    for first, throw in zip(range(0, rows, MOST), throws, strict=True):
        n = len(throw.labels)
        own = slice(first, first + n)
        change = Recolour.none() if plain else Recolour.drawn(rng, invert=invert)
        filled.append(np.arange(first, first + n))
        labels[own], there[own, 0] = throw.labels, plain | (rng.random(n) > LOST)
        where[own] = throw.where
        # Not turned: of where things lie only their distances count.
        where[own, :3] *= np.exp(rng.normal(0, 0.3))
        where[own, 4:] = change.of_logarithms(where[own, 4:])
        turn_deg, mirrored = rng.uniform(0, 360), bool(rng.random() < 0.5)
        for crop, off in zip(throw.crops, throw.off, strict=True):
            aside, scale = FOUND if loose and rng.random() < AS_FOUND else PUT_RIGHT
            size = float(np.exp(rng.normal(0, scale)))
            turn = turned(turn_deg, size, mirrored)
            moved = turn[:, :2] @ rng.normal(0, aside * CUT_PX / CUT_SIZES, 2)
            turn[:, 2] += moved
            lies = turn[:, :2] @ (off[:2] * CUT_PX / CUT_SIZES) + moved
            offs.append((*(lies * CROP_SIZES / CROP_PX), np.log(size) + off[2]))
            seen = cv2.warpAffine(change.blurred(crop), turn, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE)
            pictures.append(change.of_picture(seen.astype(np.float32), rng))
    seen_px = normalised(np.stack(pictures))
    return Batch(seen_px, np.concatenate(filled), labels, where, there, np.asarray(offs, np.float32))
