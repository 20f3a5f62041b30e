"""`macuil demo`: a table without any hardware. Simulated people play before a simulated camera; the rest is real."""

import argparse
import os
import sys
import tempfile
import webbrowser
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from calibration.layout import load
from device.strip import Strip
from referee.match import Match
from referee.rules import BadQuestion
from server.cli import Refused
from server.commands.serve import configure_door, invitation, with_door
from server.company import Company
from server.house import House
from server.lamps import Lamps
from server.live import Live
from server.serving import announce, open_house, serve
from server.settings import Settings, SettingsError
from server.sight import Sight
from vision.capture import Capture
from vision.reader import Reader

SEED = 103
NAMES = ("Ana", "Beto", "Citlali", "Dario")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--preset", default="classic", help="the rules to play by: classic, quick, modern, …")
    parser.add_argument("--seats", default="2", help="how many play (2), or which seats (1,3)")
    parser.add_argument(
        "--seed",
        type=int,
        default=SEED,
        help="another table and light; what is hard to read there the people enter by hand",
    )
    browser = "open the page in a browser; by default where there is a screen"
    parser.add_argument("--open", action=argparse.BooleanOptionalAction, help=browser)
    configure_door(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play until Ctrl+C."""
    try:
        settings = with_door(replace(Settings(), preset=arguments.preset, seats=arguments.seats), arguments)
        layout = load(settings.layout)
        started = invitation(settings, layout, None)
    except (BadQuestion, SettingsError) as error:
        raise Refused(str(error)) from error
    if arguments.seed < 0:
        raise Refused(f"--seed {arguments.seed}: give 0 or more")
    started = replace(started, names=dict(zip(started.seats, NAMES, strict=False)))
    with ExitStack() as held:
        folder = settings.data or Path(held.enter_context(tempfile.TemporaryDirectory(prefix="macuil-demo-")))
        door, books = open_house(settings.host, settings.port, folder, layout, started)
        house: House

        def match() -> Match:
            assert house.table.match is not None
            return house.table.match

        company = Company(
            layout,
            arguments.seed,
            match=match,
            page=lambda: house.latest,
            begin=lambda again: house.begin_soon(again),
            enter=lambda version, command: house.command_soon(version, command),
        )

        sight = Sight(layout)
        live = Live(
            lambda: Capture(company.open),
            lambda seats, needs: Reader(
                layout, seats=seats, needs=needs, locator=sight.locator(), standing=books.table.standing
            ),
        )
        lamps = Lamps(layout, Strip(None))
        house = House(books, layout, live, lamps, sight=sight, address=door.tablet, demo=True)
        announce(door, None if settings.data is None else folder, books.told)
        if _screen() if arguments.open is None else arguments.open:
            webbrowser.open(door.here)
        return serve(house, door)


def _screen() -> bool:
    """Whether somebody sits before a screen."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
