"""Hands and sleeves, lit, and warped into the picture."""

from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.light import LightAt
from vision.synthetic.limbs import CLOTH, HALF, LEFT, NAIL, RIGHT, SCALE, SIZE, Pose, Shape, shape
from vision.synthetic.shading import Codes, encoded
from vision.synthetic.surface import F32, clouds, linear
from vision.synthetic.view import Floats, Lie, View

Colour = tuple[float, float, float]
"""Linear reflectance, blue green red."""


@dataclass(frozen=True, slots=True)
class Owner:
    """What somebody's arm looks like."""

    skin: Colour
    sleeve: Colour
    stripes: Colour | None
    bare: bool
    """In a short sleeve."""
    left_handed: bool


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the table at one moment."""

    owner: Owner
    pose: Pose
    at_mm: tuple[float, float]
    """Of the grip, in the sheet's frame."""
    height_mm: float
    """Of the grip above the table."""
    angle_deg: float
    """Where the fingers point, clockwise from the sheet's x axis."""
    smear_mm: tuple[float, float] = (0.0, 0.0)
    """Way during the exposure, along and across the arm."""
    shaded_deg: float = 0.0
    """The angle for which its light and shade are computed: one for a whole reach."""


def owner_of(rng: np.random.Generator) -> Owner:
    """Anybody, from the whole range of human skin (the ten tones of the Monk scale, 2019)."""
    at = rng.uniform(0, len(_MONK) - 1)
    low, share = int(at), at % 1
    tone = linear(np.array(_MONK[low : low + 2], np.float32)[:, ::-1])
    # The scale is of swatches; hands are lit through blood.
    skin = (tone[0] * (1 - share) + tone[1] * share) * (0.70, 0.80, 1.02)
    hsv = np.array([[[rng.integers(180), rng.integers(20, 200), rng.integers(30, 235)]]], np.uint8)
    sleeve = linear(np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.uint8))
    stripes = _colour(np.roll(sleeve, 1) * 0.4 + 0.3) if rng.random() < 0.25 else None
    return Owner(_colour(skin), _colour(sleeve), stripes, bool(rng.random() < 0.2), bool(rng.random() < 0.12))


