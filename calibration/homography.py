"""Fit the board plane to points and map points through it."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]
"""Shape (n, 2), x and y."""
Matrix = NDArray[np.float64]
"""Shape (3, 3) or (3, 4)."""


class CalibrationError(Exception):
    """The points do not show what was to be calibrated; one line that says why."""


def as_points(points: ArrayLike) -> Points:
    """Any array of points, OpenCV's shapes included, as (n, 2)."""
    return np.asarray(points, np.float64).reshape(-1, 2)


def project(matrix: Matrix, points: ArrayLike, height: float = 0.0) -> Points:
    """Map points of the board plane through a homography, or through a (3, 4) projection at a height above it.

    Args:
        matrix: (3, 3), or (3, 4) with the third column for the height.
        points: shape (n, 2).
        height: in the unit of the points; only a (3, 4) matrix knows it.
    """
    flat = as_points(points)
    plane, shift = (matrix, matrix[:, 2]) if matrix.shape == (3, 3) else (matrix[:, :2], matrix[:, 2] * height)
    mapped = flat @ plane[:, :2].T + (shift if matrix.shape == (3, 3) else shift + matrix[:, 3])
    return np.asarray(mapped[:, :2] / mapped[:, 2:])


def inverse(homography: Matrix) -> Matrix:
    """The way back, (3, 3)."""
    return np.asarray(np.linalg.inv(homography), np.float64)


def fit_homography(points_px: ArrayLike, points_mm: ArrayLike, *, limit_mm: float | None = None) -> Matrix:
    """Fit the board plane to marker corners; the result maps millimetres to pixels.

    Args:
        points_px: where the corners are in the undistorted image, pixels, shape (n, 2), n >= 4.
        points_mm: where the same corners are on the board, millimetres, shape (n, 2).
        limit_mm: largest root mean square reprojection error to accept, millimetres; None accepts any.

    Raises:
        CalibrationError: fewer than 4 points, no plane fits them, or the fit is worse than limit_mm.

    Source: Hartley and Zisserman, Multiple View Geometry, 2nd ed., algorithm 4.2 (normalized DLT).
    """
    seen, drawn = as_points(points_px), as_points(points_mm)
    if len(seen) < 4 or len(seen) != len(drawn):
        raise CalibrationError(f"a plane needs 4 pairs of points, got {len(seen)} and {len(drawn)}")
    to_seen, to_drawn = _normalisation(seen), _normalisation(drawn)
    u, x = project(to_seen, seen), project(to_drawn, drawn)
    ones, zeros = np.ones(len(x)), np.zeros((len(x), 3))
    row = np.column_stack([x, ones])
    design = np.vstack(
        [np.hstack([row, zeros, -u[:, :1] * row]), np.hstack([zeros, row, -u[:, 1:] * row])],
    )
    _, spread, basis = np.linalg.svd(design.T @ design)
    if spread[7] < 1e-12 * spread[0]:
        raise CalibrationError("the points lie on one line, no plane fits them")
    homography = np.linalg.inv(to_seen) @ basis[8].reshape(3, 3) @ to_drawn
    if abs(homography[2, 2]) < 1e-12:
        raise CalibrationError("the board is seen edge on")
    homography = homography / homography[2, 2]
    if limit_mm is not None and (error := rms(project(inverse(homography), seen) - drawn)) > limit_mm:
        raise CalibrationError(f"the tags fit the drawing only to {error:.1f} mm (at most {limit_mm:.1f} mm)")
    return np.asarray(homography)


def unsure_mm(homography: Matrix, points_mm: ArrayLike, noise_px: float, wanted_mm: ArrayLike) -> float:
    """How far off a fitted plane is expected to be where it is off most: one standard deviation, millimetres.

    Args:
        homography: millimetres to pixels.
        points_mm: to which it was fitted, shape (n, 2).
        noise_px: standard deviation of a coordinate of theirs in the picture.
        wanted_mm: where to ask, shape (m, 2).

    Source: Hartley and Zisserman, Multiple View Geometry, 2nd ed., section 5.2 (covariance of the transformation).
    """
    scale = np.diag([1 / float(np.abs(as_points(wanted_mm)).max())] * 2 + [1.0])
    small = np.diag([1e-3, 1e-3, 1.0]) @ homography @ inverse(scale)
    fitted, _ = _slopes(small, project(scale, points_mm))
    by_number, by_place = _slopes(small, project(scale, wanted_mm))
    number = np.linalg.pinv(np.einsum("nij,nik->jk", fitted, fitted), rcond=1e-12, hermitian=True)
    back = np.linalg.inv(by_place) @ by_number
    return float(np.sqrt(np.einsum("nij,jk,nik->n", back, number, back).max()) * noise_px * 1e-3 / scale[0, 0])


def rms(differences: Points) -> float:
    """Root mean square length of differences of shape (n, 2)."""
    return float(np.sqrt((differences**2).sum(axis=1).mean()))


def _slopes(matrix: Matrix, points: Points) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of mapped points by the nine numbers of the matrix, (n, 2, 9), and by the points themselves, (n, 2, 2)."""
    flat = np.column_stack([points, np.ones(len(points))])
    mapped = flat @ matrix.T
    seen, depth = mapped[:, :2] / mapped[:, 2:], mapped[:, 2, None, None]
    by_number = np.zeros((len(points), 2, 9))
    by_number[:, 0, :3] = by_number[:, 1, 3:6] = flat
    by_number[:, :, 6:] = -seen[:, :, None] * flat[:, None, :]
    return by_number / depth, (matrix[:2, :2] - seen[:, :, None] * matrix[2, :2]) / depth


def _normalisation(points: Points) -> Matrix:
    """Similarity that brings points to the origin with mean distance sqrt(2); Hartley and Zisserman 4.4.4."""
    centre = points.mean(axis=0)
    scale = np.sqrt(2) / max(float(np.hypot(*(points - centre).T).mean()), 1e-12)
    return np.array([[scale, 0, -scale * centre[0]], [0, scale, -scale * centre[1]], [0, 0, 1.0]])
