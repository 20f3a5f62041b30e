"""Throws rendered for training: a ground, beans or dice, things that are neither, light, and a camera's faults."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.camera_faults import photograph
from vision.training.lies import THROWN_KINDS, THROWN_PX_PER_MM, lie_of_bean, lie_of_die, thrown_count
from vision.training.solids import (
    Bean,
    Die,
    Floats,
    Light,
    Sprite,
    render_bean,
    render_die,
    rotation,
    view_axes,
)
from vision.training.styles import bean_style, die_style, distractor, half_lengths
from vision.training.surfaces import surface, tint

SCENE_PX = 320
BEAN_LABELS = ("marked", "plain", "askew", "other")
DIE_LABELS = ("1", "2", "3", "4", "5", "6", "askew", "other")
BEAN_MM, DIE_MM = (5.8, 11.2), (5.5, 9.5)
"""Half a bean's length, half a die's edge."""
VISIBLE_ENOUGH = 0.82
"""Of a silhouette; below it the face is not to be told."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One object in a training picture."""

    kind: Literal["bean", "die", "other"]
    label: str
    centre_px: tuple[float, float]
    size_px: float
    """Square root of the silhouette's area."""
    whole: bool = True
    """False when the picture's edge cuts it."""
    outline_px: tuple[tuple[float, float], ...] = ()
    """Corners of its silhouette, where they are known."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A training picture with its truth."""

    image: NDArray[np.uint8]
    things: tuple[Thing, ...]


@dataclass(slots=True)
class _Canvas:
    linear: Floats
    owner: NDArray[np.int32]
    """Which object shows in each pixel; 0 is the ground."""
    areas: list[float]
    view: Floats
    light: Light


def render(
    rng: Generator, only: Literal["beans", "dice"] | None = None, count: int | None = None, thrown: bool = False
) -> Scene:
    """One random scene of SCENE_PX by SCENE_PX pixels.

    Args:
        only: nothing lies there but these.
        count: so many of them.
        thrown: one throw as it lies on a table, for what is learnt from a throw as a whole; else much at once.
    """
    view = view_axes(abs(rng.normal(0, 0.42)) % 0.85, rng.uniform(0, 2 * np.pi))
    light = _light(rng)
    lift = np.clip(light.direction[2], 0.15, 1) * light.colour + light.ambient
    canvas = _Canvas(surface(rng, SCENE_PX) * lift, np.zeros((SCENE_PX, SCENE_PX), np.int32), [], view, light)
    px_per_mm = float(np.exp(rng.uniform(*np.log(THROWN_PX_PER_MM if thrown else (0.75, 3.3)))))
    truths: list[tuple[Literal["bean", "die", "other"], str]] = []
    kinds = THROWN_KINDS if thrown else (0.62, 0.25, 0.08, 0.05)
    kind = only or rng.choice(["beans", "dice", "mixed", "none"], p=kinds)
    if count is None:
        count = 0 if kind == "none" else thrown_count(rng, kind) if thrown else int(rng.integers(4, 16))
    put: list[tuple[float, float]] = []
    beans, dice = bean_style(rng, thrown), die_style(rng)
    long_mm, edge_mm = half_lengths(rng, BEAN_MM, thrown), half_lengths(rng, DIE_MM, thrown)
    for _ in range(0 if only else int(rng.poisson(0.8 if thrown else 2.2))):
        sprite, half_px = _distractor(rng, canvas, px_per_mm)
        if _place(rng, canvas, sprite, half_px, put, 0.05):
            truths.append(("other", "other"))
    for _ in range(count):
        if kind == "beans" or (kind == "mixed" and rng.random() < 0.5):
            label, sprite, half_px = _bean(rng, canvas, px_per_mm * long_mm(), beans(), thrown)
            truth: tuple[Literal["bean", "die", "other"], str] = ("bean", label)
        else:
            label, sprite, half_px = _die(rng, canvas, px_per_mm * edge_mm(), dice(), thrown)
            truth = ("die", label)
        overlap = 0.3 if rng.random() < 0.04 else 0.02
        if _place(rng, canvas, sprite, half_px, put, overlap, half_px if thrown else 0.0):
            truths.append(truth)
    _crumbs(rng, canvas)
    things = tuple(_things(canvas, truths))
    return Scene(photograph(rng, canvas.linear), things)


