"""A simulated strip controller: reads Adalight as WLED does, and misbehaves to order."""

import time
from collections import deque
from urllib.parse import parse_qsl, urlsplit

import serial

from device.adalight import COMMANDS, Rgb


class Controller:
    """Bytes in, colours out; whatever stands outside a frame and is a command is obeyed.

    Source: WLED, wled00/wled_serial.cpp, handleSerial.
    """

    def __init__(self) -> None:
        self.shown: tuple[Rgb, ...] = ()
        """What the LEDs show."""
        self.frames = 0
        self.obeyed = bytearray()
        """Commands taken from between the frames: none, if the sender is careful."""
        self._header = bytearray()
        self._body = bytearray()
        self._expected = 0

    def take(self, stream: bytes) -> None:
        """Read a piece of the stream, however it is cut."""
        for byte in stream:
            if self._expected:
                self._colour(byte)
            else:
                self._outside(byte)

    def _colour(self, byte: int) -> None:
        self._body.append(byte)
        if len(self._body) == self._expected:
            channels = iter(self._body)
            self.shown = tuple(zip(channels, channels, channels, strict=True))
            self.frames += 1
            self._expected = 0
            self._body.clear()

    def _outside(self, byte: int) -> None:
        place = len(self._header)
        if place < 3 and byte != b"Ada"[place]:
            if place == 0 and byte in COMMANDS:
                self.obeyed.append(byte)
            self._header.clear()
            return
        self._header.append(byte)
        if len(self._header) == 6:
            high, low, check = self._header[3:]
            if check == high ^ low ^ 0x55:
                self._expected = 3 * (0x100 * high + low + 1)
            self._header.clear()


class SimulatedStrip:
    """A serial port with a controller behind it; replaces ``serial.Serial``.

    Args:
        greets_after_s: when it says ``Ada`` after opening; None for never.
        vanishes_after: frames after which the port is gone; None for never.
        slow_s: how long each write takes; from 0.5 s on it times out.
    """

    def __init__(
        self,
        *,
        greets_after_s: float | None = 0.1,
        vanishes_after: int | None = None,
        slow_s: float = 0.0,
    ) -> None:
        self.controller = Controller()
        self.written: deque[bytes] = deque(maxlen=1000)
        self.closed = False
        self._greets_at = None if greets_after_s is None else time.monotonic() + greets_after_s
        self._vanishes_after = vanishes_after
        self._slow_s = slow_s

    @classmethod
    def at(cls, address: str) -> "SimulatedStrip":
        """``sim://strip``, ``sim://strip?greets=never&vanishes_after=20&slow=0.4``.

        Raises:
            ValueError: names what is not understood.
        """
        parts = urlsplit(address)
        options = dict(parse_qsl(parts.query, keep_blank_values=True))
        greets, vanishes, slow = (
            options.pop("greets", "0.1"),
            options.pop("vanishes_after", ""),
            options.pop("slow", "0"),
        )
        if parts.netloc != "strip" or options:
            raise ValueError(f"simulated are sim://strip with greets, vanishes_after and slow, not {address}")
        return cls(
            greets_after_s=None if greets == "never" else float(greets),
            vanishes_after=int(vanishes) if vanishes else None,
            slow_s=float(slow),
        )

    @property
    def in_waiting(self) -> int:
        """Bytes to read."""
        self._check()
        return 4 if self._greets_at is not None and time.monotonic() >= self._greets_at else 0

    def read(self, size: int) -> bytes:
        """The greeting, once."""
        self._check()
        self._greets_at = None
        return b"Ada\n"[:size]

    def write(self, data: bytes) -> int:
        """Feed the controller."""
        self._check()
        time.sleep(min(self._slow_s, 0.5))
        if self._slow_s >= 0.5:
            raise serial.SerialTimeoutException("Write timeout")
        self.written.append(data)
        self.controller.take(data)
        return len(data)

    def close(self) -> None:
        """Close the port."""
        self.closed = True

    def _check(self) -> None:
        if self.closed or (self._vanishes_after is not None and self.controller.frames >= self._vanishes_after):
            raise serial.SerialException("device reports readiness to read but returned no data (device disconnected?)")
