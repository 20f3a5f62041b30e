"""When a camera's frames count, and when it is lost."""

import numpy as np

from vision.camera import Image
from vision.health import Health


def grey(level: float, mark: int = 0) -> Image:
    image = np.full((32, 48, 3), level, np.uint8)
    image[-1, -1] = mark
    return image


def test_frames_count_once_brightness_has_settled() -> None:
    health = Health()
    warm = []
    for number in range(30):
        health.see(grey(20 + 8 * min(number, 12), number), number / 15)
        warm.append(health.warm)
    assert warm.index(True) == 21
    assert all(warm[21:])


def test_frames_count_after_five_seconds_at_the_latest() -> None:
    health = Health()
    for number in range(75):
        health.see(grey(100 + 20 * (number % 2), number), number / 15)
        assert not health.warm
    health.see(grey(100, 75), 5.0)
    assert health.warm


def test_size_and_rate_are_measured() -> None:
    health = Health()
    assert (health.size, health.fps) == ((0, 0), 0.0)
    for number in range(50):
        health.see(grey(100, number), number / 20)
    assert (health.size, round(health.fps, 6)) == ((48, 32), 20.0)


def test_a_change_of_one_pixel_is_life() -> None:
    health = Health()
    for number in range(100):
        health.see(grey(100, number // 40), number / 10)
        assert health.plight(number / 10, 0.0) == (
            "the camera has sent the same picture for 3 s; check that it is not covered" if number % 40 > 30 else None
        )
    assert health.good_s == 8.0
