"""Write a layout as the file that ``calibration.layout.load`` reads."""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from calibration.layout import CellPlace, Layout, LayoutError, Rect, load


def write(layout: Layout, path: Path, notes: Sequence[str] = ()) -> None:
    """Write a layout file, whole or not at all.

    Args:
        layout: without chips and ornaments, which only a printed board has.
        path: of the file; one that is there is replaced.
        notes: lines of comment for its head.

    Raises:
        LayoutError: it would be refused when it is read; one line that says why.
        OSError: it cannot be written.
    """
    part = path.with_name(f".{path.stem}.{os.getpid()}.toml")
    try:
        part.write_text(text(layout, notes), encoding="utf-8")
        load(part)
        part.replace(path)
    except LayoutError as error:
        raise LayoutError(str(error).removeprefix(f"{part}: ")) from error
    finally:
        part.unlink(missing_ok=True)


def text(layout: Layout, notes: Sequence[str] = ()) -> str:
    """The content of the file; lengths to a hundredth of a millimetre."""
    return "\n".join([*(f"# {note}" for note in notes), *_lines(layout)]) + "\n"


def _lines(layout: Layout) -> Iterator[str]:
    yield f"name = {json.dumps(layout.name, ensure_ascii=False)}"
    yield f"game = {json.dumps(layout.game)}"
    yield f"sheet = {_numbers(layout.size_mm)}   # width and height of the board; measure them"
    yield f"field = {_rect(layout.field)}   # its corners are what --corners points at"
    if layout.place is not None:
        yield f"place = {_rect(layout.place)}   # where beans and dice are thrown"
    if layout.triangle_rows:
        yield f"triangle_rows = {list(layout.triangle_rows)}   # counted from the centre"
    if layout.tags:
        yield from ("", "tags = [")
        for tag in layout.tags:
            yield f"    {{ id = {tag.id}, centre = {_numbers(tag.centre_mm)}, size = {tag.size_mm:.2f} }},"
        yield "]"
    yield from ("", "cells = [")
    for cell in layout.cells:
        yield f"    {{ {', '.join(_cell(cell))} }},"
    yield "]"


def _cell(cell: CellPlace) -> Iterator[str]:
    yield f"name = {json.dumps(cell.name)}"
    yield f"centre = {_numbers(cell.centre_mm)}"
    yield f'kind = "{"plain" if cell.kind == "triangle" else cell.kind}"'
    for key, value in (("seat", cell.seat), ("row", cell.row), ("led", cell.led)):
        if value is not None:
            yield f"{key} = {value}"
    yield f"outline = [{', '.join(_numbers(point) for point in cell.outline_mm)}]"


def _rect(rect: Rect) -> str:
    return _numbers((rect.x_mm, rect.y_mm, rect.width_mm, rect.height_mm))


def _numbers(values: Sequence[float]) -> str:
    return f"[{', '.join(f'{value:.2f}' for value in values)}]"
