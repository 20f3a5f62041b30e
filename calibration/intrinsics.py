"""The lens of a camera from views of one flat board whose corners are known."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import CalibrationError, Points, as_points, rms
from calibration.pose import Lens

FEWEST_VIEWS = 8
"""Of fewer there is nothing left to hold out."""
FOLDS = 4
BETTER = 0.97
"""A richer model must have so much of the held-out residual of a simpler one, or the simpler one is taken."""
STRAY, STRAY_PX = 3.0, 0.3
"""A view that fits so many times worse than the usual one, and so badly, was blurred or bent: it is left out."""
LIMIT_PX = 1.0
"""Largest residual on held-out views to accept, in a picture of 1280 pixels across."""
FOCAL_OFF = 0.02
"""Largest standard deviation of the focal length to accept, as a share of it."""

_MIDDLE = cv2.CALIB_FIX_PRINCIPAL_POINT
_COMMON = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3
RADIAL: dict[str, int] = {
    "k1": _COMMON | _MIDDLE | cv2.CALIB_FIX_K2,
    "k1, k2": _COMMON | _MIDDLE,
    "rational": _COMMON | _MIDDLE | cv2.CALIB_RATIONAL_MODEL | cv2.CALIB_FIX_K6,
}
"""From what every view tells to what only a wide angle needs; pixels are square, the sensor is parallel to the lens."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One picture of the board."""

    seen_px: Points
    """Corners in the picture as taken, shape (n, 2)."""
    drawn_mm: Points
    """The same corners on the board, shape (n, 2)."""


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A lens and how well it is known."""

    lens: Lens
    model: str
    """What of the lens the views tell: the radial model, and whether the middle is not the picture's."""
    focal_off: float
    """Standard deviation of the focal length, as a share of it."""
    views: int
    residual_px: float
    """Root mean square over views that were held out of the fit."""
    residual_mm: float
    """The same at the board."""


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    matrix: Floats
    bend: Floats
    off: Floats
    """Standard deviations of fx, fy, cx, cy, k1, …"""
    view_rms: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Tried:
    """A model fitted to all views, and how well it told those that were held out."""

    model: str
    flags: int
    fit: _Fit
    held_px: float
    held_mm: float


def calibrate(views: Sequence[View], size_px: tuple[int, int]) -> Calibrated:
    """Fit the lens; how rich a model is taken is told by views that were held out of the fit.

    Args:
        views: at least FEWEST_VIEWS, some of them tilted.
        size_px: width and height of the pictures.

    Raises:
        CalibrationError: too few views, or no lens fits them; one line that says what to do.

    Source: Zhang, A Flexible New Technique for Camera Calibration, 2000.
    """
    _enough(views)
    off = _fit(views, size_px, RADIAL["k1, k2"], None).view_rms
    most = max(STRAY_PX, STRAY * float(np.median(off)))
    views = [view for view, own in zip(views, off, strict=True) if own <= most]
    _enough(views)
    best: _Tried | None = None
    for model, flags in RADIAL.items():
        richer = _try(views, size_px, model, flags, best)
        if richer is None and best is not None:
            break
        best = richer
    if best is not None:
        best = _try(views, size_px, f"{best.model} and the middle", best.flags & ~_MIDDLE, best) or best
    limit_px = LIMIT_PX * max(1.0, size_px[0] / 1280)
    if best is None or best.held_px > limit_px:
        said = f"only to {best.held_px:.1f} px ({best.held_mm:.1f} mm)" if best else "not at all"
        raise CalibrationError(
            f"no lens fits these views: {said}, at most {limit_px:.1f} px are taken; is the page glued on something "
            "flat, does the camera zoom or focus by itself, or are the pictures of several cameras?"
        )
    focal_off = float(best.fit.off[1] / best.fit.matrix[1, 1])
    if focal_off > FOCAL_OFF:
        raise CalibrationError(
            f"the focal length is known to {100 * focal_off:.0f} % only: tilt the page more, also the other way"
        )
    return Calibrated(
        lens=_lens(best.fit),
        model=best.model,
        focal_off=focal_off,
        views=len(views),
        residual_px=best.held_px,
        residual_mm=best.held_mm,
    )


