"""The demo's company: simulated people at a simulated table, who see of the server only what is on its page."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from calibration.layout import Layout
from referee.events import Started
from referee.match import Match
from server.wish import by_hand
from vision.camera import Frame
from vision.synthetic.announced import Announced
from vision.synthetic.camera import SimulatedCamera
from vision.synthetic.people import People
from vision.synthetic.table import SimulatedTable

AGAIN_AFTER_S = 12.0
"""How long people look at the end of a game before they begin another."""
STUCK_AFTER_S = 90.0
"""A visitor at the page may undo what the people rely on; after so long without a booking they begin anew."""


class Company:
    """A paced Camera. After each of its frames the people look at the page and go on playing.

    They learn from the server which match was begun, as players do who have pressed the button, and then only what
    every page gets. The table hears of them through the frames, and at the page where these do not tell.
    """

    live = True
    identity = "sim://table"

    def __init__(
        self,
        layout: Layout,
        seed: int,
        *,
        match: Callable[[], Match],
        page: Callable[[], Mapping[str, Any]],
        begin: Callable[[Started], None],
        enter: Callable[[int, dict[str, object]], None],
    ) -> None:
        """Nothing is rendered before ``open``.

        Args:
            layout: of the board on the table.
            seed: of the table, its light and its people.
            match: the match that is being played. Read for its start, and once, at ``open``, for where it stands:
                the people have been playing it when the server was started again.
            page: the latest snapshot.
            begin: asks for another match; may be called in any thread, as may ``enter``.
            enter: gives a command at the page, which showed that version: a throw that was not made out, a move that no
                camera sees.
        """
        self._layout = layout
        self._seed = seed
        self._match = match
        self._page = page
        self._begin, self._enter = begin, enter
        self._table: SimulatedTable | None = None
        self._camera: SimulatedCamera | None = None
        self._people: People | None = None
        self._version = -1
        self._since = 0.0

    def open(self) -> "Company":
        """Lay the table, with the pieces where the match has them, and point the camera at it."""
        if self._table is None:
            match = self._match()
            self._table = SimulatedTable(self._layout, seed=self._seed)
            self._table.lay_out(dict(match.game.occupancy(match.position)))
            self._people = self._gather(self._table, match.started)
            self._people.truth = match
        self._camera = SimulatedCamera(self._table, paced=True)
        return self

    def read(self) -> Frame | None:
        """The next frame; the people have then seen the page."""
        assert self._camera is not None
        assert self._table is not None
        frame = self._camera.read()
        if frame is not None:
            page = self._page()
            if page.get("paused"):
                self._since = frame.taken_at  # they wait, however long it takes
            else:
                self._go_on(self._table, Announced.read(page), frame.taken_at)
        return frame

    def close(self) -> None:
        """The camera is put away; table and people stay."""
        if self._camera is not None:
            self._camera.close()

    def _go_on(self, table: SimulatedTable, announced: Announced, now: float) -> None:
        assert self._people is not None
        started = self._match().started
        if announced.version != self._version:
            self._version, self._since = announced.version, now
        if started is not self._people.started:
            self._tidy_up(table, started)
        elif now - self._since > (AGAIN_AFTER_S if self._people.finished else STUCK_AFTER_S):
            if self._people.wrong:
                print(f"macuil demo: the referee was wrong: {self._people.wrong}", file=sys.stderr, flush=True)
            self._since = now
            self._begin(replace(started))
        else:
            entered = self._people.act(announced)
            if entered is not None:
                self._enter(announced.version, by_hand(entered))

    def _tidy_up(self, table: SimulatedTable, started: Started) -> None:
        """Take everything off the board, one piece after the other; then the next match can begin."""
        standing = table.truth().occupancy
        if table.busy:
            return
        for cell, owners in standing.items():
            for owner in owners:
                table.remove(cell, owner, owner)
        if not standing:
            self._people = self._gather(table, started)

    def _gather(self, table: SimulatedTable, started: Started) -> People:
        return People(table, started, np.random.default_rng((self._seed, max(self._version, 0))))
