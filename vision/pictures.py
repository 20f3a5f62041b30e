"""Picture files, decoded as stored; whatever is none, or only a part of one, says so."""

import os
import re
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import cv2
import numpy as np

from vision.camera import Image

PICTURES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})
SMALLEST_PX = 32
LARGE_BYTES = 4_000_000
"""JPEG files from here on may be decoded at half size: 48 megapixels must not fill the memory."""
_SOI, _EOI, _SOS = 0xD8, 0xD9, 0xDA


class Unreadable(Exception):
    """A file that cannot be read as a picture; the message says why and what to do."""


def decode(path: Path, *, shrink: bool = False) -> tuple[Image, int]:
    """A picture as stored (not turned by EXIF), 8 bits, and by how much it was shrunk while decoding.

    Args:
        path: of the file.
        shrink: whether a very large one may be decoded at half size.

    Raises:
        Unreadable: no such file, no picture, an incomplete or a tiny one.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise Unreadable("no such file; check the name") from None
    except OSError as error:
        raise Unreadable(f"cannot be read ({error.strerror})") from error
    if not _complete(content):
        raise Unreadable("the picture is cut off: copy the file again")
    shrunk = 2 if shrink and content[:2] == b"\xff\xd8" and len(content) > LARGE_BYTES else 1
    how = cv2.IMREAD_COLOR if shrunk == 1 else cv2.IMREAD_REDUCED_COLOR_2
    image = None
    if content:
        with _silent(), suppress(cv2.error):
            image = cv2.imdecode(np.frombuffer(content, np.uint8), how | cv2.IMREAD_IGNORE_ORIENTATION)
    if image is None:
        raise Unreadable("not a picture that can be read; save it as JPEG, PNG, BMP, WebP or TIFF")
    if min(image.shape[:2]) < SMALLEST_PX:
        raise Unreadable(f"{image.shape[1]}x{image.shape[0]} pixels are too few, {SMALLEST_PX} a side are needed")
    return np.asarray(image, np.uint8), shrunk


def picture_files(folder: Path) -> list[Path]:
    """The pictures in a folder in name order, 9.jpg before 10.jpg; hidden files are none. Raises OSError."""
    found = (path for path in folder.iterdir() if path.suffix.lower() in PICTURES and path.is_file())
    return sorted((path for path in found if not path.name.startswith(".")), key=lambda path: _natural(path.name))


def _natural(name: str) -> list[tuple[int, int, str]]:
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.findall(r"[0-9]+|[^0-9]+", name)]


def pictures(named: Path) -> list[Path]:
    """The picture itself, or the pictures in a folder in name order. Raises Unreadable for a folder without any."""
    try:
        if not named.is_dir():
            return [named]
        found = picture_files(named)
    except OSError as error:
        raise Unreadable(f"cannot be read ({error.strerror})") from error
    if not found:
        raise Unreadable("a folder without pictures; it must hold .jpg or .png files")
    return found


def _complete(content: bytes) -> bool:
    """Whether a JPEG or PNG reaches its own end; phones append films and maps of depth behind it."""
    if content[:2] == b"\xff\xd8":
        return _jpeg_ends(content)
    return content[:8] != b"\x89PNG\r\n\x1a\n" or _png_ends(content)


def _jpeg_ends(content: bytes) -> bool:
    """Segment by segment to the end of the first picture (ITU T.81, annex B)."""
    at = 2
    while at + 4 <= len(content) and content[at] == 0xFF:
        marker = content[at + 1]
        if marker in (0xFF, _SOI):
            at += 1 if marker == 0xFF else 2
            continue
        if marker == _EOI:
            return True
        at += 2 + int.from_bytes(content[at + 2 : at + 4], "big")
        if marker == _SOS:
            at = _after_scan(content, at)
    return content[at : at + 2] == b"\xff\xd9"


def _after_scan(content: bytes, at: int) -> int:
    """Where the coded data ends: at the next marker that is neither a stuffed byte nor a restart."""
    while (at := content.find(b"\xff", at)) >= 0 and at + 1 < len(content):
        if content[at + 1] != 0 and not 0xD0 <= content[at + 1] <= 0xD7:
            return at
        at += 2
    return len(content)


def _png_ends(content: bytes) -> bool:
    """Chunk by chunk to IEND (PNG specification, 5.3)."""
    at = 8
    while at + 12 <= len(content):
        length, kind = struct.unpack(">I4s", content[at : at + 8])
        at += 12 + length
        if kind == b"IEND":
            return bool(at <= len(content))
    return False


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
