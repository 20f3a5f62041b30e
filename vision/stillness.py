"""Does anything on the table move? Made to see a creeping pebble and not to see lamps, exposure and noise.

Method: pictures are compared as high-passed logarithms, so that a change of light, which multiplies, drops out;
differences are averaged over 4x4-pixel blocks and judged against the camera's own noise.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Frame, Image

Blocks = NDArray[np.bool_]
"""One flag a block, shape (rows, cols)."""
Polygon = Sequence[tuple[float, float]]
"""Corners in frame pixels, (x, y)."""

REST_S = 0.4
"""The long lag: a table is at rest when it looks as it did this long ago. A pebble at 0.5 px a frame does not."""
SHORT_S = 2 / 15
"""The short lag: what differs from this long ago is moving now."""
TOLERANCE_S = 0.02
"""Frames come a little early or late."""
LARGEST_PX = 640 * 480
"""Pictures with more pixels are shrunk by a whole number."""
BLOCK = 4
"""Edge of a block in pixels of the shrunk picture."""
COARSE = 16
"""Edge of the squares by which light is judged, in pixels of the shrunk picture."""
CLUSTER = 3
"""So many blocks of a 3x3 neighbourhood must differ; noise strikes blocks singly."""
UNIT = 4000
"""Differences are counted in this fraction of the natural logarithm of brightness, so that they fit 16 bits."""
MANY = 12
"""From so many differing blocks on, one frame is enough to say that something moves."""
FREEZE_S = 0.5
"""How long a step of light is reported."""
GAP_S = 1.0
"""Pictures further apart than this say nothing about rest."""

# The 64 keeps the noise of dark pixels from counting more than that of bright ones.
_LOG = (UNIT * np.log(np.arange(256) + 64.0)).astype(np.int16)


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """What moved up to one frame."""

    moving: bool
    """Something moves now, however slowly."""
    still_s: float
    """For how long nothing has moved, up to this frame; 0 while something moves. At rest from ``REST_S`` on."""
    light_step: bool
    """The light of most of the picture jumped within the last ``FREEZE_S``; ``still_s`` counts from the jump."""
    blocks: Blocks
    """Where the picture differs from ``SHORT_S`` or ``REST_S`` ago; row, column."""
    block_px: float
    """Edge of a block in frame pixels: block (row, col) begins at (col * block_px, row * block_px)."""

    @property
    def at_rest(self) -> bool:
        """Nothing has moved for ``REST_S``, as exactly as frame times go."""
        return self.still_s >= REST_S - TOLERANCE_S


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """What is kept of a frame for comparison."""

    at: float
    detail: NDArray[np.int16]
    """High-passed logarithm of brightness in 1/UNIT."""


@dataclass(frozen=True, slots=True, eq=False)
class _Light:
    at: float
    level: NDArray[np.float32]
    """Natural logarithm of the mean brightness of coarse blocks."""
    moving: bool


class Stillness:
    """Watches the frames of one camera, in order.

    Args:
        noise_factor: a block differs when its mean difference exceeds the camera's noise so many times ...
        edge_share: ... plus this share of its own contrast, for edges tremble with every change of light.
        noise_floor: least noise assumed, as a share of brightness.
    """

    def __init__(self, *, noise_factor: float = 5.0, edge_share: float = 0.08, noise_floor: float = 0.002) -> None:
        self._noise_factor = noise_factor
        self._edge_share = edge_share
        self._noise_floor = noise_floor
        self._seen: deque[_Seen] = deque()
        self._steps = _LightSteps()
        self._noise: float | None = None
        self._still_since = 0.0
        self._short_moved_at = -np.inf
        self._calm = 0
        self._doubted = False
        self._ignored: tuple[tuple[Polygon, ...], tuple[int, ...], Blocks] | None = None

    def see(self, frame: Frame, ignore: tuple[Polygon, ...] | None = None) -> Motion:
        """Compare a frame with the earlier ones.

        Args:
            frame: of the same camera, later than those before.
            ignore: where movement does not count (our own LEDs, a screen), frame pixels.
        """
        grey, shrink = _shrunk(frame.image)
        log = cv2.blur(cv2.LUT(grey, _LOG).reshape(grey.shape), (3, 3))
        detail = np.asarray(log - cv2.boxFilter(log, -1, (15, 15)), np.int16)
        at = frame.taken_at
        if self._seen and (not 0 < at - self._seen[-1].at <= GAP_S or self._seen[-1].detail.shape != detail.shape):
            self._forget()
        if not self._seen:
            self._still_since = at
        watched = self._watched(ignore, (grey.shape[0] // BLOCK, grey.shape[1] // BLOCK), BLOCK * shrink)
        short, long = self._ago(at, SHORT_S), self._ago(at, REST_S)
        if short is None or long is None:
            now = lately = np.zeros(watched.shape, np.bool_)
            moving = False
        else:
            difference = _block_means(cv2.absdiff(detail, short.detail))
            limit = self._limit(detail, difference, at)
            now = _clustered((difference > limit) & watched)
            lately = _clustered((_block_means(cv2.absdiff(detail, long.detail)) > limit) & watched)
            moving = self._judge(at, now, lately, short.at, long.at)
        light_step = self._steps.see(at, grey, moving, watched)
        if self._steps.stepped_at == at:
            self._forget()
            self._still_since = at
        self._seen.append(_Seen(at, detail))
        still_s = at - self._still_since
        return Motion(moving and not light_step, 0.0 if moving else still_s, light_step, now | lately, BLOCK * shrink)

    def _judge(self, at: float, now: Blocks, lately: Blocks, short_at: float, long_at: float) -> bool:
        """Update since when the table is still; True if something moves."""
        differing = int(np.count_nonzero(now | lately))
        doubtful = 0 < differing < MANY and self._calm > 1 and not self._doubted
        self._doubted = doubtful
        if doubtful:
            # A few blocks of a table at rest: noise, unless the next frame says so too.
            return False
        self._calm = 0 if differing else self._calm + 1
        if now.any():
            self._short_moved_at = self._still_since = at
            return True
        if differing:
            # Either the tail of a movement that has ended, or one too slow for the short lag.
            self._still_since = short_at
            return at - self._short_moved_at > REST_S + SHORT_S
        if self._calm > 1:
            self._still_since = min(self._still_since, long_at)
        return False

    def _forget(self) -> None:
        self._seen.clear()
        self._noise = None

    def _ago(self, at: float, lag_s: float) -> _Seen | None:
        """The newest kept frame at least lag_s old, else the oldest; drops what is older than any lag needs."""
        while len(self._seen) > 1 and at - self._seen[1].at >= REST_S - TOLERANCE_S:
            self._seen.popleft()
        old = [seen for seen in self._seen if at - seen.at >= lag_s - TOLERANCE_S]
        return old[-1] if old else self._seen[0] if self._seen else None

    def _limit(self, detail: NDArray[np.int16], difference: NDArray[np.int16], at: float) -> NDArray[np.float32]:
        """What a block's mean difference may be without movement, in 1/UNIT, shape (rows, cols)."""
        # The median block does not move, unless the camera does: so its rise is believed but slowly.
        median = float(np.median(difference[::3, ::3]))
        elapsed_s = at - self._seen[-1].at
        self._noise = median if self._noise is None else min(median, (self._noise + 1) * 1.3**elapsed_s)
        noise = self._noise_factor * max(self._noise, self._noise_floor * UNIT)
        return np.asarray(noise + self._edge_share * _block_means(np.abs(detail)), np.float32)

    def _watched(self, ignore: tuple[Polygon, ...] | None, shape: tuple[int, int], block_px: float) -> Blocks:
        key = (ignore or (), shape)
        if self._ignored is None or self._ignored[:2] != key:
            mask = np.zeros(shape, np.uint8)
            mask[2:-2, 2:-2] = 1  # at the border the local mean is one-sided, and light does not drop out
            for polygon in key[0]:
                corners = np.asarray(polygon, np.float32).reshape(-1, 2) / block_px - 0.5
                cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], 0)
            self._ignored = (*key, mask.astype(np.bool_))
        return self._ignored[2]


