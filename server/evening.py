"""A whole evening at a simulated table: people play, the camera looks on, the table referees, and truth is compared.

No event enters except through pixels; the people know what they did and what the referee announces, nothing else.
"""

from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from vision.reader import Reader

from calibration.layout import load
from referee import match as matches
from referee.board import Seat
from referee.events import Event, Started, Thrown
from server.invitation import invite
from server.journal import Journal
from server.snapshot import snapshot
from server.table import Table
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


def play(
    preset: str,
    seats: tuple[Seat, ...],
    seed: int,
    folder: Path,
    *,
    clumsiness: Clumsiness | None = None,
    stakes: int | None = None,
    conditions: Conditions | None = None,
) -> Evening:
    """Play one match of Patolli from pixels to its end.

    Args:
        preset: a preset of Patolli.
        seats: who plays.
        seed: of the table, its light and its people; the same seed is the same evening.
        folder: an existing folder without a journal.
        clumsiness: how often people err; by default they never do.
        stakes: a player starts with; by default those of the preset.
        conditions: light, camera and table, drawn from the seed by default.
    """
    layout = load("patolli")
    started = invite(layout, game="patolli", preset=preset, seats=seats, names={}, stakes=stakes)
    simulated = SimulatedTable(layout, seed=seed, conditions=conditions)
    people = People(simulated, started, np.random.default_rng(seed), clumsiness or Clumsiness())
    with closing(Journal(folder)) as journal:
        table = Table(journal, layout, now=lambda: OPENED + timedelta(seconds=simulated.seconds))
        table.start(started)
        reader = Reader(layout, seats=seats, needs=matches.begin(started).game.needs)
        frames = _sit(simulated, people, table, reader)
    with closing(Journal(folder)) as journal:
        events = journal.events(journal.games()[-1])
    return _result(people, started, seed, events, frames)


def _sit(simulated: SimulatedTable, people: People, table: Table, reader: Reader) -> int:
    """Frame after frame, until the match is over or nothing happens any more; returns how many."""
    announced = Announced.read(snapshot(table))
    frames, booked_at = 0, 0.0
    while not people.finished and simulated.seconds - booked_at < STUCK_AFTER_S:
        version = table.version
        if table.see(reader.see(simulated.frame())):
            announced = Announced.read(snapshot(table))
        people.act(announced)
        frames += 1
        booked_at = simulated.seconds if table.version != version else booked_at
    return frames


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
