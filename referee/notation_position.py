"""Positions as one line that a person can read, write and mail: the pair ``print_position`` and ``parse_position``.

``patolli quick turn=3 pot=1 | 1 reserve=2 track=[4] home=0 stakes=8 | 3 reserve=3 track=[] home=0 stakes=8``: first
the game, the preset and what concerns everybody, then the players. Options of the match stand in parentheses after
the preset: ``(triangle_rows=[4 5])``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from referee.questions import shown
from referee.rules import BadQuestion

SEATED = ("players", "out")
"""Fields of a state that have one entry for each seat; those of ``out`` carry that word."""
FIELD = re.compile(r"([a-z_]+)=(\[[^\]]*\]|[^\s\[\]|()]+)")
WHOLE = re.compile(r"0|-?[1-9][0-9]{0,12}")


@dataclass(frozen=True, slots=True)
class PositionText:
    """What one line says; the game's ``load`` turns the state into a position."""

    game: str
    preset: str
    options: Mapping[str, object]
    """As CONTRACTS writes them."""
    state: Mapping[str, object]
    """As CONTRACTS writes it."""


def print_position(position: PositionText) -> str:
    """Write a position in one line."""
    options = f"({_print_fields(position.options)})" if position.options else ""
    common = {name: value for name, value in position.state.items() if name not in SEATED}
    sections = [" ".join(filter(None, [position.game, position.preset, options, _print_fields(common)]))]
    for group in SEATED:
        listed = position.state.get(group, {})
        assert isinstance(listed, Mapping)
        mark = "" if group == SEATED[0] else f"{group} "
        sections += [f"{mark}{seat} {_print_fields(held)}" for seat, held in listed.items()]
    return " | ".join(sections)


def parse_position(text: str) -> PositionText:
    """Read such a line. Raises BadQuestion when it is none; whether it can be played, the game's ``load`` says."""
    first, *seated = (section.strip() for section in text.split("|"))
    head = re.fullmatch(r"([a-z]+) ([a-z-]+)(?: \(([^()]*)\))?(?: (.*))?", first)
    if head is None:
        raise BadQuestion(f"position: {shown(first)} does not begin with a game and a preset")
    options = _parse_fields(head[3] or "", "options")
    common = _parse_fields(head[4] or "", "position")
    for name in SEATED:
        if name in common:
            raise BadQuestion(f"position: {name} stand behind a | each, not in the head")
    state: dict[str, object] = {SEATED[0]: {}, **common}
    for section in seated:
        found = re.fullmatch(r"(?:(out) )?([0-9]) (.*)", section)
        if found is None:
            raise BadQuestion(f"position: {shown(section)} does not begin with a seat")
        group = state.setdefault(found[1] or SEATED[0], {})
        assert isinstance(group, dict)
        if found[2] in group:
            raise BadQuestion(f"position: seat {found[2]} is named twice")
        group[found[2]] = _parse_fields(found[3], f"seat {found[2]}")
    return PositionText(head[1], head[2], options, state)


def _print_fields(values: object) -> str:
    assert isinstance(values, Mapping)
    return " ".join(f"{name}={_print(value)}" for name, value in values.items())


def _print(value: object) -> str:
    if isinstance(value, list):
        return f"[{' '.join(map(str, value))}]"
    return "-" if value is None else str(value)


def _parse_fields(text: str, path: str) -> dict[str, object]:
    rest = FIELD.sub("", text).strip()
    if rest:
        raise BadQuestion(f"{path}: {shown(rest)} is not written like reserve=5 or track=[4 7]")
    found = FIELD.findall(text)
    values = {name: _parse(name, value) for name, value in found}
    if len(values) < len(found):
        raise BadQuestion(f"{path}: names a field twice")
    return values


def _parse(name: str, value: str) -> object:
    if value.startswith("["):
        return [_atom(item) for item in value[1:-1].split()]
    if name == "turn":
        return None if value == "-" else value
    return _atom(value)


def _atom(word: str) -> int | str:
    return int(word) if WHOLE.fullmatch(word) else word
