"""`macuil teach FOLDER`: teach the reader one's own beans or dice, with ten to twenty throws whose value is known."""

import json
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import cv2

from referee.rules import Needs
from server.cli import Refused
from server.commands.read import corners, parse_area, parse_needs
from server.journal import FILE
from server.lessons import BadLessons, read_lessons
from server.match_lessons import match_lessons
from server.settings import SettingsError
from server.taught_file import BadTaught, add_folder, forget, keep, remember, table_folder
from server.teaching import Figures, NotTaught, teach
from server.verdict import thrown
from vision.taught import FACES, Kind

ROWS = (
    ("right", "read right"),
    ("certain", "certain"),
    ("wrong_certain", "certain but wrong"),
    ("log_loss", "log loss"),
)


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        metavar="FOLDER",
        help="pictures and throws.csv, as `macuil count --keep` writes them; without: what the table was taught",
    )
    parser.add_argument("--match", action="store_true", help="teach with the throws of the table's own matches")
    parser.add_argument("--forget", action="store_true", help="set aside what the table was taught")
    parser.add_argument("--expect", metavar="beans=5|dice=2", help="what was thrown (default: as throws.csv has it)")
    parser.add_argument("--area", metavar="X,Y,W,H", help="the throwing place in pixels; default: the whole picture")
    add_folder(parser)
    parser.add_argument("--json", action="store_true", help="the figures as JSON")


def run(arguments: Namespace) -> int:
    """Teach and keep it, if it helps; 1 if it does not."""
    cv2.setNumThreads(1)
    if sum((arguments.folder is not None, arguments.match, arguments.forget)) > 1:
        raise Refused("name one of FOLDER, --match and --forget")
    if arguments.expect == "auto":
        raise Refused("--expect auto: to teach, say what was thrown, such as beans=5 or dice=2")
    needs = parse_needs(arguments.expect) if arguments.expect else None
    kinds: tuple[Kind, ...] = tuple(kind for kind in FACES if needs is None or getattr(needs, kind))
    try:
        folder = table_folder(arguments)
        if arguments.forget:
            return _forget(folder, kinds, arguments.json)
        if arguments.folder is None and not arguments.match:
            return _tell(folder, kinds, arguments.json)
        return _teach(folder, needs, arguments)
    except (SettingsError, BadLessons, BadTaught, NotTaught) as error:
        raise Refused(str(error)) from error


def _teach(folder: Path, needs: Needs | None, arguments: Namespace) -> int:
    if arguments.match:
        if arguments.area:
            raise Refused("--area: the pictures of a match show the throwing place alone")
        needs, throws = match_lessons(folder / FILE)
    else:
        area = parse_area(arguments.area)
        needs, throws = read_lessons(arguments.folder, needs, None if area is None else corners(area))
    lessons = teach(needs, throws)
    kept = None if lessons.why else keep(folder, lessons, datetime.now(UTC))
    if arguments.json:
        line = {
            "kind": lessons.taught.kind,
            "throws": len(throws),
            "found": lessons.found,
            "before": asdict(lessons.before),
            "after": asdict(lessons.after),
            "taught": not lessons.why,
            "why": lessons.why,
            "kept": str(kept) if kept else None,
        }
        print(json.dumps(line, ensure_ascii=False), flush=True)
    else:
        found = f"; all were found in {lessons.found}" if lessons.found < len(throws) else ""
        print(f"{len(throws)} throws of {thrown(needs)}{found}, each read before and after it was taught the others:")
        print(_table(lessons.before, lessons.after), flush=True)
    if lessons.why:
        raise Refused(f"not taught, nothing is changed: {lessons.why}", status=1)
    if not arguments.json:
        print(f"Taught, from the next start on; kept as {kept}. `macuil teach --forget` takes it back.")
    return 0


def _tell(folder: Path, kinds: tuple[Kind, ...], as_json: bool) -> int:
    known = [remembered for kind in kinds if (remembered := remember(folder, kind))]
    for one in known:
        if as_json:
            line = {"kind": one.taught.kind, "at": one.at.isoformat(), "throws": one.throws}
            print(json.dumps({**line, "before": asdict(one.before), "after": asdict(one.after)}), flush=True)
        else:
            print(f"{one.taught.kind}, taught on {one.at:%Y-%m-%d} with {one.throws} throws:")
            print(_table(one.before, one.after), flush=True)
    if not known and not as_json:
        print(f"Nothing was taught in {folder}. Count with --keep FOLDER, put throws.csv right, and name that FOLDER.")
    return 0


def _forget(folder: Path, kinds: tuple[Kind, ...], as_json: bool) -> int:
    aside = forget(folder, kinds, datetime.now(UTC))
    if as_json:
        print(json.dumps({"aside": [str(path) for path in aside]}), flush=True)
    else:
        print("\n".join(f"Set aside as {path}" for path in aside) or f"Nothing was taught in {folder}.", flush=True)
    return 0


def _table(before: Figures, after: Figures) -> str:
    columns = [("", "before", "after")]
    columns += [(what, f"{getattr(before, name):g}", f"{getattr(after, name):g}") for name, what in ROWS]
    return "\n".join(f"  {what:18} {was:>8} {now:>8}" for what, was, now in columns)
