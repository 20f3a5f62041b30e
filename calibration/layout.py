"""A board as a drawing: where cells, tags, chips and the throwing place are, in millimetres.

The origin is the top left corner of the sheet, x to the right, y down, seen from above.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal, cast, get_args

from calibration.checks import Named, apart, complete, enough_tags, in_field, on_sheet, once, rows_exist
from calibration.fields import FieldError, Fields
from calibration.lettering import SIGNS
from calibration.outlines import Point, bounds, clockwise, contains, square
from referee.board import Cell, Seat

CellKind = Literal["plain", "start", "triangle", "tip", "centre"]
WRITTEN_KINDS: tuple[CellKind, ...] = ("plain", "start", "tip", "centre")
"""Kinds a file may give; triangles come from ``triangle_rows`` alone, so that board and rules cannot disagree."""

OrnamentKind = Literal["flower", "steps", "beans", "blanks", "dots", "ruler", "words"]

TOP_KEYS = (
    "name", "game", "sheet", "cell_mm", "field", "place", "triangle_rows", "tags", "chips", "ornaments", "cells",
)  # fmt: skip
CELL_KEYS = ("name", "centre", "kind", "seat", "led", "row", "outline")

TAG_WHITE_MM = 7.0
"""Plain white around each tag, without which it is not found."""
TAG_IDS = 24
"""Markers in our own dictionary: the first of DICT_4X4_50."""
SHEET_LIMIT_MM = 2000.0


class LayoutError(Exception):
    """A drawing that cannot be used; one line that names the file, the field and what to do."""


@dataclass(frozen=True, slots=True)
class CellPlace:
    """One cell of the board."""

    name: Cell
    centre_mm: Point
    outline_mm: tuple[Point, ...]
    """A convex polygon, clockwise as seen from above."""
    kind: CellKind
    seat: Seat | None
    """Whose start or arm it is, where that matters to the drawing."""
    led: int | None
    """Number of the LED beside the cell on the strip, from 0."""
    row: int | None = None
    """Patolli: row of the arm, 1 beside the centre."""


@dataclass(frozen=True, slots=True)
class Tag:
    """One ArUco marker of DICT_4X4_50, top edge towards the top of the sheet."""

    id: int
    centre_mm: Point
    size_mm: float
    """Edge of the black square."""

    @property
    def corners_mm(self) -> tuple[Point, Point, Point, Point]:
        """Clockwise from the top left, as OpenCV reports them."""
        x, y = self.centre_mm
        h = self.size_mm / 2
        return ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h))


@dataclass(frozen=True, slots=True)
class Chip:
    """A patch of known colour, by which the reader takes the camera's white balance."""

    centre_mm: Point
    size_mm: float
    """Diameter."""
    rgb: tuple[int, int, int]
    """sRGB as printed."""


@dataclass(frozen=True, slots=True)
class Ornament:
    """Something to look at; it means nothing and lies under everything else."""

    kind: OrnamentKind
    centre_mm: Point
    size_mm: float
    """Edge of its square, length of the row or ruler, height of the letters."""
    turn_deg: float
    """With the clock."""
    text: str
    """What ``words`` say, else empty."""


@dataclass(frozen=True, slots=True)
class Rect:
    """An upright rectangle."""

    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float

    @property
    def corners_mm(self) -> tuple[Point, Point, Point, Point]:
        """Clockwise from the top left."""
        x, y, w, h = self.x_mm, self.y_mm, self.width_mm, self.height_mm
        return ((x, y), (x + w, y), (x + w, y + h), (x, y + h))

    @property
    def middle_mm(self) -> Point:
        """Where the diagonals cross."""
        return (self.x_mm + self.width_mm / 2, self.y_mm + self.height_mm / 2)


