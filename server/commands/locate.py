"""`macuil locate IMAGE…`: where the board is in a picture and what stands on it, one line a picture.

Corners are pixels of the picture as stored. A board without tags is located by ``--corners`` that a person shows, the
same in every picture; then nothing tells a residual. ``homography`` maps millimetres on the board to pixels of the
undistorted picture; of a chessboard, whose size nobody knows, it maps squares from the first corner, which is a8 as far
as the cells' names go. A cell that cannot be read has no piece and the confidence 0. A board that is not our print is
read against a guess of how it looks empty, and never with more than 99.97 % confidence, unless ``--empty`` shows it.
"""

import argparse
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike

from calibration.corners import CornersRefused, Quad
from calibration.drawing import Rgb
from calibration.homography import Matrix, as_points
from calibration.inks import SEATS
from calibration.layout import Layout, load
from calibration.profile import BadProfile
from referee.board import Cell, Seat
from referee.observation import Refusal
from server.boards import named_board
from server.cli import Refused
from server.commands.read import complain
from server.lenses import TableLenses, add_lens
from server.plights import NO_BOARD, WORDS
from vision.camera import Image
from vision.chessboard import find_chessboard
from vision.glance import EmptyRefused, Glance, Glancer
from vision.pictures import Unreadable, decode, pictures

CHESSBOARD = "chessboard"
Line = dict[str, Any]
Seek = Callable[[Image, int], Line]
"""Finds the board in a picture that was shrunk by so much while decoding."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="a picture, or a folder of pictures")
    parser.add_argument("--board", required=True, metavar="patolli|chessboard|batok|LAYOUT.toml", help="which board")
    parser.add_argument("--pieces", metavar="1=#2a9d6f,3=#e4705a", help="the pieces to look for and their colours")
    configure_corners(parser)
    configure_empty(parser)
    add_lens(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def configure_empty(parser: argparse.ArgumentParser) -> None:
    """Declare the flag by which a person shows how the board looks."""
    parser.add_argument(
        "--empty",
        type=Path,
        metavar="PICTURE",
        help="the board without pieces, from the same camera; --corners are then those in this picture",
    )


def configure_corners(parser: argparse.ArgumentParser) -> None:
    """Declare the flag by which a person shows the board."""
    parser.add_argument(
        "--corners",
        nargs=4,
        metavar="X,Y",
        help="the playing field's corners in pixels, clockwise from its top left as drawn; then no tags are needed",
    )


def run(arguments: argparse.Namespace) -> int:
    """Locate the board in every picture; 1 if any could not be read or shows no board, 2 if that holds for all."""
    cv2.setNumThreads(1)
    colours = parse_pieces(arguments.pieces)
    corners = parse_corners(arguments.corners)
    if arguments.board != CHESSBOARD:
        layout = board(arguments.board, by_tags=corners is None, besides=(CHESSBOARD,))
        glancer = Glancer(layout, colours, open_lens(arguments.lens))
        if arguments.empty:
            show_empty(glancer, arguments.empty, corners)
        seek = _seek_layout(layout, glancer, corners)
    elif arguments.lens:
        raise Refused(
            "--lens: a chessboard is found by its squares as they are seen; take --board ludo for a printed one"
        )
    elif arguments.empty:
        raise Refused("--empty: a chessboard is sought anew in every picture; take --board ludo and show its --corners")
    elif corners is None:
        seek = _seek_chessboard(Glancer(load("ludo"), colours))
    else:
        raise Refused("--corners: a chessboard is found by its squares; take --board ludo for a printed one")
    found = failed = False
    for path, decoded in decoded_pictures("locate", arguments.images, shrink=not arguments.empty):
        if decoded is None:
            failed = True
            continue
        line = {"file": str(path), **seek(*decoded)}
        print(json.dumps(line) if arguments.json else _in_words(line), flush=True)
        found, failed = found or line["found"], failed or not line["found"]
    return 0 if not failed else 1 if found else 2


def decoded_pictures(
    command: str, named: Sequence[Path], *, shrink: bool = True
) -> Iterator[tuple[Path, tuple[Image, int] | None]]:
    """Every picture with what ``decode`` says of it; None after one line on standard error where it cannot be read."""
    for name in named:
        try:
            paths = pictures(name)
        except Unreadable as error:
            complain(command, name, error)
            yield name, None
            continue
        for path in paths:
            try:
                decoded = decode(path, shrink=shrink)
            except Unreadable as error:
                complain(command, path, error)
                yield path, None
            else:
                yield path, decoded


def parse_pieces(written: str | None) -> Mapping[Seat, Rgb]:
    """What ``--pieces`` says, seats ascending; the seats' own colours where it says nothing. Raises Refused."""
    if written is None:
        return SEATS
    colours: dict[Seat, Rgb] = {}
    for part in written.split(","):
        match = re.fullmatch(r"([1-6])=#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})", part.strip())
        if match is None:
            raise Refused(f"--pieces {written}: write seats and colours, such as 1=#2a9d6f,3=#e4705a")
        red, green, blue = (int(match[k], 16) for k in (2, 3, 4))
        colours[Seat(int(match[1]))] = (red, green, blue)
    return dict(sorted(colours.items()))


