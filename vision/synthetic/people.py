"""Simulated players: they play a whole match at a simulated table, knowing only what people know.

That is what they did themselves and what the referee announces. They never hear what the camera saw, and they do not
paper over a mistake of the referee: as soon as he books what did not happen they stop and say so. The rules they know
from ``referee.match`` alone, so they play whatever game is registered.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from referee import match as matches
from referee.board import Cell, Occupancy
from referee.events import RESERVE, Event, Moved, Out, Started
from referee.match import Match
from referee.throws import Throw
from referee.umpire import visible
from vision.synthetic.announced import Announced, told
from vision.synthetic.fumbles import Fumbles
from vision.synthetic.manners import fair_throw, is_told, looks_like, order_move, order_throw
from vision.synthetic.mistakes import Clumsiness, Fault, FaultKind, carried, wrong_moves
from vision.synthetic.table import SimulatedTable
from vision.synthetic.watch import REACTION_S, Script, Wait, Watch

ENOUGH = 0.3
"""How often people pass where they might throw once more."""
_WARNED = ("put_back", "set_right", "unclear", "position", "wrong_throw", "board_", "camera_lost", "light")
"""How messages begin under which nobody throws or moves."""

__all__ = ["Clumsiness", "Fault", "People"]


@dataclass
class People:
    """Plays one match. Call ``act`` after every frame with what is announced then."""

    table: SimulatedTable
    started: Started
    rng: np.random.Generator
    clumsiness: Clumsiness = field(default_factory=Clumsiness)
    longest: int | None = None
    """Bookings after which the people go home between two turns; None: they play to the end."""
    faults: list[Fault] = field(default_factory=list)
    wrong: str | None = None
    """What the referee booked or announced although it did not happen; the people have stopped."""
    questions: list[str] = field(default_factory=list)
    """Throws and moves that were in order but got no answer within ``PATIENCE_S``, were refused or objected to."""
    gone: bool = False
    """They went home before the end (``longest``)."""

    def __post_init__(self) -> None:
        self.truth: Match = matches.begin(self.started)
        """The match as it is really played."""
        self._looks = {seat: looks_like(self.truth, seat) for seat in self.started.seats}
        self._watch = Watch(self.table)
        self._fumbles = Fumbles(
            self.table, self._watch, self.rng, self.clumsiness, self.started.seats, lambda *what: self._fault(*what)
        )
        self._objected = False
        self._asked = False
        self._erring = False
        self._entered: str | Throw | None = None
        self._script = self._play()

    @property
    def finished(self) -> bool:
        """The match is over, the people went home, or it makes no sense to go on (``wrong``)."""
        return self.wrong is not None or self.gone or self.truth.phase == "over"

    def act(self, announced: Announced) -> str | Throw | None:
        """Look at what is announced and do what is to be done.

        Returns:
            What is entered at the tablet now: a move that no camera can see, a throw that was not made out.
        """
        self._watch.hear(announced)
        if announced.objection is not None and not self._objected and not self._erring:
            self._question(f"objected to {', '.join(announced.objection)}")
        self._objected = announced.objection is not None
        self._entered = None
        if self.wrong is None:
            next(self._script, None)
        return self._entered

    def _play(self) -> Script:
        while not self.finished:
            self._asked = False
            yield from self._be_asked()
            if self.longest is not None and self._now.version >= self.longest:
                self.gone = True
                return
            yield from self._fumbles.between_turns()
            yield from self._be_asked()
            if self.truth.phase == "move":
                yield from self._move()
            elif self.truth.legal and self._happens(ENOUGH):
                yield from self._do(str(self.rng.choice(self.truth.legal)))
            else:
                yield from self._throw()

    def _be_asked(self) -> Script:
        """Until the referee awaits the next throw or move; pieces that he cannot make out are set again."""
        while not (yield from self._watch.until(self._calm)):
            self._question("not asked")
            yield from self._straighten(self._now.objection or ())

    def _throw(self) -> Script:
        """Throw until a throw counts; a cocked one is thrown again, and one in which two touch."""
        touching = self._happens(self.clumsiness.touching)
        if self._happens(self.clumsiness.cocked):
            yield from self._cast(fair_throw(self.truth.game.needs, self.rng), cocked=True)
        while self.wrong is None:
            throw = fair_throw(self.truth.game.needs, self.rng)
            if (yield from self._cast(throw, touching=touching)):
                return
            touching = False

    def _cast(self, throw: Throw, *, cocked: bool = False, touching: bool = False) -> Wait:
        """Throw once and hear what becomes of it; whether it was booked, rightly."""
        assert self.truth.turn is not None
        self._asked, before = False, self._now.throw_id
        expected = self._after(matches.throw(self.truth, throw))
        fault = self._fault("cocked" if cocked else "touching") if cocked or touching else None
        order_throw(self.table, throw, self.truth.turn, cocked=cocked, touching=touching)
        yield from self._watch.idle()

        def answered() -> bool:
            return self._now.throw_id != before or self._now.message.startswith("plight_")

        heard = yield from self._watch.until(answered)
        # A throw may be named doubtful and be read after all while it lies.
        yield from self._watch.pause(REACTION_S)
        if self._now.throw_id != before:
            agreed = not cocked and self._now.throw == told(throw)
            if not agreed or not (yield from self._watch.until(lambda: self._agrees(expected))):
                self._stop(f"{told(throw)}{' with one askew' if cocked else ''} was booked as {self._now.throw}")
                return False
            self.truth = expected
            if fault is not None:
                fault.answered, fault.what = True, "read"  # beans that touch may well be read
            yield from self._clear()
            return True
        if fault is not None:
            fault.answered, fault.what = heard, self._now.message if heard else ""
            return False
        # It lies there for all to see: to throw it again would be unfair.
        self._question(f"threw {told(throw)}")
        self._entered = throw
        yield
        if not (yield from self._watch.until(lambda: self._agrees(expected))):
            self._stop(f"{told(throw)} was entered, and {self._now.throw} is what was booked last")
            return False
        self.truth = expected
        yield from self._clear()
        return True

    def _move(self) -> Script:
        """Make a legal move, perhaps after a wrong one."""
        if self._happens(self.clumsiness.illegal):
            yield from self._move_wrongly()
        if self.wrong is None:
            yield from self._do(str(self.rng.choice(self.truth.legal)))

    def _do(self, move: str) -> Script:
        """What the rules allow: carry pieces, and tell what cannot be seen."""
        assert self.truth.turn is not None
        seat, events = self.truth.turn, matches.move(self.truth, move)
        expected = self._after(events)
        captives_first = bool(self.rng.random() < 0.5)
        order_move(self.table, self.truth, events, self._looks[seat], captives_first=captives_first)
        out = {event.seat for event in events if isinstance(event, Out)}
        if seat in out or (out and self.rng.random() < 0.5):
            # Who knows that he is out takes his pieces off without being told.
            yield from self._watch.idle()
            self._order_clearing(expected)
        yield from self._watch.idle()
        if is_told(self.truth, events):
            self._entered = move
            yield
        before = self._now.phase
        while not (yield from self._watch.until(lambda: self._agrees(expected) or self._now.phase != before)):
            self._question(move)
            yield from self._straighten(event.target for event in events if isinstance(event, Moved))
        if not (yield from self._watch.until(lambda: self._agrees(expected))):
            self._stop(f"{move} was booked as {dict(self._now.pieces)}, turn {self._now.turn}")
            return
        self.truth = expected
        yield from self._clear()

    def _move_wrongly(self) -> Script:
        assert self.truth.turn is not None
        seat, looks = self.truth.turn, self._looks[self.truth.turn]
        wrong = wrong_moves(self.truth, self.table.cells, looks)
        if not wrong:
            return
        origin, target = wrong[self.rng.integers(len(wrong))]
        should = self._should_stand(self.truth)
        before, after = visible(should), visible(carried(should, origin, target, looks))
        differ = {cell for cell in {*before, *after} if before.get(cell) != after.get(cell)}
        fault, self._erring = self._fault("illegal", f"{origin}>{target}"), True
        self.table.move(origin, target, seat, looks)
        yield from self._watch.idle()
        yield from self._watch.until(lambda: self._now.objection is not None or self._now.phase != "move")
        fault.answered = differ <= {*(self._now.objection or ())}
        if self._now.phase != "move":
            self._stop(f"the wrong move {fault.what} was booked")
            return
        yield from self._watch.pause(REACTION_S)
        if origin == RESERVE:
            self.table.remove(target, seat, looks)
        else:
            self.table.move(target, origin, seat)
        yield from self._watch.idle()
        yield from self._watch.until(self._calm)
        self._erring = False

    def _straighten(self, cells: Iterable[Cell]) -> Script:
        """Nobody understands where pieces stand: set them again."""
        assert self.truth.turn is not None
        for cell in cells:
            if cell in self._standing:
                self.table.move(cell, cell, self.truth.turn)
        yield from self._watch.idle()

    def _clear(self) -> Script:
        """Take off what by the referee's word stands there no more: pieces of who is out, sticks taken back."""
        if self._standing != self._should_stand(self.truth):
            yield from self._watch.pause(REACTION_S)
            self._order_clearing(self.truth)
            yield from self._watch.idle()

    def _order_clearing(self, match: Match) -> None:
        should = self._should_stand(match)
        for cell, stack in self._standing.items():
            for owner in stack:
                if owner not in should.get(cell, ()):
                    self.table.remove(cell, owner, owner)

    @property
    def _now(self) -> Announced:
        return self._watch.now

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

    def _question(self, what: str) -> None:
        """Once for each throw and each move, however often it is asked about."""
        if not self._asked:
            self.questions.append(f"at {self.table.seconds:.1f} s: {what}: {self._now.message} {self._now.objection}")
        self._asked = True

    def _stop(self, why: str) -> None:
        self.wrong = f"at {self.table.seconds:.1f} s: {why}"
