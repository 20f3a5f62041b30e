"""The latest word for every viewer. Nothing is queued: whoever reads slowly misses what is out of date anyway."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Generic, Self, TypeVar

from starlette.websockets import WebSocket, WebSocketDisconnect

T = TypeVar("T")

HEARTBEAT_S = 4.0
"""A page that has heard nothing for three of these knows that the line is dead."""


class Hub(Generic[T]):
    """One latest item, any number of viewers. Lives on the event loop."""

    def __init__(self) -> None:
        self.latest: T | None = None
        self._viewers: set[asyncio.Event] = set()

    @property
    def watched(self) -> bool:
        """True while anyone looks."""
        return bool(self._viewers)

    def publish(self, item: T) -> None:
        """Make ``item`` the latest; never waits for anyone."""
        self.latest = item
        for news in self._viewers:
            news.set()

    def viewer(self) -> "Viewer[T]":
        """A new viewer, to be used in a ``with`` block."""
        return Viewer(self, self._viewers)


class Viewer(Generic[T]):
    """One who looks: sees the latest item at once, then each newer one as fast as he can take them."""

    def __init__(self, hub: Hub[T], viewers: set[asyncio.Event]) -> None:
        self._hub = hub
        self._viewers = viewers
        self._news = asyncio.Event()

    def __enter__(self) -> Self:
        if self._hub.latest is not None:
            self._news.set()
        self._viewers.add(self._news)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._viewers.discard(self._news)

    async def next(self, patience_s: float | None = None) -> T | None:
        """The latest item: as soon as it is a new one, or the same once more (or None yet) after ``patience_s``."""
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), patience_s)
            self._news.clear()
            if self._hub.latest is not None or patience_s is not None:
                return self._hub.latest


async def converse(
    socket: WebSocket, speak: Callable[[], Awaitable[None]], hear: Callable[[], None] = lambda: None
) -> None:
    """Speak on an open socket and listen to it at the same time, until either side ends.

    Listening matters even where nothing is expected: only a handler that awaits ``receive`` learns that the tablet
    or the server is going.

    Args:
        socket: accepted.
        speak: sends for as long as there is something to send.
        hear: called for each message of the other side.
    """
    speaker = asyncio.ensure_future(speak())
    try:
        while (await socket.receive())["type"] != "websocket.disconnect":
            hear()
    finally:
        speaker.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await speaker
