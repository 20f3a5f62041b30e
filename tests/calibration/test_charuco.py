"""The page for a lens is found as it is drawn, and never taken for a board."""

import cv2
import numpy as np
import pytest

from calibration import charuco
from calibration.homography import as_points
from calibration.raster import raster
from calibration.sheets import sheet
from vision.tags import detect

PAGE = raster(sheet("charuco"), 4.0)


def test_opencv_finds_every_corner_where_it_is_drawn() -> None:
    found, ids, _, _ = cv2.aruco.CharucoDetector(charuco.charuco()).detectBoard(PAGE)
    assert sorted(np.ravel(ids)) == list(range(charuco.CORNERS))
    on_board = (as_points(found) + 0.5) / 4 - (10.0, 8.0)
    assert on_board == pytest.approx(charuco.corners_mm()[np.ravel(ids)], abs=0.05)


def test_its_tags_are_on_no_board() -> None:
    assert detect(np.asarray(cv2.cvtColor(PAGE, cv2.COLOR_BGR2GRAY), np.uint8)) == []
    for name in ("patolli", "tags", "tray"):
        view = raster(sheet(name), 3.0)
        assert cv2.aruco.CharucoDetector(charuco.charuco()).detectBoard(view)[3] is None


def test_every_tag_is_drawn_as_it_is_known() -> None:
    _, _, tags, ids = cv2.aruco.CharucoDetector(charuco.charuco()).detectBoard(PAGE)
    seen = {int(k): as_points(tag) for k, tag in zip(np.ravel(ids), tags, strict=True)}
    assert sorted(seen) == list(range(24))
    for number, corners in seen.items():
        assert (corners + 0.5) / 4 - (10.0, 8.0) == pytest.approx(charuco.tag_corners_mm(number), abs=0.3)
