"""A drawing as pixels: the exact view from straight above."""

import math
import struct
import zlib

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawing import Drawing, Rgb, Shape

MM_PER_INCH = 25.4
FRACTION_BITS = 4
"""Sub-pixel bits of the coordinates given to OpenCV."""


BAND_BYTES = 16e6
"""Samples painted at once: a whole sheet of them would be most of the memory that the game needs."""


def raster(drawing: Drawing, px_per_mm: float, *, fine_px_per_mm: float = 14.0) -> NDArray[np.uint8]:
    """Paint the drawing.

    Every pixel is the mean of at least 4 x 4 samples, so edges lie where the drawing says to a few hundredths of a
    millimetre; painting goes by bands to keep memory small.

    Args:
        px_per_mm: scale; pixel (0, 0) covers the square from 0 to 1 / px_per_mm millimetres.
        fine_px_per_mm: least density of samples.

    Returns:
        Blue, green, red; shape (round(height_mm * px_per_mm), round(width_mm * px_per_mm), 3).
    """
    width_px, height_px = (max(1, round(side * px_per_mm)) for side in drawing.size_mm)
    factor = max(4, math.ceil(fine_px_per_mm / px_per_mm))
    scale = px_per_mm * factor
    prepared = [_prepare(shape, scale) for shape in drawing.shapes]
    image = np.empty((height_px, width_px, 3), np.uint8)
    band_px = max(1, int(BAND_BYTES / (3 * width_px * factor**2)))
    for top in range(0, height_px, band_px):
        rows = min(band_px, height_px - top)
        band = np.full((rows * factor, width_px * factor, 3), drawing.ground[::-1], np.uint8)
        for shape, rings, low, high in prepared:
            if high >= top * factor and low <= (top + rows) * factor:
                _paint(band, shape, rings, top * factor, scale)
        image[top : top + rows] = cv2.resize(band, (width_px, rows), interpolation=cv2.INTER_AREA)
    return image


def png(drawing: Drawing, dpi: int) -> bytes:
    """The whole drawing as a PNG that knows its real size."""
    _, encoded = cv2.imencode(".png", raster(drawing, dpi / MM_PER_INCH))
    picture = bytes(encoded)
    per_metre = round(dpi / MM_PER_INCH * 1000)
    size = b"pHYs" + struct.pack(">IIB", per_metre, per_metre, 1)
    chunk = struct.pack(">I", len(size) - 4) + size + struct.pack(">I", zlib.crc32(size))
    # PNG specification, 5.6: pHYs stands between the header, which ends at byte 33, and the pixels.
    return picture[:33] + chunk + picture[33:]


def _prepare(shape: Shape, scale: float) -> tuple[Shape, list[NDArray[np.float64]], float, float]:
    # OpenCV counts from the middle of the first pixel, the drawing from its corner.
    rings = [np.asarray(ring, np.float64).reshape(-1, 2) * scale - 0.5 for ring in shape.rings]
    margin = shape.width_mm * scale / 2 + 2
    low = min(float(ring[:, 1].min()) for ring in rings) - margin
    high = max(float(ring[:, 1].max()) for ring in rings) + margin
    return shape, rings, low, high


def _paint(band: NDArray[np.uint8], shape: Shape, rings: list[NDArray[np.float64]], top: int, scale: float) -> None:
    points = [np.rint((ring - (0, top)) * (1 << FRACTION_BITS)).astype(np.int32) for ring in rings]
    if shape.fill is not None:
        cv2.fillPoly(band, points, _bgr(shape.fill), cv2.LINE_8, FRACTION_BITS)
    if shape.ink is not None:
        thickness = max(1, round(shape.width_mm * scale))
        cv2.polylines(band, points, shape.closed, _bgr(shape.ink), thickness, cv2.LINE_8, FRACTION_BITS)


def _bgr(rgb: Rgb) -> tuple[int, int, int]:
    return (rgb[2], rgb[1], rgb[0])
