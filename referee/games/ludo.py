"""Ludo on an ordinary chessboard: RULES 2 of the project, told in docs/rules.md."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.board import Cell, Occupancy, Seat, stacks
from referee.events import RESERVE, Captured, Corrected, Event, Moved, Out, Over, Paid, Rule, Turn
from referee.games import ludo_notation, ludo_position
from referee.games.ludo_position import (
    CORNERS,
    ENTRY_FEE,
    HOMES,
    MEN,
    R_LU_BANK,
    R_LU_ENTER_HIT,
    R_LU_EXACT,
    R_LU_FINE1,
    R_LU_HOME_MAY,
    R_LU_HOME_STACK,
    R_LU_ONE_EXTRA,
    R_LU_RING24,
    R_LU_SIX_ALWAYS,
    R_LU_STACK,
    SEATS,
    SIX,
    SQUARES,
    LudoPosition,
    passes_corner,
    way,
)
from referee.questions import fields, items, shown, whole
from referee.rules import BadQuestion, Illegal, Needs, Stakes
from referee.throws import Dice, Throw

PASS = "pass"
Way = tuple[Cell, Cell]
"""Origin, or ``reserve``, and target of a move that may be made."""


class Ludo:
    """The Game protocol for Ludo on a chessboard."""

    name: str = "ludo"
    presets: tuple[str, ...] = ("chessboard",)
    seats: tuple[Seat, ...] = SEATS
    needs: Needs = Needs(dice=1)
    passes: bool = False
    """Instead of a throw; ``pass`` with a throw is a move like any other."""
    unseen: tuple[Cell, ...] = ()
    rules_version: int = 1
    first_rule: Rule = "highest"

    def start(
        self, preset: str, seats: Sequence[Seat], options: Mapping[str, object], stakes: Stakes | None = None
    ) -> LudoPosition:
        """The position before the first throw, entry payments made. Raises BadQuestion."""
        return ludo_notation.start(preset, tuple(seats), options, stakes)

    def opening(self, position: LudoPosition) -> tuple[Paid, ...]:
        """Where there are stakes, everybody has paid to enter."""
        staked = [player.seat for player in position.players if player.stakes is not None]
        return tuple(Paid(seat, "pot", ENTRY_FEE, ("entry_fee",)) for seat in staked)

    def default_stakes(self, preset: str, players: int) -> int:
        """Ludo is played without stakes unless players want some."""
        return 0

    def load(self, preset: str, state: object, options: Mapping[str, object]) -> LudoPosition:
        """Read a position as CONTRACTS writes it. Raises BadQuestion naming the field."""
        return ludo_notation.load(preset, state, options)

    def dump(self, position: LudoPosition) -> dict[str, object]:
        """Write a position as CONTRACTS writes it."""
        return ludo_notation.dump(position)

    def load_throw(self, position: LudoPosition, throw: object) -> Throw:
        """Read ``{"dice": [4]}``. Raises BadQuestion."""
        dice = items(fields(throw, "throw", ("dice",))["dice"], "throw.dice")
        if len(dice) != 1:
            raise BadQuestion(f"throw.dice: Ludo is thrown with 1 die, not {len(dice)}")
        return Dice((whole(dice[0], "throw.dice", 1, SIX),))

    def steps(self, position: LudoPosition, throw: Throw) -> int:
        """What the die shows. Raises BadQuestion when it is none."""
        return _die(throw)

    def legal(self, position: LudoPosition, throw: Throw | None) -> tuple[str, ...]:
        """The complete set of legal moves, sorted as strings; ``pass`` where only men in the home could move."""
        if throw is None or position.turn is None:
            return ()
        return _moves(position, _ways(position, _die(throw)))

    def decide(self, position: LudoPosition, throw: Throw | None, move: str | None) -> tuple[Event, ...]:
        """What follows from the throw, or from the move made with it. Raises Illegal or BadQuestion."""
        if move is not None:
            _check_written(move)
        if throw is None or position.turn is None:
            raise Illegal(("throw_due",) if position.turn is not None else ("over",))
        die, ways = _die(throw), _ways(position, _die(throw))
        if move is None:
            if ways:
                raise Illegal(("must_move",))
            return (self._turn(position, (*_bars(position, die), "no_move"), die),)
        if move not in _moves(position, ways):
            raise _forbidden(position, die, ways, move)
        if move == PASS:
            return (self._turn(position, (R_LU_HOME_MAY,), die),)
        origin, _, target = move.partition(">")
        return self._moved(position, die, origin, target, _reasons(position, die, ways, origin))

    def _moved(
        self, position: LudoPosition, die: int, origin: Cell, target: Cell, why: tuple[Rule, ...]
    ) -> tuple[Event, ...]:
        mover = position.mover
        home = HOMES[mover.seat]
        stacked = (R_LU_HOME_STACK,) if target in home and target in mover.track else ()
        safe = ("corner",) if target in CORNERS and target not in home else ()
        events: list[Event] = [Moved(mover.seat, origin, target, (*why, *stacked, *safe))]
        hit = position.hit_on(target)
        for owner in hit:
            stack = (R_LU_STACK,) if len(hit) > 1 else ()
            entered = (R_LU_ENTER_HIT,) if origin == RESERVE else ()
            events.append(Captured(owner, mover.seat, target, ("hit", *entered, *stack)))
            if position.pot is not None:
                events.append(Paid(owner, "pot", 1, ("hit", R_LU_FINE1)))
        if target in home and mover.in_home + (origin not in home) == MEN:
            if position.pot:
                events.append(Paid("pot", mover.seat, position.pot, ("race", R_LU_BANK)))
            return (*events, Over(mover.seat, ("race",)))
        return (*events, self._turn(position, (), die, bool(hit)))

    def _turn(self, position: LudoPosition, why: tuple[Rule, ...], die: int, hit: bool = False) -> Turn:
        six = die == SIX
        if not (six or hit):
            return Turn(self.next_turn(position), why)
        again = (("six", R_LU_SIX_ALWAYS) if six else ()) + (("hit",) if hit else ())
        return Turn(position.mover.seat, (*why, *again, *((R_LU_ONE_EXTRA,) if six and hit else ())), again=True)

    def resign(self, position: LudoPosition, seat: Seat) -> tuple[Event, ...]:
        """The player leaves; his men leave the board, his stakes stay in the bank. Raises Illegal."""
        if position.turn is None or seat not in self.players(position):
            raise Illegal(("over",) if position.turn is None else ("not_in",))
        stakes = position.player(seat).stakes or 0
        given: list[Event] = [Paid(seat, "pot", stakes, ("resigned",))] if stakes > 0 else []
        owed: list[Event] = [Paid("pot", seat, -stakes, ("resigned",))] if stakes < 0 else []
        events = [*given, *owed, Out(seat, ("resigned",))]
        left = [player.seat for player in position.players if player.seat != seat]
        if len(left) == 1:
            bank = (position.pot or 0) + stakes
            won: list[Event] = [Paid("pot", left[0], bank, ("last", R_LU_BANK))] if bank > 0 else []
            return (*events, *won, Over(left[0], ("last",)))
        turn = self.next_turn(position) if seat == position.turn else position.turn
        return (*events, Turn(turn))

    def fold(self, position: LudoPosition, event: Event) -> LudoPosition:
        """The position after one event. Raises BadQuestion for a ``Corrected`` that cannot stand."""
        match event:
            case Moved():
                mover = position.player(event.seat)
                track = list(mover.track)
                if event.origin != RESERVE:
                    track.remove(event.origin)
                reserve = mover.reserve - (event.origin == RESERVE)
                return position.having(replace(mover, reserve=reserve, track=tuple(sorted([*track, event.target]))))
            case Captured():
                owner, track = position.player(event.owner), list(position.player(event.owner).track)
                track.remove(event.cell)
                return position.having(replace(owner, reserve=owner.reserve + 1, track=tuple(track)))
            case Paid():
                return position.paid(event)
            case Out():
                return replace(position, players=tuple(p for p in position.players if p.seat != event.seat))
            case Turn():
                return replace(position, turn=event.seat)
            case Over():
                return replace(position, turn=None, over="draw" if event.winner is None else str(event.winner))
            case Corrected():
                return ludo_position.placed(position, event.pieces)
            case _:
                return position

    def next_turn(self, position: LudoPosition) -> Seat:
        """Against the clock: 4, 3, 2, 1, 4."""
        seats, mover = self.players(position), position.mover.seat
        return max((seat for seat in seats if seat < mover), default=max(seats))

    def players(self, position: LudoPosition) -> tuple[Seat, ...]:
        """Who is still in."""
        return tuple(player.seat for player in position.players)

    def occupancy(self, position: LudoPosition) -> Occupancy:
        """Who stands where."""
        return stacks((cell, player.seat) for player in position.players for cell in player.track)

    def first_throw_value(self, throw: Throw) -> int:
        """What the die shows."""
        return _die(throw)

    def chooses_first(self, preset: str) -> bool:
        """The highest die begins, always."""
        return True

    def begin(self, position: LudoPosition, seat: Seat) -> LudoPosition:
        """The starting position with ``seat`` to throw."""
        return replace(position, turn=seat)


def _die(throw: Throw) -> int:
    if isinstance(throw, Dice) and len(throw.values) == 1 and 1 <= throw.values[0] <= SIX:
        return throw.values[0]
    raise BadQuestion(f"throw: Ludo is thrown with one die, not {throw}")


def _check_written(move: str) -> None:
    origin, _, target = move.partition(">")
    if move != PASS and not (origin in SQUARES | {RESERVE} and target in SQUARES):
        raise BadQuestion(f"move: {shown(move)} is not written like reserve>b1, b1>f1 or pass")


def _ways(position: LudoPosition, die: int) -> list[Way]:
    """Each move that may be made, one for each square the mover has men on."""
    mover = position.mover
    path = way(mover.seat, position.corners)
    found = [(RESERVE, path[0])] if die == SIX and mover.reserve else []
    for cell in dict.fromkeys(mover.track):
        walked = path.index(cell) + die
        if walked < len(path):
            found.append((cell, path[walked]))
    return found


def _moves(position: LudoPosition, ways: list[Way]) -> tuple[str, ...]:
    moves = [f"{origin}>{target}" for origin, target in ways]
    return tuple(sorted([*moves, PASS] if ways and _only_in_home(position, ways) else moves))


def _only_in_home(position: LudoPosition, ways: list[Way]) -> bool:
    home = HOMES[position.mover.seat]
    return all(origin in home for origin, _ in ways)


def _bars(position: LudoPosition, die: int) -> tuple[Rule, ...]:
    """What keeps men where they are."""
    mover = position.mover
    path = way(mover.seat, position.corners)
    entry = ("entry_on_six",) if mover.reserve and die != SIX else ()
    beyond = any(path.index(cell) + die >= len(path) for cell in mover.track)
    return (*entry, *((R_LU_EXACT,) if beyond else ()))


def _reasons(position: LudoPosition, die: int, ways: list[Way], origin: Cell) -> tuple[Rule, ...]:
    """Readings that shaped the choice, then the rule of the way taken."""
    seat = position.mover.seat
    cut = position.corners == "own" and any(
        passes_corner(seat, start, target) for start, target in ways if start != RESERVE
    )
    exact = [bar for bar in _bars(position, die) if bar == R_LU_EXACT]
    may = [R_LU_HOME_MAY] if origin in HOMES[seat] else []
    entry = ["entry"] if origin == RESERVE else []
    return (*exact, *((R_LU_RING24,) if cut else ()), *may, *entry)


def _counts_corners(position: LudoPosition, die: int, origin: Cell, target: Cell) -> bool:
    """Whether the walk ends on a stranger's corner, or where it would if the ring ran over all of them."""
    seat = position.mover.seat
    if position.corners == "shared":
        return False
    shared = way(seat, "shared")
    return (target in CORNERS and target not in HOMES[seat]) or shared[shared.index(origin) + die] == target


def _forbidden(position: LudoPosition, die: int, ways: list[Way], move: str) -> Illegal:
    mover = position.mover
    origin, _, target = move.partition(">")
    path = way(mover.seat, position.corners)
    why: tuple[Rule, ...]
    if move == PASS:
        inside = any(start in HOMES[mover.seat] for start, _ in ways)
        return Illegal((R_LU_HOME_MAY,) if inside else ("must_move",) if ways else ("no_move",))
    if origin == RESERVE:
        why = ("reserve_empty",) if not mover.reserve else ("entry_on_six",) if die != SIX else ("steps",)
    elif origin not in mover.track:
        why = ("not_yours",)
    elif path.index(origin) + die >= len(path):
        why = ("exact", R_LU_EXACT)
    else:
        why = (R_LU_RING24,) if _counts_corners(position, die, origin, target) else ("steps",)
    return Illegal(why, tuple(cell for cell in (origin, target) if cell != RESERVE))
