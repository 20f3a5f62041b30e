"""Frames for the commands: recordings whole, live cameras newest first and opened again."""

import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from server import footage as module
from server.footage import footage
from vision.camera import Camera, CameraLost, Frame
from vision.capture import CaptureStatus


class Webcam:
    """Gives some pictures and is then unplugged."""

    identity = "webcam"
    live = True

    def __init__(self, pictures: int) -> None:
        self.left = pictures
        self.closed = False

    def read(self) -> Frame | None:
        if not self.left:
            raise CameraLost("webcam: unplugged")
        self.left -= 1
        time.sleep(0.05)
        noise = np.random.default_rng(self.left).integers(100, 110, (48, 64, 3))
        return Frame(noise.astype(np.uint8), time.monotonic(), self.left)

    def close(self) -> None:
        self.closed = True


def test_a_recording_is_read_frame_by_frame(tmp_path: Path) -> None:
    for number in range(5):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((40, 40, 3), number, np.uint8))
    with footage(str(tmp_path), 10.0) as frames:
        seen = list(frames)
    numbers = [(frame.number, round(frame.taken_at, 6)) for frame in seen if isinstance(frame, Frame)]
    assert numbers == [(number, number / 10) for number in range(5)]
    assert len(seen) == 5


def test_a_live_camera_that_is_unplugged_is_told_and_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    cameras = [Webcam(30), Webcam(200)]
    opened = list(cameras)

    def open_camera(address: str, *, fps: float) -> Camera:
        return opened.pop(0)

    monkeypatch.setattr(module, "open_camera", open_camera)
    states: list[str] = []
    with footage("0", 15.0) as frames:
        for frame in frames:
            if isinstance(frame, CaptureStatus):
                states.append(frame.state)
            elif states.count("ok") == 2:
                break
    assert [state for state in states if state != "opening"] == ["ok", "lost", "ok"]
    assert all(camera.closed for camera in cameras)


def test_a_source_that_is_not_there_is_told_at_once() -> None:
    with pytest.raises(CameraLost), footage("/nowhere/at/all.mp4", 15.0):
        pass
