"""Solids and their shadows as patches of the picture."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.light import LightAt
from vision.synthetic.solids import F32, Solid
from vision.synthetic.view import View

RANGE = 1.7
"""The brightest linear light that the encoded picture holds."""
_TOP = 235.0

Codes = NDArray[np.uint8]
"""A picture in the table's own code: the square root of linear light, blue green red."""


@dataclass(frozen=True, slots=True)
class Patch:
    """Something small to lay over the picture."""

    left: int
    top: int
    codes: F32
    """Shape (height, width, 3), in the picture's own code."""
    cover: F32
    """How much of each pixel it hides, shape (height, width, 1)."""


@dataclass(frozen=True, slots=True)
class Dimming:
    """A shadow to lay over the picture."""

    left: int
    top: int
    factor: F32
    """Of the codes, shape (height, width, 3)."""


def encoded(light: NDArray[np.float32] | NDArray[np.float64]) -> F32:
    """Linear light in the picture's own code, unrounded."""
    return np.asarray(np.sqrt(np.minimum(np.maximum(light, 0), RANGE) / RANGE) * _TOP, np.float32)


def decoding() -> NDArray[np.float64]:
    """Linear light of each of the 256 codes."""
    return np.linspace(0, 255 / _TOP, 256) ** 2 * RANGE


def seen_solid(
    solid: Solid,
    middle_mm: tuple[float, float, float],
    turned: NDArray[np.float64],
    view: View,
    light: LightAt,
    fine: int,
) -> Patch:
    """Render one solid.

    Args:
        solid: what to render.
        middle_mm: where its middle is, (x, y, height) in the table frame.
        turned: rotation from the solid's frame to the table's, heights up, shape (3, 3).
        view: the camera.
        light: the light at the solid.
        fine: samples a pixel side.
    """
    stretch = view.stretch(middle_mm)
    px = view.project(middle_mm)
    reach_px = np.linalg.norm(stretch, axis=1) * solid.reach * 1.35 + 2
    left, top = (int(v) for v in np.floor(px - reach_px))
    width, height = (int(v) for v in np.ceil(2 * reach_px) + 1)
    xs = (np.arange(width * fine) + 0.5) / fine - 0.5 + left - px[0]
    ys = (np.arange(height * fine) + 0.5) / fine - 0.5 + top - px[1]
    offsets = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2) @ np.linalg.inv(stretch).T
    sight = view.sight(middle_mm)
    start = np.concatenate([offsets, np.zeros((len(offsets), 1))], axis=1)
    struck = solid.strike((start @ turned).astype(np.float32), (sight @ turned).astype(np.float32))
    colour = np.zeros((len(start), 3), np.float32)
    at, normal = struck.at[struck.hit], struck.normal[struck.hit] @ turned.T.astype(np.float32)
    above = (at @ turned[2].astype(np.float32) + middle_mm[2]) / max(middle_mm[2], 1.0)
    colour[struck.hit] = _lit(solid.paint(at), normal, above, sight, light, solid.gloss)
    cover = struck.hit.astype(np.float32)
    stack = np.concatenate([encoded(colour) * cover[:, None], cover[:, None]], axis=1)
    small = stack.reshape(height, fine, width, fine, 4).mean(axis=(1, 3))
    return Patch(left, top, small[..., :3] / np.maximum(small[..., 3:], 1e-6), small[..., 3:])


def shadow(
    outline_mm: NDArray[np.float64], height_mm: float, view: View, light: LightAt, *, contact: bool = True
) -> Dimming | None:
    """The shadow that a convex outline throws on the table.

    Args:
        outline_mm: the foot of the body in the table frame, shape (n, 2).
        height_mm: of the body's upper edge.
        view: the camera.
        light: the light where it stands.
        contact: whether the body touches the table and darkens it right at its foot.
    """
    if light.towards[2] < 0.1:
        return None
    lean = -light.towards[:2] / light.towards[2] * height_mm
    foot = view.project(np.concatenate([outline_mm, np.zeros((len(outline_mm), 1))], axis=1))
    head = view.project(np.concatenate([outline_mm + lean, np.zeros((len(outline_mm), 1))], axis=1))
    scale = float(np.sqrt(abs(np.linalg.det(view.stretch((*outline_mm.mean(axis=0), 0.0))))))
    soft_px = max(0.5, light.penumbra * height_mm * scale * 0.35)
    points = np.concatenate([foot, head]) if contact else head
    pad = 3 * soft_px + 0.25 * height_mm * scale + 3
    low, high = np.floor(np.minimum(points, foot[:1]).min(0) - pad), np.ceil(np.maximum(points, foot[:1]).max(0) + pad)
    size = (int(high[1] - low[1]), int(high[0] - low[0]))
    mask = _soft_hull(points - low, size, soft_px)
    lamp = light.lamp * light.towards[2]
    dim = 1 - 0.94 * mask[..., None] * (lamp / light.flat).astype(np.float32)
    if contact:
        dim = dim * (1 - 0.4 * _soft_hull(foot - low, size, max(0.6, 0.13 * height_mm * scale))[..., None])
    return Dimming(int(low[0]), int(low[1]), np.sqrt(np.maximum(dim, 0)).astype(np.float32))


def lay(picture: Codes, patch: Patch) -> None:
    """Lay a patch over the picture."""
    window, inner = _clipped(picture, patch.left, patch.top, patch.cover.shape)
    if window.size:
        cover = patch.cover[inner]
        window[:] = np.rint(window + (patch.codes[inner] - window) * cover)


def dim(picture: Codes, shade: Dimming) -> None:
    """Lay a shadow over the picture."""
    window, inner = _clipped(picture, shade.left, shade.top, shade.factor.shape)
    if window.size:
        window[:] = np.rint(window * shade.factor[inner])


def _lit(colour: F32, normal: F32, above: F32, sight: NDArray[np.float64], light: LightAt, gloss: float) -> F32:
    """Lambert and Blinn-Phong (Blinn 1977); the sky is a half sphere, the foot is darker."""
    up = normal[:, 2]
    sky = (0.62 + 0.38 * up) * (0.55 + 0.45 * np.clip(above, 0, 1))
    facing = np.maximum(normal @ light.towards.astype(np.float32), 0)
    diffuse = colour * (sky[:, None] * light.ambient + facing[:, None] * light.lamp)
    half = light.towards - sight
    half /= np.linalg.norm(half)
    sharpness = 12 + 160 * gloss
    shine = np.maximum(normal @ half.astype(np.float32), 0) ** sharpness * gloss * 1.5
    rim = 0.04 + 0.3 * (1 - np.abs(normal @ sight.astype(np.float32))) ** 4
    return np.asarray(
        diffuse + shine[:, None] * light.lamp + (gloss * rim * (0.5 + 0.5 * up))[:, None] * light.ambient * 0.5,
        np.float32,
    )


def _soft_hull(points_px: NDArray[np.float64], size: tuple[int, int], soft_px: float) -> F32:
    hull = cv2.convexHull(np.asarray(points_px, np.float32).reshape(-1, 2)).reshape(-1, 2)
    mask = np.zeros(size, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), soft_px), np.float32)


def _clipped(
    picture: Codes, left: int, top: int, shape: tuple[int, ...]
) -> tuple[NDArray[np.uint8], tuple[slice, slice]]:
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + shape[1], picture.shape[1]), min(top + shape[0], picture.shape[0])
    inner = (slice(y0 - top, max(y1, y0) - top), slice(x0 - left, max(x1, x0) - left))
    return picture[y0 : max(y1, y0), x0 : max(x1, x0)], inner
