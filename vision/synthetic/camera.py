"""The simulated table's webcam: a Camera like any other, able to misbehave to order."""

import threading
import time
from typing import Literal

from vision.camera import CameraLost, Frame
from vision.synthetic.table import SimulatedTable

Mood = Literal["well", "frozen", "lost", "slow"]


class SimulatedCamera:
    """Frames of a simulated table.

    Args:
        table: what it looks at.
        paced: whether ``read`` waits as a real camera does; without, frames come as fast as they are rendered.
    """

    def __init__(self, table: SimulatedTable, *, paced: bool) -> None:
        self._table = table
        self._paced = paced
        self._mood: Mood = "well"
        self._slowness = 1.0
        self._closed = threading.Event()
        self._last: Frame | None = None
        self._due: float | None = None

    @property
    def identity(self) -> str:
        """As every camera has one."""
        return "sim://table"

    @property
    def live(self) -> bool:
        """Paced, it is a device; unpaced, every frame counts."""
        return self._paced

    def read(self) -> Frame | None:
        """The next frame.

        Raises:
            CameraLost: it was told to stop, or is closed.
        """
        if self._closed.is_set():
            raise CameraLost("the simulated camera is closed")
        if self._mood == "lost":
            raise CameraLost("the simulated camera was told to stop; tell it to go on")
        frame = self._table.frame()
        if self._mood == "frozen" and self._last is not None:
            frame = Frame(self._last.image, frame.taken_at, frame.number)
        self._last = frame
        if self._paced:
            self._pace()
        return frame

    def close(self) -> None:
        """Later reads raise CameraLost."""
        self._closed.set()

    def freeze(self) -> None:
        """Give the same picture again and again, while the table goes on."""
        self._mood = "frozen"

    def stop(self) -> None:
        """Give nothing but CameraLost; the table stands still meanwhile."""
        self._mood = "lost"

    def slow(self, factor: float) -> None:
        """Take that many times as long for a frame (paced cameras only)."""
        self._mood, self._slowness = "slow", factor

    def go_on(self) -> None:
        """Behave again."""
        self._mood, self._slowness = "well", 1.0

    def _pace(self) -> None:
        now = time.monotonic()
        due = self._due if self._due is not None else now
        # A frame that came late must not be made up for by a burst.
        self._due = max(due, now - 1 / self._table.fps) + self._slowness / self._table.fps
        self._closed.wait(max(0.0, due - now))
