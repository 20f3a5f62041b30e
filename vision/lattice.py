"""Corners of one chequered plane: neighbours linked, numbered along the lattice, and the rest fitted in."""

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import CalibrationError, Matrix, Points, fit_homography, inverse, project
from vision.corners import Corners, apart

Indices = NDArray[np.intp]
FEWEST = 6
"""Linked corners that make a seed."""
ALONG = 0.2
"""How far the next corner may lie off the direction of an edge, radians."""
ALIKE = 0.35
"""By how much the directions of an edge may differ from one corner to the next, radians."""
SHORTEST_PX, LONGEST_PX = 7.0, 130.0
"""Edge of a square."""
OFF = 0.14
"""How far a corner may lie from its place, in squares."""
FAINTEST = 0.35
"""Step from dark to light in steps of the usual corner of the board, below which a corner is rather grain."""
FLATTEST = 1e9
"""Condition of a homography beyond which the plane is seen edge on."""
REACH = 2
"""Squares beyond the corners known so far in which others are sought."""


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Corners that lie on one plane as on a chequered board."""

    which: Indices
    """Of the corners, (n,)."""
    places: Points
    """Column and row of each, whole numbers counted from any corner, (n, 2); the rows lie with the clock from the
    columns."""
    homography: Matrix
    """Columns and rows to pixels, (3, 3)."""


def lattices(corners: Corners, most: int = 4) -> list[Lattice]:
    """The largest lattices among the corners, largest first."""
    found: list[Lattice] = []
    taken = np.zeros(len(corners.points_px), np.bool_)
    for seed in _seeds(corners)[: 3 * most]:
        which = np.array(list(seed))
        if len(found) == most or 2 * taken[which].sum() >= len(which):
            continue
        lattice = _grow(corners, which, np.array(list(seed.values()), np.float64))
        if lattice is not None:
            taken[lattice.which] = True
            found.append(lattice)
    return sorted(found, key=lambda lattice: -len(lattice.which))


def _seeds(corners: Corners) -> list[dict[int, tuple[int, int]]]:
    """Connected corners with column and row, the largest groups first."""
    neighbours = _neighbours(corners)
    axes = np.stack([corners.rising, corners.falling], axis=1)
    ways = np.stack([np.cos(axes), np.sin(axes)], axis=-1)
    seeds, seen = [], set[int]()
    for start in range(len(neighbours)):
        if start in seen:
            continue
        clockwise = ways[start, 0, 0] * ways[start, 1, 1] > ways[start, 0, 1] * ways[start, 1, 0]
        places = {start: (0, 0)}
        queue = deque([(start, 0, (1, 1 if clockwise else -1))])
        while queue:
            k, across, signs = queue.popleft()
            for line, axis in enumerate((across, 1 - across)):  # columns, then rows
                for way in (1, -1):
                    other = int(neighbours[k, axis, 0 if way == signs[line] else 1])
                    if other < 0 or other in places:
                        continue
                    step = (way, 0) if line == 0 else (0, way)
                    places[other] = (places[k][0] + step[0], places[k][1] + step[1])
                    # The two directions change places from corner to corner, and either may point the other way.
                    turned = [
                        signs[n] * np.sign(ways[k, a] @ ways[other, 1 - a]) for n, a in ((0, across), (1, 1 - across))
                    ]
                    queue.append((other, 1 - across, (int(turned[0]), int(turned[1]))))
        seen |= places.keys()
        if len(places) >= FEWEST:
            seeds.append(places)
    return sorted(seeds, key=len, reverse=True)


def _neighbours(corners: Corners) -> Indices:
    """The next corner of the lattice each way, or -1: (n, 2 axes, 2 ways along them)."""
    points, rising, falling = corners.points_px, corners.rising, corners.falling
    apart_px = points[None] - points[:, None]
    distance = np.hypot(apart_px[..., 0], apart_px[..., 1])
    near = (distance > SHORTEST_PX) & (distance < LONGEST_PX)
    near &= apart(rising[:, None], falling[None]) < ALIKE
    near &= apart(falling[:, None], rising[None]) < ALIKE
    one, other = np.nonzero(near)
    offset, distance = apart_px[one, other], distance[one, other]
    nearest = np.full((len(points), 2, 2), -1, np.intp)
    best = np.full((len(points), 2, 2), np.inf)
    for axis, angle in enumerate((rising, falling)):
        along = offset[:, 0] * np.cos(angle[one]) + offset[:, 1] * np.sin(angle[one])
        straight = np.abs(along) > np.cos(ALONG) * distance
        for k in np.nonzero(straight)[0]:
            slot = (one[k], axis, 0 if along[k] > 0 else 1)
            if distance[k] < best[slot]:
                best[slot], nearest[slot] = distance[k], other[k]
    mutual = (nearest[nearest, :, :] == np.arange(len(points))[:, None, None, None, None]).any(axis=4)
    swapped = np.stack([mutual[:, 0, :, 1], mutual[:, 1, :, 0]], axis=1)
    return np.asarray(np.where((nearest >= 0) & swapped, nearest, -1))


def _grow(corners: Corners, which: Indices, places: Points) -> Lattice | None:
    """Fit a plane to a seed, then take in what lies on it, again and again until nothing changes."""
    points = corners.points_px
    edge_px = float(np.median(np.linalg.norm(np.diff(points[which], axis=0), axis=1)))
    if np.ptp(places, axis=0).min() < 1:
        return None
    seen, drawn = np.asarray(points[which], np.float32), np.asarray(places, np.float32)
    fitted, agree = cv2.findHomography(drawn, seen, cv2.RANSAC, max(1.0, OFF * edge_px))
    if fitted is None or agree is None:
        return None
    kept = np.ravel(agree) > 0
    which, places = which[kept], places[kept]
    known: Lattice | None = None
    for _ in range(12):
        if len(which) < FEWEST or np.ptp(places, axis=0).min() < 1:
            return None
        try:
            homography = fit_homography(points[which], places)
        except CalibrationError:
            return None
        if np.linalg.cond(homography) > FLATTEST:
            return None
        if known is not None and np.array_equal(np.sort(which), np.sort(known.which)):
            break
        known = Lattice(which, places, homography)
        which, places = _on_lattice(corners, known)
    return known


def _on_lattice(corners: Corners, lattice: Lattice) -> tuple[Indices, Points]:
    """Corners that lie where the lattice has one, turned as they must be there; the nearest for each place."""
    back = inverse(lattice.homography)
    near = np.nonzero(in_front(back, corners.points_px, corners.points_px[lattice.which]))[0]
    lying = project(back, corners.points_px[near])
    places = np.rint(lying)
    off = np.abs(lying - places).max(axis=1)
    low, high = lattice.places.min(axis=0) - REACH, lattice.places.max(axis=0) + REACH
    fits = (off < OFF) & ((places >= low) & (places <= high)).all(axis=1)
    fits &= corners.step[near] > FAINTEST * float(np.median(corners.step[lattice.which]))
    near, places, off = near[fits], places[fits], off[fits]
    # From place to place the two directions of a corner change.
    rule = _turned(corners, lattice.which, lattice.places, lattice.homography).mean() > 0.5
    chosen: dict[tuple[float, float], int] = {}
    for k in np.argsort(off, kind="stable"):
        chosen.setdefault((float(places[k, 0]), float(places[k, 1])), int(k))
    kept = np.array(list(chosen.values()), np.intp)
    near, places = near[kept], places[kept]
    right = _turned(corners, near, places, lattice.homography) == rule
    return near[right], places[right]


def in_front(homography: Matrix, points: Points, known: Points) -> NDArray[np.bool_]:
    """Which points lie well on the same side of the horizon as points that are known to be seen."""
    depth, usual = (p @ homography[2, :2] + homography[2, 2] for p in (points, known))
    return np.asarray(depth * np.sign(np.median(usual)) > 0.05 * np.abs(np.median(usual)))


def _turned(corners: Corners, which: Indices, places: Points, homography: Matrix) -> NDArray[np.bool_]:
    """Whether the corners, each in its place, get lighter with the clock along the columns in even places."""
    at = project(homography, places)
    ways = [project(homography, places + step) - at for step in ((0.1, 0.0), (0.0, 0.1))]
    columns, rows = (np.arctan2(way[:, 1], way[:, 0]) for way in ways)
    rising = corners.rising[which]
    return np.asarray((apart(rising, columns) < apart(rising, rows)) == (places.sum(axis=1) % 2 == 0))
