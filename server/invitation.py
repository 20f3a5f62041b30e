"""Who plays what: from words at the command line or from a page to the first event of a match."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from calibration.layout import Layout
from referee.board import Seat
from referee.events import Started
from referee.match import begin, start
from referee.questions import fields, items, record, text, whole
from referee.rules import BadQuestion
from server.wish import seat_of, written


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
    handicap: Mapping[Seat, int] | None = None,
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
        handicap: seats that start with other stakes than that.
        options: as in the adjudicator.

    Raises:
        BadQuestion: no such game on this board, no such preset, seats that cannot play it, a bad option.
    """
    if game != layout.game:
        made_for = f"the board {layout.name} is made for {layout.game}, not for {game}"
        raise BadQuestion(f"game: {made_for}; choose that game's board too")
    chosen = dict(options or {})
    started = start(game, preset, tuple(seats), names=names, options=chosen, stakes=stakes, handicap=handicap)
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
    optional = ("by", "game", "names", "stakes", "handicap", "options")
    given = fields(dict(command), "new_game", ("type", "preset", "seats"), optional)
    names = record(given.get("names", {}), "names")
    handicap = record(given.get("handicap", {}), "handicap")
    return invite(
        layout,
        game=text(given.get("game", layout.game), "game"),
        preset=text(given["preset"], "preset"),
        seats=[seat_of(seat, "seats") for seat in items(given["seats"], "seats")],
        names={seat_of(seat, "names"): written(name, f"names.{seat}") for seat, name in names.items()},
        stakes=None if given.get("stakes") is None else whole(given["stakes"], "stakes", 0, 10**9),
        handicap={
            seat_of(seat, "handicap"): whole(stakes, f"handicap.{seat}", 0, 10**9) for seat, stakes in handicap.items()
        },
        options=record(given.get("options", {}), "options"),
    )
