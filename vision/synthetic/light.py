"""The light on the table: one lamp, the rest from everywhere, and perhaps a big shadow with an edge."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.synthetic.conditions import Conditions

Floats = NDArray[np.float64]
F32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LightAt:
    """The light at one point; colours are linear, blue green red."""

    ambient: Floats
    lamp: Floats
    """On a surface that faces the lamp."""
    towards: Floats
    """Unit vector (x, y, up) to the lamp."""
    penumbra: float
    """Width of a shadow's border per millimetre of height that throws it."""

    @property
    def flat(self) -> Floats:
        """What arrives on the table itself."""
        return np.asarray(self.ambient + self.lamp * self.towards[2])

    def dimmed(self, share: float) -> "LightAt":
        """All of it, times a share."""
        return LightAt(self.ambient * share, self.lamp * share, self.towards, self.penumbra)


@dataclass(frozen=True, slots=True)
class Light:
    """All the light there is, so scaled that the middle of the sheet receives 1."""

    at_mm: Floats
    lamp_bgr: Floats
    ambient_bgr: Floats
    ambient_slope: Floats
    """Relative change of the ambient light per millimetre, (x, y)."""
    radius_mm: float
    shade: tuple[Floats, float, float, float] | None
    """Normal (x, y) of the big shadow's edge, its distance, softness and depth."""

    def field(self, points_mm: F32) -> tuple[F32, F32]:
        """Ambient and lamp light on the table at points (…, 2): two fields of shape (…)."""
        ambient = 1 + np.clip(points_mm @ self.ambient_slope.astype(np.float32), -0.6, 0.6)
        x, y, height = (np.float32(v) for v in self.at_mm)
        near2 = (points_mm[..., 0] - x) ** 2 + (points_mm[..., 1] - y) ** 2 + height * height
        lamp = np.float32(self._strength * self.at_mm[2]) * near2**-1.5
        return np.asarray(ambient, np.float32), np.asarray(lamp * self._unshaded(points_mm), np.float32)

    def at(self, point_mm: ArrayLike, lamp_factor: float) -> LightAt:
        """The light at a point (x, y, height)."""
        point = np.asarray(point_mm, float)
        way = self.at_mm - point
        near2 = float(way @ way)
        lamp = self._strength / near2 * float(self._unshaded(point[:2])) * lamp_factor
        ambient = 1 + float(np.clip(point[:2] @ self.ambient_slope, -0.6, 0.6))
        return LightAt(
            self.ambient_bgr * ambient,
            self.lamp_bgr * lamp,
            way / np.sqrt(near2),
            2 * self.radius_mm / np.sqrt(near2),
        )

    @property
    def _strength(self) -> float:
        """Such that lamp light 1 arrives in the middle of the sheet."""
        return float(np.linalg.norm(self.at_mm) ** 3 / self.at_mm[2])

    def _unshaded(self, points_mm: F32 | Floats) -> F32 | Floats:
        if self.shade is None:
            return np.ones(points_mm.shape[:-1])
        normal, distance, softness, depth = self.shade
        inside = np.clip((points_mm @ normal - distance) / softness + 0.5, 0, 1)
        return np.asarray(1 - depth * inside * inside * (3 - 2 * inside))


def light_of(conditions: Conditions, rng: np.random.Generator) -> Light:
    """Hang the lamp as the conditions say; where the shadow's edge runs is drawn."""
    shade = None
    if conditions.shade_softness_mm is not None:
        angle = rng.uniform(0, 2 * np.pi)
        normal = np.array((np.cos(angle), np.sin(angle)))
        shade = (normal, rng.uniform(-160, 160), conditions.shade_softness_mm, conditions.shade_depth)
    slope = rng.uniform(0, 0.0009) * np.array((np.cos(a := rng.uniform(0, 2 * np.pi)), np.sin(a)))
    lamp_bgr = np.array(conditions.lamp_rgb[::-1])
    return Light(
        np.array(conditions.lamp_mm),
        lamp_bgr * conditions.lamp_share,
        np.array((1.04, 1.0, 0.97)) * (1 - conditions.lamp_share),
        slope,
        conditions.lamp_radius_mm,
        shade,
    )