@dataclass(frozen=True, slots=True)
class Layout:
    """A board with everything printed on its sheet."""

    name: str
    game: str
    size_mm: tuple[float, float]
    """Width and height of the sheet."""
    field: Rect
    """The playing field proper."""
    cells: tuple[CellPlace, ...]
    tags: tuple[Tag, ...]
    chips: tuple[Chip, ...]
    place: Rect | None
    """Where beans and dice are thrown."""
    triangle_rows: tuple[int, ...]
    """Patolli: rows counted from the centre that bear triangles (``R-TRI``)."""
    ornaments: tuple[Ornament, ...] = ()

    def cell(self, name: Cell) -> CellPlace:
        """The cell of that name; KeyError if the board has none."""
        return next(place for place in self.cells if place.name == name)


def names() -> tuple[str, ...]:
    """The layouts that come with Macuil."""
    found = (Path(path.name) for path in _shipped().iterdir())
    return tuple(sorted(path.stem for path in found if path.suffix == ".toml"))


def load(source: str | Path) -> Layout:
    """Read a layout: one of ``names()``, or the path of a TOML file (docs/layouts.md describes it).

    Raises:
        LayoutError: no such file, no TOML, or a drawing that cannot be a board; one line that says what to do.
    """
    try:
        text = _read(source)
        layout = _build(Fields.of(tomllib.loads(text), "", TOP_KEYS))
        if layout.game in names() and source != layout.game:
            track = [cell.name for cell in load(layout.game).cells if cell.led is not None or cell.kind != "plain"]
            complete(layout.game, [cell.name for cell in layout.cells], track)
        return layout
    except (ValueError, RecursionError) as error:  # besides wrong TOML, numbers and lists that Python does not read
        raise LayoutError(f"{source}: not a TOML file: {str(error).splitlines()[0]}; see docs/layouts.md") from error
    except FieldError as error:
        raise LayoutError(f"{source}: {error}") from error


def _shipped() -> Traversable:
    return files("calibration") / "layouts"


