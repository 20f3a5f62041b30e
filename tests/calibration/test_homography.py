"""Planes, lenses and poses: exact numbers in, the same numbers out."""

import numpy as np
import pytest

from calibration.homography import CalibrationError, fit_homography, inverse, project, rms, unsure_mm
from calibration.layout import load
from calibration.pose import Lens, measure_distortion, measure_focal, projection
from tests.vision.scene import View

BOARD = np.array([tag.corners_mm for tag in load("patolli").tags]).reshape(-1, 2)


def seen(view: View, height_mm: float = 0.0) -> np.ndarray:
    return view.pixels(np.column_stack([BOARD, np.full(len(BOARD), height_mm)]), load("patolli"))


def test_a_plane_is_found_again() -> None:
    truth = np.array([[1.8, 0.1, 120.0], [-0.05, 1.7, 60.0], [1e-4, -3e-4, 1.0]])
    assert fit_homography(project(truth, BOARD), BOARD) == pytest.approx(truth, abs=1e-9)


@pytest.mark.parametrize(
    ("points_px", "points_mm", "plight"),
    [
        pytest.param([(0, 0), (1, 0), (1, 1)], [(0, 0), (1, 0), (1, 1)], "4 pairs", id="three points"),
        pytest.param([(i, 2 * i) for i in range(6)], [(i, i) for i in range(6)], "one line", id="a line"),
    ],
)
def test_what_shows_no_plane_is_refused(points_px: object, points_mm: object, plight: str) -> None:
    with pytest.raises(CalibrationError, match=plight):
        fit_homography(np.array(points_px), np.array(points_mm))


@pytest.mark.parametrize("tags", [pytest.param(slice(None), id="all tags"), pytest.param(slice(5, 8), id="one side")])
def test_how_far_off_a_plane_may_be_is_known(tags: slice) -> None:
    """Against what comes out when the points are measured again and again."""
    truth = np.array([[1.8, 0.1, 120.0], [-0.05, 1.7, 60.0], [1e-4, -3e-4, 1.0]])
    points, corners = BOARD.reshape(-1, 4, 2)[tags].reshape(-1, 2), np.array([(0, 0), (574, 0), (574, 400), (0, 400)])
    exact, rng, off = project(truth, points), np.random.default_rng(0), []
    for _ in range(300):
        fitted = fit_homography(exact + rng.normal(0, 0.1, exact.shape), points)
        off.append(project(inverse(fitted), project(truth, corners)) - corners)
    worst = np.sqrt((np.array(off) ** 2).sum(axis=2).mean(axis=0)).max()
    assert unsure_mm(truth, points, 0.1, corners) == pytest.approx(worst, rel=0.12)


def test_a_bad_fit_is_refused() -> None:
    bent = BOARD * 2 + np.where(np.arange(len(BOARD)) % 2, 9, 0)[:, None]
    with pytest.raises(CalibrationError, match=r"only to .* mm"):
        fit_homography(bent, BOARD, limit_mm=2.0)


@pytest.mark.parametrize("k1", [-0.25, -0.1, 0.0, 0.1])
def test_a_lens_undoes_itself(k1: float) -> None:
    lens = Lens((639.5, 359.5), 1000.0, k1)
    corners = np.array([(0.0, 0.0), (1279, 0), (640, 360), (1279, 719), (300, 500)])
    assert lens.distort(lens.undistort(corners)) == pytest.approx(corners, abs=1e-6)


def test_lens_and_height_come_from_one_view_of_the_tags() -> None:
    view = View(k1=-0.08, tilt_deg=25)
    lens = Lens.usual(1280, 720)
    for _ in range(8):
        distortion = measure_distortion(seen(view), BOARD, lens)
        lens = Lens(lens.centre_px, lens.focal_px, distortion.value)
        lens = lens.focused(float(np.exp(measure_focal(lens.undistort(seen(view)), BOARD, lens).value)))
    assert lens.focal_px == pytest.approx(1000, abs=1)
    assert lens.k1 == pytest.approx(-0.08, abs=5e-4)
    solid = projection(fit_homography(lens.undistort(seen(view)), BOARD), lens)
    raised = lens.distort(project(solid, BOARD, height=12.0))
    assert rms(raised - seen(view, height_mm=12.0)) < 0.05


def test_a_board_seen_straight_on_says_nothing_of_the_focal_length() -> None:
    flat, leaning = (
        measure_focal(seen(View(tilt_deg=tilt)), BOARD, Lens((639.5, 359.5), 1000.0)).information for tilt in (0, 25)
    )
    assert flat < 0.05 * leaning
