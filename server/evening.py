"""A whole evening at a simulated table: people play, the camera looks on, the table referees, and truth is compared.

No event enters except through pixels; the people know what they did and what the referee announces, nothing else.
"""

from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from calibration.layout import load
from referee import match as matches
from referee.board import Seat
from referee.events import Event, Started, Thrown
from referee.observation import Observation
from server.journal import Journal
from server.snapshot import snapshot
from server.table import Table
from vision.camera import Frame
from vision.reader import Reader
from vision.synthetic.announced import Announced
from vision.synthetic.conditions import Conditions
from vision.synthetic.people import Clumsiness, Fault, People
from vision.synthetic.table import SimulatedTable

STUCK_AFTER_S = 120.0
"""Simulated seconds without a booking after which nothing more is expected to happen."""
OPENED = datetime(2026, 1, 1, tzinfo=UTC)
"""The journal's clock begins here: the same seed writes the same journal."""


@dataclass(frozen=True, slots=True)
class Evening:
    """What came of it."""

    seed: int
    preset: str
    seats: tuple[Seat, ...]
    finished: bool
    """Played to its end; False: it got stuck."""
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
    unheard: tuple[str, ...]
    """What was in order but was not booked at once: the questions of the evening."""
    frames: int


class Sitting:
    """People at a simulated table, and the table that referees them, one frame at a time."""

    def __init__(
        self,
        started: Started,
        seed: int,
        journal: Journal,
        *,
        clumsiness: Clumsiness | None = None,
        conditions: Conditions | None = None,
    ) -> None:
        """Everybody takes their seats.

        Args:
            started: a match of Patolli.
            seed: of the table, its light and its people; the same seed is the same evening.
            journal: where the match is kept.
            clumsiness: how often people err; by default they never do.
            conditions: light, camera and table, drawn from the seed by default.
        """
        layout = load("patolli")
        self.simulated = SimulatedTable(layout, seed=seed, conditions=conditions)
        self.people = People(self.simulated, started, np.random.default_rng(seed), clumsiness or Clumsiness())
        self.table = Table(journal, layout, now=lambda: OPENED + timedelta(seconds=self.simulated.seconds))
        self.table.start(started)
        self.reader = Reader(layout, seats=started.seats, needs=matches.begin(started).game.needs)
        self._announced = Announced.read(snapshot(self.table))

    def look(self, frame: Frame) -> Observation:
        """The camera's picture goes its way: read, judged, booked, announced."""
        observation = self.reader.see(frame)
        if self.table.see(observation):
            self._announced = Announced.read(snapshot(self.table))
        return observation

    def act(self) -> None:
        """The people look at what is announced and go on."""
        self.people.act(self._announced)


def play(
    started: Started,
    seed: int,
    folder: Path,
    *,
    clumsiness: Clumsiness | None = None,
    conditions: Conditions | None = None,
) -> Evening:
    """Play one match from pixels to its end.

    Args:
        started: a match of Patolli.
        seed: as for ``Sitting``.
        folder: an existing folder without a journal.
        clumsiness: as for ``Sitting``.
        conditions: as for ``Sitting``.
    """
    with closing(Journal(folder)) as journal:
        sitting = Sitting(started, seed, journal, clumsiness=clumsiness, conditions=conditions)
        frames, version, booked_at = 0, 0, 0.0
        while not sitting.people.finished and sitting.simulated.seconds - booked_at < STUCK_AFTER_S:
            sitting.look(sitting.simulated.frame())
            sitting.act()
            frames += 1
            if sitting.table.version != version:
                version, booked_at = sitting.table.version, sitting.simulated.seconds
    with closing(Journal(folder)) as journal:
        events = journal.events(journal.games()[-1])
    return _result(sitting.people, started, seed, events, frames)


def _result(people: People, started: Started, seed: int, events: tuple[Event, ...], frames: int) -> Evening:
    end = matches.replay(events)
    held = end.ledger.balances
    players: Any = end.game.dump(end.position)["players"]
    purses = all(held[Seat(int(seat))] == player.get("stakes", 0) for seat, player in players.items())
    return Evening(
        seed=seed,
        preset=started.preset,
        seats=started.seats,
        finished=people.finished and people.wrong is None,
        wrong=people.wrong,
        same_end=end.position == people.truth.position,
        balanced=purses and sum(held.values()) == started.stakes * len(started.seats),
        bookings=len(events),
        throws=sum(isinstance(event, Thrown) for event in events),
        faults=tuple(people.faults),
        unheard=tuple(people.unheard),
        frames=frames,
    )
