"""How well a camera does: frozen, silent, still warming up; and how fast it really is."""

from collections import deque

import numpy as np

from vision.camera import Image

LOST_AFTER_S = 3.0
"""No frame, or always the same frame, for so long: the camera is lost."""
WARM_UP_S = 5.0
WARM_UP_FRAMES = 10
WARM_UP_CHANGE = 0.02
"""Frames count once mean brightness has changed by less than this share over so many frames, or after so long."""


class Health:
    """Judges the stream of a live camera: frozen, silent, still warming up; and measures its rate."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=30)
        self._means: deque[float] = deque(maxlen=WARM_UP_FRAMES)
        self._image: Image | None = None
        self._first_at: float | None = None
        self._changed_at = 0.0
        self.warm = False
        """Frames count: brightness has settled."""
        self.good_s = 0.0
        """From the first frame to the latest that differed from the one before."""

    def see(self, image: Image, now: float) -> None:
        """Take note of a frame that came at ``now``."""
        if self._first_at is None:
            self._first_at = self._changed_at = now
        if self._image is None or not _same(image, self._image):
            self._changed_at = now
            self.good_s = now - self._first_at
        self._image = image
        self._times.append(now)
        if not self.warm:
            self._means.append(float(image[::8, ::8].mean()))
            spread = max(self._means) - min(self._means)
            settled = len(self._means) == WARM_UP_FRAMES and spread < WARM_UP_CHANGE * max(self._means[-1], 1.0)
            self.warm = settled or now - self._first_at >= WARM_UP_S

    @property
    def fps(self) -> float:
        """Over the latest frames."""
        span = self._times[-1] - self._times[0] if len(self._times) > 1 else 0.0
        return (len(self._times) - 1) / span if span > 0 else 0.0

    @property
    def size(self) -> tuple[int, int]:
        return (self._image.shape[1], self._image.shape[0]) if self._image is not None else (0, 0)

    def plight(self, now: float, opened_at: float) -> str | None:
        """Why the camera is to be called lost, or None."""
        latest = self._times[-1] if self._times else opened_at
        if now - latest > LOST_AFTER_S:
            return f"the camera has sent nothing for {LOST_AFTER_S:.0f} s; check its cable"
        if self._times and now - self._changed_at > LOST_AFTER_S:
            return f"the camera has sent the same picture for {LOST_AFTER_S:.0f} s; check that it is not covered"
        return None


def _same(one: Image, other: Image) -> bool:
    """Exactly the same picture; noise makes two pictures of a living camera differ within the first few rows."""
    return one.shape == other.shape and all(np.array_equal(one[row::64], other[row::64]) for row in range(64))
