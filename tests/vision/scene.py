"""Quick pictures of a board for these tests: a camera, a lens, light, pieces as short cylinders. Not the simulator."""

from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.layout import Layout, load
from calibration.sheets import top_view

Image = NDArray[np.uint8]
FINE = 4.0
"""Pixels a millimetre of the printed sheet."""


@cache
def printed(layout: str) -> Image:
    """The sheet at ``FINE``."""
    return top_view(load(layout), FINE)


@dataclass(frozen=True)
class View:
    """A camera above the table: where it looks from and through what."""

    size: tuple[int, int] = (1280, 720)
    focal_px: float = 1000.0
    k1: float = 0.0
    tilt_deg: float = 20.0
    turn_deg: float = 0.0
    distance_mm: float = 680.0
    shift_mm: tuple[float, float] = (0.0, 0.0)

    def rotation(self) -> NDArray[np.float64]:
        """Board axes (x right, y down, z into the table) to camera axes."""
        tilt, turn = np.radians(self.tilt_deg), np.radians(self.turn_deg)
        lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
        spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
        return np.asarray(lean @ spin)

    def pixels(self, points_mm: NDArray[np.float64], layout: Layout) -> NDArray[np.float64]:
        """Points (n, 3): on the board, and height above it (up positive), to the picture as taken."""
        middle = np.array([layout.size_mm[0] / 2 + self.shift_mm[0], layout.size_mm[1] / 2 + self.shift_mm[1], 0])
        seen = (points_mm * (1, 1, -1) - middle) @ self.rotation().T + (0, 0, self.distance_mm)
        ray = seen[:, :2] / seen[:, 2:]
        ray = ray * (1 + self.k1 * (ray**2).sum(axis=1, keepdims=True))
        centre = ((self.size[0] - 1) / 2, (self.size[1] - 1) / 2)
        return np.asarray(ray * self.focal_px + centre)


@cache
def bare(layout: str, view: View, table: tuple[int, int, int]) -> Image:
    """See ``Scene.empty``."""
    w, h = view.size
    size_mm = load(layout).size_mm
    middle = np.array([size_mm[0] / 2, size_mm[1] / 2]) + view.shift_mm
    eye = np.array([*middle, 0]) - view.rotation().T @ (0, 0, view.distance_mm)
    xs = (np.arange(3 * w, dtype=np.float32) + 0.5) / 3 - w / 2
    rows = []
    for top in range(0, h, 60):
        ys = (np.arange(3 * top, 3 * min(top + 60, h), dtype=np.float32) + 0.5) / 3 - h / 2
        x, y = np.meshgrid(xs / view.focal_px, ys / view.focal_px)
        seen = np.hypot(x, y)
        radius = seen
        for _ in range(8 if view.k1 else 0):
            radius = radius - (radius * (1 + view.k1 * radius**2) - seen) / (1 + 3 * view.k1 * radius**2)
        grow = radius / np.maximum(seen, 1e-9)
        rays = np.stack([x * grow, y * grow, np.ones_like(x)], axis=-1) @ view.rotation()
        on_board = [eye[i] - eye[2] * rays[..., i] / rays[..., 2] for i in (0, 1)]
        at = [(v * FINE - 0.5).astype(np.float32) for v in on_board]
        fine = cv2.remap(
            printed(layout), at[0], at[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=table
        )
        rows.append(cv2.resize(fine, (w, len(ys) // 3), interpolation=cv2.INTER_AREA))
    return np.asarray(np.vstack(rows), np.uint8)


@dataclass
class Scene:
    """What lies on the table."""

    layout: Layout
    view: View = field(default_factory=View)
    table: tuple[int, int, int] = (60, 80, 110)

    def empty(self) -> Image:
        """The bare board, each pixel the mean of 3 x 3 rays."""
        return bare(self.layout.name, self.view, self.table).copy()

    def solid(
        self,
        picture: Image,
        foot_mm: tuple[float, float],
        rgb: tuple[int, int, int],
        radius_mm: float,
        height_mm: float,
    ) -> None:
        """Paint a short cylinder: its side a little darker than its top."""
        angle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        ring = np.column_stack([foot_mm[0] + radius_mm * np.cos(angle), foot_mm[1] + radius_mm * np.sin(angle)])
        low = self.view.pixels(np.column_stack([ring, np.zeros(48)]), self.layout)
        high = self.view.pixels(np.column_stack([ring, np.full(48, height_mm)]), self.layout)
        top = tuple(int(c) for c in rgb[::-1])
        hull = cv2.convexHull(np.vstack([low, high]).astype(np.float32))
        cv2.fillConvexPoly(picture, _fixed(hull), tuple(int(0.7 * c) for c in top), cv2.LINE_AA, 4)
        cv2.fillConvexPoly(picture, _fixed(high), top, cv2.LINE_AA, 4)

    def patch(self, picture: Image, outline_mm: ArrayLike, bgr: tuple[int, int, int], height_mm: float = 20.0) -> None:
        """Paint a flat shape hovering above the board: a hand, a sleeve, a sheet of paper."""
        outline = np.asarray(outline_mm, np.float64).reshape(-1, 2)
        points = self.view.pixels(np.column_stack([outline, np.full(len(outline), height_mm)]), self.layout)
        cv2.fillPoly(picture, [_fixed(points)], bgr, cv2.LINE_AA, 4)


def lit(picture: Image, gain: ArrayLike, seed: int = 0, noise: float = 1.5) -> Image:
    """The picture under another light (gain of linear light, BGR) with the camera's noise."""
    linear = (picture.astype(np.float32) / 255) ** 2.2 * np.asarray(gain, np.float32)
    seen = 255 * np.clip(linear, 0, 1) ** (1 / 2.2)
    seen += np.random.default_rng(seed).normal(0, noise, picture.shape)
    return np.asarray(np.clip(np.rint(seen), 0, 255), np.uint8)


def _fixed(points: ArrayLike) -> NDArray[np.int32]:
    return np.rint(np.asarray(points, np.float64).reshape(-1, 2) * 16).astype(np.int32)
