"""Perfect eyes: a referee who reads no pixel, and a reader of throws who needs none."""

from collections.abc import Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from referee import match as matches
from referee.board import Cell
from referee.events import Event, Started, Thrown
from referee.match import Match
from referee.observation import BeanSeen, DieSeen, Plight, ThrowSeen
from referee.rules import BadQuestion, Illegal, Needs
from referee.throws import Beans, Throw
from referee.umpire import visible
from vision.camera import Image
from vision.place import Change
from vision.synthetic.announced import Announced, told
from vision.synthetic.table import SimulatedTable

_STILL_S = 0.5
_OBJECTS_AFTER_S = 3.0


class KnowingReferee:
    """Books what the table really shows from above, once it has been still for a while, and what he is told.

    Asked to, he lies about one throw.
    """

    def __init__(self, table: SimulatedTable, started: Started, *, lie_at_throw: int | None = None) -> None:
        self.match: Match = matches.begin(started)
        self.log: list[Event] = [started]
        self.told: list[str] = []
        """Moves that were entered at the tablet."""
        self._table = table
        self._lie_at_throw = lie_at_throw
        self._board: dict[Cell, tuple[int, ...]] = {}
        self._still_since = 0.0
        self._last: object = None
        self._lay_empty = True
        self._message = ""
        self._objection: tuple[Cell, ...] | None = None

    def look(self) -> Announced:
        """Look at the table after a frame, book, and announce."""
        truth, now = self._table.truth(), self._table.seconds
        shown = (truth.occupancy, truth.lying, truth.hand, truth.lie)
        if shown != self._last:
            self._last, self._still_since = shown, now
        self._lay_empty = self._lay_empty or not truth.lying
        if not truth.hand and now - self._still_since >= _STILL_S:
            self._judge(now - self._still_since)
        throws: list[tuple[int, Thrown]] = [(i, event) for i, event in enumerate(self.log) if isinstance(event, Thrown)]
        last = throws[-1] if throws else None
        return Announced(
            version=len(self.log),
            phase=self.match.phase,
            turn=self.match.turn,
            throw_id=last[0] if last else None,
            throw=told(last[1].throw) if last else None,
            legal=self.match.legal,
            pieces=dict(self.match.game.occupancy(self.match.position)),
            message=self._message or self.match.phase,
            objection=self._objection,
            state="hand" if truth.hand else "rest",
        )

    def hear(self, move: str | Throw) -> None:
        """Book a move that somebody enters at the tablet, if it may be made."""
        assert isinstance(move, str), "perfect eyes make every throw out"
        self.told.append(move)
        try:
            self._book(matches.move(self.match, move, "hand"))
        except (Illegal, BadQuestion):
            self._message = "refused"

    def _judge(self, still_s: float) -> None:
        truth, booked = self._table.truth(), visible(self.match.game.occupancy(self.match.position))
        self._message, self._objection = "", None
        if visible(truth.occupancy) == booked:
            if self.match.phase in ("first", "throw") and truth.lying and self._lay_empty:
                self._judge_throw(truth.thrown)
            return
        for move in self.match.legal:
            events = matches.move(self.match, move)
            after = self.match.game.occupancy(reduce(matches.after, events, self.match).position)
            if visible(after) == visible(truth.occupancy):
                self._book(events)
                return
        if still_s >= _OBJECTS_AFTER_S:
            seen = visible(truth.occupancy)
            self._objection = tuple(c for c in {*booked, *seen} if booked.get(c) != seen.get(c))
            self._message = "put_back"

    def _judge_throw(self, throw: Throw | None) -> None:
        if throw is None:
            self._message = "plight_leaning"
            return
        self._lay_empty = False
        thrown = sum(isinstance(event, Thrown) for event in self.log)
        if thrown == self._lie_at_throw and isinstance(throw, Beans):
            throw = Beans((throw.marks + 1) % (throw.count + 1), throw.count)
        self._book(matches.throw(self.match, throw))

    def _book(self, events: tuple[Event, ...]) -> None:
        self.log.extend(events)
        self.match = reduce(matches.after, events, self.match)


class KnowingEyes:
    """Reads a throw by looking at the table instead of at pictures of it; certain of whatever lies flat."""

    def __init__(self, table: SimulatedTable, needs: Needs) -> None:
        self._table, self._needs = table, needs

    def read(
        self,
        images: Sequence[Image],
        place_px: NDArray[np.float32] | None = None,
        *,
        px_per_mm: float | None = None,
        changes: Sequence[Change] | None = None,
    ) -> ThrowSeen:
        """What lies there, whatever the pictures show."""
        return self.seen()

    def seen(self) -> ThrowSeen:
        """What lies there."""
        lying = self._table.truth().lying
        flat = all(thing.face != "edge" for thing in lying)
        plights: tuple[Plight, ...] = () if flat else ("leaning",)
        if not lying:
            return ThrowSeen("none", certain=True)
        if self._needs.beans:
            beans = tuple(
                BeanSeen(thing.centre_px, "marked" if thing.face == "marked" else "plain", flat, 0.99, thing.angle_deg)
                for thing in lying
            )
            return ThrowSeen("beans", beans=beans, plights=plights, certain=flat)
        boxes = [(thing.centre_px[0] - 8, thing.centre_px[1] - 8, 16.0, 16.0) for thing in lying]
        values = [thing.face if isinstance(thing.face, int) else None for thing in lying]
        dice = tuple(DieSeen(*one, flat, 0.99) for one in zip(boxes, values, strict=True))
        return ThrowSeen("dice", dice=dice, plights=plights, certain=flat)
