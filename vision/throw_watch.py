"""The watch over the throwing place of a printed board: when it is read, and what lies there by that reading."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from referee.observation import ThrowSeen
from vision.camera import Image
from vision.locate import Located
from vision.place import Change, Place

REST_FRAMES = 5
"""So many pictures of one rest are put together before anything is told."""


class ReadsThrows(Protocol):
    """What reads the throwing place."""

    def read(
        self,
        images: Sequence[Image],
        place_px: NDArray[np.float32] | None = None,
        *,
        px_per_mm: float | None = None,
        changes: Sequence[Change] | None = None,
    ) -> ThrowSeen:
        """Read one resting throw from frames of it."""


class ThrowWatch:
    """Reads a throwing place once it rests, and not again until something there has changed.

    Args:
        place: what is watched.
        throws: what reads it.
    """

    def __init__(self, place: Place, throws: ReadsThrows) -> None:
        self._place, self._throws = place, throws
        self._images: list[Image] = []
        self.throw: ThrowSeen | None = None
        """What lies there by the last reading; None while a reading is due."""
        self.empty = False
        """The place is empty and nothing hangs over it."""

    def look(self, image: Image, located: Located, *, found: bool) -> None:
        """Look at the next frame, cheaply; where the board is not seen nobody knows whether its place is empty."""
        self.empty = self._place.see(image, located) and found

    def clear(self) -> None:
        """The table does not rest: what was gathered for a reading is of no use."""
        self._images.clear()

    def rest(self, image: Image, located: Located, *, begins: bool) -> None:
        """Take the next frame of a rest, which ``begins`` with it, and read when there are enough."""
        if begins and self._place.changed():
            self.throw = None
        if self.throw is not None:
            return
        self._images.append(image)
        if len(self._images) == REST_FRAMES:
            self.throw = self._read(located)
            self._images.clear()

    def _read(self, located: Located) -> ThrowSeen:
        place = self._place
        place.mark_read()
        if self.empty:
            return ThrowSeen("none", certain=True)
        corners_px, changes = place.corners_px(located), place.changes(located)
        seen = self._throws.read(tuple(self._images), corners_px, px_per_mm=place.px_per_mm(located), changes=changes)
        if seen.kind == "none" and seen.certain:
            if place.spots() or any(change.like_bean for change in changes):
                seen = ThrowSeen("none", plights=("extra",))
            else:  # only the light is another: else nothing would ever be thrown under it
                place.accept_empty()
                self.empty = True
        if seen.kind == "beans" and place.discs():
            seen = replace(seen, certain=False, plights=tuple(sorted({*seen.plights, "extra"})))
        return place.on_sheet(seen, located)
