"""What the weather is like at one simulated table: camera, lens, light, sensor, table top. Drawn from wide ranges."""

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np

TableTop = Literal["wood", "cloth", "laminate"]
PieceKind = Literal["pebble", "draught", "stick"]
BeanKind = Literal["black", "brown", "red", "white", "pinto"]
TABLE_TOPS: tuple[TableTop, ...] = ("wood", "cloth", "laminate")
PIECE_KINDS: tuple[PieceKind, ...] = ("pebble", "draught")
"""What is drawn; sticks are for games that are played with them."""
BEAN_KINDS: tuple[BeanKind, ...] = ("black", "brown", "red", "white", "pinto")


@dataclass(frozen=True, slots=True)
class Conditions:
    """Everything about a table that its players do not choose."""

    height_mm: float
    """Of the camera above the table."""
    tilt_deg: float
    azimuth_deg: float
    """Where the camera leans to, clockwise from the sheet's x axis."""
    roll_deg: float
    fill: float
    """Share of the frame that the sheet spans, in the direction where it is tighter."""
    k1: float
    k2: float
    """Radial distortion in units of the focal length."""
    lamp_mm: tuple[float, float, float]
    """Where the lamp hangs: from the middle of the sheet to the right, down, and up from the table."""
    lamp_rgb: tuple[float, float, float]
    """Linear colour, about 1 in each channel."""
    lamp_share: float
    """Of the light in the middle of the sheet; the rest comes from everywhere."""
    lamp_radius_mm: float
    """A small lamp throws hard shadows."""
    shade_softness_mm: float | None
    """Width of the border of a big shadow that crosses the sheet; None: there is none."""
    shade_depth: float
    """Share of the lamp's light that is missing there."""
    sheen: float
    """How strongly paper and table mirror the lamp, 0 to 1."""
    vignette: float
    """Share of light lost in the corners of the frame."""
    gain: float
    """Exposure; 1 puts white paper at about 70 % of the code range."""
    cast_rgb: tuple[float, float, float]
    """What is left of the light's colour after automatic white balance and what the camera adds."""
    noise: float
    """Standard deviation of the sensor noise in code values of 255, at middle grey and gain 1."""
    flicker: float
    """Relative change of brightness from frame to frame."""
    hunting: float
    """Relative change of exposure when something large enters the picture."""
    adapts: float
    """How far automatic exposure makes up for a change of light, 0 to 1."""
    blur_px: float
    jpeg_quality: int | None
    table_top: TableTop
    pieces: PieceKind
    beans: BeanKind

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> Self:
        """Draw a table at random."""
        lamp_angle, lamp_away = rng.uniform(0, 2 * np.pi), rng.uniform(150, 900)
        warmth, cast = rng.uniform(-0.25, 0.1), rng.normal(0, 0.05, 3)
        return cls(
            height_mm=rng.uniform(550, 950),
            tilt_deg=rng.uniform(0, 30),
            azimuth_deg=rng.uniform(0, 360),
            roll_deg=rng.uniform(-5, 5) + 180 * (rng.random() < 0.15),
            fill=rng.uniform(0.78, 0.92),
            k1=rng.uniform(-0.1, 0.1),
            k2=rng.uniform(-0.02, 0.02),
            lamp_mm=(lamp_away * np.cos(lamp_angle), lamp_away * np.sin(lamp_angle), rng.uniform(500, 1600)),
            lamp_rgb=(1.0 - warmth * 0.35, 1.0, 1.0 + warmth),
            lamp_share=rng.uniform(0.35, 0.85),
            lamp_radius_mm=np.exp(rng.uniform(np.log(15), np.log(220))),
            shade_softness_mm=np.exp(rng.uniform(np.log(1.5), np.log(80))) if rng.random() < 0.35 else None,
            shade_depth=rng.uniform(0.25, 0.8),
            sheen=rng.uniform(0, 0.25) if rng.random() < 0.5 else 0.0,
            vignette=rng.uniform(0, 0.35),
            gain=np.exp(rng.uniform(np.log(0.5), np.log(1.8))),
            cast_rgb=tuple(np.exp(cast + 0.4 * np.array((-warmth * 0.35, 0.0, warmth)))),
            noise=rng.uniform(0.6, 4.0),
            flicker=rng.uniform(0, 0.012),
            hunting=rng.uniform(0, 0.12),
            adapts=rng.uniform(0, 0.8),
            blur_px=rng.uniform(0.3, 0.9),
            jpeg_quality=None,
            table_top=TABLE_TOPS[rng.integers(len(TABLE_TOPS))],
            pieces=PIECE_KINDS[rng.integers(len(PIECE_KINDS))],
            beans=BEAN_KINDS[rng.integers(len(BEAN_KINDS))],
        )
