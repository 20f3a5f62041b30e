"""Batok's board, its readings and one moment of a match."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast

from referee.board import Cell, Occupancy, Seat
from referee.events import Rule
from referee.questions import by_seat, fields, items, shown, whole
from referee.rules import BadQuestion

# Where the source texts leave a gap, a reading closes it; docs/rules.md tells each in a sentence.
R_BA_11_EITHER: Rule = "R-BA-11-EITHER"
R_BA_COMPLETE: Rule = "R-BA-COMPLETE"
R_BA_DOUBLE: Rule = "R-BA-DOUBLE"
R_BA_FIRST: Rule = "R-BA-FIRST"
R_BA_FULL_STRICT: Rule = "R-BA-FULL-STRICT"
R_BA_HOLE: Rule = "R-BA-HOLE"
R_BA_LAST: Rule = "R-BA-LAST"
R_BA_PASS: Rule = "R-BA-PASS"
R_BA_SUM6: Rule = "R-BA-SUM6"

SEATS: tuple[Seat, ...] = (Seat(1), Seat(2), Seat(3), Seat(4), Seat(5), Seat(6))
STICKS = 20
POSTS = 10
HOLE: Cell = "hole"
SIX = 6
ELEVEN = (5, 6)

FullBoard = Literal["strict", "eleven"]
LastStick = Literal["single", "complete"]


@dataclass(frozen=True, slots=True)
class Terms:
    """How strictly a match is played."""

    full_board: FullBoard = "strict"
    """What saves where all ten posts are taken: ``strict`` only 6-6 (R-BA-FULL-STRICT), ``eleven`` 5-6 too."""
    last_stick: LastStick = "single"
    """``single``: the last stick may follow one die alone (R-BA-LAST); ``complete``: it too uses the whole throw."""


@dataclass(frozen=True, slots=True)
class BatokPosition:
    """One moment of a match. Sticks on the posts are nobody's, and all alike."""

    terms: Terms
    hands: tuple[tuple[Seat, int], ...]
    """Sticks of those still in, in ascending order of seats, which is clockwise."""
    posts: tuple[int, ...]
    """Which are taken, ascending."""
    dropped: int
    """Sticks in the hole."""
    turn: Seat | None
    may_pass: bool = False
    """A throw of this turn has been completed (R-BA-PASS)."""
    gone: tuple[tuple[Seat, int], ...] = ()
    """Sticks that players who resigned have taken with them."""
    over: str | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who is still in."""
        return tuple(seat for seat, _ in self.hands)

    def hand(self, seat: Seat) -> int:
        """How many sticks a player has."""
        return dict(self.hands)[seat]

    def held(self, seat: Seat, change: int) -> "BatokPosition":
        """With more or fewer sticks in a hand."""
        return replace(self, hands=tuple((s, sticks + change * (s == seat)) for s, sticks in self.hands))


def load(terms: Terms, state: object) -> BatokPosition:
    """Read a position as CONTRACTS writes it. Raises BadQuestion naming the field."""
    given = fields(state, "state", ("players", "posts", "dropped", "turn"), ("thrown", "may", "out"))
    names = {str(seat): seat for seat in SEATS}
    listed = fields(given["players"], "state.players", (), names)
    gone = _sticks(fields(given.get("out", {}), "state.out", (), names), "state.out", names, STICKS * len(SEATS))
    if len(listed) < 2:
        raise BadQuestion("state.players: a game needs two players at least")
    for name in listed:
        if names[name] in gone:
            raise BadQuestion(f"state.out: seat {name} is in")
    total = STICKS * (len(listed) + len(gone))
    hands = _sticks(listed, "state.players", names, total)
    posts = tuple(sorted(whole(post, "state.posts", 1, POSTS) for post in items(given["posts"], "state.posts")))
    if len(set(posts)) < len(posts):
        raise BadQuestion("state.posts: names a post twice")
    dropped = whole(given["dropped"], "state.dropped", 0, total)
    found = sum(hands.values()) + sum(gone.values()) + len(posts) + dropped
    if found != total:
        raise BadQuestion(f"state: has {found} sticks in hands, on posts and dropped, not {total}")
    for seat, sticks in hands.items():
        if not sticks:
            raise BadQuestion(f"state.players.{seat}.sticks: a finished game: the hand is empty")
    turn = given["turn"]
    if not isinstance(turn, str) or turn not in listed:
        over = " (a finished game)" if turn is None else ""
        raise BadQuestion(f"state.turn: must be the seat of a player who is in, not {shown(turn)}{over}")
    may_pass = _may_pass(given)
    return BatokPosition(terms, tuple(hands.items()), posts, dropped, names[turn], may_pass, tuple(gone.items()))


def dump(position: BatokPosition) -> dict[str, object]:
    """Write a position as CONTRACTS writes it; ``load`` reads it back while the game is on.

    ``out`` is there only where players have resigned.
    """
    may = [] if position.turn is None else ["throw", "pass"] if position.may_pass else ["throw"]
    return {
        "players": {str(seat): {"sticks": sticks} for seat, sticks in position.hands},
        "posts": list(position.posts),
        "dropped": position.dropped,
        "turn": None if position.turn is None else str(position.turn),
        "may": may,
    } | ({"out": {str(seat): {"sticks": sticks} for seat, sticks in position.gone}} if position.gone else {})


def load_terms(options: Mapping[str, object]) -> Terms:
    """The terms under the options of CONTRACTS. Raises BadQuestion naming the option."""
    given = fields(dict(options), "options", (), ("full_board", "last_stick"))
    return Terms(
        cast(FullBoard, _choice(given, "full_board", ("strict", "eleven"))),
        cast(LastStick, _choice(given, "last_stick", ("single", "complete"))),
    )


def placed(position: BatokPosition, pieces: Occupancy) -> BatokPosition:
    """With sticks on these posts and, under ``hole``, so many dropped; the difference is in the mover's hand.

    Raises:
        BadQuestion: they cannot stand so.
    """
    assert position.turn is not None
    posts = []
    by_seat(pieces, [seat for seat, _ in (*position.hands, *position.gone)])
    for cell, stack in pieces.items():
        if cell != HOLE and cell not in map(str, range(1, POSTS + 1)):
            raise BadQuestion(f"pieces: {shown(cell)} is no post")
        if cell != HOLE and len(stack) != 1:
            raise BadQuestion(f"pieces: one stick stands on a post, not {len(stack)}")
        if cell != HOLE:
            posts.append(int(cell))
    dropped = len(pieces[HOLE]) if HOLE in pieces else position.dropped
    change = len(position.posts) + position.dropped - len(posts) - dropped
    if position.hand(position.turn) + change < 1:
        raise BadQuestion(f"pieces: seat {position.turn} has not that many sticks, or would have won")
    return replace(position.held(position.turn, change), posts=tuple(sorted(posts)), dropped=dropped)


def _sticks(listed: Mapping[str, object], path: str, names: Mapping[str, Seat], most: int) -> dict[Seat, int]:
    return {
        seat: whole(fields(listed[name], f"{path}.{name}", ("sticks",))["sticks"], f"{path}.{name}.sticks", 0, most)
        for name, seat in names.items()
        if name in listed
    }


def _may_pass(given: Mapping[str, object]) -> bool:
    if ("thrown" in given) == ("may" in given):
        raise BadQuestion("state.thrown: either thrown or may has to be given")
    if "thrown" in given:
        return whole(given["thrown"], "state.thrown", 0, 10**9) > 0
    if given["may"] not in (["throw"], ["throw", "pass"]):
        over = " (a finished game)" if given["may"] == [] else ""
        raise BadQuestion(f'state.may: must be ["throw"] or ["throw", "pass"]{over}')
    return given["may"] == ["throw", "pass"]


def _choice(given: Mapping[str, object], name: str, known: tuple[str, ...]) -> str:
    value = given.get(name, known[0])
    if value not in known:
        raise BadQuestion(f"options.{name}: must be {' or '.join(known)}, not {shown(value)}")
    return str(value)
