"""One radial lens, the focal length and the board's pose, all from tags seen on one flat board."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike

from calibration.homography import Matrix, Points, as_points, fit_homography, project

USUAL_FOCAL = 0.8
"""Focal length of a usual webcam in widths of its picture: a horizontal view of 64 degrees."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole with one radial coefficient; pixels as in OpenCV, the centre of the first one is (0, 0)."""

    centre_px: tuple[float, float]
    focal_px: float
    k1: float = 0.0
    """Brown's first radial coefficient, in units of the focal length; negative is a barrel."""

    @classmethod
    def usual(cls, width_px: int, height_px: int) -> "Lens":
        """What to assume of a camera nobody has looked through yet."""
        return cls(((width_px - 1) / 2, (height_px - 1) / 2), USUAL_FOCAL * width_px)

    def distort(self, points_px: ArrayLike) -> Points:
        """From the undistorted image to the picture as taken, shape (n, 2)."""
        ray = (as_points(points_px) - self.centre_px) / self.focal_px
        square = np.minimum((ray**2).sum(axis=1, keepdims=True), self._edge() ** 2)
        return np.asarray(ray * (1 + self.k1 * square) * self.focal_px + self.centre_px)

    def undistort(self, points_px: ArrayLike) -> Points:
        """From the picture as taken to the undistorted image, shape (n, 2)."""
        ray = (as_points(points_px) - self.centre_px) / self.focal_px
        seen = np.maximum(np.hypot(*ray.T)[:, None], 1e-12)
        radius = np.minimum(seen, self._edge())
        for _ in range(6):  # Newton; the polynomial is monotone up to the edge
            step = radius * (1 + self.k1 * radius**2) - seen
            radius = np.clip(radius - step / (1 + 3 * self.k1 * radius**2), 0, self._edge())
        return np.asarray(ray * (radius / seen) * self.focal_px + self.centre_px)

    def focused(self, focal_px: float) -> "Lens":
        """The same distortion in pixels, expressed with another focal length."""
        return replace(self, focal_px=focal_px, k1=self.k1 * (focal_px / self.focal_px) ** 2)

    @property
    def matrix(self) -> Matrix:
        """Camera matrix, (3, 3)."""
        x, y = self.centre_px
        return np.array([[self.focal_px, 0, x], [0, self.focal_px, y], [0, 0, 1.0]])

    def _edge(self) -> float:
        """Largest undistorted radius the polynomial can invert, with a margin; in focal lengths."""
        return 0.95 / math.sqrt(-3 * self.k1) if self.k1 < 0 else 4.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and what is known about it: the inverse of its variance."""

    value: float
    information: float

    def joined(self, other: "Estimate") -> "Estimate":
        """Both, as two independent measurements."""
        total = self.information + other.information
        return Estimate((self.value * self.information + other.value * other.information) / total, total)


def projection(homography: Matrix, lens: Lens) -> Matrix:
    """Extend the board's homography (mm to undistorted pixels) by the height above the board, to shape (3, 4).

    The pose comes from the homography and the focal length; only the column of the height depends on it, so what
    lies on the board is mapped as well as the homography does.

    Source: Zhang, A Flexible New Technique for Camera Calibration, 2000, section 3.1.
    """
    first, second, _ = (np.linalg.inv(lens.matrix) @ homography).T
    scale = math.sqrt(float(np.linalg.norm(first) * np.linalg.norm(second)))
    into_table = np.cross(first, second) / scale  # x right, y down on the sheet: z points away from the viewer
    return np.column_stack([homography[:, :2], -(lens.matrix @ into_table), homography[:, 2]])


def measure_distortion(points_px: Points, points_mm: Points, lens: Lens, noise_px: float = 0.1) -> Estimate:
    """k1 by which the points lie best on a plane, the plane being free (one Gauss-Newton step in one variable).

    Args:
        points_px: in the picture as taken, shape (n, 2).
        points_mm: on the board, shape (n, 2).
        lens: where to start; its focal length is the unit.
        noise_px: standard deviation of a coordinate.
    """

    def misfit(k1: float) -> Points:
        straight = replace(lens, k1=k1).undistort(points_px)
        return straight - project(fit_homography(straight, points_mm), points_mm)

    return _step(misfit(lens.k1), misfit(lens.k1 + 0.002), 0.002, lens.k1, noise_px)


def measure_focal(points_px: Points, points_mm: Points, lens: Lens, noise_px: float = 0.1) -> Estimate:
    """Natural logarithm of the focal length that lets the plane be a rigid board (one step from ``lens``).

    Args:
        points_px: in the undistorted image, shape (n, 2).
        points_mm: on the board, shape (n, 2).
        lens: where to start.
        noise_px: standard deviation of a coordinate.

    A board seen straight on says nothing about it: the information is then near zero.
    """

    def misfit(focal_px: float) -> Points:
        camera = replace(lens, focal_px=focal_px).matrix
        solid = np.column_stack([points_mm, np.zeros(len(points_mm))])
        found, turn, shift = cv2.solvePnP(solid, points_px, camera, np.empty(0), flags=cv2.SOLVEPNP_ITERATIVE)
        if not found:
            return np.zeros_like(points_px)
        return points_px - as_points(cv2.projectPoints(solid, turn, shift, camera, np.empty(0))[0])

    start = math.log(lens.focal_px)
    return _step(misfit(lens.focal_px), misfit(math.exp(start + 0.01)), 0.01, start, noise_px)


def _step(here: Points, there: Points, step: float, start: float, noise_px: float) -> Estimate:
    slope = (there - here) / step
    steepness = float((slope**2).sum())
    if steepness < 1e-9:
        return Estimate(start, 0.0)
    return Estimate(start - float((slope * here).sum()) / steepness, steepness / noise_px**2)
