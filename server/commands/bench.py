"""`macuil bench`: speed and memory on this machine, each figure a median of several runs in this one process.

With ``--evenings`` whole evenings at simulated tables instead, as many at a time as there are processes. With
``--views`` single pictures of boards, made by a path tracer that the training extra brings.
"""

import argparse
import json
import os
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration import inks
from calibration.layout import Rect, load
from referee import match as matches
from referee import rules
from referee.adjudicator import answer
from referee.board import Seat
from referee.events import Event, Moved, Thrown
from referee.players import random_play
from referee.players.patolli_batch import Batch
from referee.throws import Beans
from server.cli import Refused
from server.commands.bench_views import bench_views
from server.evening import Evening, Sitting
from server.evenings import LONGEST, Report, Totals, play_all, play_drawn
from server.invitation import invite
from server.journal import Journal
from server.progress import Progress
from vision.hands import PX_PER_MM
from vision.locate import Located, Locator
from vision.pieces import PieceReader
from vision.rectify import Rectifier
from vision.synthetic.table import SimulatedTable

PLAYS = play_drawn
"""How an evening is played."""
_BAR = 24
"""Width of the progress bar, in characters."""
_HEADER = "  seed  game               seats    ended    throws  bookings  questions  illegal named  wrong"
SEATS = (Seat(1), Seat(3))
SEED = 103
RUNS = 5
LONGEST_S = 180.0
"""Simulated seconds after which a throw that is never certain is not waited for."""
BATCH = 16_384
"""Games side by side: enough that numpy's own cost a call is lost among them, few enough for the processor's cache."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the bench."""

    name: str
    unit: str
    median: float
    p10: float
    p90: float
    count: int


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument(
        "--evenings", type=int, metavar="N", help="referee N simulated evenings from pixels and compare with the truth"
    )
    parser.add_argument(
        "--views", type=int, metavar="N", help="read N path-traced pictures of boards in play (some 5 s each)"
    )
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the pictures of --views there")
    parser.add_argument("--seed", type=int, metavar="FIRST", help="the first evening's or view's number (default 0)")
    parser.add_argument("--processes", type=int, metavar="P", help="evenings at a time (default one a core)")
    parser.add_argument("--whole", action="store_true", help=f"play evenings to their end, not only {LONGEST} bookings")


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    if arguments.evenings is not None and arguments.views is not None:
        raise Refused("--evenings and --views are measured one after the other: give one of them")
    if arguments.keep and arguments.views is None:
        raise Refused("--keep says where to keep the pictures of --views N")
    if arguments.evenings is not None:
        return _evenings(arguments)
    if arguments.processes is not None or arguments.whole:
        raise Refused("--processes and --whole say how to play --evenings N")
    if arguments.views is not None:
        return bench_views(arguments)
    if arguments.seed is not None:
        raise Refused("--seed says with which number --evenings N or --views N begin")
    cv2.setNumThreads(1)
    figures = [*_referee(), *_board(), *_pipeline()]
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
    figures.append(_figure("memory_peak", "MB", [memory_mb]))
    if arguments.json:
        print(json.dumps({figure.name: asdict(figure) for figure in figures}))
        return 0
    for figure in figures:
        spread = f"{figure.p10:,.2f} to {figure.p90:,.2f} in {figure.count}"
        print(f"{figure.name:26}{figure.median:14,.2f}  {figure.unit:22}{spread}")
    return 0


