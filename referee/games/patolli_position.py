"""One moment of a Patolli match: its values, its JSON form and how events change it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.board import Cell, Occupancy, Seat
from referee.events import HOME, RESERVE, Captured, Event, Moved, Out, Over, Paid, Thrown, Turn
from referee.games.patolli_presets import CELLS, PRESETS, R_SEATS, SEATS, STAKES, TRIANGLE_ROWS, Terms, terms
from referee.questions import fields, items, shown, whole
from referee.rules import BadQuestion

MOST_STAKES = 10**9
"""Far more than any table has beans for; keeps every sum printable."""
OFF = 0
"""The reserve as origin, home as target; cells are 1 to 52."""
CELL_OF: Mapping[Cell, int] = {RESERVE: OFF, HOME: OFF, **{str(cell): cell for cell in range(1, CELLS + 1)}}


@dataclass(frozen=True, slots=True)
class Player:
    """What one player has."""

    seat: Seat
    reserve: int
    track: tuple[int, ...]
    """Cells of his pieces, ascending."""
    home: int
    stakes: int


@dataclass(frozen=True, slots=True)
class PatolliPosition:
    """One moment of a match."""

    terms: Terms
    players: tuple[Player, ...]
    """Those still in, in ascending order of seats, which is clockwise."""
    turn: Seat | None
    pot: int = 0
    throws: int = 0
    """Made so far, counted where there is a limit."""
    lying: bool = False
    """The throw of this turn has been counted and its outcome has not yet been booked."""
    over: str | None = None

    def player(self, seat: Seat) -> Player:
        """The player of that seat, who must be in."""
        for player in self.players:
            if player.seat == seat:
                return player
        raise KeyError(seat)

    @property
    def mover(self) -> Player:
        """The player whose turn it is; there is one while the game is on."""
        assert self.turn is not None
        return self.player(self.turn)

    def others(self, seat: Seat) -> tuple[Player, ...]:
        """The other players, clockwise from that seat, whether or not it is in."""
        players = self.players
        return tuple([p for p in players if p.seat > seat] + [p for p in players if p.seat < seat])


def fold(position: PatolliPosition, event: Event) -> PatolliPosition:
    """The position after one event; events that are not about the board and the stakes leave it as it is."""
    match event:
        case Thrown(to_begin=False):
            counted = position.throws + (position.terms.throw_limit is not None)
            return PatolliPosition(
                position.terms, position.players, position.turn, position.pot, counted, True, position.over
            )
        case Moved():
            return _with(position, _moved(position.player(event.seat), event, position.terms.preset.laps_win))
        case Turn():
            return PatolliPosition(position.terms, position.players, event.seat, position.pot, position.throws)
        case Captured():
            owner, cell = position.player(event.owner), CELL_OF[event.cell]
            track = tuple(c for c in owner.track if c != cell)
            return _with(position, Player(owner.seat, owner.reserve + 1, track, owner.home, owner.stakes))
        case Paid():
            return _paid(position, event)
        case Out():
            return replace(position, players=tuple(p for p in position.players if p.seat != event.seat))
        case Over():
            over = "draw" if event.winner is None else str(event.winner)
            return replace(position, turn=None, lying=False, over=over)
        case _:
            return position


def _moved(player: Player, event: Moved, laps_win: bool) -> Player:
    reserve, home, track = player.reserve, player.home, list(player.track)
    if event.origin == RESERVE:
        reserve -= 1
    else:
        track.remove(CELL_OF[event.origin])
    if event.target != HOME:
        track.append(CELL_OF[event.target])
        track.sort()
    elif laps_win:
        home += 1
    else:
        reserve += 1
    return Player(player.seat, reserve, tuple(track), home, player.stakes)


def _with(position: PatolliPosition, changed: Player) -> PatolliPosition:
    players = tuple([changed if player.seat == changed.seat else player for player in position.players])
    return PatolliPosition(
        position.terms, players, position.turn, position.pot, position.throws, position.lying, position.over
    )


def _paid(position: PatolliPosition, event: Paid) -> PatolliPosition:
    def stakes(player: Player) -> int:
        return player.stakes + event.amount * ((event.payee == player.seat) - (event.payer == player.seat))

    pot = position.pot + event.amount * ((event.payee == "pot") - (event.payer == "pot"))
    return replace(position, pot=pot, players=tuple(replace(p, stakes=stakes(p)) for p in position.players))


def occupancy(position: PatolliPosition) -> Occupancy:
    """Who stands where; two on a cell only between a move and the capture that follows from it."""
    held: dict[Cell, tuple[Seat, ...]] = {}
    for player in position.players:
        for cell in player.track:
            held[str(cell)] = (*held.get(str(cell), ()), player.seat)
    return held


def start(preset: str, seats: tuple[Seat, ...], options: Mapping[str, object], stakes: int | None) -> PatolliPosition:
    """The position before the first throw, the first seat to throw."""
    agreed = load_terms(preset, options)
    allowed: list[tuple[Seat, ...]] = [(Seat(1), Seat(3))]
    if agreed.preset.first is None:
        allowed += [tuple(s for s in SEATS if s != left) for left in SEATS] + [SEATS]
    if seats not in allowed:
        raise BadQuestion(
            f"seats: two players take arms 1 and 3, three any three, four all; in ascending order ({R_SEATS})"
            if agreed.preset.first is None
            else f"seats: {preset} is for arms 1 and 3"
        )
    if agreed.preset.staked:
        purse = STAKES[len(seats)] if stakes is None else whole(stakes, "stakes", 1, MOST_STAKES)
    else:
        purse = 0 if stakes is None else whole(stakes, "stakes", 0, 0)
    players = tuple(Player(seat, agreed.preset.pieces, (), 0, purse) for seat in seats)
    return PatolliPosition(agreed, players, seats[0])


def load_terms(name: str, options: Mapping[str, object]) -> Terms:
    """The terms of a preset under the options of CONTRACTS. Raises BadQuestion naming the option."""
    if name not in PRESETS:
        raise BadQuestion(f"preset: {shown(name)} is none of {', '.join(PRESETS)}")
    limited = PRESETS[name].throw_limit is not None
    fields(dict(options), "options", (), ("triangle_rows", "throw_limit") if limited else ("triangle_rows",))
    rows: tuple[int, ...] = TRIANGLE_ROWS
    if "triangle_rows" in options:
        path = "options.triangle_rows"
        rows = tuple(whole(row, path, 1, 6) for row in items(options["triangle_rows"], path))
        if len(set(rows)) < len(rows):
            raise BadQuestion(f"{path}: names a row twice")
    limit = whole(options["throw_limit"], "options.throw_limit", 1, 10**9) if "throw_limit" in options else None
    return terms(name, tuple(sorted(rows)), limit)


def load(preset: str, state: object, options: Mapping[str, object]) -> PatolliPosition:
    """Read a position as CONTRACTS writes it. Raises BadQuestion naming the field."""
    agreed = load_terms(preset, options)
    given = fields(state, "state", ("players", "turn", "pot" if agreed.preset.staked else "throws"))
    names = {str(seat): seat for seat in SEATS}
    listed = fields(given["players"], "state.players", (), names)
    if not agreed.preset.staked and set(listed) != {"1", "3"}:
        raise BadQuestion(f"state.players: {preset} is for seats 1 and 3")
    if len(listed) < 2:
        raise BadQuestion("state.players: a game needs two players at least")
    players = tuple(_load_player(seat, listed[name], agreed) for name, seat in names.items() if name in listed)
    cells = [cell for player in players for cell in player.track]
    for cell in cells:
        if cells.count(cell) > 1:
            raise BadQuestion(f"state.players: two pieces stand on {cell}")
    turn = given["turn"]
    if not isinstance(turn, str) or turn not in listed:
        over = " (a finished game)" if turn is None else ""
        raise BadQuestion(f"state.turn: must be the seat of a player who is in, not {shown(turn)}{over}")
    pot = whole(given["pot"], "state.pot", 0, MOST_STAKES) if agreed.preset.staked else 0
    throws = 0
    if agreed.throw_limit is not None:
        throws = whole(given["throws"], "state.throws", 0, agreed.throw_limit - 1)
    if not agreed.preset.laps_win and not pot and sum(player.stakes > 0 for player in players) < 2:
        raise BadQuestion("state.players: a finished game: one player holds every stake")
    return PatolliPosition(agreed, players, names[turn], pot, throws)


def _load_player(seat: Seat, value: object, agreed: Terms) -> Player:
    path = f"state.players.{seat}"
    pieces = agreed.preset.pieces
    given = fields(value, path, ("reserve", "track", "home", *(("stakes",) if agreed.preset.staked else ())))
    track = tuple(sorted(whole(cell, f"{path}.track", 1, CELLS) for cell in items(given["track"], f"{path}.track")))
    reserve = whole(given["reserve"], f"{path}.reserve", 0, pieces)
    home = whole(given["home"], f"{path}.home", 0, pieces if agreed.preset.laps_win else 0)
    if reserve + len(track) + home != pieces:
        raise BadQuestion(f"{path}: has {reserve + len(track) + home} pieces in reserve, track and home, not {pieces}")
    if home == pieces:
        raise BadQuestion(f"{path}.home: a finished game: all pieces are home")
    stakes = whole(given["stakes"], f"{path}.stakes", 0, MOST_STAKES) if agreed.preset.staked else 0
    return Player(seat, reserve, track, home, stakes)


def dump(position: PatolliPosition) -> dict[str, object]:
    """Write a position as CONTRACTS writes it; ``load`` reads it back while the game is on."""
    staked = position.terms.preset.staked
    players = {}
    for player in position.players:
        written = {"reserve": player.reserve, "track": list(player.track), "home": player.home}
        players[str(player.seat)] = written | ({"stakes": player.stakes} if staked else {})
    turn = None if position.turn is None else str(position.turn)
    return {"players": players} | (
        {"pot": position.pot, "turn": turn} if staked else {"turn": turn, "throws": position.throws}
    )
