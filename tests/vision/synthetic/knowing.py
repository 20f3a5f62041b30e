"""A referee who looks at the table with perfect eyes: no pixel is read."""

from functools import reduce

from referee import match as matches
from referee.board import Cell
from referee.events import Event, Started, Thrown
from referee.match import Match
from referee.throws import Beans
from vision.synthetic.announced import Announced
from vision.synthetic.table import SimulatedTable

_STILL_S = 0.5
_OBJECTS_AFTER_S = 3.0


class KnowingReferee:
    """Books what the table really shows, once it has been still for a while; told to, he lies about one throw."""

    def __init__(self, table: SimulatedTable, started: Started, *, lie_at_throw: int | None = None) -> None:
        self.match: Match = matches.begin(started)
        self.log: list[Event] = [started]
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
        throws = [(i, event) for i, event in enumerate(self.log) if isinstance(event, Thrown)]
        last = throws[-1] if throws else None
        return Announced(
            version=len(self.log),
            phase=self.match.phase,
            turn=self.match.turn,
            throw_id=last[0] if last else None,
            throw=last[1].throw.marks if last and isinstance(last[1].throw, Beans) else None,
            legal=self.match.legal,
            pieces=dict(self.match.game.occupancy(self.match.position)),
            message=self._message or self.match.phase,
            objection=self._objection,
            state="hand" if truth.hand else "rest",
        )

    def _judge(self, still_s: float) -> None:
        truth, booked = self._table.truth(), dict(self.match.game.occupancy(self.match.position))
        self._message, self._objection = "", None
        if truth.occupancy == booked:
            if self.match.phase in ("first", "throw") and truth.lying and self._lay_empty:
                self._judge_throw(truth.marks)
            return
        for move in self.match.legal:
            events = matches.move(self.match, move)
            if dict(self.match.game.occupancy(reduce(matches.after, events, self.match).position)) == truth.occupancy:
                self._book(events)
                return
        if still_s >= _OBJECTS_AFTER_S:
            cells = {*booked, *truth.occupancy}
            self._objection = tuple(c for c in cells if booked.get(c) != truth.occupancy.get(c))
            self._message = "put_back"

    def _judge_throw(self, marks: int | None) -> None:
        if marks is None:
            self._message = "plight_leaning"
            return
        self._lay_empty = False
        thrown = sum(isinstance(event, Thrown) for event in self.log)
        lie = thrown == self._lie_at_throw
        self._book(matches.throw(self.match, Beans((marks + 1) % 6 if lie else marks)))

    def _book(self, events: tuple[Event, ...]) -> None:
        self.log.extend(events)
        self.match = reduce(matches.after, events, self.match)
