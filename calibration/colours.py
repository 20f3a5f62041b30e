"""Colours as logarithms, so that light multiplies away; and how a camera stretches them, measured on printed chips."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import Chip

LogImage = NDArray[np.float32]
"""Natural logarithms of blue, green and red; shape (..., 3)."""

COLOURED = 0.2
"""Least chroma of a colour that has a hue."""
FEWEST = 3
"""So many chips tell how a camera shows colour."""
SHOWN = 0.4
"""A chip that shows less of its own colour lies under something else."""
_LOG = np.log(np.arange(256, dtype=np.float32) + 4)
"""The 4 keeps noise in black from becoming colour."""


def log_colours(image: NDArray[np.uint8]) -> LogImage:
    """Logarithms of an image of shape (height, width, 3)."""
    return np.asarray(cv2.LUT(image, _LOG), np.float32)


def opponent(logs: LogImage) -> LogImage:
    """Brightness and two chromatic axes that no light of a fixed colour changes relative to each other.

    Returns:
        Same shape; (b + g + r) / 3, r - g, b - g of the logarithms.
    """
    blue, green, red = logs[..., 0], logs[..., 1], logs[..., 2]
    return np.stack([(blue + green + red) / 3, red - green, blue - green], axis=-1)


def between(colours: NDArray[np.float32]) -> tuple[tuple[NDArray[np.float32], float], ...]:
    """Hues half way between neighbouring ones, which speak for neither.

    Args:
        colours: opponent colours as ``opponent`` has them, shape (n, 3).

    Returns:
        Each as its two chromatic axes, shape (2,), with its standard deviation in the same logarithms.
    """
    chroma = colours[np.hypot(colours[:, 1], colours[:, 2]) > COLOURED, 1:]
    turned = chroma[np.argsort(np.arctan2(chroma[:, 1], chroma[:, 0]))]
    pairs = zip(turned, np.roll(turned, -1, axis=0), strict=True)
    apart = [((one + other) / 2, float(np.hypot(*(other - one)))) for one, other in pairs]
    return tuple((middle, min(0.18, off / 4)) for middle, off in apart if np.hypot(*middle) > COLOURED)


@dataclass(frozen=True, slots=True)
class Response:
    """How strongly the camera shows differences that are on the print."""

    contrast: float = 1.0
    """Of brightness, in logarithms."""
    saturation: float = 1.0
    """Of the chromatic axes, in logarithms."""

    def seen(self, printed: LogImage) -> LogImage:
        """Opponent colours of the print as the camera shows them under the light of ``printed`` white."""
        white = opponent(log_colours(np.full((1, 1, 3), 255, np.uint8)))[0, 0]
        scale = np.array([self.contrast, self.saturation, self.saturation], np.float32)
        return np.asarray((printed - white) * scale + white, np.float32)


def measure_response(chips: Sequence[Chip], level_free: LogImage) -> Response:
    """Measure it on the chips; what cannot be measured stays 1.

    Args:
        chips: as printed.
        level_free: what the camera shows of each chip in opponent colours, the light taken out; shape (n, 3). Rows of
            covered chips are nan.
    """
    if not chips:
        return Response()
    printed = opponent(log_colours(np.array([[chip.rgb[::-1] for chip in chips]], np.uint8)))[0]
    white = opponent(log_colours(np.full((1, 1, 3), 255, np.uint8)))[0, 0]
    drawn, seen = printed - white, level_free - white
    chroma = np.hypot(drawn[:, 1], drawn[:, 2])
    along = (drawn[:, 1:] * seen[:, 1:]).sum(axis=1) / np.maximum(chroma, 1e-6) ** 2
    coloured = chroma > 0.4
    shown = coloured & (along > SHOWN)
    return Response(
        contrast=_typical(seen[:, 0] / np.minimum(drawn[:, 0], -1e-6), drawn[:, 0] < -0.5),
        saturation=_typical(along, shown if shown.sum() >= FEWEST else coloured),
    )


def _typical(ratios: NDArray[np.float32], telling: NDArray[np.bool_]) -> float:
    usable = ratios[telling & np.isfinite(ratios)]
    return float(np.clip(np.median(usable), 0.5, 1.6)) if len(usable) >= FEWEST else 1.0
