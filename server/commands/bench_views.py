"""`macuil bench --views`: pictures of boards in play, made by a path tracer, each told that is not read as it is."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2

from referee.fairness import wilson
from server.cli import Refused
from server.progress import Progress
from server.views import Read, Renders, drawn_view, in_figures, read, rendered
from vision.camera import Image

RENDERS: Renders = rendered
"""How a picture is made."""


def bench_views(arguments: argparse.Namespace) -> int:
    """Render, read and add up; 1 when one was judged wrong with certainty."""
    first = arguments.seed or 0
    for name, value, least in (("views", arguments.views, 1), ("seed", first, 0)):
        if value < least:
            raise Refused(f"--{name} {value}: give {least} or more")
    cv2.setNumThreads(1)
    progress = Progress(sys.stderr, sys.stderr.isatty())
    reads: list[Read] = []
    interrupted = False
    try:
        for seed in range(first, first + arguments.views):
            progress.show(f"{len(reads)} of {arguments.views} pictures")
            reads.append(_one(seed, arguments.keep))
            progress.clear()
            if not arguments.json and (doubt := _doubt(reads[-1])):
                print(doubt, flush=True)
    except KeyboardInterrupt:
        interrupted = True
    progress.clear()
    if arguments.json:
        print(json.dumps({"views": [_as_json(one) for one in reads], "figures": in_figures(reads)}))
    else:
        _tell(in_figures(reads))
    return 1 if any(one.certain and not one.told for one in reads) else 130 if interrupted else 0


def _one(seed: int, folder: Path | None) -> Read:
    view = drawn_view(seed)
    try:
        image, hidden, arm = RENDERS(view)
    except ImportError as error:
        raise Refused("--views needs the path tracer: pip install -e .[training]") from error
    if folder:
        _keep(image, folder, f"view_{seed}.png")
    return read(view, image, hidden, arm)


def _keep(image: Image, folder: Path, name: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(cv2.imencode(".png", image)[1].tobytes())
    except OSError as error:
        raise Refused(f"--keep {folder}: {error.strerror}; name a folder that can be written to") from error


def _doubt(one: Read) -> str:
    """What is not as it should be with one picture; empty when all is."""
    view, head = one.view, f"view {one.view.seed} ({one.view.layout.game}{', an arm over it' if one.arm else ''}): "
    if not one.found:
        return head + "no board is found"
    said = [f"{cell} read as {seat or 'empty'} by {by}" for cell, seat, by in one.wrong]
    said += [f"unread {' '.join(one.unread)}"] if one.unread else []
    if not (one.told and one.certain):
        verdict = " ".join(str(one.ruling[key]) for key in ("verdict", "move", "seen") if one.ruling[key])
        said.append(f"{view.kind} {view.move or ''}: {verdict} {'CERTAIN' if one.certain else 'uncertain'}")
    return head + ", ".join(said) if said else ""


def _as_json(one: Read) -> Mapping[str, Any]:
    view = one.view
    known = {"seed": view.seed, "game": view.layout.game, "kind": view.kind, "move": view.move}
    seen = {"arm": one.arm, "found": one.found, "right": one.right, "unread": one.unread, "wrong": one.wrong}
    return {**known, **seen, "told": one.told, "certain": one.certain}


def _tell(figures: Mapping[str, Sequence[int]]) -> None:
    for name, (hits, of) in figures.items():
        if of:
            share = wilson(hits, of)
            print(f"{name:40}{hits:7,} of {of:7,}   {share.seen:8.2%}  ({share.low:.2%} to {share.high:.2%})")
