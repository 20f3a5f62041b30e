"""The whole picture: still things are kept in camera pixels, moving things laid over, the sensor comes last."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout
from vision.camera import Image
from vision.synthetic.conditions import Conditions
from vision.synthetic.ground import Ground, vignette
from vision.synthetic.hands import Hand, lay_hand, lay_hand_shadow
from vision.synthetic.light import LightAt, light_of
from vision.synthetic.sensor import Sensor
from vision.synthetic.shading import Codes, Dimming, Patch, dim, lay, seen_solid, shadow
from vision.synthetic.solids import Solid
from vision.synthetic.view import Lie, View, about_z, aimed

Spot = tuple[float, float]
_FINE = 2
"""Samples a pixel side of everything that is rendered once and kept."""
_LOW_MM = 1.0
"""Whatever has less air below it touches the table."""


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A solid at a place; equal only to itself, so that its patches can be kept."""

    solid: Solid
    at_mm: Spot
    """In the sheet's frame."""
    turned: NDArray[np.float64]
    """From the solid's frame to the sheet's, heights up, shape (3, 3)."""
    lift_mm: float = 0.0
    """Air below its foot."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What there is to take a picture of."""

    lie: Lie
    sliding: bool
    """The sheet is in motion: it need not be drawn so finely."""
    lamp: float
    """Factor on the lamp's light."""
    exposure: float
    """Factor on the camera's gain."""
    resting: tuple[Placed, ...]
    moving: tuple[Placed, ...]
    hands: tuple[Hand, ...]
    """Over everything."""


class Picture:
    """Renders one table."""

    def __init__(
        self, layout: Layout, conditions: Conditions, size_px: tuple[int, int], rng: np.random.Generator
    ) -> None:
        self.view: View = aimed(conditions, layout.size_mm, size_px, rng.uniform(-1, 1, 2))
        self._vignette = conditions.vignette
        self._sheet_mm = layout.size_mm
        self._light = light_of(conditions, rng)
        self._ground = Ground(layout, conditions, self.view, self._light, rng)
        self._sensor = Sensor(conditions, size_px, rng)
        self._empty: tuple[tuple[Lie, bool, float], Codes] | None = None
        self._still: tuple[tuple[Placed, ...], Codes] | None = None
        self._patches: dict[Placed, tuple[Dimming | None, Patch]] = {}

    def taken(self, moment: Moment) -> Image:
        """One frame."""
        scene = self._with_resting(moment).copy()
        for hand in moment.hands:
            light = self._light_at(hand.at_mm, 0, moment)
            lay_hand_shadow(scene, hand, moment.lie, self._sheet_mm, self.view, light)
        for placed in moment.moving:
            shade, patch = self._patch(placed, moment, fine=1)
            if shade is not None:
                dim(scene, shade)
            lay(scene, patch)
        for hand in moment.hands:
            here, middle = self._light_at(hand.at_mm, hand.height_mm, moment), self._light.at((0, 0, 40), moment.lamp)
            lay_hand(scene, hand, moment.lie, self._sheet_mm, self.view, middle, here)
        return self._sensor.develop(scene, moment.exposure)

    def feet_px(self, spots_mm: Sequence[Spot], lie: Lie) -> list[Spot]:
        """Where points of the sheet are in the picture."""
        table = lie.to_table(spots_mm, self._sheet_mm)
        at = self.view.project(np.concatenate([table, np.zeros((len(table), 1))], axis=1))
        return [(float(x), float(y)) for x, y in at]

    def _with_resting(self, moment: Moment) -> Codes:
        key = (moment.lie, moment.sliding, moment.lamp)
        if self._empty is None or self._empty[0] != key:
            fine = 1 if moment.sliding else _FINE
            self._empty, self._still = (key, self._ground.lit(moment.lie, moment.lamp, fine)), None
            self._patches.clear()
        if self._still is None or self._still[0] != moment.resting:
            self._still = (moment.resting, self._laid(self._empty[1].copy(), moment))
        return self._still[1]

    def _laid(self, scene: Codes, moment: Moment) -> Codes:
        """Lay all resting things over the empty table: first the shadows, then from far to near."""
        kept = self._patches
        self._patches = {p: kept.get(p) or self._patch(p, moment, _FINE) for p in moment.resting}
        for shade, _ in self._patches.values():
            if shade is not None:
                dim(scene, shade)
        for placed in sorted(moment.resting, key=lambda p: -self._distance(p, moment.lie)):
            lay(scene, self._patches[placed][1])
        return scene

    def _patch(self, placed: Placed, moment: Moment, fine: int) -> tuple[Dimming | None, Patch]:
        turned = about_z(moment.lie.turn_deg) @ placed.turned
        table = moment.lie.to_table(placed.at_mm, self._sheet_mm)
        rest = placed.solid.rest_height(turned)
        middle = (float(table[0]), float(table[1]), placed.lift_mm + rest)
        light = self._light_at(placed.at_mm, middle[2], moment)
        patch = seen_solid(placed.solid, middle, turned, self.view, light, fine)
        outline, top = table + placed.solid.outline(turned), placed.lift_mm + 1.5 * rest
        return shadow(outline, top, self.view, light, contact=placed.lift_mm < _LOW_MM), patch

    def _light_at(self, at_mm: Spot, height_mm: float, moment: Moment) -> LightAt:
        """The light there as the sensor gets it, behind the vignette."""
        table = moment.lie.to_table(at_mm, self._sheet_mm)
        x, y = self.view.project((*table, 0.0))
        dark = float(vignette(self._vignette, self.view.size_px, float(x), float(y)))
        return self._light.at((*table, height_mm), moment.lamp).dimmed(dark)

    def _distance(self, placed: Placed, lie: Lie) -> float:
        table = lie.to_table(placed.at_mm, self._sheet_mm)
        return float(np.linalg.norm(self.view.eye_mm - (*table, 0.0)))
