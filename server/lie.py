"""A throw as it lies: from what the camera saw to what is booked and drawn."""

import math

from referee.events import Lying
from referee.observation import ThrowSeen
from referee.rules import Needs
from referee.throws import Beans, Dice, Throw

SAME_WITHIN = 0.02
"""Of the throwing place's width: beans that lie this close to where they lay were not thrown anew."""


def thrown(seen: ThrowSeen, needs: Needs) -> Throw | None:
    """The throw to book, or None if the picture does not carry it: every bean or die counted, flat and certain."""
    if not seen.certain:
        return None
    if needs.beans and seen.kind == "beans" and len(seen.beans) == needs.beans:
        return Beans(seen.marked, needs.beans)
    values = tuple(sorted(die.value for die in seen.dice if die.value is not None))
    if needs.dice and seen.kind == "dice" and len(values) == len(seen.dice) == needs.dice:
        return Dice(values)
    return None


def lying(seen: ThrowSeen) -> tuple[Lying, ...]:
    """Where everything lies in the throwing place; what could not be located is left out."""
    beans = tuple(Lying(*bean.place_xy, bean.angle_deg, bean.face) for bean in seen.beans if bean.place_xy is not None)
    dice = tuple(Lying(*die.place_xy, 0.0, str(die.value)) for die in seen.dice if die.place_xy is not None)
    return beans + dice


def lies_alike(booked: tuple[Lying, ...], seen: ThrowSeen) -> bool:
    """Whether this is still the booked throw: nothing was picked up and thrown again.

    After a restart, or when an empty place was seen wrongly, this keeps one throw from counting twice. Beans that
    were really thrown again never come to lie on the same spots.
    """
    now = lying(seen)
    if not now or len(now) != len(booked):
        return False
    left = list(now)
    for old in booked:
        nearest = min(left, key=lambda new: math.hypot(new.x - old.x, new.y - old.y))
        if math.hypot(nearest.x - old.x, nearest.y - old.y) > SAME_WITHIN:
            return False
        left.remove(nearest)
    return True
