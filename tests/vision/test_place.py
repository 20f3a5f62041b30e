"""Empty or not, changed or not."""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.layout import Rect, load
from tests.vision.scene import Image, Scene, View, lit
from vision.locate import Located, Locator
from vision.place import Place, _is_disc

LAYOUT = load("patolli")


@cache
def bare() -> Image:
    return Scene(LAYOUT, View()).empty()


@cache
def located() -> Located:
    answer = Locator(LAYOUT).see(np.asarray(cv2.cvtColor(lit(bare(), 1.0), cv2.COLOR_BGR2GRAY), np.uint8))
    assert isinstance(answer, Located)
    return answer


def with_bean(rgb: tuple[int, int, int], at_mm: tuple[float, float] = (480.0, 200.0)) -> Image:
    picture = bare().copy()
    Scene(LAYOUT, View()).solid(picture, at_mm, rgb, 5, 5)
    return picture


def place() -> Place:
    made = Place.of(LAYOUT)
    assert made is not None
    return made


@pytest.mark.parametrize("gain", [0.5, 1.0, 1.5, (0.7, 0.9, 1.1)])
def test_an_empty_place_is_empty_in_any_light(gain: float | tuple[float, float, float]) -> None:
    assert place().see(lit(bare(), gain, noise=2), located())


@pytest.mark.parametrize("rgb", [(60, 30, 20), (150, 60, 40), (235, 230, 215), (20, 20, 22)])
@pytest.mark.parametrize("gain", [0.5, 1.2])
def test_one_bean_is_seen(rgb: tuple[int, int, int], gain: float) -> None:
    assert not place().see(lit(with_bean(rgb), gain, noise=2), located())


def test_a_new_shadow_is_forgiven_once_the_place_was_read_as_empty() -> None:
    x = np.arange(1280)[None, :, None]
    shaded, watched = lit(bare(), np.where(x < 900, 1.0, 0.4)), place()
    before = watched.see(shaded, located())
    watched.accept_empty()
    assert (before, watched.see(shaded, located())) == (False, True)


def test_what_has_been_read_is_not_read_again_until_it_changes() -> None:
    watched = place()
    changes: list[bool] = []
    for picture in (with_bean((60, 30, 20)), with_bean((60, 30, 20)), with_bean((60, 30, 20), (484.0, 203.0)), bare()):
        watched.see(lit(picture, 1.0, seed=len(changes)), located())
        changes.append(watched.changed())
        watched.mark_read()
    assert changes == [True, False, True, True]


@pytest.mark.parametrize(
    ("outline", "disc"),
    [
        pytest.param(cv2.ellipse2Poly((40, 40), (9, 9), 0, 0, 360, 20), True, id="a draught"),
        pytest.param(cv2.ellipse2Poly((40, 40), (10, 9), 30, 0, 360, 20), True, id="a draught seen at a slant"),
        pytest.param(cv2.ellipse2Poly((40, 40), (6, 6), 0, 0, 360, 20), False, id="a chick pea"),
        pytest.param(cv2.ellipse2Poly((40, 40), (10, 7), 0, 0, 360, 20), False, id="a bean"),
        pytest.param([(33, 32), (41, 32), (48, 40), (48, 48), (41, 48), (33, 41)], False, id="a bean of a few pixels"),
    ],
)
def test_what_is_as_round_and_large_as_a_piece(outline: Sequence[tuple[int, int]], disc: bool) -> None:
    assert _is_disc(np.asarray(outline, np.int32).reshape(-1, 1, 2)) is disc


def test_light_that_comes_in_over_a_corner_is_no_bean_but_a_bean_in_it_is() -> None:
    """It had kept the place from ever being empty, so that no throw was read all evening."""
    place_mm = LAYOUT.place
    assert place_mm is not None
    x, y = place_mm.x_mm, place_mm.y_mm
    corner = located().project([(x - 30, y - 30), (x + 50, y - 30), (x - 30, y + 90)])
    light = np.zeros((720, 1280), np.uint8)
    cv2.fillConvexPoly(light, np.rint(corner).astype(np.int32), (1,))
    watched = place()
    assert not watched.see(lit(bare(), 0.5 + 0.5 * light[..., None], noise=1), located())
    patches = watched.changes(located())
    assert patches
    assert not any(patch.like_bean for patch in patches)
    with_a_bean = with_bean((235, 230, 215), (x + 40.0, y + 60.0))
    watched.see(lit(with_a_bean, 0.5 + 0.5 * light[..., None], noise=1), located())
    assert [change.like_bean for change in watched.changes(located())].count(True) == 1


@pytest.mark.parametrize(
    ("walls", "floor"),
    [
        pytest.param((120, 80, 40), None, id="wood"),
        pytest.param((120, 80, 40), (30, 90, 50), id="wood and felt"),
        pytest.param((235, 230, 220), None, id="white"),
        pytest.param((150, 150, 145), None, id="grey"),
    ],
)
def test_the_walls_of_a_tray_that_was_taken_for_the_empty_place_are_known(
    walls: tuple[int, int, int], floor: tuple[int, int, int] | None
) -> None:
    place_mm, scene, picture = LAYOUT.place, Scene(LAYOUT, View()), bare().copy()
    assert place_mm is not None
    (x0, y0), _, (x1, y1), _ = Rect(
        place_mm.x_mm + 15, place_mm.y_mm + 15, place_mm.width_mm - 30, place_mm.height_mm - 30
    ).corners_mm
    boxes = [(x0, y0, x1, y0 + 4), (x0, y1 - 4, x1, y1), (x0, y0, x0 + 4, y1), (x1 - 4, y0, x1, y1)]
    if floor:
        scene.patch(picture, Rect(x0, y0, x1 - x0, y1 - y0).corners_mm, floor[::-1], 0)
    for left, top, right, bottom in boxes:
        scene.patch(picture, Rect(left, top, right - left, bottom - top).corners_mm, walls[::-1], 2)
    watched = place()
    assert not watched.see(lit(picture, 1.0, noise=2), located())
    watched.accept_empty()
    assert watched.see(lit(picture, 1.0, noise=2, seed=1), located())
    stood = [change.outline_px.astype(np.float32) for change in watched.changes(located()) if change.stood]

    def off_mm(x: float, y: float) -> float:
        [(right, down)] = located().project([(x, y)])
        scale = watched.px_per_mm(located())
        return min(abs(cv2.pointPolygonTest(edge, (right, down), True)) for edge in stood) / scale

    middle_y = (y0 + y1) / 2
    assert max(off_mm(x0 + 4 + 7, middle_y), off_mm(x1 - 4 - 7, middle_y), off_mm((x0 + x1) / 2, y0 + 4 + 7)) < 9
    assert off_mm((x0 + x1) / 2, middle_y) > 25


def test_nothing_stands_in_a_place_that_looks_as_it_is_printed() -> None:
    watched = place()
    watched.see(lit(bare(), 1.0, noise=3), located())
    watched.accept_empty()
    assert watched.changes(located()) == ()
