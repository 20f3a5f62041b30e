"""The Royal Game of Ur, the race of twenty squares.

After I. L. Finkel, "On the Rules for the Royal Game of Ur", in Ancient Board Games in Perspective (British Museum
Press, 2007, pp. 16-32), who read them from a Babylonian tablet of 177 BC (BM 33333B), in the simple form in which the
British Museum gives them to visitors: seven men each, four binary lots, fourteen squares, rosettes. Lots are the
tetrahedra of the tomb; here they are four beans.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from referee.board import Cell, Occupancy, Seat, stacks
from referee.events import HOME, RESERVE, Captured, Corrected, Event, Moved, Out, Over, Paid, Rule, Turn
from referee.questions import by_seat, fields, items, purses, shown, text, whole
from referee.rules import BadQuestion, Illegal, Needs, Stakes
from referee.throws import Beans, Throw

# Where the tablet leaves a gap, a reading closes it; docs/rules.md tells each in a sentence.
R_UR_EXACT: Rule = "R-UR-EXACT"
R_UR_MUST: Rule = "R-UR-MUST"
R_UR_SAFE: Rule = "R-UR-SAFE"
R_UR_WAY: Rule = "R-UR-WAY"

PRESET = "finkel"
PIECES = 7
LOTS = 4
SEATS: tuple[Seat, ...] = (Seat(1), Seat(3))
"""Who sit opposite each other: row a is Jade's, row c Coral's."""
SHARED: tuple[Cell, ...] = tuple(f"b{number}" for number in range(1, 9))
WAYS: Mapping[Seat, tuple[Cell, ...]] = {
    seat: (*(f"{row}{number}" for number in (4, 3, 2, 1)), *SHARED, f"{row}8", f"{row}7")
    for seat, row in zip(SEATS, "ac", strict=True)
}
"""R-UR-WAY: the short way; down one's own row, along the middle, and out at the end of one's own row."""
ROSETTES = frozenset({"a1", "a7", "b4", "c1", "c7"})
Way = tuple[Cell, Cell, tuple[Rule, ...]]
"""Origin, target, and what forbids it, if anything does; beyond the end the target is the origin."""
SQUARES = frozenset(cell for way in WAYS.values() for cell in way)


@dataclass(frozen=True, slots=True)
class Player:
    """What one player has."""

    seat: Seat
    reserve: int
    track: tuple[Cell, ...]
    """Squares of his men, sorted."""
    home: int


@dataclass(frozen=True, slots=True)
class UrPosition:
    """One moment of a match."""

    players: tuple[Player, ...]
    turn: Seat | None
    over: str | None = None

    def player(self, seat: Seat) -> Player:
        """The player of that seat; KeyError when it is not in."""
        return {player.seat: player for player in self.players}[seat]

    def having(self, changed: Player) -> "UrPosition":
        """With one player changed."""
        return replace(self, players=tuple(changed if p.seat == changed.seat else p for p in self.players))


class Ur:
    """The Game protocol for the Royal Game of Ur."""

    name: str = "ur"
    presets: tuple[str, ...] = (PRESET,)
    seats: tuple[Seat, ...] = SEATS
    needs: Needs = Needs(beans=LOTS)
    passes: bool = False
    unseen: tuple[Cell, ...] = ()
    rules_version: int = 1
    first_rule: Rule = "highest"

    def start(
        self, preset: str, seats: Sequence[Seat], options: Mapping[str, object], stakes: Stakes | None = None
    ) -> UrPosition:
        """The position before the first throw. Raises BadQuestion."""
        _check(preset, options)
        if tuple(seats) != SEATS:
            raise BadQuestion("seats: two players take seats 1 and 3")
        purses(stakes or 0, seats, 0, 0)
        return UrPosition(tuple(Player(seat, PIECES, (), 0) for seat in SEATS), SEATS[0])

    def opening(self, position: UrPosition) -> tuple[Paid, ...]:
        """Nothing: there are no stakes."""
        return ()

    def default_stakes(self, preset: str, players: int) -> int:
        """There are none."""
        return 0

    def load(self, preset: str, state: object, options: Mapping[str, object]) -> UrPosition:
        """Read ``{"players": {"1": {"reserve", "track", "home"}, "3": …}, "turn"}``. Raises BadQuestion."""
        _check(preset, options)
        given = fields(state, "state", ("players", "turn"))
        listed = fields(given["players"], "state.players", [str(seat) for seat in SEATS])
        players = tuple(_load_player(seat, listed[str(seat)]) for seat in SEATS)
        _check_standing(players, "state.players")
        turn = given["turn"]
        if not isinstance(turn, str) or turn not in listed:
            over = " (a finished game)" if turn is None else ""
            raise BadQuestion(f"state.turn: must be the seat of a player, not {shown(turn)}{over}")
        return UrPosition(players, Seat(int(turn)))

    def dump(self, position: UrPosition) -> dict[str, object]:
        """Write a position as ``load`` reads it."""
        players = {
            str(player.seat): {"reserve": player.reserve, "track": list(player.track), "home": player.home}
            for player in position.players
        }
        return {"players": players, "turn": None if position.turn is None else str(position.turn)}

    def load_throw(self, position: UrPosition, throw: object) -> Throw:
        """Read ``{"marks": 3}``. Raises BadQuestion."""
        return Beans(whole(fields(throw, "throw", ("marks",))["marks"], "throw.marks", 0, LOTS), LOTS)

    def steps(self, position: UrPosition, throw: Throw) -> int:
        """Lots with the mark up. Raises BadQuestion when it is no throw of four."""
        return _marks(throw)

    def legal(self, position: UrPosition, throw: Throw | None) -> tuple[str, ...]:
        """The complete set of legal moves, sorted as strings; without a throw there is none."""
        if throw is None:
            return ()
        return tuple(
            sorted(f"{origin}>{target}" for origin, target, bars in _ways(position, _marks(throw)) if not bars)
        )

    def decide(self, position: UrPosition, throw: Throw | None, move: str | None) -> tuple[Event, ...]:
        """What follows from the throw, or from the move made with it. Raises Illegal or BadQuestion."""
        named = None if move is None else _read(move)
        if throw is None or position.turn is None:
            raise Illegal(("over",) if position.turn is None else ("throw_due",))
        steps, ways = _marks(throw), _ways(position, _marks(throw))
        if named is None:
            if any(not bars for _, _, bars in ways):
                raise Illegal((R_UR_MUST,))
            bars = dict.fromkeys(bar for way in ways for bar in way[2])
            return (Turn(self.next_turn(position), (*bars, "no_move") if steps else ("zero",)),)
        if (*named, ()) not in ways:
            raise _forbidden(steps, ways, *named)
        return self._moved(position, *named, tuple(bar for way in ways for bar in way[2] if bar.startswith("R-")))

    def _moved(self, position: UrPosition, origin: Cell, target: Cell, why: tuple[Rule, ...]) -> tuple[Event, ...]:
        assert position.turn is not None
        mover, other = position.player(position.turn), position.player(self.next_turn(position))
        kind = ("entry",) if origin == RESERVE else ("exit",) if target == HOME else ()
        events: list[Event] = [Moved(mover.seat, origin, target, (*dict.fromkeys(why), *kind))]
        if target in other.track:
            events.append(Captured(other.seat, mover.seat, target))
        if target == HOME and mover.home + 1 == PIECES:
            return (*events, Over(mover.seat, ("race",)))
        return (*events, Turn(mover.seat, ("rosette",), again=True) if target in ROSETTES else Turn(other.seat))

    def resign(self, position: UrPosition, seat: Seat) -> tuple[Event, ...]:
        """The player leaves, the other has won. Raises Illegal when it is over."""
        if position.turn is None or seat not in SEATS:
            raise Illegal(("over",) if position.turn is None else ("not_in",))
        return (Out(seat, ("resigned",)), Over(next(other for other in SEATS if other != seat), ("last",)))

    def fold(self, position: UrPosition, event: Event) -> UrPosition:
        """The position after one event. Raises BadQuestion for a ``Corrected`` that cannot stand."""
        match event:
            case Moved():
                mover = position.player(event.seat)
                track = tuple(sorted({*mover.track, event.target} - {event.origin, HOME}))
                reserve, home = mover.reserve - (event.origin == RESERVE), mover.home + (event.target == HOME)
                return position.having(Player(mover.seat, reserve, track, home))
            case Captured():
                owner = position.player(event.owner)
                track = tuple(cell for cell in owner.track if cell != event.cell)
                return position.having(replace(owner, reserve=owner.reserve + 1, track=track))
            case Turn():
                return replace(position, turn=event.seat)
            case Out():
                return replace(position, players=tuple(p for p in position.players if p.seat != event.seat))
            case Over():
                return replace(position, turn=None, over="draw" if event.winner is None else str(event.winner))
            case Corrected():
                return _placed(position, event.pieces)
            case _:
                return position

    def next_turn(self, position: UrPosition) -> Seat:
        """The other's."""
        return next(seat for seat in SEATS if seat != position.turn)

    def players(self, position: UrPosition) -> tuple[Seat, ...]:
        """Who is still in."""
        return tuple(player.seat for player in position.players)

    def occupancy(self, position: UrPosition) -> Occupancy:
        """Who stands where."""
        return stacks((cell, player.seat) for player in position.players for cell in player.track)

    def first_throw_value(self, throw: Throw) -> int:
        """Lots with the mark up."""
        return _marks(throw)

    def chooses_first(self, preset: str) -> bool:
        """The highest throw begins, always."""
        return True

    def begin(self, position: UrPosition, seat: Seat) -> UrPosition:
        """The starting position with ``seat`` to throw."""
        return replace(position, turn=seat)


