"""The throwing place, looked at cheaply: is it empty, has it changed? Reading what lies there is throws.py's."""

from collections.abc import Iterator
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import Points
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

COLOURED, LIGHTER, DARKER = 0.1, 0.07, 0.75
"""Logarithms by which a thing differs from the ground; a shadow only darkens, and leaves half of the light."""

_LOG = np.log(np.arange(256, dtype=np.float32) + 16)  # so that noise in a dark picture is no bean

Mask = NDArray[np.uint8]
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
        self._inner = inner
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

    def outlines(self, located: Located) -> tuple[Points, ...]:
        """Around each thing that lies there and did not when the place was empty, pixels of the frame, (n, 2) each."""
        contours, _ = cv2.findContours(solid(self._now, self._vacant), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        corner = np.array([self._inner.x_mm, self._inner.y_mm])
        return tuple(
            located.project(corner + (cv2.convexHull(contour).reshape(-1, 2) + 0.5) / PX_PER_MM)
            for contour in contours
            if cv2.contourArea(contour) >= SMALLEST_PX
        )

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
    return any(cv2.countNonZero(strange) >= SMALLEST_PX for strange in _strange(now, before))


def solid(now: Logs, vacant: Logs) -> Mask:
    """Where something lies that is no shadow: another colour, lighter than the ground, or darker than any shadow."""
    ratio = now - vacant
    height, width = ratio.shape[:2]
    # The light: what most of a window much larger than a bean has in common.
    small = cv2.resize(ratio, (width // 4, height // 4), interpolation=cv2.INTER_AREA)
    levels = np.clip(small * 60 + 128, 0, 255).astype(np.uint8)
    light = (cv2.resize(cv2.medianBlur(levels, 19), (width, height)).astype(np.float32) - 128) / 60
    rest = ratio - light
    brightness = rest.mean(axis=2)
    colour = np.abs(rest - brightness[..., None]).max(axis=2)
    noise = 6 * float(np.median(colour[::3, ::3]))
    there = (colour > max(COLOURED, noise)) | (brightness > max(LIGHTER, noise)) | (brightness < -DARKER)
    smooth = cv2.medianBlur(there.astype(np.uint8), 3)
    return np.asarray(cv2.morphologyEx(smooth, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)


def _strange(now: Logs, before: Logs) -> Iterator[Mask]:
    """Where the two differ, channel by channel."""
    ratio = now - before
    for channel in cv2.split(ratio - np.median(ratio[::4, ::4].reshape(-1, 3), axis=0).astype(np.float32)):
        detail = np.abs(channel - cv2.blur(channel, (41, 41)))
        limit = max(0.07, 6 * float(np.median(detail[::3, ::3])))
        opened = cv2.morphologyEx((detail > limit).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        yield np.asarray(opened, np.uint8)


def _logs(view: Image) -> Logs:
    return np.asarray(cv2.blur(cv2.LUT(view, _LOG), (3, 3)), np.float32)
