"""The page by which a lens is calibrated: a chessboard with tags in its white squares (ChArUco)."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawing import Drawing, Ring, filled, moved
from calibration.homography import Points, as_points
from calibration.inks import BLACK, INK, WHITE
from calibration.layout import TAG_IDS
from calibration.lettering import lettering
from calibration.ornament import ruler
from calibration.outlines import square
from calibration.tags import MODULES, white_rings

ACROSS, DOWN = 6, 8
SQUARE_MM, TAG_MM = 30.0, 22.0
CORNERS = (ACROSS - 1) * (DOWN - 1)
"""Where black squares meet; these are measured."""
OUTLINE_MM = ((0.0, 0.0), (ACROSS * SQUARE_MM, 0.0), (ACROSS * SQUARE_MM, DOWN * SQUARE_MM), (0.0, DOWN * SQUARE_MM))


@cache
def dictionary() -> cv2.aruco.Dictionary:
    """The markers of DICT_4X4_50 behind those of the boards: no board is ever seen in this page."""
    everything = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    own = everything.bytesList[TAG_IDS : TAG_IDS + ACROSS * DOWN // 2]
    return cv2.aruco.Dictionary(own, everything.markerSize, everything.maxCorrectionBits)


@cache
def charuco() -> cv2.aruco.CharucoBoard:
    """The board as OpenCV detects it."""
    return cv2.aruco.CharucoBoard((ACROSS, DOWN), SQUARE_MM, TAG_MM, dictionary())


@cache
def corners_mm() -> Points:
    """The corners in the order of their ids, from the board's top left corner, shape (CORNERS, 2)."""
    return as_points(np.asarray(charuco().getChessboardCorners())[:, :2])


def tag_corners_mm(tag_id: int) -> Points:
    """Corners of a tag, clockwise from its top left, shape (4, 2)."""
    return as_points(np.asarray(charuco().getObjPoints()[tag_id])[:, :2])


def modules(tag_id: int) -> NDArray[np.bool_]:
    """A tag, True where it is white; shape (6, 6)."""
    return np.asarray(cv2.aruco.generateImageMarker(dictionary(), tag_id, MODULES), np.uint8) > 127


def page() -> Drawing:
    """The board on one sheet of A4 or letter paper, with its measures."""
    (left, top), (width, height), module = (10.0, 8.0), (200.0, 268.0), TAG_MM / MODULES
    black: list[Ring] = [
        square((left + (column + 0.5) * SQUARE_MM, top + (row + 0.5) * SQUARE_MM), SQUARE_MM)
        for row in range(DOWN)
        for column in range(row % 2, ACROSS, 2)
    ]
    white: list[Ring] = []
    for number in range(ACROSS * DOWN // 2):
        x, y = tag_corners_mm(number)[0] + (left, top)
        black.append(square((x + TAG_MM / 2, y + TAG_MM / 2), TAG_MM))
        white += [tuple((x + i * module, y + j * module) for i, j in ring) for ring in white_rings(modules(number))]
    words = f"Macuil camera · squares of {SQUARE_MM:g} mm · glue it on something flat"
    shapes = (
        filled(*black, fill=BLACK),
        filled(*white, fill=WHITE),
        lettering(words, (width / 2, top + DOWN * SQUARE_MM + 5), 2.6, INK),
        *moved(ruler(100), (width / 2, top + DOWN * SQUARE_MM + 13)),
    )
    return Drawing("Macuil charuco", (width, height), WHITE, shapes)
