"""Whether a picture of a board shows enough of it to be read at all."""

from collections.abc import Collection

import numpy as np

from referee.observation import Plight
from vision.camera import Image

DARK, DARK_AGAIN = 30, 33
"""Median of the sheet below which colours are noise, and from which they are colours again: one limit would flicker."""
END, BRIGHT, BRIGHT_AGAIN = 250, 0.7, 0.65
"""A level near the end of the range, the share of the sheet that has two colours there when its hues are lost, and that
below which they are there again."""
BLURRED_PX = 2.5


def picture_plights(
    sheet: Image, blur_px: float, *, printed: bool, before: Collection[Plight] = ()
) -> tuple[Plight, ...]:
    """What spoils the whole picture.

    Args:
        sheet: top view of the board.
        blur_px: deviation of the blur of its tags' edges in the picture.
        printed: whether it is our print, which has hues to lose; a board of white paper may well be all white.
        before: the plights of the picture before.
    """
    some = sheet[::4, ::4]
    lost = float(((some >= END).sum(axis=-1) >= 2).mean())
    told: dict[Plight, bool] = {
        "dark": float(np.median(some)) < (DARK_AGAIN if "dark" in before else DARK),
        "bright": printed and lost > (BRIGHT_AGAIN if "bright" in before else BRIGHT),
        "blurred": blur_px > BLURRED_PX,
    }
    return tuple(plight for plight, there in told.items() if there)
