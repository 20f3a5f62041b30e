"""What stands on a board or reaches over it, as triangles: corners in millimetres, (n, 3), and three of them a face."""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.meshes import grid_faces
from vision.training.solids import Floats

AROUND = 48
"""Corners around what is turned on a lathe, and around a limb."""


def draught(radius_mm: float, height_mm: float) -> tuple[Floats, NDArray[np.int64]]:
    """A disc with a bevelled edge, from the ground up; higher than wide it is a stick or a cup."""
    edge = min(1.2, 0.3 * height_mm)
    profile = [
        (0, 0), (radius_mm - 0.3 * edge, 0), (radius_mm, 0.3 * edge), (radius_mm, height_mm - edge),
        (radius_mm - 0.3 * edge, height_mm - 0.3 * edge), (radius_mm - edge, height_mm), (0, height_mm),
    ]  # fmt: skip
    return _lathed(np.asarray(profile))


def pebble(rng: Generator, radius_mm: float, height_mm: float) -> tuple[Floats, NDArray[np.int64]]:
    """An uneven flat stone."""
    turn = np.linspace(0, np.pi, 17)
    smooth, faces = _lathed(np.stack([radius_mm * np.sin(turn), height_mm / 2 * (1 - np.cos(turn))], axis=1))
    corners = smooth * np.asarray([rng.uniform(0.78, 1.0), 1, 1])
    for _ in range(3):
        way = rng.normal(size=3)
        wave = np.sin(4.4 * corners @ (way / np.linalg.norm(way)) / radius_mm + rng.uniform(0, 6))
        corners = corners * (1 + 0.04 * wave)[:, None]
    return np.asarray(corners - [0, 0, corners[:, 2].min()], np.float32), faces


def _lathed(profile: NDArray[np.floating]) -> tuple[Floats, NDArray[np.int64]]:
    """What is turned about z: radius and height of its outline, from below."""
    turn = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    x, y = (profile[:, :1] * part for part in (np.cos(turn), np.sin(turn)))
    corners = np.stack([x, y, np.broadcast_to(profile[:, 1:], x.shape)], axis=-1).reshape(-1, 3)
    return np.asarray(corners, np.float32), grid_faces(len(profile), AROUND, closed=True)[:, ::-1].copy()


def tube(middles: NDArray[np.float64], radii: Sequence[float]) -> tuple[Floats, NDArray[np.int64]]:
    """A tube along some points, closed at both ends."""
    ways = np.gradient(middles, axis=0)
    across = np.cross(ways, [0, 0, 1])
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    over = np.cross(across, ways)
    over /= np.linalg.norm(over, axis=1, keepdims=True)
    turn = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)[None, :, None]
    ring = np.cos(turn) * across[:, None] + np.sin(turn) * over[:, None]
    rings = middles[:, None] + np.asarray(radii)[:, None, None] * ring
    ends = [np.broadcast_to(middles[[end], None], (1, AROUND, 3)) for end in (0, -1)]
    corners = np.concatenate([ends[0], rings, ends[1]]).reshape(-1, 3)
    return np.asarray(corners, np.float32), grid_faces(len(middles) + 2, AROUND, closed=True)


def turned(corners: Floats, angle: float) -> NDArray[np.float64]:
    """Turned about z, radians."""
    turn = np.asarray([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    return np.asarray(corners @ turn.T)
