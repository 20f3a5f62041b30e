"""A camera kept in threads of its own: the newest frame is always at hand, and a lost camera is opened again."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from vision.camera import Camera, CameraLost, Frame
from vision.health import LOST_AFTER_S, Health

CaptureState = Literal["opening", "ok", "lost", "ended"]
Clock = Callable[[], float]

OPEN_LIMIT_S = 15.0
REOPEN_DELAYS_S = (1.0, 2.0, 5.0, 10.0)
FRESH_S = 0.25
"""An older frame of a live camera is never handed out."""
MOST_WORKERS = 3
"""Workers that hang inside a driver are left behind; with so many of them no further one is started."""
_POLL_S = 0.02

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CaptureStatus:
    """How the camera does."""

    state: CaptureState
    """``ended``: a recording was read to its end. ``lost`` is final for recordings, retried for live cameras."""
    why: str = ""
    """For ``lost``: one line that says what happened and what to do."""
    identity: str = ""
    """Empty until the camera was opened once."""
    size: tuple[int, int] = (0, 0)
    """Width and height of the frames, pixels."""
    fps: float = 0.0
    """Frames a second that really come."""


class Capture:
    """Reads a camera in the background, from construction to ``close``.

    Of a live camera only the newest frame is kept; of a recording every frame is delivered, as fast as it is taken.

    Args:
        open_source: opens the camera; called in a worker, again after each loss, and may block or raise CameraLost.
        clock: seconds, rising; replaced in tests.
    """

    def __init__(self, open_source: Callable[[], Camera], *, clock: Clock = time.monotonic) -> None:
        self._open_source = open_source
        self._clock = clock
        self._changed = threading.Condition()
        self._told = ""
        self._stop = threading.Event()
        self._status = CaptureStatus("opening")
        self._worker: _Worker | None = None
        self._workers: list[_Worker] = []
        self._keeper = threading.Thread(target=self._keep, name="capture", daemon=True)
        self._keeper.start()

    def __enter__(self) -> "Capture":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def status(self) -> CaptureStatus:
        """The present state; never blocks."""
        with self._changed:
            return self._status

    @property
    def camera(self) -> Camera | None:
        """The camera as opened last, for its formats and controls; its frames come from ``take`` alone."""
        with self._changed:
            return self._worker.camera if self._worker else None

    def take(self, timeout_s: float = 0.5) -> Frame | None:
        """The next frame not yet taken; None if none comes in time, or none ever will (see ``finished``)."""
        deadline = time.monotonic() + timeout_s
        with self._changed:
            while True:
                worker = self._worker
                frame = worker.take(self._clock()) if worker and not self._stop.is_set() else None
                if frame is not None:
                    self._changed.notify_all()
                    return frame
                left = deadline - time.monotonic()
                if left <= 0 or self._stop.is_set() or self._final():
                    return None
                self._changed.wait(left)

    @property
    def finished(self) -> bool:
        """No frame will come any more: the recording has ended or failed, or ``close`` was called."""
        with self._changed:
            return self._stop.is_set() or (self._final() and not (self._worker and self._worker.full))

    def close(self, limit_s: float = 2.0) -> bool:
        """Stop reading and release the camera.

        Returns:
            False if a worker is still inside the driver after limit_s. It is a daemon thread and cannot hold up the
            process, but OpenCV may abort while the interpreter shuts down: end with ``os._exit`` in that case.
        """
        self._stop.set()
        deadline = time.monotonic() + limit_s
        with self._changed:
            self._changed.notify_all()
        self._keeper.join(limit_s)
        for worker in self._workers:
            worker.abandon()
            worker.thread.join(max(0.0, deadline - time.monotonic()))
        hanging = [worker for worker in self._workers if worker.thread.is_alive()]
        if hanging:
            _log.warning("the camera's driver does not return; its thread is left behind (%d)", len(hanging))
        return not hanging and not self._keeper.is_alive()

    def _final(self) -> bool:
        worker = self._worker
        return self._status.state == "ended" or (
            self._status.state == "lost" and worker is not None and worker.camera is not None and not worker.camera.live
        )

    def _keep(self) -> None:
        """Start a worker, watch it, start another one when it fails."""
        failures = 0
        while not self._stop.is_set():
            self._workers = [worker for worker in self._workers if worker.thread.is_alive()]
            if len(self._workers) < MOST_WORKERS:
                worker = _Worker(self._open_source, self._clock, self._changed)
                self._workers.append(worker)
                with self._changed:
                    self._worker = worker
                    if failures == 0:
                        self._status = CaptureStatus("opening", identity=self._status.identity)
                worker.thread.start()
                went_well = self._watch(worker)
                failures = 1 if went_well else failures + 1
            with self._changed:
                if self._stop.is_set() or self._final():
                    return
            self._wait(REOPEN_DELAYS_S[min(failures, len(REOPEN_DELAYS_S)) - 1])

    def _watch(self, worker: "_Worker") -> bool:
        """Follow one worker until the camera is lost or the recording over; True if it had been well for a while."""
        while not self._stop.is_set():
            with self._changed:
                status = worker.status(self._clock(), self._status)
                if status != self._status:
                    self._status = status
                    self._changed.notify_all()
                if status.state == "ended":
                    return True
                if worker.failure is not None:
                    break
                self._changed.wait(_POLL_S)
        worker.abandon()
        was_well = worker.good_s > LOST_AFTER_S
        if not self._stop.is_set():
            what = "camera lost" if worker.camera is not None else "no camera yet"
            told = f"{what}: {worker.failure}; it is tried again"
            if told != self._told or was_well:
                _log.warning("%s", told)
                self._told = told
        return was_well

    def _wait(self, seconds: float) -> None:
        until = self._clock() + seconds
        while self._clock() < until and not self._stop.wait(_POLL_S):
            pass


class _Worker:
    """One opening of the camera and the thread that reads it. Shared fields are guarded by ``changed``."""

    def __init__(self, open_source: Callable[[], Camera], clock: Clock, changed: threading.Condition) -> None:
        self._open_source = open_source
        self._clock = clock
        self._changed = changed
        self._abandoned = threading.Event()
        self._started_at = clock()
        self._slot: tuple[Frame, float] | None = None
        self._health = Health()
        self._ended = False
        self.camera: Camera | None = None
        self.failure: str | None = None
        self.thread = threading.Thread(target=self._run, name="camera", daemon=True)

    @property
    def good_s(self) -> float:
        return self._health.good_s

    @property
    def full(self) -> bool:
        return self._slot is not None

    def abandon(self) -> None:
        """Ask the thread to end when it can."""
        self._abandoned.set()
        with self._changed:
            self._changed.notify_all()

    def take(self, now: float) -> Frame | None:
        """Empty the slot; a live camera's frame counts only while it is fresh. Call with ``changed`` held."""
        slot, self._slot = self._slot, None
        if slot is None or self.camera is None:
            return None
        stale = self.camera.live and (self.failure is not None or now - slot[1] > FRESH_S)
        return None if stale else slot[0]

    def status(self, now: float, before: CaptureStatus) -> CaptureStatus:
        """Judge the camera. Call with ``changed`` held."""
        health = self._health
        if self.camera is None:
            if self.failure is None and now - self._started_at > OPEN_LIMIT_S:
                self.failure = f"the camera did not open within {OPEN_LIMIT_S:.0f} s; unplug it and plug it in again"
            state: CaptureState = before.state if before.state == "lost" else "opening"
        else:
            if self.failure is None and not self._ended and self.camera.live:
                self.failure = health.plight(now, self._started_at)
            state = "ended" if self._ended else "ok" if health.warm or not self.camera.live else "opening"
        identity = self.camera.identity if self.camera else before.identity
        if self.failure is not None:
            return CaptureStatus("lost", self.failure, identity, before.size)
        return CaptureStatus(state, before.why if state == "lost" else "", identity, health.size, health.fps)

    def _run(self) -> None:
        camera: Camera | None = None
        try:
            camera = self._open_source()
            with self._changed:
                self._started_at = self._clock()
                self.camera = camera
            self._read(camera)
        except CameraLost as error:
            with self._changed:
                self.failure = str(error)
        except Exception as error:  # a driver's own exceptions are many; each means the same to the game
            _log.exception("the camera's thread failed")
            with self._changed:
                self.failure = f"the camera failed: {error}"
        finally:
            if camera is not None:
                camera.close()
            with self._changed:
                self._changed.notify_all()

    def _read(self, camera: Camera) -> None:
        while not self._abandoned.is_set():
            frame = camera.read()
            with self._changed:
                if frame is None:
                    self._ended = True
                    return
                now = self._clock()
                self._health.see(frame.image, now)
                while not camera.live and self._slot is not None and not self._abandoned.is_set():
                    self._changed.wait()
                if self._health.warm or not camera.live:
                    self._slot = (frame, now)
                self._changed.notify_all()
