"""A camera's colours, drawn anew for each crop or throw that a judge learns from."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.together import DARKEST
from vision.training.solids import Floats


@dataclass(frozen=True, slots=True)
class Recolour:
    """What a camera does to the colours of one picture."""

    order: NDArray[np.int64]
    grey: bool
    inverted: bool
    gain: Floats
    noise: float
    """Deviation, of 255."""
    blur: float
    """Deviation, px of a stored crop; 0: none."""

    @classmethod
    def drawn(cls, rng: Generator, *, invert: bool) -> "Recolour":
        """At random; ``invert``: now and then dark for light, as dice come."""
        return cls(
            order=rng.permutation(3) if rng.random() < 0.12 else np.arange(3),
            grey=bool(rng.random() < 0.06),
            inverted=invert and bool(rng.random() < 0.15),
            gain=np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.2)).astype(np.float32),
            noise=float(rng.uniform(0, 4)),
            blur=float(rng.uniform(0.4, 1.3)) if rng.random() < 0.15 else 0.0,
        )

    @classmethod
    def none(cls) -> "Recolour":
        """The picture as it is."""
        return cls(np.arange(3), False, False, np.ones(3, np.float32), 0.0, 0.0)

    def blurred(self, crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A stored crop, out of focus."""
        return np.asarray(cv2.GaussianBlur(crop, (0, 0), self.blur), np.uint8) if self.blur else crop

    def of_picture(self, crop: Floats, rng: Generator) -> Floats:
        """Blue green red, 0 to 255."""
        crop = self._of_colours(crop)
        return np.asarray(crop + self.noise * rng.standard_normal(crop.shape), np.float32)

    def of_logarithms(self, colours: Floats) -> Floats:
        """Colours as :func:`vision.together.geometry` gives them."""
        linear = np.asarray(np.exp(colours) - DARKEST, np.float32)
        return np.asarray(np.log(self._of_colours(linear) + DARKEST), np.float32)

    def _of_colours(self, colours: Floats) -> Floats:
        colours = colours[..., self.order]
        if self.grey:
            colours = np.repeat(colours.mean(-1, keepdims=True), 3, axis=-1)
        return np.asarray(np.clip((255 - colours if self.inverted else colours) * self.gain, 0, 255), np.float32)
