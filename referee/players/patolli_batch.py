"""Many games of Patolli side by side, as arrays.

What a player has on the track is a set of bits, seen from his own arm: bit 0 stands for his reserve, bits 1 to 52 for
the cells of his lap, bit 53 for home. A throw shifts the bits, so entering, walking and leaving are one operation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.board import Seat
from referee.games.patolli import Patolli
from referee.games.patolli_position import PatolliPosition, Player
from referee.games.patolli_presets import ARM, CELLS, Terms

Bits = NDArray[np.uint64]
Mask = NDArray[np.bool_]
Counts = NDArray[np.unsignedinteger[Any]]

ARMS = 4
HOME = np.uint64(1 << CELLS + 1)
LAP = np.uint64((1 << CELLS + 1) - 2)
DRAW = 9
"""In ``Batch.over``, where winners are seats."""


@dataclass(frozen=True, slots=True)
class Batch:
    """``n`` games under the same terms. Row 0 of an array is the player to throw, the others follow clockwise.

    So no game looks up whose turn it is; where the turn passes, the rows move up.
    """

    terms: Terms
    gap: int
    """Arms from one row to the next: 2 where two players sit opposite, else 1, with rows for arms that are empty."""
    arm: NDArray[np.uint8]
    """Of row 0, 0 to 3, shape (n,)."""
    track: Bits
    """Bits 1 to 52, shape (rows, n)."""
    home: NDArray[np.uint8]
    """Pieces that are home, shape (rows, n)."""
    playing: Mask
    """Who is in, shape (rows, n)."""
    stakes: Counts
    """Shape (rows, n); of the smallest type that holds all stakes on the table, since none appears or vanishes."""
    pot: Counts
    """Shape (n,)."""
    throws: Counts
    """Made so far where there is a limit, else 0; shape (n,)."""
    over: NDArray[np.uint8]
    """0 while the game is on, then the winner's seat or ``DRAW``; shape (n,). A game that is over stands still."""

    @classmethod
    def start(cls, preset: str, seats: Sequence[Seat], n: int) -> "Batch":
        """``n`` games before their first throw. Raises BadQuestion as the plain rules do."""
        return cls.at(Patolli().start(preset, seats, {}), n)

    @classmethod
    def at(cls, position: PatolliPosition, n: int) -> "Batch":
        """``n`` games that all stand at one position, which must be on, with no throw lying."""
        arm = position.mover.seat - 1
        ahead = {(player.seat - 1 - arm) % ARMS: player for player in position.players}
        gap = 2 if set(ahead) <= {0, 2} else 1
        rows = [ahead.get(by, Player(Seat(0), 0, (), 0, 0)) for by in range(0, ARMS, gap)]
        money = np.min_scalar_type(position.pot + sum(player.stakes for player in rows))

        def games(of_rows: Sequence[int], kind: Any) -> NDArray[Any]:
            return np.repeat(np.array(of_rows, kind)[:, None], n, axis=1)

        return cls(
            position.terms,
            gap,
            np.full(n, arm, np.uint8),
            games([sum(1 << (cell - 1 - (p.seat - 1) * ARM) % CELLS + 1 for cell in p.track) for p in rows], np.uint64),
            games([player.home for player in rows], np.uint8),
            games([player.seat > 0 for player in rows], np.bool_),
            games([player.stakes for player in rows], money),
            np.full(n, position.pot, money),
            np.full(n, position.throws, np.min_scalar_type(position.terms.throw_limit or 0)),
            np.zeros(n, np.uint8),
        )

    def position(self, game: int) -> PatolliPosition:
        """One of the games as the plain rules know it."""
        arm, over = int(self.arm[game]), int(self.over[game])
        players = [
            self._player(game, row, (arm + row * self.gap) % ARMS)
            for row in range(len(self.track))
            if self.playing[row, game]
        ]
        return PatolliPosition(
            self.terms,
            tuple(sorted(players, key=lambda player: player.seat)),
            None if over else Seat(arm + 1),
            int(self.pot[game]),
            int(self.throws[game]),
            over > 0,
            None if not over else "draw" if over == DRAW else str(over),
        )

    def copy(self) -> "Batch":
        """The same games in arrays of their own."""
        return Batch(self.terms, self.gap, *(array.copy() for array in self._arrays()))

    def replaced(self, where: Mask, other: "Batch") -> "Batch":
        """The games of ``other`` at ``where``, shape (n,), and these elsewhere; both begun from the same position."""
        pairs = zip(other._arrays(), self._arrays(), strict=True)
        return Batch(self.terms, self.gap, *(np.where(where, new, old) for new, old in pairs))

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return (self.arm, self.track, self.home, self.playing, self.stakes, self.pot, self.throws, self.over)

    def _player(self, game: int, row: int, arm: int) -> Player:
        bits, home = int(self.track[row, game]), int(self.home[row, game])
        track = sorted((bit - 1 + arm * ARM) % CELLS + 1 for bit in range(1, CELLS + 1) if bits >> bit & 1)
        reserve = self.terms.preset.pieces - len(track) - home
        return Player(Seat(arm + 1), reserve, tuple(track), home, int(self.stakes[row, game]))
