"""Checks for values that came as JSON: each either returns the value typed or names the field that is wrong."""

import json
from collections.abc import Collection, Mapping

from referee.board import Cell, Occupancy, Seat
from referee.rules import BadQuestion, Stakes


def parsed(written: str, path: str) -> object:
    """A JSON text, strictly: no field twice."""
    try:
        return _STRICT.decode(written)
    except (ValueError, RecursionError) as error:
        raise BadQuestion(f"{path}: is no JSON: {error}") from error
    except BadQuestion as error:
        raise BadQuestion(f"{path}: {error}") from error


def shown(value: object) -> str:
    """The value as an error may quote it: at most 40 characters, ASCII."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def record(value: object, path: str) -> dict[str, object]:
    """An object with any fields."""
    if not isinstance(value, dict):
        raise BadQuestion(f"{path}: must be an object, not {shown(value)}")
    return value


def fields(value: object, path: str, required: Collection[str], optional: Collection[str] = ()) -> dict[str, object]:
    """An object with exactly these fields."""
    given = record(value, path)
    for name in required:
        if name not in given:
            raise BadQuestion(f"{path}.{name}: is missing")
    for name in given:
        if name not in required and name not in optional:
            raise BadQuestion(f"{path}: has an unknown field {shown(name)}")
    return given


def items(value: object, path: str) -> list[object]:
    """A list of anything."""
    if not isinstance(value, list):
        raise BadQuestion(f"{path}: must be a list, not {shown(value)}")
    return value


def text(value: object, path: str) -> str:
    """A string that can be written to any file."""
    if not isinstance(value, str):
        raise BadQuestion(f"{path}: must be a string, not {shown(value)}")
    return printable(value, path)


def printable(value: str, path: str) -> str:
    """The string, unless it holds half a character, which JSON can write and no file."""
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise BadQuestion(f"{path}: {shown(value)} holds half a character")
    return value


def whole(value: object, path: str, low: int, high: int) -> int:
    """A whole number in ``low`` to ``high``; true, 1.0 and "1" are none."""
    if type(value) is not int or not low <= value <= high:
        raise BadQuestion(f"{path}: must be a whole number from {low} to {high}, not {shown(value)}")
    return value


def by_seat(pieces: Occupancy, seats: Collection[Seat]) -> dict[Seat, list[Cell]]:
    """Where the pieces of each player stand, a cell once for each piece on it."""
    standing: dict[Seat, list[Cell]] = {seat: [] for seat in seats}
    for cell, stack in pieces.items():
        for seat in stack:
            if seat not in standing:
                raise BadQuestion(f"pieces: seat {seat} on {shown(cell)} is not in the match")
            standing[seat].append(cell)
    return standing


def purses(stakes: Stakes, seats: Collection[Seat], low: int, high: int) -> dict[Seat, int]:
    """What each player brings, each in ``low`` to ``high``."""
    if not isinstance(stakes, Mapping):
        return dict.fromkeys(seats, whole(stakes, "stakes", low, high))
    for seat in stakes:
        if seat not in seats:
            raise BadQuestion(f"stakes: seat {seat} does not play")
    return {seat: whole(stakes.get(seat), f"stakes.{seat}", low, high) for seat in seats}


def _unambiguous(pairs: list[tuple[str, object]]) -> dict[str, object]:
    given = dict(pairs)
    if len(given) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadQuestion(f"names the field {shown(twice)} twice")
    return given


def _number(digits: str) -> int | float:
    """Python refuses thousands of digits without saying where they stand; as infinity the field's own check does."""
    return int(digits) if len(digits) < 20 else float(digits)


_STRICT = json.JSONDecoder(object_pairs_hook=_unambiguous, parse_int=_number)
"""Made once: a new decoder for each question would cost more than some rules."""
