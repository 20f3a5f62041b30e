"""`macuil judge IMAGE…`: which legal outcome the pictures of one resting moment show.

The verdict ``unclear`` also stands for a piece that was lifted and not put down yet (plight ``lifted``), for what
breaks the rules while a hand is over the board (plight ``hand``: it may still be on its way), and for pictures in which
no board is found (its plight is named). ``seen`` is the move that breaks the rules, where it can be told, and ``why``
the rules that it breaks.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2

from calibration.inks import SEATS
from referee.adjudicator import Question, read_question
from referee.observation import BoardSeen, Refusal
from referee.rules import BadQuestion
from referee.umpire import CERTAIN, Verdict, judge
from server.cli import Refused
from server.commands.locate import (
    CHESSBOARD,
    board,
    configure_corners,
    configure_empty,
    decoded_pictures,
    glance,
    open_lens,
    parse_corners,
    parse_pieces,
    show_empty,
)
from server.lenses import add_lens
from server.outcomes import boards_after, forbidden_by
from server.plights import NO_BOARD
from vision.glance import Glance, Glancer
from vision.several import together

UNSURE = {
    "hand": "a hand is over the board; take it away, and take the picture again",
    "lifted": "a piece was lifted and not put down yet; put it down, and take the picture again",
    "dark": "the board is too dark; give it more light, and take the picture again",
    "bright": "the picture is too bright; dim the light or lower the camera's exposure, and take it again",
    "blurred": "the picture is blurred; focus the camera or bring it nearer, and take it again",
    "glare": "a light is reflected on the board; move the lamp, and take the picture again",
}
"""What each plight means for the verdict, the gravest first."""
Line = dict[str, Any]


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="pictures of one moment, or their folder")
    parser.add_argument("--board", required=True, metavar="patolli|batok|LAYOUT.toml", help="which board")
    parser.add_argument(
        "--position",
        required=True,
        type=Path,
        metavar="QUESTION.json",
        help="position and throw: a question as `macuil adjudicate --help` shows, without a move",
    )
    parser.add_argument("--pieces", metavar="1=#2a9d6f,3=#e4705a", help="colours of the pieces, if not the seats' own")
    configure_corners(parser)
    configure_empty(parser)
    add_lens(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Judge the pictures together; 1 if any could not be read or shows no board, 2 if that holds for all."""
    cv2.setNumThreads(1)
    if arguments.board == CHESSBOARD:
        raise Refused("--board chessboard: which square is a1 cannot be seen; take the printed board, --board ludo")
    corners = parse_corners(arguments.corners)
    layout, question = board(arguments.board, by_tags=corners is None), _question(arguments.position)
    game, position = question.game, question.position
    if layout.game != game.name:
        raise Refused(f"--board {arguments.board}: is a board for {layout.game}, but the position is of {game.name}")
    seats = game.players(position)
    given = {**SEATS, **parse_pieces(arguments.pieces)}
    missing = [seat for seat in seats if seat not in given]
    if missing:
        raise Refused(f"--pieces: seat {missing[0]} plays, but the colour of its pieces is not known")
    glancer = Glancer(layout, {seat: given[seat] for seat in seats}, open_lens(arguments.lens))
    if arguments.empty:
        standing = {cell: stack[-1] for cell, stack in game.occupancy(position).items() if stack}
        show_empty(glancer, arguments.empty, corners, standing)
    paths: list[str] = []
    glances: list[Glance] = []
    refusals: dict[str, Refusal] = {}
    failed = False
    for path, decoded in decoded_pictures("judge", arguments.images, shrink=not arguments.empty):
        if decoded is None:
            failed = True
            continue
        paths.append(str(path))
        seen = glance(glancer, *decoded, corners)
        if isinstance(seen, Glance):
            glances.append(seen)
        else:
            refusals[str(path)] = seen
    if not paths:
        return 2
    ruling = ruling_on(question, glances, list(refusals.values()))
    line = {"file": paths[0], "files": paths, **ruling}
    print(json.dumps(line) if arguments.json else _in_words(line, glances), flush=True)
    if not glances:
        return 2
    for name, refusal in refusals.items():  # the line is about the others
        print(f"macuil judge: {name}: {NO_BOARD[refusal]}", file=sys.stderr, flush=True)
    return int(failed or bool(refusals))


def _question(path: Path) -> Question:
    try:
        return read_question(path.read_bytes())
    except OSError as error:
        what = error.strerror or "cannot be read"
        raise Refused(f"--position {path}: {what}; name a file with the question") from error
    except BadQuestion as error:
        raise Refused(f"--position {path}: {error}") from error


def ruling_on(question: Question, glances: Sequence[Glance], refusals: Sequence[Refusal]) -> Line:
    """What the command prints of pictures of one moment but for their names: see the head of this module."""
    game, position, throw = question.game, question.position, question.throw
    # One that is too dark or too bright says nothing, not even that its cells cannot be read.
    cells = together([glance.seen.cells for glance in glances if glance.seen.cells])
    verdict = Verdict("unclear")
    if cells:
        verdict = judge(BoardSeen(cells), game.occupancy(position), boards_after(game, position, throw))
    plights = dict.fromkeys([*refusals, *(plight for glance in glances for plight in glance.plights)])
    illegal = verdict.kind == "illegal" and "hand" not in plights
    sure = verdict.posterior > CERTAIN and not any(glance.guessed for glance in glances)
    unclear = verdict.kind == "lifted" or (verdict.kind == "illegal" and not illegal)
    return {
        "verdict": "unclear" if unclear else verdict.kind,
        "move": verdict.move if verdict.kind == "move" else None,
        "posterior": round(verdict.posterior, 4),
        "runner_up": verdict.runner_up,
        "cells": list(verdict.cells),
        "certain": (illegal or verdict.kind in ("nothing", "move")) and sure,
        "seen": verdict.move if illegal else None,
        "why": list(forbidden_by(game, position, throw, verdict.move)) if illegal and verdict.move else [],
        "plights": [*plights, *(["lifted"] if verdict.kind == "lifted" else [])],
    }


def _in_words(line: Line, glances: Sequence[Glance]) -> str:
    said = [line["verdict"]]
    said += [line[key] for key in ("move", "seen") if line[key]]
    said += [f"on {', '.join(line['cells'])}"] if line["cells"] else []
    said += [f"({', '.join(line['why'])})"] if line["why"] else []
    said += [] if line["certain"] or line["verdict"] == "unclear" else ["uncertain"]
    because = "" if line["certain"] else f": {_why_unsure(line, glances)}"
    return f"{line['file']}: {' '.join(said)}{because}"


def _why_unsure(line: Line, glances: Sequence[Glance]) -> str:
    """Why nothing is certain and what to do, in one sentence."""
    if not glances:
        return NO_BOARD[line["plights"][0]]
    told = next((sentence for plight, sentence in UNSURE.items() if plight in line["plights"]), None)
    if told:
        return told
    if any(glance.guessed for glance in glances):
        return "how this board looks without pieces is a guess; show it with --empty PICTURE"
    if line["cells"]:
        return "what is seen there can be explained in more than one way; clear the board around it, and try again"
    return "no outcome explains the picture clearly better than the others; take another, with all pieces in it"
