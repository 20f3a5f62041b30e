"""A throw in a place whose empty look is known: what lies there has come, and what nothing holds lies flat."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from referee.observation import Face
from vision.beans import BeanJudged, Outline, has_spot
from vision.camera import Image
from vision.dice import DieJudged
from vision.finder import Found
from vision.place import Change

TOLD, OTHERWISE = 0.9, 0.05
"""Probability from which a marked bean may be booked in a place that was seen empty, and the most that a plain one may
have of a mark ..."""
SMALL_PX, TOLD_SMALL, OTHERWISE_SMALL = 14.0, 0.985, 0.015
"""... and as much for beans whose size is less, some 20 px long: a reddish speckled one had been marked with 0.974."""
FLAT, FLAT_DIE = 0.95, 0.9
"""Probability from which a bean lies flat that nothing holds: by itself it falls over, of 320 that lay free in the
shared throws none stood. For a die it was set at simulated tables alone. ..."""
FLAT_BESIDE: Mapping[Face, float] = {"plain": 0.9985, "marked": 0.99, "unsure": 1.0}
"""... And as much for a bean where another may hold it on its edge, which looks much like lying plain."""
LEANING = 0.85
"""Distance of two middles below which one may lean on the other, in their sizes together; half a bean is 0.73 long."""
OWN, REACH = 0.3, 0.9
"""In sizes: so near to its middle is a thing's own change of the place, and so near may be one that it leans on."""
MORE = 1.25
"""Of a thing's own area, how much of its change is no shadow where nothing else lies against it."""
RIM = 1.0
"""In sizes: so near to the border of the place it may lean on what stands beside it; its rim is not looked at."""
STRONG = 0.35
"""The finder's score of what the net overlooks where the place has changed."""
SEEN = 0.2
"""The finder's score from which something is a thing where the place has changed too."""
UNREAL, UNSURE = 0.1, 0.5
"""Probability of being a die below which one holds no other; and that it is left with of which nobody is sure."""
CRUMB, THIN = 0.3, 0.35
"""Share of a bean's area, and of its size, below which a change of the place is a crumb or the rim of a shadow."""


def outlined(found: Sequence[Found], changes: Sequence[Change]) -> list[tuple[Found, Outline]]:
    """What the finder sees where the place has changed, and each change of a bean's size that it overlooks.

    Returns:
        Each thing with its own outline: about a bean that was found, around the change else.
    """
    changes = [change for change in changes if not change.stood]
    around = [_around(change) for change in changes]
    seen = [thing for thing in found if thing.score >= SEEN and any(_lies_in(change, thing) for change in changes)]
    usual_px = float(np.median([thing.size_px for thing in seen] or [cv2.contourArea(o) ** 0.5 for o in around] or [0]))
    things = [(replace(thing, score=max(thing.score, STRONG)), _disc(thing)) for thing in seen]
    for outline, change in zip(around, changes, strict=True):
        (_, sides, _), area = cv2.minAreaRect(outline), cv2.contourArea(outline)
        if not change.edged or any(_off_px(outline, thing) < 0.6 * thing.size_px for thing in seen):
            continue
        if area < CRUMB * usual_px**2 or min(sides) < THIN * usual_px:
            continue
        moments = cv2.moments(outline)
        centre = (moments["m10"] / moments["m00"], moments["m01"] / moments["m00"])
        things.append((Found(centre, max(area**0.5, usual_px), STRONG), outline))
    return things


def may_be_held(
    things: Sequence[Found],
    changes: Sequence[Change],
    depth_px: Callable[[Found], float],
) -> list[bool]:
    """Which of the things may stand on an edge: held by another, by what has come or stood there, or beside the place.

    Args:
        things: what lies there.
        changes: where the place does not look as it did when it was empty: a crumb, a straw, a rim; and what stood
            there even then.
        depth_px: how far inside the place a thing's centre lies.
    """
    grown = [
        change.solid_px2 > MORE * sum(thing.size_px**2 for thing in things if _lies_in(change, thing))
        for change in changes
    ]

    def touched(thing: Found) -> bool:
        """By what has come, alone or in one with the thing, or by the edge of what stood there."""
        for change, more in zip(changes, grown, strict=True):
            off, reach = _off_px(_around(change), thing), REACH * thing.size_px
            if abs(off) < reach if change.stood else more if _lies_in(change, thing) else off < reach:
                return True
        return False

    def near_another(thing: Found) -> bool:
        return any(
            math.dist(thing.centre_px, other.centre_px) < LEANING * (thing.size_px + other.size_px)
            for other in things
            if other is not thing
        )

    return [depth_px(thing) < RIM * thing.size_px or near_another(thing) or touched(thing) for thing in things]


def known_faces(
    dice: Sequence[DieJudged], changes: Sequence[Change], depth_px: Callable[[Found], float]
) -> tuple[DieJudged, ...]:
    """The dice of a throw in a place that was seen empty: which face is up, if it is certain that it lies flat.

    One that stands on an edge looks much like a flat one seen at a slant, but by itself it falls over: what nothing
    holds lies flat, of what something may hold nobody is sure.
    """
    come = [die for die in dice if any(_lies_in(change, die.found) for change in changes)]
    real = [die for die in come if die.real > UNREAL]
    held = may_be_held([die.found for die in real], changes, depth_px)
    known = [_known(die, by_something) for die, by_something in zip(real, held, strict=True)]
    return (*known, *(die for die in come if die.real <= UNREAL))


def _known(die: DieJudged, held: bool) -> DieJudged:
    if held:
        return replace(die, sure=min(die.sure, UNSURE), held=True)
    return replace(die, sure=min(die.sure, UNSURE) if die.level < FLAT_DIE else die.sure / die.level)


def told(image: Image, bean: BeanJudged, outline: Outline, *, held: bool) -> bool:
    """Whether the face of a bean in a place that was seen empty may be booked: there the count of marks matters.

    ``held``: something may keep it on its edge.
    """
    if bean.level < (FLAT_BESIDE[bean.seen.face] if held else FLAT):
        return False
    small = bean.found.size_px < SMALL_PX
    if bean.seen.face == "marked":
        return bean.real * bean.sure >= (TOLD_SMALL if small else TOLD)
    # Whether it is a bean at all is no matter: a smooth pebble adds as little to the count of marks.
    marked = bean.level - bean.sure
    plain = bean.seen.face == "plain" and marked <= (OTHERWISE_SMALL if small else OTHERWISE)
    return plain and not has_spot(image, outline)


def _around(change: Change) -> Outline:
    return np.asarray(change.outline_px, np.float32).reshape(-1, 1, 2)


def _lies_in(change: Change, thing: Found) -> bool:
    """It is the thing's own change of the place."""
    return not change.stood and _off_px(_around(change), thing) < OWN * thing.size_px


def _off_px(outline: Outline, thing: Found) -> float:
    """How far a thing's centre lies outside an outline; negative inside."""
    return -float(cv2.pointPolygonTest(outline, thing.centre_px, True))


def _disc(thing: Found) -> Outline:
    """A circle that lies within the bean or nearly so, whichever way it points."""
    turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    rim = np.stack([np.cos(turn), np.sin(turn)], axis=1) * 0.36 * thing.size_px + thing.centre_px
    return np.asarray(rim, np.float32).reshape(-1, 1, 2)
