"""The Camera protocol: every source of frames comes through this one door."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""Blue, green, red; shape (height, width, 3)."""


class CameraLost(Exception):
    """The source gives no more frames; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture and when it was taken."""

    image: Image
    taken_at: float
    """Seconds on the camera's own clock, rising."""
    number: int


class Camera(Protocol):
    """A source of frames. ``read`` may block; capture.py keeps it in a thread of its own."""

    @property
    def identity(self) -> str:
        """Stable name of the device, under which its calibration is kept."""

    @property
    def live(self) -> bool:
        """True when old frames are worthless (devices, URLs); False for files, where every frame counts."""

    def read(self) -> Frame | None:
        """The next frame; None at the end of a recording.

        Raises:
            CameraLost: the device is gone or gives nothing.
        """

    def close(self) -> None:
        """Release the device; later reads raise CameraLost."""
