"""A board without tags before a wide lens that is known: its cells are where they are, wherever it is pushed."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.corners import Quad
from calibration.layout import load
from calibration.pose import Lens, Prior
from tests.vision.scene import Scene, View, lit
from vision.follow import Follower
from vision.locate import Located, Locates
from vision.straightened import StraightFollower
from vision.tags import Grey

LAYOUT = load("patolli")
FIRST = View(focal_px=900.0, k1=-0.18)
PUSHED = View(focal_px=900.0, k1=-0.18, shift_mm=(-40.0, 25.0), turn_deg=5.0)
CELLS = np.array([(*cell.centre_mm, 0.0) for cell in LAYOUT.cells])


class Kept:
    """A lens that was calibrated before."""

    identity = "wide"

    def prior(self, size_px: tuple[int, int]) -> Prior:
        width, height = size_px
        return Prior(Lens(((width - 1) / 2, (height - 1) / 2), FIRST.focal_px, FIRST.k1), 0.01, 0.002)

    def learnt(self, size_px: tuple[int, int], known: Prior, residual_px: float, *, refuted: bool) -> None:
        raise AssertionError("corners that a person shows teach no lens")


def picture(view: View, seed: int = 0) -> Grey:
    return np.asarray(cv2.cvtColor(lit(Scene(LAYOUT, view).empty(), 0.9, seed), cv2.COLOR_BGR2GRAY), np.uint8)


def corners() -> Quad:
    field = np.array([(x, y, 0.0) for x, y in LAYOUT.field.corners_mm])
    one, two, three, four = ((float(x), float(y)) for x, y in FIRST.pixels(field, LAYOUT))
    return one, two, three, four


def off_px(follower: Locates, view: View, seed: int) -> NDArray[np.float64]:
    """How far each cell is off."""
    seen = follower.see(picture(view, seed))
    assert isinstance(seen, Located), seen
    return np.asarray(np.linalg.norm(seen.project(CELLS[:, :2]) - view.pixels(CELLS, LAYOUT), axis=1))


def test_cells_are_found_where_the_lens_bends_them() -> None:
    straight, bent = StraightFollower(LAYOUT, corners(), Kept()), Follower(LAYOUT, corners())
    told = [
        (float(off_px(follower, FIRST, 0).max()), float(off_px(follower, PUSHED, 1).max()))
        for follower in (straight, bent)
    ]
    assert [(first < 0.5, pushed < 1.0) for first, pushed in told] == [(True, True), (False, False)], told


def test_a_board_that_stays_has_one_place() -> None:
    """What depends on the place only is made once."""
    follower = StraightFollower(LAYOUT, corners(), Kept())
    places = [follower.see(picture(FIRST, seed)) for seed in range(3)]
    assert all(isinstance(place, Located) for place in places)
    assert len({id(place.projection) for place in places if isinstance(place, Located)}) == 1
    assert [place.residual_px < 0.3 for place in places if isinstance(place, Located)] == [True] * 3


@pytest.mark.parametrize("size", [(640, 360), (1920, 1080)])
def test_pictures_of_another_size_need_other_corners(size: tuple[int, int]) -> None:
    follower = StraightFollower(LAYOUT, corners(), Kept())
    follower.see(picture(FIRST))
    assert follower.see(np.asarray(cv2.resize(picture(FIRST), size), np.uint8)) == "no corners"
