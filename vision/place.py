"""The throwing place, looked at cheaply: is it empty, has it changed? Reading what lies there is throws.py's."""

from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout, Rect
from calibration.sheets import top_view
from vision.camera import Image
from vision.locate import Located
from vision.rectify import Rectifier

PX_PER_MM = 1.0
INSET_MM = 5.0
"""The printed border is not looked at."""
SMALLEST_PX = 14
"""Half a small bean; less is a crumb or noise."""

_LOG = np.log(np.arange(256, dtype=np.float32) + 16)  # so that noise in a dark picture is no bean

Logs = NDArray[np.float32]
"""Logarithms of a top view of the place, (height, width, 3)."""


class Place:
    """Watches one throwing place.

    Args:
        layout: what is printed; an empty place looks so until a better view of it is accepted.
        place: where it is on the sheet.
    """

    def __init__(self, layout: Layout, place: Rect) -> None:
        inner = Rect(
            place.x_mm + INSET_MM, place.y_mm + INSET_MM, place.width_mm - 2 * INSET_MM, place.height_mm - 2 * INSET_MM
        )
        self._rectifier = Rectifier(inner, PX_PER_MM)
        left, top, right, bottom = (
            round(v * PX_PER_MM)
            for v in (inner.x_mm, inner.y_mm, inner.x_mm + inner.width_mm, inner.y_mm + inner.height_mm)
        )
        self._vacant = _logs(top_view(layout, PX_PER_MM)[top:bottom, left:right])
        self._read: Logs | None = None
        self._now = self._vacant

    @classmethod
    def of(cls, layout: Layout) -> Self | None:
        """The throwing place of a layout, if it has one."""
        return cls(layout, layout.place) if layout.place else None

    def see(self, image: Image, located: Located) -> bool:
        """Look at the next frame; True when the place is empty and nothing hangs over it.

        Rather says no: an empty place is read once more, a bean overlooked would be thrown again.
        """
        self._now = _logs(self._rectifier.top_view(image, located))
        return not differs(self._now, self._vacant)

    def accept_empty(self) -> None:
        """What was seen last is an empty place."""
        self._vacant = self._now

    def mark_read(self) -> None:
        """What was seen last has been read."""
        self._read = self._now

    def changed(self) -> bool:
        """Whether what was seen last differs from what has been read."""
        return self._read is None or differs(self._now, self._read)


def differs(now: Logs, before: Logs) -> bool:
    """Whether something of the size of a bean lies in one and not in the other; light drops out."""
    ratio = now - before
    for channel in cv2.split(ratio - np.median(ratio[::4, ::4].reshape(-1, 3), axis=0).astype(np.float32)):
        detail = np.abs(channel - cv2.blur(channel, (41, 41)))
        limit = max(0.07, 6 * float(np.median(detail[::3, ::3])))
        strange = cv2.morphologyEx((detail > limit).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        if cv2.countNonZero(strange) >= SMALLEST_PX:
            return True
    return False


def _logs(view: Image) -> Logs:
    return np.asarray(cv2.blur(cv2.LUT(view, _LOG), (3, 3)), np.float32)
