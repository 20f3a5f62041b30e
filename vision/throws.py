"""Reads a throw at rest: which beans or dice lie in the throwing place, and whether that may be booked.

Nothing is certain unless everything is: the count, each face, each thing clear of the others, and nothing in the
place that might be one more. A wrong certain reading is the worst fault there is; an uncertain one costs a tap.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observation import Plight, ThrowSeen
from referee.rules import Needs
from vision.beans import BeanJudged, judge_beans
from vision.camera import Image
from vision.dice import DieJudged, judge_dice
from vision.finder import ALIKE, Finder, Found, apart, zooms_for
from vision.judge import Judge, Judges
from vision.outlined import known_faces, may_be_held, outlined, told
from vision.place import Change
from vision.posterior import likeliest
from vision.throw_plights import CERTAIN, Judged, askew_or_stacked, dark, why_unsure

BEYOND_DOUBT = 0.995
"""As much for each face where nobody said how many were thrown: two that touch may look like one, a little oddly."""
DOUBTFUL = 0.9
"""A thing that is less likely real is never counted with certainty, however well it would make up the number."""
LIKELIER = 0.5
"""As much for a thing that came into a place that was seen empty: there hardly anything else comes."""
UNLIKELY = 0.1
"""Of what else has come, less is a shadow, if nothing that is counted is doubtful."""
POSSIBLE = 0.25
"""Probability of being real from which a thing speaks against there being nothing."""
TILTED = 0.3
"""How much of its probability a thing keeps that would lie askew: what is none of the throw mostly looks so."""
LONG = {"beans": 1.45, "dice": 1.0}
"""A bean's length and a die's edge, in sizes (roots of the silhouette's area)."""
LEAST_PX, NEEDED_PX = {"beans": 14.0, "dice": 11.0}, {"beans": 27.0, "dice": 20.0}
"""Lengths below which nothing is certain, and which are told to be needed where a face is not certain."""
FEWEST_BEANS = 3
"""No game is played with less."""
USUAL, MOST, NOTICED = 16, 48, 0.2
"""Candidates that are looked at, the likeliest first; the most of them, on busy ground; and the finder's score from
which one must be looked at before anything is certain."""
CLOSER = 1.5
"""How much larger all is seen where fewer are found than were thrown: two that touch may have been found as one."""
MARGIN = 0.06
"""What is looked at around the throwing place, in its longer side."""


@dataclass(frozen=True, slots=True)
class _Place:
    """The throwing place in the frame."""

    corners_px: NDArray[np.float32]
    left: int
    top: int
    right: int
    bottom: int

    def part_of(self, image: Image) -> Image:
        """The upright box around the place, with a margin."""
        return np.ascontiguousarray(image[self.top : self.bottom, self.left : self.right])

    def depth_px(self, thing: Found) -> float:
        """How far inside the place a thing's centre lies; negative outside."""
        return float(cv2.pointPolygonTest(self.corners_px, thing.centre_px, True))


class ThrowReader:
    """Reads throws with nets loaded once. Not safe for several threads at a time."""

    def __init__(self, needs: Needs | None = None, *, beans: Judges | None = None, dice: Judges | None = None) -> None:
        """Load the nets; ``beans`` and ``dice``: who judges them, if not the nets as they are."""
        self._needs = needs
        self._finder = Finder()
        self._beans = beans or Judge("beans")
        self._dice = dice or Judge("dice")

    def read(
        self,
        images: Sequence[Image],
        place_px: NDArray[np.float32] | None = None,
        *,
        px_per_mm: float | None = None,
        changes: Sequence[Change] | None = None,
    ) -> ThrowSeen:
        """Read one resting throw.

        Args:
            images: frames of one moment of rest, all of one size, blue green red.
            place_px: corners of the throwing place in the frame, clockwise, shape (4, 2); None: the whole picture.
            px_per_mm: scale of the place, where it is known.
            changes: where the place does not look as it did when it was empty, where that is known: nothing else
                can be a bean, and what nothing holds lies flat.
        """
        image = _still(images)
        place = _place(image, place_px)
        part = place.part_of(image)
        zooms = zooms_for(part, px_per_mm)
        seen = self._search(image, part, place, zooms, changes)
        if self._needs is None or "missing" not in seen.plights:
            return seen
        closer = self._search(image, part, place, (CLOSER * zooms[0], *zooms), changes)
        return closer if "missing" not in closer.plights and _parted(seen, closer) else seen

    def _search(
        self, image: Image, part: Image, place: _Place, zooms: Sequence[float], changes: Sequence[Change] | None
    ) -> ThrowSeen:
        """Read what is found in ``part`` of the image at some scales."""
        found = [_moved(thing, place.left, place.top) for thing in self._finder.find(part, zooms)]
        near = [thing for thing in found if place.depth_px(thing) > -0.5 * thing.size_px]
        thrown = 0 if self._needs is None else self._needs.beans + self._needs.dice
        noticed = sum(thing.score >= NOTICED for thing in near)
        looked_at = near[: min(max(USUAL, 2 * thrown + 6, noticed), max(MOST, 2 * thrown + 6))]
        if changes is not None and self._needs is not None and not self._needs.dice:
            things = outlined(looked_at, changes)
            judged = judge_beans(image, [thing for thing, _ in things], self._beans)
            near_others = may_be_held([bean.found for bean in judged], changes, place.depth_px)
            gated = tuple(
                replace(bean, sure=1.0 if told(image, bean, outline, held=near_other) else 0.5)
                for bean, (_, outline), near_other in zip(judged, things, near_others, strict=True)
            )
            return _decide(image, place, gated, (), self._needs, only_beans=True)
        beans: tuple[BeanJudged, ...] = ()
        dice: tuple[DieJudged, ...] = ()
        if self._needs is None or self._needs.beans:
            beans = _once(judge_beans(image, looked_at, self._beans))
        if self._needs is None or self._needs.dice:
            dice = _once(judge_dice(image, looked_at, self._dice))
            if changes is not None:
                dice = known_faces(dice, changes, place.depth_px)
        beans, dice = _either(beans, dice)
        seen = _decide(image, place, beans, dice, self._needs)
        if len(looked_at) < noticed:
            # Among what was not looked at may be one more.
            return replace(seen, certain=False, plights=tuple(sorted({*seen.plights, "extra"})))
        if seen.kind == "none" and self._needs is not None and changes is None:
            # Who says what was thrown has thrown it: that it is not seen is no certainty. A place may be empty.
            return replace(seen, certain=False, plights=seen.plights or ("missing",))
        return seen


def _parted(seen: ThrowSeen, closer: ThrowSeen) -> bool:
    """Whether what was seen closer are the same things, one of them or more parted: nothing lies where nothing did."""
    length_px = max(seen.length_px, closer.length_px)
    once, again = (
        [bean.centre_px for bean in throw.beans]
        + [(die.box_px[0] + die.box_px[2] / 2, die.box_px[1] + die.box_px[3] / 2) for die in throw.dice]
        for throw in (seen, closer)
    )
    return all(
        any(math.dist(here, there) < length_px for there in others)
        for these, others in ((once, again), (again, once))
        for here in these
    )


def _decide(
    image: Image,
    place: _Place,
    beans: Sequence[BeanJudged],
    dice: Sequence[DieJudged],
    needs: Needs | None,
    only_beans: bool = False,
) -> ThrowSeen:
    """Put together what was judged; with ``only_beans`` nothing else may lie there, for the rest was seen empty."""
    wanted = {"beans": None, "dice": None} if needs is None else {"beans": needs.beans, "dice": needs.dice}
    real_beans, chance_of_beans = _real(beans, wanted["beans"], FEWEST_BEANS)
    real_dice, chance_of_dice = _real(dice, wanted["dice"], 1)
    real: list[Judged] = [*real_beans, *real_dice]
    chance = chance_of_beans * chance_of_dice
    least = min((bean.real for bean in real_beans), default=0.0)
    left = [bean for bean in beans if only_beans and not any(bean is one for one in real_beans)]
    left_over = any(bean.real > UNLIKELY or least < DOUBTFUL for bean in left)
    plights: set[Plight] = set()
    if not real:
        # That so few are hardly ever thrown says what it is not, yet does not make it nothing.
        chances = [bean.real for bean in beans] + [die.real for die in dice]
        possible = left_over or max(chances, default=0.0) > POSSIBLE
        why: tuple[Plight, ...] = ("dark",) if dark(place.part_of(image)) else ("extra",) if possible else ()
        return ThrowSeen("none", plights=why, certain=chance >= CERTAIN and not why, chance=chance)
    kind = _kind(real_beans, real_dice, needs)
    counted: list[Judged] = [*real_beans] if kind == "beans" else [*real_dice]
    inside = [thing for thing in counted if place.depth_px(thing.found) > 0.35 * thing.found.size_px]
    expected = wanted[kind]
    if expected == 0:
        plights |= {"extra", "missing"}  # dice where beans are wanted, or the reverse
    doubtful = any(thing.real < (LIKELIER if only_beans else DOUBTFUL) for thing in counted)
    if left_over or doubtful or len(counted) < len(real) or (expected and len(counted) > expected):
        plights.add("extra")
    if needs is None and kind == "beans" and all(bean.seen.face == "plain" for bean in real_beans):
        plights.add("extra")  # nobody said that beans were thrown: smooth pebbles look like it
    if len(inside) < len(counted) or (expected and len(inside) < expected):
        plights.add("missing")
    plights |= askew_or_stacked(counted)
    long_px = [thing.found.size_px * LONG[kind] for thing in counted]
    if min(long_px) < LEAST_PX[kind]:
        plights.add("small")
    whole = chance * float(np.prod([thing.sure for thing in counted]))
    certain = whole >= CERTAIN and (needs is not None or min(thing.sure for thing in counted) >= BEYOND_DOUBT)
    if not certain and not plights:
        plights |= why_unsure(image, place.part_of(image), counted, chance, min(long_px) < NEEDED_PX[kind])
    return ThrowSeen(
        kind=kind,
        beans=tuple(bean.seen for bean in real_beans) if kind == "beans" else (),
        dice=tuple(die.seen for die in real_dice) if kind == "dice" else (),
        plights=tuple(sorted(plights)),
        certain=certain and not plights,
        chance=round(whole, 4),
        length_px=round(float(min(long_px) if "small" in plights else np.median(long_px)), 1),
    )


T = TypeVar("T", BeanJudged, DieJudged)


def _real(things: Sequence[T], thrown: int | None, fewest: int) -> tuple[list[T], float]:
    """What lies there most likely, in the order it was found, and the probability of just that."""
    chances = [thing.real * (thing.level + TILTED * (1 - thing.level)) for thing in things]
    chosen, chance = likeliest(chances, thrown, fewest)
    return [things[i] for i in sorted(chosen)], chance


def _either(
    beans: Sequence[BeanJudged], dice: Sequence[DieJudged]
) -> tuple[tuple[BeanJudged, ...], tuple[DieJudged, ...]]:
    """What may be a bean and may be a die is the likelier of the two."""

    def likelier(thing: Judged, others: Sequence[Judged]) -> bool:
        return all(thing.real >= other.real or apart(thing.found, other.found) for other in others)

    return tuple(bean for bean in beans if likelier(bean, dice)), tuple(die for die in dice if likelier(die, beans))


def _within(one: Found, other: Found) -> bool:
    """Whether one is a part of the other, of whatever size, or what surrounds it."""
    small, large = sorted((one.size_px, other.size_px))
    return large > ALIKE * small and float(np.hypot(*np.subtract(one.centre_px, other.centre_px))) < 0.5 * large


def _once(things: Sequence[T]) -> tuple[T, ...]:
    """Each thing once: two candidates may have been put right to the same one."""
    kept: list[T] = []
    for thing in sorted(things, key=lambda thing: -thing.real):
        if all(apart(thing.found, other.found) and not _within(thing.found, other.found) for other in kept):
            kept.append(thing)
    return tuple(kept)


def _still(images: Sequence[Image]) -> Image:
    """One picture of the rest: the median of up to five frames, which leaves out noise and what passed by."""
    if not images:
        raise ValueError("a throw is read from at least one picture")
    if len(images) < 3:
        return images[-1]
    chosen = [images[round(i)] for i in np.linspace(0, len(images) - 1, min(5, len(images)))]
    return np.asarray(np.median(np.stack(chosen), axis=0), np.uint8)


def _place(image: Image, place_px: NDArray[np.float32] | None) -> _Place:
    height, width = image.shape[:2]
    if place_px is None:
        place_px = np.asarray([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    corners = np.asarray(place_px, np.float32).reshape(-1, 2)
    (x0, y0), (x1, y1) = corners.min(0), corners.max(0)
    margin = MARGIN * float(max(x1 - x0, y1 - y0))
    left, top = max(0, int(x0 - margin)), max(0, int(y0 - margin))
    return _Place(corners, left, top, min(width, int(x1 + margin) + 1), min(height, int(y1 + margin) + 1))


def _moved(thing: Found, left: int, top: int) -> Found:
    x, y = thing.centre_px
    return replace(thing, centre_px=(x + left, y + top))


def _kind(beans: Sequence[BeanJudged], dice: Sequence[DieJudged], needs: Needs | None) -> Literal["beans", "dice"]:
    if needs is not None and bool(needs.beans) != bool(needs.dice):
        wanted: Literal["beans", "dice"] = "beans" if needs.beans else "dice"
        if (beans if needs.beans else dice) or not (dice if needs.beans else beans):
            return wanted
    if not beans or not dice:
        return "beans" if beans else "dice"
    told = [float(np.mean([thing.real * thing.sure for thing in things])) for things in (beans, dice)]
    return "beans" if told[0] >= told[1] else "dice"
