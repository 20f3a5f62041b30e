"""Where the board is, from four corners of its field that a person has shown in one picture."""

import math
from dataclasses import replace

import cv2
import numpy as np

from calibration.corners import Quad, checked
from calibration.homography import fit_homography, project
from calibration.layout import Layout
from calibration.pose import Estimate, Lens, measure_focal, projection
from vision.locate import Located

HAND_PX = 2.0
"""How well a person puts a corner, standard deviation."""


def by_corners(layout: Layout, corners_px: Quad, size_px: tuple[int, int], known: Lens | None = None) -> Located:
    """Locate the board by the corners of its playing field; nothing is measured, so residuals and blur are nan.

    Args:
        layout: what the corners belong to.
        corners_px: in the picture as taken, clockwise from the field's top left as the layout draws it.
        size_px: width and height of the picture.
        known: its lens, where that was calibrated.

    Raises:
        CornersRefused: they cannot be a field.
    """
    seen, drawn = np.array(checked(corners_px, size_px)), np.array(layout.field.corners_mm)
    if known is not None:
        return located(layout, fit_homography(known.undistort(seen), drawn), known)
    homography = fit_homography(seen, drawn)  # four corners say nothing of how the lens bends
    lens = Lens.usual(*size_px)
    usual = math.log(lens.focal_px)
    focal = Estimate(usual, 1 / 0.25**2).joined(measure_focal(seen, drawn, lens, noise_px=HAND_PX))
    lens = replace(lens, focal_px=math.exp(float(np.clip(focal.value, usual - 0.8, usual + 0.8))))
    return located(layout, homography, lens)


def located(layout: Layout, homography: np.typing.NDArray[np.float64], lens: Lens) -> Located:
    """The board's place by a homography (mm to undistorted pixels), with no tag measured."""
    w, h = layout.size_mm
    return Located(
        lens=lens,
        projection=projection(homography, lens),
        corners_px=lens.distort(project(homography, [(0, 0), (w, 0), (w, h), (0, h)])),
        tags=(),
        hidden=(),
        residual_px=math.nan,
        residual_mm=math.nan,
        blur_px=math.nan,
    )


def cell_mm(layout: Layout) -> float:
    """Edge of a square as large as the usual cell, or as the field of a board without cells."""
    outlines = [cell.outline_mm for cell in layout.cells] or [layout.field.corners_mm]
    return float(np.sqrt(np.median([cv2.contourArea(np.asarray(outline, np.float32)) for outline in outlines])))
