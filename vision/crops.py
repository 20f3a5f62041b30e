"""Squares cut out around things."""

import cv2
import numpy as np

from vision.camera import Image


def cut_out(image: Image, centre_px: tuple[float, float], edge_px: float, kept_px: int) -> Image:
    """A square around an object, ``edge_px`` of the picture brought to ``kept_px``; beyond it its edge is repeated."""
    zoom = kept_px / edge_px
    if zoom < 0.6:
        # Averaged first, for the sampling below looks at four pixels only.
        x, y, half = *centre_px, edge_px / 2 + 2
        height, width = image.shape[:2]
        left, top = (int(np.clip(v - half, 0, end - 2)) for v, end in ((x, width), (y, height)))
        right, bottom = (int(np.clip(v + half, 2, end)) for v, end in ((x, width), (y, height)))
        part = image[min(top, bottom - 2) : bottom, min(left, right - 2) : right]
        size = (max(1, round(part.shape[1] * zoom)), max(1, round(part.shape[0] * zoom)))
        shrunk = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
        back = part.shape[1] / size[0], part.shape[0] / size[1]
        at = ((x - left + 0.5) / back[0] - 0.5, (y - top + 0.5) / back[1] - 0.5)
        return cut_out(shrunk, at, kept_px * 1.0, kept_px)
    middle = (kept_px - 1) / 2
    move = np.asarray([[zoom, 0, middle - zoom * centre_px[0]], [0, zoom, middle - zoom * centre_px[1]]], np.float64)
    how = cv2.INTER_CUBIC if zoom > 1 else cv2.INTER_LINEAR
    seen = cv2.warpAffine(image, move, (kept_px, kept_px), flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)
