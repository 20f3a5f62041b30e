"""The solids of :mod:`vision.training.solids` as triangles, in object units."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.solids import Bean, Die, Floats

AROUND, ALONG, FACE = 84, 72, 30
"""Corners of a bean's mesh around and along it, and of a die's face along an edge: about 0.3 mm apart."""


def bean_mesh(bean: Bean) -> tuple[Floats, NDArray[np.int64]]:
    """Corners on the same surface as :func:`vision.training.solids.render_bean` casts rays at, and its triangles."""
    along, around = np.linspace(0, np.pi, ALONG), np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    x = np.sign(np.cos(along)) * np.abs(np.cos(along)) ** (2 / bean.power)
    radius = np.sqrt(np.clip(1 - np.abs(x) ** bean.power, 0, 1))
    y = bean.width * radius[:, None] * np.cos(around) + bean.bend * (x * x - 0.4)[:, None]
    z = bean.thickness * radius[:, None] * np.sin(around)
    points = np.stack([np.broadcast_to(x[:, None], y.shape), y, z], axis=-1).reshape(-1, 3)
    return np.asarray(points, np.float32), grid_faces(ALONG, AROUND, closed=True)


def die_mesh(die: Die) -> tuple[Floats, NDArray[np.int64]]:
    """A cube with rounded edges, see :func:`bean_mesh`."""
    line = np.linspace(-1, 1, FACE)
    u, v = (part.ravel() for part in np.meshgrid(line, line, indexing="ij"))
    points, faces = [], []
    for face in range(6):
        along, sign = face // 2, 1 - 2 * (face % 2)
        flat = np.zeros((FACE * FACE, 3))
        flat[:, along], flat[:, (along + 1) % 3], flat[:, (along + 2) % 3] = sign, u * sign, v
        faces.append(grid_faces(FACE, FACE, closed=False) + face * FACE * FACE)
        points.append(flat)
    cube = np.concatenate(points)
    core = np.clip(cube, die.rounding - 1, 1 - die.rounding)
    out = cube - core
    rounded = core + die.rounding * out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-6)
    return np.asarray(rounded, np.float32), np.concatenate(faces)


def grid_faces(rows: int, columns: int, closed: bool) -> NDArray[np.int64]:
    """Triangles of a grid of corners; ``closed``: the last column meets the first."""
    row = np.arange(rows - 1)[:, None]
    column = np.arange(columns if closed else columns - 1)[None]
    beside = (column + 1) % columns
    a, b = row * columns + column, row * columns + beside
    c, d = a + columns, b + columns
    return np.concatenate([np.stack([a, c, b], -1).reshape(-1, 3), np.stack([b, c, d], -1).reshape(-1, 3)])


def normals_at(corners: Floats, faces: NDArray[np.int64]) -> Floats:
    """Unit normals at the corners, outwards, shape (n, 3)."""
    a, b, c = (corners[faces[:, i]] for i in range(3))
    flat = np.cross(b - a, c - a)
    normals = np.stack([sum(np.bincount(faces[:, i], flat[:, k], len(corners)) for i in range(3)) for k in range(3)], 1)
    return np.asarray(normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9), np.float32)


def footprint(corners: Floats) -> Floats:
    """Convex outline upon the table, shape (n, 2)."""
    return np.asarray(cv2.convexHull(np.ascontiguousarray(corners[::3, :2])), np.float32).reshape(-1, 2)


def silhouette_px(corners: NDArray[np.float64]) -> float:
    """Area of what a thing would cover if nothing lay before it, px."""
    zoom = 4
    points = np.rint((corners - corners.min(0)) * zoom).astype(int) + 6
    size = points.max(0) + 7
    if size.max() > 4000:
        return float(cv2.contourArea(cv2.convexHull(corners.astype(np.float32))))
    mask = np.zeros((size[1], size[0]), np.uint8)
    mask[points[:, 1], points[:, 0]] = 1
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((11, 11), np.uint8)), np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return max(cv2.contourArea(outline) for outline in outlines) / zoom**2
