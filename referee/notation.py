"""Events as JSON and back, as the journal stores them: ``{"event": "moved", "seat": 1, "origin": "4", …}``.

The fields of the event classes are the format; their types say what is accepted.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from referee.board import Seat
from referee.events import Event
from referee.questions import fields as checked
from referee.questions import printable, record, shown
from referee.rules import BadQuestion

SEATS = range(1, 7)
KINDS: Mapping[str, type[Any]] = {kind.__name__.lower(): kind for kind in get_args(Event)}


def dump_event(event: Event) -> dict[str, object]:
    """Write an event; ``load_event`` reads it back. Options and arguments must be JSON values already."""
    return {"event": type(event).__name__.lower(), **_dump_fields(event)}


def load_event(value: object) -> Event:
    """Read an event. Raises BadQuestion naming an unknown kind or a wrong field."""
    given = record(value, "event")
    name = given.get("event")
    if not isinstance(name, str) or name not in KINDS:
        raise BadQuestion(f"event: {shown(name)} is no kind of event this referee knows")
    loaded: Event = _load_fields(KINDS[name], {key: given[key] for key in given if key != "event"}, name)
    return loaded


def _dump_fields(value: Any) -> dict[str, object]:
    return {field.name: _dump(getattr(value, field.name)) for field in fields(value)}


def _dump(value: object) -> object:
    if is_dataclass(value):
        return _dump_fields(value)
    if isinstance(value, tuple):
        return [_dump(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _dump(item) for key, item in value.items()}
    return value


def _load_fields(kind: type[Any], given: dict[str, object], path: str) -> Any:
    types = get_type_hints(kind)
    required = [field.name for field in fields(kind) if field.default is field.default_factory is MISSING]
    checked(given, path, required, types)
    return kind(**{name: _load(given[name], types[name], f"{path}.{name}") for name in given})


def _load(value: object, wanted: Any, path: str) -> object:
    """``value`` as the type ``wanted``, one of those that events are made of."""
    if wanted is Seat and type(value) is int and value not in SEATS:
        raise BadQuestion(f"{path}: {value} is no seat")
    wanted = getattr(wanted, "__supertype__", wanted)
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin in (Union, UnionType):
        return _load_any(value, arguments, path)
    if wanted is object or (origin is Literal and value in arguments):
        return value
    if origin is tuple and isinstance(value, list):
        return tuple(_load(item, arguments[0], path) for item in value)
    if origin is Mapping and isinstance(value, dict):
        key_type, item_type = arguments
        return {_load_key(key, key_type, path): _load(item, item_type, path) for key, item in value.items()}
    if isinstance(wanted, type) and is_dataclass(wanted) and isinstance(value, dict):
        return _load_fields(wanted, value, path)
    if type(value) is wanted:
        return printable(value, path) if isinstance(value, str) else value
    raise BadQuestion(f"{path}: cannot be {shown(value)}")


def _load_any(value: object, choices: tuple[Any, ...], path: str) -> object:
    for wanted in choices:
        try:
            return _load(value, wanted, path)
        except BadQuestion:
            continue
    raise BadQuestion(f"{path}: cannot be {shown(value)}")


def _load_key(key: str, wanted: Any, path: str) -> object:
    """JSON has only strings for keys; those of seats are numbers."""
    if wanted is not Seat:
        return key
    if key not in map(str, SEATS):
        raise BadQuestion(f"{path}: {shown(key)} is no seat")
    return Seat(int(key))
