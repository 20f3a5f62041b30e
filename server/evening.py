"""A whole evening at a simulated table: people play, the camera looks on, the table referees, and truth is compared.

No event enters except through pixels and, where no camera can see a move (a pass, a man put onto another) or a throw
was not made out, through the tablet. The people know what they did and what the referee announces, nothing else.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from calibration.layout import Layout, load
from referee import match as matches
from referee.board import Seat
from referee.events import Event, Started, Thrown
from referee.observation import Observation
from referee.rules import Needs
from server.journal import Journal
from server.snapshot import snapshot
from server.table import Table
from server.wish import BadCommand, by_hand
from vision.camera import Frame
from vision.reader import Reader
from vision.synthetic.announced import Announced
from vision.synthetic.arm import Tempo
from vision.synthetic.conditions import Conditions
from vision.synthetic.people import Clumsiness, Fault, People
from vision.synthetic.table import SimulatedTable
from vision.throw_watch import ReadsThrows

STUCK_AFTER_S = 120.0
"""Simulated seconds without a booking after which nothing more is expected to happen."""
OPENED = datetime(2026, 1, 1, tzinfo=UTC)
"""The journal's clock begins here: the same seed writes the same journal."""

Eyes = Callable[[SimulatedTable, Needs], ReadsThrows]
"""Makes what reads the throws at one table, where it is not the usual nets."""


@dataclass(frozen=True, slots=True)
class Evening:
    """Who plays what, at which table, and how clumsily: all that is needed to play it again."""

    started: Started
    seed: int
    """Of the table, its light and its people."""
    clumsiness: Clumsiness = field(default_factory=Clumsiness)
    """How often people err; by default they never do."""
    conditions: Conditions | None = None
    """Light, camera and table; drawn from the seed by default."""
    tempo: Tempo | None = None
    layout: Layout | None = None
    """The board; by default the one that comes with the game."""
    longest: int | None = None
    """Bookings after which people go home between two turns; None: they play to the end."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of an evening."""

    seed: int
    game: str
    preset: str
    seats: tuple[Seat, ...]
    finished: bool
    """Played to its end, or as long as was agreed; False: it got stuck or something wrong was booked."""
    stopped: bool
    """It ended before the match did, as agreed (``longest``)."""
    wrong: str | None
    """The first booking that was not what lay on the table."""
    same_end: bool
    """The journal, read back from disk, ends in the true position."""
    balanced: bool
    """The ledger read back adds up to the stakes of that position and to those that came to the table."""
    bookings: int
    throws: int
    faults: tuple[Fault, ...]
    """Deliberate breaches and accidents, and whether each was answered."""
    questions: tuple[str, ...]
    """What was in order but was not booked at once, or objected to."""
    frames: int
    seconds: float
    """At the simulated table."""


class Sitting:
    """People at a simulated table, and the table that referees them, one frame at a time."""

    def __init__(self, evening: Evening, journal: Journal, *, eyes: Eyes | None = None) -> None:
        """Everybody takes their seats.

        Args:
            evening: who plays what and where; the same evening goes the same way each time.
            journal: where the match is kept.
            eyes: what reads the throws, if not the usual nets.
        """
        started, seed = evening.started, evening.seed
        layout = evening.layout or load(started.game)
        self.simulated = SimulatedTable(layout, seed=seed, conditions=evening.conditions, tempo=evening.tempo)
        self.people = People(
            self.simulated, started, np.random.default_rng(seed), evening.clumsiness, longest=evening.longest
        )
        self.table = Table(journal, layout, now=lambda: OPENED + timedelta(seconds=self.simulated.seconds))
        self.table.start(started)
        needs = matches.begin(started).game.needs
        read = eyes(self.simulated, needs) if eyes else None
        self.reader = Reader(layout, seats=started.seats, needs=needs, throw_reader=read)
        self._announced = Announced.read(snapshot(self.table))

    def look(self, frame: Frame) -> Observation:
        """The camera's picture goes its way: read, judged, booked, announced."""
        observation = self.reader.see(frame)
        if self.table.see(observation):
            self._announced = Announced.read(snapshot(self.table))
        return observation

    def act(self) -> None:
        """The people look at what is announced and go on; what no camera sees they enter at the tablet."""
        entered = self.people.act(self._announced)
        if entered is None:
            return
        try:
            self.table.command(self.table.version, by_hand(entered))
        except BadCommand:
            return  # the people see that nothing has happened
        self._announced = Announced.read(snapshot(self.table))


def play(
    evening: Evening, folder: Path, *, eyes: Eyes | None = None, each: Callable[[int], None] | None = None
) -> Played:
    """Play one match from pixels, to its end or as long as agreed.

    Args:
        evening: who plays what and where.
        folder: an existing folder without a journal.
        eyes: as for ``Sitting``.
        each: told the number of bookings whenever it has risen.
    """
    with closing(Journal(folder)) as journal:
        sitting = Sitting(evening, journal, eyes=eyes)
        frames, version, booked_at = 0, 0, 0.0
        while not sitting.people.finished and sitting.simulated.seconds - booked_at < STUCK_AFTER_S:
            sitting.look(sitting.simulated.frame())
            sitting.act()
            frames += 1
            if sitting.table.version != version:
                version, booked_at = sitting.table.version, sitting.simulated.seconds
                if each:
                    each(version)
    with closing(Journal(folder)) as journal:
        events = journal.events(journal.games()[-1])
    return _result(sitting, evening, events, frames)


def _result(sitting: Sitting, evening: Evening, events: tuple[Event, ...], frames: int) -> Played:
    people, started = sitting.people, evening.started
    end = matches.replay(events)
    held = end.ledger.balances
    players: Any = end.game.dump(end.position)["players"]
    purses = all(held[Seat(int(seat))] == player.get("stakes", 0) for seat, player in players.items())
    return Played(
        seed=evening.seed,
        game=started.game,
        preset=started.preset,
        seats=started.seats,
        finished=people.finished and people.wrong is None,
        stopped=people.gone,
        wrong=people.wrong,
        same_end=end.position == people.truth.position,
        balanced=purses and sum(held.values()) == started.stakes * len(started.seats),
        bookings=len(events),
        throws=sum(isinstance(event, Thrown) for event in events),
        faults=tuple(people.faults),
        questions=tuple(people.questions),
        frames=frames,
        seconds=sitting.simulated.seconds,
    )
