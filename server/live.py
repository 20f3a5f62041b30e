"""The reading thread: takes frames from the capture, understands them, and tells the event loop."""

import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from referee.board import Seat
from referee.observation import Observation
from referee.rules import Needs
from server.inbox import Inbox
from vision.camera import Frame, Image
from vision.capture import CaptureStatus
from vision.overlay import Overlay

WAIT_S = 0.5
"""How long the thread waits for a frame before it looks whether it should end."""
PREVIEW_QUALITY = 75


@dataclass(frozen=True, slots=True)
class Seen:
    """What the loop is told: one frame understood, or that there is none."""

    observation: Observation
    overlay: Overlay | None = None
    frame: Frame | None = None
    jpeg: bytes | None = None
    """The whole frame, where someone watches."""


class Frames(Protocol):
    """Where frames come from: vision.capture.Capture, which opens and reopens one camera in threads of its own."""

    @property
    def status(self) -> CaptureStatus:
        """How the camera does; never blocks."""

    def take(self, timeout_s: float) -> Frame | None:
        """The next frame not yet taken, or None after ``timeout_s``."""

    def close(self) -> bool:
        """End the threads; False if one hangs inside a driver."""


class Reader(Protocol):
    """vision.reader.Reader."""

    def lit(self, at: float) -> None:
        """Our own light changes at that time of the frames."""

    def see(self, frame: Frame) -> Observation:
        """Understand one frame."""

    def overlay(self) -> Overlay | None:
        """What is believed now, to be drawn over the picture."""


class Live:
    """Capture and reader at work. Everything public is called on the event loop, but ``stop``, which blocks."""

    def __init__(self, capture: Callable[[], Frames], make_reader: Callable[[tuple[Seat, ...], Needs], Reader]) -> None:
        """Nothing runs before ``start``.

        Args:
            capture: begins to take frames; called once, by ``start``.
            make_reader: a reader for who plays and what they throw with.
        """
        self._capture = capture
        self._frames: Frames | None = None
        self._make_reader = make_reader
        self._wanted: tuple[tuple[Seat, ...], Needs] | None = None
        self._renewed = False
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def status(self) -> CaptureStatus:
        """How the camera does."""
        return self._frames.status if self._frames else CaptureStatus("opening")

    def expect(self, seats: tuple[Seat, ...], needs: Needs) -> None:
        """Read for these players from the next frame on."""
        self._wanted = (seats, needs)

    def renew(self) -> None:
        """Read with a new reader from the next frame on."""
        self._renewed = True

    def start(self, inbox: Inbox[Seen], *, watched: Callable[[], bool], steady: Callable[[], bool]) -> None:
        """Begin to read.

        Args:
            inbox: through which the loop hears.
            watched: whether anyone wants to see the pictures; called in the thread, as is ``steady``.
            steady: whether our own light stands still.
        """
        self._watched, self._steady = watched, steady
        self._frames = self._capture()
        self._thread = threading.Thread(target=self._run, args=(self._frames, inbox), name="reading")
        self._thread.start()

    def stop(self) -> bool:
        """End the threads, within seconds; False if one hangs inside the camera's driver."""
        self._stopping.set()
        released = self._frames.close() if self._frames else True
        if self._thread:
            self._thread.join()
        return released

    def _run(self, frames: Frames, inbox: Inbox[Seen]) -> None:
        reader: Reader | None = None
        read_for: tuple[tuple[Seat, ...], Needs] | None = None
        last_at, ended = 0.0, False
        while not self._stopping.is_set():
            frame = frames.take(WAIT_S)
            if frame is None:
                if frames.status.state == "ended" and not ended:
                    ended = True
                    print("macuil: the recording has ended; Ctrl+C ends too", file=sys.stderr, flush=True)
                if frames.status.state in ("opening", "lost"):
                    self._tell(inbox, Seen(Observation(last_at, "lost")))
                continue
            last_at = frame.taken_at
            wanted = self._wanted
            if wanted and (reader is None or wanted != read_for or self._renewed):
                self._renewed = False
                reader, read_for = self._make_reader(*wanted), wanted
            if reader is None:
                continue
            try:
                self._tell(inbox, self._read(reader, frame))
            except Exception:
                # A frame that our reader chokes on is a bug, but no reason to end people's evening.
                traceback.print_exc(file=sys.stderr)
                reader = None
                self._stopping.wait(WAIT_S)

    def _read(self, reader: Reader, frame: Frame) -> Seen:
        if not self._steady():
            reader.lit(frame.taken_at)
        observation = reader.see(frame)
        return Seen(observation, reader.overlay(), frame, encode(frame.image) if self._watched() else None)

    def _tell(self, inbox: Inbox[Seen], seen: Seen) -> None:
        while not self._stopping.is_set() and not inbox.put(seen, WAIT_S):
            pass


def crop(seen: Seen) -> bytes | None:
    """The throwing place of a frame as JPEG, upright in the frame; None where it was not located."""
    if seen.frame is None or seen.overlay is None or not seen.overlay.place:
        return None
    height, width = seen.frame.image.shape[:2]
    points = np.asarray(seen.overlay.place, np.float32).reshape(-1, 2)
    left, top = np.clip(np.floor(points.min(axis=0)), 0, (width - 1, height - 1)).astype(int)
    right, bottom = np.clip(np.ceil(points.max(axis=0)), (left + 1, top + 1), (width, height)).astype(int)
    return encode(seen.frame.image[top:bottom, left:right])


def encode(image: Image) -> bytes:
    """A picture as JPEG."""
    return cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, PREVIEW_QUALITY))[1].tobytes()
