"""Grounds for the training pictures: wood, cloth, felt, paper, laminate, patterned fabric, printed sheets.

Drawn ones, and where there are any, photographs of ground that :mod:`vision.training.grounds` gathered.
"""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.solids import Floats, noise

PHOTOGRAPHS = Path(".cache/grounds")
"""Pictures of any ground, .jpg; a folder that is missing or empty means drawn grounds only."""
PHOTOGRAPHED = 0.45
"""Share of grounds that are photographs."""


def surface(rng: Generator, size: int) -> Floats:
    """A random ground, linear colours, shape (size, size, 3)."""
    kinds = (wood, felt, weave, paper, laminate, fabric, checks, printed)
    if _photographs() and rng.random() < PHOTOGRAPHED:
        ground = photographed(rng, size)
    else:
        ground = kinds[int(rng.choice(len(kinds), p=[0.16, 0.12, 0.12, 0.13, 0.08, 0.11, 0.14, 0.14]))](rng, size)
    if rng.random() < 0.25:
        other = kinds[int(rng.integers(len(kinds)))](rng, size)
        corners = np.asarray(rng.uniform(-0.2, 1.2, (4, 2)) * size, np.int32)
        mask = cv2.fillConvexPoly(np.zeros((size, size), np.float32), cv2.convexHull(corners), 1.0, cv2.LINE_AA)
        ground = ground * (1 - mask[..., None]) + other * mask[..., None]
        if rng.random() < 0.5:
            ground *= 1 - 0.5 * np.abs(mask - cv2.GaussianBlur(mask, (0, 0), size / 50))[..., None]
    return np.ascontiguousarray(np.clip(ground, 0.002, 1), np.float32)


