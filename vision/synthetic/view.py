"""Where a point of the table lands in the picture: an own pinhole camera with an own lens.

The table frame lies in the middle of the undisturbed sheet: x to the right and y down as the layout draws them,
and heights count upwards from the table. All lengths are millimetres.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.synthetic.conditions import Conditions

Floats = NDArray[np.float64]
_INVERSE_STEPS = 12


@dataclass(frozen=True, slots=True)
class Lie:
    """How the sheet lies on the table: its middle shifted, then turned clockwise about it."""

    dx_mm: float = 0.0
    dy_mm: float = 0.0
    turn_deg: float = 0.0

    def to_table(self, sheet_mm: ArrayLike, size_mm: tuple[float, float]) -> Floats:
        """Sheet points, shape (…, 2), from its top left, in the table frame."""
        middle = np.array(size_mm) / 2
        return (np.asarray(sheet_mm, float) - middle) @ _turn(self.turn_deg).T + (self.dx_mm, self.dy_mm)

    def to_sheet(self, table_mm: ArrayLike, size_mm: tuple[float, float]) -> Floats:
        """The inverse of ``to_table``."""
        middle = np.array(size_mm) / 2
        return (np.asarray(table_mm, float) - (self.dx_mm, self.dy_mm)) @ _turn(self.turn_deg) + middle


@dataclass(frozen=True, slots=True)
class View:
    """A webcam looking at the table."""

    size_px: tuple[int, int]
    focal_px: float
    k1: float
    k2: float
    eye_mm: Floats
    """Where the lens is, (x, y, height)."""
    axes: Floats
    """Rows: the camera's right, down and forward in the table frame with heights, shape (3, 3)."""

    def project(self, points_mm: ArrayLike) -> Floats:
        """Points (x, y, height), shape (…, 3), as pixels (…, 2), through the lens."""
        seen = (np.asarray(points_mm, float) - self.eye_mm) @ self.axes.T
        flat = seen[..., :2] / seen[..., 2:]
        radius2 = np.sum(flat * flat, axis=-1, keepdims=True)
        bent = flat * (1 + self.k1 * radius2 + self.k2 * radius2 * radius2)
        return np.asarray(bent * self.focal_px + self._middle_px)

    def on_plane(self, points_px: ArrayLike, height_mm: float = 0.0) -> Floats:
        """Pixels, shape (…, 2), as points (x, y) of the plane at that height, shape (…, 2)."""
        bent = (np.asarray(points_px, float) - self._middle_px) / self.focal_px
        flat = bent
        for _ in range(_INVERSE_STEPS):
            radius2 = np.sum(flat * flat, axis=-1, keepdims=True)
            flat = bent / (1 + self.k1 * radius2 + self.k2 * radius2 * radius2)
        rays = np.concatenate([flat, np.ones_like(flat[..., :1])], axis=-1) @ self.axes
        reach = (height_mm - self.eye_mm[2]) / rays[..., 2:]
        return np.asarray(self.eye_mm[:2] + rays[..., :2] * reach)

    def stretch(self, point_mm: ArrayLike) -> Floats:
        """Derivative of the pixel by x and y at a point (x, y, height), px/mm, shape (2, 2)."""
        point, step = np.asarray(point_mm, float), np.eye(3)[:2] * 0.5
        return np.asarray((self.project(point + step) - self.project(point - step)).T)

    def sight(self, point_mm: ArrayLike) -> Floats:
        """Unit vector from the lens towards a point, shape (3,)."""
        ray = np.asarray(point_mm, float) - self.eye_mm
        return np.asarray(ray / np.linalg.norm(ray))

    @property
    def _middle_px(self) -> Floats:
        return np.array(self.size_px) / 2 - 0.5


def aimed(conditions: Conditions, sheet_mm: tuple[float, float], size_px: tuple[int, int], nudge: Floats) -> View:
    """Aim a camera so that the whole sheet is in the picture and fills as much of it as the conditions say.

    Args:
        conditions: height, tilt, azimuth, roll, lens and share of the frame are used.
        sheet_mm: width and height of the sheet.
        size_px: width and height of the frame.
        nudge: where in the slack of the frame the sheet sits, -1 to 1, shape (2,).
    """
    lie, rim = Lie(), _rim(sheet_mm)
    rim_mm = np.concatenate([lie.to_table(rim, sheet_mm), np.zeros((len(rim), 1))], axis=1)
    frame, aim, focal = np.array(size_px, float), np.zeros(2), float(size_px[0])
    view = _looking_at(conditions, aim, focal, size_px)
    for _ in range(12):
        at = view.project(rim_mm)
        low, high = at.min(0), at.max(0)
        focal *= conditions.fill / float(max((high - low) / frame))
        slack = np.maximum(frame - (high - low), 0) / 2 * 0.6
        off_px = (low + high) / 2 - view._middle_px - nudge * slack
        aim = aim + np.linalg.solve(view.stretch((*aim, 0.0)), off_px)
        view = _looking_at(conditions, aim, focal, size_px)
    return view


def _looking_at(conditions: Conditions, aim: Floats, focal_px: float, size_px: tuple[int, int]) -> View:
    tilt, around = np.radians(conditions.tilt_deg), np.radians(conditions.azimuth_deg)
    away = conditions.height_mm * np.tan(tilt)
    eye = np.array((aim[0] + away * np.cos(around), aim[1] + away * np.sin(around), conditions.height_mm))
    forward = np.array((*aim, 0.0)) - eye
    forward /= np.linalg.norm(forward)
    right = np.array((1.0, 0.0, 0.0)) - forward[0] * forward
    right /= np.linalg.norm(right)
    # Heights point up while y points down, so this frame is left-handed: the cross product changes sign.
    down = -np.cross(forward, right)
    axes = np.stack([_turn(conditions.roll_deg).T @ np.stack([right, down])[:, i] for i in range(3)], axis=1)
    return View(size_px, focal_px, conditions.k1, conditions.k2, eye, np.vstack([axes, forward]))


def _rim(sheet_mm: tuple[float, float]) -> Floats:
    w, h = sheet_mm
    along = np.linspace(0, 1, 9)
    sides = [(along * w, 0 * along), (along * w, 0 * along + h), (0 * along, along * h), (0 * along + w, along * h)]
    return np.concatenate([np.stack(side, axis=1) for side in sides])


def about_z(degrees: float) -> Floats:
    """Rotation on the table, clockwise as seen from above, shape (3, 3)."""
    turn = np.eye(3)
    turn[:2, :2] = _turn(degrees)
    return turn


def _turn(degrees: float) -> Floats:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array(((c, -s), (s, c)))
