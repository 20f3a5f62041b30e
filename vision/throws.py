"""Reads a throw at rest: which beans or dice lie in the throwing place, and whether that may be booked.

Nothing is certain unless everything is: the count, each face, each thing clear of the others, and nothing in the
place that might be one more. A wrong certain reading is the worst fault there is; an uncertain one costs a tap.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observation import Plight, ThrowSeen
from referee.rules import Needs
from vision.beans import PLACED, BeanJudged, Outline, has_spot, judge_beans
from vision.camera import Image
from vision.dice import DieJudged, judge_dice
from vision.finder import Finder, Found, zooms_for
from vision.judge import Judge
from vision.place import Change

Judged = BeanJudged | DieJudged
REAL = 0.5
"""Probability of being a bean or die from which a thing counts."""
DOUBTFUL = 0.06
"""Probability from which a thing that does not count still forbids certainty."""
STRONG = 0.35
"""The finder's score from which a thing is no doubt there."""
SMALLEST_PX = {"bean": 10.0, "die": 11.0}
"""Size below which nothing is certain; a bean of that size is about 14 px long."""
SEEN = 0.2
"""The finder's score from which something is a thing where the place has changed too."""
CRUMB, THIN = 0.3, 0.35
"""Share of a bean's area, and of its size, below which a change of the place is a crumb or the rim of a shadow."""
CLOSE = 0.62
"""Distance of two centres, in sizes, under which one lies on the other."""


@dataclass(frozen=True, slots=True)
class _Place:
    """The throwing place in the frame."""

    corners_px: NDArray[np.float32]
    left: int
    top: int
    right: int
    bottom: int

    def depth_px(self, thing: Found) -> float:
        """How far inside the place a thing's centre lies; negative outside."""
        return float(cv2.pointPolygonTest(self.corners_px, thing.centre_px, True))


class ThrowReader:
    """Reads throws with nets loaded once. Not safe for several threads at a time."""

    def __init__(self, needs: Needs | None = None) -> None:
        self._needs = needs
        self._finder = Finder()
        self._beans = Judge("beans")
        self._placed = Judge("placed")
        self._dice = Judge("dice")

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
                can be a bean.
        """
        image = _still(images)
        place = _place(image, place_px)
        part = np.ascontiguousarray(image[place.top : place.bottom, place.left : place.right])
        found = [_moved(thing, place.left, place.top) for thing in self._finder.find(part, zooms_for(part, px_per_mm))]
        near = _alike([thing for thing in found if place.depth_px(thing) > -0.5 * thing.size_px])
        if changes is not None and self._needs is not None and not self._needs.dice:
            things = _outlined([thing for thing in near if thing.kind == "bean"], changes)
            beans = judge_beans(image, [thing for thing, _ in things], self._placed, PLACED)
            beans = tuple(
                replace(bean, sure=False) if bean.seen.face == "plain" and has_spot(image, outline) else bean
                for bean, (_, outline) in zip(beans, things, strict=True)
            )
            return _decide(image, place, beans, (), self._needs, only_beans=True)
        beans = judge_beans(image, [thing for thing in near if thing.kind == "bean"], self._beans)
        dice = judge_dice(image, [thing for thing in near if thing.kind == "die"], self._dice)
        seen = _decide(image, place, beans, dice, self._needs)
        if seen.kind == "none" and self._needs is not None and changes is None:
            # Who says what was thrown has thrown it: that it is not seen is no certainty.
            return replace(seen, certain=False, plights=seen.plights or ("missing",))
        return seen


def _outlined(found: Sequence[Found], changes: Sequence[Change]) -> list[tuple[Found, Outline]]:
    """What the finder sees where the place has changed, and each change of a bean's size that it overlooks.

    Returns:
        Each thing with its own outline: about a bean that was found, around the change else.
    """
    around = [np.asarray(change.outline_px, np.float32).reshape(-1, 1, 2) for change in changes]
    seen = [
        thing
        for thing in found
        if thing.score >= SEEN and any(_off_px(outline, thing) < 0.3 * thing.size_px for outline in around)
    ]
    usual_px = float(np.median([thing.size_px for thing in seen] or [cv2.contourArea(o) ** 0.5 for o in around] or [0]))
    # The finder never learnt what an outline tells: where a thing is counts, its opinion of the mark does not.
    things = [(replace(thing, score=max(thing.score, STRONG), mark=0.5), _disc(thing)) for thing in seen]
    for outline, change in zip(around, changes, strict=True):
        (_, sides, _), area = cv2.minAreaRect(outline), cv2.contourArea(outline)
        if not change.edged or any(_off_px(outline, thing) < 0.6 * thing.size_px for thing in seen):
            continue
        if area < CRUMB * usual_px**2 or min(sides) < THIN * usual_px:
            continue
        moments = cv2.moments(outline)
        centre = (moments["m10"] / moments["m00"], moments["m01"] / moments["m00"])
        things.append((Found("bean", centre, max(area**0.5, usual_px), STRONG, 0.5), outline))
    return things


def _off_px(outline: Outline, thing: Found) -> float:
    """How far a thing's centre lies outside an outline; negative inside."""
    return -float(cv2.pointPolygonTest(outline, thing.centre_px, True))


