"""``macuil read IMAGE…``: beans or dice in pictures, one line a picture."""

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observation import ThrowSeen
from referee.rules import Needs
from server.cli import Refused
from vision.camera import Image
from vision.throws import ThrowReader

PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}
SMALLEST_PX = 32
LARGE_BYTES = 4_000_000
"""JPEG files from here on are decoded at half size: 48 megapixels must not fill the memory."""


class Unreadable(Exception):
    """A file that cannot be read as a picture; the message says why."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="a picture, or a folder of pictures")
    parser.add_argument("--expect", default="auto", metavar="beans=5|dice=2|auto", help="what was thrown")
    parser.add_argument("--area", metavar="X,Y,W,H", help="the throwing place in pixels; default: the whole picture")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(arguments: argparse.Namespace) -> int:
    """Read every picture; 1 if any could not be read."""
    reader = ThrowReader(parse_needs(arguments.expect))
    area = parse_area(arguments.area)
    failed = False
    for named in arguments.images:
        try:
            paths = pictures(named)
        except Unreadable as error:
            paths, failed = [], complain("read", named, error)
        for path in paths:
            try:
                print(_line(reader, path, area, arguments.json), flush=True)
            except Unreadable as error:
                failed = complain("read", path, error)
    return int(failed)


def decode(path: Path) -> tuple[Image, int]:
    """A picture as stored (not turned by EXIF), 8 bits, and by how much it was shrunk while decoding.

    Raises:
        Unreadable: no such file, no picture, a truncated or a tiny one.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise Unreadable("no such file") from None
    except OSError as error:
        raise Unreadable(error.strerror or "cannot be read") from error
    if _truncated(content):
        raise Unreadable("the picture is cut off: the file is incomplete")
    shrunk = 2 if content[:2] == b"\xff\xd8" and len(content) > LARGE_BYTES else 1
    how = cv2.IMREAD_COLOR if shrunk == 1 else cv2.IMREAD_REDUCED_COLOR_2
    image = None
    if content:
        with _silent(), suppress(cv2.error):
            image = cv2.imdecode(np.frombuffer(content, np.uint8), how | cv2.IMREAD_IGNORE_ORIENTATION)
    if image is None:
        raise Unreadable("not a picture that can be read (JPEG, PNG, BMP, WebP or TIFF)")
    if min(image.shape[:2]) < SMALLEST_PX:
        raise Unreadable(f"{image.shape[1]}x{image.shape[0]} pixels are too few, {SMALLEST_PX} a side are needed")
    return np.asarray(image, np.uint8), shrunk


def _line(reader: ThrowReader, path: Path, area: tuple[float, float, float, float] | None, as_json: bool) -> str:
    start = time.perf_counter()
    image, shrunk = decode(path)
    place = None if area is None else _corners(area, image, shrunk)
    seen = reader.read([image], place)
    elapsed = (time.perf_counter() - start) * 1000
    if as_json:
        return json.dumps({"file": str(path), **_as_json(seen, shrunk), "ms": round(elapsed, 1)})
    return f"{path}: {_in_words(seen)}"


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
    return f"{what}, uncertain: {', '.join(seen.plights)}" if seen.plights else f"{what}, uncertain"


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


def _corners(area: tuple[float, float, float, float], image: Image, shrunk: int) -> NDArray[np.float32]:
    x, y, width, height = (value / shrunk for value in area)
    if x >= image.shape[1] or y >= image.shape[0] or x + width <= 0 or y + height <= 0:
        size = f"{image.shape[1] * shrunk}x{image.shape[0] * shrunk}"
        raise Unreadable(f"--area lies outside the picture of {size} pixels")
    return np.asarray([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


def pictures(named: Path) -> list[Path]:
    """The picture itself, or the pictures in a folder in name order. Raises Unreadable for a folder without any."""
    if not named.is_dir():
        return [named]
    found = sorted(path for path in named.iterdir() if path.suffix.lower() in PICTURES)
    if not found:
        raise Unreadable("a folder without pictures")
    return found


def _truncated(content: bytes) -> bool:
    """True for a JPEG whose last scan never ends, or a PNG without its end."""
    if content[:2] == b"\xff\xd8":
        return content.rfind(b"\xff\xda") >= content.rfind(b"\xff\xd9")
    return content[:8] == b"\x89PNG\r\n\x1a\n" and b"IEND" not in content[-64:]


@contextmanager
def _silent() -> Iterator[None]:
    """The decoders inside OpenCV print complaints of their own straight to standard error; ours is one line."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def complain(command: str, path: Path, error: Unreadable) -> bool:
    """One line on standard error about a file that could not be read; True, for it failed."""
    print(f"macuil {command}: {path}: {error}", file=sys.stderr, flush=True)
    return True
