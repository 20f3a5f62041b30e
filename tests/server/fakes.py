"""A camera, a reader and lamps that do what the test says; everything else in a test is real."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from calibration.layout import Layout, load
from device.strip import Strip
from referee.board import Seat
from referee.observation import BeanSeen, BoardSeen, Observation, ThrowSeen
from referee.rules import Needs
from server.books import open_books
from server.house import House
from server.invitation import invite
from server.lamps import Lamps
from server.live import Live, Seen
from vision.camera import Frame
from vision.capture import CaptureStatus
from vision.overlay import Overlay

SIZE = (640, 400)
PLACE = ((400.0, 60.0), (560.0, 60.0), (560.0, 340.0), (400.0, 340.0))
EMPTY, PIECE = 0.0, -30.0


class FakeFrames:
    """Gives a numbered grey frame each time ``push`` is called."""

    def __init__(self) -> None:
        self.status = CaptureStatus("opening", identity="fake camera")
        self.pushed = 0
        self.closed = False
        self._given = 0
        self._news = threading.Condition()

    def push(self) -> None:
        with self._news:
            self.pushed += 1
            self.status = CaptureStatus("ok", identity="fake camera", size=SIZE, fps=14.8)
            self._news.notify_all()

    def take(self, timeout_s: float) -> Frame | None:
        with self._news:
            fresh = self._news.wait_for(lambda: self._given < self.pushed or self.closed, min(timeout_s, 0.02))
            if not fresh or self.closed:
                return None
            self._given += 1
            image = np.full((SIZE[1], SIZE[0], 3), 40 + self._given % 100, np.uint8)
            return Frame(image, self._given / 10, self._given)

    def close(self) -> bool:
        with self._news:
            self.closed = True
            self._news.notify_all()
        return True


class FakeReader:
    """Sees what the test has put there, frame after frame."""

    def __init__(self, seats: Sequence[Seat], needs: Needs) -> None:
        self.made_for = (tuple(seats), needs)
        self.lit_at: list[float] = []
        self.shows: Observation = resting(None)

    def lit(self, at: float) -> None:
        self.lit_at.append(at)

    def see(self, frame: Frame) -> Observation:
        return replace(self.shows, taken_at=frame.taken_at)

    def overlay(self) -> Overlay:
        return Overlay(SIZE, None, PLACE, (("17", Seat(3), 100.4, 99.6),), self.shows.throw)


class FakePort:
    """A strip's port that keeps what was written."""

    in_waiting = 0

    def __init__(self) -> None:
        self.written = b""
        self.closed = False

    def read(self, size: int) -> bytes:
        return b""

    def write(self, data: bytes) -> int:
        self.written += data
        return len(data)

    def close(self) -> None:
        self.closed = True


class Stage:
    """A house with its fakes."""

    def __init__(self, folder: Path, *, address: str | None = None, strip: bool = False) -> None:
        self.layout: Layout = load("patolli")
        self.frames = FakeFrames()
        self.port = FakePort()
        self.moment = 3.5
        """Of the lamps' clock; nothing dips or flashes at 3.5."""
        self.readers: list[FakeReader] = []
        started = invite(self.layout, game="patolli", preset="classic", seats=(Seat(1), Seat(3)), names={})
        self.books = open_books(folder, "http://127.0.0.1:1", self.layout, started)
        live = Live(lambda: self.frames, self._reader)
        lamps = Lamps(
            self.layout,
            Strip("sim://fake" if strip else None, opener=lambda _: self.port, boot_s=0.0),
            clock=lambda: self.moment,
        )
        self.house = House(self.books, self.layout, live, lamps, address=address)
        self.heard = 0
        hear = self.house.hear

        def counting(seen: Seen) -> None:
            hear(seen)
            self.heard += seen.frame is not None

        self.house.hear = counting  # type: ignore[method-assign]

    def _reader(self, seats: tuple[Seat, ...], needs: Needs) -> FakeReader:
        self.readers.append(FakeReader(seats, needs))
        return self.readers[-1]


def resting(marks: int | None) -> Observation:
    """An empty board at rest, and five beans lying with ``marks`` up, or none."""
    cells = {cell.name: {None: EMPTY, Seat(1): PIECE, Seat(3): PIECE} for cell in load("patolli").cells}
    if marks is None:
        return Observation(0.0, "rest", ThrowSeen("none", certain=True), BoardSeen(cells), place_empty=True)
    beans = tuple(
        BeanSeen(
            (420.0 + 25 * i, 100.0 + 40 * i),
            "marked" if i < marks else "plain",
            True,
            0.999,
            10.0 * i,
            (0.1 * i, 0.15 * i),
        )
        for i in range(5)
    )
    return Observation(0.0, "rest", ThrowSeen("beans", beans=beans, certain=True), BoardSeen(cells))
