"""`macuil serve`: referee a real table and show it to the tablets."""

import argparse
from dataclasses import replace
from pathlib import Path

from calibration.layout import Layout
from device.strip import Strip
from referee.events import Started
from referee.registry import GAMES
from referee.rules import BadQuestion
from server.boards import named_board
from server.cli import Refused
from server.folder import default_folder
from server.house import House
from server.invitation import invite, usual_seats
from server.lamps import Lamps
from server.lenses import TableLenses
from server.live import Live
from server.serving import announce, open_house, port_of_environment, serve
from server.settings import Settings, SettingsError, parse_names, parse_seats, read_settings
from server.sight import Sight
from server.taught_file import recall
from vision.camera import CameraLost
from vision.capture import Capture
from vision.reader import Reader
from vision.sources import look_at, open_camera
from vision.taught import taught_reader

FLAGS = ("layout", "game", "preset", "seats", "stakes", "strip")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--table", type=Path, metavar="TOML", help="settings of this table; the flags override it")
    parser.add_argument(
        "--camera", action="append", metavar="SOURCE", help="a camera's number, name or path, a URL, a video, a folder"
    )
    parser.add_argument("--layout", help="a board that comes with Macuil, or the path of a TOML")
    parser.add_argument("--game", help=f"what is played: {', '.join(GAMES)}")
    known = "; ".join(f"{name}: {', '.join(game.presets)}" for name, game in GAMES.items())
    parser.add_argument("--preset", help=f"the rules to play by ({known})")
    parser.add_argument("--seats", help="how many play (2), or which seats (1,3)")
    parser.add_argument("--names", help="the players' names in the order of the seats: Ana,Ben")
    parser.add_argument("--stakes", type=int, help="whole stakes each player starts with")
    parser.add_argument("--strip", metavar="PORT", help="the LED controller's port, or off")
    parser.add_argument("--new", action="store_true", help="begin a new match even if one is unfinished")
    configure_door(parser)


def configure_door(parser: argparse.ArgumentParser) -> None:
    """Declare what every server wants to know."""
    parser.add_argument("--data", type=Path, metavar="DIR", help="where the games are kept")
    parser.add_argument("--host", help="the address to listen on; by default only this machine's own")
    parser.add_argument("--port", type=int, help="0 for any free one; also as PORT in the environment")
    parser.add_argument("--lan", action="store_true", help="let the tablets in the same Wi-Fi in")


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl+C."""
    cameras = arguments.camera or []
    if len(cameras) > 1:
        raise Refused(f"--camera {' --camera '.join(cameras)}: a table is seen by one camera; name the one above it")
    try:
        settings = read_settings(arguments.table) if arguments.table else Settings()
        given = {flag: getattr(arguments, flag) for flag in FLAGS if getattr(arguments, flag) is not None}
        given |= {"camera": cameras[0]} if cameras else {}
        settings = with_door(replace(settings, **given), arguments)
        layout = named_board("--layout", settings.layout)
        started = invitation(settings, layout, arguments.names)
        look_at(settings.camera)
    except (SettingsError, BadQuestion, CameraLost) as error:
        raise Refused(str(error)) from error
    folder = settings.data or default_folder()
    door, books = open_house(settings.host, settings.port, folder, layout, started, new=arguments.new)
    taught = recall(folder, GAMES[started.game].needs)
    sight = Sight(layout, folder, settings.corners)
    lenses = TableLenses(folder)
    strip = Strip(None if settings.strip == "off" else settings.strip)
    live = Live(
        lambda: Capture(lambda: lenses.of(open_camera(settings.camera))),
        lambda seats, needs: Reader(
            layout,
            seats=seats,
            needs=needs,
            throw_reader=taught_reader(needs, taught),
            locator=sight.locator(),
            standing=books.table.standing,
            lenses=lenses,
        ),
    )
    house = House(books, layout, live, Lamps(layout, strip), sight=sight, address=door.tablet)
    announce(door, folder, books.told)
    return serve(house, door)


def with_door(settings: Settings, arguments: argparse.Namespace) -> Settings:
    """Add what the command line and the environment say about address and data folder.

    Raises:
        SettingsError: no such port.
    """
    host = arguments.host or ("0.0.0.0" if arguments.lan else settings.host)
    ports = (arguments.port, port_of_environment(), settings.port)
    port = next(port for port in ports if port is not None)
    if not 0 <= port <= 65535:
        raise SettingsError(f"port {port} is no port: 0 to 65535")
    return replace(settings, host=host, port=port, data=arguments.data or settings.data)


def invitation(settings: Settings, layout: Layout, names: str | None) -> Started:
    """The match to begin, where none is unfinished. Raises BadQuestion, SettingsError."""
    if settings.game not in GAMES:
        raise BadQuestion(f"game: {settings.game!r} is unknown; there are {', '.join(sorted(GAMES))}")
    _check_fits(settings, layout)
    known = GAMES[settings.game].seats
    seats = parse_seats(settings.seats, usual_seats(known), known)
    return invite(
        layout,
        game=settings.game,
        preset=settings.preset,
        seats=seats,
        names=parse_names(names, seats) if names else settings.names,
        stakes=settings.stakes,
        handicap=settings.handicap,
        options=settings.options,
    )


def _check_fits(settings: Settings, layout: Layout) -> None:
    """Refuse a game on another one's board, and a preset of another game. Raises BadQuestion: what to add."""
    game, presets = settings.game, GAMES[settings.game].presets
    if game == layout.game:
        if settings.preset not in presets:
            raise BadQuestion(f"preset: {game} has no {settings.preset}; choose --preset {', '.join(presets)}")
        return
    usual = Settings()
    if game == usual.game and layout.game in GAMES:  # only the board was named
        add, presets = f"--game {layout.game}", GAMES[layout.game].presets
    else:
        add = f"--layout {game}"
    add += "" if settings.preset in presets else f" --preset {presets[0]}"
    raise BadQuestion(f"game: the board {layout.name} is not for {game}; add {add}")