def _evenings(arguments: argparse.Namespace) -> int:
    """Play, tell each evening as it ends, add up; 1 when something was booked wrong, got stuck or broke."""
    first = arguments.seed or 0
    processes = (os.cpu_count() or 1) if arguments.processes is None else arguments.processes
    for name, value, least in (("evenings", arguments.evenings, 1), ("seed", first, 0), ("processes", processes, 1)):
        if value < least:
            raise Refused(f"--{name} {value}: give {least} or more")
    reports: list[Report] = []
    progress = Progress(sys.stderr, sys.stderr.isatty())

    def at_play(bookings: Mapping[int, int]) -> None:
        share = (len(reports) + sum(min(booked / LONGEST, 0.9) for booked in bookings.values())) / arguments.evenings
        failed = sum(bool(report.failure) for report in reports)
        told = f"{len(reports)} of {arguments.evenings} evenings over, {failed} failed, {len(bookings)} at play"
        progress.show(f"{'█' * round(_BAR * share):·<{_BAR}} {told}")

    interrupted = False
    try:
        if not arguments.json:
            print(_HEADER, flush=True)
        seeds = range(first, first + arguments.evenings)
        for report in play_all(seeds, whole=arguments.whole, processes=processes, plays=PLAYS, at_play=at_play):
            reports.append(report)
            progress.clear()
            if not arguments.json:
                print(_told(report, arguments.whole), flush=True)
    except KeyboardInterrupt:
        interrupted = True
    progress.clear()
    totals = Totals.of(reports)
    if arguments.json:
        played = [{**asdict(report), "failure": report.failure} for report in sorted(reports, key=lambda r: r.seed)]
        print(json.dumps({"evenings": played, "totals": asdict(totals)}))
    else:
        _tell_totals(totals, arguments.evenings)
    return 1 if totals.failed else 130 if interrupted else 0


def _told(report: Report, whole: bool) -> str:
    """One line an evening, and what it was asked; the command that plays it again, if it failed."""
    lines = []
    if report.played:
        played = report.played
        illegal = [fault.answered for fault in played.faults if fault.kind == "illegal"]
        ended = "failed" if report.failure else "stopped" if played.stopped else "over"
        lines.append(
            f"{report.seed:>6}  {played.game + ' ' + played.preset:19}{','.join(map(str, played.seats)):9}{ended:9}"
            f"{played.throws:>6}{played.bookings:>10}{len(played.questions):>11}"
            f"{f'{sum(illegal)} of {len(illegal)}':>15}{int(bool(played.wrong)):>7}"
        )
        lines += [f"        asked {question}" for question in played.questions]
    if report.failure:
        again = f"macuil bench --evenings 1 --seed {report.seed}{' --whole' if whole else ''}"
        lines += [f"        {line}" for line in report.broke.strip().splitlines()[:-1]]
        lines.append(f"{report.seed:>6}  FAILED {report.failure}: {again}")
    return "\n".join(lines)


def _tell_totals(totals: Totals, wanted: int) -> None:
    failed = f", {len(totals.failed)} failed (seeds {', '.join(map(str, totals.failed))})" if totals.failed else ""
    stopped = f"{totals.stopped} stopped after {LONGEST} bookings"
    print(f"{totals.evenings} of {wanted} evenings: {totals.to_the_end} to the end, {stopped}{failed}")
    print(f"wrong bookings        {totals.wrong_bookings} in {totals.bookings:,}")
    print(f"questions a game      {totals.questions_mean:.2f} on average, {totals.questions_worst} at worst")
    print(f"illegal moves named   {totals.illegal_named} of {totals.illegal_made}")
    print(f"at the tables         {totals.table_hours:.2f} hours, {totals.throws:,} throws")


def _figure(name: str, unit: str, values: list[float]) -> Figure:
    ordered = sorted(values)
    last = len(ordered) - 1
    low, high = ordered[round(0.1 * last)], ordered[round(0.9 * last)]
    return Figure(name, unit, round(statistics.median(ordered), 3), round(low, 3), round(high, 3), len(ordered))


def _referee() -> Iterator[Figure]:
    """Random play with the plain rules."""
    started = matches.start("patolli", "jade-coral", SEATS)
    rng = random.Random(SEED)

    def plies_a_second() -> float:
        game = matches.begin(started).game
        count, begun = 0, time.process_time()
        while time.process_time() - begun < 0.5:
            position = game.start("jade-coral", SEATS, {})
            while position.over is None:
                throw = Beans(rng.getrandbits(5).bit_count())
                moves = game.legal(position, throw)
                events = game.decide(position, throw, moves[int(rng.random() * len(moves))] if moves else None)
                position = rules.fold(game, position, (rules.thrown(game, position, throw), *events))
                count += 1
        return count / (time.process_time() - begun)

    yield _figure("referee_random_play", "plies/s", [plies_a_second() for _ in range(RUNS)])
    yield _figure("referee_questions", "answers/s", [_questions_a_second() for _ in range(RUNS)])
    yield _figure("referee_batched_play", "plies/s", [_batched_plies_a_second(seed) for seed in range(RUNS)])


