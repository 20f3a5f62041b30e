"""The board as seen from straight above, at a fixed scale, through lens and homography."""

import cv2
import numpy as np

from calibration.homography import Matrix
from vision.camera import Image
from vision.locate import Located


class Rectifier:
    """Turns frames into top views of a sheet; its maps are made anew only when the board's place changes.

    Args:
        size_mm: of the sheet.
        px_per_mm: of the top view; pixel (0, 0) covers the square from 0 to 1 / px_per_mm millimetres.
    """

    def __init__(self, size_mm: tuple[float, float], px_per_mm: float = 1.0) -> None:
        self.px_per_mm = px_per_mm
        self._across, self._down = (round(side * px_per_mm) for side in size_mm)
        self._made_for: Matrix | None = None

    def top_view(self, image: Image, located: Located) -> Image:
        """Blue, green, red; shape (round(height_mm * px_per_mm), round(width_mm * px_per_mm), 3).

        What the camera does not see is black. Each pixel is a mean over the area it covers, to a whole number of
        picture pixels.
        """
        height, width = image.shape[:2]
        if self._made_for is not located.projection:
            self._make(located, height, width)
            self._made_for = located.projection
        if self._shrink > 1:
            image = np.asarray(
                cv2.resize(image, (width // self._shrink, height // self._shrink), interpolation=cv2.INTER_AREA),
                np.uint8,
            )
        return np.asarray(cv2.remap(image, *self._maps, cv2.INTER_LINEAR), np.uint8)

    def _make(self, located: Located, height: int, width: int) -> None:
        x, y = np.meshgrid(np.arange(self._across), np.arange(self._down))
        places = (np.stack([x.ravel(), y.ravel()], axis=1) + 0.5) / self.px_per_mm
        seen = located.project(places)
        step = np.linalg.norm(np.diff(located.corners_px[[0, 1, 2, 3, 0]], axis=0), axis=1).sum()
        shown_px_per_mm = step / (2 * (self._across + self._down) / self.px_per_mm)
        self._shrink = max(1, int(shown_px_per_mm / self.px_per_mm + 0.3))
        kept = (
            np.array([width // self._shrink, height // self._shrink]) * self._shrink
        )  # resize stretches the rest away
        scaled = (seen + 0.5) * (np.array([width, height]) / kept) / self._shrink - 0.5
        grid = scaled.reshape(self._down, self._across, 2).astype(np.float32)
        self._maps = cv2.convertMaps(grid[..., 0], grid[..., 1], cv2.CV_16SC2)
