"""Whether a picture of a board shows enough of it to be read at all."""

import numpy as np

from referee.observation import Plight
from vision.camera import Image

DARK = 30
"""Median of the sheet below which colours are noise."""
END, BRIGHT = 250, 0.7
"""A level near the end of the range, and the share of the sheet that has two colours there when its hues are lost."""
BLURRED_PX = 2.5


def picture_plights(sheet: Image, blur_px: float, *, printed: bool) -> tuple[Plight, ...]:
    """What spoils the whole picture.

    Args:
        sheet: top view of the board.
        blur_px: deviation of the blur of its tags' edges in the picture.
        printed: whether it is our print, which has hues to lose; a board of white paper may well be all white.
    """
    some = sheet[::4, ::4]
    told: dict[Plight, bool] = {
        "dark": float(np.median(some)) < DARK,
        "bright": printed and float(((some >= END).sum(axis=-1) >= 2).mean()) > BRIGHT,
        "blurred": blur_px > BLURRED_PX,
    }
    return tuple(plight for plight, there in told.items() if there)
