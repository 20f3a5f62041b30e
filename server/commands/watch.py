"""`macuil watch SOURCE`: referee a recording or a live source in the terminal, one line an event."""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import cv2

from calibration.corners import CornersRefused
from calibration.profile import BadProfile
from referee.notation import dump_event
from referee.observation import Observation
from referee.registry import GAMES
from referee.rules import BadQuestion
from server.boards import named_board
from server.cli import Refused
from server.commands.locate import configure_corners, open_lens, parse_corners, parse_pieces
from server.commands.read import corners, parse_area, parse_needs
from server.commands.serve import invitation
from server.footage import footage
from server.journal import Journal
from server.lenses import TableLenses, add_lens
from server.settings import Settings, SettingsError, read_settings
from server.table import Table
from server.tally import Tally, Told
from server.taught_file import add_data, recall, table_folder
from vision.camera import CameraLost, Frame
from vision.capture import CaptureStatus
from vision.follow import Follower
from vision.locate import Locates
from vision.reader import Reader
from vision.straightened import StraightFollower
from vision.taught import taught_reader
from vision.tray import TrayReader

NO_REST = "nothing ever came to rest, so nothing was read; single photographs are for macuil read and macuil locate"
Line = dict[str, Any]
Footage = Iterator[Frame | CaptureStatus]


class _Watcher(Protocol):
    def see(self, frame: Frame) -> Observation: ...


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("source", help="a camera's number or identity, a URL, a video, or a folder of pictures")
    parser.add_argument("--fps", type=float, default=15.0, help="rate of a folder's pictures")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "--expect", default="auto", metavar="beans=5|dice=2|auto", help="what is thrown, without a game"
    )
    parser.add_argument("--area", metavar="X,Y,W,H", help="the throwing place in pixels, without a game")
    parser.add_argument("--table", type=Path, metavar="TOML", help="settings of this table; the flags override it")
    parser.add_argument("--game", choices=sorted(GAMES), help="referee a match on the printed board")
    parser.add_argument("--preset", help="the rules to play by: classic, quick, modern, …")
    parser.add_argument("--seats", help="how many play (2), or which seats (1,3)")
    parser.add_argument("--layout", help="a board that comes with Macuil, or the path of a TOML")
    parser.add_argument("--pieces", metavar="1=#2a9d6f,3=#e4705a", help="colours of the pieces, if not the seats' own")
    add_data(parser)
    configure_corners(parser)
    add_lens(parser)


def run(arguments: argparse.Namespace) -> int:
    """Watch to the end of the recording, or until Ctrl+C."""
    cv2.setNumThreads(1)
    restless = True
    if arguments.lens and not (arguments.game or arguments.table):
        raise Refused("--lens: throws alone are read without a lens; leave it out, or name the match with --game")
    try:
        lenses = open_lens(arguments.lens) or TableLenses(table_folder(arguments))
        with footage(arguments.source, arguments.fps, lenses.of) as frames:
            lines = (
                _refereed(frames, arguments, lenses)
                if arguments.game or arguments.table
                else _thrown(frames, arguments)
            )
            for line in lines:
                # A board that is not found, or is still being learnt, is told of in its own words.
                restless &= line["event"] not in ("rest", "lost") and "learning" not in line.get("plights", ())
                print(json.dumps(line, ensure_ascii=False) if arguments.json else _in_words(line), flush=True)
    except CornersRefused as error:
        raise Refused(f"--corners: {error}") from error
    except (CameraLost, SettingsError, BadProfile, BadQuestion) as error:
        raise Refused(str(error)) from error
    if restless:
        print(f"macuil watch: {arguments.source}: {NO_REST}", file=sys.stderr, flush=True)
    return 0


def _thrown(frames: Footage, arguments: argparse.Namespace) -> Iterator[Line]:
    """Throws alone: each is told once, and what is certain is not told otherwise until it is thrown anew."""
    area, needs = parse_area(arguments.area), parse_needs(arguments.expect)
    throw_reader = taught_reader(needs, recall(table_folder(arguments), needs))
    reader = TrayReader(needs, None if area is None else corners(area), throw_reader=throw_reader)
    tally = Tally(needs)
    t, picture_px = 0.0, 0
    for seen in _observations(frames, reader):
        if isinstance(seen, _CameraTold):
            yield seen.line
            continue
        t, picture_px = seen.t, seen.picture_px
        yield from _throws(t, tally.see(seen.observation, picture_px))
        if seen.observation.light_changed:
            yield {"t": t, "event": "light"}
        yield from _changes(seen)
    yield from _throws(t, tally.end(picture_px))


