"""What each pixel of a board looks like once the light is taken out.

Five things: the print, the print in shadow, a seat's colour, none of them, or nothing at all because of glare.
"""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.colours import LogImage, Response, between

NEITHER = -6.0
"""Log-likelihood of a pixel being neither board nor piece."""
BOARD, BOARD_LEARNT = math.log(0.7), math.log(2.0)
"""How common the board is among the pixels near cells; a learnt look shows every stain of it."""
PIECE, PALE, MIXED = math.log(0.06), math.log(0.03), math.log(0.06)
"""And a seat's colour, a veil of it, and a hue between two seats'."""
GLARE = 0.16
"""A spot that outshines its surroundings by so much, in log values of the camera, veils what is below."""
BRIGHTER = 0.2
"""So much brighter than anything known is glare too."""
Shares = NDArray[np.float32]
"""0 to 1; shape (seats, n) or (n,)."""


class Palette:
    """Knows the colours of one board and of its pieces.

    Args:
        printed: opponent colours of the print, (height, width, 3).
        near: rows and columns of the n pixels that are looked at.
        pieces: opponent colours of each seat's pieces, (seats, 3).
        learnt: whether the print is a board's look as the camera shows it; else it is drawn.
    """

    def __init__(
        self, printed: LogImage, near: tuple[NDArray[np.intp], ...], pieces: NDArray[np.float32], *, learnt: bool
    ) -> None:
        # Where the print is busy, what is off by a pixel looks like another colour.
        busy = np.maximum(cv2.blur(printed**2, (3, 3)) - cv2.blur(printed, (3, 3)) ** 2, 0)
        self._print, self._busy = printed[near], np.asarray(busy[near], np.float32)
        self._pieces = pieces
        self._board = BOARD_LEARNT if learnt else BOARD
        # A dark board may bear what is brighter than it; on print nothing is.
        self._palest = float(pieces[:, 0].max()) if learnt else -np.inf
        self._mixed = between(pieces) if learnt else ()

    def shares(self, seen: LogImage, spot: Shares, response: Response) -> tuple[Shares, Shares, Shares]:
        """How much each pixel looks like what.

        Args:
            seen: opponent colours of the n pixels, the light taken out, (n, 3).
            spot: by how much each outshines its surroundings, (n,).
            response: of the camera, to the colours of the print.

        Returns:
            Share of each seat's colour (seats, n), of what is neither piece nor board (n,), and whether the pixel says
            anything at all (n,).
        """
        printed = response.seen(self._print)
        y, a, b = np.ascontiguousarray(seen.T)
        glare = (np.maximum(spot, 0) + y - np.maximum(printed[:, 0], self._palest) > BRIGHTER) | (spot > GLARE)
        scores = np.full((len(self._pieces) + 2, len(y)), NEITHER, np.float32)
        scores[0] = self._like_board(y, a, b, printed)
        for k, colour in enumerate(response.seen(self._pieces)):
            strength = (a * colour[1] + b * colour[2]) / max(float(colour[1:] @ colour[1:]), 0.01)
            full, veiled = np.clip(strength, 0.55, 1.25), np.clip(strength, 0.1, 0.4)
            miss = ((a - full * colour[1]) ** 2 + (b - full * colour[2]) ** 2) / 0.18**2
            scores[k + 1] = -0.5 * (miss + _shaded(y - colour[0], 0.4, 0.7)) + PIECE
            # A faint veil of a piece's colour is no piece and no board: its rim, or light that it casts.
            pale = ((a - veiled * colour[1]) ** 2 + (b - veiled * colour[2]) ** 2) / 0.07**2
            np.maximum(scores[-1], -0.5 * pale + PALE, out=scores[-1])
        claimed = scores[1:-1].max(axis=0) + 1
        for colour, spread in self._mixed:
            strength = np.clip((a * colour[0] + b * colour[1]) / float(colour @ colour), 0.4, 1.25)
            miss = ((a - strength * colour[0]) ** 2 + (b - strength * colour[1]) ** 2) / spread**2
            np.maximum(scores[-1], np.minimum(-0.5 * miss + MIXED, claimed), out=scores[-1])
        shares = np.exp(scores - scores.max(axis=0))
        shares *= ~glare / shares.sum(axis=0)
        return shares[1:-1], shares[-1], np.asarray(~glare, np.float32)

    def _like_board(self, y: Shares, a: Shares, b: Shares, printed: LogImage) -> Shares:
        """Log-likelihood of the print, in light or in shadow."""
        above = (y - printed[:, 0]) / np.sqrt(1 + self._busy[:, 0] / 0.12**2)
        miss = (a - printed[:, 1]) ** 2 / (0.07**2 + self._busy[:, 1])
        miss += (b - printed[:, 2]) ** 2 / (0.07**2 + self._busy[:, 2])
        miss += _shaded(above, 0.12, 0.35)
        return np.asarray(np.maximum(-0.5 * miss, -12) + self._board, np.float32)


def _shaded(above: NDArray[np.float32], spread: float, shade: float) -> NDArray[np.float32]:
    """Squared misfit of brightness, in deviations: shadow costs less than light, and a deep one little more."""
    below = np.minimum(np.maximum(-above, 0) / shade, 2) + np.maximum(-above - 0.9, 0) / spread
    return np.asarray(np.where(above > 0, above / spread, below) ** 2, np.float32)
