"""A photo of one's own board, and what is made of it: a cross, a layout, and sentences about both."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.corners import Quad, checked
from calibration.cross import ARMS, ROWS, Arm, Cross, along, place, usual_size
from calibration.cross_fit import ArmFit, Fit, fit_cross
from calibration.homography import Points, inverse, project
from calibration.layout_text import write
from calibration.lines import SIDE_PX, find_lines, rectified, to_square
from vision.camera import Image
from vision.pictures import decode


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A picture of the whole board."""

    path: Path
    image: Image
    shrunk: int
    """By how much it was shrunk while decoding; all corners are pixels as stored."""

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height as stored."""
        height, width = self.image.shape[:2]
        return (width * self.shrunk, height * self.shrunk)


def open_photo(path: Path) -> Photo:
    """Read a picture. Raises Unreadable."""
    return Photo(path, *decode(path, shrink=True))


def survey(photo: Photo, corners_px: Quad) -> Fit:
    """Find the cross between four corners.

    Raises:
        CornersRefused: these can be no board's.
        NoCross: there is none between them.
    """
    quad = np.asarray(checked(corners_px, photo.size_px))
    return fit_cross(find_lines(rectified(photo.image, (quad + 0.5) / photo.shrunk - 0.5)))


def keep(
    cross: Cross, out: Path, size_mm: tuple[float, float] | None, triangle_rows: Sequence[int], source: str
) -> None:
    """Write the cross as a layout file.

    Args:
        cross: on the board.
        out: the file; one that is there is replaced.
        size_mm: width and height of the board; None: as if its arms were as broad as the printed board's.
        triangle_rows: rows that bear triangles.
        source: name of the photo, for the file's head.

    Raises:
        LayoutError: cells that lie on each other, or leave the board.
        OSError: it cannot be written.
    """
    layout = place(cross, size_mm or usual_size(cross), name=out.stem, triangle_rows=triangle_rows)
    write(
        layout, out, (f"Made from {source!r} by macuil calibrate board; docs/layouts.md explains it.", "Millimetres.")
    )


def findings(fit: Fit, corners_px: Quad, size_mm: tuple[float, float]) -> Iterator[str]:
    """A sentence for each arm: what was seen of it and how well its cells fit."""
    for arm, found in fit.arms.items():
        yield f"{arm:>5}: {_finding(arm, found, fit.cross, corners_px, size_mm)}"


def _finding(arm: Arm, found: ArmFit, cross: Cross, corners_px: Quad, size_mm: tuple[float, float]) -> str:
    if found.faint:
        return f"only {found.seen} of {found.lines} lines seen, so its cells are spaced evenly; check them"
    mm, px = units(arm, cross, corners_px, size_mm)
    return (
        f"{found.seen} of {found.lines} lines seen; cells {found.pitch * mm:.1f} mm long, "
        f"off even spacing by {found.uneven * mm:.1f} mm ({found.uneven * px:.1f} px); "
        f"drawn cells off the lines by {found.residual * mm:.1f} mm ({found.residual * px:.1f} px)"
    )


def units(arm: Arm, cross: Cross, corners_px: Quad, size_mm: tuple[float, float]) -> tuple[float, float]:
    """How many millimetres, and how many pixels of the photo, the whole side of the board would be at an arm."""
    ends = [cross.points[along(arm, row, 0)] for row in (0, ROWS)]
    shown = in_photo(ends, corners_px)
    axis = 0 if ARMS[arm][0] else 1
    return size_mm[axis], float(np.hypot(*(shown[1] - shown[0]))) / abs(ends[1][axis] - ends[0][axis])


def in_photo(shares: Sequence[tuple[float, float]], corners_px: Quad) -> Points:
    """Where places on a board of sides 1 are in the photo, pixels, shape (n, 2)."""
    return project(inverse(to_square(corners_px)), np.asarray(shares) * SIDE_PX - 0.5)
