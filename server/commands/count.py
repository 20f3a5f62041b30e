"""`macuil count SOURCE`: count thrown beans or dice in the terminal, and say whether they are fair."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import cv2

from referee.rules import Needs
from referee.throws import Beans, Throw
from server import fair_page, plights
from server.cli import Refused
from server.commands.count_photographs import NOTHING, Nothing, photographs, read_photographs
from server.commands.read import corners, parse_area, parse_needs
from server.counts import BadCounts, append, judge, read_counts
from server.footage import footage
from server.histogram import histogram
from server.lessons import BadLessons, Keeper
from server.new_file import check_new, write_new
from server.progress import Progress
from server.settings import SettingsError
from server.tally import Tally, Told
from server.taught_file import add_folder, recall, table_folder
from server.verdict import headline, sentences, thrown, times
from server.words import english
from vision.camera import CameraLost, Frame, Image
from vision.capture import CaptureStatus
from vision.taught import Taught, taught_reader
from vision.throws import ThrowReader
from vision.tray import TrayReader


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "source",
        nargs="?",
        help="a camera's number or identity, a URL, a video, or a folder: a recording, or a photograph of each throw",
    )
    parser.add_argument(
        "--from",
        dest="counted",
        type=Path,
        metavar="CSV",
        help="judge throws counted before: a CSV with a column marks or faces",
    )
    parser.add_argument("--expect", metavar="beans=5|dice=2", help="what is thrown (default beans=5)")
    parser.add_argument("--area", metavar="X,Y,W,H", help="the throwing place in pixels (default: the whole picture)")
    parser.add_argument("--fps", type=float, default=15.0, help="rate of the pictures of a recording in a folder")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write each throw to a new file as it is counted")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep each throw's picture, to teach the reader with"
    )
    parser.add_argument("--plot", type=Path, metavar="FILE.html", help="draw the verdict as a page for the browser")
    add_folder(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(arguments: Namespace) -> int:
    """Count to the end of the recording or until Ctrl+C, then judge; or judge what was counted before.

    1 if there was no throw to count, or a photograph could not be read; 2 if none could be read.
    """
    needs = parse_needs(arguments.expect) if arguments.expect else None
    if arguments.expect == "auto":
        raise Refused("--expect auto: to count, say what is thrown, such as beans=5 or dice=2")
    if (arguments.source is None) == (arguments.counted is None):
        raise Refused("name either a SOURCE to count from or, with --from, a CSV of throws counted before")
    if arguments.counted is None:
        return _count(arguments, needs or Needs(beans=5))
    if arguments.csv:
        raise Refused("--csv: throws are written while they are counted, not with --from")
    if arguments.keep:
        raise Refused("--keep: pictures are kept while throws are counted, not with --from")
    try:
        needs, throws = read_counts(arguments.counted, needs)
    except BadCounts as error:
        raise Refused(str(error)) from error
    _check_plot(arguments.plot)
    _conclude(needs, throws, arguments, arguments.counted.name)
    return 0


def _count(arguments: Namespace, needs: Needs) -> int:
    cv2.setNumThreads(1)
    counter = _Counter(needs, arguments)
    lost: str | None = None
    try:
        _check_plot(arguments.plot)
        _check_csv(arguments.csv)
        if paths := photographs(arguments.source, arguments.fps):
            counter.prepare(arguments)
            counter.look_at(paths)
        else:
            with footage(arguments.source, arguments.fps) as frames:
                counter.prepare(arguments)
                counter.follow(frames)
    except KeyboardInterrupt:
        if not counter.started:
            raise
    except (CameraLost, BadCounts, BadLessons, SettingsError) as error:
        lost = str(error)
    if counter.started:
        # Whatever ended it, what was counted is told.
        counter.progress.clear()
        _conclude(needs, counter.throws, arguments, arguments.source, counter.uncertain + counter.unseen)
    if lost:
        raise Refused(lost)
    if counter.started and not counter.throws:
        raise Refused(f"no throw was counted, so there is nothing to judge: {counter.why_none()}", status=1)
    return 0 if not counter.unread else 1 if counter.started else 2


class _Counter:
    """Counts the throws of one source and tells of each."""

    def __init__(self, needs: Needs, arguments: Namespace) -> None:
        self.throws: list[Throw] = []
        self.uncertain = 0
        self.unread, self.unseen = 0, 0
        """Photographs that could not be read, and in which nothing is seen."""
        self.started = False
        self.progress = Progress(sys.stdout, shown=sys.stdout.isatty() and not arguments.json)
        self._needs = needs
        self._csv: Path | None = arguments.csv
        self._json: bool = arguments.json
        self._area = parse_area(arguments.area)
        self._area_px = None if self._area is None else corners(self._area)
        self._keeper: Keeper | None = None
        self._taught: tuple[Taught, ...] = ()
        self._resting: Image | None = None
        """The newest picture of the place at rest; None: it never was."""

    def prepare(self, arguments: Namespace) -> None:
        """What the disk has to say. Raises BadLessons, SettingsError."""
        self._taught = recall(table_folder(arguments), self._needs)
        if arguments.keep:
            self._keeper = Keeper(arguments.keep, self._needs, self._area_px)

    def follow(self, frames: Iterator[Frame | CaptureStatus]) -> None:
        """Count to the end of the recording."""
        throw_reader = taught_reader(self._needs, self._taught)
        reader, tally = TrayReader(self._needs, self._area_px, throw_reader=throw_reader), Tally(self._needs)
        began, picture_px = 0.0, 0
        for frame in frames:
            if isinstance(frame, CaptureStatus):
                if frame.state != "ok":
                    self.progress.line(f"           camera {frame.state}: {frame.why}".rstrip(": "))
                continue
            if not self.started:
                self.started, began, picture_px = True, frame.taken_at, max(frame.image.shape[:2])
            seen = reader.see(frame)
            if seen.state == "rest":
                self._resting = frame.image
            self._tell(tally.see(seen, picture_px), began)
            self.progress.show(self._so_far(tally.state))
        self._tell(tally.end(picture_px), began)

    def look_at(self, paths: tuple[Path, ...]) -> None:
        """Count the throws of single photographs."""
        self.progress.shown = False
        if not self._json:
            print("photographs, not a recording: each is read as one throw", flush=True)
        reader = taught_reader(self._needs, self._taught) or ThrowReader(self._needs)
        for shown in read_photographs(paths, self._needs, reader, self._area):
            if shown is None:
                self.unread += 1
                continue
            self.started, self._resting = True, shown.image
            if isinstance(shown.told, Told):
                self._tell(shown.told, 0.0, shown.path)
            else:
                self._none(shown.path, shown.told)

    def _none(self, path: Path, why: Nothing) -> None:
        # Of each throw there is a photograph: that nothing is seen in one is no certainty.
        self.unseen += why == "empty"
        if self._json:
            print(json.dumps({"file": str(path), "event": why, "throws": len(self.throws)}), flush=True)
        else:
            print(f"{path.name}  not counted: {NOTHING[why]}", flush=True)

    def why_none(self) -> str:
        """Why nothing was counted, and what to do."""
        if self.uncertain:
            return "none was read for certain; mend what is said of each, or write the throws into a CSV for --from"
        if self._resting is None:
            return "nothing ever came to rest; let each throw lie for a second before you take it up"
        return "nothing was thrown where it was looked; name the place with --area"

    def _tell(self, told: Told | None, began: float, photograph: Path | None = None) -> None:
        if told is None:
            return
        t = told.t - began
        if told.throw is None:
            self.uncertain += 1
        else:
            self.throws.append(told.throw)
            if self._csv:
                append(self._csv, t, told.throw)
        if self._keeper and self._resting is not None:
            self._keeper.keep(self._resting, told.throw)
        if self._json:
            line = {"file": str(photograph)} if photograph else {"t": round(t, 3)}
            print(json.dumps(line | _as_json(told, len(self.throws))), flush=True)
            return
        at = photograph.name if photograph else f"{t:8.2f} s"
        if told.throw is None:
            self.progress.line(f"{at}  not counted: {_plights(told, self._needs)}")
        elif not self.progress.shown:
            print(f"{at}  throw {len(self.throws)}: {_value(told.throw)}", flush=True)

    def _so_far(self, state: str) -> str:
        if not self.throws:
            return f"no throws yet   [{state}]"
        total = sum(throw.marks if isinstance(throw, Beans) else sum(throw.values) for throw in self.throws)
        count = len(self.throws)
        return (
            f"{count} throw{'s' * (count > 1)}   last {_value(self.throws[-1])}   mean {total / count:.2f}   [{state}]"
        )


def _conclude(needs: Needs, throws: list[Throw], arguments: Namespace, name: str, uncertain: int = 0) -> None:
    """Totals, histogram, estimate and verdict; and the page."""
    judged = judge(needs, throws) if throws else None
    if arguments.json:
        total = {"event": "total", "throws": len(throws), "uncertain": uncertain}
        print(json.dumps(total | (asdict(judged) if judged else {})), flush=True)
    else:
        left_out = f", {uncertain} uncertain and left out" if uncertain else ""
        print(f"\n{times(len(throws))} of {thrown(needs)} counted{left_out}")
        if judged:
            print("\n".join(("", *histogram(judged), "")))
            print("\n".join((f"{english(headline(judged))}.", *(english(*line) for line in sentences(judged)))))
    if arguments.plot and judged:
        write_new("--plot", arguments.plot, fair_page.page(judged, needs, name).encode())


def _value(throw: Throw) -> str:
    if isinstance(throw, Beans):
        return f"{throw.marks} of {throw.count}"
    return " ".join(str(face) for face in throw.values)


def _plights(told: Told, needs: Needs) -> str:
    if told.seen.plights:
        return plights.in_words(told.seen)
    if told.seen.certain:
        other = f"dice={len(told.seen.dice)}" if needs.beans else f"beans={len(told.seen.beans)}"
        return f"{thrown(needs)} are counted; for these say --expect {other}"
    return "cannot be told for certain"


def _as_json(told: Told, throws: int) -> dict[str, object]:
    if told.throw is None:
        return {"event": "plight", "plights": list(told.seen.plights), "throws": throws}
    line: dict[str, object] = {"event": "throw"}
    value = {"marked": told.throw.marks} if isinstance(told.throw, Beans) else {"dice": list(told.throw.values)}
    return line | value | {"throws": throws}


def _check_csv(path: Path | None) -> None:
    if path is not None:
        _check_writable("--csv", path)


def _check_plot(path: Path | None) -> None:
    if path is None:
        return
    if path.suffix.lower() not in (".html", ".htm"):
        raise Refused(f"--plot {path}: is a page for the browser; end the name with .html")
    _check_writable("--plot", path)


def _check_writable(flag: str, path: Path) -> None:
    """Told before the first throw, not after the last. Leaves no empty file behind."""
    check_new(flag, path)
    try:
        path.open("x").close()
        path.unlink()
    except OSError as error:
        raise Refused(f"{flag} {path}: cannot be written ({error.strerror}); choose another place") from error