def parse_corners(written: Sequence[str] | None) -> Quad | None:
    """What ``--corners`` says, if anything. Raises Refused."""
    if written is None:
        return None
    try:
        one, two, three, four = ((float(x), float(y)) for x, y in (corner.split(",") for corner in written))
    except ValueError:
        raise Refused(f"--corners {' '.join(written)}: write each as X,Y in pixels, such as 300,60.5") from None
    return one, two, three, four


def open_lens(path: Path | None) -> TableLenses | None:
    """The profile that ``--lens`` names, if any. Raises Refused."""
    try:
        return TableLenses(None, path) if path else None
    except BadProfile as error:
        raise Refused(f"--lens {error}") from error


def board(source: str, *, by_tags: bool, besides: tuple[str, ...] = ()) -> Layout:
    """The board of that name or file. Raises Refused for none, and for one that cannot be found in a picture."""
    layout = named_board("--board", source, besides)
    if by_tags and not layout.tags:
        raise Refused(f"--board {source}: has no tags to find it by; show its corners with --corners, or give it some")
    return layout


def glance(glancer: Glancer, image: Image, shrunk: int, corners: Quad | None) -> Glance | Refusal:
    """Read a picture that was shrunk by so much; ``corners`` are pixels of the stored one. Raises Refused."""
    try:
        return glancer.look(image, corners and _decoded(corners, shrunk))
    except CornersRefused as error:
        raise Refused(f"--corners: {error}") from error
    except EmptyRefused as error:
        raise Refused(f"--empty: {error}") from error
    except BadProfile as error:
        raise Refused(str(error)) from error


def show_empty(glancer: Glancer, path: Path, corners: Quad | None, standing: Mapping[Cell, Seat] | None = None) -> None:
    """Let the glancer read against this picture of the board without what stands on it now. Raises Refused."""
    try:
        refusal = glancer.learn(decode(path)[0], corners, standing)
    except (Unreadable, EmptyRefused) as error:
        raise Refused(f"--empty {path}: {error}") from error
    except CornersRefused as error:
        raise Refused(f"--corners: {error}") from error
    except BadProfile as error:
        raise Refused(str(error)) from error
    if refusal:
        raise Refused(f"--empty {path}: {NO_BOARD[refusal]}")


def likeliest(seen: Mapping[Seat | None, float]) -> tuple[Seat | None, float]:
    """What a cell most probably holds, and how probably among what it may hold."""
    best = max(seen, key=lambda state: seen[state])
    return best, 1 / sum(math.exp(value - seen[best]) for value in seen.values())


