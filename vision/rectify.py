"""The board as seen from straight above, at a fixed scale, through lens and homography."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import Matrix
from calibration.layout import Rect
from vision.camera import Image
from vision.locate import Located

STEP = 4
"""Every so many pixels the map is computed, and between them interpolated: less than 0.05 px of the halved picture is
lost, and while the lens is still learnt the map is another in every frame."""


class Rectifier:
    """Turns frames into top views of one area; its maps are made anew only when the board's place changes.

    Args:
        area: of the sheet.
        px_per_mm: of the top view; pixel (0, 0) covers the first square of 1 / px_per_mm millimetres.
    """

    def __init__(self, area: Rect, px_per_mm: float) -> None:
        self._px_per_mm, self._origin = px_per_mm, (area.x_mm, area.y_mm)
        self._across, self._down = round(area.width_mm * px_per_mm), round(area.height_mm * px_per_mm)
        self._made_for: Matrix | None = None

    def top_view(self, image: Image, located: Located) -> Image:
        """Blue, green, red; shape (round(height_mm * px_per_mm), round(width_mm * px_per_mm), 3).

        What the camera does not see is black. The picture is halved first until its pixels are about as large.
        """
        if self._made_for is not located.projection:
            self._make(located)
            self._made_for = located.projection
        for _ in range(self._halvings):
            height, width = image.shape[0] // 2, image.shape[1] // 2
            even = image[: 2 * height, : 2 * width]
            image = np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        return np.asarray(cv2.remap(image, self._maps[0], self._maps[1], cv2.INTER_LINEAR), np.uint8)

    def _make(self, located: Located) -> None:
        places = self._nodes_mm()
        rows, columns = places.shape[:2]
        seen = located.project(places.reshape(-1, 2)).reshape(rows, columns, 2)
        step_px = float(np.median(np.linalg.norm(np.diff(seen, axis=1), axis=2))) / STEP
        self._halvings = max(0, math.floor(math.log2(max(step_px, 1e-3)) + 0.35))
        scaled = ((seen + 0.5) / 2**self._halvings - 0.5).astype(np.float32)
        whole = cv2.resize(scaled, (STEP * columns, STEP * rows), interpolation=cv2.INTER_LINEAR)
        grid = whole[STEP : STEP + self._down, STEP : STEP + self._across]
        self._maps = cv2.convertMaps(grid[..., 0], grid[..., 1], cv2.CV_16SC2)

    def _nodes_mm(self) -> NDArray[np.float64]:
        """Where the map is computed, on the sheet: the middles of squares, of which one more lies all around."""
        down, across = (np.arange(-1, -(-size // STEP) + 1) for size in (self._down, self._across))
        x, y = np.meshgrid(across, down)
        return np.asarray((np.stack([x, y], axis=-1) + 0.5) * STEP / self._px_per_mm + self._origin)
