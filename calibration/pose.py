"""A radial lens, the focal length and the board's pose, all from tags seen on one flat board."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike

from calibration.homography import Matrix, Points, as_points, fit_homography, project

USUAL_FOCAL = 0.8
"""Focal length of a usual webcam in widths of its picture: a horizontal view of 64 degrees."""
FARTHEST = 4.0
"""Longest ray that any lens is asked for, in focal lengths: 76 degrees off the axis."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole with radial coefficients; pixels as in OpenCV, the centre of the first one is (0, 0)."""

    centre_px: tuple[float, float]
    focal_px: float
    k1: float = 0.0
    """Brown's first radial coefficient, in units of the focal length; negative is a barrel."""
    more: tuple[float, ...] = ()
    """k2 to k6 of OpenCV's rational model, as far as they are known; only a calibration tells them."""

    @classmethod
    def usual(cls, width_px: int, height_px: int) -> "Lens":
        """What to assume of a camera nobody has looked through yet."""
        return cls(((width_px - 1) / 2, (height_px - 1) / 2), USUAL_FOCAL * width_px)

    def distort(self, points_px: ArrayLike) -> Points:
        """From the undistorted image to the picture as taken, shape (n, 2)."""
        ray = (as_points(points_px) - self.centre_px) / self.focal_px
        square = np.minimum((ray**2).sum(axis=1, keepdims=True), self._edge() ** 2)
        return np.asarray(ray * self._stretch(square)[0] * self.focal_px + self.centre_px)

    def undistort(self, points_px: ArrayLike) -> Points:
        """From the picture as taken to the undistorted image, shape (n, 2)."""
        ray = (as_points(points_px) - self.centre_px) / self.focal_px
        seen, edge = np.maximum(np.hypot(*ray.T)[:, None], 1e-12), self._edge()
        radius = np.minimum(seen, edge)
        for _ in range(6):  # Newton; the radius grows all the way to the edge
            stretch, slope = self._stretch(radius**2)
            radius = np.clip(radius - (radius * stretch - seen) / slope, 0, edge)
        return np.asarray(ray * (radius / seen) * self.focal_px + self.centre_px)

    def focused(self, focal_px: float) -> "Lens":
        """The same distortion in pixels, expressed with another focal length."""
        square = (focal_px / self.focal_px) ** 2
        powers = (2, 3, 1, 2, 3)[: len(self.more)]
        more = tuple(k * square**power for k, power in zip(self.more, powers, strict=True))
        return replace(self, focal_px=focal_px, k1=self.k1 * square, more=more)

    def scaled(self, factor: float) -> "Lens":
        """The lens of the same picture, enlarged by that factor."""
        x, y = ((middle + 0.5) * factor - 0.5 for middle in self.centre_px)
        return replace(self, centre_px=(x, y), focal_px=self.focal_px * factor)

    @property
    def matrix(self) -> Matrix:
        """Camera matrix, (3, 3)."""
        x, y = self.centre_px
        return np.array([[self.focal_px, 0, x], [0, self.focal_px, y], [0, 0, 1.0]])

    def _stretch(self, square: Points) -> tuple[Points, Points]:
        """How much longer a ray gets whose length has that square, and the slope of the new length over the old."""
        if not self.more:
            return 1 + self.k1 * square, 1 + 3 * self.k1 * square
        k2, k3, k4, k5, k6 = (*self.more, 0.0, 0.0, 0.0, 0.0, 0.0)[:5]
        above = 1 + square * (self.k1 + square * (k2 + square * k3))
        below = 1 + square * (k4 + square * (k5 + square * k6))
        above_slope = 2 * square * (self.k1 + square * (2 * k2 + square * 3 * k3))
        below_slope = 2 * square * (k4 + square * (2 * k5 + square * 3 * k6))
        stretch = above / below
        return stretch, (above + above_slope - stretch * below_slope) / below

    def _edge(self) -> float:
        """Largest undistorted radius the model can invert, with a margin; in focal lengths."""
        if not self.more:
            return 0.95 / math.sqrt(-3 * self.k1) if self.k1 < 0 else FARTHEST
        radius = np.linspace(0, FARTHEST, 401)
        falling = self._stretch(radius**2)[1] <= 0.02
        return float(0.95 * radius[int(np.argmax(falling))]) if falling.any() else FARTHEST


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and what is known about it: the inverse of its variance."""

    value: float
    information: float

    def joined(self, other: "Estimate") -> "Estimate":
        """Both, as two independent measurements."""
        total = self.information + other.information
        return Estimate((self.value * self.information + other.value * other.information) / total, total)

    def contradicts(self, other: "Estimate", least: float) -> bool:
        """Whether they differ by more than ``least`` and by more than four standard deviations."""
        off = abs(self.value - other.value)
        return off > least and off**2 > 16 * (1 / self.information + 1 / other.information)


@dataclass(frozen=True, slots=True)
class Prior:
    """A lens as it was known before, and how surely it still is that."""

    lens: Lens
    focal_off: float
    """Standard deviation of the focal length, as a share of it."""
    k1_off: float

    @classmethod
    def usual(cls, width_px: int, height_px: int) -> "Prior":
        """Of a camera nobody has looked through yet."""
        return cls(Lens.usual(width_px, height_px), 0.25, 0.3)

    @property
    def focal(self) -> "Estimate":
        """Of the natural logarithm of the focal length."""
        return Estimate(math.log(self.lens.focal_px), 1 / self.focal_off**2)

    @property
    def k1(self) -> "Estimate":
        """Of k1, in units of the lens's focal length."""
        return Estimate(self.lens.k1, 1 / self.k1_off**2)


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
