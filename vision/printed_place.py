"""The throwing place of a printed board that a single picture shows.

The boards bear drawings of marked and plain beans, and much else that is round: only their place is read.
"""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout, load, names
from vision.camera import Image
from vision.locate import Located, Locator, agreeing
from vision.place import Place
from vision.tags import detect


class PlaceUnseen(Exception):
    """A printed board is there, and where its place lies cannot be told."""


def printed_place(image: Image) -> tuple[NDArray[np.float32], float] | None:
    """Corners of the place, pixels, shape (4, 2), and its scale in pixels a mm; None where no printed board is seen.

    Raises:
        PlaceUnseen: there is a board, and too little of it to tell.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    seen = detect(grey)
    layout = next((one for one in _printed() if agreeing(seen, {tag.id: tag for tag in one.tags})), None)
    if layout is None:
        return None
    located, place = Locator(layout).see(grey), Place.of(layout)
    if not isinstance(located, Located) or place is None:
        raise PlaceUnseen
    assert layout.place is not None
    return np.asarray(located.project(layout.place.corners_mm), np.float32), place.px_per_mm(located)


@cache
def _printed() -> tuple[Layout, ...]:
    """Our boards with tags and a place of their own."""
    return tuple(layout for layout in map(load, names()) if layout.tags and layout.place)
