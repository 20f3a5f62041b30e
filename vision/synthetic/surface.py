"""What light falls on: the table top and the printed sheet, as linear reflectance, blue green red."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.conditions import TableTop

F32 = NDArray[np.float32]
Picture = F32
"""Linear light or reflectance, shape (height, width, 3), blue green red."""
PAPER_REFLECTANCE = 0.82


def linear(srgb: NDArray[np.uint8] | NDArray[np.float32] | tuple[int, int, int]) -> NDArray[np.float32]:
    """Code values 0 to 255 as linear light 0 to 1 (IEC 61966-2-1)."""
    v = np.asarray(srgb, np.float32) / 255
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4).astype(np.float32)


def clouds(
    rng: np.random.Generator, shape: tuple[int, int], grain: tuple[float, float], octaves: int = 3
) -> NDArray[np.float32]:
    """Smooth noise of mean 0 and standard deviation 1.

    Args:
        rng: where the randomness comes from.
        shape: height and width.
        grain: height and width of the largest blobs, pixels.
        octaves: each next one is half as large and half as strong.
    """
    total = np.zeros(shape, np.float32)
    for octave in range(octaves):
        rows, columns = (max(2, round(n / g * 2**octave)) + 1 for n, g in zip(shape, grain, strict=True))
        seeds = rng.normal(0, 1, (rows, columns)).astype(np.float32)
        total += cv2.resize(seeds, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC) * 0.5**octave
    return np.asarray((total - total.mean()) / total.std(), np.float32)


def printed(board_bgr: NDArray[np.uint8], px_per_mm: float, rng: np.random.Generator) -> Picture:
    """The sheet as it comes from a printer: a little pale, not quite flat, with the creases of its folding."""
    paper = 0.025 + linear(board_bgr) * PAPER_REFLECTANCE * rng.uniform(0.95, 1.05, 3).astype(np.float32)
    shape = paper.shape[:2]
    waves = 1 + 0.018 * clouds(rng, shape, (140 * px_per_mm, 110 * px_per_mm), 2)
    fibres = 1 + 0.012 * clouds(rng, shape, (3, 3), 1)
    shade = waves * fibres
    width_px = 0.7 * px_per_mm
    for axis, share in ((1, 0.5), (0, 0.5)):
        if rng.random() < 0.6:
            at = shape[axis] * (share + rng.uniform(-0.004, 0.004))
            from_px = np.arange(shape[axis]) - at
            crease = rng.uniform(0.02, 0.09) * np.exp(-((from_px / width_px) ** 2) / 2) * np.sign(from_px - 0.3)
            slope = rng.uniform(-0.02, 0.02) * np.tanh(from_px / (12 * px_per_mm))
            shade *= np.expand_dims(1 + crease + slope, 1 - axis).astype(np.float32)
    return np.asarray(paper * shade[..., None], np.float32)


def table_top(kind: TableTop, shape: tuple[int, int], px_per_mm: float, rng: np.random.Generator) -> Picture:
    """A piece of table, shape (height, width, 3)."""
    return {"wood": _wood, "cloth": _cloth, "laminate": _laminate}[kind](shape, px_per_mm, rng)


def _wood(shape: tuple[int, int], px_per_mm: float, rng: np.random.Generator) -> Picture:
    dark, light = _WOODS[rng.integers(len(_WOODS))]
    plank_px = round(rng.uniform(70, 160) * px_per_mm)
    top = np.empty((*shape, 3), np.float32)
    for start in range(0, shape[0], plank_px):
        band = (min(plank_px, shape[0] - start), shape[1])
        bow = clouds(rng, band, (60 * px_per_mm, 500 * px_per_mm), 2) * 5 * px_per_mm
        across = np.arange(band[0], dtype=np.float32)[:, None] + bow + rng.uniform(0, 1000)
        rings = np.sin(across / (rng.uniform(2.2, 5) * px_per_mm)) + 0.6 * np.sin(across / (1.3 * px_per_mm))
        pores = clouds(rng, band, (0.9 * px_per_mm, 45 * px_per_mm), 2)
        share = np.clip(0.5 + 0.16 * rings + 0.13 * pores + rng.uniform(-0.15, 0.15), 0, 1)[..., None]
        plank = dark * (1 - share) + light * share
        plank[:1] *= 0.45
        top[start : start + band[0]] = plank
    return top


def _cloth(shape: tuple[int, int], px_per_mm: float, rng: np.random.Generator) -> Picture:
    base = linear(_CLOTHS[rng.integers(len(_CLOTHS))])
    y, x = (np.arange(n, dtype=np.float32) / px_per_mm for n in shape)
    pitch = rng.uniform(1.6, 3.0)
    weave = np.sin(x * 2 * np.pi / pitch)[None, :] * np.sin(y * 2 * np.pi / pitch)[:, None]
    threads = clouds(rng, shape, (2, 24), 2) + clouds(rng, shape, (24, 2), 2)
    folds = clouds(rng, shape, (220 * px_per_mm, 90 * px_per_mm), 2)
    shade = 1 + 0.12 * weave + 0.05 * threads + 0.07 * folds
    return np.asarray(base * np.clip(shade, 0.2, 2)[..., None], np.float32)


def _laminate(shape: tuple[int, int], px_per_mm: float, rng: np.random.Generator) -> Picture:
    base = linear(_LAMINATES[rng.integers(len(_LAMINATES))])
    spots = clouds(rng, shape, (2 * px_per_mm, 2 * px_per_mm), 2)
    marbling = clouds(rng, shape, (120 * px_per_mm, 120 * px_per_mm), 4)
    return np.asarray(base * np.clip(1 + 0.05 * spots + 0.05 * marbling, 0.2, 2)[..., None], np.float32)


def _pair(dark: tuple[int, int, int], light: tuple[int, int, int]) -> tuple[Picture, Picture]:
    return linear(dark), linear(light)


_WOODS = [
    _pair((48, 92, 140), (92, 148, 196)),  # oak
    _pair((38, 58, 92), (62, 92, 138)),  # walnut
    _pair((96, 150, 190), (150, 196, 222)),  # birch
    _pair((30, 34, 70), (52, 60, 118)),  # mahogany
    _pair((30, 36, 44), (52, 60, 70)),  # stained black
]
_CLOTHS = [(150, 168, 176), (96, 60, 44), (58, 84, 50), (60, 52, 130), (196, 206, 212), (70, 66, 64), (150, 120, 92)]
_LAMINATES = [(224, 226, 226), (160, 164, 166), (96, 96, 98), (48, 48, 50), (176, 204, 214)]
