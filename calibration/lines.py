"""How clearly a line runs through each place of a picture, upright or level, whatever is drawn with what on what."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.homography import Matrix, as_points

SIDE_PX = 1000
"""Edge of the square that every board is rectified to."""
EDGE_PX = 1.5
"""Standard deviation of the derivative: sharper changes are grain."""
NOISE_TIMES = 4.0
"""A change so many times the usual one is a line for certain."""

Evidence = NDArray[np.float32]
"""From 0, no line, to 1, surely one; shape (SIDE_PX, SIDE_PX)."""


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The evidence of a rectified board."""

    upright: Evidence
    level: Evidence
    any: Evidence
    """Whichever way the line runs."""


def rectified(image: NDArray[np.uint8], corners_px: ArrayLike) -> NDArray[np.uint8]:
    """The board as a square seen from above.

    Args:
        image: the picture, blue, green, red.
        corners_px: of the board, clockwise from its top left, shape (4, 2).

    Returns:
        Shape (SIDE_PX, SIDE_PX, 3).
    """
    corners = as_points(corners_px)
    longest = max(np.hypot(*(corners - np.roll(corners, 1, axis=0)).T))
    shrink = min(1.0, 1.5 * SIDE_PX / longest)
    if shrink < 1:
        # What is thrown away between the pixels would come back as false lines.
        image = np.asarray(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    square = cv2.warpPerspective(image, to_square(corners, shrink), (SIDE_PX, SIDE_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(square, np.uint8)


def to_square(corners_px: ArrayLike, shrink: float = 1.0) -> Matrix:
    """From the pixels of a picture that was shrunk so much to those of the rectified one, (3, 3)."""
    seen = ((as_points(corners_px) + 0.5) * shrink - 0.5).astype(np.float32)
    end = SIDE_PX - 0.5
    wanted = np.asarray([(-0.5, -0.5), (end, -0.5), (end, end), (-0.5, end)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(seen, wanted), np.float64)


def find_lines(square: NDArray[np.uint8]) -> Lines:
    """Evidence of lines in a rectified board.

    A change of brightness or of colour counts the more, the more it stands out from the usual grain; both edges of a
    stroke and the border between two paints are lines.
    """
    lab = cv2.cvtColor(square, cv2.COLOR_BGR2LAB).astype(np.float32)
    smooth = cv2.GaussianBlur(lab, (0, 0), EDGE_PX)
    across = np.abs(cv2.Scharr(smooth, cv2.CV_32F, 1, 0)).max(axis=2)
    down = np.abs(cv2.Scharr(smooth, cv2.CV_32F, 0, 1)).max(axis=2)
    strength = np.hypot(across, down)
    level = max(NOISE_TIMES * float(np.median(strength)), 0.1 * float(np.percentile(strength, 99.5)), 1e-6)
    sure = np.minimum(strength / level, 1.0)
    return Lines(
        upright=np.asarray(np.where(across > down, sure, 0.0), np.float32),
        level=np.asarray(np.where(down > across, sure, 0.0), np.float32),
        any=np.asarray(sure, np.float32),
    )
