"""Pictures of printed sheets through a known camera, by OpenCV's own model of a lens."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.homography import Points, as_points
from calibration.raster import raster
from calibration.sheets import sheet
from vision.camera import Image

FINE = 4.0
"""Pixels a millimetre of the printed page."""
BOARD_AT_MM = (10.0, 8.0)
"""The ChArUco board's corner on its page."""


@cache
def printed(name: str) -> Image:
    return raster(sheet(name), FINE)


@dataclass(frozen=True)
class Eye:
    """A camera; ``bend`` are OpenCV's coefficients k1, k2, p1, p2, k3, k4, k5, k6, the two p being 0."""

    size: tuple[int, int] = (640, 480)
    focal_px: float = 400.0
    centre_px: tuple[float, float] = (319.5, 239.5)
    bend: tuple[float, ...] = (-0.3, 0.08, 0.0, 0.0, 0.0)

    @property
    def matrix(self) -> NDArray[np.float64]:
        return np.array([[self.focal_px, 0, self.centre_px[0]], [0, self.focal_px, self.centre_px[1]], [0, 0, 1]])

    def rays(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Directions of pixels (n, 2), shape (n, 3)."""
        far = np.linspace(0, 2.5, 50001).reshape(-1, 1)
        ends = np.column_stack([far, 0 * far, 1 + 0 * far])
        near = cv2.projectPoints(ends, np.zeros(3), np.zeros(3), np.eye(3), np.array(self.bend))[0].reshape(-1, 2)[:, 0]
        rising = int(np.argmax(np.append(np.diff(near), -1) <= 0))
        bent = (points - self.centre_px) / self.focal_px
        seen = np.maximum(np.linalg.norm(bent, axis=1, keepdims=True), 1e-9)
        flat = bent / seen * np.interp(seen, near[:rising], far[:rising, 0])
        return np.column_stack([flat, np.ones(len(points))])


@cache
def _rays(eye: Eye) -> NDArray[np.float64]:
    x, y = np.meshgrid(np.arange(eye.size[0]), np.arange(eye.size[1]))
    return eye.rays(np.stack([x.ravel(), y.ravel()], axis=1).astype(float))


@dataclass(frozen=True)
class Pose:
    """Where the page's middle is; the page faces the camera, but for tilts about x and y, and is turned about z."""

    x_mm: float = 0.0
    y_mm: float = 0.0
    z_mm: float = 400.0
    about_x_deg: float = 0.0
    about_y_deg: float = 0.0
    about_z_deg: float = 0.0

    @property
    def rotation(self) -> NDArray[np.float64]:
        towards = np.array([self.x_mm, self.y_mm, self.z_mm]) / np.hypot(np.hypot(self.x_mm, self.y_mm), self.z_mm)
        sideways = np.cross((0, 0, 1), towards)
        facing = np.arctan2(np.linalg.norm(sideways), towards[2]) / max(float(np.linalg.norm(sideways)), 1e-9)
        x, y, z = np.radians([self.about_x_deg, self.about_y_deg, self.about_z_deg])
        turns = [sideways * facing, np.array([x, 0, 0]), np.array([0, y, 0]), np.array([0, 0, z])]
        return np.asarray(np.linalg.multi_dot([cv2.Rodrigues(turn)[0] for turn in turns]))


def photo(eye: Eye, pose: Pose, name: str = "charuco", *, mirrored: bool = False, blur_px: float = 0.7) -> Image:
    """A sheet on a brown table, as that camera takes it."""
    turned = _rays(eye) @ pose.rotation
    origin = -pose.rotation.T @ (pose.x_mm, pose.y_mm, pose.z_mm)
    flat = printed(name)[:, ::-1] if mirrored else printed(name)
    # Blurred as printed, for what a pixel sees is as large there.
    page = np.asarray(cv2.GaussianBlur(flat, (0, 0), blur_px * FINE * pose.z_mm / eye.focal_px), np.uint8)
    x, y = (
        np.where(turned[:, 2] > 0.05, (origin[i] - origin[2] * turned[:, i] / turned[:, 2]) * FINE + side / 2 - 0.5, -9)
        .astype(np.float32)
        .reshape(eye.size[::-1])
        for i, side in ((0, page.shape[1]), (1, page.shape[0]))
    )
    seen = cv2.remap(page, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(60, 80, 110))
    grain = np.random.default_rng(round(abs(pose.x_mm) + pose.z_mm)).normal(0, 1.5, seen.shape)
    return np.asarray(np.clip(20 + 0.8 * seen + grain, 0, 255), np.uint8)


def round_the_picture(eye: Eye) -> list[Pose]:
    """Poses by which a person shows the page in all parts of the picture, tilted every way."""
    parts = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    poses = []
    for k, (right, down) in enumerate([*parts, *parts[::2]]):
        at = np.array(eye.centre_px) + np.array([right, down]) * (0.36 + 0.03 * (k % 2)) * np.array(eye.size)
        ray = eye.rays(at[None])[0]
        x, y, z = ray / np.linalg.norm(ray) * eye.focal_px * (0.7 + 0.04 * (k % 3))
        tilt = (28.0, -28.0, 22.0, -22.0)[k % 4]
        about_x, about_y = (tilt, 5.0) if k % 8 < 4 else (5.0, tilt)
        poses.append(Pose(float(x), float(y), float(z), about_x, about_y, 25.0 * k))
    return poses


def where(eye: Eye, pose: Pose, places_mm: ArrayLike, name: str = "charuco") -> Points:
    """True pixels of points of a sheet, shape (n, 2)."""
    flat = as_points(places_mm) - np.array(sheet(name).size_mm) / 2
    turn, shift = cv2.Rodrigues(pose.rotation)[0], np.array([pose.x_mm, pose.y_mm, pose.z_mm])
    solid = np.column_stack([flat, np.zeros(len(flat))])
    return as_points(cv2.projectPoints(solid, turn, shift, eye.matrix, np.array(eye.bend))[0])
