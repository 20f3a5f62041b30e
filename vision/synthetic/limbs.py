"""The anatomy of an arm: limbs with round sections, poses, nails, sleeve, as a height field.

The canvas lies in millimetres along the arm: the grip between thumb and first finger is at 0, the fingers point to
+x, the thumb of a right hand is on the side of -y.
"""

import itertools
from dataclasses import dataclass
from functools import cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.surface import F32, clouds

Pose = Literal["pinch", "fist", "open"]
Joint = tuple[float, float, float, float]
"""x, y, height, radius."""
SCALE = 1.3
"""Pixels a millimetre of the canvas."""
LEFT, RIGHT, HALF = -820.0, 70.0, 120.0
"""Extent of the canvas, mm: along the arm, and half of it across."""
SIZE = (round(2 * HALF * SCALE), round((RIGHT - LEFT) * SCALE))
"""Height and width of the canvas, pixels."""
SKIN, NAIL, CLOTH = 0, 1, 2
_WRIST, _CUFF = -158.0, -196.0


@dataclass(frozen=True, slots=True)
class Shape:
    """A posed arm; all arrays have the canvas's size."""

    height: F32
    """Millimetres."""
    cover: NDArray[np.uint8]
    """0 to 255."""
    kind: NDArray[np.uint8]
    """``SKIN``, ``NAIL`` or ``CLOTH``."""


@cache
def shape(left_handed: bool, pose: Pose, bare: bool) -> Shape:
    """The height field of a pose, in a long sleeve or a short one."""
    x = np.arange(SIZE[1], dtype=np.float32) / SCALE + LEFT
    y = np.arange(SIZE[0], dtype=np.float32) / SCALE - HALF
    height = np.full(SIZE, -100, np.float32)
    inside = np.full(SIZE, -100, np.float32)
    for start, end in _limbs(pose):
        _add_limb(x, y, start, end, height, inside)
    kind = np.full(SIZE, SKIN, np.uint8)
    for nail_x, nail_y, angle in _NAILS[pose]:
        middle = ((nail_x - LEFT) * SCALE, (nail_y + HALF) * SCALE)
        cv2.ellipse(kind, (middle, (11 * SCALE, 8.5 * SCALE), angle), NAIL, -1)
    _add_sleeve(x, y, height, inside, kind, bare)
    cover = (np.clip(inside * SCALE + 0.5, 0, 1) * 255).astype(np.uint8)
    smooth = np.asarray(cv2.GaussianBlur(np.maximum(height, 0), (0, 0), 1.6 * SCALE), np.float32)
    step = -1 if left_handed else 1
    return Shape(*(np.ascontiguousarray(v[::step]) for v in (smooth, cover, kind)))


def _add_limb(x: F32, y: F32, start: Joint, end: Joint, height: F32, inside: F32) -> None:
    (x0, y0, z0, r0), (x1, y1, z1, r1) = start, end
    reach = max(r0, r1) + 3
    columns = slice(*np.searchsorted(x, (min(x0, x1) - reach, max(x0, x1) + reach)))
    rows = slice(*np.searchsorted(y, (min(y0, y1) - reach, max(y0, y1) + reach)))
    px, py = x[None, columns] - x0, y[rows, None] - y0
    along = np.clip((px * (x1 - x0) + py * (y1 - y0)) / ((x1 - x0) ** 2 + (y1 - y0) ** 2), 0, 1)
    away = np.hypot(px - along * (x1 - x0), py - along * (y1 - y0))
    radius = r0 + along * (r1 - r0)
    bump = z0 + along * (z1 - z0) + np.sqrt(np.maximum(radius**2 - away**2, 0))
    height[rows, columns] = np.maximum(height[rows, columns], np.where(away < radius, bump, -100))
    inside[rows, columns] = np.maximum(inside[rows, columns], radius - away)


