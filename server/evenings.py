"""Many evenings: each drawn whole from one number, played in processes of their own, and added up."""

import multiprocessing
import signal
import statistics
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path

import cv2
import numpy as np

from calibration.inks import SEATS
from calibration.layout import Layout, load
from referee.board import Seat
from referee.registry import GAMES
from referee.rules import BadQuestion
from server.evening import Evening, Played, play
from server.invitation import invite
from vision.synthetic.arm import Tempo
from vision.synthetic.conditions import PIECE_KINDS, Conditions, PieceKind
from vision.synthetic.mistakes import Clumsiness

LONGEST = 120
"""Bookings after which an evening ends, unless it is played to the end: jade-coral goes on for eight hundred."""
PIECES: Mapping[str, tuple[PieceKind, ...]] = {"batok": ("stick",)}
"""What a game is played with, where it is not whatever people have."""
PRESETS = tuple((game.name, preset) for game in GAMES.values() for preset in game.presets)
"""What is played; evenings take turns through it, so that a few already play a bit of everything."""


def drawn(seed: int, *, whole: bool = False) -> Evening:
    """An evening at random: everything about it follows from the seed.

    Args:
        seed: 0 or more.
        whole: whether it is played to the end of the match, however long that takes.
    """
    rng = np.random.default_rng((seed, len(PRESETS)))
    name, preset = PRESETS[seed % len(PRESETS)]
    game, layout = GAMES[name], _printed(load(name), rng)
    known = [seat for seat in game.seats if seat in SEATS]
    while True:
        seats = sorted(rng.choice(known, rng.integers(2, len(known) + 1), replace=False).tolist())
        usual = game.default_stakes(preset, len(seats))
        stakes = int(rng.integers(3, usual + 1)) if usual else None
        with suppress(BadQuestion):
            started = invite(layout, game=name, preset=preset, seats=tuple(map(Seat, seats)), names={}, stakes=stakes)
            break
    conditions, kinds = Conditions.drawn(rng), PIECES.get(name, PIECE_KINDS)
    return Evening(
        started,
        seed,
        clumsiness=_clumsy(rng),
        conditions=replace(conditions, pieces=kinds[rng.integers(len(kinds))]),
        tempo=_paced(rng.uniform(0.6, 1.1)),
        layout=layout,
        longest=None if whole else LONGEST,
    )


def play_drawn(seed: int, whole: bool, each: Callable[[int], None]) -> Played:
    """Draw an evening and play it; ``each`` hears how many bookings there are."""
    with tempfile.TemporaryDirectory(prefix="macuil-evening-") as folder:
        return play(drawn(seed, whole=whole), Path(folder), each=each)


Plays = Callable[[int, bool, Callable[[int], None]], Played]
"""As ``play_drawn``; a function of a module, for it is called in another process."""


@dataclass(frozen=True, slots=True)
class Report:
    """One evening is over."""

    seed: int
    played: Played | None
    broke: str = ""
    """Why it could not be played on: a fault of the program, as Python tells it."""

    @property
    def failure(self) -> str:
        """What was booked wrong, where it got stuck or broke; empty when it went well."""
        played = self.played
        if played is None:
            return self.broke.strip().splitlines()[-1]
        if played.wrong is not None:
            return played.wrong
        if not played.finished:
            return f"stuck at {played.seconds:.0f} s, {played.questions[-1] if played.questions else 'unasked'}"
        if not played.same_end:
            return "the journal ends in another position than the table"
        return "" if played.balanced else "the stakes do not add up"


@dataclass(frozen=True, slots=True)
class Totals:
    """What came of several evenings."""

    evenings: int
    to_the_end: int
    stopped: int
    """Ended after ``LONGEST`` bookings."""
    failed: tuple[int, ...]
    """Seeds of those in which something was booked wrong, that got stuck or broke."""
    wrong_bookings: int
    questions_mean: float
    questions_worst: int
    illegal_made: int
    illegal_named: int
    bookings: int
    throws: int
    table_hours: float
    """Simulated time."""

    @classmethod
    def of(cls, reports: Sequence[Report]) -> "Totals":
        """Add up."""
        played = [report.played for report in reports if report.played]
        illegal = [fault.answered for one in played for fault in one.faults if fault.kind == "illegal"]
        questions = [len(one.questions) for one in played] or [0]
        well = [report.played for report in reports if report.played and not report.failure]
        return cls(
            evenings=len(reports),
            to_the_end=sum(not one.stopped for one in well),
            stopped=sum(one.stopped for one in well),
            failed=tuple(sorted(report.seed for report in reports if report.failure)),
            wrong_bookings=sum(one.wrong is not None or not (one.same_end and one.balanced) for one in played),
            questions_mean=round(statistics.fmean(questions), 2),
            questions_worst=max(questions),
            illegal_made=len(illegal),
            illegal_named=sum(illegal),
            bookings=sum(one.bookings for one in played),
            throws=sum(one.throws for one in played),
            table_hours=round(sum(one.seconds for one in played) / 3600, 2),
        )


