"""Everything there is to print: boards and trays from their layouts, loose tags, the page for a lens."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration import charuco, layout
from calibration.board import board
from calibration.drawing import Drawing, moved
from calibration.inks import INK, WHITE
from calibration.layout import Layout, LayoutError, Tag
from calibration.lettering import lettering
from calibration.ornament import ruler
from calibration.raster import raster
from calibration.tags import framed_square, tag_shapes

LOOSE_IDS = range(20)
"""Tags on the sheet of loose ones; the last four of the dictionary belong to the tray."""


def names() -> tuple[str, ...]:
    """What ``sheet`` knows by name."""
    return (*layout.names(), "tags", "charuco")


def sheet(source: str) -> Drawing:
    """The drawing of that name, or of a layout file.

    Raises:
        LayoutError: neither; one line that says what there is.
    """
    if source == "tags":
        return tags()
    if source == "charuco":
        return charuco.page()
    if source not in layout.names() and not Path(source).suffix == ".toml":
        raise LayoutError(f"{source}: not among the sheets; there are {', '.join(names())}, or a layout file .toml")
    return board(layout.load(source))


def top_view(board_layout: Layout, px_per_mm: float) -> NDArray[np.uint8]:
    """The board seen from straight above.

    Returns:
        Blue, green, red; shape (round(height_mm * px_per_mm), round(width_mm * px_per_mm), 3).
    """
    return raster(board(board_layout), px_per_mm)


def tags() -> Drawing:
    """Twenty tags of 30 mm to cut out along their brackets; the white belongs to them."""
    columns, pitch_x, pitch_y = 4, 47.0, 49.0
    shapes = list(moved(ruler(100), (columns * pitch_x / 2, 5 * pitch_y + 6)))
    whole = []
    for number in LOOSE_IDS:
        row, column = divmod(number, columns)
        tag = Tag(number, (column * pitch_x + pitch_x / 2, row * pitch_y + 23.5), 30.0)
        shapes += tag_shapes(tag)
        shapes.append(lettering(f"tag {number}", (tag.centre_mm[0], tag.centre_mm[1] + 24.0), 1.8, INK))
        whole.append(framed_square(tag))
    return Drawing("Macuil tags", (columns * pitch_x, 5 * pitch_y + 14), WHITE, tuple(shapes), tuple(whole))
