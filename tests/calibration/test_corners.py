"""Corners that a person has dragged: taken as they are, or refused with what to do."""

import math

import pytest

from calibration.corners import CornersFault, CornersRefused, Quad, checked, read_corners

SIZE = (1280, 720)
FIELD: Quad = ((300, 60), (900, 90), (960, 660), (240, 640))
ONE, TWO, THREE, FOUR = FIELD


@pytest.mark.parametrize("first", range(4))
def test_any_corner_may_come_first(first: int) -> None:
    turned = (*FIELD[first:], *FIELD[:first])
    assert checked(turned, SIZE) == turned


def test_the_very_edge_of_the_picture_is_inside() -> None:
    whole: Quad = ((-0.5, -0.5), (1279.5, -0.5), (1279.5, 719.5), (-0.5, 719.5))
    assert checked(whole, SIZE) == whole


REFUSED = [
    pytest.param((ONE, THREE, TWO, FOUR), "crossed", (2, 3), "swap corners 2 and 3", id="bow-tie, upright"),
    pytest.param((ONE, TWO, FOUR, THREE), "crossed", (3, 4), "swap corners 3 and 4", id="bow-tie, lying"),
    pytest.param((TWO, ONE, THREE, FOUR), "crossed", (1, 2), "swap corners 1 and 2", id="bow-tie by the first two"),
    pytest.param((ONE, FOUR, THREE, TWO), "mirrored", (2, 4), "against the clock", id="mirrored"),
    pytest.param((ONE, TWO, (560, 340), FOUR), "dented", (3,), "drag it outwards", id="a dent"),
    pytest.param((ONE, TWO, (600, 380), FOUR), "dented", (3,), "corner 3 makes a dent", id="three nearly on a line"),
    pytest.param((ONE, TWO, THREE, (300, 100)), "small", (4, 1), "100 pixels apart", id="two on one spot"),
    pytest.param((ONE, ONE, ONE, ONE), "small", (1, 2), "bring the camera closer", id="all on one spot"),
    pytest.param((ONE, (1300, 90), THREE, FOUR), "outside", (2,), "1280 x 720", id="right of the picture"),
    pytest.param((ONE, TWO, THREE, (240, -3)), "outside", (4,), "move the camera", id="above the picture"),
    pytest.param((ONE, TWO, (math.nan, 660), FOUR), "outside", (3,), "corner 3", id="no number"),
]


@pytest.mark.parametrize(("corners", "fault", "numbers", "words"), REFUSED)
def test_each_fault_has_its_sentence(corners: Quad, fault: CornersFault, numbers: tuple[int, ...], words: str) -> None:
    with pytest.raises(CornersRefused) as refused:
        checked(corners, SIZE)
    assert (refused.value.fault, refused.value.corners) == (fault, numbers)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_advice_helps() -> None:
    with pytest.raises(CornersRefused) as refused:
        checked((FOUR, TWO, ONE, THREE), SIZE)
    a, b = (number - 1 for number in refused.value.corners)
    swapped = [FOUR, TWO, ONE, THREE]
    swapped[a], swapped[b] = swapped[b], swapped[a]
    assert checked(swapped, SIZE) == tuple(swapped)


def test_corners_are_four_pairs_of_numbers() -> None:
    assert read_corners([[300, 60], [900.0, 90], [960, 660], [240, 640]]) == FIELD
    for wrong in (None, [], [[1, 2]] * 3, [[1, 2]] * 5, [[1, 2, 3]] * 4, [["1", 2]] * 4, [[True, 2]] * 4, "1234"):
        with pytest.raises(ValueError, match="write four corners in pixels"):
            read_corners(wrong)
