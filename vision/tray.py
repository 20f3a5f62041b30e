"""Throws without a board: a tray, a cloth or a bare table, of which only the picture is known."""

from collections import deque
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from referee.observation import Observation, Plight, TableState, ThrowSeen
from referee.rules import Needs
from vision.camera import Frame, Image
from vision.occluder import Occluder
from vision.stillness import Motion, Polygon, Stillness
from vision.throw_watch import ReadsThrows
from vision.throws import ThrowReader

FRAMES = 5
"""So many frames of one rest are read together."""


class TrayReader:
    """Watches one throwing place and reads what comes to rest in it."""

    def __init__(
        self,
        needs: Needs | None = None,
        area_px: NDArray[np.float32] | None = None,
        *,
        throw_reader: ReadsThrows | None = None,
    ) -> None:
        """Watch.

        Args:
            needs: what is thrown; None: found out.
            area_px: corners of the place in the frame, clockwise, shape (4, 2); None: the whole picture.
            throw_reader: what reads the place, if not the usual nets.
        """
        self._area_px = area_px
        self._stillness = Stillness()
        self._occluder = Occluder(area_px)
        self._throws: ReadsThrows = throw_reader or ThrowReader(needs)
        self._resting: deque[Image] = deque(maxlen=FRAMES)
        self._read: ThrowSeen | None = None
        self._frames = 0
        self._light_stepped = False

    def see(self, frame: Frame) -> Observation:
        """Understand one frame; at rest it carries the throw."""
        motion = self._stillness.see(frame, self._elsewhere(frame.image))
        light_changed, self._light_stepped = motion.light_step and not self._light_stepped, motion.light_step
        state = self._state(frame.image, motion)
        if state != "rest":
            self._resting.clear()
            self._read, self._frames = None, 0
            plights: tuple[Plight, ...] = ("hand",) if state == "hand" else ()
            return Observation(frame.taken_at, state, plights=plights, light_changed=light_changed)
        self._resting.append(frame.image)
        # The first picture answers at once; all of them together may still change its mind.
        if self._frames in (0, FRAMES - 1):
            self._read = self._doubted(self._throws.read(tuple(self._resting), self._area_px))
        self._frames += 1
        return Observation(frame.taken_at, "rest", self._read)

    def _state(self, image: Image, motion: Motion) -> TableState:
        if self._occluder.see(image, motion):
            return "hand"
        if motion.moving:
            return "moving"
        return "rest" if motion.at_rest and not motion.light_step else "settling"

    def _doubted(self, seen: ThrowSeen) -> ThrowSeen:
        """The throw, but nothing is certain that lies on what may be a hand."""
        dice_px = ((die.box_px[0] + die.box_px[2] / 2, die.box_px[1] + die.box_px[3] / 2) for die in seen.dice)
        if any(self._occluder.holds(spot_px) for spot_px in (*(bean.centre_px for bean in seen.beans), *dice_px)):
            return replace(seen, certain=False, plights=tuple(sorted({*seen.plights, "hand"})))
        return seen

    def _elsewhere(self, image: Image) -> tuple[Polygon, ...] | None:
        """What lies around the place: whatever moves there is no throw."""
        if self._area_px is None:
            return None
        height, width = image.shape[:2]
        (left, top), (right, bottom) = self._area_px.min(axis=0), self._area_px.max(axis=0)
        boxes = ((0, 0, width, top), (0, bottom, width, height), (0, top, left, bottom), (right, top, width, bottom))
        return tuple(
            ((x0, y0), (x1, y0), (x1, y1), (x0, y1)) for x0, y0, x1, y1 in boxes if x1 - x0 > 1 and y1 - y0 > 1
        )
