"""The board is found, followed and refused, on rendered pictures."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.layout import Layout, load
from tests.vision.scene import Image, Scene, View, lit
from vision.locate import Located, Locator
from vision.tags import detect

LAYOUT = load("patolli")
TAGS = np.array([corner for tag in LAYOUT.tags for corner in tag.corners_mm])


@cache
def bare(view: View) -> Image:
    return Scene(LAYOUT, view).empty()


def grey(picture: Image, noise: float = 1.0, gain: float = 1.0) -> Image:
    return np.asarray(cv2.cvtColor(lit(picture, gain, noise=noise), cv2.COLOR_BGR2GRAY), np.uint8)


def found(answer: object) -> Located:
    assert isinstance(answer, Located), answer
    return answer


def off_px(located: Located, view: View, height_mm: float = 0.0, layout: Layout = LAYOUT) -> float:
    true = view.pixels(np.column_stack([TAGS, np.full(len(TAGS), height_mm)]), layout)
    return float(np.linalg.norm(located.project(TAGS, height_mm) - true, axis=1).max())


VIEWS = [
    pytest.param(View(tilt_deg=0), id="straight on"),
    pytest.param(View(tilt_deg=25, turn_deg=170), id="turned round"),
    pytest.param(View(tilt_deg=15, focal_px=850, distance_mm=560, k1=-0.3), id="wide angle"),
    pytest.param(View(size=(640, 480), focal_px=560), id="small picture"),
]


@pytest.mark.parametrize("view", VIEWS)
def test_corners_are_found_to_a_seventh_of_a_pixel(view: View) -> None:
    located = found(Locator(LAYOUT).see(grey(bare(view))))
    assert off_px(located, view) < 0.15
    assert off_px(located, view, height_mm=10) < 0.6
    assert located.residual_mm < 0.2


def test_small_tags_are_found_in_noise() -> None:
    """Of a module of four pixels a few may be read wrong, not the tag."""
    view = View(distance_mm=1150)
    soft = np.asarray(cv2.GaussianBlur(bare(view), (0, 0), 1.0), np.uint8)
    for seed in range(4):
        noisy = lit(soft, 0.45, seed=seed, noise=11)
        seen = detect(np.asarray(cv2.cvtColor(noisy, cv2.COLOR_BGR2GRAY), np.uint8))
        assert sorted(number for number, _ in seen) == list(range(8))


def test_tags_that_all_lie_on_one_side_do_not_tell_where_the_other_is() -> None:
    picture, scene = bare(View()).copy(), Scene(LAYOUT, View())
    for tag in LAYOUT.tags:
        x, y = tag.centre_mm
        if tag.id < 5:
            scene.patch(
                picture, [(x - 22, y - 20), (x + 22, y - 20), (x + 22, y + 5), (x - 22, y + 5)], (90, 90, 90), 0
            )
    assert Locator(LAYOUT).see(grey(picture, noise=3)) == "few tags"


def test_a_mirrored_picture_is_refused_as_such() -> None:
    assert Locator(LAYOUT).see(np.ascontiguousarray(grey(bare(View()))[:, ::-1])) == "mirrored"


def test_another_board_is_refused_as_such() -> None:
    other = replace(LAYOUT, tags=tuple(replace(tag, id=tag.id + 8) for tag in LAYOUT.tags))
    assert Locator(other).see(grey(bare(View()))) == "other board"


def test_two_boards_of_the_kind_are_refused_until_one_is_gone() -> None:
    one = grey(bare(View()))
    half = cv2.resize(one, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    both = np.hstack([np.vstack([half, half * 0 + 90]), cv2.rotate(np.vstack([half, half * 0 + 90]), cv2.ROTATE_180)])
    locator = Locator(LAYOUT)
    assert locator.see(both) == "two boards"
    both[:, both.shape[1] // 2 :] = 90
    assert isinstance(locator.see(both), Located)


def test_tags_elsewhere_than_on_this_board_are_refused() -> None:
    ids = [tag.id for tag in LAYOUT.tags]
    shuffled = replace(LAYOUT, tags=tuple(replace(t, id=ids[(3 * i + 1) % 8]) for i, t in enumerate(LAYOUT.tags)))
    assert not isinstance(Locator(shuffled).see(grey(bare(View()))), Located)


def test_a_board_cut_off_is_refused() -> None:
    assert Locator(LAYOUT).see(grey(bare(View()))[:, 300:].copy()) == "cut off"


def test_an_empty_table_shows_no_tags() -> None:
    assert Locator(LAYOUT).see(np.full((720, 1280), 90, np.uint8)) == "no tags"


@pytest.mark.parametrize("hidden", [(0, 1, 2, 3, 4), (0, 2, 3, 5, 7), (1, 4, 5, 6, 7)])
def test_three_tags_of_eight_are_enough_to_follow(hidden: tuple[int, ...]) -> None:
    view, picture = View(), bare(View()).copy()
    locator = Locator(LAYOUT)
    found(locator.see(grey(picture)))
    scene = Scene(LAYOUT, view)
    for k in hidden:
        x, y = next(tag.centre_mm for tag in LAYOUT.tags if tag.id == k)
        scene.patch(picture, [(x - 22, y - 20), (x + 22, y - 20), (x + 22, y + 5), (x - 22, y + 5)], (110, 140, 190), 0)
    located = found(locator.see(grey(picture), search=False))
    assert (located.tags, located.hidden) == (tuple(k for k in range(8) if k not in hidden), hidden)
    assert off_px(located, view) < 0.5


def test_false_tags_are_taken_out() -> None:
    picture = bare(View()).copy()
    moved = cv2.resize(picture[70:130, 205:275], (90, 78))  # tag 0 once more, where it does not belong
    picture[620:698, 1100:1190] = moved
    located = found(Locator(LAYOUT).see(grey(picture)))
    assert located.tags == tuple(range(8))
    assert off_px(located, View()) < 0.15


def test_a_small_bump_is_followed_without_a_search() -> None:
    before, after = View(), View(shift_mm=(2.0, -1.5))
    locator = Locator(LAYOUT)
    first = found(locator.see(grey(bare(before))))
    located = found(locator.see(grey(bare(after)), search=False))
    assert off_px(located, after) < 0.15
    assert [first.moved_mm(first), located.moved_mm(first)] == pytest.approx([0, 2.5], abs=0.1)


def test_a_big_bump_is_found_again_by_searching() -> None:
    before, after = View(), View(shift_mm=(30.0, -12.0), turn_deg=3)
    locator = Locator(LAYOUT)
    found(locator.see(grey(bare(before))))
    assert not isinstance(locator.see(grey(bare(after)), search=False), Located)
    assert off_px(found(locator.see(grey(bare(after)))), after) < 0.15


def test_a_board_at_rest_keeps_its_place_through_noise() -> None:
    locator = Locator(LAYOUT)
    for seed in range(12):  # the lens is learnt meanwhile
        noisy = lit(bare(View()), 1.0, seed=seed, noise=3)
        found(locator.see(np.asarray(cv2.cvtColor(noisy, cv2.COLOR_BGR2GRAY), np.uint8)))
    last = [found(locator.see(grey(bare(View()), noise=2, gain=g))).projection for g in (0.5, 1.0, 1.4)]
    assert last[0] is last[1] is last[2]
