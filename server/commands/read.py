"""``macuil read IMAGE…``: beans or dice in pictures, one line a picture."""

import argparse
import json
import re
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.observation import ThrowSeen
from referee.rules import Needs
from server import plights
from server.cli import Refused
from server.settings import SettingsError
from server.taught_file import add_folder, recall, table_folder
from vision.camera import Image
from vision.pictures import Unreadable, decode, pictures
from vision.printed_place import PlaceUnseen, printed_place
from vision.taught import taught_reader
from vision.throws import ThrowReader


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="a picture, or a folder of pictures")
    parser.add_argument("--expect", default="auto", metavar="beans=5|dice=2|auto", help="what was thrown")
    parser.add_argument(
        "--area",
        metavar="X,Y,W,H",
        help="the throwing place in pixels; default: that of a printed board, else the whole picture",
    )
    add_folder(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(arguments: argparse.Namespace) -> int:
    """Read every picture; 1 if some could not be read, 2 if none could."""
    needs, area = parse_needs(arguments.expect), parse_area(arguments.area)
    reader = _taught(arguments, needs) or ThrowReader(needs)
    failed = read = False
    for named in arguments.images:
        try:
            paths = pictures(named)
        except Unreadable as error:
            paths, failed = [], complain("read", named, error)
        for path in paths:
            try:
                print(_line(reader, path, area, arguments.json), flush=True)
                read = True
            except Unreadable as error:
                failed = complain("read", path, error)
    return 0 if not failed else 1 if read else 2


def _taught(arguments: argparse.Namespace, needs: Needs | None) -> ThrowReader | None:
    """As a table was taught, where one is named: these pictures may be of any other."""
    if not (arguments.table or arguments.data):
        return None
    try:
        return taught_reader(needs, recall(table_folder(arguments), needs))
    except SettingsError as error:
        raise Refused(str(error)) from error


def _line(reader: ThrowReader, path: Path, area: tuple[float, float, float, float] | None, as_json: bool) -> str:
    start = time.perf_counter()
    image, shrunk = decode(path, shrink=True)
    seen = read_throw(reader, image, shrunk, area)
    elapsed = (time.perf_counter() - start) * 1000
    if as_json:
        return json.dumps({"file": str(path), **_as_json(seen, shrunk), "ms": round(elapsed, 1)})
    return f"{path}: {_in_words(seen)}"


def read_throw(
    reader: ThrowReader, image: Image, shrunk: int, area: tuple[float, float, float, float] | None
) -> ThrowSeen:
    """Read what lies in the area, else in the place of a printed board where there is one, else in the whole picture.

    Args:
        reader: of the throws.
        image: the picture.
        shrunk: by how much it was shrunk while decoding.
        area: x, y, width and height in pixels of the picture as stored.

    Raises:
        Unreadable: the area lies outside.
    """
    if area is not None:
        return reader.read([image], _within(area, image, shrunk))
    try:
        found = printed_place(image)
    except PlaceUnseen:
        # The board's own drawings may be taken for beans.
        seen = reader.read([image])
        return replace(seen, certain=False, plights=tuple(sorted({*seen.plights, "extra"})))
    if found is None:
        return reader.read([image])
    return reader.read([image], found[0], px_per_mm=found[1])


def _as_json(seen: ThrowSeen, shrunk: int) -> dict[str, object]:
    return {
        "kind": seen.kind,
        "beans": [
            {
                "centre": [round(v * shrunk, 1) for v in bean.centre_px],
                "face": bean.face,
                "flat": bean.flat,
                "confidence": bean.confidence,
            }
            for bean in seen.beans
        ],
        "marked": seen.marked,
        "dice": [
            {
                "box": [round(v * shrunk, 1) for v in die.box_px],
                "value": die.value,
                "flat": die.flat,
                "confidence": die.confidence,
            }
            for die in seen.dice
        ],
        "plights": list(seen.plights),
        "certain": seen.certain,
    }


def _in_words(seen: ThrowSeen) -> str:
    if seen.kind == "beans":
        what = f"{seen.marked} of {len(seen.beans)} beans marked"
    elif seen.kind == "dice":
        what = "dice " + " ".join("?" if die.value is None else str(die.value) for die in seen.dice)
    else:
        what = "no throw"
    if seen.certain:
        return what
    return f"{what}, uncertain: {plights.in_words(seen)}" if seen.plights else f"{what}, uncertain"


def parse_needs(expect: str) -> Needs | None:
    """What ``--expect`` says is thrown; None for ``auto``. Raises Refused."""
    if expect == "auto":
        return None
    match = re.fullmatch(r"(beans|dice)=([1-9]\d?)", expect)
    if match is None:
        raise Refused(f"--expect {expect}: write beans=5, dice=2 or auto")
    return Needs(**{match[1]: int(match[2])})


def parse_area(text: str | None) -> tuple[float, float, float, float] | None:
    """What ``--area`` says: x, y, width, height in pixels. Raises Refused."""
    if text is None:
        return None
    try:
        x, y, width, height = (float(part) for part in text.split(","))
    except ValueError:
        raise Refused(f"--area {text}: write X,Y,W,H in pixels, such as 100,80,640,480") from None
    if not (width > 0 and height > 0 and np.isfinite([x, y, width, height]).all()):
        raise Refused(f"--area {text}: width and height must be above 0")
    return x, y, width, height


def corners(area: tuple[float, float, float, float]) -> NDArray[np.float32]:
    """Corners of an x, y, width, height in pixels, clockwise from the top left, shape (4, 2)."""
    x, y, width, height = area
    return np.asarray([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


def _within(area: tuple[float, float, float, float], image: Image, shrunk: int) -> NDArray[np.float32]:
    x, y, width, height = (value / shrunk for value in area)
    if x >= image.shape[1] or y >= image.shape[0] or x + width <= 0 or y + height <= 0:
        size = f"{image.shape[1] * shrunk}x{image.shape[0] * shrunk}"
        raise Unreadable(f"--area lies outside the picture of {size} pixels")
    left, top, right, bottom = max(x, 0), max(y, 0), min(x + width, image.shape[1]), min(y + height, image.shape[0])
    return corners((left, top, right - left, bottom - top))


def complain(command: str, path: Path, error: Unreadable) -> bool:
    """One line on standard error about a file that could not be read; True, for it failed."""
    print(f"macuil {command}: {path}: {error}", file=sys.stderr, flush=True)
    return True