def lay_hand_shadow(
    picture: Codes, hand: Hand, lie: Lie, size_mm: tuple[float, float], view: View, light: LightAt
) -> None:
    """Darken the table where the hand keeps the lamp off."""
    if light.towards[2] < 0.15:
        return
    lifted = hand.height_mm + 22
    corners = _canvas_corners_mm(hand, lie, size_mm, near=0.0, far=0.0)
    corners[:, :2] -= light.towards[:2] / light.towards[2] * lifted
    soft_px = 1.2 + light.penumbra * lifted * 0.3
    window, warp = _warp(picture, view.project(corners), pad=round(3 * soft_px) + 2, shrink=4)
    if window.size == 0:
        return
    small = (-(-window.shape[1] // 4), -(-window.shape[0] // 4))
    cover = cv2.warpPerspective(shape(hand.owner.left_handed, hand.pose, hand.owner.bare).cover, warp, small)
    cover = cv2.GaussianBlur(cover, (0, 0), max(0.5, soft_px / 4 + abs(hand.smear_mm[0]) * 0.05))
    share = (light.lamp * light.towards[2] / light.flat).astype(np.float32)
    dim = 1 - 0.93 / 255 * cover[..., None].astype(np.float32) * share
    factor = (np.sqrt(dim) * 255).astype(np.uint8)
    factor = cv2.resize(factor, (small[0] * 4, small[1] * 4))[: window.shape[0], : window.shape[1]]
    window[:] = cv2.multiply(window, np.ascontiguousarray(factor), scale=1 / 255)


def lay_hand(
    picture: Codes, hand: Hand, lie: Lie, size_mm: tuple[float, float], view: View, light: LightAt, here: LightAt
) -> None:
    """Lay the hand itself over the picture.

    Shaded once by the ``light`` in the middle of the table, then made brighter or darker by what there is ``here``.
    """
    turn = round(hand.shaded_deg / 20) * 20
    key = tuple(round(float(v), 3) for v in (*light.towards, *light.lamp, *light.ambient))
    sprite = _sprite(hand.owner, hand.pose, turn, key)
    smear = [2 * round(abs(way) * SCALE / 2) + 1 for way in hand.smear_mm]
    if max(smear) > 3:
        sprite = np.asarray(cv2.blur(sprite, (smear[0], smear[1])), np.uint8)
    corners = _canvas_corners_mm(hand, lie, size_mm, near=hand.height_mm + 14, far=hand.height_mm + 75)
    window, warp = _warp(picture, view.project(corners), pad=2, shrink=1)
    if window.size == 0:
        return
    layer = cv2.warpPerspective(sprite, warp, (window.shape[1], window.shape[0]))
    clear = 255 - layer[..., 3]
    brighter = float(np.sqrt(here.flat.sum() / light.flat.sum()))
    lit = cv2.convertScaleAbs(cv2.cvtColor(layer, cv2.COLOR_BGRA2BGR), alpha=brighter)
    window[:] = cv2.add(cv2.multiply(window, cv2.merge([clear, clear, clear]), scale=1 / 255), lit)


@lru_cache(maxsize=8)
def _sprite(owner: Owner, pose: Pose, turn_deg: int, light_key: tuple[float, ...]) -> Codes:
    """The lit arm, premultiplied codes and cover, shape (height, width, 4)."""
    form = shape(owner.left_handed, pose, owner.bare)
    towards, lamp, ambient = (np.array(light_key[i : i + 3], np.float32) for i in (0, 3, 6))
    slope_x, slope_y = (cv2.Sobel(form.height, cv2.CV_32F, dx, 1 - dx, scale=SCALE / 8) for dx in (1, 0))
    steep = 1 / np.sqrt(slope_x**2 + slope_y**2 + 1)
    c, s = np.cos(np.radians(turn_deg), dtype=np.float32), np.sin(np.radians(turn_deg), dtype=np.float32)
    x, y, z = c * towards[0] + s * towards[1], c * towards[1] - s * towards[0], towards[2]
    facing = np.maximum((z - slope_x * x - slope_y * y) * steep, 0)
    hollow = np.clip((form.height - cv2.blur(form.height, (31, 31))) / 26, -0.45, 0)
    sky = (0.55 + 0.45 * steep) * (1 + hollow)
    # Blinn-Phong with the eye straight above.
    half = np.array((x, y, z + 1), np.float32) / np.float32(np.sqrt(2 + 2 * z))
    shine = np.maximum((half[2] - slope_x * half[0] - slope_y * half[1]) * steep, 0) ** 24
    shine *= np.array((0.045, 0.12, 0.0), np.float32)[form.kind]
    paint = _paint(owner, form)
    lit = cv2.merge([paint[..., i] * (sky * ambient[i] + facing * lamp[i]) + shine * lamp[i] for i in range(3)])
    cover = form.cover[..., None].astype(np.float32)
    return np.concatenate([encoded(np.asarray(lit, np.float32)) * (cover / 255), cover], axis=2).astype(np.uint8)


def _paint(owner: Owner, form: Shape) -> F32:
    mottles, threads = _textures()
    # Joints and finger tips are redder: less melanin, more blood.
    red = np.clip(form.height / 40, 0, 1) - 0.4
    blushes = (-0.16, -0.13, 0.06)
    colour = cv2.merge([tone * (mottles + red * blush) for tone, blush in zip(owner.skin, blushes, strict=True)])
    colour[form.kind == NAIL] = np.clip(np.array(owner.skin) * (1.05, 0.98, 1.02) + 0.06, 0, 0.9)
    cloth = np.tile(np.array(owner.sleeve, np.float32), (SIZE[1], 1))
    if owner.stripes is not None:
        cloth[(np.arange(SIZE[1]) // round(11 * SCALE)) % 3 == 0] = owner.stripes
    rows, columns = np.nonzero(form.kind == CLOTH)
    colour[rows, columns] = cloth[columns] * threads[rows, columns, None]
    return np.asarray(colour, np.float32)


@cache
def _textures() -> tuple[F32, F32]:
    """Factors on skin and on cloth, in the canvas's size."""
    rng = np.random.default_rng(11)
    skin = 1 + 0.05 * clouds(rng, SIZE, (9, 9), 2) + 0.04 * clouds(rng, SIZE, (60, 60), 2)
    return skin, 1 + 0.06 * clouds(rng, SIZE, (3, 3), 1)


_ANCHOR = -330.0
"""Where along the arm the far pair of canvas points is taken: near enough to be in front of every lens."""


def _canvas_corners_mm(hand: Hand, lie: Lie, size_mm: tuple[float, float], near: float, far: float) -> Floats:
    """Four points of the canvas on the table, (x, y, height): two at the fingers, two at the forearm."""
    c, s = np.cos(np.radians(hand.angle_deg)), np.sin(np.radians(hand.angle_deg))
    canvas = np.array(((RIGHT, -HALF), (RIGHT, HALF), (_ANCHOR, HALF), (_ANCHOR, -HALF)))
    points = canvas @ np.array(((c, s), (-s, c))) + hand.at_mm
    heights = np.array((near, near, far, far))[:, None]
    return np.concatenate([lie.to_table(points, size_mm), heights], axis=1)


def _warp(picture: Codes, corners_px: Floats, pad: int, shrink: int) -> tuple[Codes, NDArray[np.float64]]:
    """The window of the picture that the canvas touches and the homography from canvas to (shrunken) window."""
    height, width = SIZE
    anchor = (_ANCHOR - LEFT) * SCALE
    canvas = np.array(((width, 0), (width, height), (anchor, height), (anchor, 0)), np.float32)
    warp = np.asarray(cv2.getPerspectiveTransform(canvas, np.asarray(corners_px, np.float32).reshape(-1, 2)))
    rim = np.array(((0, 0, 1), (width, 0, 1), (width, height, 1), (0, height, 1)), float) @ warp.T
    at = rim[:, :2] / rim[:, 2:]
    limit = np.array((picture.shape[1], picture.shape[0]))
    low = np.clip(np.floor(at.min(0)) - pad, 0, limit).astype(int)
    high = np.clip(np.ceil(at.max(0)) + pad, 0, limit).astype(int)
    shift = np.array(((1 / shrink, 0, -low[0] / shrink), (0, 1 / shrink, -low[1] / shrink), (0, 0, 1)))
    return picture[low[1] : high[1], low[0] : high[0]], shift @ warp


def _colour(bgr: NDArray[np.float64] | NDArray[np.float32]) -> Colour:
    blue, green, red = (float(v) for v in bgr)
    return blue, green, red


_MONK = [
    (246, 237, 228),
    (243, 231, 219),
    (247, 234, 208),
    (234, 218, 186),
    (215, 189, 150),
    (160, 126, 86),
    (130, 92, 67),
    (96, 65, 52),
    (58, 49, 42),
    (41, 36, 32),
]
