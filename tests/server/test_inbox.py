"""The way into the event loop holds one item."""

import asyncio

from server.inbox import Inbox


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
