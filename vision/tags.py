"""ArUco tags: find them in a whole picture, or measure their edges where they are expected."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import Points
from calibration.pose import Lens
from calibration.tags import MODULES, dictionary

Grey = NDArray[np.uint8]
"""Shape (height, width)."""
Quads = NDArray[np.float64]
"""Shape (n, 4, 2): corners clockwise from the top left of each tag."""

_ALONG = np.linspace(0.12, 0.88, 16)
"""Where along a side its edge is measured; clear of the corners."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Tags measured at expected places."""

    corners_px: Quads
    """In the undistorted image."""
    good: NDArray[np.bool_]
    """Shape (n,): four straight edges, dark inside, and the right modules."""
    blur_px: float
    """Standard deviation of the edges' profile, pixels; nan when nothing was good."""


def detect(grey: Grey) -> list[tuple[int, Points]]:
    """All tags of our dictionary in a picture: id and rough corners, shape (4, 2), pixels."""
    settings = cv2.aruco.DetectorParameters()
    window = max(11, round(grey.shape[1] / 60)) | 1
    settings.adaptiveThreshWinSizeMin = settings.adaptiveThreshWinSizeMax = window
    settings.adaptiveThreshConstant = 5.0  # so that tags in a deep shadow are still framed
    settings.minMarkerPerimeterRate = 0.04
    # Of a module of 4 noisy pixels the middle is read, and one module of 16 may be wrong: who uses tags wants several
    # that agree, and measures each.
    settings.perspectiveRemovePixelPerCell, settings.perspectiveRemoveIgnoredMarginPerCell = 8, 0.25
    settings.errorCorrectionRate = 1.0
    quads, ids, _ = cv2.aruco.ArucoDetector(dictionary(), settings).detectMarkers(grey)
    if ids is None:
        return []
    return [(int(k), np.asarray(q, np.float64).reshape(4, 2)) for k, q in zip(np.ravel(ids), quads, strict=True)]


def measure(grey: Grey, expected_px: Quads, white: NDArray[np.bool_], lens: Lens) -> Measured:
    """Measure tags where they are expected, without a detector.

    Along each side the brightness gradient across it gives 16 edge points; a line is fitted to them robustly in the
    undistorted image, and neighbouring lines meet in the corners.

    Args:
        grey: the picture as taken.
        expected_px: corners in the picture as taken, within about 0.8 of a module.
        white: their modules, as ``calibration.tags.modules`` gives them, shape (n, 6, 6).
        lens: of the picture.
    """
    module_px = float(np.median(np.linalg.norm(expected_px - np.roll(expected_px, -1, axis=1), axis=2))) / MODULES
    close_px = max(2.5, 0.4 * module_px)
    corners, straight, blur = _edges(grey, expected_px, close_px, lens)
    off = np.abs(lens.distort(corners).reshape(-1, 4, 2) - expected_px).max(axis=(1, 2))
    again = ~straight | (off > 0.4 * close_px)
    if again.any():
        wide_px = float(np.clip(0.8 * module_px, 2.5, 8.0))
        near = expected_px[again]
        rough, found, _ = _edges(grey, near, wide_px, lens)
        bent = lens.distort(rough).reshape(-1, 4, 2)
        found &= np.abs(bent - near).max(axis=(1, 2)) < 2 * wide_px
        near = np.where(found[:, None, None], bent, near)
        corners[again], straight[again], blur[again] = _edges(grey, near, close_px, lens)
        straight[again] &= found
    good = np.asarray(straight & _modules_agree(grey, lens.distort(corners).reshape(-1, 4, 2), white))
    return Measured(corners, good, float(np.median(blur[good])) if good.any() else float("nan"))