def _light(rng: Generator) -> Light:
    height, around = rng.uniform(0.3, 1.45), rng.uniform(0, 2 * np.pi)
    direction = np.asarray(
        [np.cos(height) * np.cos(around), np.cos(height) * np.sin(around), np.sin(height)], np.float32
    )
    warm = rng.uniform(-0.25, 0.4)
    colour = np.asarray([1 + warm, 1, 1 - warm], np.float32) * rng.uniform(0.3, 1.1)
    window = None
    if rng.random() < 0.4:
        window = (
            direction if rng.random() < 0.5 else np.asarray(rng.normal(0, 0.5, 3) + np.asarray([0, 0, 0.9]), np.float32)
        )
        window = np.asarray(window / np.linalg.norm(window), np.float32)
    ambient = np.full(3, rng.uniform(0.15, 0.8), np.float32)
    return Light(direction, colour, ambient, window, float(rng.uniform(0.06, 0.28)))


def _bean(rng: Generator, canvas: _Canvas, half_px: float, bean: Bean, thrown: bool) -> tuple[str, Sprite, float]:
    label, pose, marked = lie_of_bean(rng, canvas.view[2], thrown)
    sprite = _draw(
        lambda half, pixels: render_bean(bean, pose, canvas.view, canvas.light, half, pixels, marked), 1.35, half_px
    )
    return label, sprite, half_px * 1.35


def _die(rng: Generator, canvas: _Canvas, half_px: float, die: Die, thrown: bool) -> tuple[str, Sprite, float]:
    label, pose = lie_of_die(rng, die, thrown)
    sprite = _draw(lambda half, pixels: render_die(die, pose, canvas.view, canvas.light, half, pixels), 1.72, half_px)
    return label, sprite, half_px * 1.72


def _distractor(rng: Generator, canvas: _Canvas, px_per_mm: float) -> tuple[Sprite, float]:
    thing, half_mm, ringed = distractor(rng)
    pose = rotation((0, 0, 1), rng.uniform(0, 6.3)) @ rotation((1, 0, 0), rng.normal(0, 0.1))
    sprite = _draw(
        lambda half, pixels: render_bean(thing, pose, canvas.view, canvas.light, half, pixels, ringed),
        1.1,
        half_mm * px_per_mm,
    )
    return sprite, half_mm * px_per_mm * 1.1


def _draw(render_at: Callable[[float, int], Sprite], half: float, half_px: float) -> Sprite:
    """Render a patch of about 2 x half x half_px pixels, supersampled when small."""
    pixels = max(4, round(2 * half * half_px))
    finer = 2 if pixels < 56 else 1
    coarser = min(1.0, 120 / pixels)
    sprite = render_at(half, max(8, round(pixels * finer * coarser)))
    shrink = cv2.INTER_AREA if finer > 1 else cv2.INTER_LINEAR
    covered = np.dstack([sprite.colour * sprite.alpha[..., None], sprite.alpha])
    covered = cv2.resize(covered, (pixels, pixels), interpolation=shrink)
    return Sprite(np.asarray(covered[..., :3], np.float32), np.asarray(covered[..., 3], np.float32))


def _place(
    rng: Generator,
    canvas: _Canvas,
    sprite: Sprite,
    half_px: float,
    put: list[tuple[float, float]],
    overlap: float,
    rim_px: float = 0.0,
) -> bool:
    """Put a sprite down near the others, with at most ``overlap`` of it over them and its middle ``rim_px`` within.

    Returns:
        False if there is no room.
    """
    pixels = sprite.alpha.shape[0]
    area = float(sprite.alpha.sum())
    for _ in range(25):
        if put and rng.random() < 0.6:
            near = put[int(rng.integers(len(put)))]
            reach = half_px * rng.uniform(0.9, 3.0)
            turn = rng.uniform(0, 2 * np.pi)
            x, y = near[0] + reach * np.cos(turn), near[1] + reach * np.sin(turn)
        else:
            x, y = rng.uniform(0, SCENE_PX, 2)
        if min(x, y) < rim_px or max(x, y) > SCENE_PX - rim_px:
            continue
        left, top = round(x - pixels / 2), round(y - pixels / 2)
        x0, y0, x1, y1 = max(0, left), max(0, top), min(SCENE_PX, left + pixels), min(SCENE_PX, top + pixels)
        if x1 - x0 < 4 or y1 - y0 < 4:
            continue
        inner = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
        alpha, colour = sprite.alpha[inner], sprite.colour[inner]
        window = (slice(y0, y1), slice(x0, x1))
        if float(((canvas.owner[window] > 0) * alpha).sum()) > overlap * area:
            continue
        _shadow(rng, canvas, sprite, left, top, half_px)
        canvas.linear[window] = canvas.linear[window] * (1 - alpha[..., None]) + colour
        canvas.owner[window][alpha > 0.5] = len(canvas.areas) + 1
        canvas.areas.append(area)
        put.append((left + pixels / 2, top + pixels / 2))
        return True
    return False