def _enough(views: Sequence[View]) -> None:
    if len(views) < FEWEST_VIEWS:
        raise CalibrationError(f"{len(views)} views of the page are too few, {FEWEST_VIEWS} are needed; take more")


def _try(
    views: Sequence[View], size_px: tuple[int, int], model: str, flags: int, simpler: _Tried | None
) -> _Tried | None:
    """The model, if it is sound and clearly better than the simpler one."""
    fit = _fit(views, size_px, flags, simpler.fit if simpler else None)
    if not _sound(_lens(fit), size_px):
        return None
    held_px, held_mm = _held_out(views, size_px, flags, fit)
    worth = simpler is None or held_px < BETTER * simpler.held_px
    return _Tried(model, flags, fit, held_px, held_mm) if worth else None


def _fit(views: Sequence[View], size_px: tuple[int, int], flags: int, start: _Fit | None) -> _Fit:
    usual = Lens.usual(*size_px)
    matrix, bend = (usual.matrix, np.zeros(8)) if start is None else (start.matrix.copy(), start.bend.copy())
    solid = [np.column_stack([v.drawn_mm, np.zeros(len(v.drawn_mm))]).astype(np.float32) for v in views]
    seen = [np.asarray(v.seen_px, np.float32).reshape(-1, 1, 2) for v in views]
    size = 8 if flags & cv2.CALIB_RATIONAL_MODEL else 5
    try:
        _, found, bent, _, _, off, _, view_rms = cv2.calibrateCameraExtended(
            solid, seen, size_px, matrix, bend[:size], flags=flags
        )
    except cv2.error as error:
        raise CalibrationError("the views do not show one flat page; take others") from error
    coefficients = np.append(np.asarray(bent, float), np.zeros(8))[:8]
    return _Fit(np.asarray(found, float), coefficients, np.ravel(off), np.ravel(view_rms))


def _held_out(views: Sequence[View], size_px: tuple[int, int], flags: int, start: _Fit) -> tuple[float, float]:
    """Root mean square, px and mm at the board, of views that the fit has not seen; only their poses are fitted."""
    off_px, off_mm = [], []
    for fold in range(FOLDS):
        fit = _fit([view for k, view in enumerate(views) if k % FOLDS != fold], size_px, flags, start)
        for view in views[fold::FOLDS]:
            off, distance_mm = _off(view, fit)
            off_px.append(off)
            off_mm.append(off * distance_mm / fit.matrix[0, 0])
    return rms(np.vstack(off_px)), rms(np.vstack(off_mm))


def _off(view: View, fit: _Fit) -> tuple[Points, float]:
    """How far the corners are off where the lens has them, and how far away the board is, mm."""
    solid = np.column_stack([view.drawn_mm, np.zeros(len(view.drawn_mm))])
    _, turn, shift = cv2.solvePnP(solid, view.seen_px, fit.matrix, fit.bend, flags=cv2.SOLVEPNP_ITERATIVE)
    expected = as_points(cv2.projectPoints(solid, turn, shift, fit.matrix, fit.bend)[0])
    return np.asarray(view.seen_px - expected), float(np.ravel(shift)[2])


def _lens(fit: _Fit) -> Lens:
    k1, k2, _, _, k3, k4, k5, k6 = (float(k) for k in fit.bend)
    more = [k2, k3, k4, k5, k6]
    while more and more[-1] == 0:
        more.pop()
    centre = (float(fit.matrix[0, 2]), float(fit.matrix[1, 2]))
    return Lens(centre, float(fit.matrix[0, 0]), k1, tuple(more))


def _sound(lens: Lens, size_px: tuple[int, int]) -> bool:
    """Whether the model can be inverted all the way to the corners of the picture."""
    width, height = size_px
    corners = np.array([(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)], float)
    return bool(np.abs(lens.distort(lens.undistort(corners)) - corners).max() < 0.5)
