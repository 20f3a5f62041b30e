"""What goes wrong between two turns: hands left lying, the sheet pushed, the lamp switched, long thoughts."""

from collections.abc import Callable, Sequence

import numpy as np

from referee.board import Seat
from vision.synthetic.mistakes import Clumsiness, Fault, FaultKind
from vision.synthetic.table import SimulatedTable
from vision.synthetic.watch import REACTION_S, Script, Watch

_SMALL_MM, _LARGE_MM = 3.0, 16.0


class Fumbles:
    """Mishaps of the people at one table.

    Args:
        table: where they happen.
        watch: how people learn that they were noticed.
        rng: of the people.
        odds: how likely each is.
        seats: who plays.
        note: takes down a mishap when it happens.
    """

    def __init__(
        self,
        table: SimulatedTable,
        watch: Watch,
        rng: np.random.Generator,
        odds: Clumsiness,
        seats: Sequence[Seat],
        note: Callable[[FaultKind, str], Fault],
    ) -> None:
        self._table, self._watch, self._rng, self._odds = table, watch, rng, odds
        self._seats, self._note = seats, note
        self._lamp_low = False

    def between_turns(self) -> Script:
        """Whatever may go wrong now."""
        odds, watch = self._odds, self._watch
        if self._happens(odds.slow):
            yield from watch.pause(self._rng.uniform(2, 8))
        if self._happens(odds.hand):
            fault = self._note("hand", "")
            self._table.lay_hand(seat := Seat(int(self._rng.choice(self._seats))))
            yield from watch.idle()
            fault.answered = yield from watch.until(lambda: "hand" in (watch.now.state, watch.now.message), 3.0)
            yield from watch.pause(self._rng.uniform(1, 4))
            self._table.take_hand(seat)
            yield from watch.idle()
        for kind, chance, far_mm in (("bump", odds.bump, _SMALL_MM), ("shove", odds.shove, _LARGE_MM)):
            if self._happens(chance):
                yield from self._bump("bump" if kind == "bump" else "shove", far_mm)
        if self._happens(odds.lamp):
            # Who gets up to switch it took his hand away before: light that changes with a hand is the camera's own.
            yield from watch.pause(self._rng.uniform(2.5, 5))
            fault = self._note("lamp", "")
            self._lamp_low = not self._lamp_low
            self._table.lamp(self._rng.uniform(0.3, 0.6) if self._lamp_low else 1.0)
            yield from self._notice(fault, 3.0)

    def _bump(self, kind: FaultKind, far_mm: float) -> Script:
        """Push the sheet, by a little or to the other side of where it lay at first: it must stay in the picture."""
        lie = self._table.truth().lie
        at = np.array((lie.dx_mm, lie.dy_mm))
        away = np.arctan2(-at[1], -at[0]) if at.any() else self._rng.uniform(-np.pi, np.pi)
        angle, far = away + self._rng.uniform(-1, 1), far_mm * self._rng.uniform(0.7, 1.1)
        start = at if kind == "bump" else np.zeros(2)
        dx, dy = start + far * np.array((np.cos(angle), np.sin(angle))) - at
        turn = self._rng.normal(0, 0.08 * far_mm) - lie.turn_deg
        fault = self._note(kind, f"{np.hypot(dx, dy):.1f} mm {turn:.1f} deg")
        self._table.bump(float(dx), float(dy), float(turn))
        yield from self._notice(fault, 8.0)

    def _notice(self, fault: Fault, seconds: float) -> Script:
        """Wait until the referee has noted it, in a message or in his log."""
        watch, before = self._watch, self._watch.now.version
        yield from watch.idle()
        noted = ("board_moved", "light")
        fault.answered = yield from watch.until(
            lambda: watch.now.version != before or watch.now.message in noted, seconds
        )
        yield from watch.pause(REACTION_S)

    def _happens(self, chance: float) -> bool:
        return bool(self._rng.random() < chance)
