"""The tags: small ArUco markers on plain white."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawing import Ring, Shape, filled, stroked
from calibration.inks import BLACK, INK, LINE_MM, WHITE
from calibration.layout import TAG_IDS, TAG_WHITE_MM, Tag
from calibration.outlines import square

MODULES = 6
"""Edge of a 4x4 marker with its black border."""


@cache
def dictionary() -> cv2.aruco.Dictionary:
    """The first markers of DICT_4X4_50: the fewer there are, the faster and safer they are told apart."""
    everything = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.Dictionary(everything.bytesList[:TAG_IDS], everything.markerSize, everything.maxCorrectionBits)


def white_square(tag: Tag) -> Ring:
    """The tag with the white it needs around it."""
    return square(tag.centre_mm, tag.size_mm + 2 * TAG_WHITE_MM)


def framed_square(tag: Tag) -> Ring:
    """The tag with its white and the frame around that; paper is not cut inside."""
    return square(tag.centre_mm, tag.size_mm + 2 * TAG_WHITE_MM + 2.4 * LINE_MM)


def tag_shapes(tag: Tag) -> tuple[Shape, ...]:
    """White with TAG_WHITE_MM around, the corners of a frame, the black square and its white modules."""
    module, (x, y) = tag.size_mm / MODULES, tag.corners_mm[0]
    rings = [
        tuple((x + column * module, y + row * module) for column, row in ring) for ring in white_rings(modules(tag.id))
    ]
    return (
        filled(white_square(tag), fill=WHITE),
        _brackets(tag),
        filled(tag.corners_mm, fill=BLACK),
        filled(*rings, fill=WHITE),
    )


def modules(tag_id: int) -> NDArray[np.bool_]:
    """The marker, True where it is white; shape (6, 6)."""
    picture = np.asarray(cv2.aruco.generateImageMarker(dictionary(), tag_id, MODULES), np.uint8)
    return picture > 127


def _brackets(tag: Tag) -> Shape:
    """Outside the white; a closed frame would be a second square to mistake for the tag."""
    half = tag.size_mm / 2 + TAG_WHITE_MM + LINE_MM / 2
    arm = half * 0.62
    x, y = tag.centre_mm
    lines = [
        tuple((x + right * across, y + down * along) for across, along in ((half, arm), (half, half), (arm, half)))
        for right, down in ((1, 1), (-1, 1), (-1, -1), (1, -1))
    ]
    return stroked(*lines, ink=INK, width_mm=LINE_MM)


def white_rings(white: NDArray[np.bool_]) -> list[list[tuple[int, int]]]:
    """The edges of the white area as closed walks over the corners (column, row) of the modules.

    One area and not many small squares: printers leave hairlines where two shapes meet.
    """
    after: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for row, column in np.argwhere(white):
        sides = (((0, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (0, 1)), ((0, 1), (0, 0)))
        for (beyond_row, beyond_column), (start, end) in zip(((-1, 0), (0, 1), (1, 0), (0, -1)), sides, strict=True):
            if not white[row + beyond_row, column + beyond_column]:
                start_corner = (int(column) + start[0], int(row) + start[1])
                after.setdefault(start_corner, []).append((int(column) + end[0], int(row) + end[1]))
    rings = []
    while after:
        first = next(iter(after))
        ring = [first]
        while (corner := _take(after, ring[-1])) != first:
            ring.append(corner)
        rings.append(ring)
    return rings


def _take(after: dict[tuple[int, int], list[tuple[int, int]]], corner: tuple[int, int]) -> tuple[int, int]:
    ends = after[corner]
    end = ends.pop()
    if not ends:
        del after[corner]
    return end
