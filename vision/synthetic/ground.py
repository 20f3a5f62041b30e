"""Table top and sheet in camera pixels, lit: all of the picture that has no height."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout
from calibration.sheets import top_view
from vision.synthetic.conditions import Conditions
from vision.synthetic.light import Light
from vision.synthetic.shading import Codes, encoded
from vision.synthetic.surface import F32, Picture, printed, table_top
from vision.synthetic.view import Lie, View

_SHEET_SCALE = 3.0
"""Pixels a millimetre of the printed sheet."""
_TOP_SCALE = 1.7
_FULL = 65535
_COARSE = 8
"""Pixels between the nodes at which the lens is solved."""
_BAND = 120
"""Rows worked on at a time."""


@dataclass(frozen=True, slots=True)
class _Fields:
    """The light on the table at each pixel, shape (height, width): the vignette is in it already."""

    ambient: F32
    lamp: F32
    sheen: F32


class Ground:
    """Renders the table without anything on it."""

    def __init__(
        self, layout: Layout, conditions: Conditions, view: View, light: Light, rng: np.random.Generator
    ) -> None:
        self._sheet_mm = layout.size_mm
        self._view, self._light = view, light
        # Kept small: half precision and 16 bits are plenty for print and wood.
        self._sheet = np.asarray(printed(_top_view(layout), _SHEET_SCALE, rng).clip(0, 1) * _FULL, np.uint16)
        plane = _plane(view, 1)
        self._top = _seen_top(conditions, plane, rng).astype(np.float16)
        self._fields = _fields(conditions, view, light, plane)
        self._albedo: tuple[Lie, int, Picture] | None = None

    def lit(self, lie: Lie, lamp: float, fine: int) -> Codes:
        """The empty table.

        Args:
            lie: of the sheet.
            lamp: factor on the lamp's light.
            fine: samples a pixel side for the sheet's print.
        """
        if self._albedo is None or self._albedo[:2] != (lie, fine):
            self._albedo = (lie, fine, self._reflectance(lie, fine))
        albedo, fields = self._albedo[2], self._fields
        codes = np.empty(albedo.shape, np.uint8)
        for channel in range(3):
            lamp_here = np.float32(self._light.lamp_bgr[channel] * lamp)
            light = fields.ambient * np.float32(self._light.ambient_bgr[channel]) + fields.lamp * lamp_here
            codes[..., channel] = np.rint(encoded(albedo[..., channel] * light + fields.sheen * lamp_here))
        return codes

    def _reflectance(self, lie: Lie, fine: int) -> Picture:
        albedo = self._top.astype(np.float32)
        for first in range(0, len(albedo), _BAND):
            band = albedo[first : first + _BAND]
            self._lay_sheet(band, _plane(self._view, fine, slice(first, first + _BAND)), lie)
        return albedo

    def _lay_sheet(self, albedo: Picture, plane: F32, lie: Lie) -> None:
        frame = np.array(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)))
        origin, x, y = lie.to_sheet(frame, self._sheet_mm) * _SHEET_SCALE - 0.5
        at = cv2.transform(plane, np.column_stack([x - origin, y - origin, origin]))
        stored = cv2.remap(self._sheet, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        sheet = stored * np.float32(1 / _FULL)
        half = np.array((self._sheet.shape[1], self._sheet.shape[0]), np.float32) / 2
        beyond = np.maximum(np.abs(at - (half - np.float32(0.5))) - half, 0)
        off_mm = np.asarray(cv2.magnitude(beyond[..., 0], beyond[..., 1]) / _SHEET_SCALE, np.float32)
        size = (albedo.shape[1], albedo.shape[0])
        inside = np.asarray(off_mm == 0, np.float32)
        sheet[inside == 0] = 0
        sheet, inside, off_mm = (
            np.asarray(cv2.resize(v, size, interpolation=cv2.INTER_AREA), np.float32) for v in (sheet, inside, off_mm)
        )
        # The table right beside the sheet lies in its small shadow.
        albedo *= ((1 - inside) * (1 - 0.35 * np.exp(-off_mm / 2.2)))[..., None]
        albedo += sheet


@lru_cache(maxsize=2)
def _top_view(layout: Layout) -> NDArray[np.uint8]:
    """Drawn once: it takes longer than everything else together."""
    return top_view(layout, _SHEET_SCALE)


def vignette(share: float, size_px: tuple[int, int], x_px: F32 | float, y_px: F32 | float) -> F32:
    """What the lens leaves of the light at these pixels."""
    diagonal = np.hypot(*size_px) / 2
    x, y = (x_px - size_px[0] / 2) / diagonal, (y_px - size_px[1] / 2) / diagonal
    return np.asarray(1 - share * (x * x + y * y) ** 1.3, np.float32)


def _seen_top(conditions: Conditions, plane: F32, rng: np.random.Generator) -> Picture:
    low, high = plane.reshape(-1, 2).min(0), plane.reshape(-1, 2).max(0)
    width, height = (int(v) + 4 for v in (high - low) * _TOP_SCALE)
    top = table_top(conditions.table_top, (height, width), _TOP_SCALE, rng)
    at = (plane - low) * np.float32(_TOP_SCALE)
    seen = cv2.remap(top, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(seen, np.float32)


def _fields(conditions: Conditions, view: View, light: Light, plane: F32) -> _Fields:
    width, height = view.size_px
    x, y = np.arange(width, dtype=np.float32)[None, :], np.arange(height, dtype=np.float32)[:, None]
    dark = vignette(conditions.vignette, view.size_px, x, y)
    ambient, lamp = light.field(plane)
    here = np.concatenate([plane, np.zeros_like(plane[..., :1])], axis=-1)
    half = np.zeros_like(here)
    for source in (view.eye_mm, light.at_mm):
        way = source.astype(np.float32) - here
        half += way / np.sqrt(np.sum(way * way, axis=-1, keepdims=True))
    # Blinn-Phong: paper and varnish mirror the lamp.
    upright = half[..., 2] / np.sqrt(np.sum(half * half, axis=-1))
    return _Fields(ambient * dark, lamp * dark, np.float32(conditions.sheen) * upright**60 * lamp * dark)


def _plane(view: View, fine: int, rows: slice = slice(None)) -> F32:
    """The point of the table that each (sub)pixel of the rows sees, shape (height * fine, width * fine, 2).

    Solved on a coarse grid and interpolated, for a lens is smooth.
    """
    width, height = view.size_px
    first, last, _ = rows.indices(height)
    xs, ys = (np.arange(low // _COARSE - 2, high // _COARSE + 3) for low, high in ((0, width), (first, last)))
    nodes = np.stack(np.meshgrid((xs + 0.5) * _COARSE - 0.5, (ys + 0.5) * _COARSE - 0.5), axis=-1)
    spread = _COARSE * fine
    grid = view.on_plane(nodes).astype(np.float32)
    points = cv2.resize(grid, None, fx=spread, fy=spread, interpolation=cv2.INTER_CUBIC)
    top, left = fine * first - int(ys[0]) * spread, -int(xs[0]) * spread
    return np.asarray(points[top : top + fine * (last - first), left : left + fine * width], np.float32)