def _disc(thing: Found) -> Outline:
    """A circle that lies within the bean or nearly so, whichever way it points."""
    turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    rim = np.stack([np.cos(turn), np.sin(turn)], axis=1) * 0.36 * thing.size_px + thing.centre_px
    return np.asarray(rim, np.float32).reshape(-1, 1, 2)


def _decide(
    image: Image,
    place: _Place,
    beans: Sequence[BeanJudged],
    dice: Sequence[DieJudged],
    needs: Needs | None,
    only_beans: bool = False,
) -> ThrowSeen:
    """Put together what was judged; with ``only_beans`` nothing else may lie there, for the rest was seen empty."""
    real_beans = [bean for bean in beans if _chance(bean) >= REAL]
    real_dice = [die for die in dice if _chance(die) >= REAL]
    judged: list[Judged] = [*beans, *dice]
    doubtful = [thing for thing in judged if (only_beans or _chance(thing) >= DOUBTFUL) and _chance(thing) < REAL]
    real: list[Judged] = [*real_beans, *real_dice]
    plights: set[Plight] = set()
    if not real:
        why: tuple[Plight, ...] = ("dark",) if _dark(image, place) else ("extra",) if only_beans and doubtful else ()
        return ThrowSeen("none", plights=why, certain=not doubtful and not why)
    kind = _kind(real_beans, real_dice, needs)
    counted: list[Judged] = [*real_beans] if kind == "beans" else [*real_dice]
    inside = [thing for thing in counted if place.depth_px(thing.found) > 0.35 * thing.found.size_px]
    expected = None if needs is None else (needs.beans if kind == "beans" else needs.dice)
    if expected == 0:
        plights |= {"extra", "missing"}  # dice where beans are wanted, or the reverse
    if doubtful or len(counted) < len(real) or (expected and len(counted) > expected):
        plights.add("extra")
    if len(inside) < len(counted) or (expected and len(inside) < expected):
        plights.add("missing")
    plights |= _lying(counted)
    unsure = [thing for thing in counted if not thing.sure or thing.found.score < STRONG]
    smallest = SMALLEST_PX["bean" if kind == "beans" else "die"]
    if any(thing.found.size_px < smallest for thing in counted):
        plights.add("small")
    if unsure and not plights:
        plights |= _why_unsure(image, place, unsure)
    return ThrowSeen(
        kind=kind,
        beans=tuple(bean.seen for bean in real_beans) if kind == "beans" else (),
        dice=tuple(die.seen for die in real_dice) if kind == "dice" else (),
        plights=tuple(sorted(plights)),
        certain=not plights and not unsure,
    )


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
    margin = 0.06 * float(max(x1 - x0, y1 - y0))
    left, top = max(0, int(x0 - margin)), max(0, int(y0 - margin))
    return _Place(corners, left, top, min(width, int(x1 + margin) + 1), min(height, int(y1 + margin) + 1))


def _alike(found: Sequence[Found], own: float = 0.4) -> list[Found]:
    """Sizes drawn towards the median of their kind: beans of one throw are alike, the finder's guesses less so."""
    alike = []
    for thing in found:
        sizes = [other.size_px for other in found if other.kind == thing.kind and other.score >= STRONG]
        size_px = float(np.median(sizes) ** (1 - own) * thing.size_px**own) if sizes else thing.size_px
        alike.append(replace(thing, size_px=size_px))
    return alike


def _moved(thing: Found, left: int, top: int) -> Found:
    x, y = thing.centre_px
    return replace(thing, centre_px=(x + left, y + top))


def _chance(thing: Judged) -> float:
    """How likely it is that something of its kind lies there, by the judge and the finder together."""
    judged = thing.is_bean if isinstance(thing, BeanJudged) else thing.is_die
    return judged if thing.found.score >= STRONG else judged * thing.found.score / STRONG


def _kind(beans: Sequence[BeanJudged], dice: Sequence[DieJudged], needs: Needs | None) -> Literal["beans", "dice"]:
    if needs is not None and bool(needs.beans) != bool(needs.dice):
        wanted: Literal["beans", "dice"] = "beans" if needs.beans else "dice"
        if (beans if needs.beans else dice) or not (dice if needs.beans else beans):
            return wanted
    return "beans" if len(beans) >= len(dice) else "dice"


def _lying(things: Sequence[Judged]) -> set[Plight]:
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


def _why_unsure(image: Image, place: _Place, unsure: Sequence[Judged]) -> set[Plight]:
    """The likeliest reason why a face is not certain, in the order a player can mend it."""
    if _dark(image, place):
        return {"dark"}
    for thing in unsure:
        x, y, half = *thing.found.centre_px, 0.5 * thing.found.size_px
        patch = image[max(0, int(y - half)) : int(y + half) + 1, max(0, int(x - half)) : int(x + half) + 1]
        if patch.size and float((patch.min(-1) >= 250).mean()) > 0.25:
            return {"glare"}
    for i, thing in enumerate(unsure):
        for other in unsure[:i]:
            if np.hypot(*np.subtract(thing.found.centre_px, other.found.centre_px)) < 1.1 * thing.found.size_px:
                return {"touching"}
    if any(thing.found.size_px < 1.6 * SMALLEST_PX[thing.found.kind] for thing in unsure):
        return {"small"}
    return {"blurred"}


def _dark(image: Image, place: _Place, below: float = 28.0) -> bool:
    part = image[place.top : place.bottom : 4, place.left : place.right : 4]
    return float(np.percentile(part.max(-1), 90)) < below
