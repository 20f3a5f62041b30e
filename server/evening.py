"""A whole evening at a simulated table: people play, the camera looks on, the table referees, and truth is compared.

No event enters except through pixels; the people know what lies on the table and what the referee announces.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from calibration.layout import load
from referee.board import Seat
from referee.events import Event, Noted, Objected, Started
from referee.ledger import balances
from referee.registry import GAMES
from server.journal import Journal
from server.snapshot import snapshot
from server.table import Table
from vision.reader import Reader
from vision.synthetic.people import Announced, Clumsiness, Fault, People
from vision.synthetic.table import Conditions, SimulatedTable, Tempo

LIMIT_S = 6 * 3600.0
"""Simulated seconds after which an evening counts as stuck."""


@dataclass(frozen=True, slots=True)
class Evening:
    """What came of it."""

    seed: int
    preset: str
    seats: tuple[Seat, ...]
    finished: bool
    bookings: int
    wrong: tuple[str, ...]
    """Bookings that were not what lay on the table; any is a defect."""
    faults: tuple[Fault, ...]
    """Deliberate breaches and accidents, and whether each was answered."""
    balanced: bool
    """The ledger adds up to the stakes of the journal's final position."""
    same_end: bool
    """The journal, read back from disk, ends in the simulator's true position."""
    frames: int
    seconds: float
    """Simulated."""


class NotAsItWas(Exception):
    """The table booked something else than what lay before the camera."""


def play(
    preset: str,
    seats: tuple[Seat, ...],
    seed: int,
    folder: Path,
    *,
    clumsiness: Clumsiness | None = None,
    stakes: int | None = None,
    tempo: Tempo | None = None,
    conditions: Conditions | None = None,
) -> Evening:
    """Play one match of Patolli from pixels to its end.

    Args:
        preset: a preset of Patolli.
        seats: who plays.
        seed: of the table, its light and its people; the same seed is the same evening.
        folder: an empty folder for the journal.
        clumsiness: how often people err; by default they never do.

    Raises:
        NotAsItWas: at the first booking that differs from the truth, with the seed.
    """
    sitting = Sitting(preset, seats, seed, folder, clumsiness, stakes, tempo, conditions)
    frames = sum(1 for _ in sitting)
    return sitting.result(frames)
