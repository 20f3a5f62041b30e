"""Where a camera stands that looks at a board."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

WIDTH, HEIGHT = 1280, 720
DISTANCE_MM, TILT_DEG = (350, 900), (0, 40)
UPRIGHT = 0.75
"""How often the sheet lies along the picture, give or take a little; else it is turned as it comes."""
Vector = NDArray[np.float64]


def aimed(rng: Generator, sheet_mm: tuple[float, float]) -> tuple[Vector, Vector, Vector, float]:
    """A camera at random that has the whole sheet in sight.

    Returns:
        Where it is, what it looks at and where it has its top, millimetres from the sheet's middle, y away and z up;
        and how wide it sees, degrees.
    """
    width, height = sheet_mm
    tilt = np.radians(rng.uniform(*TILT_DEG))
    along = 0 if height > width else np.pi / 2
    upright = rng.random() < UPRIGHT
    around = along + rng.choice([0, np.pi]) + rng.normal(0, 0.15) if upright else rng.uniform(0, 2 * np.pi)
    away = np.asarray([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)])
    eye, roll = away * rng.uniform(*DISTANCE_MM), around + np.pi + rng.normal(0, 0.06)
    up = np.asarray([np.cos(roll), np.sin(roll), 0.0])
    corners = np.asarray([(x * width / 2, y * height / 2, 0) for x in (-1, 1) for y in (-1, 1)]) - eye
    forward = -away
    for _ in range(6):  # until the sheet is in the middle of the picture
        forward = forward / np.linalg.norm(forward)
        right = np.cross(forward, up)
        right /= np.linalg.norm(right)
        upwards = np.cross(right, forward)
        x, y = (corners @ axis / (corners @ forward) for axis in (right, upwards))
        half = max(np.abs(x).max(), np.abs(y).max() * WIDTH / HEIGHT)
        forward = forward + right * (x.max() + x.min()) / 2 + upwards * (y.max() + y.min()) / 2
    fov_deg = float(np.degrees(2 * np.arctan(half * rng.uniform(1.03, 1.15))))
    return eye, eye + forward * -eye[2] / forward[2], up, fov_deg
