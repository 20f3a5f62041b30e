"""What every drawing must keep to: names used once, nothing off the sheet or the field, nothing on top of another."""

from collections.abc import Collection, Sequence
from itertools import combinations

from calibration.fields import FieldError
from calibration.outlines import Point, bounds, gap

TOUCH_MM = 0.05
"""How much two outlines may overlap by rounding."""

NAMED_AT_MOST = 5

Named = tuple[str, tuple[Point, ...]]
"""What an error calls it, and its outline, convex and clockwise."""


def once(what: str, values: Sequence[object]) -> None:
    """Each value may be there once. Raises FieldError naming the first that is there twice."""
    for position, value in enumerate(values):
        if value in values[:position]:
            raise FieldError(f"{what} {value} is given twice; each may be used once")


def rows_exist(triangle_rows: Sequence[int], rows: Collection[int | None]) -> None:
    """Triangles need cells to be on. Raises FieldError naming the first row that no cell has."""
    for row in triangle_rows:
        if row not in rows:
            raise FieldError(f"triangle_rows names row {row}, but no cell has row = {row}")


def enough_tags(count: int) -> None:
    """A board is found by three tags that agree, or without any. Raises FieldError."""
    if 0 < count < 3:
        raise FieldError(f"tags must be none or at least 3, better 8, not {count}")


def on_sheet(things: Sequence[Named], size_mm: tuple[float, float]) -> None:
    """Nothing may leave the sheet. Raises FieldError naming the first that does."""
    width, height = size_mm
    for what, outline in things:
        left, top, right, bottom = bounds(outline)
        if left < -TOUCH_MM or top < -TOUCH_MM or right > width + TOUCH_MM or bottom > height + TOUCH_MM:
            raise FieldError(f"{what} does not fit on the sheet of {width:g} x {height:g} mm; move it or enlarge sheet")


def in_field(cells: Sequence[Named], field: tuple[float, float, float, float]) -> None:
    """No cell may leave the playing field.

    Args:
        cells: what errors call them, and their outlines.
        field: its left, top, right and bottom.

    Raises:
        FieldError: names the first that does.
    """
    for what, outline in cells:
        left, top, right, bottom = bounds(outline)
        over_mm = max(field[0] - left, field[1] - top, right - field[2], bottom - field[3])
        if over_mm > TOUCH_MM:
            raise FieldError(f"{what} leaves the field by {over_mm:.1f} mm; move it inside or enlarge field")


def complete(game: str, cells: Sequence[str], track: Sequence[str]) -> None:
    """Every cell that the game is played on must be there; others only fill the board.

    Raises:
        FieldError: names the first few that are missing.
    """
    missing = [name for name in track if name not in cells]
    if missing:
        named = ", ".join(missing[:NAMED_AT_MOST]) + (", …" if len(missing) > NAMED_AT_MOST else "")
        raise FieldError(f"cells lack {named} ({len(missing)} of the {len(track)} that {game} is played on); add them")


def apart(things: Sequence[Named]) -> None:
    """No two things may lie on each other. Raises FieldError naming the first two that do."""
    boxes = [bounds(outline) for _, outline in things]
    for i, j in combinations(range(len(things)), 2):
        a, b = boxes[i], boxes[j]
        if a[2] <= b[0] + TOUCH_MM or b[2] <= a[0] + TOUCH_MM or a[3] <= b[1] + TOUCH_MM or b[3] <= a[1] + TOUCH_MM:
            continue
        overlap_mm = -gap(things[i][1], things[j][1])
        if overlap_mm > TOUCH_MM:
            raise FieldError(f"{things[i][0]} and {things[j][0]} overlap by {overlap_mm:.1f} mm; move one of them")
