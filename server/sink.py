"""Ways between threads that hold one item; nothing is ever queued."""

import asyncio
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Sink(Generic[T]):
    """Out of the event loop: a thread of its own carries the latest item away, however slow the way is."""

    def __init__(self, carry: Callable[[T], None], *, name: str) -> None:
        """Start the thread.

        Args:
            carry: called in the thread with the latest item; may block.
            name: of the thread.
        """
        self._carry = carry
        self._items: list[T] = []
        self._closing = False
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._run, name=name)
        self._thread.start()

    def put(self, item: T) -> None:
        """Make ``item`` the next to be carried; never waits."""
        with self._news:
            self._items[:] = [item]
            self._news.notify()

    def close(self) -> None:
        """Carry what is left, then end the thread."""
        with self._news:
            self._closing = True
            self._news.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._items or self._closing)
                if not self._items:
                    return
                item = self._items.pop()
            self._carry(item)


class Inbox(Generic[T]):
    """Into the event loop: whoever puts an item waits until there is room, and takes a newer picture after that."""

    def __init__(self, loop: asyncio.AbstractEventLoop, hear: Callable[[T], None]) -> None:
        """Nothing runs until something is put.

        Args:
            loop: where ``hear`` is called.
            hear: takes each item.
        """
        self._loop = loop
        self._hear = hear
        self._items: list[T] = []
        self._empty = threading.Condition()

    def put(self, item: T, patience_s: float) -> bool:
        """Hand over an item from any thread, once the loop has heard the one before.

        Returns:
            False when that took longer than ``patience_s``; the item is then not handed over.
        """
        with self._empty:
            if not self._empty.wait_for(lambda: not self._items, patience_s):
                return False
            self._items.append(item)
        self._loop.call_soon_threadsafe(self._take)
        return True

    def _take(self) -> None:
        with self._empty:
            item = self._items.pop()
            self._empty.notify()
        self._hear(item)
