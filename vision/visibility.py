"""Whether a picture of a board shows enough of it to be read at all."""

import numpy as np

from referee.observation import Plight
from vision.camera import Image

DARK = 30
"""Median of the sheet below which colours are noise."""
BLURRED_PX = 2.5


def picture_plights(sheet: Image, blur_px: float) -> tuple[Plight, ...]:
    """What spoils the whole picture.

    Args:
        sheet: top view of the board.
        blur_px: deviation of the blur of its tags' edges in the picture.
    """
    plights: tuple[Plight, ...] = ("dark",) if float(np.median(sheet[::4, ::4])) < DARK else ()
    return (*plights, "blurred") if blur_px > BLURRED_PX else plights
