"""Look for the lines of a cross one by one, each near where it is expected."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cross import Node
from calibration.lines import Evidence, Lines

STROKE = 0.25
"""The broadest stroke, in cells: closer edges belong to one line."""
BLUR = 0.06
"""Of the evidence, in cells."""
AROUND = 0.4
"""How far on both sides a line is compared with the ground, in cells."""
SEEN = 0.15
"""How much more evidence than its surroundings a line must have."""

Points = dict[Node, tuple[float, float]]
"""Pixels of the rectified picture."""
Edge = tuple[Node, Node]


@dataclass(frozen=True, slots=True)
class Sight:
    """A line between two nodes, as seen: where it runs at two places, across itself."""

    edge: Edge
    shares: tuple[float, float]
    """Of the way from the first node to the second."""
    at_px: tuple[float, float]
    weight: float


def solid_lines(found: Lines, cell_px: float) -> Lines:
    """Evidence in which a stroke is strongest at its middle, not at its two edges."""
    width = 2 * round(STROKE * cell_px / 2) + 1

    def solid(evidence: Evidence, columns: int, rows: int) -> Evidence:
        filled = cv2.morphologyEx(evidence, cv2.MORPH_CLOSE, np.ones((rows, columns), np.uint8))
        return np.asarray(cv2.GaussianBlur(filled, (0, 0), BLUR * cell_px), np.float32)

    return Lines(solid(found.upright, width, 1), solid(found.level, 1, width), found.any)


def look(edge: Edge, points: Points, found: Lines, reach_px: float, cell_px: float) -> Sight | None:
    """Where the line of an edge runs, if it can be seen within reach."""
    a, b = (np.asarray(points[node]) for node in edge)
    upright = edge[0][0] == edge[1][0]
    evidence = found.upright if upright else found.level
    shares = np.linspace(0.14, 0.86, 17)
    # Wide enough to know how the ground beside a line looks.
    offsets = np.arange(-round(AROUND * cell_px), round(AROUND * cell_px) + 1.0)
    near = np.abs(offsets) <= reach_px
    way = a + shares[:, None] * (b - a)
    across = np.array([1.0, 0.0] if upright else [0.0, 1.0])
    best: tuple[float, float, float] | None = None
    for tilt in np.linspace(-0.5, 0.5, 7) * reach_px:
        leaning = way + ((shares - 0.5) * tilt)[:, None] * across
        at = leaning[:, None] + offsets[None, :, None] * across
        seen = cv2.remap(evidence, at[..., 0].astype(np.float32), at[..., 1].astype(np.float32), cv2.INTER_LINEAR)
        profile = seen.mean(axis=0, dtype=np.float64)
        peak = int(np.argmax(np.where(near, profile, -1.0)))
        clear = float(profile[peak] - np.percentile(profile, 20))
        if best is None or clear > best[0]:
            best = (clear, float(offsets[peak]) + _fraction(profile, peak), float(tilt))
    if best is None or best[0] < SEEN:
        return None
    clear, offset, tilt = best
    ends = (0.25, 0.75)
    axis = 0 if upright else 1
    run = [float((a + share * (b - a))[axis] + offset + (share - 0.5) * tilt) for share in ends]
    return Sight(edge, ends, (run[0], run[1]), min(clear, 1.0))


def _fraction(profile: NDArray[np.float64], peak: int) -> float:
    """Where between its neighbours the top of a parabola through the peak lies."""
    if not 0 < peak < len(profile) - 1:
        return 0.0
    before, here, after = profile[peak - 1 : peak + 2]
    bend = before - 2 * here + after
    return float(0.5 * (before - after) / bend) if bend < -1e-9 else 0.0
