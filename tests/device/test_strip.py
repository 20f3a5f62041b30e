"""The strip at a real pseudo-terminal, a real socket and ports that misbehave."""

import errno
import os
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import serial

from device.adalight import Rgb, lit
from device.simulated.strip import SimulatedStrip
from device.strip import Port, Strip, StripLost, StripStatus, _stable, open_port

JADE: tuple[Rgb, ...] = ((42, 157, 143),) * 52
CORAL: tuple[Rgb, ...] = ((228, 112, 75),) * 52
BLACK: tuple[Rgb, ...] = ((0, 0, 0),) * 52


def until(condition: Callable[[], bool]) -> None:
    for _ in range(2000):
        if condition():
            return
        time.sleep(0.005)
    raise AssertionError("it never came true")


def decode(stream: bytes) -> list[tuple[Rgb, ...]]:
    """All frames of a stream that begins with one; written from the description of Adalight, not from our encoder."""
    frames = []
    while stream:
        header = re.match(rb"Ada(.)(.)(.)", stream, re.DOTALL)
        assert header, f"no header at {stream[:12]!r}"
        high, low, check = (group[0] for group in header.groups())
        assert check == high ^ low ^ 0x55
        size = 3 * (256 * high + low + 1)
        body, stream = stream[6 : 6 + size], stream[6 + size :]
        if len(body) < size:
            break
        frames.append(tuple((body[n], body[n + 1], body[n + 2]) for n in range(0, size, 3)))
    return frames


class Terminal:
    """The far end of a pseudo-terminal; keeps all that comes."""

    def __init__(self) -> None:
        self.master, self._slave = os.openpty()
        self.name = os.ttyname(self._slave)
        self.heard = bytearray()
        self._reader = threading.Thread(target=self._listen)
        self._ended = threading.Event()
        os.set_blocking(self.master, False)
        self._reader.start()

    def _listen(self) -> None:
        while not self._ended.wait(0.005):
            try:
                self.heard += os.read(self.master, 4096)
            except BlockingIOError:
                continue
            except OSError:
                return  # unplugged

    def unplug(self) -> None:
        if not self._ended.is_set():
            self._ended.set()
            self._reader.join()
            os.close(self._slave)
            os.close(self.master)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    terminal = Terminal()
    yield terminal
    terminal.unplug()


def test_a_controller_that_greets_is_sent_the_state_and_black_at_the_end(terminal: Terminal) -> None:
    with Strip(terminal.name, boot_s=60) as strip:
        strip.show(JADE)
        time.sleep(0.1)
        assert (bytes(terminal.heard), strip.status) == (b"", StripStatus("waiting for boot"))
        os.write(terminal.master, b"boot loader 1.0\r\nAda\n")
        until(lambda: len(decode(bytes(terminal.heard))) >= 1)
        assert strip.status == StripStatus("ok")
        strip.show(CORAL)
        until(lambda: lit(CORAL) in decode(bytes(terminal.heard)))
        sent = len(decode(bytes(terminal.heard)))
        until(lambda: len(decode(bytes(terminal.heard))) >= sent + 2)
    until(lambda: decode(bytes(terminal.heard))[-2:] == [BLACK, BLACK])
    frames = decode(bytes(terminal.heard))
    assert frames[0] == lit(JADE)
    repeated = frames.index(lit(CORAL))
    assert set(frames[:repeated]) == {lit(JADE)}
    assert set(frames[repeated:-2]) == {lit(CORAL)}


def test_a_controller_that_never_greets_is_sent_the_state_all_the_same(terminal: Terminal) -> None:
    with Strip(terminal.name, boot_s=0.2) as strip:
        strip.show(JADE)
        until(lambda: decode(bytes(terminal.heard))[:1] == [lit(JADE)])


def test_a_chattering_controller_is_drained(terminal: Terminal) -> None:
    with Strip(terminal.name, boot_s=0) as strip:
        strip.show(JADE)
        for number in range(30):
            os.write(terminal.master, b"debug " * 100)
            strip.show(CORAL if number % 2 else JADE)
            time.sleep(0.06)
        assert strip.status == StripStatus("ok")


def test_a_port_in_use_is_busy(terminal: Terminal) -> None:
    with Strip(terminal.name, boot_s=0) as first:
        until(lambda: first.status.state == "ok")
        with Strip(terminal.name) as second:
            until(lambda: second.status.state == "busy")
            assert second.status.why == f"{terminal.name} is used by another program; close it"


def test_an_unplugged_strip_is_lost_and_the_game_does_not_notice(terminal: Terminal) -> None:
    with Strip(terminal.name, boot_s=0) as strip:
        strip.show(JADE)
        until(lambda: strip.status.state == "ok" and bool(terminal.heard))
        terminal.unplug()
        strip.show(CORAL)
        until(lambda: strip.status.state == "lost")
        strip.show(JADE)
        assert strip.status.why.endswith("check its cable") or "no LED strip at" in strip.status.why


