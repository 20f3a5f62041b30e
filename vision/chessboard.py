"""An ordinary chessboard without tags and with men on it: where its 8 x 8 squares are.

Method: X-corners, lattices grown from linked neighbours, then the window of 8 x 8 squares that is most chequered. For
that light and dark are compared across each edge near its ends, where no man stands. At last the corners are measured
in the large picture and the plane is fitted by least squares.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import Matrix, Points, fit_homography, project, rms
from vision.camera import Image
from vision.corners import Corners, Plane, find_corners, sample
from vision.lattice import Lattice, in_front, lattices

SEARCH_PX = 640
"""Longer side of the picture in which a board is sought."""
MEASURE_PX = 1600
"""Longer side, at most, of the picture in which its corners are measured."""
SQUARES = 8
FEWEST_CORNERS = 12
"""Of the 49 inner corners so many must be seen."""
CHEQUERED = 0.4
"""Mean contrast across the edges within the board, 1 being full, for men hide many; and how much of it just outside
shows that the board has more squares than eight."""
OUTERMOST = 0.1
"""The same of the row of squares on each side of the board, on which every square may bear a man."""
AHEAD = 1.0
"""By how many edges the best window must lead."""
INSET = 0.17
"""How far from edge and corner, in squares, light and dark are compared."""
OUTLINE = ((0, 0), (SQUARES, 0), (SQUARES, SQUARES), (0, SQUARES))
Floats = NDArray[np.float64]
Places = NDArray[np.int64]
EDGES = 2 * SQUARES * (SQUARES - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Chessboard:
    """A board of 8 x 8 squares in a picture."""

    homography: Matrix
    """Squares (x and y from 0 to 8, from the first corner) to pixels, (3, 3)."""
    inner_corners: int
    """So many of the 49 were measured."""
    residual_px: float
    """Root mean square of these about the fit."""
    chequered: float
    """Mean contrast across the edges within the board, at most 1."""

    @property
    def corners_px(self) -> Points:
        """Of the 8 x 8 squares, clockwise; the first is nearest to the top left of the picture. (4, 2)."""
        return project(self.homography, OUTLINE)


def find_chessboard(image: Image) -> Chessboard | None:
    """Find the most plainly seen board of 8 x 8 squares in a picture (blue, green, red); None if there is none.

    Which corner is a1 is not known. The lens is taken to be straight.
    """
    small, large = _at_most(image, SEARCH_PX), _at_most(image, MEASURE_PX)
    for channel in range(3):  # brightness first; red and green squares may be equally bright
        plane = _plane(small, channel)
        corners = find_corners(plane)
        boards = [board for lattice in lattices(corners) if (board := _window(plane, corners, lattice)) is not None]
        if boards:
            best = max(boards, key=lambda board: board.chequered * len(board.places))
            grown = large.shape[1] / small.shape[1]
            return _measured(best, _plane(large, channel), grown, image.shape[1] / large.shape[1])
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _Window:
    """Eight by eight squares of a lattice, in the small picture."""

    homography: Matrix
    """Squares to pixels."""
    points_px: Points
    """The inner corners that were seen, (n, 2)."""
    places: Points
    """Which these are, 1 to 7."""
    chequered: float


def _window(plane: Plane, corners: Corners, lattice: Lattice) -> _Window | None:
    """The 8 x 8 squares of a lattice that are most chequered; None where they are no board."""
    low, high = lattice.places.min(axis=0).astype(int), lattice.places.max(axis=0).astype(int)
    first = low - SQUARES
    upright, level = _contrasts(plane, lattice, first, high + SQUARES - first)
    scores: dict[tuple[int, int], float] = {}
    for x in range(1, high[0] - first[0]):
        for y in range(1, high[1] - first[1]):
            across, down = slice(x, x + SQUARES), slice(y, y + SQUARES)
            edges = upright[x + 1 : x + SQUARES, down].sum() + level[across, y + 1 : y + SQUARES].sum()
            scores[x, y] = float(edges) / EDGES
    x, y = best = max(scores, key=lambda place: scores[place])
    ahead = scores[best] - max((score for place, score in scores.items() if place != best), default=0.0)
    corner = first + best
    homography = lattice.homography @ np.array([[1, 0, corner[0]], [0, 1, corner[1]], [0, 0, 1]])
    places = lattice.places - corner
    inner = ((places >= 1) & (places <= SQUARES - 1)).all(axis=1)
    outline = project(homography, OUTLINE)
    if (
        inner.sum() < FEWEST_CORNERS
        or scores[best] < CHEQUERED
        or ahead < AHEAD / EDGES
        or max(_sides(upright, level, x, y, -1)) > CHEQUERED
        or min(_sides(upright, level, x, y, 0)) < OUTERMOST
        or not ((outline >= 0) & (outline <= (plane.shape[1] - 1, plane.shape[0] - 1))).all()
    ):
        return None
    return _Window(homography, corners.points_px[lattice.which][inner], places[inner], scores[best])


def _sides(upright: Floats, level: Floats, x: int, y: int, inwards: int) -> list[float]:
    """How chequered the row of squares on each side of a window is, the outermost (0) or the one outside it (-1)."""
    columns = [level[side, y + 1 : y + SQUARES] for side in (x + inwards, x + SQUARES - 1 - inwards)]
    rows = [upright[x + 1 : x + SQUARES, side] for side in (y + inwards, y + SQUARES - 1 - inwards)]
    return [float(edges.mean()) for edges in (*columns, *rows)]


def _contrasts(plane: Plane, lattice: Lattice, first: Places, size: Places) -> tuple[Floats, Floats]:
    """How chequered the lattice is across each edge, 1 being full: on the left of each square and above it.

    Args:
        first: column and row of the first square.
        size: columns and rows of squares.
    """
    columns, rows = np.meshgrid(np.arange(size[0]) + first[0], np.arange(size[1]) + first[1], indexing="ij")
    squares = np.stack([columns, rows], axis=-1)[:, :, None]
    ends = np.array([INSET, 1 - INSET])
    near, far = np.full(2, INSET), np.full(2, -INSET)
    sign = np.where((columns + rows) % 2 == 0, 1.0, -1.0)[..., None]
    steps = [
        sign * (_seen(plane, lattice, squares + inside) - _seen(plane, lattice, squares + outside))
        for inside, outside in (
            (np.stack([near, ends], axis=1), np.stack([far, ends], axis=1)),
            (np.stack([ends, near], axis=1), np.stack([ends, far], axis=1)),
        )
    ]
    x, y = (lattice.places - first).astype(int).T
    known = np.concatenate([step[x, y].ravel() for step in steps])
    full = float(np.nanmedian(known)) if np.isfinite(known).any() else 0.0
    if abs(full) < 1:
        full = np.inf
    upright, level = (np.clip(np.nan_to_num(step / full), -1, 1).mean(axis=2) for step in steps)
    return upright, level


def _seen(plane: Plane, lattice: Lattice, places: Floats) -> Floats:
    """The plane at places of the lattice, (…, 2); NaN outside the picture or behind the camera."""
    flat = places.reshape(-1, 2)
    points = np.full(flat.shape, np.nan)
    ahead = in_front(lattice.homography, flat, lattice.places)
    points[ahead] = project(lattice.homography, flat[ahead])
    return sample(plane, points.reshape(places.shape))


def _measured(window: _Window, plane: Plane, grown: float, stored: float) -> Chessboard:
    """Measure the corners in a larger picture and fit the plane, leaving out those that are astray.

    Args:
        plane: the larger picture.
        grown: its size in sizes of the picture in which the board was found.
        stored: size of the picture as taken in sizes of this one.
    """
    outline = np.asarray(project(window.homography, OUTLINE), np.float32)
    edge_px = grown * float(np.sqrt(cv2.contourArea(outline))) / SQUARES
    reach = int(np.clip(0.12 * edge_px, 2, 12))
    start = np.asarray((window.points_px + 0.5) * grown - 0.5, np.float32)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 30, 0.01)
    seen = cv2.cornerSubPix(plane, start.copy().reshape(-1, 1, 2), (reach, reach), (-1, -1), stop).reshape(-1, 2)
    points = (np.asarray(seen, np.float64) + 0.5) * stored - 0.5
    places = window.places
    for _ in range(2):
        off = np.linalg.norm(project(fit_homography(points, places), places) - points, axis=1)
        good = off <= 3 * max(float(np.median(off)), 0.1)
        points, places = points[good], places[good]
    homography = fit_homography(points, places)
    residual_px = rms(project(homography, places) - points)
    return Chessboard(_upright(homography), len(places), residual_px, window.chequered)


def _upright(homography: Matrix) -> Matrix:
    """The same board, counted from the corner that is nearest to the top left of the picture."""
    turn = np.array([[0.0, -1, SQUARES], [1, 0, 0], [0, 0, 1]])
    turned = [homography @ np.linalg.matrix_power(turn, k) for k in range(4)]
    best = min(turned, key=lambda matrix: float(project(matrix, [(0, 0)]).sum()))
    return np.asarray(best / best[2, 2])


def _plane(image: Image, channel: int) -> Plane:
    """Brightness (0), green to red (1) or blue to yellow (2), each in steps of some 256."""
    if channel == 0:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.float32)
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2LAB)[..., channel], np.float32)


def _at_most(image: Image, longer_px: int) -> Image:
    scale = longer_px / max(image.shape[:2])
    if scale >= 1:
        return image
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