def _questions_a_second() -> float:
    """Single questions as JSON, answered inside the process."""
    players = {
        "1": {"reserve": 3, "track": [4, 11], "home": 1, "stakes": 9},
        "3": {"reserve": 4, "track": [13, 30], "home": 0, "stakes": 7},
    }
    state = {"players": players, "pot": 4, "turn": "1"}
    lines = [
        json.dumps(
            {"game": "patolli", "preset": "classic", "state": state, "throw": {"marks": marks}, "move": move}
        ).encode()
        for marks, move in ((1, "4>5"), (2, "11>13"), (3, "4>7"), (4, None), (5, "4>14"), (0, None))
    ]
    begun = time.process_time()
    for _ in range(200):
        for line in lines:
            answer(line)
    return 200 * len(lines) / (time.process_time() - begun)


def _batched_plies_a_second(seed: int) -> float:
    """Random play with the batched rules, games that end beginning anew."""
    start = Batch.start("jade-coral", SEATS, BATCH)
    begun = time.process_time()
    plies = random_play.play(start, 600, np.random.Generator(np.random.SFC64(seed)))
    return plies / (time.process_time() - begun)


def _board() -> Iterator[Figure]:
    """The printed board in one camera picture at 1280x720: found without any knowledge, and its cells read."""
    layout = load("patolli")
    image = SimulatedTable(layout, seed=SEED).frame().image
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    found, costs = Locator(layout).see(grey, search=True), dict[str, list[float]](lock_on=[], board_reading=[])
    assert isinstance(found, Located), "the simulated board is found"
    pieces = PieceReader(layout, {seat: inks.SEATS[seat] for seat in SEATS}, px_per_mm=PX_PER_MM)
    sheet = Rectifier(Rect(0, 0, *layout.size_mm), PX_PER_MM).top_view(image, found)
    for _ in range(4 * RUNS):
        begun = time.process_time()
        Locator(layout).see(grey, search=True)
        located = time.process_time()
        pieces.read(sheet, found)
        costs["lock_on"].append(located - begun)
        costs["board_reading"].append(time.process_time() - located)
    for name, values in costs.items():
        yield _figure(name, "ms", [1000 * value for value in values])


def _pipeline() -> Iterator[Figure]:
    """Camera pictures through everything up to the booking, at 1280x720, while people play."""
    started = invite(load("patolli"), game="patolli", preset="quick", seats=SEATS, names={})
    with tempfile.TemporaryDirectory(prefix="macuil-bench-") as folder, closing(Journal(Path(folder))) as journal:
        sitting = Sitting(Evening(started, SEED), journal)
        costs: dict[str, list[float]] = {"moving": [], "reading": [], "rest": [], "decode": []}
        delays: dict[type[Event], list[float]] = {Thrown: [], Moved: []}
        still_at, board = 0.0, None
        while min(map(len, delays.values())) < RUNS and sitting.simulated.seconds < LONGEST_S:
            frame, known = sitting.simulated.frame(), sitting.table.version
            jpeg = cv2.imencode(".jpg", frame.image)[1]
            start = time.process_time()
            cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
            decoded = time.process_time()
            seen = sitting.look(frame)
            costs["decode"].append(decoded - start)
            read = seen.board is None or seen.board is not board
            what, board = "moving" if seen.state != "rest" else "reading" if read else "rest", seen.board
            costs[what].append(time.process_time() - decoded)
            still_at = frame.taken_at if sitting.simulated.busy else still_at
            for entry in sitting.table.entries:
                if entry.id > known and type(entry.event) in delays:
                    delays[type(entry.event)].append(frame.taken_at - still_at)
            sitting.act()
        whole = sum(map(sum, costs.values())) / len(costs["decode"])
        yield _figure("decode", "ms a frame", [1000 * value for value in costs["decode"]])
        yield _figure("frame_in_motion", "ms a frame", [1000 * value for value in costs["moving"]])
        yield _figure("frame_with_a_reading", "ms a frame", [1000 * value for value in costs["reading"]])
        yield _figure("frame_at_rest", "ms a frame", [1000 * value for value in costs["rest"]])
        yield _figure("whole_pipeline", "frames/s of one core", [1 / whole])
        for name, kind in (("rest_to_announced_throw", Thrown), ("rest_to_announced_move", Moved)):
            if delays[kind]:
                yield _figure(name, "s at the table", delays[kind])
