"""The top view of a rendered board is the print."""

import cv2
import numpy as np
import pytest

from calibration.layout import Rect, load
from calibration.pose import Lens
from calibration.sheets import top_view
from tests.vision.scene import Scene, View
from vision.locate import Located, Locator
from vision.rectify import Rectifier

LAYOUT = load("patolli")


def located(view: View) -> Located:
    """The board as it lies under that camera, to the last digit."""
    centre_px = ((view.size[0] - 1) / 2, (view.size[1] - 1) / 2)
    pinhole = np.array([[view.focal_px, 0, centre_px[0]], [0, view.focal_px, centre_px[1]], [0, 0, 1]])
    turn = view.rotation()
    shift = (0, 0, view.distance_mm) - turn @ (LAYOUT.size_mm[0] / 2, LAYOUT.size_mm[1] / 2, 0)
    projection = pinhole @ np.column_stack([turn @ np.diag([1, 1, -1]), shift])
    return Located(Lens(centre_px, view.focal_px, view.k1), projection, np.zeros((4, 2)), (), (), 0.0, 0.0, 0.0)


@pytest.mark.parametrize("px_per_mm", [0.5, 1.0, 2.0])
def test_the_top_view_is_the_print(px_per_mm: float) -> None:
    picture = Scene(LAYOUT, View(tilt_deg=25, k1=-0.1)).empty()
    found = Locator(LAYOUT).see(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    assert isinstance(found, Located)
    area = Rect(28.0, 18.0, 364.0, 364.0)
    seen = Rectifier(area, px_per_mm).top_view(picture, found)
    left, top, right, bottom = (round(v * px_per_mm) for v in (28, 18, 392, 382))
    print_ = top_view(LAYOUT, px_per_mm)[top:bottom, left:right]
    assert seen.shape == print_.shape
    soft = [cv2.GaussianBlur(image, (0, 0), 1.5 * px_per_mm).astype(np.float32) for image in (seen, print_)]
    assert float(np.abs(soft[0] - soft[1]).mean()) < 3


@pytest.mark.parametrize("tilt_deg", [0.0, 25.0, 40.0])
def test_next_to_nothing_is_lost_between_the_places_that_are_computed(tilt_deg: float) -> None:
    """The nearest camera, the strongest barrel and the coarsest view; the maps themselves count in 1/32 px."""
    view, px_per_mm = View(tilt_deg=tilt_deg, k1=-0.25, distance_mm=520.0), 0.5
    rectifier = Rectifier(Rect(0, 0, *LAYOUT.size_mm), px_per_mm)
    rectifier._make(located(view))
    assert rectifier._halvings == 2
    whole, fraction = rectifier._maps
    taken_px = whole + np.stack([fraction & 31, fraction >> 5], axis=-1) / 32
    x, y = np.meshgrid(np.arange(whole.shape[1]), np.arange(whole.shape[0]))
    middles_mm = (np.column_stack([x.ravel(), y.ravel()]) + 0.5) / px_per_mm
    exact_px = view.pixels(np.column_stack([middles_mm, np.zeros(x.size)]), LAYOUT)
    seen = np.all((exact_px >= 0) & (exact_px <= np.subtract(view.size, 1)), axis=1)
    off_px = taken_px.reshape(-1, 2) - ((exact_px + 0.5) / 4 - 0.5)
    assert seen.mean() > 0.9
    assert float(np.hypot(*off_px[seen].T).max()) < 0.05
