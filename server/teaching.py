"""Teaching the reader a table's own beans or dice, and whether that helped: measured on throws it was not taught."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.observation import ThrowSeen
from referee.rules import Needs
from referee.throws import Throw
from server.lessons import Confirmed
from server.lie import thrown
from vision.taught import (
    Floats,
    Kind,
    Lesson,
    Taught,
    Teacher,
    counts_of,
    hidden_faces,
    learn,
    log_likelihood,
    taught_reader,
)

FEWEST = 10
"""Throws from which anything can be learnt and measured."""
FOLDS = 5
"""A fifth of the throws is held out of what the reader is taught, and read; each fifth once."""
NOISE = 2.0
"""In standard errors: a smaller gain may be chance."""
GAIN = 0.05
"""Natural logarithm of the confirmed value's probability, a throw: a smaller gain is worth nothing."""


class NotTaught(Exception):
    """There is too little to teach with; one line that says what is missing."""


@dataclass(frozen=True, slots=True)
class Figures:
    """How the throws were read."""

    throws: int
    right: int
    """With the confirmed value, whether certain or not."""
    certain: int
    """The table would book them by itself."""
    wrong_certain: int
    """Of these with another value than the confirmed one: the worst fault."""
    log_loss: float
    """Mean natural logarithm by which the confirmed value was held less than sure; of throws that were wholly found."""


@dataclass(frozen=True, slots=True)
class Lessons:
    """What came of it."""

    taught: Taught
    """From all throws."""
    found: int
    """Throws all of whose beans or dice were found: only from these can be learnt."""
    before: Figures
    after: Figures
    """Each throw read as taught by throws of the other folds."""
    why: str
    """Why it is of no use; empty if it is better than before."""


@dataclass(frozen=True, slots=True)
class _Reading:
    right: bool
    booked: bool
    """Read for certain."""

    @property
    def good(self) -> bool:
        return self.right and self.booked


def teach(needs: Needs, throws: Sequence[Confirmed]) -> Lessons:
    """Learn from confirmed throws, and compare with the untaught reader.

    Args:
        needs: what was thrown, beans alone or dice alone.
        throws: in the order they were thrown.

    Raises:
        NotTaught: there are fewer than FEWEST from which can be learnt.
        BadLessons: a picture cannot be read.
    """
    if len(throws) < FEWEST:
        raise NotTaught(f"too few confirmed throws to learn from: {len(throws)}; {FEWEST} are needed, 20 are better")
    kind: Kind = "beans" if needs.beans else "dice"
    teacher = Teacher(needs)
    untaught, lessons = zip(*(teacher.read(one.look(), one.throw) for one in throws), strict=True)
    known = [lesson for lesson in lessons if lesson]
    if len(known) < FEWEST:
        raise NotTaught(
            f"in only {len(known)} of {len(throws)} pictures were all {needs.beans or needs.dice} {kind} found, "
            f"and {FEWEST} are needed: light the place evenly, bring the camera nearer, or name the --area"
        )
    before = [_reading(seen, one.throw, needs) for seen, one in zip(untaught, throws, strict=True)]
    after, likely = _held_out(needs, throws, lessons)
    likely_before = np.array([log_likelihood(lesson) for lesson in known])
    then, now = _figures(before, likely_before), _figures(after, likely)
    why = _worse(then, now) or _no_better(before, after, likely - likely_before)
    if not why and not _beyond_noise(likely - _unseen(known)):
        why = f"even then the faces of the {kind} are not told apart: is each line of the confirmed throws right?"
    return Lessons(learn(kind, known), len(known), then, now, why)


def _held_out(
    needs: Needs, throws: Sequence[Confirmed], lessons: Sequence[Lesson | None]
) -> tuple[list[_Reading], Floats]:
    """Each throw, as read by who was taught those of the other folds.

    Returns:
        The readings; and the log-likelihood of the confirmed values, of throws that were wholly found.
    """
    readings: dict[int, _Reading] = {}
    likely: dict[int, float] = {}
    for fold in range(FOLDS):
        others = [lesson for i, lesson in enumerate(lessons) if lesson and i % FOLDS != fold]
        taught = learn("beans" if needs.beans else "dice", others)
        reader = taught_reader(needs, (taught,))
        assert reader
        for i in range(fold, len(throws), FOLDS):
            readings[i] = _reading(reader.read([throws[i].look()]), throws[i].throw, needs)
            if lesson := lessons[i]:
                likely[i] = log_likelihood(lesson, taught)
    return [readings[i] for i in sorted(readings)], np.array([likely[i] for i in sorted(likely)])


def _unseen(lessons: Sequence[Lesson]) -> Floats:
    """The log-likelihoods of who sees nothing, but knows how often each face shows."""
    shown = np.sum([lesson.counts for lesson in lessons], axis=0) + 1.0
    often = shown / shown.sum()
    return np.array([hidden_faces(np.tile(often, (len(one.inputs), 1)), one.counts)[1] for one in lessons])


def _reading(seen: ThrowSeen, throw: Throw, needs: Needs) -> _Reading:
    faces = (
        [bean.face for bean in seen.beans].count("marked"),
        [bean.face for bean in seen.beans].count("plain"),
    )
    values = tuple(sum(die.value == value for die in seen.dice) for value in range(1, 7))
    right = (faces if needs.beans else values) == counts_of(throw) and seen.kind == ("beans" if needs.beans else "dice")
    return _Reading(right, thrown(seen, needs) is not None)


def _figures(readings: Sequence[_Reading], likely: Floats) -> Figures:
    booked = [reading for reading in readings if reading.booked]
    return Figures(
        throws=len(readings),
        right=sum(reading.right for reading in readings),
        certain=len(booked),
        wrong_certain=sum(not reading.right for reading in booked),
        log_loss=round(-float(likely.mean()), 4),
    )


def _worse(before: Figures, after: Figures) -> str:
    for what, was, now in (
        ("read right", before.right, after.right),
        ("certain and right", before.certain - before.wrong_certain, after.certain - after.wrong_certain),
        ("not booked wrongly", before.throws - before.wrong_certain, after.throws - after.wrong_certain),
    ):
        if now < was:
            return f"of {before.throws} throws {now} would be {what} instead of {was}"
    return ""


def _no_better(before: Sequence[_Reading], after: Sequence[_Reading], gains: Floats) -> str:
    likelier = gains.mean() > GAIN and _beyond_noise(gains)
    pairs = list(zip(before, after, strict=True))
    if (
        likelier
        or _risen([(was.right, now.right) for was, now in pairs])
        or _risen([(was.good, now.good) for was, now in pairs])
    ):
        return ""
    return "these throws are read no better for it than chance would have it"


def _beyond_noise(gains: Floats) -> bool:
    return bool(gains.mean() > NOISE * gains.std(ddof=1) / len(gains) ** 0.5)


def _risen(pairs: Sequence[tuple[bool, bool]]) -> bool:
    """Whether more has become true than false, beyond noise (McNemar's test)."""
    up, down = sum(now and not was for was, now in pairs), sum(was and not now for was, now in pairs)
    return up - down >= NOISE * float(np.sqrt(max(1, up + down)))
