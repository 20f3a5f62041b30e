"""Pictures of ordinary chessboards: wood or green squares, a frame, men as cylinders, light, blur and noise."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.camera import Image

Floats = NDArray[np.float64]
FINE = 48
"""Pixels a square of the board as drawn."""
MARGIN = 3
"""Squares of table around the board as drawn; beyond it the table goes on plain."""
Bgr = tuple[int, int, int]


@dataclass(frozen=True)
class ChessScene:
    """One board on one table before one camera. The unit is the square."""

    light: Bgr = (160, 205, 230)
    dark: Bgr = (50, 80, 120)
    frame: Bgr = (40, 60, 95)
    table: Bgr = (70, 90, 110)
    frame_width: float = 0.6
    grain: float = 10.0
    """Standard deviation of the wood's grain, grey levels."""
    squares: int = 8
    size: tuple[int, int] = (1280, 960)
    focal_px: float = 1150.0
    tilt_deg: float = 35.0
    turn_deg: float = 10.0
    distance: float = 16.0
    shift: tuple[float, float] = (0.0, 0.0)
    k1: float = 0.0
    men: float = 1 / 3
    """Share of the squares that bear a man."""
    height: float = 0.25
    noise: float = 3.0
    blur_px: float = 0.8
    shade: float = 0.3
    """By how much the light falls off from one edge of the picture to the other."""
    seed: int = 1

    def pixels(self, points: Floats) -> Floats:
        """Points (n, 3), on the board from its top left corner and above it, in the picture."""
        tilt, turn = np.radians(-self.tilt_deg), np.radians(self.turn_deg)
        lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
        spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
        middle = (self.squares / 2 + self.shift[0], self.squares / 2 + self.shift[1], 0)
        seen = (points * (1, 1, -1) - middle) @ (lean @ spin).T + (0, 0, self.distance)
        ray = seen[:, :2] / seen[:, 2:]
        ray = ray * (1 + self.k1 * (ray**2).sum(axis=1, keepdims=True))
        return np.asarray(ray * self.focal_px + ((self.size[0] - 1) / 2, (self.size[1] - 1) / 2))

    @property
    def corners_px(self) -> Floats:
        """Of the playing field, clockwise from its top left, (4, 2)."""
        n = self.squares
        return self.pixels(np.array([(0, 0, 0), (n, 0, 0), (n, n, 0), (0, n, 0)], np.float64))

    def picture(self) -> Image:
        """Blue, green, red."""
        rng = np.random.default_rng(self.seed)
        picture = self._warped(self._drawn(rng))
        self._put_men(picture, rng)
        across = np.linspace(1, 1 - self.shade, self.size[0])[None, :, None]
        seen = cv2.GaussianBlur(picture, (0, 0), self.blur_px) * across + rng.normal(0, self.noise, picture.shape)
        return np.asarray(np.clip(np.rint(seen), 0, 255), np.uint8)

    def _drawn(self, rng: np.random.Generator) -> Image:
        n, border, width = self.squares, MARGIN * FINE, round(self.frame_width * FINE)
        edge = n * FINE + 2 * border
        sheet = np.full((edge, edge, 3), self.table, np.float64)
        sheet[border - width : edge - border + width, border - width : edge - border + width] = self.frame
        for row in range(n):
            for column in range(n):
                top, left = border + row * FINE, border + column * FINE
                colour = self.light if (row + column) % 2 == 0 else self.dark
                sheet[top : top + FINE, left : left + FINE] = np.array(colour) + rng.normal(0, self.grain / 3)
        grain = cv2.GaussianBlur(rng.normal(0, 1, (edge, edge)), (0, 0), sigmaX=20, sigmaY=1.2)
        sheet += (np.asarray(grain, np.float64) / max(float(grain.std()), 1e-9) * self.grain)[..., None]
        return np.asarray(np.clip(sheet, 0, 255), np.uint8)

    def _warped(self, sheet: Image) -> Image:
        width, height = self.size
        places = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], np.float64) * self.squares
        straight = replace(self, k1=0.0)
        drawn = (places[:, :2] + MARGIN) * FINE - 0.5
        to_sheet = cv2.getPerspectiveTransform(straight.pixels(places).astype(np.float32), drawn.astype(np.float32))
        x, y = np.meshgrid(np.arange(2 * width) / 2 - 0.25, np.arange(2 * height) / 2 - 0.25)
        centre = np.array([(width - 1) / 2, (height - 1) / 2])
        bent = (np.stack([x, y], axis=-1) - centre) / self.focal_px
        ray = bent.copy()
        for _ in range(8 if self.k1 else 0):
            ray = bent / (1 + self.k1 * (ray**2).sum(axis=-1, keepdims=True))
        flat = (ray * self.focal_px + centre).reshape(-1, 1, 2)
        at = cv2.perspectiveTransform(flat, to_sheet).reshape(2 * height, 2 * width, 2).astype(np.float32)
        fine = cv2.remap(sheet, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderValue=self.table)
        return np.asarray(cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA), np.uint8)

    def _put_men(self, picture: Image, rng: np.random.Generator) -> None:
        squares = rng.permutation(self.squares**2)[: round(self.men * self.squares**2)]
        spots = np.column_stack([squares % self.squares, squares // self.squares]) + 0.5
        spots = spots + rng.uniform(-0.08, 0.08, spots.shape)
        angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        for k in np.argsort(self.pixels(np.column_stack([spots, np.zeros(len(spots))]))[:, 1]):  # the far ones first
            colour = [(30, 30, 35), (200, 225, 235), (40, 40, 170)][k % 3]
            ring = spots[k] + 0.38 * np.column_stack([np.cos(angle), np.sin(angle)])
            low = self.pixels(np.column_stack([ring, np.zeros(40)]))
            high = self.pixels(np.column_stack([ring, np.full(40, self.height)]))
            hull = cv2.convexHull(np.vstack([low, high]).astype(np.float32)).reshape(-1, 2)
            cv2.fillConvexPoly(picture, _fixed(hull), tuple(int(0.7 * c) for c in colour), cv2.LINE_AA, 4)
            cv2.fillConvexPoly(picture, _fixed(high), colour, cv2.LINE_AA, 4)


def _fixed(points: ArrayLike) -> NDArray[np.int32]:
    return np.rint(np.asarray(points, np.float64) * 16).astype(np.int32)
