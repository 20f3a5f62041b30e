"""An LED strip behind a serial port: its thread owns the port, so that the game never waits for it."""

import errno
import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import serial

from device.adalight import LIMIT_MA, Rgb, adalight, lit
from device.simulated.strip import SimulatedStrip

StripState = Literal["off", "no permission", "busy", "waiting for boot", "ok", "lost"]

BAUD = 115_200
BOOT_S = 2.0
"""A controller that restarts when its port is opened greets within this time, or never."""
WRITE_TIMEOUT_S = 0.5
REPEAT_S = 1.0
LEAST_GAP_S = 1 / 20
REOPEN_DELAYS_S = (1.0, 2.0, 5.0, 10.0)

_log = logging.getLogger(__name__)


class StripLost(Exception):
    """The strip takes no data; one line that says why and what to do."""

    def __init__(self, message: str, state: StripState = "lost") -> None:
        super().__init__(message)
        self.state = state


@dataclass(frozen=True, slots=True)
class StripStatus:
    """How the strip does."""

    state: StripState
    why: str = ""
    """Unless all is well: what is the matter and what to do."""


class Port(Protocol):
    """What is used of a ``serial.Serial``; each call may raise ``serial.SerialException`` or OSError."""

    @property
    def in_waiting(self) -> int: ...

    def read(self, size: int) -> bytes: ...

    def write(self, data: bytes) -> int | None: ...

    def close(self) -> None: ...


def open_port(address: str) -> Port:
    """Open ``/dev/…``, ``COM3``, ``socket://host:port`` or ``sim://strip``.

    Raises:
        StripLost: with the state to show.
    """
    try:
        if address.startswith("sim://"):
            return SimulatedStrip.at(address)
        port: Port = serial.serial_for_url(
            address, baudrate=BAUD, timeout=0, write_timeout=WRITE_TIMEOUT_S, exclusive=True
        )
    except (serial.SerialException, OSError) as error:
        if error.errno in (errno.EACCES, errno.EPERM):
            group = _group(address)
            raise StripLost(
                f"no permission for {address}; become a member of the group {group} "
                f"(sudo usermod -aG {group} $USER) and log in again",
                "no permission",
            ) from error
        if error.errno in (errno.EBUSY, errno.EAGAIN):
            raise StripLost(f"{address} is used by another program; close it", "busy") from error
        raise StripLost(f"no LED strip at {address}; check its cable and the address") from error
    except ValueError as error:
        raise StripLost(f"{address} is no address of a strip: {error}") from error
    return port


class Strip:
    """Shows colours on a strip, from construction to ``close``. Every call returns at once.

    Args:
        address: of the port; None for no strip.
        opener: opens the port, in the strip's own thread.
        limit_ma: largest estimated current.
        boot_s: how long to wait for a controller's greeting.
    """

    def __init__(
        self,
        address: str | None,
        *,
        opener: Callable[[str], Port] = open_port,
        limit_ma: float = LIMIT_MA,
        boot_s: float = BOOT_S,
    ) -> None:
        self._opener = opener
        self._limit_ma = limit_ma
        self._boot_s = boot_s
        self._colours: tuple[Rgb, ...] = ()
        self._status = StripStatus("off") if address is None else StripStatus("waiting for boot")
        self._ok_from = 0.0
        self._stop = threading.Event()
        self._news = threading.Event()
        self._thread: threading.Thread | None = None
        if address is not None:
            self._thread = threading.Thread(target=self._run, args=(address,), name="strip", daemon=True)
            self._thread.start()

    def __enter__(self) -> "Strip":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def status(self) -> StripStatus:
        """The present state."""
        return self._status

    def show(self, colours: Sequence[Rgb]) -> None:
        """Show these colours, as the eye should see them, LED 0 first; older ones not yet sent are dropped."""
        if tuple(colours) != self._colours:
            self._colours = tuple(colours)
            self._news.set()

    def close(self, limit_s: float = 2.0) -> bool:
        """Black out and release the port; False if its driver does not return within limit_s."""
        self._stop.set()
        self._news.set()
        if self._thread is None:
            return True
        self._thread.join(limit_s)
        return not self._thread.is_alive()

    def _run(self, address: str) -> None:
        failures = 0
        while not self._stop.is_set():
            try:
                port = self._opener(address)
                address = _stable(address)
                try:
                    self._wait_for_boot(port)
                    self._feed(port)
                finally:
                    with suppress(serial.SerialException, OSError):
                        port.close()
            except StripLost as error:
                if self._was_well():
                    failures = 0
                if self._status.state != error.state:
                    _log.warning("%s", error)
                self._status = StripStatus(error.state, str(error))
                self._stop.wait(REOPEN_DELAYS_S[min(failures, len(REOPEN_DELAYS_S) - 1)])
                failures += 1

    def _wait_for_boot(self, port: Port) -> None:
        """Until the controller greets, or the time for it is over: what is sent to a boot loader is lost or worse."""
        self._status = StripStatus("waiting for boot")
        heard = b""
        until = time.monotonic() + self._boot_s
        while b"Ada" not in heard and time.monotonic() < until and not self._stop.wait(0.02):
            heard = heard[-2:] + _drain(port)

    def _feed(self, port: Port) -> None:
        self._status = StripStatus("ok")
        self._ok_from = time.monotonic()
        self._news.set()
        sent = 0
        while not self._stop.is_set():
            self._news.wait(REPEAT_S)
            self._news.clear()
            if self._colours and not self._stop.is_set():
                self._send(port, self._colours)
                sent = len(self._colours)
            _drain(port)
            self._stop.wait(LEAST_GAP_S)
        for _ in range(2 if sent else 0):
            self._send(port, ((0, 0, 0),) * sent)

    def _was_well(self) -> bool:
        return self._status.state == "ok" and time.monotonic() - self._ok_from > REOPEN_DELAYS_S[-1]

    def _send(self, port: Port, colours: tuple[Rgb, ...]) -> None:
        try:
            port.write(adalight(lit(colours, limit_ma=self._limit_ma)))
        except (serial.SerialException, OSError) as error:
            raise StripLost("the LED strip takes no data; check its cable") from error


def _drain(port: Port) -> bytes:
    """What the controller has said; a full buffer would make it wait."""
    try:
        waiting = port.in_waiting
        return port.read(waiting) if waiting else b""
    except (serial.SerialException, OSError) as error:
        raise StripLost("the LED strip is gone; check its cable") from error


def _stable(address: str, links: Path = Path("/dev/serial/by-id")) -> str:
    """The name under which a port is found again though the system renumbers it."""
    port = Path(address).resolve()
    return next((str(link) for link in sorted(links.glob("*")) if link.resolve() == port), address)


def _group(address: str) -> str:
    try:
        return Path(address).group()
    except (KeyError, OSError, NotImplementedError):
        return "dialout"
