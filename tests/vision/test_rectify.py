"""The top view of a rendered board is the print."""

import cv2
import numpy as np
import pytest

from calibration.layout import Rect, load
from calibration.sheets import top_view
from tests.vision.scene import Scene, View
from vision.locate import Located, Locator
from vision.rectify import Rectifier

LAYOUT = load("patolli")


@pytest.mark.parametrize("px_per_mm", [0.5, 1.0, 2.0])
def test_the_top_view_is_the_print(px_per_mm: float) -> None:
    picture = Scene(LAYOUT, View(tilt_deg=25, k1=-0.1)).empty()
    located = Locator(LAYOUT).see(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    assert isinstance(located, Located)
    area = Rect(28.0, 18.0, 364.0, 364.0)
    seen = Rectifier(area, px_per_mm).top_view(picture, located)
    left, top, right, bottom = (round(v * px_per_mm) for v in (28, 18, 392, 382))
    print_ = top_view(LAYOUT, px_per_mm)[top:bottom, left:right]
    assert seen.shape == print_.shape
    soft = [cv2.GaussianBlur(image, (0, 0), 1.5 * px_per_mm).astype(np.float32) for image in (seen, print_)]
    assert float(np.abs(soft[0] - soft[1]).mean()) < 3
