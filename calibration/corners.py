"""Four corners of the playing field as a person shows them in a picture: taken, or refused with what to do."""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Literal

from calibration.outlines import Point

Quad = tuple[Point, Point, Point, Point]
"""Pixels, clockwise from the field's top left as the layout draws it."""
CornersFault = Literal["outside", "small", "crossed", "dented", "mirrored"]

ANY_SIZE = (100_000, 100_000)
"""Of a picture that nobody has seen yet."""
SMALLEST_SIDE_PX = 100.0
"""Fourteen cells along a shorter side would have no seven pixels each."""
STRAIGHT_DEG = 15.0
"""A corner that turns by less, or by so much less than back again, cannot be one of a field seen from above."""


class CornersRefused(Exception):
    """Corners that cannot be a playing field; one line that says what to do."""

    def __init__(self, fault: CornersFault, corners: tuple[int, ...], sentence: str) -> None:
        """Say why.

        Args:
            fault: by which the pages know their own sentence.
            corners: numbers of those to drag, 1 to 4 in the order given.
            sentence: in English.
        """
        super().__init__(sentence)
        self.fault: CornersFault = fault
        self.corners = corners


def read_corners(value: object) -> Quad:
    """Corners from a file or a page: four pairs of numbers. Raises ValueError."""
    points = value if isinstance(value, list) else []
    pairs = [(x, y) for x, y in (point for point in points if isinstance(point, list) and len(point) == 2)]
    numbers = [(float(x), float(y)) for x, y in pairs if type(x) in (int, float) and type(y) in (int, float)]
    if len(numbers) == len(points) == 4:
        one, two, three, four = numbers
        return one, two, three, four
    raise ValueError("write four corners in pixels, clockwise from the field's top left: [[x, y], [x, y], …]")


def checked(corners_px: Sequence[Point], size_px: tuple[int, int]) -> Quad:
    """The corners, if they can be those of a field that lies before the camera.

    Where the field's top left is nobody can tell from corners alone, so any of the four may come first.

    Args:
        corners_px: pixels, the centre of the first one is (0, 0).
        size_px: width and height of the picture.

    Raises:
        CornersRefused: a corner outside the picture, a side too short, sides that cross (a bow-tie), a dent, or the
            corners in the order of a mirrored picture.
    """
    one, two, three, four = corners_px
    quad: Quad = (one, two, three, four)
    width, height = size_px
    for number, (x, y) in enumerate(quad, 1):
        if not (-0.5 <= x <= width - 0.5 and -0.5 <= y <= height - 0.5):
            raise CornersRefused(
                "outside",
                (number,),
                f"corner {number} lies outside the picture of {width} x {height} pixels: move the camera until all of "
                "the board is in it",
            )
    for number in range(1, 5):
        other = number % 4 + 1
        if math.dist(quad[number - 1], quad[other - 1]) < SMALLEST_SIDE_PX:
            raise CornersRefused(
                "small",
                (number, other),
                f"corners {number} and {other} are less than {SMALLEST_SIDE_PX:.0f} pixels apart: drag them to the "
                "corners of the board, or bring the camera closer",
            )
    turns = _turns_deg(quad)
    if _cross(*quad) or _cross(two, three, four, one):
        _refuse_crossed(quad)
    if min(map(abs, turns)) < STRAIGHT_DEG or max(map(abs, turns)) > 180 - STRAIGHT_DEG or len(_signs(turns)) > 1:
        wrong = _dent(turns)
        raise CornersRefused(
            "dented",
            (wrong,),
            f"corner {wrong} makes a dent or lies on a line with its neighbours: drag it outwards to the corner of "
            "the board",
        )
    if turns[0] < 0:
        raise CornersRefused(
            "mirrored",
            (2, 4),
            "the corners go round against the clock: swap corners 2 and 4, or switch off mirroring in the camera",
        )
    return quad


def _refuse_crossed(quad: Quad) -> None:
    for a, b in combinations(range(4), 2):
        swapped = list(quad)
        swapped[a], swapped[b] = quad[b], quad[a]
        if all(turn > 0 for turn in _turns_deg(swapped)):
            raise CornersRefused(
                "crossed",
                (a + 1, b + 1),
                f"the sides cross like a bow-tie: swap corners {a + 1} and {b + 1}, so that the corners go round the "
                "field with the clock from its top left",
            )


def _turns_deg(corners: Sequence[Point]) -> tuple[float, ...]:
    """By how much the walk around turns at each corner; with the clock (y down) is positive."""
    turns = []
    for k in range(4):
        (ax, ay), (bx, by), (cx, cy) = corners[k - 1], corners[k], corners[(k + 1) % 4]
        turn = math.atan2(cy - by, cx - bx) - math.atan2(by - ay, bx - ax)
        turns.append(math.degrees(math.remainder(turn, math.tau)))
    return tuple(turns)


def _signs(turns: Sequence[float]) -> set[bool]:
    return {turn > 0 for turn in turns}


def _dent(turns: Sequence[float]) -> int:
    """Number of the corner that turns the other way than most; else of the straightest."""
    clockwise = sum(turn > 0 for turn in turns) >= 2
    odd = [k for k, turn in enumerate(turns, 1) if (turn > 0) != clockwise]
    return odd[0] if len(odd) == 1 else min(range(1, 5), key=lambda k: abs(turns[k - 1]))


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the segments ab and cd cross."""

    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
