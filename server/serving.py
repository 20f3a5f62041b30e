"""From a port number to a running server, and what the terminal is told about it."""

import contextlib
import errno
import http.client
import ipaddress
import json
import os
import signal
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

import cv2
import uvicorn

from calibration.layout import Layout
from referee.events import Started
from server.address import interfaces, qr_text, reachable, url
from server.app import create_app
from server.books import Books, open_books
from server.cli import Refused
from server.folder import FolderRefused
from server.house import House
from server.journal import JournalRefused

EVERYWHERE = ("0.0.0.0", "::")
ASK_S = 2.0
SEND_BUFFER_BYTES = 64 * 1024
"""What may be under way to one page: a tablet that slept shall not wake to a minute of old states (S1)."""


@dataclass(frozen=True, slots=True)
class Door:
    """The socket people come in by."""

    socket: socket.socket
    here: str
    """The address on this machine."""
    tablets: tuple[str, ...]
    """Addresses a tablet may reach, most likely first; empty when only this machine can."""
    wide: bool
    """Whether tablets were to be let in."""

    @property
    def tablet(self) -> str | None:
        """The address to give to a tablet."""
        return next(iter(self.tablets), None)


def open_door(host: str, port: int) -> Door:
    """Take the port before anything else is begun.

    Args:
        host: an address of this machine, or 0.0.0.0 for all.
        port: 0 for any free one.

    Raises:
        Refused: the port is taken (the running Macuil is named if it is one), no such address.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise Refused(f"cannot listen on {host}: {error.strerror}") from error
    except UnicodeError as error:
        raise Refused(f"cannot listen on {host}: it is no address") from error
    try:
        if sys.platform != "win32":
            # Elsewhere this lets a restart take the port at once; on Windows it would let two programs share it.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise Refused(_why_taken(host, port, error)) from error
    ip, bound = listener.getsockname()[:2]
    if host in EVERYWHERE:
        return Door(
            listener, url("127.0.0.1", bound), tuple(url(each, bound) for each in reachable(interfaces())), True
        )
    wide = not ipaddress.ip_address(ip).is_loopback
    return Door(listener, url(ip, bound), (url(ip, bound),) if wide else (), wide)


def open_house(
    host: str, port: int, folder: Path, layout: Layout, started: Started, *, new: bool = False
) -> tuple[Door, Books]:
    """Take the port, then the data folder.

    Args:
        host: as for ``open_door``.
        port: as for ``open_door``.
        folder: the data folder.
        layout: of the board on the table.
        started: the match to begin where none is unfinished.
        new: begin it in any case.

    Raises:
        Refused: either cannot be had.
    """
    door = open_door(host, port)
    try:
        return door, open_books(folder, door.here, layout, started, new=new)
    except (FolderRefused, JournalRefused) as error:
        door.socket.close()
        raise Refused(str(error)) from error


def port_of_environment() -> int | None:
    """What the environment's PORT says, if it says anything.

    Raises:
        Refused: PORT is no number.
    """
    text = os.environ.get("PORT", "").strip()
    if text and not text.isdecimal():
        raise Refused(f"PORT={text} is no port: 0 to 65535")
    return int(text) if text else None


def announce(door: Door, folder: Path | None, told: str) -> None:
    """Tell the terminal where the table can be seen, as text and as QR, and where its games are kept; None: nowhere."""
    print(f"Macuil is open at {door.here}")
    if door.tablet:
        print(f"On a tablet in the same Wi-Fi: {door.tablet}")
        for other in door.tablets[1:]:
            print(f"                      or else: {other}")
        print(qr_text(door.tablet))
    elif door.wide:
        print("This machine has no address that a tablet could reach: is it in the Wi-Fi?")
    kept = f"Games are kept in {folder}" if folder else "Its games are gone when it ends; --data FOLDER keeps them."
    print(kept)
    if told:
        print(told)
    print("Ctrl+C ends.", flush=True)


def serve(house: House, door: Door) -> int:
    """Run until Ctrl+C or SIGTERM; returns the exit code."""
    cv2.setNumThreads(1)
    config = uvicorn.Config(
        create_app(house),
        log_level="warning",
        timeout_graceful_shutdown=1,
        ws_per_message_deflate=False,
        server_header=False,
    )
    server = uvicorn.Server(config)
    house.leaving = lambda: server.should_exit
    # uvicorn has closed everything when it repeats the signal for its caller; both ways to end are the same to us.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[door.socket])
    code = 0 if server.started else 1
    if not house.released:
        # A thread hangs inside a driver, or Ctrl+C was pressed twice. What was acknowledged is on the disk; waiting
        # could take for ever, and OpenCV would abort while the interpreter goes down around its thread.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code


def _why_taken(host: str, port: int, error: OSError) -> str:
    name = "127.0.0.1" if host in EVERYWHERE else host
    # Straight to the socket: a proxy from the environment would not know this machine.
    with (
        contextlib.closing(http.client.HTTPConnection(name, port, timeout=ASK_S)) as line,
        contextlib.suppress(OSError, ValueError, AttributeError, http.client.HTTPException),
    ):
        line.request("GET", "/healthz")
        if json.load(line.getresponse()).get("name") == "macuil":
            return f"Macuil is already running at {url(name, port)}; open that, or choose another --port"
    what = "--host, this machine has no such address" if error.errno == errno.EADDRNOTAVAIL else "--port"
    return f"cannot listen on {host}:{port}: {error.strerror}; choose another {what}"
