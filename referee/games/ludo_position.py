"""Ludo's board, its readings and one moment of a match."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from referee.board import Cell, Occupancy, Seat
from referee.events import Paid, Rule
from referee.questions import by_seat, shown
from referee.rules import BadQuestion

# Where the source texts leave a gap, a reading closes it; docs/rules.md tells each in a sentence.
R_LU_BANK: Rule = "R-LU-BANK"
R_LU_ENTER_HIT: Rule = "R-LU-ENTER-HIT"
R_LU_EXACT: Rule = "R-LU-EXACT"
R_LU_FINE1: Rule = "R-LU-FINE1"
R_LU_HOME_MAY: Rule = "R-LU-HOME-MAY"
R_LU_HOME_STACK: Rule = "R-LU-HOME-STACK"
R_LU_ONE_EXTRA: Rule = "R-LU-ONE-EXTRA"
R_LU_RING24: Rule = "R-LU-RING24"
R_LU_SIX_ALWAYS: Rule = "R-LU-SIX-ALWAYS"
R_LU_STACK: Rule = "R-LU-STACK"

Corners = Literal["own", "shared"]
"""``own`` (R-LU-RING24): a corner belongs to its owner's home alone; ``shared``: the ring runs over all four."""
SEATS: tuple[Seat, ...] = (Seat(1), Seat(2), Seat(3), Seat(4))
MEN = 4
SIX = 6
ENTRY_FEE = 1
"""Stakes each pays into the bank at the start, where there are any."""
EDGE: tuple[Cell, ...] = (
    *(f"{file}1" for file in "abcdefg"),
    *(f"h{rank}" for rank in range(1, 8)),
    *(f"{file}8" for file in "hgfedcb"),
    *(f"a{rank}" for rank in range(8, 1, -1)),
)
"""Against the clock, from a1."""
HOMES: Mapping[Seat, tuple[Cell, ...]] = {
    Seat(1): ("a1", "b2", "c3", "d4"),
    Seat(2): ("a8", "b7", "c6", "d5"),
    Seat(3): ("h8", "g7", "f6", "e5"),
    Seat(4): ("h1", "g2", "f3", "e4"),
}
CORNERS = frozenset(home[0] for home in HOMES.values())
SQUARES = frozenset(f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9))


@cache
def way(seat: Seat, corners: Corners) -> tuple[Cell, ...]:
    """A man's whole path: from the start cell around the ring, then his own four home cells."""
    home = HOMES[seat]
    corner = EDGE.index(home[0])
    ring = EDGE[corner + 1 :] + EDGE[:corner]
    return (*(cell for cell in ring if corners == "shared" or cell not in CORNERS), *home)


@cache
def passes_corner(seat: Seat, origin: Cell, target: Cell) -> bool:
    """With corners that are nobody's way: whether the walk goes past one, a stranger's or one's own."""
    path = way(seat, "own")
    first, last = path.index(origin), path.index(target)
    past_strangers = any(
        one[0] != two[0] and one[1] != two[1]
        for one, two in zip(path[first:last], path[first + 1 : last + 1], strict=True)
        if two not in HOMES[seat]
    )
    return past_strangers or first < len(path) - MEN < last


@dataclass(frozen=True, slots=True)
class Player:
    """What one player has."""

    seat: Seat
    reserve: int
    track: tuple[Cell, ...]
    """Squares of his men, home included, sorted; a square repeats for a stack."""
    stakes: int | None
    """May be below zero (R-LU-FINE1); None where there are no stakes."""

    @property
    def in_home(self) -> int:
        """How many men have reached the home."""
        return sum(cell in HOMES[self.seat] for cell in self.track)


@dataclass(frozen=True, slots=True)
class LudoPosition:
    """One moment of a match."""

    corners: Corners
    players: tuple[Player, ...]
    """Those still in, in ascending order of seats."""
    turn: Seat | None
    pot: int | None = None
    """The bank; None where there are no stakes."""
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

    def having(self, changed: Player) -> "LudoPosition":
        """With one player changed."""
        return replace(self, players=tuple(changed if p.seat == changed.seat else p for p in self.players))

    def hit_on(self, cell: Cell) -> tuple[Seat, ...]:
        """Whom the mover hits by landing there, a seat once for each man."""
        if cell in CORNERS:
            return ()
        return tuple(p.seat for p in self.players if p.seat != self.turn for man in p.track if man == cell)

    def paid(self, event: Paid) -> "LudoPosition":
        """After a payment."""

        def stakes(player: Player) -> int:
            return (player.stakes or 0) + event.amount * ((event.payee == player.seat) - (event.payer == player.seat))

        pot = (self.pot or 0) + event.amount * ((event.payee == "pot") - (event.payer == "pot"))
        return replace(self, pot=pot, players=tuple(replace(p, stakes=stakes(p)) for p in self.players))


def placed(position: LudoPosition, pieces: Occupancy) -> LudoPosition:
    """With these men on the board, the others in reserve. Raises BadQuestion when they cannot stand so."""
    players = []
    for player in position.players:
        track = tuple(sorted(by_seat(pieces, [p.seat for p in position.players])[player.seat]))
        if len(track) > MEN:
            raise BadQuestion(f"pieces: seat {player.seat} would have {len(track)} of {MEN}")
        players.append(replace(player, reserve=MEN - len(track), track=track))
    plight = misplaced(position.corners, players)
    if plight:
        raise BadQuestion(f"pieces: {plight}")
    return replace(position, players=tuple(players))


def misplaced(corners: Corners, players: list[Player]) -> str:
    """Why these men cannot stand as they do in a match that goes on; empty when they can."""
    holders: dict[Cell, Seat] = {}
    for player in players:
        for cell in player.track:
            if cell not in way(player.seat, corners):
                return f"{shown(cell)} is not on the way of seat {player.seat}"
            if cell not in CORNERS and holders.setdefault(cell, player.seat) != player.seat:
                return f"men of two seats stand on {cell}"
        if player.in_home == MEN:
            return f"all men of seat {player.seat} are home: a finished game"
    return ""
