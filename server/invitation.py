"""Who plays what: from words at the command line or from a page to the first event of a match."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from calibration.layout import Layout
from referee.board import Seat
from referee.events import Started
from referee.match import begin, start
from referee.rules import BadQuestion


def usual_seats(known: Sequence[Seat]) -> dict[int, tuple[Seat, ...]]:
    """For each number of players the seats they take unless they say otherwise: two sit opposite each other."""
    by_number = {number: tuple(known[:number]) for number in range(2, len(known) + 1)}
    if len(known) >= 4:
        by_number[2] = (known[0], known[2])
    return by_number


def invite(
    layout: Layout,
    *,
    game: str,
    preset: str,
    seats: Sequence[Seat],
    names: Mapping[Seat, str],
    stakes: int | None = None,
    options: Mapping[str, object] | None = None,
) -> Started:
    """The first event of a match.

    Args:
        layout: the board on the table; what it says about the rules (``triangle_rows``) goes into the options.
        game: a name of the registry.
        preset: one of the game's.
        seats: who plays, ascending.
        names: may be empty.
        stakes: whole stakes each player starts with; None: as the rules have it.
        options: as in the adjudicator.

    Raises:
        BadQuestion: no such game on this board, no such preset, seats that cannot play it, a bad option.
    """
    if game != layout.game:
        raise BadQuestion(f"game: the board {layout.name} is made for {layout.game}, not for {game}")
    chosen = dict(options or {})
    started = start(game, preset, tuple(seats), names=names, options=chosen, stakes=stakes)
    if not layout.triangle_rows or "triangle_rows" in chosen:
        return started
    # The rows printed on the board are an option only where they make a difference.
    printed = replace(started, options={**chosen, "triangle_rows": list(layout.triangle_rows)})
    return started if begin(printed).position == begin(started).position else printed


def asked(layout: Layout, command: Mapping[str, Any]) -> Started:
    """The match that a page's ``new_game`` command asks for.

    Raises:
        BadQuestion: it cannot be played, or the command is not understood.
    """
    extra = set(command) - {"type", "game", "preset", "seats", "names", "stakes", "options"}
    if extra:
        raise BadQuestion(f"new_game: unknown field {min(extra)!r}")
    names, stakes, options = command.get("names", {}), command.get("stakes"), command.get("options", {})
    if not isinstance(names, dict) or not isinstance(options, dict):
        raise BadQuestion("new_game: names and options are objects")
    if stakes is not None and type(stakes) is not int:
        raise BadQuestion("new_game: stakes is a whole number")
    return invite(
        layout,
        game=str(command.get("game", layout.game)),
        preset=str(command.get("preset", "")),
        seats=_seats(command.get("seats")),
        names={Seat(number): str(name)[:40] for number, name in zip(_seats(list(names)), names.values(), strict=True)},
        stakes=stakes,
        options=options,
    )


def _seats(listed: object) -> tuple[Seat, ...]:
    if not isinstance(listed, list) or not all(str(seat).isdecimal() for seat in listed):
        raise BadQuestion('new_game: seats is a list such as ["1", "3"]')
    return tuple(Seat(int(seat)) for seat in listed)
