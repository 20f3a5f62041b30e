"""The simulated camera is a camera like any other and can misbehave to order."""

import time

import numpy as np
import pytest

from calibration.layout import load
from vision.camera import Camera, CameraLost, Frame
from vision.synthetic.camera import SimulatedCamera
from vision.synthetic.table import SimulatedTable


def a_camera(*, paced: bool = False, fps: float = 15) -> SimulatedCamera:
    return SimulatedCamera(SimulatedTable(load("patolli"), seed=2, size=(160, 90), fps=fps), paced=paced)


def read(camera: Camera) -> Frame:
    frame = camera.read()
    assert frame is not None
    return frame


def test_it_gives_frames_through_the_common_door() -> None:
    camera: Camera = a_camera()
    assert camera.identity == "sim://table"
    assert not camera.live
    frames = [read(camera) for _ in range(2)]
    assert [frame.number for frame in frames] == [0, 1]
    assert not np.array_equal(frames[0].image, frames[1].image)


def test_frozen_it_gives_the_same_picture_while_time_goes_on() -> None:
    camera = a_camera()
    first = read(camera)
    camera.freeze()
    frozen = [read(camera) for _ in range(3)]
    assert all(np.array_equal(frame.image, first.image) for frame in frozen)
    assert [frame.number for frame in frozen] == [1, 2, 3]
    camera.go_on()
    assert not np.array_equal(read(camera).image, first.image)


def test_stopped_it_is_lost_until_told_to_go_on() -> None:
    camera = a_camera()
    camera.stop()
    with pytest.raises(CameraLost, match="told to stop"):
        camera.read()
    camera.go_on()
    assert read(camera).number == 0


def test_closed_it_stays_lost() -> None:
    camera = a_camera()
    camera.close()
    camera.go_on()
    with pytest.raises(CameraLost, match="closed"):
        camera.read()


def test_paced_it_never_runs_ahead_of_the_clock_and_slowed_even_less() -> None:
    camera = a_camera(paced=True, fps=50)
    assert camera.live
    read(camera)
    start = time.monotonic()
    for _ in range(5):
        read(camera)
    assert time.monotonic() - start >= 5 / 50 - 0.005
    camera.slow(3)
    read(camera)
    start = time.monotonic()
    for _ in range(2):
        read(camera)
    assert time.monotonic() - start >= 2 * 3 / 50 - 0.005
