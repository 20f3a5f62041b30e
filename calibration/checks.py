"""What every drawing must keep to: names used once, nothing off the sheet, nothing on top of another."""

from collections.abc import Sequence
from itertools import combinations

from calibration.fields import FieldError
from calibration.outlines import Point, bounds, gap

TOUCH_MM = 0.05
"""How much two outlines may overlap by rounding."""

Named = tuple[str, tuple[Point, ...]]
"""What an error calls it, and its outline, convex and clockwise."""


def once(what: str, values: Sequence[object]) -> None:
    """Each value may be there once. Raises FieldError naming the first that is there twice."""
    for position, value in enumerate(values):
        if value in values[:position]:
            raise FieldError(f"{what} {value} is given twice; each may be used once")


def on_sheet(things: Sequence[Named], size_mm: tuple[float, float]) -> None:
    """Nothing may leave the sheet. Raises FieldError naming the first that does."""
    width, height = size_mm
    for what, outline in things:
        left, top, right, bottom = bounds(outline)
        if left < -TOUCH_MM or top < -TOUCH_MM or right > width + TOUCH_MM or bottom > height + TOUCH_MM:
            raise FieldError(f"{what} does not fit on the sheet of {width:g} x {height:g} mm; move it or enlarge sheet")


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