def _marks(throw: Throw) -> int:
    if isinstance(throw, Beans) and throw.count == LOTS and 0 <= throw.marks <= LOTS:
        return throw.marks
    raise BadQuestion(f"throw: Ur is thrown with {LOTS} lots, not {throw}")


def _read(move: str) -> tuple[Cell, Cell]:
    origin, _, target = move.partition(">")
    if origin in SQUARES | {RESERVE} and target in SQUARES | {HOME}:
        return origin, target
    raise BadQuestion(f"move: {shown(move)} is not written like reserve>a3, b4>b6 or a7>home")


def _ways(position: UrPosition, steps: int) -> list[Way]:
    """One way for each place the mover has men on."""
    if position.turn is None or steps == 0:
        return []
    mover = position.player(position.turn)
    theirs = [cell for player in position.players if player is not mover for cell in player.track]
    path = (RESERVE, *WAYS[mover.seat], HOME)
    found: list[Way] = []
    for origin in ([RESERVE] if mover.reserve else []) + list(mover.track):
        walked = path.index(origin) + steps
        target = path[walked] if walked < len(path) else origin
        bars: tuple[Rule, ...] = ()
        if target == origin:
            bars = (R_UR_EXACT,)
        elif target in mover.track:
            bars = ("own",)
        elif target in theirs and target in ROSETTES:
            bars = (R_UR_SAFE,)
        found.append((origin, target, bars))
    return found


