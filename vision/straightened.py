"""A board shown by its corners, seen through a lens that is known: followed in the picture without the lens's bend.

What moves on a flat board moves by one homography only where the lens does not bend it. So every picture is
straightened first: all of it, shrunk as far as it must be to fit.
"""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.corners import Quad
from calibration.homography import Matrix
from calibration.layout import Layout
from calibration.pose import Lens
from referee.observation import Refusal
from vision.dragged import located
from vision.follow import Follower
from vision.lens import Lenses
from vision.locate import Located
from vision.tags import Grey

SMALLEST = 0.4
"""It is shrunk no further than this: the rim of a fisheye would leave nothing of its middle."""


class StraightFollower:
    """Follows one board as ``Follower`` does, through the lens that is kept of the camera.

    Args:
        layout: of the board.
        corners_px: of its playing field, in the first picture as taken.
        lenses: where the lens is kept; where it is not, the picture is taken to be straight.
    """

    def __init__(self, layout: Layout, corners_px: Quad, lenses: Lenses) -> None:
        self._layout, self._corners, self._lenses = layout, corners_px, lenses
        self._straight: _Straight | None = None
        self._last: Located | None = None
        self._seen: Matrix | None = None

    def see(self, grey: Grey, *, search: bool = True) -> Located | Refusal:
        """Locate the board in the next picture; see Follower.see."""
        if self._straight is None:
            height, width = grey.shape
            prior = self._lenses.prior((width, height))
            self._straight = _Straight(prior.lens if prior else Lens.usual(width, height), (width, height))
            self._follower = Follower(self._layout, self._straight.corners(self._corners))
        if grey.shape != self._straight.shape:
            return "no corners"
        seen = self._follower.see(self._straight.view(grey), search=search)
        return self._as_taken(seen, self._straight) if isinstance(seen, Located) else seen

    def _as_taken(self, seen: Located, straight: "_Straight") -> Located:
        if self._last is None or self._seen is not seen.projection:
            self._last = located(self._layout, straight.back @ seen.homography, straight.lens)
            self._seen = seen.projection
        return replace(self._last, residual_px=seen.residual_px / straight.scale, residual_mm=seen.residual_mm)


class _Straight:
    """Turns pictures taken through one lens into straight ones of the same size."""

    def __init__(self, lens: Lens, size_px: tuple[int, int]) -> None:
        self.lens = lens
        width, height = size_px
        self.shape = (height, width)
        centre = np.array(lens.centre_px)
        rim = lens.undistort([(x, y) for x in (0, width - 1) for y in (0, height - 1)]) - centre
        room = np.array([(x, y) for x in (0, width - 1) for y in (0, height - 1)]) - centre
        self.scale = float(np.clip((np.abs(room) / np.abs(rim)).min(), SMALLEST, 1))
        shift = (1 - self.scale) * centre
        self._forth = np.array([[self.scale, 0, shift[0]], [0, self.scale, shift[1]], [0, 0, 1]])
        self.back: Matrix = np.linalg.inv(self._forth)
        """From the straight picture to undistorted pixels of the lens."""
        x, y = np.meshgrid(np.arange(width), np.arange(height))
        taken = lens.distort((np.column_stack([x.ravel(), y.ravel()]) - shift) / self.scale)
        grid = taken.reshape(height, width, 2).astype(np.float32)
        self._maps = cv2.convertMaps(grid[..., 0], grid[..., 1], cv2.CV_16SC2)

    def view(self, grey: Grey) -> Grey:
        flat = cv2.remap(grey, self._maps[0], self._maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, np.uint8)

    def corners(self, corners_px: Quad) -> Quad:
        """Corners of the picture as taken, in the straight one."""
        straight: NDArray[np.float64] = self.lens.undistort(corners_px) * self.scale + self._forth[:2, 2]
        one, two, three, four = ((float(x), float(y)) for x, y in straight)
        return one, two, three, four