def _seek_layout(layout: Layout, glancer: Glancer, corners: Quad | None) -> Seek:
    def seek(image: Image, shrunk: int) -> Line:
        seen = glance(glancer, image, shrunk, corners)
        if not isinstance(seen, Glance):
            return _missed(seen)
        located = seen.located
        return {
            "found": True,
            "by": "tags" if corners is None else "corners",
            "corners_px": _pixels(located.project(layout.field.corners_mm), shrunk),
            "homography": _homography(located.homography, shrunk),
            "residual_px": round(located.residual_px * shrunk, 3) if corners is None else None,
            "residual_mm": round(located.residual_mm, 3) if corners is None else None,
            "cells": {place.name: _cell(seen, place.name) for place in layout.cells},
            "plights": list(seen.plights),
        }

    return seek


def _seek_chessboard(glancer: Glancer) -> Seek:
    def seek(image: Image, shrunk: int) -> Line:
        found = find_chessboard(image)
        if found is None:
            return _missed("no board")
        one, two, three, four = ((float(x), float(y)) for x, y in found.corners_px)
        cells: Line = {}
        plights = ["small"]  # where it is can be told, what stands on it cannot
        with suppress(CornersRefused):
            seen = glancer.look(image, (one, two, three, four))
            assert isinstance(seen, Glance)  # only tags and followed boards can be missed
            cells, plights = {name: _cell(seen, name) for name in seen.colours}, list(seen.plights)
        return {
            "found": True,
            "by": "lattice",
            "corners_px": _pixels(found.corners_px, shrunk),
            "orientation": "unknown",
            "homography": _homography(found.homography, shrunk),
            "residual_px": round(found.residual_px * shrunk, 3),
            "residual_mm": None,
            "cells": cells,
            "plights": plights,
        }

    return seek


def _missed(plight: str) -> Line:
    nothing = dict.fromkeys(("by", "corners_px", "homography", "residual_px", "residual_mm"))
    return {"found": False, **nothing, "cells": {}, "plights": [plight]}


def _cell(glance: Glance, name: Cell) -> Line:
    piece, confidence = likeliest(glance.seen.cells.get(name, {None: math.inf}))
    known = name in glance.seen.cells
    return {
        "piece": str(piece) if piece else None,
        "colour": "#{:02x}{:02x}{:02x}".format(*glance.colours[name]),
        "confidence": round(confidence, 4) if known else 0.0,
    }


def _pixels(points: ArrayLike, shrunk: int) -> list[list[float]]:
    """Points of the decoded picture in the stored one; the centre of its first pixel is (0, 0)."""
    return [[round(float(x), 2), round(float(y), 2)] for x, y in (as_points(points) + 0.5) * shrunk - 0.5]


def _decoded(corners: Quad, shrunk: int) -> Quad:
    """The inverse of ``_pixels``."""
    one, two, three, four = (((x + 0.5) / shrunk - 0.5, (y + 0.5) / shrunk - 0.5) for x, y in corners)
    return one, two, three, four


def _homography(matrix: Matrix, shrunk: int) -> list[list[float]]:
    grow = np.array([[shrunk, 0, (shrunk - 1) / 2], [0, shrunk, (shrunk - 1) / 2], [0, 0, 1]])
    return [[float(value) for value in row] for row in grow @ matrix]


def _in_words(line: Line) -> str:
    if not line["found"]:
        return f"{line['file']}: {NO_BOARD[line['plights'][0]]}"
    corners = " ".join(f"({x:.0f}, {y:.0f})" for x, y in line["corners_px"])
    return f"{line['file']}: board found by {line['by']} at {corners}; {_standing(line)}"


def _standing(line: Line) -> str:
    """Which pieces stand where; and what cannot be told, so that nobody takes it for empty."""
    cells, doubts = line["cells"], [WORDS[plight] for plight in line["plights"]]
    pieces = ", ".join(f"{cell['piece']} on {name}" for name, cell in cells.items() if cell["piece"]) or "no pieces"
    unread = [name for name, cell in cells.items() if not cell["confidence"]]
    if len(unread) == len(cells):
        return "; ".join(("its pieces cannot be told", *doubts))
    told = [pieces]
    told += [f"cannot be read: {', '.join(unread)}"] if unread else []
    return "; ".join((*told, *doubts))
