"""Things of one throw resemble each other."""

import cv2
import numpy as np
import pytest

from vision.camera import Image
from vision.finder import Found
from vision.handful import MOST, ONE_SORT, look, resemblance

BROWN, GREY, WHITE = (40, 60, 110), (120, 120, 115), (230, 235, 235)
THINGS = [(60, 60), (130, 70), (90, 140), (180, 150), (220, 60), (260, 160)]


def table(colours: list[tuple[int, int, int]], halves: list[float], light: float = 1.0) -> tuple[Image, list[Found]]:
    """Ellipses on wood; the second bears a white spot."""
    image = np.full((220, 320, 3), (90, 130, 170), np.uint8)
    found = []
    for k, ((x, y), colour, half) in enumerate(zip(THINGS, colours, halves, strict=True)):
        cv2.ellipse(image, (x, y), (round(half), round(0.65 * half)), 37.0 * k, 0, 360, colour, -1, cv2.LINE_AA)
        if k == 1:
            cv2.circle(image, (x, y), round(0.25 * half), WHITE, -1, cv2.LINE_AA)
        found.append(Found((float(x), float(y)), float(np.sqrt(np.pi * 0.65) * half), 1.0))
    return np.clip(image * light, 0, 255).astype(np.uint8), found


@pytest.mark.parametrize("light", [1.0, 0.4])
def test_the_pebble_among_five_beans_stands_out(light: float) -> None:
    image, found = table([BROWN] * 5 + [GREY], [14, 15, 13, 14, 14, 17], light)
    factors = resemblance([look(image, thing) for thing in found], [0.95] * 6, features=4)
    assert (factors[:5] > 3).all()
    assert factors[5] == pytest.approx(1 - ONE_SORT, abs=0.05)


def test_what_spans_two_beans_stands_out() -> None:
    image, found = table([BROWN] * 6, [14, 15, 13, 14, 14, 31])
    factors = resemblance([look(image, thing) for thing in found], [0.95] * 6, features=4)
    assert (factors[:5] > 3).all()
    assert factors[5] < 0.5


def test_nothing_speaks_for_or_against_a_thing_without_bound() -> None:
    image, found = table([BROWN] * 5 + [WHITE], [14.0] * 6)
    factors = resemblance([look(image, thing) for thing in found], [0.99] * 6, features=4)
    assert factors.max() <= MOST
    assert factors.min() >= 1 - ONE_SORT


def test_dice_of_one_size_may_have_any_colour() -> None:
    image, found = table([BROWN, GREY, WHITE, BROWN, GREY, WHITE], [14, 14, 14, 14, 14, 29])
    factors = resemblance([look(image, thing) for thing in found], [0.9] * 6, features=1)
    assert (factors[:5] > 1.5).all()
    assert factors[5] < 0.5


def test_two_alone_say_nothing_of_each_other() -> None:
    image, found = table([BROWN] * 6, [14.0] * 6)
    looks = [look(image, thing) for thing in found]
    assert resemblance(looks[:2], [0.9, 0.9], features=4).tolist() == [1, 1]
    assert resemblance(looks[:1], [0.9], features=4).tolist() == [1]
    assert resemblance([], [], features=4).size == 0
