"""Small bodies with height, ray by ray: flattened pebbles, turned draughts, bent beans and dice.

A solid lives in its own frame, millimetres, its middle at the origin, z up when it lies as it should. Rays come as
starting points (n, 3) and one common direction (3,): a body is so small that its rays are parallel.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
_AROUND = np.linspace(0, 2 * np.pi, 24, endpoint=False)
_RING = np.stack([np.cos(_AROUND), np.sin(_AROUND)], axis=1)


@dataclass(frozen=True, slots=True)
class Struck:
    """Where rays meet a solid."""

    hit: NDArray[np.bool_]
    """Shape (n,)."""
    at: F32
    """In the solid's frame, shape (n, 3); without meaning where nothing is hit."""
    normal: F32
    """Outwards, unit length, shape (n, 3)."""


class Solid(Protocol):
    """A shape with paint."""

    @property
    def reach(self) -> float:
        """No point is farther from the middle."""

    @property
    def gloss(self) -> float:
        """0 chalk, 1 glass."""

    def strike(self, start: F32, towards: F32) -> Struck:
        """Let rays meet the solid."""

    def paint(self, at: F32) -> F32:
        """Reflectance of surface points, linear blue green red, shape (n, 3)."""

    def rest_height(self, turned: NDArray[np.float64]) -> float:
        """Height of the middle above the table, turned by the matrix (3, 3) from its own frame to the table's."""

    def outline(self, turned: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points (n, 2) whose convex hull is about the silhouette from above, around the middle."""


@dataclass(frozen=True, slots=True)
class Pebble:
    """A flat glass pebble."""

    radius_mm: float
    half_height_mm: float
    bgr: tuple[float, float, float]
    gloss: float
    swirl: float

    @property
    def reach(self) -> float:
        return self.radius_mm

    def strike(self, start: F32, towards: F32) -> Struck:
        size = np.array((self.radius_mm, self.radius_mm, self.half_height_mm), np.float32)
        return _ellipsoid(start, towards, size)

    def paint(self, at: F32) -> F32:
        veins = np.sin(at[:, 0] * 0.45 + self.swirl) * np.sin(at[:, 1] * 0.38 - 2 * self.swirl)
        return np.asarray(np.array(self.bgr, np.float32) * (1 + 0.12 * veins)[:, None], np.float32)

    def rest_height(self, turned: NDArray[np.float64]) -> float:
        size = np.array((self.radius_mm, self.radius_mm, self.half_height_mm))
        return float(np.linalg.norm(turned[2] * size))

    def outline(self, turned: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(self.radius_mm * _RING @ turned[:2, :2].T)


@dataclass(frozen=True, slots=True)
class Draught:
    """A turned wooden or plastic disc with a rounded edge and grooves."""

    radius_mm: float
    half_height_mm: float
    bgr: tuple[float, float, float]
    gloss: float
    grooves: float

    @property
    def reach(self) -> float:
        return self.radius_mm + self.half_height_mm

    def strike(self, start: F32, towards: F32) -> Struck:
        """Top or side of a cylinder; the edge is round in its normals only."""
        to_top = (self.half_height_mm - start[:, 2]) / towards[2]
        top = start + to_top[:, None] * towards
        radius = np.hypot(top[:, 0], top[:, 1])
        on_top = radius <= self.radius_mm
        a = float(towards[:2] @ towards[:2]) + 1e-9
        b = start[:, :2] @ towards[:2]
        root = b * b - a * (np.sum(start[:, :2] ** 2, axis=1) - self.radius_mm**2)
        side = start + ((-b - np.sqrt(np.maximum(root, 0))) / a)[:, None] * towards
        on_side = ~on_top & (root > 0) & (np.abs(side[:, 2]) <= self.half_height_mm)
        at = np.where(on_top[:, None], top, side)
        out = at[:, :2] / (np.hypot(at[:, 0], at[:, 1])[:, None] + 1e-6)
        bevel = 1.1
        edge = np.clip((radius - self.radius_mm + bevel) / bevel, 0, 1) * 0.9
        groove = self.grooves * np.sin(radius * (2 * np.pi / 2.6)) * (radius < self.radius_mm - 1.6)
        lean = np.where(on_top, edge + 0.35 * groove, 1.0)
        rise = np.where(on_top, np.sqrt(np.maximum(1 - np.minimum(lean * lean, 1), 0.05)), 0.05)
        normal = np.concatenate([out * lean[:, None], rise[:, None]], axis=1)
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        return Struck(on_top | on_side, at.astype(np.float32), normal.astype(np.float32))

    def paint(self, at: F32) -> F32:
        grain = 0.05 * np.sin(at[:, 1] * 2.1 + 0.6 * np.sin(at[:, 0] * 0.3 + self.grooves * 9))
        return np.asarray(np.array(self.bgr, np.float32) * (1 + grain)[:, None], np.float32)

    def rest_height(self, turned: NDArray[np.float64]) -> float:
        up = abs(turned[2, 2])
        return float(self.half_height_mm * up + self.radius_mm * np.sqrt(max(0.0, 1 - up * up)))

    def outline(self, turned: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(self.radius_mm * _RING @ turned[:2, :2].T)


@dataclass(frozen=True, slots=True)
class Bean:
    """A kidney bean: an ellipsoid bent in its own plane, with a painted dot on the side that is up at rest."""

    half_mm: tuple[float, float, float]
    """Half length, half width, half thickness."""
    bend: float
    """How far the ends bend away, in half lengths."""
    bgr: tuple[float, float, float]
    speckles: tuple[float, float, float] | None
    """Colour of the speckles of a pinto bean."""
    dot_bgr: tuple[float, float, float]
    dot_mm: float
    """Radius of the dot."""
    dot_at: tuple[float, float]
    gloss: float
    grain: float
    """Phase of the texture: no two beans are alike."""

    @property
    def reach(self) -> float:
        return self.half_mm[0] * (1.15 + self.bend)

    def strike(self, start: F32, towards: F32) -> Struck:
        """Newton's method from the surface of a slightly larger ellipsoid that holds the bent one."""
        a, b, c = self.half_mm
        outer = np.array((a * 1.08, b + self.bend * a, c * 1.08), np.float32)
        around = _ellipsoid(start, towards, outer)
        travel = np.zeros(len(start), np.float32)
        at = around.at
        for _ in range(7):
            value, slope = self._implicit(at)
            travel = np.clip(-value / np.minimum(slope @ towards, -0.02), 0, 4).astype(np.float32)
            at = at + travel[:, None] * towards
        value, slope = self._implicit(at)
        normal = slope / np.linalg.norm(slope, axis=1, keepdims=True)
        return Struck(around.hit & (value < 0.04), at, normal)

    def paint(self, at: F32) -> F32:
        a, b, c = self.half_mm
        colour = np.tile(np.array(self.bgr, np.float32), (len(at), 1))
        x, y, z = at[:, 0], at[:, 1], at[:, 2]
        p = self.grain
        cloud = np.sin(x * 0.5 + p) * np.sin(y * 0.7 + 2 * p) + 0.5 * np.sin(x * 1.3 + y * 0.9 + 3 * p)
        colour *= (1 + 0.10 * cloud)[:, None]
        if self.speckles is not None:
            spots = np.sin(x * 1.5 + p) * np.sin(y * 1.9 + 5 * p) * np.sin(z * 1.7 + p + 1) + 0.5 * np.sin(
                x * 2.7 + 1.3 * y + p
            ) * np.sin(z * 2.1 - y * 2.3)
            share = np.clip((spots - 0.22) * 6, 0, 1)[:, None]
            colour = colour * (1 - share) + np.array(self.speckles, np.float32) * share
        hilum = np.clip(1.2 - np.hypot(x / (0.17 * a), z / (0.16 * c)), 0, 1) * (y < -0.35 * b)
        colour = colour * (1 - hilum[:, None]) + np.array((0.55, 0.68, 0.75), np.float32) * hilum[:, None]
        angle = np.arctan2(y - self.dot_at[1], x - self.dot_at[0])
        ragged = self.dot_mm * (1 + 0.07 * np.sin(3 * angle + p) + 0.05 * np.sin(5 * angle + 2 * p))
        dot = (np.hypot(x - self.dot_at[0], y - self.dot_at[1]) < ragged) & (z > 0)
        colour[dot] = self.dot_bgr
        return np.asarray(np.clip(colour, 0.005, 0.95), np.float32)

    def rest_height(self, turned: NDArray[np.float64]) -> float:
        a, b, c = self.half_mm
        return float(np.linalg.norm(turned[2] * np.array((a, b * (1 + 0.4 * self.bend), c))))

    def outline(self, turned: NDArray[np.float64]) -> NDArray[np.float64]:
        a, b, c = self.half_mm
        x, y = _RING.T
        level = np.stack([a * x, b * y - self.bend * a * (x * x - 1 / 3), 0 * x], axis=1)
        upright = np.stack([a * x, 0 * x, c * y], axis=1)
        return np.asarray(np.concatenate([level, upright]) @ turned[:2].T)

    def _implicit(self, at: F32) -> tuple[F32, F32]:
        a, b, c = self.half_mm
        x, y, z = at[:, 0], at[:, 1], at[:, 2]
        straight = y + self.bend * (x * x / a - a / 3)
        value = (x / a) ** 2 + (straight / b) ** 2 + (z / c) ** 2 - 1
        slope_y = 2 * straight / b**2
        slope = np.stack([2 * x / a**2 + slope_y * (2 * self.bend * x / a), slope_y, 2 * z / c**2], axis=1)
        return value.astype(np.float32), slope.astype(np.float32)


@dataclass(frozen=True, slots=True)
class Die:
    """A cube with pips; opposite faces add up to seven, six towards +z."""

    half_mm: float
    bgr: tuple[float, float, float]
    pip_bgr: tuple[float, float, float]
    gloss: float

    @property
    def reach(self) -> float:
        return self.half_mm * 1.74

    def strike(self, start: F32, towards: F32) -> Struck:
        """The slab method (Kay and Kajiya 1986)."""
        safe = np.where(np.abs(towards) < 1e-6, np.float32(1e-6), towards)
        near = (-self.half_mm * np.sign(safe) - start) / safe
        far = (self.half_mm * np.sign(safe) - start) / safe
        face = np.argmax(near, axis=1)
        enter, leave = near.max(axis=1), far.min(axis=1)
        at = start + enter[:, None] * towards
        normal = np.zeros_like(at)
        normal[np.arange(len(at)), face] = -np.sign(safe)[face]
        # Rounded edges: normals lean outwards near them.
        lean = np.sign(at) * np.clip((np.abs(at) / self.half_mm - 0.82) / 0.18, 0, 1) ** 2
        normal = normal + 0.8 * lean
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        round_corner = np.sum(np.clip(np.abs(at) / self.half_mm - 0.78, 0, None) ** 2, axis=1) < 0.085
        return Struck((enter <= leave) & round_corner, at.astype(np.float32), normal.astype(np.float32))

    def paint(self, at: F32) -> F32:
        colour = np.tile(np.array(self.bgr, np.float32), (len(at), 1))
        unit = at / self.half_mm
        axis = np.argmax(np.abs(unit), axis=1)
        positive = unit[np.arange(len(at)), axis] > 0
        u, v = unit[np.arange(len(at)), (axis + 1) % 3], unit[np.arange(len(at)), (axis + 2) % 3]
        for value, (on_axis, sign) in _FACES.items():
            for pu, pv in _PIPS[value]:
                pip = (axis == on_axis) & (positive == sign) & (np.hypot(u - pu, v - pv) < 0.19)
                colour[pip] = self.pip_bgr
        return colour

    def rest_height(self, turned: NDArray[np.float64]) -> float:
        return float(np.abs(turned[2]).sum() * self.half_mm)

    def outline(self, turned: NDArray[np.float64]) -> NDArray[np.float64]:
        corners = np.stack(np.meshgrid([-1, 1], [-1, 1], [-1, 1]), axis=-1).reshape(-1, 3) * self.half_mm
        return np.asarray(corners @ turned[:2].T)


def _ellipsoid(start: F32, towards: F32, size: F32) -> Struck:
    p, d = start / size, towards / size
    a = float(d @ d)
    b = p @ d
    root = b * b - a * (np.sum(p * p, axis=1) - 1)
    at = start + ((-b - np.sqrt(np.maximum(root, 0))) / a)[:, None] * towards
    normal = at / (size * size)
    normal = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    return Struck(root > 0, at.astype(np.float32), normal.astype(np.float32))


_FACES = {1: (2, False), 6: (2, True), 2: (0, True), 5: (0, False), 3: (1, True), 4: (1, False)}
_P = 0.5
_PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-_P, -_P), (_P, _P)),
    3: ((-_P, -_P), (0, 0), (_P, _P)),
    4: ((-_P, -_P), (_P, _P), (-_P, _P), (_P, -_P)),
    5: ((-_P, -_P), (_P, _P), (-_P, _P), (_P, -_P), (0, 0)),
    6: ((-_P, -_P), (_P, _P), (-_P, _P), (_P, -_P), (-_P, 0), (_P, 0)),
}