def test_a_strip_that_comes_back_is_sent_the_present_state() -> None:
    ports = [SimulatedStrip(vanishes_after=2), SimulatedStrip()]
    opened: list[SimulatedStrip] = []

    def opener(address: str) -> Port:
        opened.append(ports[min(len(opened), 1)])
        return opened[-1]

    with Strip("sim://strip", opener=opener) as strip:
        strip.show(JADE)
        until(lambda: ports[0].controller.frames == 2)
        strip.show(CORAL)
        until(lambda: strip.status == StripStatus("lost", "the LED strip is gone; check its cable"))
        assert ports[0].closed
        until(lambda: ports[1].controller.frames >= 1)
        assert (strip.status, ports[1].controller.shown) == (StripStatus("ok"), lit(CORAL))
    assert (ports[1].controller.shown, ports[1].closed, len(opened)) == (BLACK, True, 2)
    assert bytes(ports[1].controller.obeyed) == b""


class Stuck(SimulatedStrip):
    """A port whose first write does not return until it is told to."""

    def __init__(self) -> None:
        super().__init__(greets_after_s=0)
        self.inside = threading.Event()
        self.go_on = threading.Event()

    def write(self, data: bytes) -> int:
        self.inside.set()
        self.go_on.wait()
        return super().write(data)


def test_showing_never_waits_and_only_the_newest_counts() -> None:
    port = Stuck()
    strip = Strip("sim://strip", opener=lambda address: port)
    strip.show(JADE)
    assert port.inside.wait(10)
    for level in range(200):
        strip.show([(level, 0, 0)] * 52)
    assert strip.close(limit_s=0.05) is False
    port.go_on.set()
    assert strip.close() is True
    assert port.controller.frames == 3
    assert port.controller.shown == BLACK


def test_at_most_twenty_frames_a_second() -> None:
    port = SimulatedStrip(greets_after_s=0)
    with Strip("sim://strip", opener=lambda address: port) as strip:
        began = time.monotonic()
        level = 0
        while port.controller.frames < 12:
            level = (level + 1) % 256
            strip.show([(level, level, level)] * 10)
            time.sleep(0.001)
        assert time.monotonic() - began >= 11 / 20


def test_a_slow_controller_is_lost_not_waited_for() -> None:
    with Strip("sim://strip?slow=0.5&greets=0") as strip:
        strip.show(JADE)
        until(lambda: strip.status == StripStatus("lost", "the LED strip takes no data; check its cable"))


def test_a_strip_behind_the_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"socket://127.0.0.1:{server.getsockname()[1]}"
        with Strip(address, boot_s=60) as strip:
            strip.show(JADE)
            far, _ = server.accept()
            with far:
                heard = b""
                far.settimeout(0.5)
                for _ in range(60):  # says so until it is heard, as Adalight does
                    far.sendall(b"Ada\n")
                    with suppress(TimeoutError):
                        heard += far.recv(162 - len(heard))
                    if len(heard) == 162:
                        break
                far.settimeout(None)
                assert decode(heard) == [lit(JADE)]
                strip.close()
                while more := far.recv(4096):
                    heard += more
    assert decode(heard)[-2:] == [BLACK, BLACK]


def test_no_strip_is_off() -> None:
    with Strip(None) as strip:
        strip.show(JADE)
        assert strip.status == StripStatus("off")
    assert strip.close() is True


@pytest.mark.parametrize(
    ("number", "state", "why"),
    [
        (errno.EACCES, "no permission", r"no permission for /dev/ttyX; become a member of the group dialout \(sudo"),
        (errno.EBUSY, "busy", "/dev/ttyX is used by another program"),
        (errno.ENOENT, "lost", "no LED strip at /dev/ttyX; check its cable and the address"),
    ],
)
def test_why_a_port_does_not_open(monkeypatch: pytest.MonkeyPatch, number: int, state: str, why: str) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise serial.SerialException(number, "could not open port")

    monkeypatch.setattr(serial, "serial_for_url", refuse)
    with pytest.raises(StripLost, match=why) as error:
        open_port("/dev/ttyX")
    assert error.value.state == state


@pytest.mark.parametrize("address", ["sim://strip?greets=often", "sim://table", "sim://strip?colour=1", "carrier://x"])
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(StripLost, match="is no address of a strip"):
        open_port(address)


def test_a_port_is_known_by_its_stable_name(tmp_path: Path) -> None:
    (tmp_path / "ttyUSB1").touch()
    links = tmp_path / "by-id"
    links.mkdir()
    (links / "usb-Arduino_1234").symlink_to("../ttyUSB1")
    assert _stable(str(tmp_path / "ttyUSB1"), links) == str(links / "usb-Arduino_1234")
    assert _stable("COM3", links) == "COM3"