def _shadow(rng: Generator, canvas: _Canvas, sprite: Sprite, left: int, top: int, half_px: float) -> None:
    """A cast shadow away from the light and a dark contact line; only on the ground."""
    pixels = sprite.alpha.shape[0]
    pad = int(min(1.2 * half_px, 60)) + 4
    mask = cv2.copyMakeBorder(sprite.alpha, pad, pad, pad, pad, cv2.BORDER_CONSTANT)
    direction = canvas.light.direction
    away = canvas.view[:2] @ np.asarray([-direction[0], -direction[1], 0], np.float32)
    reach = 0.55 * half_px / max(0.25, float(direction[2]))
    cast = np.zeros_like(mask)
    for share in (0.25, 0.5, 0.75, 1.0):
        shift = np.asarray([[1, 0, away[0] * reach * share], [0, 1, away[1] * reach * share]], np.float32)
        cast = np.maximum(cast, cv2.warpAffine(mask, shift, mask.shape[::-1]))
    soft = max(0.6, half_px * rng.uniform(0.03, 0.25))
    cast = cv2.GaussianBlur(cast, (0, 0), soft)
    contact = cv2.GaussianBlur(mask, (0, 0), max(0.6, half_px * 0.09))
    ground = np.asarray(canvas.light.ambient + direction[2] * canvas.light.colour)
    dark = canvas.light.ambient / ground
    x0, y0 = left - pad, top - pad
    size = pixels + 2 * pad
    a0, b0, a1, b1 = max(0, x0), max(0, y0), min(SCENE_PX, x0 + size), min(SCENE_PX, y0 + size)
    inner = (slice(b0 - y0, b1 - y0), slice(a0 - x0, a1 - x0))
    window = (slice(b0, b1), slice(a0, a1))
    factor = 1 - cast[inner][..., None] * (1 - dark)
    factor = factor * (1 - 0.45 * contact[inner][..., None])
    free = (canvas.owner[window] == 0)[..., None]
    canvas.linear[window] *= np.where(free, factor, 0.35 + 0.65 * factor).astype(np.float32)


def _crumbs(rng: Generator, canvas: _Canvas) -> None:
    if rng.random() < 0.3:
        for _ in range(int(rng.integers(3, 40))):
            at = (int(rng.integers(SCENE_PX)), int(rng.integers(SCENE_PX)))
            colour = [float(c) for c in tint(rng, 0.05, 0.9, 0.5)]
            cv2.circle(canvas.linear, at, int(rng.integers(0, 3)), colour, -1, cv2.LINE_AA)
    if rng.random() < 0.3:
        corners = np.asarray(rng.uniform(-0.5, 1.5, (3, 2)) * SCENE_PX, np.int32)
        mask = cv2.fillConvexPoly(np.zeros((SCENE_PX, SCENE_PX), np.float32), corners, 1.0)
        mask = cv2.GaussianBlur(mask, (0, 0), float(np.exp(rng.uniform(0, 3))))
        canvas.linear *= (1 - rng.uniform(0.2, 0.75) * mask)[..., None]


def _things(canvas: _Canvas, truths: list[tuple[Literal["bean", "die", "other"], str]]) -> list[Thing]:
    found = []
    for number, ((kind, label), area) in enumerate(zip(truths, canvas.areas, strict=True), 1):
        rows, columns = np.nonzero(canvas.owner == number)
        visible = len(rows) / max(area, 1)
        if visible < 0.25:
            continue
        if visible < VISIBLE_ENOUGH and kind != "other":
            label = "askew"
        whole = columns.min() > 0 and rows.min() > 0 and columns.max() < SCENE_PX - 1 and rows.max() < SCENE_PX - 1
        centre = ((columns.min() + columns.max()) / 2.0, (rows.min() + rows.max()) / 2.0)
        found.append(Thing(kind, label, centre, float(np.sqrt(area)), bool(whole)))
    return found
