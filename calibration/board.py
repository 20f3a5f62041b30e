"""A board's drawing: ground, cells, throwing place, chips, ornaments, tags."""

import math
from collections.abc import Iterator

from calibration.drawing import Drawing, Shape, arc, moved, outlined, stroked
from calibration.inks import AMATE, COCHINEAL, FAINT, GESSO, INK, LINE_MM, MAYA, OCHRE, ROSE, SEATS, SKY, STONE, mix
from calibration.layout import CellPlace, Layout, Ornament, Rect
from calibration.lettering import lettering
from calibration.ornament import ORNAMENTS, fibres, scaled
from calibration.outlines import Point, bounds, square
from calibration.tags import framed_square, tag_shapes
from referee.board import Seat

RIM = mix(COCHINEAL, GESSO, 0.35)
GROUNDS = {
    "plain": GESSO,
    "start": GESSO,
    "triangle": mix(GESSO, OCHRE, 0.16),
    "tip": mix(GESSO, ROSE, 0.3),
    "centre": mix(GESSO, SKY, 0.55),
}
"""Ground of the cells by kind: all light and pale, so that every piece stands out."""


def board(layout: Layout) -> Drawing:
    """Everything that is printed on the sheet."""
    shapes = [*fibres(layout.size_mm), *_frame(layout)]
    for ornament in layout.ornaments:
        shapes += _ornament(ornament)
    if layout.place is not None:
        shapes += _place(layout.place)
    shapes += _cross(layout)
    for cell in layout.cells:
        shapes += _cell(layout, cell)
    for chip in layout.chips:
        shapes.append(outlined(arc(chip.centre_mm, chip.size_mm / 2), INK, LINE_MM, fill=chip.rgb))
    for tag in layout.tags:
        shapes += tag_shapes(tag)
    whole = tuple(framed_square(tag) for tag in layout.tags)
    return Drawing(f"Macuil {layout.name}", layout.size_mm, AMATE, tuple(shapes), whole)


def _frame(layout: Layout) -> Iterator[Shape]:
    w, h = layout.size_mm
    for inset, width in ((2.6, 0.7), (4.2, 0.3)):
        ring = Rect(inset, inset, w - 2 * inset, h - 2 * inset).corners_mm
        yield outlined(ring, INK, width)


def _place(place: Rect) -> Iterator[Shape]:
    """A framed panel, plain inside: whatever is drawn there would be taken for a bean."""
    for grow, fill in ((3.6, RIM), (0.3, STONE)):
        ring = Rect(place.x_mm - grow, place.y_mm - grow, place.width_mm + 2 * grow, place.height_mm + 2 * grow)
        yield outlined(ring.corners_mm, INK, 0.6, fill=fill)


def _cross(layout: Layout) -> Iterator[Shape]:
    """A painted band around all cells: thick pens under the cells leave only their outer edge."""
    rings = [cell.outline_mm for cell in layout.cells]
    if rings:
        for ink, width in ((INK, 7.2), (RIM, 6.2), (INK, 2.2)):
            yield Shape(tuple(rings), ink=ink, width_mm=width)


def _cell(layout: Layout, cell: CellPlace) -> Iterator[Shape]:
    heading = _heading(layout, cell)
    yield outlined(cell.outline_mm, INK, LINE_MM, fill=ROSE if cell.kind == "tip" else GROUNDS[cell.kind])
    left, top, right, bottom = bounds(cell.outline_mm)
    size = min(right - left, bottom - top)
    local: list[Shape] = []
    if cell.row in layout.triangle_rows:
        local += _triangles()
    if cell.kind == "start" and cell.seat is not None and cell.seat in SEATS:
        local += _seat_mark(cell.seat)
    if cell.kind == "centre":
        local += _diamond()
    if cell.kind == "tip":
        yield from _sun(layout, cell)
    yield from moved(scaled(local, size / 26), cell.centre_mm, heading)
    yield _number(cell, heading, layout)


def _heading(layout: Layout, cell: CellPlace) -> float:
    """How far the player who sits nearest is turned: 0 south, 90 west, 180 north, 270 east."""
    x = cell.centre_mm[0] - layout.field.middle_mm[0]
    y = cell.centre_mm[1] - layout.field.middle_mm[1]
    if abs(y) >= abs(x) - 1e-6:
        return 0.0 if y > 0 else 180.0
    return 90.0 if x < 0 else 270.0


def _sun(layout: Layout, cell: CellPlace) -> Iterator[Shape]:
    """A rayed rim on the outer side of a tip; the two tips of an arm make half a sun."""
    root = min(cell.outline_mm, key=lambda point: math.dist(point, layout.field.middle_mm))
    inner = tuple((root[0] + (x - root[0]) * 0.84, root[1] + (y - root[1]) * 0.84) for x, y in cell.outline_mm)
    yield outlined(inner, INK, 0.35, fill=GROUNDS["tip"])
    rays = [(a, b) for a, b in zip(inner, cell.outline_mm, strict=True) if a != b]
    yield stroked(*rays, ink=INK, width_mm=0.35)
    yield stroked((*cell.outline_mm, cell.outline_mm[0]), ink=INK, width_mm=LINE_MM)


# What follows is drawn about the middle of a cell of 26 mm, up being towards the centre of the board.


def _triangles() -> Iterator[Shape]:
    for side in (-1, 1):
        yield outlined(
            ((-6.5, 13 * side), (6.5, 13 * side), (0, 3.2 * side)), INK, LINE_MM, fill=mix(OCHRE, GESSO, 0.15)
        )


def _diamond() -> Iterator[Shape]:
    yield outlined(((0, -13), (13, 0), (0, 13), (-13, 0)), INK, LINE_MM, fill=mix(MAYA, GESSO, 0.35))
    yield outlined(((0, -8), (8, 0), (0, 8), (-8, 0)), INK, 0.35, fill=GESSO)


def _seat_mark(seat: Seat) -> Iterator[Shape]:
    rings = {
        1: arc((0, 0), 7.0),
        2: square((0, 0), 12.4),
        3: ((0, -7.6), (7.8, 5.6), (-7.8, 5.6)),
        4: ((0, -8.6), (8.6, 0), (0, 8.6), (-8.6, 0)),
    }
    colour = mix(SEATS[seat], GESSO, 0.52)
    yield outlined(rings[seat], INK, LINE_MM, fill=colour)


def _number(cell: CellPlace, heading: float, layout: Layout) -> Shape:
    """The cell's name in its corner towards the centre and the outer side, upright for the player of the arm."""
    angle = math.radians(heading)
    c, s = math.cos(angle), math.sin(angle)

    def local(point: Point) -> Point:
        x, y = point[0] - cell.centre_mm[0], point[1] - cell.centre_mm[1]
        return (c * x + s * y, -s * x + c * y)

    side = -1 if local(layout.field.middle_mm)[0] > 0 else 1
    corners = [local(point) for point in cell.outline_mm]
    edge = max(side * x for x, _ in corners) - (6.4 if cell.kind == "tip" else 2.1)
    top = min(y for _, y in corners) + 3.4
    shape = lettering(cell.name, (side * edge, top), 2.6, mix(FAINT, INK, 0.25), align=1.0 if side > 0 else 0.0)
    return moved([shape], cell.centre_mm, heading)[0]


def _ornament(ornament: Ornament) -> tuple[Shape, ...]:
    if ornament.kind == "words":
        local: tuple[Shape, ...] = (lettering(ornament.text, (0, 0), ornament.size_mm, INK),)
    else:
        local = ORNAMENTS[ornament.kind](ornament.size_mm)
    return moved(local, ornament.centre_mm, ornament.turn_deg)
