"""A real server at a table where people put everything as the page says: what is entered by hand is soon seen."""

import asyncio
import threading
from pathlib import Path
from typing import Any

from calibration.layout import load
from device.strip import Strip
from referee.board import Cell, Seat
from referee.match import start
from referee.observation import BoardSeen, Observation, ThrowSeen
from server.app import create_app
from server.books import open_books
from server.house import House
from server.lamps import Lamps
from server.live import Live
from tests.pages.door import Door, free_port
from tests.server.fakes import SIZE, FakeFrames
from vision.camera import Frame
from vision.capture import CaptureStatus
from vision.overlay import Overlay

FRAME_S = 0.03
PRESETS = {"ludo": "chessboard", "batok": "standard", "ur": "finkel", "patolli": "classic"}


class ObedientTable:
    """A match in a browser's reach: the board is always as it should be, and thrown is what the test lays there."""

    def __init__(self, folder: Path, game: str, seats: tuple[int, ...], names: dict[int, str] | None = None) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}/"
        self._layout = load(game)
        self._frames = FakeFrames()
        self.has_camera = True
        self.lying = ThrowSeen("none", certain=True)
        """What was thrown."""
        self.is_moving = False
        """Whether somebody pushes the board."""
        people = {Seat(seat): name for seat, name in (names or {}).items()}
        started = start(game, PRESETS[game], tuple(map(Seat, seats)), names=people)
        self._books = open_books(folder, self.url, self._layout, started)
        live = Live(lambda: self._frames, lambda seats, needs: _Eyes(self, seats))
        self.house = House(self._books, self._layout, live, Lamps(self._layout, Strip(None)))
        self._door = Door(create_app(self.house), port)
        self._ending = threading.Event()
        self._filming = threading.Thread(target=self._film)
        self._filming.start()

    @property
    def state(self) -> dict[str, Any]:
        """The position as the adjudicator writes it."""
        assert self.house.table.match is not None
        return self.house.table.match.game.dump(self.house.table.match.position)

    def command(self, **command: Any) -> None:
        """Somebody else enters something, who has seen the latest state."""

        async def carry_out() -> None:
            self.house.command("another tablet", self.house.table.version, command)

        asyncio.run_coroutine_threadsafe(carry_out(), self._door.loop).result()

    def stop(self) -> None:
        """End every thread."""
        self._ending.set()
        self._door.close()
        self._filming.join()

    def observe(self, seats: tuple[Seat, ...], at: float) -> Observation:
        """The table at rest with what is booked on the board; or the board on its way."""
        if self.is_moving:
            return Observation(at, "moving", plights=("board moved",))
        booked = self.house.table.booked
        cells: dict[Cell, dict[Seat | None, float]] = {}
        for cell in self._layout.cells:
            top = next(iter(booked.get(cell.name, ())), None)
            cells[cell.name] = {state: 0.0 if state == top else -14.0 for state in (None, *seats)}
        return Observation(at, "rest", self.lying, BoardSeen(cells), place_empty=self.lying.kind == "none")

    def _film(self) -> None:
        while not self._ending.wait(FRAME_S):
            if self.has_camera:
                self._frames.push()
            else:
                self._frames.status = CaptureStatus("lost", identity="fake camera")


class _Eyes:
    """vision.reader.Reader."""

    def __init__(self, table: ObedientTable, seats: tuple[Seat, ...]) -> None:
        self._table = table
        self._seats = seats

    def lit(self, at: float) -> None:
        """Nothing is lit."""

    def see(self, frame: Frame) -> Observation:
        return self._table.observe(self._seats, frame.taken_at)

    def overlay(self) -> Overlay:
        return Overlay(SIZE, None, None, (), None)
