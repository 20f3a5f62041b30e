"""The way from another thread into the event loop; it holds one item, and nothing is ever queued."""

import asyncio
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


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
