"""Which of the throws that lie on a tray count: each once, and only what is certain."""

import math
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from referee.observation import Observation, ThrowSeen
from referee.rules import Needs
from referee.throws import Throw
from server.lie import thrown
from server.table import VOID
from vision.tray import FRAMES

SAME_WITHIN = 0.01
"""Of the picture's longer side: what lies this close to where something lay was not thrown anew."""

Spot = tuple[float, float]
"""A centre in frame pixels, (x, y)."""


@dataclass(frozen=True, slots=True)
class Told:
    """A throw has come to rest."""

    t: float
    """When it was first seen at rest, seconds on the camera's clock."""
    seen: ThrowSeen
    throw: Throw | None
    """What counts; None: it could not be read for certain, and counts for nothing."""


@dataclass(frozen=True, slots=True)
class _Lie:
    """What lay there."""

    spots: tuple[Spot, ...]
    faces: tuple[str, ...]
    void: bool
    """However it is read later, it does not count: only another throw does (R-BEANS)."""


class Tally:
    """Follows one throwing place, observation by observation."""

    def __init__(self, needs: Needs | None) -> None:
        """Begin.

        Args:
            needs: what counts as a throw; None: whatever is certain.
        """
        self._needs = needs
        self._counted: _Lie | None = None
        self._doubted: _Lie | None = None
        self._frames = 0
        self._rest: tuple[float, ThrowSeen] | None = None
        self.state: Literal["moving", "hand", "settling", "empty", "uncertain", "counted"] = "settling"
        """What people may be told about the place."""

    def see(self, seen: Observation, picture_px: int) -> Told | None:
        """Take one observation; tells of a throw once.

        Args:
            seen: from a reader that reads a rest when it begins and again at its frame number ``FRAMES``.
            picture_px: longer side of the frame, pixels.
        """
        if seen.state != "rest" or seen.throw is None:
            told = self.end(picture_px)
            self._frames, self._rest = 0, None
            self.state = seen.state if seen.state in ("moving", "hand") else "settling"
            return told
        self._frames += 1
        self._rest = (self._rest[0] if self._rest else seen.taken_at, seen.throw)
        return self._settle(*self._rest, picture_px) if self._frames == FRAMES else None

    def end(self, picture_px: int) -> Told | None:
        """No frame follows, or none of this rest: what was read once stands."""
        if self._rest is None or self._frames >= FRAMES:
            return None
        return self._settle(*self._rest, picture_px)

    def _settle(self, t: float, seen: ThrowSeen, picture_px: int) -> Told | None:
        # That nothing is seen is "missing" where something was thrown; here the place is empty between the throws.
        if seen.kind == "none" and set(seen.plights) <= {"missing"}:
            # The last throw is remembered all the same: a place read as empty by mistake must not count it twice.
            self.state = "empty"
            return None
        throw = thrown(seen, self._needs or Needs(beans=len(seen.beans), dice=len(seen.dice)))
        lie = _Lie(_spots(seen), _faces(seen), void=bool(VOID & set(seen.plights)))
        within_px = SAME_WITHIN * picture_px
        if _alike(self._counted, lie, within_px):
            self.state = "counted"
            if throw:
                # One that is nudged further and further is still the same throw.
                self._counted = lie
            return None
        self.state = "uncertain"
        if _alike(self._doubted, lie, within_px) and (throw is None or (self._doubted and self._doubted.void)):
            return None
        if throw:
            self.state, self._counted = "counted", lie
        else:
            self._doubted = lie
        return Told(t, seen, throw)


def same_throw(one: ThrowSeen, other: ThrowSeen, picture_px: int) -> bool:
    """Whether two photographs show one throw: the same faces on the same spots; ``picture_px``: their longer side.

    One thing alone may well come to lie twice on a spot, such as a die that is put in the middle.
    """
    spots, faces = _spots(one), Counter(_faces(one))
    if len(spots) < 2 or faces != Counter(_faces(other)):
        return False
    return _matched(_spots(other), spots, SAME_WITHIN * picture_px) == len(spots)


def _spots(seen: ThrowSeen) -> tuple[Spot, ...]:
    dice = ((die.box_px[0] + die.box_px[2] / 2, die.box_px[1] + die.box_px[3] / 2) for die in seen.dice)
    return (*(bean.centre_px for bean in seen.beans), *dice)


def _faces(seen: ThrowSeen) -> tuple[str, ...]:
    return (*(bean.face for bean in seen.beans), *(str(die.value) for die in seen.dice))


def _alike(old: _Lie | None, new: _Lie, within_px: float) -> bool:
    """Whether nothing was thrown in between: half of it lies where it lay, or all of it was shifted as one.

    Thrown things hardly ever come to rest on the same spots; a nudged bean, a bumped camera or a bean that is
    not seen in worse light leave the others there.
    """
    if old is None or not old.spots or not new.spots:
        return old is not None and old.spots == new.spots
    if _matched(old.spots, new.spots, within_px) * 2 >= min(len(new.spots), len(old.spots)):
        return True
    if len(new.spots) < 2 or Counter(new.faces) != Counter(old.faces):
        return False
    return _matched(_centred(old.spots), _centred(new.spots), within_px) == len(new.spots)


def _matched(old: tuple[Spot, ...], new: tuple[Spot, ...], within_px: float) -> int:
    return sum(any(math.dist(spot, before) <= within_px for before in old) for spot in new)


def _centred(spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
    x, y = (sum(values) / len(spots) for values in zip(*spots, strict=True))
    return tuple((spot[0] - x, spot[1] - y) for spot in spots)
