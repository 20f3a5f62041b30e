"""The table: observations and commands in, bookings out. Order: disk, then state, then people.

The table knows what stands on the real board (``standing``) and what the referee has booked. Where the two differ by
right (a correction by hand, an undo, pieces of a player who is out), it books nothing until people have set the board
right; where they differ without reason, it objects. Everything shown to people is a level derived from this state.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from calibration.layout import Layout
from referee import match as matches
from referee.board import Cell, Occupancy
from referee.events import Event, Lying, Moved, Noted, Objected, Started, Thrown
from referee.match import Match
from referee.observation import BLINDING, BoardSeen, Observation, Plight, Refusal, ThrowSeen
from referee.umpire import Verdict, judge, most_likely, visible
from server.journal import Entry, Journal
from server.lie import lies_alike, lying, thrown
from server.outcomes import outcomes, why_illegal
from server.wish import BadCommand, wished

OBJECT_AFTER_S = 3.0
"""A board that fits no legal outcome is spoken of after this long (REQUIREMENTS B5)."""
NAME_PLIGHT_AFTER_S = 0.5
"""A throw that cannot be read is spoken of after this long at rest."""
BUMPED_MM = 2.0
"""A board that has moved further than this is noted (B6)."""
SET_RIGHT = "set right"
"""The one outcome while people put the board as the log has it."""
VOID: frozenset[Plight] = frozenset({"leaning", "stacked", "missing", "extra"})
"""Plights that make the throw itself void (R-BEANS): it counts only after the place was emptied."""


class Stale(Exception):
    """The command was meant for an earlier state; nothing was done."""


@dataclass(frozen=True, slots=True)
class Objection:
    """What the table does not accept, until it is put right."""

    key: str
    """``illegal``, ``unclear``, ``position`` or ``wrong_throw``."""
    cells: tuple[Cell, ...] = ()
    seen: str | None = None
    why: tuple[str, ...] = ()


class Table:
    """One match at one table. Lives on the event loop; not thread safe."""

    def __init__(
        self, journal: Journal, layout: Layout, *, now: Callable[[], datetime], log: Iterable[Entry] = ()
    ) -> None:
        """Go on where ``log``, the journal's current game, ends.

        Raises:
            BadQuestion: the log is of rules this referee does not know.
        """
        self.layout = layout
        self.match: Match | None = None
        self.entries: list[Entry] = list(log)
        self.standing: Occupancy = {}
        self.state: str = "lost"
        self.refusal: Refusal | None = None
        """Why no board is seen, while that is so."""
        self.plights: tuple[str, ...] = ()
        self.plight: Plight | None = None
        """The one plight of the lying throw that people are told about."""
        self.doubtful = ThrowSeen("none")
        """What the throw in that plight was taken for."""
        self.objection: Objection | None = None
        self.by_hand = False
        """Whether people have entered something since the camera last saw the board in its place."""
        self._journal = journal
        self._now = now
        self._lay = _latest_lay(self.entries)
        self._locked = True
        self._void = False
        self._seen_board: Occupancy | None = None
        self._last_verdict: tuple[str, str | None] | None = None
        self._last_reading: tuple[object, ...] | None = None
        self._unfit_since: float | None = None
        self._unread_since: float | None = None
        if self.entries:
            # A throw that lies since before a restart counts only if it was booked: nobody saw whether it was touched.
            self.match = matches.replay(entry.event for entry in self.entries)
            self.standing = self.booked
            opening = self.latest.event if self.latest else None
            self.by_hand = isinstance(opening, Thrown | Moved) and opening.source == "hand"

    @property
    def version(self) -> int:
        """Rises with each booking, over all matches."""
        return self.entries[-1].id if self.entries else 0

    @property
    def last_throw(self) -> Entry | None:
        """The latest throw that still stands; what was taken back is none."""
        thrown = self.match.thrown if self.match else None
        return next((entry for entry in reversed(self.entries) if entry.event is thrown), None)

    @property
    def latest(self) -> Entry | None:
        """Where the latest act begins that still stands, and that an undo would take back."""
        opening = self.match.act[0] if self.match and self.match.act else None
        return next((entry for entry in reversed(self.entries) if entry.event is opening), None)

    @property
    def booked(self) -> Occupancy:
        """What stands where by the log."""
        return self.match.game.occupancy(self.match.position) if self.match else {}

    @property
    def tidy(self) -> bool:
        """Whether the real board looks as the log has it."""
        return visible(self.standing) == visible(self.booked)

    def start(self, started: Started) -> None:
        """Begin a match; an earlier one stays in the journal."""
        earlier, self.entries = self.entries, []
        try:
            self._book((started,))
        except BaseException:
            self.entries = earlier
            raise
        self._locked, self._void = True, False
        self.objection = self.plight = None
        self.standing = self.booked

    def see(self, seen: Observation) -> bool:
        """Take one observation; True when something that people see has changed."""
        before = self._shown()
        self.state, self.plights, self.refusal = seen.state, seen.plights, seen.refusal
        blinded = not BLINDING.isdisjoint(seen.plights)
        self.by_hand = self.by_hand and (blinded or seen.state == "lost")
        self._note(seen)
        if seen.state == "hand":
            self.plight = None  # people are at it; what then lies there is judged anew
        if seen.place_empty:
            self._locked = self._void = False
            self.plight = self._unread_since = self._last_reading = None
            if self.objection and self.objection.key == "wrong_throw":
                self.objection = None
        paused = self.match is not None and self.match.paused
        if paused and not seen.place_empty:
            self._locked = True  # no throw counts that was made meanwhile
        if seen.state != "rest" or blinded or paused or self.match is None:
            self._last_verdict = self._unfit_since = self._last_reading = self._unread_since = None
        else:
            verdict = self._see_board(seen.board, seen.taken_at) if seen.board else None
            if seen.throw:
                self._see_throw(seen.throw, verdict, seen.taken_at)
        return self._shown() != before

    def command(self, version: int, command: Mapping[str, object]) -> int:
        """Carry out what a person asks; returns the new version.

        Raises:
            Stale: ``version`` is not the present one.
            BadCommand: it cannot be done now, or is not understood.
        """
        if version != self.version:
            raise Stale
        if self.match is None:
            raise BadCommand("there is no match yet: start one first")
        if command.get("type") == "throw_again":
            self._locked = self._void = False
        else:
            thrown = self.last_throw.id if self.last_throw else None
            self._book(wished(self.match, command, self._seen_board, thrown))
            if command.get("type") == "accept":
                self.standing = self.booked
            self.by_hand = self.by_hand or command.get("type") not in ("pause", "resume")
            self._locked = self._locked or command.get("type") in ("undo", "redo", "throw", "recast")
        self.plight = None
        self.objection = None
        return self.version

    def _see_board(self, board: BoardSeen, at: float) -> Verdict:
        assert self.match is not None
        board = BoardSeen({cell: seen for cell, seen in board.cells.items() if cell not in self.match.game.unseen})
        boards = outcomes(self.match) if self.tidy else {SET_RIGHT: (self.booked,)}
        verdict = judge(board, self.standing, boards)
        self._seen_board = most_likely(board, self.standing, self.booked)
        now = (verdict.kind, verdict.move)
        steady, self._last_verdict = now == self._last_verdict, now
        if verdict.kind == "nothing" and self.tidy:
            self._unfit_since = None
            if self.objection and self.objection.key in ("illegal", "unclear", "position"):
                self.objection = None
        elif verdict.board is not None and steady:
            # Two quiet readings in a row: readings that alternate never reach the log (B3).
            self._unfit_since = self.objection = None
            self.standing = verdict.board
            if verdict.move != SET_RIGHT:
                self._book(matches.move(self.match, str(verdict.move), "camera", verdict.inferred))
        else:
            self._unfit_since = at if self._unfit_since is None else self._unfit_since
            if self.tidy and at - self._unfit_since >= OBJECT_AFTER_S:
                self._object(verdict)
        return verdict

    def _see_throw(self, seen: ThrowSeen, verdict: Verdict | None, at: float) -> None:
        assert self.match is not None
        if (seen.kind == "none" and not seen.plights) or self.match.phase == "over" or not self.tidy:
            return
        if self._locked or lies_alike(self._lay, seen):
            self._locked = True
            return
        reading = _reading(seen)
        steady, self._last_reading = reading == self._last_reading, reading
        if self.match.phase == "move":
            lies = seen.kind != "none"
            if lies and steady and verdict and verdict.kind == "nothing" and self._last_verdict == ("nothing", None):
                self._locked = True
                self._say(Objection("wrong_throw"))
            return
        if verdict and verdict.kind == "illegal":
            return
        throw = thrown(seen, self.match.game.needs)
        if throw is not None and steady and not self._void:
            self._book(matches.throw(self.match, throw, "camera"), lay=lying(seen))
            self._locked, self.plight, self._unread_since = True, None, None
        elif throw is None and seen.plights:
            self._unread_since = at if self._unread_since is None else self._unread_since
            if at - self._unread_since >= NAME_PLIGHT_AFTER_S:
                if self.plight is None or (steady and self.plight in seen.plights):
                    self.doubtful = seen
                self.plight = self.plight or seen.plights[0]
                self._void = self._void or self.plight in VOID

    def _object(self, verdict: Verdict) -> None:
        assert self.match is not None
        if self.match.phase == "move" and verdict.kind == "illegal" and verdict.move:
            self._say(Objection("illegal", verdict.cells, verdict.move, why_illegal(self.match, verdict.move)))
        else:
            self._say(Objection("unclear" if verdict.kind == "unclear" else "position", verdict.cells))

    def _say(self, objection: Objection) -> None:
        """Objections are booked once, however long they last."""
        if self.objection is None or (objection.key, objection.seen) != (self.objection.key, self.objection.seen):
            seat = self.match.turn if self.match else None
            why = objection.why or (objection.key,)
            self._book((Objected(seat, why, objection.cells, objection.seen or ""),))
            self.objection = objection

    def _note(self, seen: Observation) -> None:
        if self.match is None:
            return
        if seen.light_changed:
            self._book((Noted("light", {}),))
        if seen.state == "rest" and seen.moved_mm > BUMPED_MM:
            self._book((Noted("board_moved", {"mm": round(seen.moved_mm, 1)}),))

    def _book(self, events: Iterable[Event], lay: tuple[Lying, ...] = ()) -> None:
        booked = [replace(event, lay=lay) if isinstance(event, Thrown) else event for event in events]
        entries = self._journal.append(booked, self._now())
        for event in booked:
            if isinstance(event, Started):
                self.match = matches.begin(event)
            elif self.match:
                self.match = matches.after(self.match, event)
        self.entries.extend(entries)
        self._lay = _latest_lay(self.entries)

    def _shown(self) -> tuple[object, ...]:
        return (
            self.version,
            self.state,
            self.refusal,
            self.plights,
            self.plight,
            self.plight and _reading(self.doubtful),
            self.objection,
            self.tidy,
            self._void,
        )


def _reading(seen: ThrowSeen) -> tuple[object, ...]:
    """What people would say that lies there, wherever it lies."""
    return (seen.certain, sorted(bean.face for bean in seen.beans), sorted(die.value or 0 for die in seen.dice))


def _latest_lay(entries: list[Entry]) -> tuple[Lying, ...]:
    """How the beans lay that were booked last, even if that was taken back: they may lie there still."""
    return next((entry.event.lay for entry in reversed(entries) if isinstance(entry.event, Thrown)), ())