class _LightSteps:
    """Finds the moments at which the light of most of the picture jumps.

    Args:
        share: of the picture that must change.
        jump: least change, natural logarithm of brightness.
        within_s: a slower change is drift.
        mean_s: brightness is averaged over this time, which cancels the beat of mains flicker with common frame rates.
        hunting_s: exposure that has followed a hand may swing again within this time.
    """

    def __init__(
        self,
        *,
        share: float = 0.6,
        jump: float = 0.12,
        within_s: float = 1.0,
        mean_s: float = 0.2,
        hunting_s: float = 2.0,
    ) -> None:
        self._share = share
        self._jump = jump
        self._within_s = within_s
        self._mean_s = mean_s
        self._hunting_s = hunting_s
        self._hunting_until = -np.inf
        self._lights: deque[_Light] = deque()
        self.stepped_at = -np.inf

    def see(self, at: float, grey: NDArray[np.uint8], moving: bool, watched: Blocks) -> bool:
        rows, cols = (max(side // COARSE, 1) for side in grey.shape)
        whole = grey[: rows * COARSE, : cols * COARSE]  # a ratio in whole numbers is five times as fast
        level = np.log(cv2.resize(whole, (cols, rows), interpolation=cv2.INTER_AREA).astype(np.float32) + 5)
        lights = self._lights
        if lights and (at <= lights[-1].at or lights[-1].level.shape != level.shape or at - lights[-1].at > GAP_S):
            lights.clear()
        lights.append(_Light(at, level, moving))
        while at - lights[0].at > self._within_s + self._mean_s:
            lights.popleft()
        if at - lights[0].at > 2 * self._mean_s and self._jumped(
            cv2.resize(watched.astype(np.uint8), (cols, rows)) > 0
        ):
            self.stepped_at = at
            lights.clear()
        return at - self.stepped_at < FREEZE_S

    def _jumped(self, watched: Blocks) -> bool:
        first, last = self._lights[0].at, self._lights[-1].at
        before = np.mean([light.level for light in self._lights if light.at <= first + self._mean_s], axis=0)
        after = np.mean([light.level for light in self._lights if light.at >= last - self._mean_s], axis=0)
        if np.mean(np.abs(after - before)[watched] > self._jump) <= self._share:
            return False
        # Exposure that follows a hand: something moved before the light began to change. It may swing for a while.
        if last < self._hunting_until:
            self._hunting_until = last + self._hunting_s
            return False
        for light in self._lights:
            if np.mean(np.abs(light.level - before)[watched] > self._jump / 3) > self._share / 2:
                return True
            if light.moving:
                self._hunting_until = last + self._hunting_s
                return False
        return True


def _shrunk(image: Image) -> tuple[NDArray[np.uint8], int]:
    """Grey, at most ``LARGEST_PX`` large; and by how much it was shrunk."""
    height, width = image.shape[:2]
    shrink = max(1, int(np.ceil(np.sqrt(height * width / LARGEST_PX))))
    if shrink > 1:
        image = np.asarray(
            cv2.resize(image, (width // shrink, height // shrink), interpolation=cv2.INTER_AREA), np.uint8
        )
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8), shrink


def _clustered(over: Blocks) -> Blocks:
    near = cv2.boxFilter(over.astype(np.uint8), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(over & (near >= CLUSTER), np.bool_)


def _block_means(values: NDArray[np.integer[Any] | np.floating[Any]]) -> NDArray[np.int16]:
    rows, cols = values.shape[0] // BLOCK, values.shape[1] // BLOCK
    means = cv2.resize(values[: rows * BLOCK, : cols * BLOCK], (cols, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(means, np.int16)
