"""The newest-frame worker before cameras that misbehave."""

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from vision.camera import Camera, CameraLost, Frame
from vision.capture import MOST_WORKERS, Capture, CaptureStatus


class Hand:
    """A clock moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Fake:
    """A camera that gives as many frames as it was granted, then does what ``after`` says."""

    def __init__(self, granted: int, *, live: bool = True, frozen: bool = False, after: str = "block") -> None:
        self.identity = "fake"
        self.live = live
        self.asked = 0
        """How often a frame was asked for: once more than were given means that the last one was taken in."""
        self._given = 0
        self.closed = False
        self.frozen = frozen
        self.after = after
        self._granted = threading.Semaphore(granted)
        self._released = threading.Event()

    def grant(self, frames: int) -> None:
        self._granted.release(frames)

    def release(self) -> None:
        """Let a hanging read return."""
        self._released.set()
        self._granted.release()

    def read(self) -> Frame | None:
        self.asked += 1
        if not self._granted.acquire(blocking=self.after == "block") or self._released.is_set():
            if self.after == "end":
                return None
            raise CameraLost("the fake camera was unplugged")
        number = self._given
        image = np.full((48, 64, 3), 100, np.uint8)
        image[0, 0] = 0 if self.frozen else number % 200
        self._given += 1
        return Frame(image, number / 15, number)

    def close(self) -> None:
        self.closed = True


def until(condition: Callable[[], bool]) -> None:
    for _ in range(2000):
        if condition():
            return
        time.sleep(0.005)
    raise AssertionError("it never came true")


def test_only_the_newest_frame_of_a_live_camera_is_kept() -> None:
    camera = Fake(20)
    with Capture(lambda: camera, clock=Hand()) as capture:
        until(lambda: camera.asked == 21 and capture.status.state == "ok")
        first = capture.take()
        camera.grant(7)
        until(lambda: camera.asked == 28)
        second = capture.take()
        camera.release()
    assert (first and first.number, second and second.number) == (19, 26)
    assert camera.closed


def test_every_frame_of_a_recording_is_delivered_in_order() -> None:
    camera = Fake(25, live=False, after="end")
    numbers = []
    with Capture(lambda: camera) as capture:
        while not capture.finished:
            frame = capture.take()
            if frame is not None:
                numbers.append(frame.number)
        assert capture.status.state == "ended"
    assert numbers == list(range(25))
    assert camera.closed


def test_a_recording_that_breaks_delivers_what_it_has_and_is_not_begun_again() -> None:
    cameras: list[Fake] = []

    def open_source() -> Camera:
        cameras.append(Fake(3, live=False, after="raise"))
        return cameras[-1]

    numbers = []
    with Capture(open_source) as capture:
        while not capture.finished:
            frame = capture.take()
            if frame is not None:
                numbers.append(frame.number)
        status = capture.status
    assert numbers == [0, 1, 2]
    assert (status.state, status.why, len(cameras)) == ("lost", "the fake camera was unplugged", 1)


@pytest.mark.parametrize(
    ("frozen", "why"),
    [
        (False, "the camera has sent nothing for 3 s; check its cable"),
        (True, "the camera has sent the same picture for 3 s; check that it is not covered"),
    ],
)
def test_a_silent_or_frozen_camera_is_lost_and_opened_again(frozen: bool, why: str) -> None:
    clock = Hand()
    cameras: list[Fake] = []

    def open_source() -> Camera:
        cameras.append(Fake(12, frozen=frozen and not cameras))
        return cameras[-1]

    with Capture(open_source, clock=clock) as capture:
        until(lambda: capture.status.state == "ok" and cameras[0].asked == 13)
        clock.now += 2.9
        if frozen:
            cameras[0].grant(1)
            until(lambda: cameras[0].asked == 14)
        assert capture.status.state == "ok"
        clock.now += 0.2
        until(lambda: capture.status.state == "lost")
        assert (capture.status.why, capture.take(0.01), len(cameras)) == (why, None, 1)
        clock.now += 1.1
        until(lambda: capture.status.state == "ok" and cameras[1].asked == 13)
        frame = capture.take()
        assert (len(cameras), frame and frame.number) == (2, 11)
        cameras[0].release()
        until(lambda: cameras[0].closed)
        cameras[1].release()
    assert cameras[1].closed


def test_a_camera_that_cannot_be_opened_is_tried_again_ever_more_slowly(caplog: pytest.LogCaptureFixture) -> None:
    class Running:
        now = 0.0

        def __call__(self) -> float:
            self.now += 0.25
            return self.now

    clock = Running()
    tried: list[float] = []

    def open_source() -> Camera:
        tried.append(clock.now)
        raise CameraLost("no such camera")

    with Capture(open_source, clock=clock) as capture:
        until(lambda: len(tried) == 6)
        assert capture.status == CaptureStatus("lost", "no such camera")
    gaps = np.diff(tried)
    assert np.all(gaps >= [1, 2, 5, 10, 10])
    assert np.all(gaps <= np.array([1, 2, 5, 10, 10]) + 2)
    assert caplog.messages == ["no camera yet: no such camera; it is tried again"], "told once"


def test_a_camera_lost_again_after_it_was_well_is_told_again(caplog: pytest.LogCaptureFixture) -> None:
    opened: list[Fake] = []
    clock = Hand()

    def open_source() -> Camera:
        opened.append(Fake(0, after="block"))
        return opened[-1]

    with Capture(open_source, clock=clock):
        for times in (1, 2):
            until(lambda times=times: len(opened) == times)  # type: ignore[misc]
            camera = opened[-1]
            for second in range(8):
                camera.grant(1)
                until(lambda camera=camera, second=second: camera.asked == second + 2)  # type: ignore[misc]
                clock.now += 1
            camera.release()
            until(lambda times=times: len(caplog.messages) == times)  # type: ignore[misc]
            clock.now += 60
    assert caplog.messages == ["camera lost: the fake camera was unplugged; it is tried again"] * 2


def test_a_driver_that_never_returns_blocks_nothing() -> None:
    clock = Hand()
    returns = threading.Event()
    opened: list[int] = []

    def open_source() -> Camera:
        opened.append(1)
        returns.wait()
        raise CameraLost("at last")

    capture = Capture(open_source, clock=clock)
    try:
        until(lambda: len(opened) == 1)
        assert capture.status == CaptureStatus("opening")
        assert capture.take(0.01) is None
        clock.now += 15.1
        until(lambda: capture.status.state == "lost")
        assert capture.status.why == "the camera did not open within 15 s; unplug it and plug it in again"
        for _ in range(30):
            clock.now += 6
            time.sleep(0.03)
        assert len(opened) == MOST_WORKERS
        assert capture.close(limit_s=0.1) is False
    finally:
        returns.set()
    until(lambda: capture.close())


def test_a_stale_frame_is_not_handed_out() -> None:
    clock = Hand()
    camera = Fake(12)
    with Capture(lambda: camera, clock=clock) as capture:
        until(lambda: camera.asked == 13 and capture.status.state == "ok")
        clock.now += 0.3
        assert capture.take(0.01) is None
        camera.grant(1)
        frame = capture.take()
        camera.release()
    assert frame is not None
    assert frame.number == 12


def test_a_closed_capture_is_finished() -> None:
    camera = Fake(100, after="raise")
    capture = Capture(lambda: camera, clock=Hand())
    until(lambda: camera.asked == 101)
    assert capture.close() is True
    assert (capture.finished, capture.take(1.0)) == (True, None)