def _forbidden(steps: int, ways: list[Way], origin: Cell, target: Cell) -> Illegal:
    way = next((way for way in ways if way[0] == origin), None)
    why: tuple[Rule, ...] = ("zero",)
    if steps and way is None:
        why = ("reserve_empty",) if origin == RESERVE else ("not_yours",)
    elif way is not None:
        why = ("steps",) if way[1] not in (origin, target) else way[2]
    cells = tuple(cell for cell in (origin, target) if cell in SQUARES)
    return Illegal(why, cells)


def _placed(position: UrPosition, pieces: Occupancy) -> UrPosition:
    standing = by_seat(pieces, [player.seat for player in position.players])
    players = []
    for player in position.players:
        track = tuple(sorted(cell for cell in standing[player.seat] if cell != HOME))
        home = standing[player.seat].count(HOME) if HOME in pieces else player.home
        if len(track) + home > PIECES:
            raise BadQuestion(f"pieces: seat {player.seat} would have {len(track) + home} of {PIECES}")
        players.append(Player(player.seat, PIECES - len(track) - home, track, home))
    _check_standing(tuple(players), "pieces")
    return replace(position, players=tuple(players))


def _load_player(seat: Seat, value: object) -> Player:
    path = f"state.players.{seat}"
    given = fields(value, path, ("reserve", "track", "home"))
    track = tuple(sorted(text(cell, f"{path}.track") for cell in items(given["track"], f"{path}.track")))
    reserve = whole(given["reserve"], f"{path}.reserve", 0, PIECES)
    home = whole(given["home"], f"{path}.home", 0, PIECES)
    if reserve + len(track) + home != PIECES:
        raise BadQuestion(f"{path}: has {reserve + len(track) + home} men in reserve, track and home, not {PIECES}")
    return Player(seat, reserve, track, home)


def _check_standing(players: tuple[Player, ...], path: str) -> None:
    cells = [cell for player in players for cell in player.track]
    for player in players:
        for cell in player.track:
            if cell not in WAYS[player.seat]:
                raise BadQuestion(f"{path}: {shown(cell)} is not on the way of seat {player.seat}")
            if cells.count(cell) > 1:
                raise BadQuestion(f"{path}: two men stand on {cell}")
        if player.home == PIECES:
            raise BadQuestion(f"{path}: all men of seat {player.seat} are home: a finished game")


def _check(preset: str, options: Mapping[str, object]) -> None:
    if preset != PRESET:
        raise BadQuestion(f"preset: {shown(preset)} is none of {PRESET}")
    fields(dict(options), "options", ())