def _add_sleeve(x: F32, y: F32, height: F32, inside: F32, kind: NDArray[np.uint8], bare: bool) -> None:
    middle = 13 + (x + 160) * -0.02
    start = _CUFF - 260 if bare else _CUFF
    arm = 29 + np.clip((_WRIST - x) / 250, 0, 1) * 14
    sleeve = np.where(x < start, arm + 11 + 3 * np.exp(-(((x - start) / 7) ** 2)), 0)
    folds = clouds(np.random.default_rng(5), SIZE, (30 * SCALE, 22 * SCALE), 3)
    for radius, lift, ruffle, what in ((np.where(x < _WRIST, arm, 0), 0.0, 0.0, SKIN), (sleeve, 4.0, 2.0, CLOTH)):
        edge = (radius + ruffle * folds) * (radius > 0)
        away = np.abs(y[:, None] - middle)
        bump = lift + 0.75 * np.sqrt(np.maximum(edge**2 - away**2, 0)) + ruffle * folds
        over = (away < edge) & ((bump > height) | (what == CLOTH))
        height[over] = bump[over]
        kind[over] = what
        np.maximum(inside, np.where(radius > 0, edge - away, -100), out=inside)


def _limbs(pose: Pose) -> list[tuple[Joint, Joint]]:
    return [*_PALM, *(pair for chain in _FINGERS[pose] for pair in itertools.pairwise(chain))]


_PALM: list[tuple[Joint, Joint]] = [
    ((-160, -2, 4, 21), (-80, -14, 10, 17)),
    ((-160, 12, 5, 22), (-74, 8, 11, 17)),
    ((-160, 22, 4, 21), (-80, 28, 9, 16)),
    ((-158, 28, 2, 19), (-90, 44, 5, 14)),
    ((-148, -16, 0, 19), (-100, -40, -2, 15)),
    ((-110, -10, 6, 20), (-100, 34, 5, 18)),
]
# In each pose: first finger, thumb, middle, ring and little finger, from the knuckle to the tip.
_FINGERS: dict[Pose, list[list[Joint]]] = {
    "pinch": [
        [(-80, -14, 10, 12), (-40, -20, 12, 10), (-18, -13, 4, 9), (-3, -5, -6, 8)],
        [(-100, -40, -2, 14), (-58, -40, 0, 11.5), (-30, -26, -2, 10.5), (-8, -10, -6, 9)],
        [(-74, 8, 11, 12), (-32, 5, 14, 10.5), (-10, 9, 5, 9), (3, 12, -4, 8)],
        [(-80, 28, 9, 11.5), (-44, 28, 12, 10), (-24, 27, 4, 9), (-14, 24, -4, 8)],
        [(-90, 44, 5, 10), (-62, 47, 8, 8.5), (-45, 44, 2, 8), (-36, 40, -4, 7)],
    ],
    "fist": [
        [(-80, -14, 10, 13), (-40, -15, 10, 11.5), (-30, -12, -2, 11)],
        [(-100, -40, -2, 14), (-64, -40, -2, 12), (-38, -30, -4, 11), (-26, -12, -6, 10)],
        [(-74, 8, 11, 13), (-34, 7, 12, 11.5), (-25, 8, -1, 11)],
        [(-80, 28, 9, 12.5), (-42, 28, 10, 11), (-32, 27, -2, 10.5)],
        [(-90, 44, 5, 11), (-56, 46, 6, 9.5), (-46, 44, -4, 9)],
    ],
    "open": [
        [(-80, -14, 10, 12), (-38, -25, 8, 10.5), (-14, -31, 3, 9.5), (6, -35, -3, 8.5)],
        [(-100, -40, -2, 14), (-68, -64, -3, 11.5), (-42, -78, -4, 10), (-24, -86, -6, 9)],
        [(-74, 8, 11, 12), (-26, 4, 9, 10.5), (4, 2, 3, 9.5), (26, 0, -3, 8.5)],
        [(-80, 28, 9, 11.5), (-34, 32, 7, 10), (-6, 34, 2, 9), (14, 35, -3, 8)],
        [(-90, 44, 5, 10), (-54, 55, 4, 8.5), (-34, 60, 0, 7.5), (-18, 63, -3, 7)],
    ],
}
# x, y and angle, degrees.
_NAILS: dict[Pose, list[tuple[float, float, float]]] = {
    "pinch": [(-6, -7, 30), (5, 11, 15), (-12, -12, 35)],
    "fist": [(-30, -14, 40)],
    "open": [(5, -34.5, -12), (25, 0, -4), (13, 35, 3), (-19, 63, 8), (-26, -85, -25)],
}
