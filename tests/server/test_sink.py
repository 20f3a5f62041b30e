"""Ways between threads that hold one item."""

import asyncio
import threading

from server.sink import Inbox, Sink


def test_a_slow_way_carries_the_first_and_the_latest() -> None:
    carried: list[int] = []
    started, go_on = threading.Event(), threading.Event()

    def carry(item: int) -> None:
        carried.append(item)
        started.set()
        go_on.wait()

    sink = Sink(carry, name="slow")
    sink.put(1)
    started.wait()
    for item in (2, 3, 4):
        sink.put(item)
    go_on.set()
    sink.close()
    assert carried == [1, 4]
    assert "slow" not in {thread.name for thread in threading.enumerate()}


def test_the_loop_hears_all_in_order() -> None:
    heard: list[int] = []

    async def scene() -> list[bool]:
        inbox = Inbox(asyncio.get_running_loop(), heard.append)
        return await asyncio.to_thread(lambda: [inbox.put(item, 10) for item in range(100)])

    assert asyncio.run(scene()) == [True] * 100
    assert heard == list(range(100))


def test_a_busy_loop_is_never_given_a_second_item() -> None:
    heard: list[int] = []

    async def scene() -> tuple[bool, bool]:
        inbox = Inbox(asyncio.get_running_loop(), heard.append)
        said = inbox.put(1, 0), inbox.put(2, 0.01)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return said

    assert asyncio.run(scene()) == (True, False)
    assert heard == [1]
