"""The judge of beans on beans drawn here, and the measures around it."""

import math

import cv2
import numpy as np
import pytest

from vision.beans import _long_axis_deg, has_spot
from vision.camera import Image
from vision.crops import cut_out
from vision.finder import Found
from vision.judge import CROP_PX, CROP_SIZES, KEPT, LOOK, VIEWS, _put_right, _turn, probabilities


def _bean(angle_deg: float) -> Image:
    picture = np.full((120, 160, 3), 200, np.uint8)
    cv2.ellipse(picture, (80, 60), (17, 10), angle_deg, 0, 360, (30, 30, 60), -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("angle_deg", [0.0, 30.0, 60.0, 89.0, 140.0])
def test_long_axis_follows_the_bean(angle_deg: float) -> None:
    seen = _long_axis_deg(_bean(angle_deg), Found((80, 60), 23.0, 0.9))
    assert abs((seen - angle_deg + 90) % 180 - 90) < 5


@pytest.mark.parametrize(
    ("bean_bgr", "spot_bgr", "spotted"),
    [
        pytest.param((40, 60, 150), (30, 30, 200), True, id="a red dot on a red-brown bean of the same brightness"),
        pytest.param((40, 60, 150), (120, 60, 30), True, id="a blue dot"),
        pytest.param((40, 60, 150), (150, 160, 190), False, id="a highlight"),
        pytest.param((30, 45, 110), (40, 60, 150), False, id="a lighter side"),
        pytest.param((40, 60, 150), (40, 60, 150), False, id="nothing"),
    ],
)
def test_a_spot_of_another_colour_is_seen_without_any_net(
    bean_bgr: tuple[int, int, int], spot_bgr: tuple[int, int, int], spotted: bool
) -> None:
    picture = np.full((120, 160, 3), (198, 210, 213), np.uint8)
    cv2.ellipse(picture, (80, 60), (17, 11), 30, 0, 360, bean_bgr, -1, cv2.LINE_AA)
    cv2.circle(picture, (81, 59), 4, spot_bgr, -1, cv2.LINE_AA)
    noise = np.random.default_rng(1).normal(0, 2, picture.shape)
    turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    disc = np.asarray(np.stack([80 + 9 * np.cos(turn), 60 + 9 * np.sin(turn)], axis=1), np.float32).reshape(-1, 1, 2)
    taken, dim = (np.asarray(np.clip(picture * gain + noise, 0, 255), np.uint8) for gain in (1.0, 0.3))
    assert has_spot(taken, disc) == spotted
    assert spotted or not has_spot(dim, disc), "noise in the dark is no spot"


def test_what_is_cut_out_repeats_the_edge_beyond_the_picture() -> None:
    picture = np.zeros((40, 40, 3), np.uint8)
    picture[:, :20] = (255, 0, 0)
    kept = cut_out(picture, (0.0, 20.0), 57.0, 70)
    assert kept.shape == (70, 70, 3)
    assert (kept[:, :55] == (255, 0, 0)).all()


@pytest.mark.parametrize("edge_px", [20.0, 70.0, 100.0, 180.0, 400.0])
def test_what_is_cut_out_has_the_object_in_its_middle(edge_px: float) -> None:
    picture = np.zeros((500, 700, 3), np.uint8)
    cv2.circle(picture, (301, 222), round(edge_px / 6), (255, 255, 255), -1, cv2.LINE_AA)
    assert _middle(cut_out(picture, (301.0, 222.0), edge_px, 70)) == pytest.approx((34.5, 34.5), abs=0.4)
    picture[:] = 0
    cv2.circle(picture, (4, 496), round(edge_px / 6), (255, 255, 255), -1, cv2.LINE_AA)
    across = cut_out(picture, (4.0, 496.0), edge_px, 70)
    assert (across[34:36, 34:36] == 255).all()


def _middle(picture: Image) -> tuple[float, float]:
    moments = cv2.moments(np.ascontiguousarray(picture[..., 0]))
    return moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]


def test_views_keep_the_middle_in_the_middle() -> None:
    kept = np.zeros((70, 70, 3), np.uint8)
    kept[30:40, 28:42] = 255
    for view in (LOOK, *VIEWS):
        seen = np.asarray(cv2.warpAffine(kept, _turn(*view, 70), (CROP_PX, CROP_PX)), np.uint8)
        assert _middle(seen) == pytest.approx(((CROP_PX - 1) / 2,) * 2, abs=0.3)


def test_an_object_that_lies_aside_is_put_right() -> None:
    kept = np.zeros((70, 70, 3), np.uint8)
    kept[36:40, 40:44] = 255  # right of and below the middle
    seen = np.asarray(cv2.warpAffine(kept, _turn(*LOOK, 70), (CROP_PX, CROP_PX)), np.uint8)
    right, down = (np.asarray(_middle(seen)) - (CROP_PX - 1) / 2) / CROP_PX * CROP_SIZES
    put = _put_right(Found((100.0, 60.0), 24.0, 0.9), np.asarray([right, down, np.log(1.25)], np.float32))
    sizes = KEPT * CROP_SIZES * 24 / 70
    assert put.centre_px == pytest.approx((100 + 7 * sizes, 60 + 3 * sizes), abs=0.5)
    assert put.size_px == pytest.approx(30.0)


def test_temperature_keeps_the_order_and_softens() -> None:
    logits = np.asarray([3.0, 1.0, 0.0], np.float32)
    sharp, soft = probabilities(logits, 1.0), probabilities(logits, 2.0)
    assert math.isclose(float(sharp.sum()), 1.0, abs_tol=1e-6)
    assert list(np.argsort(soft)) == list(np.argsort(sharp))
    assert soft[0] < sharp[0]
