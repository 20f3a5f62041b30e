"""The latest word for every viewer."""

import asyncio

from server.hub import Hub, Viewer


def test_a_viewer_gets_the_latest_at_once_and_then_only_news() -> None:
    async def scene() -> list[str | None]:
        hub: Hub[str] = Hub()
        hub.publish("old")
        hub.publish("first")
        with hub.viewer() as viewer:
            seen = [await viewer.next()]
            hub.publish("missed")
            hub.publish("second")
            seen.append(await viewer.next())
            waiting = asyncio.ensure_future(viewer.next())
            await asyncio.sleep(0.02)
            assert not waiting.done()
            hub.publish("third")
            return [*seen, await waiting]

    assert asyncio.run(scene()) == ["first", "second", "third"]


def test_the_patient_viewer_hears_the_same_again() -> None:
    async def scene() -> list[str | None]:
        hub: Hub[str] = Hub()
        hub.publish("here")
        with hub.viewer() as viewer:
            return [await viewer.next(0.01), await viewer.next(0.01)]

    assert asyncio.run(scene()) == ["here", "here"]


def test_nine_hear_everything_while_the_tenth_sleeps() -> None:
    async def scene() -> tuple[list[list[int | None]], int | None]:
        hub: Hub[int] = Hub()

        async def listen(viewer: Viewer[int]) -> list[int | None]:
            return [await viewer.next() for _ in range(50)]

        sleeper = hub.viewer()
        viewers = [hub.viewer() for _ in range(9)]
        with sleeper:
            for viewer in viewers:
                viewer.__enter__()
            listening = [asyncio.ensure_future(listen(viewer)) for viewer in viewers]
            for number in range(50):
                hub.publish(number)
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                await asyncio.sleep(0)
            heard = await asyncio.wait_for(asyncio.gather(*listening), 5)
            for viewer in viewers:
                viewer.__exit__(None, None, None)
            return heard, await sleeper.next()

    assert asyncio.run(scene()) == ([list(range(50))] * 9, 49)


def test_nobody_watching_is_known() -> None:
    hub: Hub[bytes] = Hub()
    assert not hub.watched
    with hub.viewer(), hub.viewer():
        assert hub.watched
    assert not hub.watched
