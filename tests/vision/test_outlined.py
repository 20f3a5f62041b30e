"""What has come into a place that was seen empty: what may be booked of it, and what something may hold on its edge."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from referee.rules import Needs
from server.table import VOID
from tests.vision.judged import GREY, a_bean, a_die
from vision.dice import DieJudged
from vision.finder import Found
from vision.outlined import known_faces, may_be_held, outlined, told
from vision.place import Change
from vision.throws import _decide, _place


def test_a_smooth_pebble_or_a_plain_bean_is_told_plain_but_none_that_may_bear_a_mark() -> None:
    outline = np.asarray([[52, 92], [68, 92], [68, 108], [52, 108]], np.float32).reshape(-1, 1, 2)
    plain = replace(a_bean(60, 100, marked=False), real=0.7, level=0.999, sure=0.996)
    assert told(GREY, plain, outline, held=True)
    assert not told(GREY, replace(plain, level=1.0, sure=0.94), outline, held=False), "a mark at 6 %"
    edgy = replace(plain, level=0.995, sure=0.995)
    assert not told(GREY, edgy, outline, held=True), "it may stand on its edge"
    assert told(GREY, edgy, outline, held=False), "by itself it would fall over"
    assert not told(GREY, replace(plain, level=0.94, sure=0.94), outline, held=False), "whatever holds it"
    marked = replace(a_bean(60, 100), real=0.99, level=0.99, sure=0.95)
    assert told(GREY, marked, outline, held=False)
    assert not told(GREY, replace(marked, real=0.7), outline, held=False), "it may be a spotted counter"


@pytest.mark.parametrize(("sure", "booked"), [(0.974, False), (0.99, True)])
@pytest.mark.parametrize("marked", [True, False])
def test_of_a_bean_of_a_few_pixels_more_is_asked(sure: float, booked: bool, marked: bool) -> None:
    """A speckled one of 16 px had been booked as marked with 0.974."""
    outline = np.asarray([[56, 96], [64, 96], [64, 104], [56, 104]], np.float32).reshape(-1, 1, 2)
    for size, told_there in ((11.0, booked), (22.0, True)):
        bean = replace(a_bean(60, 100, marked=marked, size=size), level=0.999, sure=sure)
        assert told(GREY, bean, outline, held=False) is told_there


def test_a_bean_may_be_held_by_one_that_is_no_further_than_both_are_long_or_by_whatever_else_has_come() -> None:
    places = ((100, 100), (130, 100), (200, 100), (236, 130), (300, 100))
    own = [np.asarray([(x - 9, y - 6), (x + 9, y - 6), (x + 9, y + 6), (x - 9, y + 6)], np.float64) for x, y in places]
    straw = np.asarray([(285, 60), (288, 60), (288, 140), (285, 140)], np.float64)
    changes = [Change(outline, True, True, 400.0) for outline in own]
    things = [Found(place, 20.0, 0.9) for place in places]
    assert may_be_held(things, changes, lambda thing: 99.0) == [True, True, False, False, False]
    with_straw = [*changes, Change(straw, True, False, 0.0)]
    assert may_be_held(things, with_straw, lambda thing: 99.0) == [True, True, False, False, True]
    grown = [*changes[:-1], Change(own[-1], True, True, 600.0)]
    assert may_be_held(things, grown, lambda thing: 99.0)[-1], "more than a bean has come there"
    # The place ends at 315 px: something may stand beside it.
    assert may_be_held(things, changes, lambda thing: 315 - thing.centre_px[0])[-1]


def _own(*things: Found) -> list[Change]:
    """The place changed just where they lie."""
    square = np.asarray([(-9, -9), (9, -9), (9, 9), (-9, 9)], np.float64)
    return [Change(square + thing.centre_px, True, True, 400.0) for thing in things]


def _known(*dice: DieJudged, depth_px: float = 99.0, stood: Sequence[Change] = ()) -> tuple[DieJudged, ...]:
    return known_faces(dice, [*_own(*(die.found for die in dice)), *stood], lambda thing: depth_px)


def test_a_die_that_nothing_holds_lies_flat_and_of_one_that_something_may_hold_nobody_is_sure() -> None:
    def sure_of(*dice: DieJudged, depth_px: float = 99.0) -> list[float]:
        return [die.sure for die in _known(*dice, depth_px=depth_px)]

    flat, slanted = (
        replace(a_die(100, 100, 2), level=0.99, sure=0.98),
        replace(a_die(200, 100, 6), level=0.92, sure=0.9),
    )
    beside = replace(a_die(128, 100, 3), level=0.99, sure=0.98)
    assert sure_of(flat, slanted) == pytest.approx([0.98 / 0.99, 0.9 / 0.92])
    assert sure_of(flat, replace(slanted, level=0.88, sure=0.88))[1] == 0.5, "whatever holds it"
    assert sure_of(flat, beside) == [0.5, 0.5]
    assert sure_of(flat, replace(a_die(104, 100, 3), real=0.02))[0] > 0.98, "no die is there"
    assert sure_of(flat, depth_px=5.0) == [0.5], "what stands beside the place may hold it"
    assert known_faces((flat,), (), lambda thing: 99.0) == (), "nothing has come there"


def test_of_what_may_be_held_people_are_asked_and_it_is_no_void_throw() -> None:
    """Flat dice had been called leaning, which is thrown again and cannot be tapped."""
    place = _place(GREY, None)
    alone = _decide(GREY, place, (), _known(a_die(100, 100, 2), depth_px=5.0), Needs(dice=1))
    assert (alone.plights, alone.certain, alone.dice[0].value, alone.dice[0].flat) == (("held",), False, 2, True)
    assert VOID.isdisjoint(alone.plights)
    apart = _decide(GREY, place, (), _known(a_die(100, 100, 2), a_die(130, 100, 5)), Needs(dice=2))
    assert apart.plights == ("held",)
    close = _decide(GREY, place, (), _known(a_die(100, 100, 2), a_die(122, 100, 5)), Needs(dice=2))
    assert close.plights == ("touching",), "they can be pulled apart"


def test_what_stood_there_when_the_place_was_empty_may_hold_a_die_by_its_edge() -> None:
    """The wall of a tray that was taken for the empty place: beside it a leaning die looks flat."""
    tray = np.asarray([(50, 50), (250, 50), (250, 200), (50, 200)], np.float64)
    wall = [Change(tray, False, False, 0.0, stood=True)]
    in_the_middle, beside = a_die(150, 120, 2), a_die(66, 120, 2)
    assert [die.held for die in _known(in_the_middle, beside, stood=wall)] == [False, True]
    assert known_faces((in_the_middle,), wall, lambda thing: 99.0) == (), "it is no die that has come"
    assert outlined([in_the_middle.found], wall) == []
    overlooked = _own(in_the_middle.found)
    assert len(outlined([], [*wall, *overlooked])) == 1, "beside so large an outline a bean is no crumb"
