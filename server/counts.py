"""Counted throws as a CSV file: written throw by throw, read back strictly, also if a person wrote it."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from referee.fairness import Fairness, judge_beans, judge_dice
from referee.rules import Needs
from referee.throws import Beans, Dice, Throw

ENOUGH_BYTES = 50_000_000
"""A longer file was not written by counting."""


class BadCounts(Exception):
    """A file of counted throws that cannot be read or written; one line that says which, where and why."""


def judge(needs: Needs, throws: Sequence[Throw]) -> Fairness:
    """Judge at least one throw, all of the same beans or dice."""
    if needs.beans:
        marks = [throw.marks for throw in throws if isinstance(throw, Beans)]
        return judge_beans([marks.count(number) for number in range(needs.beans + 1)])
    faces = [face for throw in throws if isinstance(throw, Dice) for face in throw.values]
    return judge_dice([faces.count(face) for face in range(1, 7)], len(throws))


def append(path: Path, t: float, throw: Throw) -> None:
    """Write a throw at once, so that nothing counted is lost; the first brings the columns' names with it.

    Args:
        path: where to.
        t: seconds since counting began.
        throw: what counts.

    Raises:
        BadCounts: it cannot be written.
    """
    if isinstance(throw, Beans):
        names, line = "time,marks,beans\n", f"{t:.3f},{throw.marks},{throw.count}\n"
    else:
        names, line = "time,faces\n", f"{t:.3f},{' '.join(str(face) for face in throw.values)}\n"
    try:
        with path.open("a", encoding="utf-8", newline="") as out:
            out.write(line if out.tell() else names + line)
    except OSError as error:
        raise BadCounts(f"{path}: cannot be written ({error.strerror})") from error


def read_counts(path: Path, expected: Needs | None) -> tuple[Needs, list[Throw]]:
    """Read a file back.

    Columns are found by their names: ``marks`` (and ``beans``, how many were thrown) or ``faces``, as "3 5"; others
    are left alone. Commas or semicolons, as spreadsheets like it.

    Args:
        path: a CSV file in UTF-8.
        expected: what was thrown; None: the file tells, and beans are five unless it does.

    Raises:
        BadCounts: it cannot be read, is empty, or a line of it is wrong.
    """
    lines = rows(path)
    line, names = next(lines, (1, []))
    columns = {name.strip().lower(): number for number, name in enumerate(names)}
    kinds = [kind for kind in ("marks", "faces") if kind in columns]
    if not names:
        raise BadCounts(f"{path}: empty; the first line names the columns, such as time,marks")
    if len(kinds) != 1:
        raise BadCounts(f"{path}, line {line}: must name one column marks or faces, such as time,marks")
    throws: list[Throw] = []
    needs = expected
    if expected and bool(expected.beans) != (kinds == ["marks"]):
        raise BadCounts(f"{path}, line {line}: counts {kinds[0]}, which is not what --expect says")
    for line, fields in lines:
        cells = {name: fields[number].strip() for name, number in columns.items() if number < len(fields)}
        try:
            throw = _beans(cells, needs) if kinds == ["marks"] else _dice(cells, needs)
        except ValueError as error:
            raise BadCounts(f"{path}, line {line}: {error}") from None
        needs = Needs(beans=throw.count) if isinstance(throw, Beans) else Needs(dice=len(throw.values))
        throws.append(throw)
    if needs is None or not throws:
        raise BadCounts(f"{path}: no throws in it, only the names of the columns")
    return needs, throws


def rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Lines that are not blank, with their numbers. Raises BadCounts."""
    try:
        if path.stat().st_size > ENOUGH_BYTES:
            raise BadCounts(f"{path}: too large to be counted throws")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadCounts(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BadCounts(f"{path}: no text in UTF-8; save it as CSV (UTF-8)") from error
    first = text.lstrip().partition("\n")[0]
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=";" if ";" in first else ",")
    try:
        for fields in lines:
            if any(field.strip() for field in fields):
                yield lines.line_num, fields
    except csv.Error as error:
        raise BadCounts(f"{path}, line {lines.line_num}: no CSV ({error})") from error


def _beans(cells: dict[str, str], needs: Needs | None) -> Beans:
    count = _number("beans", cells["beans"]) if cells.get("beans") else needs.beans if needs else 5
    if not 1 <= count <= 99 or (needs and count != needs.beans):
        raise ValueError(f"beans {count}: must be {needs.beans if needs else '1 to 99'}, all throws alike")
    marks = _number("marks", cells.get("marks", ""))
    if marks > count:
        raise ValueError(f"marks {marks}: {count} beans show 0 to {count}")
    return Beans(marks, count)


def _dice(cells: dict[str, str], needs: Needs | None) -> Dice:
    text = cells.get("faces", "")
    faces = tuple(sorted(_number("faces", face) for face in text.split()))
    if not faces or not all(1 <= face <= 6 for face in faces):
        raise ValueError(f"faces {text or 'missing'}: write 1 to 6 for each die, such as 3 5")
    if needs and len(faces) != needs.dice:
        raise ValueError(f"faces {text}: must be of {needs.dice} dice, all throws alike")
    return Dice(faces)


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise ValueError(f"{name} {text[:40] or 'missing'}: not a whole number")
    return int(text)
