"""Simulated players: they play a whole match at a simulated table, knowing only what people know.

That is what they did themselves and what the referee announces. They never hear what the camera saw, and they do not
paper over a mistake of the referee: as soon as he books what did not happen they stop and say so.
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from referee import match as matches
from referee.board import Cell, Occupancy, Seat
from referee.events import RESERVE, Event, Out, Started
from referee.match import Match
from referee.throws import Beans
from vision.synthetic.announced import Announced
from vision.synthetic.mistakes import Clumsiness, Fault, FaultKind, wrong_moves
from vision.synthetic.scene import BEANS
from vision.synthetic.table import SimulatedTable

PATIENCE_S = 15.0
"""Simulated seconds that people wait for an answer before they help themselves."""
_REACTION_S = 0.7
"""Nobody acts on an announcement sooner."""
_SMALL_MM, _LARGE_MM = 3.0, 16.0
_WARNED = ("put_back", "set_right", "unclear", "position", "wrong_throw", "board_", "camera_lost", "light")
"""How messages begin under which nobody throws or moves."""

__all__ = ["Clumsiness", "Fault", "People"]

Script = Generator[None, None, None]
Wait = Generator[None, None, bool]


@dataclass
class People:
    """Plays one match. Call ``act`` after every frame with what is announced then."""

    table: SimulatedTable
    started: Started
    rng: np.random.Generator
    clumsiness: Clumsiness = field(default_factory=Clumsiness)
    faults: list[Fault] = field(default_factory=list)
    wrong: str | None = None
    """What the referee booked or announced although it did not happen; the people have stopped."""
    unheard: list[str] = field(default_factory=list)
    """Throws and moves that were in order but got no answer within ``PATIENCE_S``, or were refused."""

    def __post_init__(self) -> None:
        self.truth: Match = matches.begin(self.started)
        """The match as it is really played."""
        self._announced: Announced | None = None
        self._lamp_low = False
        self._script = self._play()

    @property
    def finished(self) -> bool:
        """The match is over, or it makes no sense to go on (``wrong``)."""
        return self.wrong is not None or self.truth.phase == "over"

    def act(self, announced: Announced) -> None:
        """Look at what is announced and do what is to be done."""
        self._announced = announced
        if self.wrong is None:
            next(self._script, None)

    def _play(self) -> Script:
        while not self.finished:
            yield from self._be_asked()
            yield from self._fumble()
            yield from self._be_asked()
            yield from self._throw() if self.truth.phase in ("first", "throw") else self._move()

    def _be_asked(self) -> Script:
        """Until the referee awaits the next throw or move; pieces that he cannot make out are set again."""
        while not (yield from self._until(self._calm)):
            self.unheard.append(f"not asked at {self.table.seconds:.1f} s: {self._now.message} {self._now.objection}")
            yield from self._straighten(self._now.objection or ())

    def _throw(self) -> Script:
        """Throw until a throw counts; a cocked one or one under a plight is thrown again."""
        touching = self._happens(self.clumsiness.touching)
        if self._happens(self.clumsiness.cocked):
            yield from self._cast(int(self.rng.binomial(BEANS - 1, 0.5)), cocked=True)
        while self.wrong is None:
            marks = int(self.rng.binomial(BEANS, 0.5))
            if (yield from self._cast(marks, touching=touching)):
                return
            touching = False

    def _cast(self, marks: int, *, cocked: bool = False, touching: bool = False) -> Wait:
        """Throw once and hear what becomes of it; whether it was booked, rightly."""
        assert self.truth.turn is not None
        now, before = self._now, self._now.throw_id
        expected = self._after(matches.throw(self.truth, Beans(marks)))
        fault = self._fault("cocked" if cocked else "touching") if cocked or touching else None
        self.table.throw(marks, seat=self.truth.turn, cocked=cocked, touching=touching)
        yield from self._idle()

        def answered() -> bool:
            return self._now.throw_id != before or self._now.message.startswith("plight_")

        heard = yield from self._until(answered)
        # A throw may be named doubtful and be read after all while it lies.
        yield from self._pause(_REACTION_S)
        if self._now.throw_id != before:
            if cocked or self._now.throw != marks or not (yield from self._until(lambda: self._agrees(expected))):
                self._stop(f"{marks} marks{' and a cocked bean' if cocked else ''} were booked as {self._now.throw}")
                return False
            self.truth = expected
            yield from self._clear()
            return True
        if fault is not None:
            fault.answered, fault.what = heard, self._now.message if heard else ""
        else:
            self.unheard.append(f"{now.phase}: {marks} marks at {self.table.seconds:.1f} s: {self._now.message}")
        return False

    def _move(self) -> Script:
        """Make a legal move, perhaps after a wrong one."""
        assert self.truth.turn is not None
        if self._happens(self.clumsiness.illegal):
            yield from self._move_wrongly()
        if self.wrong is not None:
            return
        seat, move = self.truth.turn, str(self.rng.choice(self.truth.legal))
        events = matches.move(self.truth, move)
        expected = self._after(events)
        origin, target = move.split(">")
        captured = [owner for owner in self._standing.get(target, ()) if owner != seat]
        first = bool(self.rng.random() < 0.5)
        for owner in captured if first else ():
            self.table.remove(target, seat, owner)
        self.table.move(origin, target, seat)
        for owner in captured if not first else ():
            self.table.remove(target, seat, owner)
        out = {event.seat for event in events if isinstance(event, Out)}
        if seat in out or (out and self.rng.random() < 0.5):
            # Who knows that he is out takes his pieces off without being told.
            yield from self._idle()
            self._order_clearing(expected)
        yield from self._idle()
        while not (yield from self._until(lambda: self._agrees(expected) or self._now.phase != "move")):
            self.unheard.append(f"{move} at {self.table.seconds:.1f} s: {self._now.message} {self._now.objection}")
            yield from self._straighten((target,))
        if not (yield from self._until(lambda: self._agrees(expected))):
            self._stop(f"{move} was booked as {dict(self._now.pieces)}, turn {self._now.turn}")
            return
        self.truth = expected
        yield from self._clear()

    def _move_wrongly(self) -> Script:
        assert self.truth.turn is not None
        wrong = wrong_moves(self.truth, self.table.cells)
        if not wrong:
            return
        seat, (origin, target) = self.truth.turn, wrong[self.rng.integers(len(wrong))]
        fault = self._fault("illegal", f"{origin}>{target}")
        self.table.move(origin, target, seat)
        yield from self._idle()
        yield from self._until(lambda: self._now.objection is not None or self._now.phase != "move")
        fault.answered = self._now.objection is not None
        if self._now.phase != "move":
            self._stop(f"the wrong move {fault.what} was booked")
            return
        yield from self._pause(_REACTION_S)
        if origin == RESERVE:
            self.table.remove(target, seat, seat)
        else:
            self.table.move(target, origin, seat)
        yield from self._idle()
        yield from self._until(self._calm)

    def _fumble(self) -> Script:
        """Whatever may go wrong between two turns."""
        odds = self.clumsiness
        if self._happens(odds.slow):
            yield from self._pause(self.rng.uniform(2, 8))
        if self._happens(odds.hand):
            fault = self._fault("hand")
            self.table.lay_hand(seat := Seat(int(self.rng.choice(self.started.seats))))
            yield from self._idle()
            fault.answered = yield from self._until(lambda: "hand" in (self._now.state, self._now.message), 3.0)
            yield from self._pause(self.rng.uniform(1, 4))
            self.table.take_hand(seat)
            yield from self._idle()
        for kind, chance, far_mm in (("bump", odds.bump, _SMALL_MM), ("shove", odds.shove, _LARGE_MM)):
            if self._happens(chance):
                yield from self._bump("bump" if kind == "bump" else "shove", far_mm)
        if self._happens(odds.lamp):
            fault = self._fault("lamp")
            self._lamp_low = not self._lamp_low
            self.table.lamp(self.rng.uniform(0.3, 0.6) if self._lamp_low else 1.0)
            yield from self._notice(fault, 3.0)

    def _bump(self, kind: FaultKind, far_mm: float) -> Script:
        """Push the sheet, by a little or to the other side of where it lay at first: it must stay in the picture."""
        lie = self.table.truth().lie
        at = np.array((lie.dx_mm, lie.dy_mm))
        away = np.arctan2(-at[1], -at[0]) if at.any() else self.rng.uniform(-np.pi, np.pi)
        angle, far = away + self.rng.uniform(-1, 1), far_mm * self.rng.uniform(0.7, 1.1)
        start = at if kind == "bump" else np.zeros(2)
        dx, dy = start + far * np.array((np.cos(angle), np.sin(angle))) - at
        turn = self.rng.normal(0, 0.08 * far_mm) - lie.turn_deg
        fault = self._fault(kind, f"{np.hypot(dx, dy):.1f} mm {turn:.1f} deg")
        self.table.bump(float(dx), float(dy), float(turn))
        yield from self._notice(fault, 8.0)

    def _notice(self, fault: Fault, seconds: float) -> Script:
        """Wait until the referee has noted it, in a message or in his log."""
        before = self._now.version
        yield from self._idle()
        noted = ("board_moved", "light")
        fault.answered = yield from self._until(
            lambda: self._now.version != before or self._now.message in noted, seconds
        )
        yield from self._pause(_REACTION_S)

    def _straighten(self, cells: Iterable[Cell]) -> Script:
        """Nobody understands where pieces stand: set them again."""
        assert self.truth.turn is not None
        for cell in cells:
            if cell in self._standing:
                self.table.move(cell, cell, self.truth.turn)
        yield from self._idle()

    def _clear(self) -> Script:
        """Take off the pieces of who is out, once that is announced."""
        if self._standing != self._should_stand(self.truth):
            yield from self._pause(_REACTION_S)
            self._order_clearing(self.truth)
            yield from self._idle()

    def _order_clearing(self, match: Match) -> None:
        should = self._should_stand(match)
        for cell, stack in self._standing.items():
            for owner in stack:
                if owner not in should.get(cell, ()):
                    self.table.remove(cell, owner, owner)

    @property
    def _now(self) -> Announced:
        assert self._announced is not None
        return self._announced

    @property
    def _standing(self) -> Occupancy:
        """What people see standing on the board."""
        return self.table.truth().occupancy

    def _should_stand(self, match: Match) -> Occupancy:
        return dict(match.game.occupancy(match.position))

    def _agrees(self, match: Match) -> bool:
        """Whether the referee announces just this moment of the match."""
        now = self._now
        return (now.phase, now.turn, dict(now.pieces)) == (match.phase, match.turn, self._should_stand(match)) and (
            match.phase != "move" or now.legal == match.legal
        )

    def _calm(self) -> bool:
        """The referee awaits what the people are about to do."""
        return self._agrees(self.truth) and self._now.objection is None and not self._now.message.startswith(_WARNED)

    def _after(self, events: Iterable[Event]) -> Match:
        return reduce(matches.after, events, self.truth)

    def _happens(self, chance: float) -> bool:
        return bool(self.rng.random() < chance)

    def _fault(self, kind: FaultKind, what: str = "") -> Fault:
        self.faults.append(Fault(kind, self.table.seconds, what))
        return self.faults[-1]

    def _stop(self, why: str) -> None:
        self.wrong = f"at {self.table.seconds:.1f} s: {why}"

    def _idle(self) -> Script:
        """Until all orders are carried out."""
        yield
        while self.table.busy:
            yield

    def _pause(self, seconds: float) -> Script:
        until = self.table.seconds + seconds
        while self.table.seconds < until:
            yield

    def _until(self, holds: Callable[[], bool], seconds: float = PATIENCE_S) -> Wait:
        until = self.table.seconds + seconds
        while not holds():
            if self.table.seconds > until:
                return False
            yield
        return True
