"""The house: all that runs while the server runs. The table hears the camera here, and people see the table."""

import asyncio
import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

from calibration.corners import CornersRefused, read_corners
from calibration.layout import Layout
from referee.events import Started, Thrown
from referee.ledger import POT, Account, Entry
from referee.rules import BadQuestion
from server.books import Books
from server.drawing import Json, board, overlay
from server.hub import Hub
from server.inbox import Inbox
from server.invitation import asked
from server.journal import JournalLost
from server.lamps import Lamps
from server.live import Live, Seen, crop
from server.sight import Sight, SightRefused
from server.snapshot import snapshot
from server.table import Stale
from server.wish import BadCommand
from vision.camera import Image
from vision.capture import CaptureStatus
from vision.overlay import Overlay

LOOK_AGAIN_S = 0.25
"""How often what is no booking (the overlay, the strip's state) is looked at for changes."""


class House:
    """One table with all that belongs to it. Lives on the event loop."""

    def __init__(
        self,
        books: Books,
        layout: Layout,
        live: Live,
        lamps: Lamps,
        *,
        sight: Sight | None = None,
        address: str | None = None,
        demo: bool = False,
    ) -> None:
        """Nothing runs before ``start``.

        Args:
            books: with the match to go on with; closed by ``stop``.
            layout: of the board on the table.
            live: capture and reader.
            lamps: closed by ``stop``.
            sight: how the readers find the board; None: by its tags.
            address: where a tablet reaches this machine; None: it does not.
            demo: whether the table is a simulated one.
        """
        self.table = books.table
        self.address = address
        self.drawing = board(layout)
        self.states: Hub[str] = Hub()
        self.pictures: Hub[bytes] = Hub()
        self.leaving: Callable[[], bool] = lambda: False
        """Whether the server is about to end; endless answers look here."""
        self.released = False
        """Whether every thread has ended; False after ``stop`` if one hangs inside a driver."""
        self._books = books
        self._layout = layout
        self._live = live
        self._lamps = lamps
        self._sight = sight or Sight(layout)
        self._demo = demo
        self.latest: Json = {}
        """What people see, from ``start`` on; never changed once it is here."""
        self._shown = ""
        self._complained = ""
        self._overlay: Overlay | None = None
        self._image: Image | None = None
        """The latest picture."""
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Open for people; the camera may take its time."""
        self._expect()
        self.show()
        self._loop = asyncio.get_running_loop()
        inbox = Inbox(self._loop, self.hear)
        self._live.start(inbox, watched=lambda: self.pictures.watched, steady=lambda: self._lamps.steady)
        self._tasks = [asyncio.ensure_future(self._look_again()), asyncio.ensure_future(self._lamps.glow())]

    async def stop(self) -> None:
        """End every thread, darken the lamps, close the journal; in that order."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.released = all(
            await asyncio.gather(asyncio.to_thread(self._live.stop), asyncio.to_thread(self._lamps.close))
        )
        self._books.close()

    def snapshot(self) -> Json:
        """The whole state, as the pages get it."""
        state = snapshot(self.table, ended=self._live.status.state == "ended")
        if state.get("throw"):
            kept = self._books.journal.has_crop(state["throw"]["id"])
            state["throw"]["crop"] = f"/api/throws/{state['throw']['id']}.jpg" if kept else None
        return {
            **state,
            "camera": _camera(self._live.status),
            "strip": {"state": self._lamps.state, "colours": self._lamps.picture(state)},
            "overlay": overlay(self._overlay),
            "sight": self._sight.by,
            "demo": self._demo,
        }

    def statements(self) -> dict[str, list[Json]]:
        """The ledger of the match, account by account."""
        match = self.table.match
        if match is None:
            return {}
        accounts: tuple[Account, ...] = (*match.started.seats, POT)
        return {str(account): [_entry(line) for line in match.ledger.statement(account)] for account in accounts}

    def command(self, client: str, version: int, command: Mapping[str, Any]) -> int:
        """Carry out what people ask for at a page; returns the new version.

        Raises:
            Stale: the page did not know the present state.
            BadCommand: it cannot be done.
            JournalLost: the disk did not take it.
        """
        if version != self.table.version:
            raise Stale
        if command.get("type") == "new_game":
            self.begin(self._invite(command))
        elif command.get("type") in ("show_corners", "forget_corners"):
            self._look_by(command)
        else:
            self.table.command(version, command)
        self.show()
        return self.table.version

    def begin(self, started: Started) -> None:
        """Start a match; the earlier one stays in the journal."""
        self.table.start(started)
        self._expect()
        self.show()

    def begin_soon(self, started: Started) -> None:
        """Start a match, asked for from another thread."""
        self._loop.call_soon_threadsafe(self.begin, started)

    def command_soon(self, version: int, command: Mapping[str, Any]) -> None:
        """Carry out what the demo's people ask for in another thread; where it cannot be done, nothing happens."""

        def enter() -> None:
            try:
                self.command("", version, command)
            except JournalLost as error:
                self._complain(str(error))
            except (BadCommand, Stale):
                pass  # they see on the page that nothing has come of it

        self._loop.call_soon_threadsafe(enter)

    def hear(self, seen: Seen) -> None:
        """Take what the reading thread saw."""
        self._overlay = seen.overlay
        self._image = seen.frame.image if seen.frame else self._image
        self.pictures.latest = None
        if seen.jpeg:
            self.pictures.publish(seen.jpeg)
        before = self.table.version
        try:
            changed = self.table.see(seen.observation)
            self._keep_crop(seen, before)
        except JournalLost as error:
            # Nothing was booked and nothing of it is told; the next frame tries again.
            self._complain(str(error))
        else:
            self._complained = ""
            if changed:
                self.show()

    def show(self) -> None:
        """Let people see the state, if there is anything new in it."""
        state = self.snapshot()
        text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
        if text != self._shown:
            self._shown, self.latest = text, state
            self._lamps.show(state)
            self.states.publish(text)

    def crop(self, id_: int) -> bytes | None:
        """The picture that a throw was read from."""
        return self._books.journal.crop(id_)

    def _look_by(self, command: Mapping[str, Any]) -> None:
        """Find the board by corners that people show in the latest picture, or no longer. Raises BadCommand."""
        try:
            if command["type"] == "forget_corners":
                self._sight.forget()
            elif self._image is None:
                raise BadCommand("there is no picture to show corners in; check the camera")
            else:
                self._sight.show(read_corners(command.get("corners")), self._image)
        except (CornersRefused, SightRefused, ValueError) as error:
            raise BadCommand(str(error)) from error
        self._live.renew()

    def _invite(self, command: Mapping[str, Any]) -> Started:
        try:
            return asked(self._layout, command)
        except BadQuestion as error:
            raise BadCommand(str(error)) from error

    def _keep_crop(self, seen: Seen, before: int) -> None:
        booked = self.table.last_throw
        if not booked or booked.id <= before or not isinstance(booked.event, Thrown) or booked.event.source != "camera":
            return
        picture = crop(seen)
        if picture:
            try:
                self._books.journal.keep_crop(booked.id, picture)
            except JournalLost as error:
                self._complain(str(error))

    def _complain(self, why: str) -> None:
        """Tell the terminal, once."""
        if why != self._complained:
            print(f"macuil: {why}", file=sys.stderr, flush=True)
        self._complained = why

    def _expect(self) -> None:
        match = self.table.match
        if match:
            self._live.expect(match.started.seats, match.game.needs)

    async def _look_again(self) -> None:
        while True:
            await asyncio.sleep(LOOK_AGAIN_S)
            self.show()


def _entry(line: Entry) -> Json:
    other = None if line.other is None else str(line.other)
    return {"amount": line.amount, "other": other, "why": list(line.why), "balance": line.balance}


def _camera(status: CaptureStatus) -> Json:
    return {
        "identity": status.identity,
        "fps": round(status.fps),
        "state": status.state,
        "why": status.why,
        "size": list(status.size) if all(status.size) else None,
    }
