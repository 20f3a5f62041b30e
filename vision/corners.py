"""X-corners: where four squares of a chequered board meet, light and dark crosswise.

Method: saddles of the smoothed brightness (negative determinant of the Hessian), then a ring of samples around each: it
must change between light and dark exactly four times, at opposite places, and say nearly the same half a turn on.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import Points

Plane = NDArray[np.float32]
"""One channel of a picture, (height, width)."""
Angles = NDArray[np.float64]

MOST_CORNERS = 700
"""A board has 49; the rest are for what lies around it."""
RING_PX = 4.5
RING = 32
"""Samples of one ring."""
WEAKEST = 3.0
"""Least step from dark to light on the ring, grey levels."""


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """X-corners of one picture; arrays of length n."""

    points_px: Points
    rising: Angles
    """Direction, radians modulo pi, in which a turn with the clock goes from dark to light."""
    falling: Angles
    """The same from light to dark. From one corner of a board to the next the two change places."""
    step: NDArray[np.float64]
    """From dark to light, grey levels."""


def find_corners(plane: Plane) -> Corners:
    """All X-corners of a plane whose squares are some 10 to 80 px wide, strongest first."""
    smooth = cv2.GaussianBlur(plane, (0, 0), 1.5)
    xx, yy = cv2.Sobel(smooth, cv2.CV_32F, 2, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 2)
    xy = cv2.Sobel(smooth, cv2.CV_32F, 1, 1)
    saddle = np.asarray(xy * xy - xx * yy)
    peak = (saddle >= cv2.dilate(saddle, np.ones((5, 5), np.uint8))) & (saddle > 1.0)
    margin = math.ceil(RING_PX) + 1
    peak[:margin], peak[-margin:], peak[:, :margin], peak[:, -margin:] = False, False, False, False
    y, x = np.nonzero(peak)
    strongest = np.argsort(-saddle[y, x], kind="stable")[: 4 * MOST_CORNERS]
    x, y = x[strongest], y[strongest]
    dx, dy = _sub_pixel(saddle, x, y)
    return _ring_test(np.asarray(cv2.GaussianBlur(plane, (0, 0), 0.8), np.float32), np.column_stack([x + dx, y + dy]))


def _sub_pixel(saddle: Plane, x: NDArray[np.intp], y: NDArray[np.intp]) -> tuple[Angles, Angles]:
    """Offsets of the top of a parabola through each peak and its neighbours, along x and along y."""

    def top(before: Plane, at: Plane, after: Plane) -> Angles:
        bend = before - 2 * at + after
        shift = np.where(bend < 0, (before - after) / np.where(bend < 0, 2 * bend, 1), 0)
        return np.asarray(np.clip(shift, -0.5, 0.5), np.float64)

    at = saddle[y, x]
    return top(saddle[y, x - 1], at, saddle[y, x + 1]), top(saddle[y - 1, x], at, saddle[y + 1, x])


def _ring_test(plane: Plane, points: Points) -> Corners:
    angles = np.linspace(0, 2 * math.pi, RING, endpoint=False, dtype=np.float64)
    ring = sample(plane, points[:, None, :] + RING_PX * np.stack([np.cos(angles), np.sin(angles)], axis=-1))
    low, high = np.percentile(ring, 20, axis=1), np.percentile(ring, 80, axis=1)
    level = ring - ((low + high) / 2)[:, None]
    light = level > 0
    up, down = light & ~np.roll(light, 1, axis=1), ~light & np.roll(light, 1, axis=1)
    level -= level.mean(axis=1, keepdims=True)
    opposite = (level * np.roll(level, RING // 2, axis=1)).sum(axis=1) / np.maximum((level**2).sum(axis=1), 1e-6)
    fine = (up.sum(axis=1) == 2) & (down.sum(axis=1) == 2) & (opposite > 0.6) & (high - low > WEAKEST)
    points, up, down, step = points[fine], up[fine], down[fine], (high - low)[fine]
    rising, bent_up = _axis(up, angles)
    falling, bent_down = _axis(down, angles)
    straight = (bent_up < 0.5) & (bent_down < 0.5) & (apart(rising, falling) > 0.35)
    keep = np.nonzero(straight)[0][:MOST_CORNERS]
    return Corners(points[keep], rising[keep], falling[keep], step[keep])


def _axis(changes: NDArray[np.bool_], angles: Angles) -> tuple[Angles, Angles]:
    """The line through two changes of each ring, modulo pi; and by how much they are not opposite, radians."""
    first, second = angles[changes.argmax(axis=1)], angles[RING - 1 - changes[:, ::-1].argmax(axis=1)]
    half_step = math.pi / RING
    bent = np.abs(second - first - math.pi)
    return np.asarray(((first + second - math.pi) / 2 - half_step) % math.pi), np.asarray(bent)


def apart(one: Angles, other: Angles) -> Angles:
    """Angle between two lines given modulo pi, 0 to pi / 2."""
    return np.asarray(np.abs((one - other + math.pi / 2) % math.pi - math.pi / 2))


def sample(plane: Plane, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values at points of shape (…, 2), bilinear; outside the picture and where a point is not finite: NaN."""
    height, width = plane.shape
    x, y = points[..., 0], points[..., 1]
    inside = (x >= 0) & (y >= 0) & (x <= width - 1) & (y <= height - 1)
    at = np.where(inside[..., None], points, 0).reshape(1, -1, 2).astype(np.float32)
    # remap takes at most 32766 points a row.
    rows = [
        cv2.remap(plane, at[:, k : k + 30000, 0], at[:, k : k + 30000, 1], cv2.INTER_LINEAR)
        for k in range(0, at.shape[1], 30000)
    ]
    values = np.concatenate(rows, axis=1).reshape(x.shape) if rows else np.zeros(x.shape)
    return np.asarray(np.where(inside, values, np.nan), np.float64)
