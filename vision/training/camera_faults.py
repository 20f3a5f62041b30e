"""What a cheap camera makes of a rendered picture."""

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.solids import Floats, noise


def photograph(rng: Generator, linear: Floats) -> NDArray[np.uint8]:
    """What a cheap camera makes of it: exposure, white balance, blur, noise, sharpening, JPEG."""
    size = linear.shape[0]
    middle, bright = (float(v) for v in np.percentile(linear[::3, ::3], [70, 99]))
    exposure = 0.45 / max(1e-3, middle, 0.55 * bright) * np.exp(rng.normal(-0.15, 0.4))
    picture = linear * exposure * np.exp(rng.normal(0, rng.choice([0.05, 0.14]), 3)).astype(np.float32)
    if rng.random() < 0.4:
        y, x = np.mgrid[:size, :size].astype(np.float32) / size - 0.5
        picture = picture * (1 + rng.uniform(0, 0.7) * (x * np.cos(k := rng.uniform(0, 7)) + y * np.sin(k)))[..., None]
    picture = np.clip(picture, 0, 1) ** np.float32(1 / 2.2)
    picture = 0.5 + (picture - 0.5) * rng.uniform(0.75, 1.2)
    grey = picture.mean(-1, keepdims=True)
    picture = grey + (picture - grey) * rng.uniform(0.4, 1.4)
    if rng.random() < 0.75:
        picture = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), rng.uniform(0.3, 1.3))
    if rng.random() < 0.1:
        length = int(rng.integers(2, 5))
        kernel = np.zeros((5, 5), np.float32)
        cv2.line(kernel, (2, 2), (2 + int(rng.integers(-2, 3)), 2 + length // 2), 1.0)
        picture = cv2.filter2D(picture.astype(np.float32), -1, kernel / kernel.sum())
    level = 0.035 * rng.beta(1, 3.5)
    picture = picture + level * noise(rng, (size, size), rng.uniform(1, 2))[..., None]
    picture = picture + level * 0.6 * rng.standard_normal(picture.shape)
    if rng.random() < 0.4:
        soft = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 1.2)
        picture = picture + rng.uniform(0.2, 1.0) * (picture - soft)
    image = np.clip(picture[..., ::-1] * 255 + 0.5, 0, 255).astype(np.uint8)
    quality = int(rng.integers(45, 97))
    coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
