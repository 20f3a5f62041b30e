"""Confirmed throws to teach the reader with: a folder of pictures, and a table of what was thrown in each.

`macuil count --keep` writes such a folder, people put wrong lines right in a spreadsheet, `macuil teach` reads it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.rules import Needs
from referee.throws import Beans, Dice, Throw
from server.counts import BadCounts, rows
from vision.camera import Image
from vision.pictures import Unreadable, decode

FILE = "throws.csv"
COLUMNS = {"beans": "file,marked,beans", "dice": "file,dice"}
MOST_DICE = 12
KEPT_QUALITY = 95
"""Of the JPEGs: what the reader sees later should be what it saw."""


class BadLessons(Exception):
    """Confirmed throws that cannot be read or kept; one line that says which, where and why."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """One throw of which people have said what it is."""

    name: str
    """Of its picture."""
    throw: Throw
    look: Callable[[], Image]
    """The picture of the throwing place and nothing else; raises BadLessons."""


class Keeper:
    """Keeps the picture of each counted throw, and what it was read as, for people to put right."""

    def __init__(self, folder: Path, needs: Needs, area_px: NDArray[np.float32] | None) -> None:
        """Begin, or go on in, a folder.

        Args:
            folder: made where it is missing.
            needs: what is thrown.
            area_px: corners of the throwing place in the frames, upright, shape (4, 2); None: the whole picture.

        Raises:
            BadLessons: it cannot be written, or keeps throws of another kind.
        """
        self._folder, self._needs, self._area_px = folder, needs, area_px
        names = COLUMNS["beans" if needs.beans else "dice"]
        table = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with table.open("a+", encoding="utf-8", newline="") as out:
                out.seek(0)
                first = out.readline().strip().lstrip("\ufeff").replace(";", ",")
                if not first:
                    out.write(f"{names}\n")
                elif first != names:
                    raise BadLessons(f"{table}: begins with {first!r}, not with {names}; name another folder")
            numbers = [re.fullmatch(r"throw-(\d+)\.jpg", path.name) for path in folder.iterdir()]
        except (OSError, UnicodeDecodeError) as error:
            raise BadLessons(f"{folder}: cannot be written ({_why(error)}); choose another place") from error
        self._next = 1 + max((int(number[1]) for number in numbers if number), default=0)

    def keep(self, image: Image, throw: Throw | None) -> None:
        """Keep one throw; None: it could not be read, and people fill it in. Raises BadLessons."""
        path = self._folder / f"throw-{self._next:04}.jpg"
        self._next += 1
        part = image if self._area_px is None else _part(image, self._area_px)
        jpeg = cv2.imencode(".jpg", part, (cv2.IMWRITE_JPEG_QUALITY, KEPT_QUALITY))[1]
        value = "" if throw is None else throw.marks if isinstance(throw, Beans) else " ".join(map(str, throw.values))
        line = f"{path.name},{value},{self._needs.beans}\n" if self._needs.beans else f"{path.name},{value}\n"
        try:
            path.write_bytes(jpeg.tobytes())
            with (self._folder / FILE).open("a", encoding="utf-8", newline="") as out:
                out.write(line)
        except OSError as error:
            raise BadLessons(f"{path}: cannot be written ({_why(error)})") from error


def read_lessons(
    folder: Path, expected: Needs | None, area_px: NDArray[np.float32] | None
) -> tuple[Needs, tuple[Confirmed, ...]]:
    """Read a folder of confirmed throws; lines without a value are left out.

    Args:
        folder: with ``throws.csv``, which has the columns ``file`` and ``marked`` (and ``beans``, how many were
            thrown) or ``file`` and ``dice``, as "3 5"; others are left alone.
        expected: what was thrown; None: the table tells, and beans are five unless it does.
        area_px: corners of the throwing place in the pictures, upright, shape (4, 2); None: the whole picture.

    Raises:
        BadLessons: there is no such folder or table, or a line of it is wrong.
    """
    table = folder / FILE
    if not folder.is_dir():
        raise BadLessons(f"{folder}: there is no such folder; it has the pictures of the throws, and {FILE}")
    if not table.is_file():
        raise BadLessons(f"{table}: there is no such table; it has a line for each picture, such as throw-1.jpg,3")
    try:
        lines = list(rows(table))
    except BadCounts as error:
        raise BadLessons(str(error)) from error
    columns = {name.strip().lower(): number for number, name in enumerate(lines[0][1])} if lines else {}
    kinds = [kind for kind in ("marked", "dice") if kind in columns]
    if "file" not in columns or len(kinds) != 1:
        raise BadLessons(f"{table}, line 1: must name the columns file and either marked or dice, such as file,marked")
    if expected and bool(expected.dice) != (kinds == ["dice"]):
        raise BadLessons(f"{table}, line 1: is of {kinds[0]}, which is not what --expect says")
    needs, confirmed = expected, []
    for line, fields in lines[1:]:
        cells = {name: fields[number].strip() for name, number in columns.items() if number < len(fields)}
        if not cells.get(kinds[0]):
            continue
        try:
            throw = _dice(cells["dice"], needs) if kinds == ["dice"] else _beans(cells, needs)
            path = _picture(folder, cells["file"])
        except ValueError as error:
            raise BadLessons(f"{table}, line {line}: {error}") from None
        needs = Needs(beans=throw.count) if isinstance(throw, Beans) else Needs(dice=len(throw.values))
        confirmed.append(Confirmed(path.name, throw, partial(_look, path, area_px)))
    return needs or (Needs(dice=2) if kinds == ["dice"] else Needs(beans=5)), tuple(confirmed)


def _look(path: Path, area_px: NDArray[np.float32] | None) -> Image:
    try:
        image, shrunk = decode(path, shrink=True)
    except Unreadable as error:
        raise BadLessons(f"{path}: {error}") from error
    if area_px is None:
        return image
    part = _part(image, np.asarray(area_px / shrunk, np.float32))
    if not part.size:
        raise BadLessons(f"{path}: --area lies outside the picture; pictures kept by macuil count need none")
    return part


def _part(image: Image, area_px: NDArray[np.float32]) -> Image:
    left, top, right, bottom = np.clip(np.rint([*area_px.min(axis=0), *area_px.max(axis=0)]), 0, None).astype(int)
    return np.ascontiguousarray(image[top:bottom, left:right])


def _picture(folder: Path, name: str) -> Path:
    path = folder / name
    if not name or not path.is_file():
        raise ValueError(f"there is no picture {name or 'named'}; take the line out or name its picture")
    return path


def _beans(cells: dict[str, str], needs: Needs | None) -> Beans:
    count = _whole("beans", cells["beans"]) if cells.get("beans") else needs.beans if needs else 5
    if not 1 <= count <= 99 or (needs and count != needs.beans):
        raise ValueError(f"beans {count}: must be {needs.beans if needs else '1 to 99'}, all throws alike")
    marks = _whole("marked", cells["marked"])
    if marks > count:
        raise ValueError(f"marked {marks}: {count} beans show 0 to {count}")
    return Beans(marks, count)


def _dice(text: str, needs: Needs | None) -> Dice:
    values = tuple(sorted(_whole("dice", value) for value in text.split()))
    if not all(1 <= value <= 6 for value in values) or len(values) > MOST_DICE:
        raise ValueError(f"dice {text[:40]}: write 1 to 6 for each of at most {MOST_DICE} dice, such as 3 5")
    if needs and len(values) != needs.dice:
        raise ValueError(f"dice {text[:40]}: must be of {needs.dice} dice, all throws alike")
    return Dice(values)


def _whole(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise ValueError(f"{name} {text[:40]}: not a whole number")
    return int(text)


def _why(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "no text in UTF-8"
