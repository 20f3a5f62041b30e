"""One moment of a Patolli match and how events change it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.board import Cell, Occupancy, Seat, stacks
from referee.events import HOME, RESERVE, Captured, Corrected, Event, Moved, Out, Over, Paid, Thrown, Turn
from referee.games.patolli_presets import CELLS, Terms
from referee.questions import by_seat, shown
from referee.rules import BadQuestion

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
            return replace(position, turn=None, over=over)
        case Corrected():
            return _placed(position, event.pieces)
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


def _placed(position: PatolliPosition, pieces: Occupancy) -> PatolliPosition:
    for cell, stack in pieces.items():
        if cell != HOME and not CELL_OF.get(cell):
            raise BadQuestion(f"pieces: {shown(cell)} is no cell of this board")
        if cell != HOME and len(stack) > 1:
            raise BadQuestion(f"pieces: two cannot stand on {cell}")
    standing = by_seat(pieces, [player.seat for player in position.players])
    preset = position.terms.preset
    players = []
    for player in position.players:
        track = tuple(sorted(CELL_OF[cell] for cell in standing[player.seat] if cell != HOME))
        home = standing[player.seat].count(HOME) if HOME in pieces else player.home
        reserve = preset.pieces - len(track) - home
        if reserve < 0:
            raise BadQuestion(f"pieces: seat {player.seat} would have {preset.pieces - reserve} of {preset.pieces}")
        if home == preset.pieces or (home and not preset.laps_win):
            raise BadQuestion(f"pieces: seat {player.seat} cannot have {home} pieces home in a game that goes on")
        players.append(Player(player.seat, reserve, track, home, player.stakes))
    return replace(position, players=tuple(players))


def occupancy(position: PatolliPosition) -> Occupancy:
    """Who stands where; two on a cell only between a move and the capture that follows from it."""
    return stacks((str(cell), player.seat) for player in position.players for cell in player.track)
