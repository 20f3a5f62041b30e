"""From light to code values: lens blur, noise, exposure, white balance, tone curve."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.synthetic.conditions import Conditions
from vision.synthetic.shading import Codes, decoding

_SPARE = (61, 97)
"""Rows and columns by which the noise is larger than the frame: each frame takes another window."""
_LIFT = 16
"""Mean of the noise that is added, taken off again by the tone curve."""
_WHITE_AT = 0.55
"""Linear output of linear light 1 at gain 1."""


class Sensor:
    """The camera's electronics."""

    def __init__(self, conditions: Conditions, size_px: tuple[int, int], rng: np.random.Generator) -> None:
        self._conditions = conditions
        self._noise = _noise(conditions.noise, size_px, rng)
        self._rng = rng

    def develop(self, scene: Codes, exposure: float) -> Image:
        """One frame: the noise is added in the square root of light, where photons make it even."""
        soft = cv2.GaussianBlur(scene, (0, 0), self._conditions.blur_px)
        y, x = (int(self._rng.integers(0, n)) for n in _SPARE)
        noisy = cv2.add(soft, self._noise[y : y + soft.shape[0], x : x + soft.shape[1]])
        flicker = 1 + self._conditions.flicker * self._rng.uniform(-1, 1)
        image = cv2.LUT(noisy, _tone(self._conditions, exposure * flicker))
        if self._conditions.jpeg_quality is not None:
            _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self._conditions.jpeg_quality])
            return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
        return np.asarray(image, np.uint8)


def _noise(sigma: float, size_px: tuple[int, int], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Noise around ``_LIFT``, a little smeared as by a camera's own filter, partly the same in all channels."""
    tile = rng.standard_normal((size_px[1] + _SPARE[0], size_px[0] + _SPARE[1], 3), np.float32)
    tile = np.asarray(cv2.GaussianBlur(tile, (3, 3), 0.45), np.float32)
    tile += 0.5 * tile.mean(axis=2, keepdims=True)
    tile *= sigma / tile.std()
    return np.asarray(np.clip(np.rint(tile + _LIFT), 0, 2 * _LIFT), np.uint8)


def _tone(conditions: Conditions, exposure: float) -> NDArray[np.uint8]:
    """Code to output: exposure, white balance, a soft shoulder and the sRGB curve; shape (1, 256, 3)."""
    light = np.concatenate([np.zeros(_LIFT), decoding()[: 256 - _LIFT]])
    channels = np.array(conditions.cast_rgb[::-1]) * conditions.gain * exposure * _WHITE_AT
    out = light[:, None] * channels
    out = np.where(out > 0.75, 0.75 + 0.25 * np.tanh((out - 0.75) / 0.25), out)
    code = np.where(out <= 0.0031308, 12.92 * out, 1.055 * out ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(np.clip(code, 0, 1) * 255), np.uint8)[None]
