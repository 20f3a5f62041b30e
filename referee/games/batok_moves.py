"""Where Batok's sticks may go with a throw, and which rule forbids the rest."""

from referee.board import Cell
from referee.events import Rule
from referee.games.batok_position import (
    ELEVEN,
    HOLE,
    POSTS,
    R_BA_11_EITHER,
    R_BA_COMPLETE,
    R_BA_DOUBLE,
    R_BA_FULL_STRICT,
    R_BA_LAST,
    R_BA_SUM6,
    SIX,
    BatokPosition,
)
from referee.questions import shown
from referee.rules import BadQuestion, Illegal

Places = tuple[int, ...]
"""Where the sticks of one move go, ascending: posts, and ``INTO_HOLE`` last."""
INTO_HOLE = POSTS + 1
Dice2 = tuple[int, int]
"""Two dice, ascending."""


def write(places: Places) -> str:
    """A move as CONTRACTS writes it."""
    return ",".join(cell(place) for place in places)


def cell(place: int) -> Cell:
    """The name of a post or of the hole."""
    return HOLE if place == INTO_HOLE else str(place)


def read(move: str) -> Places:
    """Where a written move puts sticks. Raises BadQuestion when it is none."""
    named = {cell(place): place for place in range(1, INTO_HOLE + 1)}
    places = tuple(named.get(part, 0) for part in move.split(","))
    if len(places) <= 2 and 0 not in places and list(places) == sorted(places):
        return places
    raise BadQuestion(f"move: {shown(move)} is not written like 3,5 or 8 or 4,hole or pass")


def moves(position: BatokPosition, dice: Dice2) -> list[Places]:
    """Every complete use of the throw."""
    assert position.turn is not None
    one, two = dice
    if len(position.posts) == POSTS:
        return _on_full_board(position, dice)
    if _single(position):
        found = {place for die in dice for place in _for_die(position, die)}
        return [(place,) for place in sorted(found | set(_for_sum(position, dice)))]
    uses: set[Places] = {(place,) for place in _for_sum(position, dice)}
    if position.hand(position.turn) > 1:
        pairs = [(a, b) for a in _for_die(position, one) for b in _for_die(position, two)]
        uses |= {(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1] or pair[0] == INTO_HOLE}
    if dice == ELEVEN and not {*ELEVEN}.isdisjoint(position.posts):
        uses.add((INTO_HOLE,))
    return sorted(uses)


def reasons(position: BatokPosition, dice: Dice2, places: Places) -> tuple[Rule, ...]:
    """What made this move what it is: readings that closed other uses, then the rules of its own."""
    why: list[Rule] = list(_bars(position, dice))
    if _single(position):
        why.append(R_BA_LAST)
    if _only_six_six(position, dice):
        why.append("full")
    if INTO_HOLE in places:
        if dice == ELEVEN and not {*ELEVEN}.isdisjoint(position.posts) and not _single(position):
            why.append("eleven" if len(places) == 1 else R_BA_11_EITHER)
        else:
            why.append("six_into_hole")
    return tuple(dict.fromkeys(why))


def failed(position: BatokPosition, dice: Dice2) -> tuple[Rule, ...]:
    """Why the throw cannot be used."""
    if len(position.posts) == POSTS:
        return ("full", *((R_BA_FULL_STRICT,) if dice == ELEVEN else ()))
    part = any(_for_die(position, die) for die in dice)
    return (*_bars(position, dice), *((R_BA_COMPLETE,) if part else ()))


def _only_six_six(position: BatokPosition, dice: Dice2) -> bool:
    """All posts are taken, and the option that lets eleven save does not apply."""
    return len(position.posts) == POSTS and not (dice == ELEVEN and position.terms.full_board == "eleven")


def forbidden(position: BatokPosition, dice: Dice2, places: Places) -> Illegal:
    """Why these places are no use of the throw."""
    taken = tuple(cell(place) for place in places if place in position.posts)
    return Illegal(_forbids(position, dice, places, taken), taken or tuple(map(cell, places)))


def _forbids(position: BatokPosition, dice: Dice2, places: Places, taken: tuple[Cell, ...]) -> tuple[Rule, ...]:
    assert position.turn is not None
    one, two = dice
    if len(places) > position.hand(position.turn):
        return ("sticks",)
    if _only_six_six(position, dice):
        return ("full", *((R_BA_FULL_STRICT,) if dice == ELEVEN else ()))
    if taken:
        return ("taken",)
    if places == (one, two) and one == two:
        return (R_BA_DOUBLE,)
    if len(places) == 1 and (places[0] in dice or (places[0] == INTO_HOLE and SIX in dice)):
        return (R_BA_COMPLETE,)
    if places == (INTO_HOLE,) and one + two == SIX:
        return (R_BA_SUM6,)
    if len(places) == 2 and INTO_HOLE in places and (INTO_HOLE,) in moves(position, dice):
        return ("eleven",)
    if INTO_HOLE in places and SIX not in dice:
        return ("no_six",)
    return ("steps",)


def _single(position: BatokPosition) -> bool:
    """R-BA-LAST applies: the one stick left may follow one die alone."""
    assert position.turn is not None
    return position.hand(position.turn) == 1 and position.terms.last_stick == "single"


def _on_full_board(position: BatokPosition, dice: Dice2) -> list[Places]:
    """Only 6-6 saves; where the eleven rule holds here too, 5-6 as well."""
    assert position.turn is not None
    if dice == ELEVEN and position.terms.full_board == "eleven":
        return [(INTO_HOLE,)]
    if dice != (SIX, SIX):
        return []
    if position.hand(position.turn) > 1:
        return [(INTO_HOLE, INTO_HOLE)]
    return [(INTO_HOLE,)] if _single(position) else []


def _for_die(position: BatokPosition, die: int) -> list[int]:
    post = [] if die in position.posts else [die]
    return [*post, INTO_HOLE] if die == SIX else post


def _for_sum(position: BatokPosition, dice: Dice2) -> list[int]:
    total = sum(dice)
    return [total] if total <= POSTS and total not in position.posts else []


def _bars(position: BatokPosition, dice: Dice2) -> tuple[Rule, ...]:
    """Readings that keep a stick from where the throw might have led it."""
    double = dice[0] == dice[1] and dice[0] not in position.posts and not _single(position)
    sum6 = sum(dice) == SIX and SIX in position.posts
    return ((R_BA_DOUBLE,) if double else ()) + ((R_BA_SUM6,) if sum6 else ())