def _edges(grey: Grey, quads: Quads, reach_px: float, lens: Lens) -> tuple[Quads, NDArray[np.bool_], Points]:
    """Corners in the undistorted image, whether all four sides are straight edges, and each tag's edge blur."""
    following = np.roll(quads, -1, axis=1)
    along = following - quads
    outward = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    outward = outward / np.maximum(np.linalg.norm(outward, axis=-1, keepdims=True), 1e-9)
    offsets = np.arange(-reach_px, reach_px + 0.25, 0.5)
    foot = quads[:, :, None] + along[:, :, None] * _ALONG[None, None, :, None]  # (n, 4, 16, 2)
    places = foot[..., None, :] + outward[:, :, None, None] * offsets[:, None]
    profile = sample(grey, places)
    rise = np.maximum(np.diff(profile, axis=-1), 0)
    rise = np.where(rise > 0.1 * rise.max(axis=-1, keepdims=True), rise, 0)
    weight = np.maximum(rise.sum(axis=-1), 1e-6)
    middle = (offsets[1:] + offsets[:-1]) / 2
    at = (rise * middle).sum(axis=-1) / weight
    spread = np.sqrt((rise * (middle - at[..., None]) ** 2).sum(axis=-1) / weight)
    contrast = profile[..., -3:].mean(axis=-1) - profile[..., :3].mean(axis=-1)
    clear = contrast > np.maximum(10, 0.5 * np.median(contrast, axis=(1, 2), keepdims=True))
    points = foot + outward[:, :, None] * at[..., None]
    flat = lens.undistort(points).reshape(points.shape)
    centre, direction, used, error = _lines(flat, clear)
    straight = ((used >= 9) & (error < 0.35 + 0.03 * reach_px)).all(axis=1)
    corners = _crossings(np.roll(centre, 1, axis=1), np.roll(direction, 1, axis=1), centre, direction)
    return corners, np.asarray(straight), np.asarray(np.median(spread, axis=(1, 2)))


def sample(grey: Grey, places_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bilinear brightness at places of shape (..., 2); the border is repeated outwards."""
    height, width = grey.shape
    x = np.clip(places_px[..., 0], 0, width - 1.001)
    y = np.clip(places_px[..., 1], 0, height - 1.001)
    left, top = x.astype(np.intp), y.astype(np.intp)
    across, down = x - left, y - top
    flat, start = grey.ravel(), top * width + left
    upper = flat[start] * (1 - across) + flat[start + 1] * across
    lower = flat[start + width] * (1 - across) + flat[start + width + 1] * across
    return np.asarray(upper * (1 - down) + lower * down)


def _lines(
    points: NDArray[np.float64], clear: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Robust total least squares through (n, 4, 16, 2): a point of each line, its direction, points used, rms."""
    weight = clear.astype(np.float64)
    for _ in range(3):
        total = np.maximum(weight.sum(axis=-1), 1e-6)[..., None]
        centre = (points * weight[..., None]).sum(axis=2) / total
        off = points - centre[:, :, None]
        sxx, syy = (weight * off[..., 0] ** 2).sum(axis=-1), (weight * off[..., 1] ** 2).sum(axis=-1)
        sxy = (weight * off[..., 0] * off[..., 1]).sum(axis=-1)
        angle = 0.5 * np.arctan2(2 * sxy, sxx - syy)
        direction = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        away = np.abs(off[..., 0] * direction[:, :, None, 1] - off[..., 1] * direction[:, :, None, 0])
        usual = np.sort(away, axis=-1)[..., 7:8]
        weight = (clear & (away <= np.maximum(0.2, 2.5 * usual))).astype(np.float64)
    used = weight.sum(axis=-1)
    return centre, direction, used, np.sqrt((weight * away**2).sum(axis=-1) / np.maximum(used, 1e-6))


def _crossings(
    first: NDArray[np.float64],
    first_way: NDArray[np.float64],
    second: NDArray[np.float64],
    second_way: NDArray[np.float64],
) -> Quads:
    """Where pairs of lines meet; far away where they are parallel."""
    turn = first_way[..., 0] * second_way[..., 1] - first_way[..., 1] * second_way[..., 0]
    turn = np.where(np.abs(turn) < 1e-6, 1e-6, turn)
    off = second - first
    far = (off[..., 0] * second_way[..., 1] - off[..., 1] * second_way[..., 0]) / turn
    return np.asarray(first + first_way * far[..., None])


def _modules_agree(grey: Grey, quads: Quads, white: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether at most one module differs from the print; bilinear between the corners is near enough."""
    steps = (np.arange(MODULES) + 0.5) / MODULES
    u, v = steps[None, None, :, None], steps[None, :, None, None]
    corner = quads[:, :, None, None]
    top = corner[:, 0] * (1 - u) + corner[:, 1] * u
    bottom = corner[:, 3] * (1 - u) + corner[:, 2] * u
    seen = sample(grey, top * (1 - v) + bottom * v)
    bright = np.where(white, seen, np.nan)
    dark = np.where(white, np.nan, seen)
    middle = (np.nanmean(bright, axis=(1, 2)) + np.nanmean(dark, axis=(1, 2))) / 2
    return np.asarray(((seen > middle[:, None, None]) == white).reshape(len(quads), -1).sum(axis=1) >= 35)
