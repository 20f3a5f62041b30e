"""How a drawing goes onto sheets of paper: how many, which way round, where the cuts are, and the marks beside them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calibration.drawing import Drawing, Shape, stroked
from calibration.inks import INK
from calibration.layout import Rect
from calibration.lettering import lettering
from calibration.outlines import Point, bounds

PAPERS: dict[str, tuple[float, float]] = {
    "A4": (210.0, 297.0),
    "A3": (297.0, 420.0),
    "A2": (420.0, 594.0),
    "letter": (215.9, 279.4),
}
"""Width and height in millimetres, upright."""
MARGIN_MM = 5.0
"""What a printer may leave white on each side."""

LEAST_PART_MM = 1.0


@dataclass(frozen=True, slots=True)
class Page:
    """One sheet of paper and the part of the drawing on it."""

    size_mm: tuple[float, float]
    part: Rect
    """In millimetres of the drawing."""
    row: int
    column: int
    rows: int
    columns: int

    @property
    def origin_mm(self) -> Point:
        """Where the drawing's own origin lies on the paper: the part is in the middle of the sheet."""
        return (
            (self.size_mm[0] - self.part.width_mm) / 2 - self.part.x_mm,
            (self.size_mm[1] - self.part.height_mm) / 2 - self.part.y_mm,
        )


def pages(drawing: Drawing, paper: str) -> tuple[Page, ...]:
    """Lay the drawing out, upright or on its side, whichever takes fewer sheets (upright when equal).

    Raises:
        KeyError: no such paper.
    """
    width, height = PAPERS[paper]
    return min((_grid(drawing, size) for size in ((width, height), (height, width))), key=len)


def marks(page: Page) -> tuple[Shape, ...]:
    """Cut marks outside the corners of the part, and a line that says which part it is; paper coordinates."""
    left, top = (page.origin_mm[0] + page.part.x_mm, page.origin_mm[1] + page.part.y_mm)
    right, bottom = left + page.part.width_mm, top + page.part.height_mm
    lines = []
    for x, outwards in ((left, -1), (right, 1)):
        for y, upwards in ((top, -1), (bottom, 1)):
            lines += [((x + outwards, y), (x + 3.8 * outwards, y)), ((x, y + upwards), (x, y + 3.8 * upwards))]
    said = "print at 100 %"
    if page.rows * page.columns > 1:
        said = f"row {page.row} of {page.rows} · column {page.column} of {page.columns} · {said}"
    return (
        stroked(*lines, ink=INK, width_mm=0.15),
        lettering(said, ((left + right) / 2, bottom + 1.9), 1.8, INK),
    )


def _grid(drawing: Drawing, paper_mm: tuple[float, float]) -> tuple[Page, ...]:
    boxes = [bounds(ring) for ring in drawing.whole]
    xs = cuts(drawing.size_mm[0], paper_mm[0] - 2 * MARGIN_MM, [(left, right) for left, _, right, _ in boxes])
    ys = cuts(drawing.size_mm[1], paper_mm[1] - 2 * MARGIN_MM, [(top, bottom) for _, top, _, bottom in boxes])
    return tuple(
        Page(paper_mm, Rect(x, y, xs[column] - x, ys[row] - y), row, column, len(ys) - 1, len(xs) - 1)
        for row, y in enumerate(ys[:-1], 1)
        for column, x in enumerate(xs[:-1], 1)
    )


def cuts(length: float, longest: float, whole: Sequence[tuple[float, float]]) -> tuple[float, ...]:
    """Edges of the parts from 0 to ``length``, no part longer than ``longest``, no edge inside a ``whole`` stretch.

    As few parts as possible, as equal as the whole stretches allow. Where these leave no room at all (tags as large as
    the paper, or staggered along the whole edge) the parts are equal and cut through them.
    """
    fewest = math.ceil(length / longest - 1e-9)
    for count in range(fewest, 2 * fewest + 2):
        edges = [0.0]
        for number in range(1, count):
            ideal = length * number / count
            low = max(edges[-1] + LEAST_PART_MM, length - (count - number) * longest)
            high = min(edges[-1] + longest, length - LEAST_PART_MM)
            fitting = [place for place in _places(ideal, whole) if low - 1e-9 <= place <= high + 1e-9]
            if not fitting:
                break
            edges.append(sorted((abs(place - ideal), place) for place in fitting)[0][1])
        if len(edges) == count:
            return (*edges, length)
    return (*(length * number / fewest for number in range(fewest)), length)


def _places(ideal: float, whole: Sequence[tuple[float, float]]) -> Iterator[float]:
    for place in (ideal, *(end for stretch in whole for end in stretch)):
        if not any(start < place < end for start, end in whole):
            yield place
