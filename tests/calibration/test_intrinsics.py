"""The lens from views of the page, by points alone: which model, how exact, and what is refused."""

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration import charuco
from calibration.homography import CalibrationError
from calibration.intrinsics import View, calibrate
from tests.vision.lens_scene import BOARD_AT_MM, Eye, Pose, round_the_picture, where

WIDE = Eye()
PLAIN = Eye(focal_px=560.0, bend=(0.0, 0.0, 0.0, 0.0, 0.0))
FISH = Eye(focal_px=360.0, bend=(1.2, 0.05, 0.0, 0.0, 0.0, 1.5, 0.25, 0.0))
CORNERS = charuco.corners_mm()


def views(eye: Eye, poses: list[Pose], noise_px: float = 0.1) -> list[View]:
    chance, found = np.random.default_rng(1), []
    for pose in poses:
        seen = where(eye, pose, CORNERS + BOARD_AT_MM)
        inside = ((seen > 2) & (seen < np.array(eye.size) - 3)).all(axis=1)
        noisy = seen + chance.normal(0, noise_px, seen.shape)
        found.append(View(noisy[inside], CORNERS[inside]))
    return found


def rays(eye: Eye) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Pixels all over the picture and their true directions."""
    width, height = eye.size
    pixels = np.stack(np.meshgrid(np.linspace(0, width - 1, 7), np.linspace(0, height - 1, 5)), axis=-1).reshape(-1, 2)
    return pixels, eye.rays(pixels)[:, :2]


@pytest.mark.parametrize(
    ("eye", "model"),
    [
        pytest.param(PLAIN, "k1", id="a usual webcam"),
        pytest.param(WIDE, "k1, k2", id="wide"),
        pytest.param(Eye(centre_px=(331.0, 229.0)), "k1, k2 and the middle", id="off the middle"),
        pytest.param(FISH, "rational", id="very wide"),
    ],
)
def test_held_out_views_choose_the_model(eye: Eye, model: str) -> None:
    found = calibrate(views(eye, round_the_picture(eye)), eye.size)
    assert found.model == model
    assert found.views == 14
    assert found.lens.focal_px == pytest.approx(eye.focal_px, rel=0.01)
    assert found.residual_px == pytest.approx(0.1 * np.sqrt(2), abs=0.02)
    assert 0 < found.residual_mm < found.residual_px
    pixels, true = rays(eye)
    seen = (found.lens.undistort(pixels) - found.lens.centre_px) / found.lens.focal_px
    assert found.lens.distort(true * found.lens.focal_px + found.lens.centre_px) == pytest.approx(pixels, abs=1.0)
    assert seen == pytest.approx(true, abs=0.01)


def test_a_view_that_does_not_belong_is_left_out() -> None:
    taken = views(WIDE, round_the_picture(WIDE))
    bent = View(taken[4].seen_px + 3 * np.sin(taken[4].drawn_mm / 20), taken[4].drawn_mm)
    found = calibrate([*taken[:4], bent, *taken[5:]], WIDE.size)
    assert found.views == 13
    assert found.lens.focal_px == pytest.approx(400, rel=0.01)


@pytest.mark.parametrize(
    ("taken", "said"),
    [
        (views(WIDE, round_the_picture(WIDE))[:7], "7 views of the page are too few, 8 are needed; take more"),
        (views(WIDE, round_the_picture(WIDE), noise_px=2.5), "no lens fits these views: only to"),
        (views(PLAIN, [Pose(x, y, 500.0) for x in (-90, 0, 90) for y in (-60, 0, 60)], noise_px=0.3),
         "the focal length is known to"),
    ],
    ids=["too few", "too bad", "never tilted"],
)  # fmt: skip
def test_what_cannot_be_known_is_refused(taken: list[View], said: str) -> None:
    with pytest.raises(CalibrationError, match=said):
        calibrate(taken, WIDE.size)
