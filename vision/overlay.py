"""The board as outlines in the picture: to be drawn over it, and to tell it from the room around."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from referee.board import Cell, Seat
from referee.observation import ThrowSeen
from vision.locate import Located
from vision.stillness import Polygon

AROUND_MM = 15.0
"""Movement further from the sheet does not count."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """What is believed, in pixels of the frame, to be drawn over it."""

    size_px: tuple[int, int]
    board: tuple[tuple[float, float], ...] | None
    """The sheet's corners, clockwise from its top left."""
    place: tuple[tuple[float, float], ...] | None
    pieces: tuple[tuple[Cell, Seat, float, float], ...]
    """Cell, seat and where the foot stands, x and y."""
    throw: ThrowSeen | None
    field: tuple[tuple[float, float], ...] | None = None
    """Corners of the playing field, clockwise from its top left."""


def outside(located: Located, size_px: tuple[int, int], size_mm: tuple[float, float]) -> tuple[Polygon, ...]:
    """The picture around the sheet as four polygons."""
    w, h = size_mm
    m = AROUND_MM
    corners = located.project([(-m, -m), (w + m, -m), (w + m, h + m), (-m, h + m)])
    frame = np.array([(0, 0), (size_px[0], 0), size_px, (0, size_px[1])], np.float64)
    turned = min((np.roll(corners, k, axis=0) for k in range(4)), key=lambda c: float(((c - frame) ** 2).sum()))
    return tuple(pairs([frame[i], frame[(i + 1) % 4], turned[(i + 1) % 4], turned[i]]) for i in range(4))


def pairs(points: ArrayLike) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in np.asarray(points, np.float64).reshape(-1, 2))
