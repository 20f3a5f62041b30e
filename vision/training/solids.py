"""Beans, pebbles and dice as small ray-cast solids: the objects of the training pictures.

Everything is orthographic and in object units (a bean's half length, a die's half edge is 1); colours are linear
red, green, blue. Source of the shading: Blinn, Models of light reflection (SIGGRAPH 1977).
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Colour = tuple[float, float, float]
STEPS = 26
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class Light:
    """One scene's light; directions are unit vectors towards the light, z up."""

    direction: Floats
    colour: Floats
    ambient: Floats
    window: Floats | None
    """Where a rectangular highlight comes from, if there is one."""
    window_size: float


@dataclass(frozen=True, slots=True)
class Sprite:
    """One object as the camera sees it, without the ground."""

    colour: Floats
    """Linear, shape (n, n, 3)."""
    alpha: Floats
    """Shape (n, n), 0 to 1."""


@dataclass(frozen=True, slots=True)
class Bean:
    """Proportions and paint of one bean."""

    width: float
    thickness: float
    bend: float
    power: float
    base: Colour
    speckle: Colour | None
    mark: Colour
    mark_radius: float
    drilled: bool
    hilum: Colour | None
    gloss: float
    sharpness: float
    bumps: float
    seed: int


@dataclass(frozen=True, slots=True)
class Die:
    """Shape and paint of one die. ``faces``: values at +x, -x, +y, -y, +z, -z."""

    faces: tuple[int, int, int, int, int, int]
    rounding: float
    base: Colour
    pip: Colour
    one: Colour
    pip_radius: float
    pip_spread: float
    drilled: float
    translucent: float
    gloss: float
    sharpness: float
    worn: float
    marbling: float
    swirl: Colour | None
    """A second colour that runs through it."""
    seed: int


def view_axes(tilt: float, azimuth: float) -> Floats:
    """Rows: image right, image down, towards the camera; world x right, y down, z up (radians)."""
    lean = rotation((1, 0, 0), tilt)
    return np.asarray((rotation((0, 0, 1), azimuth) @ lean).T, np.float32)


def rotation(axis: tuple[float, float, float], angle: float) -> Floats:
    """Rotation matrix about an axis (Rodrigues)."""
    direction = np.asarray(axis, np.float64)
    return np.asarray(cv2.Rodrigues(direction / np.linalg.norm(direction) * angle)[0], np.float32)


