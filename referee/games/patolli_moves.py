"""Where Patolli's pieces may go, and which rule keeps the others where they are."""

from functools import cache, lru_cache

from referee.events import HOME, RESERVE, Rule
from referee.games.patolli_position import CELL_OF, OFF, PatolliPosition, Player
from referee.games.patolli_presets import (
    BEANS,
    CELLS,
    CLASSIC,
    R_JC_COUNT,
    R_JUMP_CENTRE,
    R_OWN,
    R_TRI,
    first_cell,
)
from referee.questions import shown
from referee.rules import BadQuestion, Illegal

Way = tuple[int, int, tuple[Rule, ...]]
"""Origin and target, ``OFF`` for the reserve and home, and the rules that forbid it, if any do.

Where the throw leads nowhere at all, the target is the origin.
"""


@cache
def write(origin: int, target: int) -> str:
    """A move as CONTRACTS writes it."""
    return f"{origin or RESERVE}>{target or HOME}"


@lru_cache(maxsize=4096)
def read(move: str) -> tuple[int, int]:
    """Origin and target of a written move. Raises BadQuestion when it is none."""
    origin, _, target = move.partition(">")
    if origin in CELL_OF and target in CELL_OF and origin != HOME and target != RESERVE:
        return CELL_OF[origin], CELL_OF[target]
    raise BadQuestion(f"move: {shown(move)} is not written like reserve>1, 4>7 or 50>home")


def at_limit(position: PatolliPosition) -> bool:
    """The throw that lies, or else the next one, ends the game as a draw (R-JC-COUNT)."""
    limit = position.terms.throw_limit
    return limit is not None and position.throws + (not position.lying) >= limit


def ways(position: PatolliPosition, steps: int) -> list[Way]:
    """One way for each place the mover has pieces on, forbidden ones included; none when the throw moves nothing."""
    if position.turn is None or steps == 0 or at_limit(position):
        return []
    mover, theirs = sides(position)
    own, start = mover.track, first_cell(mover.seat)
    found = [_entry(position, mover, theirs, steps)] if mover.reserve else []
    for cell in own:
        walked = (cell - start) % CELLS + steps
        if walked < CELLS:
            target = (cell + steps - 1) % CELLS + 1
            held = target in own or target in theirs
            found.append((cell, target, _bar(position, mover, theirs, target) if held else ()))
        elif walked == CELLS or not position.terms.preset.exact:
            found.append((cell, OFF, ()))
        else:
            found.append((cell, cell, ("exact", *position.terms.preset.base)))
    return found


def sides(position: PatolliPosition) -> tuple[Player, tuple[int, ...]]:
    """The mover, and the cells of everybody else's pieces."""
    mover: Player | None = None
    theirs: tuple[int, ...] = ()
    turn = position.turn
    for player in position.players:
        if player.seat == turn:
            mover = player
        else:
            theirs += player.track
    assert mover is not None
    return mover, theirs


def _entry(position: PatolliPosition, mover: Player, theirs: tuple[int, ...], steps: int) -> Way:
    preset = position.terms.preset
    if not preset.entry_on_any and steps != 1:
        return (OFF, OFF, ("entry_on_one",))
    target = first_cell(mover.seat) + steps - 1
    bar = _bar(position, mover, theirs, target)
    return (OFF, target, preset.entry_reading + bar if bar else ())


def _bar(position: PatolliPosition, mover: Player, theirs: tuple[int, ...], target: int) -> tuple[Rule, ...]:
    preset = position.terms.preset
    if target in mover.track:
        return (R_OWN,)
    if target in theirs and target not in preset.captures:
        return (preset.bar, *preset.base)
    return ()


def forbidden(position: PatolliPosition, steps: int, found: list[Way], origin: int, target: int) -> Illegal:
    """Why a move that is not among the open ways may not be made."""
    preset = position.terms.preset
    why: tuple[Rule, ...]
    way = next((way for way in found if way[0] == origin), None)
    if position.turn is None:
        why = ("over",)
    elif at_limit(position):
        why = (R_JC_COUNT,)
    elif steps == 0:
        why = ("offering", *preset.base) if preset.offering else ("zero",)
    elif way is None:
        why = ("not_yours",) if origin else ("reserve_empty",)
    elif way[1] not in (origin, target):
        why = ("steps",)
    else:
        why = way[2]
    return Illegal(why, tuple(str(cell) for cell in (origin, target) if cell))


def reasons(position: PatolliPosition, found: list[Way], way: Way, steps: int) -> tuple[Rule, ...]:
    """What made this move what it is: readings that closed the other ways, then the rules of its own way."""
    terms, (origin, target, _) = position.terms, way
    why = [rule for other in found if other[2] for rule in other[2] if rule.startswith("R-")]
    if steps == CLASSIC.steps[BEANS]:
        why += terms.preset.base
    if origin == OFF:
        why += ("entry", *terms.preset.entry_reading)
    else:
        why += _passed(position, origin, steps)
    if target in terms.triangles:
        why.append(R_TRI)
    if target == OFF:
        why.append("exit")
    return tuple(dict.fromkeys(why)) if len(why) > 1 else tuple(why)


def _passed(position: PatolliPosition, origin: int, steps: int) -> list[Rule]:
    """Readings by which what lies between origin and target has no effect."""
    terms = position.terms
    mover, theirs = sides(position)
    to_home = CELLS - (origin - first_cell(mover.seat)) % CELLS
    between = _between(origin, min(steps, to_home))
    jumped = not terms.preset.captures.isdisjoint(between.intersection(theirs))
    tolled = not between.isdisjoint(terms.triangles)
    return [R_JUMP_CENTRE] * jumped + [R_TRI] * tolled


@cache
def _between(origin: int, steps: int) -> frozenset[int]:
    return frozenset((origin + step - 1) % CELLS + 1 for step in range(1, steps))