def _refereed(frames: Footage, arguments: argparse.Namespace, lenses: TableLenses) -> Iterator[Line]:
    """A match: every booking with the position after it, plights and objections as they come and go."""
    settings = read_settings(arguments.table) if arguments.table else Settings()
    chosen = {name: getattr(arguments, name) for name in ("game", "preset", "seats", "layout")}
    settings = replace(settings, **{name: value for name, value in chosen.items() if value is not None})
    layout = named_board("--layout", settings.layout)
    started = invitation(settings, layout, None)
    with _journal() as journal:
        table = Table(journal, layout, now=lambda: datetime.now(UTC))
        table.start(started)
        assert table.match is not None
        shown = parse_corners(arguments.corners) or settings.corners
        if not (shown or layout.tags):
            raise SettingsError(f"layout {layout.name} has no tags to find it by; show its corners with --corners")
        locator: Locates | None = None
        if shown:
            locator = StraightFollower(layout, shown, lenses) if arguments.lens else Follower(layout, shown)
        needs = table.match.game.needs
        throw_reader = taught_reader(needs, recall(table_folder(arguments), needs))
        reader = Reader(
            layout,
            seats=started.seats,
            needs=needs,
            colours=parse_pieces(arguments.pieces),
            throw_reader=throw_reader,
            locator=locator,
            standing=table.standing,
            lenses=lenses,
        )
        told, plight = table.version, table.plight
        for seen in _observations(frames, reader):
            if isinstance(seen, _CameraTold):
                yield seen.line
                continue
            yield from _changes(seen)
            table.see(seen.observation)
            if table.plight != plight and table.plight:
                yield {"t": seen.t, "event": "plight", "plight": table.plight}
            plight = table.plight
            for entry in table.entries:
                if entry.id > told:
                    yield _booked(seen.t, dump_event(entry.event), table)
            told = table.version


class _Seen:
    """An observation with what it changed."""

    def __init__(self, observation: Observation, before: Observation | None, frame: Frame) -> None:
        self.observation = observation
        self.before = before
        self.picture_px = max(frame.image.shape[:2])
        self.t = round(observation.taken_at, 3)


class _CameraTold:
    """How a live camera does, when that changes."""

    def __init__(self, taken_at: float, status: CaptureStatus) -> None:
        self.line: Line = {"t": round(taken_at, 3), "event": "camera", "state": status.state}
        if status.why:
            self.line["why"] = status.why


def _observations(frames: Footage, reader: _Watcher) -> Iterator[_Seen | _CameraTold]:
    before = None
    for frame in frames:
        if isinstance(frame, CaptureStatus):
            yield _CameraTold(before.taken_at if before else 0.0, frame)
            continue
        observation = reader.see(frame)
        yield _Seen(observation, before, frame)
        before = observation


def _changes(seen: _Seen) -> Iterator[Line]:
    if seen.before is None or seen.observation.state != seen.before.state:
        plights = seen.observation.plights
        yield {"t": seen.t, "event": seen.observation.state, **({"plights": list(plights)} if plights else {})}


def _throws(t: float, told: Told | None) -> Iterator[Line]:
    if told is None or told.seen.kind == "none":
        return
    seen = told.seen
    value: Line = {"marked": seen.marked} if seen.kind == "beans" else {"dice": [die.value for die in seen.dice]}
    yield {"t": t, "event": "throw", **value, "certain": seen.certain, "plights": list(seen.plights)}


def _booked(t: float, event: Line, table: Table) -> Line:
    assert table.match is not None
    names = {"thrown": "throw", "moved": "move", "objected": "objection"}
    kind = event.pop("event")
    return {
        "t": t,
        "event": names.get(kind, kind),
        **event,
        "state": table.match.game.dump(table.match.position),
    }


def _in_words(line: Line) -> str:
    rest = ", ".join(f"{key} {value}" for key, value in line.items() if key not in ("t", "event", "state", "lay"))
    return f"{line['t']:8.2f} s  {line['event']}  {rest}".rstrip()


@contextmanager
def _journal() -> Iterator[Journal]:
    """A match that is only watched leaves nothing behind."""
    with tempfile.TemporaryDirectory(prefix="macuil-watch-") as folder, closing(Journal(Path(folder))) as journal:
        yield journal