def _read(source: str | Path) -> str:
    by_name = isinstance(source, str) and not source.endswith(".toml") and Path(source).name == source
    path = _shipped() / f"{source}.toml" if by_name else Path(source)
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise LayoutError(f"{source}: no such layout; there are {', '.join(names())}, or write a path.toml") from error
    except OSError as error:
        raise LayoutError(f"{source}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise LayoutError(f"{source}: not a TOML file: it is not UTF-8 text; see docs/layouts.md") from error


def _build(file: Fields) -> Layout:
    width, height = file.numbers("sheet", 2, 50.0, SHEET_LIMIT_MM)
    rows = file.wholes("triangle_rows", 1, 6) if file.has("triangle_rows") else ()
    layout = Layout(
        name=file.text("name"),
        game=file.text("game"),
        size_mm=(width, height),
        field=_rect(file, "field"),
        cells=tuple(_cell(item, number, file, rows) for number, item in enumerate(file.tables("cells"))),
        tags=tuple(_tag(item, number) for number, item in enumerate(file.tables("tags"))),
        chips=tuple(_chip(item, number) for number, item in enumerate(file.tables("chips"))),
        place=_rect(file, "place") if file.has("place") else None,
        triangle_rows=rows,
        ornaments=tuple(_ornament(item, number) for number, item in enumerate(file.tables("ornaments"))),
    )
    _check(layout)
    return layout


def _rect(file: Fields, key: str) -> Rect:
    x, y, width, height = file.numbers(key, 4, 0.0, SHEET_LIMIT_MM)
    if not (width > 0 and height > 0):
        raise file.wrong(key, "needs a width and a height above 0: [x, y, width, height]")
    return Rect(x, y, width, height)


def _cell(item: object, number: int, file: Fields, triangle_rows: tuple[int, ...]) -> CellPlace:
    fields = Fields.of(item, f"cells[{number}]", CELL_KEYS)
    name = fields.text("name", SIGNS)
    fields = Fields(f'cell "{name}"', fields.values)
    if fields.values.get("kind") == "triangle":
        raise fields.wrong("kind", 'is "plain" here: which cells bear triangles, triangle_rows alone says')
    kind = cast(CellKind, fields.choice("kind", WRITTEN_KINDS))
    centre = fields.point("centre", 0.0, SHEET_LIMIT_MM)
    row = fields.whole("row", 1, 6) if fields.has("row") else None
    if fields.has("outline"):
        try:
            outline = clockwise(fields.points("outline", 0.0, SHEET_LIMIT_MM))
        except ValueError as error:
            raise fields.wrong("outline", str(error)) from error
    else:
        outline = square(centre, file.number("cell_mm", 5.0, 200.0))
    if not contains(outline, centre):
        raise fields.wrong("centre", "lies outside the outline of the cell; move it inside")
    return CellPlace(
        name=name,
        centre_mm=centre,
        outline_mm=outline,
        kind="triangle" if kind == "plain" and row in triangle_rows else kind,
        seat=Seat(fields.whole("seat", 1, 6)) if fields.has("seat") else None,
        led=fields.whole("led", 0, 9999) if fields.has("led") else None,
        row=row,
    )


def _tag(item: object, number: int) -> Tag:
    fields = Fields.of(item, f"tags[{number}]", ("id", "centre", "size"))
    return Tag(
        id=fields.whole("id", 0, TAG_IDS - 1),
        centre_mm=fields.point("centre", 0.0, SHEET_LIMIT_MM),
        size_mm=fields.number("size", 10.0, 200.0),
    )


def _chip(item: object, number: int) -> Chip:
    fields = Fields.of(item, f"chips[{number}]", ("centre", "size", "rgb"))
    red, green, blue = fields.wholes("rgb", 0, 255, count=3)
    return Chip(
        centre_mm=fields.point("centre", 0.0, SHEET_LIMIT_MM),
        size_mm=fields.number("size", 5.0, 100.0),
        rgb=(red, green, blue),
    )


def _ornament(item: object, number: int) -> Ornament:
    fields = Fields.of(item, f"ornaments[{number}]", ("kind", "centre", "size", "turn", "text"))
    text = fields.text("text", SIGNS) if fields.has("text") else ""
    kind = fields.choice("kind", get_args(OrnamentKind))
    if (kind == "words") != bool(text):
        raise fields.wrong("text", 'belongs to kind = "words", which cannot be without it, and to no other')
    return Ornament(
        kind=cast(OrnamentKind, kind),
        centre_mm=fields.point("centre", 0.0, SHEET_LIMIT_MM),
        size_mm=fields.number("size", 1.0, 500.0),
        turn_deg=fields.number("turn", -360.0, 360.0) if fields.has("turn") else 0.0,
        text=text,
    )


def _check(layout: Layout) -> None:
    if not layout.cells and layout.place is None:
        raise FieldError("cells and place are both missing; a board needs at least one of them")
    once("cells: name", [cell.name for cell in layout.cells])
    once("cells: led", [cell.led for cell in layout.cells if cell.led is not None])
    once("tags: id", [tag.id for tag in layout.tags])
    once("triangle_rows: row", layout.triangle_rows)
    rows_exist(layout.triangle_rows, {cell.row for cell in layout.cells})
    enough_tags(len(layout.tags))
    things = list(_things(layout))
    on_sheet([("field", layout.field.corners_mm), *things], layout.size_mm)
    in_field(things[: len(layout.cells)], bounds(layout.field.corners_mm))
    apart(things)


def _things(layout: Layout) -> Iterator[Named]:
    for cell in layout.cells:
        yield f'cell "{cell.name}"', cell.outline_mm
    for number, chip in enumerate(layout.chips):
        yield f"chips[{number}]", square(chip.centre_mm, chip.size_mm)
    if layout.place is not None:
        yield "place", layout.place.corners_mm
    for tag in layout.tags:
        yield f"tag {tag.id} with {TAG_WHITE_MM:g} mm of white", square(tag.centre_mm, tag.size_mm + 2 * TAG_WHITE_MM)
