"""One table's settings: from `table.toml` and the command line, read once, then frozen."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from calibration.corners import ANY_SIZE, CornersRefused, Quad, checked, read_corners
from referee.board import Seat
from server.wish import SEATS


class SettingsError(Exception):
    """Settings that cannot be used; one line that names the file, the key and what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a table needs to know; every field is a key of `table.toml`."""

    camera: str = "0"
    """A camera's number or identity, a URL, a video or a folder of pictures."""
    corners: Quad | None = None
    """Of the playing field in the camera's picture, pixels, clockwise from its top left as drawn: instead of tags."""
    layout: str = "patolli"
    """A drawing that comes with the program, or the path of a TOML."""
    game: str = "patolli"
    preset: str = "classic"
    seats: str = "2"
    """How many play, or which seats: ``2``, ``1,3``."""
    names: Mapping[Seat, str] = field(default_factory=dict)
    stakes: int | None = None
    """Whole stakes each player starts with; None: as the rules have it."""
    handicap: Mapping[Seat, int] = field(default_factory=dict)
    """Seats that start with other stakes than that."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Readings of the rules: ``throw_limit``, ``corners``, ``full_board``, …; docs/rules.md lists them."""
    strip: str = "off"
    """The LED controller's port: ``/dev/ttyUSB0``, ``COM3``, ``socket://…``, ``sim://…``, or ``off``."""
    host: str = "127.0.0.1"
    port: int = 8505
    data: Path | None = None
    """The data folder; None: where this system keeps a program's data."""


def read_settings(path: Path) -> Settings:
    """Read a `table.toml`.

    Raises:
        SettingsError: no such file, no TOML, an unknown key, a value of the wrong kind.
    """
    try:
        with path.open("rb") as file:
            table = tomllib.load(file)
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path} is no TOML: {error}") from error
    known = {each.name for each in fields(Settings)}
    for key in table:
        if key not in known:
            raise SettingsError(f"{path}: unknown key {key!r}; known are {', '.join(sorted(known))}")
    return replace(Settings(), **{key: _value(path, key, value) for key, value in table.items()})


def parse_names(text: str, seats: tuple[Seat, ...]) -> dict[Seat, str]:
    """Read ``Ana,Ben`` (in the order of the seats).

    Raises:
        SettingsError: more names than seats, or an empty one.
    """
    names = [name.strip() for name in text.split(",")]
    if len(names) > len(seats) or not all(names):
        raise SettingsError(f"--names {text}: give one name a player, separated by commas, at most {len(seats)}")
    return dict(zip(seats, names, strict=False))


def parse_seats(text: str, usual: Mapping[int, tuple[Seat, ...]], known: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Read ``2`` (how many) or ``1,3`` (which).

    Args:
        text: as given.
        usual: which seats so many players take.
        known: all seats of the game.

    Raises:
        SettingsError: no numbers, a seat twice, one that the game does not have.
    """
    try:
        numbers = [int(word) for word in text.split(",")]
    except ValueError:
        raise SettingsError(f"seats {text!r}: write how many play (2) or which seats (1,3)") from None
    if len(numbers) == 1:
        if numbers[0] not in usual:
            raise SettingsError(f"seats {text!r}: the game is for {', '.join(map(str, sorted(usual)))} players")
        return usual[numbers[0]]
    seats = tuple(Seat(number) for number in sorted(set(numbers)))
    if len(seats) < len(numbers) or not set(seats) <= set(known):
        raise SettingsError(f"seats {text!r}: name each seat once; the game has {', '.join(map(str, known))}")
    return seats


def _value(path: Path, key: str, value: object) -> Any:
    match key, value:
        case "port" | "stakes", bool():
            pass
        case "port" | "stakes", int():
            return value
        case "data", str():
            try:
                return path.parent / Path(value).expanduser()
            except RuntimeError as error:
                raise SettingsError(f"{path}: data = {value!r}: there is no such person's folder") from error
        case "seats", int():
            return str(value)
        case "seats", list():
            return ",".join(map(str, value))
        case "camera", int():
            return str(value)
        case "names", dict():
            return _names(path, value)
        case "handicap", dict():
            return _handicap(path, value)
        case "options", dict():
            return value
        case "corners", list():
            return _corners(path, value)
        case "camera" | "layout" | "game" | "preset" | "seats" | "strip" | "host", str():
            return value
    raise SettingsError(f"{path}: {key} = {value!r} is not of the right kind")


def _handicap(path: Path, table: Mapping[str, object]) -> dict[Seat, int]:
    stakes = {SEATS[seat]: held for seat, held in table.items() if seat in SEATS and type(held) is int}
    if len(stakes) < len(table):
        raise SettingsError(f"{path}: a handicap is written as 1 = 12 under [handicap]")
    return stakes


def _corners(path: Path, value: list[object]) -> Quad:
    try:
        return checked(read_corners(value), ANY_SIZE)
    except (CornersRefused, ValueError) as error:
        raise SettingsError(f"{path}: corners: {error}") from error


def _names(path: Path, table: Mapping[str, object]) -> dict[Seat, str]:
    names = {SEATS[seat]: name for seat, name in table.items() if seat in SEATS and isinstance(name, str)}
    if len(names) < len(table):
        raise SettingsError(f'{path}: names are written as 1 = "Ana" under [names]')
    return names