def play_all(
    seeds: Iterable[int], *, whole: bool, processes: int, plays: Plays, at_play: Callable[[Mapping[int, int]], None]
) -> Iterator[Report]:
    """Play evenings side by side, each in a process of its own that is started afresh.

    Args:
        seeds: which.
        whole: whether to their ends.
        processes: at most so many at a time.
        plays: plays one.
        at_play: told the seeds at play and the bookings of each, whenever these change.

    Yields:
        Reports in the order in which evenings end. When closed or interrupted, those at play are given up.
    """
    waiting, running, bookings = iter(seeds), dict[Connection, tuple[int, SpawnProcess]](), dict[int, int]()
    try:
        while True:
            while len(running) < processes and (seed := next(waiting, None)) is not None:
                with _deaf():
                    running.update([_begin(seed, whole, plays)])
                bookings[seed] = 0
            if not running:
                return
            at_play(bookings)
            for pipe in wait(list(running)):
                assert isinstance(pipe, Connection)
                seed, process = running[pipe]
                heard = _hear(pipe, process)
                if isinstance(heard, int):
                    bookings[seed] = heard
                    continue
                del running[pipe], bookings[seed]
                pipe.close()
                process.join()
                process.close()
                yield Report(seed, None, heard) if isinstance(heard, str) else Report(seed, heard)
    finally:
        for pipe, (_, process) in running.items():
            process.terminate()
            process.join()
            pipe.close()


def _printed(layout: Layout, rng: np.random.Generator) -> Layout:
    """The board, where it has triangles with them on other rows."""
    if not layout.triangle_rows:
        return layout
    rows = tuple(sorted(rng.choice(range(1, 6), rng.integers(1, 3), replace=False).tolist()))
    plain = ("plain", "triangle")
    cells = tuple(
        replace(cell, kind="triangle" if cell.row in rows else "plain") if cell.kind in plain else cell
        for cell in layout.cells
    )
    return replace(layout, triangle_rows=rows, cells=cells)


def _clumsy(rng: np.random.Generator) -> Clumsiness:
    most = {"cocked": 0.05, "touching": 0.05, "bump": 0.02, "shove": 0.01, "lamp": 0.02, "hand": 0.04, "slow": 0.1}
    return Clumsiness(illegal=0.05, **{what: rng.uniform(0, chance) for what, chance in most.items()})


def _paced(factor: float) -> Tempo:
    """The usual tempo, everything so many times as long."""
    usual = Tempo()
    return Tempo(**{name: factor * getattr(usual, name) for name in Tempo.__slots__})


def _begin(seed: int, whole: bool, plays: Plays) -> tuple[Connection, tuple[int, SpawnProcess]]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_play, args=(theirs, plays, seed, whole), daemon=True)
    process.start()
    theirs.close()
    return ours, (seed, process)


def _play(pipe: Connection, plays: Plays, seed: int, whole: bool) -> None:
    """In the other process."""
    cv2.setNumThreads(1)
    with suppress(BrokenPipeError):  # nobody waits for it any more
        try:
            pipe.send(plays(seed, whole, pipe.send))
        except Exception:
            pipe.send(traceback.format_exc())


def _hear(pipe: Connection, process: SpawnProcess) -> int | Played | str:
    """Bookings so far, what came of the evening, or why nothing did."""
    try:
        heard: int | Played | str = pipe.recv()
    except EOFError:
        process.join()
        return f"its process died with exit code {process.exitcode}"
    return heard


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes started meanwhile never hear Ctrl+C, whoever started them ends them; we hear it a moment later."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # started later, it would lift our mask
    pressed: list[int] = []
    # Any thread may be handed the signal, whatever this one masks, and Python would break off the start half-way.
    heeded = signal.getsignal(signal.SIGINT)
    if callable(heeded):
        signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        if callable(heeded):
            signal.signal(signal.SIGINT, heeded)
        if pressed:
            signal.raise_signal(signal.SIGINT)