def noise(rng: Generator, size: tuple[int, int], cell: float) -> Floats:
    """Smooth noise about 0 with deviation about 1; ``cell`` is its grain in pixels."""
    height, width = size
    small = rng.standard_normal((max(2, round(height / cell) + 1), max(2, round(width / cell) + 1)))
    return np.asarray(cv2.resize(small.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def render_bean(bean: Bean, pose: Floats, view: Floats, light: Light, half: float, pixels: int, marked: bool) -> Sprite:
    """Render one bean. ``pose`` turns object into world axes; the patch spans -half..half object units."""

    def surface(p: Floats) -> Floats:
        x, y, z = p[..., 0], p[..., 1], p[..., 2]
        bent = (y - bean.bend * (x * x - 0.4)) / bean.width
        return np.asarray(np.abs(x) ** bean.power + bent * bent + (z / bean.thickness) ** 2 - 1, np.float32)

    hit, alpha = _cast(surface, pose, view, half, pixels)
    normal = _gradient(surface, hit)
    paint = bean_paint(bean, hit, marked)
    if bean.bumps:
        normal = _unit(normal + bean.bumps * paint.wrinkle[..., None] * np.asarray([0.7, -0.6, 0.3], np.float32))
    albedo = paint.albedo
    if bean.drilled:
        rim = paint.off_mark[..., :1] * light.direction[0] + paint.off_mark[..., 1:] * light.direction[1]
        albedo = albedo * (1 - paint.mark[..., None] * np.clip(0.25 + 2.5 * rim, 0, 0.75))
    gloss = np.asarray(bean.gloss * (1 - 0.8 * paint.mark), np.float32)
    return Sprite(_shade(albedo, normal, pose, view, light, gloss, bean.sharpness), alpha)


@dataclass(frozen=True, slots=True)
class Paint:
    """What a solid's skin looks like at points on it."""

    albedo: Floats
    """Linear, shape (..., 3)."""
    mark: Floats
    """How much of the point is mark or pip, 0 to 1, shape (...)."""
    off_mark: Floats
    """Where the point lies from the middle of its mark or pip, along the skin, shape (..., 2)."""
    wrinkle: Floats
    """Height of the skin's unevenness, deviation about 1, shape (...)."""


def bean_paint(bean: Bean, p: Floats, marked: bool) -> Paint:
    """Colours at points on a bean's skin; ``p`` in object units, shape (..., 3)."""
    rng = np.random.default_rng(bean.seed)
    grain = noise(rng, (64, 64), 4)
    where = ((p[..., :2] + 0.4 * p[..., 2:]) * 18 + 32).astype(np.float32)
    texture = _lookup(grain, where)
    albedo = np.broadcast_to(np.asarray(bean.base, np.float32), p.shape) * (1 + 0.08 * texture)[..., None]
    if bean.speckle is not None:
        spots = 1 / (1 + np.exp(-6 * (_lookup(grain, where * np.float32(rng.uniform(1.5, 3)) + 7) - 0.5)))
        albedo = albedo * (1 - spots[..., None]) + np.asarray(bean.speckle, np.float32) * spots[..., None]
    if bean.hilum is not None:
        eye = (p[..., 0] / 0.22) ** 2 + (p[..., 2] / 0.09) ** 2
        spot = ((eye < 1) & (p[..., 1] < -0.3 * bean.width)).astype(np.float32)[..., None]
        albedo = albedo * (1 - spot) + np.asarray(bean.hilum, np.float32) * spot
    offset = rng.uniform(-0.18, 0.18, 2)
    off = np.stack([p[..., 0] - offset[0], p[..., 1] - offset[1] * bean.width + 0.4 * bean.bend], axis=-1)
    mark = np.zeros(p.shape[:-1], np.float32)
    if marked:
        ragged = 1 + 0.12 * texture
        edge = (bean.mark_radius * ragged - np.hypot(off[..., 0], off[..., 1])) * 18 + 0.5
        mark = np.asarray(np.clip(edge, 0, 1) * (p[..., 2] > 0), np.float32)
        albedo = albedo * (1 - mark[..., None]) + np.asarray(bean.mark, np.float32) * mark[..., None]
    return Paint(
        np.asarray(albedo, np.float32), mark, np.asarray(off, np.float32), _lookup(grain, where * np.float32(1.7) - 22)
    )


def render_die(die: Die, pose: Floats, view: Floats, light: Light, half: float, pixels: int) -> Sprite:
    """Render one die; see :func:`render_bean`."""
    inner = 1 - die.rounding

    def surface(p: Floats) -> Floats:
        x, y, z = (np.abs(p[..., i]) - inner for i in range(3))
        outside = np.sqrt(np.maximum(x, 0) ** 2 + np.maximum(y, 0) ** 2 + np.maximum(z, 0) ** 2)
        inside = np.minimum(np.maximum(np.maximum(x, y), z), 0)
        return np.asarray(outside + inside - die.rounding, np.float32)

    hit, alpha = _cast(surface, pose, view, half, pixels)
    normal = _gradient(surface, hit)
    paint = die_paint(die, hit)
    # A drilled pip is a bowl: its walls lean towards its middle.
    axis = np.abs(hit).argmax(-1)
    bowl = np.zeros_like(normal)
    for along in range(3):
        here = (axis == along)[..., None] * -paint.off_mark
        bowl[..., (along + 1) % 3] += here[..., 0]
        bowl[..., (along + 2) % 3] += here[..., 1]
    normal = _unit(normal + die.drilled * paint.mark[..., None] * bowl / die.pip_radius)
    albedo = paint.albedo
    gloss = np.asarray(die.gloss * (1 - 0.7 * paint.mark), np.float32)
    shaded = _shade(albedo, normal, pose, view, light, gloss, die.sharpness)
    if die.translucent:
        through = die.translucent * (0.6 - 0.4 * hit @ (pose.T @ light.direction))
        shaded = np.asarray(shaded + albedo * through[..., None], np.float32)
    return Sprite(np.maximum(shaded, 0), alpha)


def die_paint(die: Die, p: Floats) -> Paint:
    """Colours at points on a die's skin; see :func:`bean_paint`."""
    rng = np.random.default_rng(die.seed)
    grain = noise(rng, (64, 64), 6)
    where = ((p[..., :2] + 0.6 * p[..., 2:]) * 16 + 32).astype(np.float32)
    texture = _lookup(grain, where)
    albedo = np.asarray(die.base, np.float32) * (1 + die.marbling * texture)[..., None]
    if die.swirl is not None:
        run = 1 / (1 + np.exp(-6 * _lookup(grain, where * np.float32(0.6) + 9)))
        albedo = albedo * (1 - run[..., None]) + np.asarray(die.swirl, np.float32) * run[..., None]
    mark = np.zeros(p.shape[:-1], np.float32)
    off = np.zeros((*p.shape[:-1], 2), np.float32)
    axis = np.abs(p).argmax(-1)
    for face, value in enumerate(die.faces):
        along, sign = face // 2, 1 - 2 * (face % 2)
        here = (axis == along) & (p[..., along] * sign > 0)
        if not here.any():
            continue
        u, v = p[..., (along + 1) % 3], p[..., (along + 2) % 3]
        turned = (die.seed >> face) & 1
        big = 1.5 if value == 1 and die.seed % 3 == 0 else 1.0
        colour = np.asarray(die.one if value == 1 else die.pip, np.float32)
        for px, py in PIPS[value]:
            x, y = (-py, px) if turned else (px, py)
            du, dv = u - x * die.pip_spread, v - y * die.pip_spread
            edge = np.clip((die.pip_radius * big - np.hypot(du, dv)) * 14 + 0.5, 0, 1) * here
            edge = edge * np.clip(1 - die.worn * (0.5 + texture), 0, 1)
            albedo = albedo * (1 - edge[..., None]) + colour * edge[..., None]
            mark = np.maximum(mark, edge)
            off = np.where((edge > 0)[..., None], np.stack([du, dv], axis=-1), off)
    return Paint(np.asarray(albedo, np.float32), np.asarray(mark, np.float32), np.asarray(off, np.float32), texture)


def _lookup(texture: Floats, where: Floats) -> Floats:
    """Texture values at (x, y) positions; beyond its edge it is mirrored."""
    x, y = np.ascontiguousarray(where[..., 0]), np.ascontiguousarray(where[..., 1])
    values = cv2.remap(texture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(values, np.float32).reshape(x.shape)


def _cast(
    surface: Callable[[Floats], Floats], pose: Floats, view: Floats, half: float, pixels: int
) -> tuple[Floats, Floats]:
    """First hits of one ray a pixel, object axes, and how much of each pixel is covered."""
    turn = view @ pose
    line = (np.arange(pixels, dtype=np.float32) + 0.5) / pixels * 2 * half - half
    plane = line[None, :, None] * turn[0] + line[:, None, None] * turn[1]
    depths = np.linspace(half * 1.05, -half * 1.05, STEPS, dtype=np.float32)
    values = surface(plane[None] + depths[:, None, None, None] * turn[2])
    inside = values < 0
    first = np.where(inside.any(0), inside.argmax(0), values.argmin(0))
    after = np.take_along_axis(values, first[None], 0)[0]
    before = np.take_along_axis(values, np.maximum(first - 1, 0)[None], 0)[0]
    share = np.clip(before / np.maximum(before - after, 1e-6), 0, 1)
    step = depths[0] - depths[1]
    depth = depths[first] + step * (1 - share) * inside.any(0)
    hit = plane + depth[..., None] * turn[2]
    alpha = np.clip(0.5 - values.min(0) / (4 * half / pixels) * 0.5, 0, 1)
    return np.asarray(hit, np.float32), np.asarray(alpha, np.float32)


def _gradient(surface: Callable[[Floats], Floats], p: Floats) -> Floats:
    small = np.float32(0.02)
    shift = np.eye(3, dtype=np.float32) * small
    return _unit(np.stack([surface(p + shift[i]) - surface(p - shift[i]) for i in range(3)], -1))


def _unit(v: Floats) -> Floats:
    return np.asarray(v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-6), np.float32)


def _shade(
    albedo: Floats, normal: Floats, pose: Floats, view: Floats, light: Light, gloss: Floats, sharpness: float
) -> Floats:
    world = normal @ pose.T
    diffuse = np.clip(world @ light.direction, 0, 1)[..., None] * light.colour
    sky = (0.55 + 0.45 * world[..., 2:]) * light.ambient
    eye = view[2]
    half_way = _unit(light.direction + eye)
    shine = gloss * np.clip(world @ half_way, 0, 1) ** sharpness
    mirror = 2 * (world @ eye)[..., None] * world - eye
    if light.window is not None:
        sideways = _unit(np.cross(light.window, np.asarray([0.1, 0.2, 1.0], np.float32)))
        upwards = np.cross(light.window, sideways)
        off = np.maximum(np.abs(mirror @ sideways), 1.6 * np.abs(mirror @ upwards))
        pane = 1 / (1 + np.exp(np.clip((off - light.window_size) * 30, -30, 30))) * (mirror @ light.window > 0)
        shine = shine + 0.8 * gloss * pane
    fresnel = 0.25 * gloss * (1 - np.clip(world @ eye, 0, 1)) ** 3
    return np.asarray(albedo * (diffuse + sky) + (shine + fresnel)[..., None] * light.colour, np.float32)