def photographed(rng: Generator, size: int) -> Floats:
    """A window of a random photograph, turned, enlarged, brightened and at times recoloured."""
    paths = _photographs()
    path = paths[int(rng.integers(len(paths)))]
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError(f"{path} is no picture; gather the grounds again")
    height, width = image.shape[:2]
    fits = size / min(height, width)
    zoom = float(np.exp(rng.uniform(np.log(max(0.5 * fits, 0.35)), np.log(max(2 * fits, 1.5)))))
    turn = cv2.getRotationMatrix2D((rng.uniform(0, width), rng.uniform(0, height)), rng.uniform(0, 360), zoom)
    turn[:, 2] += size / 2 - turn[:, :2] @ [width / 2, height / 2] - turn[:, 2]
    if zoom < 0.8:
        image = cv2.GaussianBlur(image, (0, 0), 0.35 / zoom)
    seen = cv2.warpAffine(image, turn, (size, size), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
    linear = (seen[..., ::-1].astype(np.float32) / 255) ** 2.2
    if rng.random() < 0.3:
        linear = linear[..., rng.permutation(3)]
    bright = np.exp(rng.normal(0, 0.35)) * rng.uniform(0.2, 0.6) / max(0.05, float(linear.mean()))
    return np.asarray(linear * np.clip(bright, 0.4, 2.5), np.float32)


@cache
def _photographs() -> tuple[Path, ...]:
    return tuple(sorted(PHOTOGRAPHS.glob("*.jpg")))


def tint(rng: Generator, low: float = 0.03, high: float = 0.85, saturation: float = 0.6) -> Floats:
    """A random colour, linear, shape (3,)."""
    hue, level = rng.uniform(0, 1), rng.uniform(low, high) ** 1.3
    colour = 0.5 + 0.5 * np.cos(2 * np.pi * (hue + np.asarray([0, 1 / 3, 2 / 3])))
    amount = saturation * rng.beta(1.2, 2)
    return np.asarray(level * (1 - amount + amount * 1.6 * colour), np.float32)


def wood(rng: Generator, size: int) -> Floats:
    """Grain along a random direction, at times planks."""
    big = int(size * 1.5)
    grain = noise(rng, (big, big // int(rng.integers(6, 30))), rng.uniform(2, 5))
    grain = _stretched(grain, big)
    rings = np.sin(_stretched(noise(rng, (big, big // 8), big / 14), big) * rng.uniform(3, 12))
    base = np.asarray([0.42, 0.2, 0.08], np.float32) * rng.uniform(0.15, 1.7) + rng.uniform(0, 0.15)
    shade = 1 + rng.uniform(0.05, 0.25) * grain + rng.uniform(0, 0.25) * rings
    if rng.random() < 0.5:
        plank = int(rng.integers(size // 5, size))
        rows = np.arange(big) // plank
        shade = shade * (1 + 0.1 * rng.standard_normal(int(rows.max()) + 1))[rows][:, None]
        shade[np.arange(big) % plank < 2] *= 0.5
    turn = cv2.getRotationMatrix2D((big / 2, big / 2), rng.uniform(0, 360), 1)
    cut = (big - size) // 2
    shade = cv2.warpAffine(shade.astype(np.float32), turn, (big, big), borderMode=cv2.BORDER_REFLECT)
    return base * shade[cut : cut + size, cut : cut + size, None]


def felt(rng: Generator, size: int) -> Floats:
    """One strong colour with short fibres."""
    fibres = 0.12 * noise(rng, (size, size), 1.4) + 0.08 * noise(rng, (size, size), rng.uniform(4, 30))
    return _lit(tint(rng, 0.01, 0.6, 0.95), 1 + rng.uniform(0.3, 1.5) * fibres)


def weave(rng: Generator, size: int) -> Floats:
    """Cloth: two threads crossing."""
    y, x = np.mgrid[:size, :size].astype(np.float32)
    angle, period = rng.uniform(0, np.pi), rng.uniform(2.2, 9)
    u, v = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    threads = np.sin(u * 2 * np.pi / period) * np.sin(v * 2 * np.pi / period)
    folds = noise(rng, (size, size), size / 4)
    return _lit(tint(rng), 1 + rng.uniform(0.03, 0.3) * threads + 0.08 * folds + 0.04 * noise(rng, (size, size), 2))


def paper(rng: Generator, size: int) -> Floats:
    """White to cream to kraft, almost even."""
    base = np.asarray([0.8, 0.77, 0.7], np.float32) * rng.uniform(0.4, 1.15) * rng.uniform(0.9, 1.05, 3)
    grain = 1 + 0.03 * noise(rng, (size, size), 2) + 0.04 * noise(rng, (size, size), size / 5)
    return _lit(np.asarray(base, np.float32), grain)


def laminate(rng: Generator, size: int) -> Floats:
    """Smooth table top with a faint cloud."""
    return tint(rng, 0.05, 0.9, 0.4) * (1 + rng.uniform(0, 0.1) * noise(rng, (size, size), size / 8))[..., None]


def fabric(rng: Generator, size: int) -> Floats:
    """Stripes, checks or scattered motifs on cloth."""
    ground, ink = weave(rng, size), tint(rng, 0.02, 0.95, 0.9)
    mask = np.zeros((size, size), np.float32)
    kind = rng.integers(3)
    period = int(rng.integers(10, 90))
    if kind < 2:
        width = int(rng.integers(1, max(2, period // 2)))
        mask[:, np.arange(size) % period < width] = 0.8
        if kind:
            mask[np.arange(size) % period < width] += 0.5
    else:
        for _ in range(int(rng.integers(10, 90))):
            _motif(rng, mask, int(rng.integers(3, 20)))
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), rng.uniform(0, 360), 1.5)
    turned = cv2.warpAffine(mask, turn, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    mask = np.clip(turned, 0, 1)[..., None] * rng.uniform(0.2, 1)
    return ground * (1 - mask) + ink * mask


def checks(rng: Generator, size: int) -> Floats:
    """A tablecloth: two ways of stripes that cross, deeper in colour where they do; or a chequer of two colours."""
    period, share = float(np.exp(rng.uniform(np.log(8), np.log(110)))), rng.uniform(0.3, 0.7)
    y, x = np.mgrid[:size, :size].astype(np.float32)
    angle = rng.uniform(0, np.pi)
    u, v = (x * np.cos(angle) + y * np.sin(angle)) / period, (y * np.cos(angle) - x * np.sin(angle)) / period
    one, other = (np.asarray(part % 1 < share, np.float32) for part in (u, v))
    mask = np.abs(one - other) if rng.random() < 0.25 else (one + other) / 2
    mask = cv2.GaussianBlur(mask, (0, 0), 0.6)[..., None] * rng.uniform(0.4, 1)
    ground = paper(rng, size) if rng.random() < 0.6 else _lit(tint(rng), np.ones((size, size)))
    grain = 1 + rng.uniform(0, 0.1) * noise(rng, (size, size), rng.uniform(1.2, 3))
    return np.asarray((ground * (1 - mask) + tint(rng, 0.02, 0.8, 1.0) * mask) * grain[..., None], np.float32)


def printed(rng: Generator, size: int) -> Floats:
    """Light paper with ink lines, frames, rings, dots and filled shapes in quiet or strong colours."""
    ground = paper(rng, size)
    for _ in range(int(rng.integers(1, 16))):
        mask = np.zeros((size, size), np.float32)
        _motif(rng, mask, int(rng.integers(3, 90)))
        strength = rng.uniform(0.1, 1)
        ground = ground * (1 - strength * mask[..., None]) + tint(rng, 0.01, 0.8, 0.95) * strength * mask[..., None]
    if rng.random() < 0.4:
        mask = np.zeros((size, size), np.float32)
        step, width = int(rng.integers(15, 80)), int(rng.integers(1, 4))
        for at in range(0, size, step):
            cv2.line(mask, (at, 0), (at, size), 1.0, width)
            cv2.line(mask, (0, at), (size, at), 1.0, width)
        turn = cv2.getRotationMatrix2D((size / 2, size / 2), rng.uniform(0, 360), 1.5)
        lines = 0.8 * np.asarray(cv2.warpAffine(mask, turn, (size, size)), np.float32)[..., None]
        ground = ground * (1 - lines) + tint(rng, 0.01, 0.6, 0.9) * lines
    return ground


def _stretched(texture: Floats, size: int) -> Floats:
    return np.asarray(cv2.resize(texture, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)


def _lit(colour: Floats, shade: NDArray[np.floating]) -> Floats:
    return np.asarray(colour * shade[..., None], np.float32)


def _motif(rng: Generator, mask: Floats, radius: int) -> None:
    """Draw one ring, disc, line, polygon or letter-like stroke into ``mask``."""
    size = mask.shape[0]
    at = (int(rng.integers(size)), int(rng.integers(size)))
    thick = int(rng.choice([-1, 1, 2, 3]))
    kind = rng.integers(5)
    if kind == 0:
        cv2.circle(mask, at, radius, 1.0, thick, cv2.LINE_AA)
    elif kind == 1:
        to = (int(rng.integers(size)), int(rng.integers(size)))
        cv2.line(mask, at, to, 1.0, int(rng.integers(1, 7)), cv2.LINE_AA)
    elif kind == 2:
        points = np.asarray(at + rng.uniform(-radius, radius, (int(rng.integers(3, 7)), 2)), np.int32)
        hull = cv2.convexHull(points)
        if thick < 0:
            cv2.fillConvexPoly(mask, hull, 1.0, cv2.LINE_AA)
        else:
            cv2.polylines(mask, [hull], True, 1.0, thick, cv2.LINE_AA)
    elif kind == 3:
        axes = (radius, max(1, int(radius * rng.uniform(0.3, 1))))
        cv2.ellipse(mask, at, axes, rng.uniform(0, 180), 0, 360, 1.0, thick, cv2.LINE_AA)
    else:
        word = "".join(rng.choice(list("MACUIL1234567890ox&"), int(rng.integers(1, 6))))
        ink = np.zeros(mask.shape, np.uint8)
        cv2.putText(ink, word, at, cv2.FONT_HERSHEY_SIMPLEX, max(0.3, radius / 25), 255, max(1, thick), cv2.LINE_AA)
        np.maximum(mask, ink.astype(np.float32) / 255, out=mask)
