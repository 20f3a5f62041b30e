"""Rest, seen on made-up tables whose every movement is known, and on the shared throws."""

import json
import math
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.camera import Frame, Image
from vision.stillness import REST_S, Motion, Stillness

Picture = NDArray[np.float32]
Scene = Callable[[int], Picture]
HEIGHT, WIDTH = 360, 640
THROWS = Path(__file__).parents[2].parent / "shared" / "data" / "throws"
SETTLED = 8
"""Frames after which a watcher at 15 frames/s has seen enough to call rest."""


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(threads)


def table() -> Picture:
    return empty_table().copy()


@cache
def empty_table() -> Picture:
    """Uneven cloth with dark lines and counters on it."""
    random = np.random.default_rng(5)
    cloth = cv2.resize(random.integers(110, 190, (9, 16, 3), np.uint8), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    for x in range(60, 400, 30):
        cv2.line(cloth, (x, 50), (x, 300), (50, 40, 30), 2, cv2.LINE_AA)
    for x, y in random.integers(20, 340, (20, 2)):
        cv2.circle(cloth, (int(x), int(y)), 7, (40, 60, 210), -1, cv2.LINE_AA)
    return cloth.astype(np.float32)


def with_pebble(x: float, y: float) -> Picture:
    picture = table()
    cv2.circle(picture, (round(x * 16), round(y * 16)), 8 * 16, (90, 90, 95), -1, cv2.LINE_AA, 4)
    return picture


def with_die(turn_deg: float) -> Picture:
    picture = table()
    turn = cv2.getRotationMatrix2D((500, 150), turn_deg, 1)[:, :2]
    square = np.array([[-11, -11], [11, -11], [11, 11], [-11, 11]]) @ turn.T + (500, 150)
    cv2.fillPoly(picture, [np.round(square * 16).astype(np.int32)], (225, 230, 232), cv2.LINE_AA, 4)
    return picture


@cache
def grain(number: int) -> Picture:
    return np.random.default_rng(number).standard_normal((HEIGHT, WIDTH, 3), np.float32)


def film(scene: Scene, frames: int, *, noise: float = 2.0, fps: float = 15.0, jpeg: int | None = None) -> list[Frame]:
    random = np.random.default_rng(11)
    shots = []
    for number in range(frames):
        noisy = scene(number) + noise * np.roll(grain(number % 5), int(random.integers(0, WIDTH)), axis=1)
        image: Image = np.clip(noisy, 0, 255).astype(np.uint8)
        if jpeg is not None:
            image = np.asarray(
                cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, jpeg])[1], cv2.IMREAD_COLOR),
                np.uint8,
            )
        shots.append(Frame(image, number / fps, number))
    return shots


def watch(frames: list[Frame]) -> list[Motion]:
    stillness = Stillness()
    return [stillness.see(frame) for frame in frames]


def still(number: int) -> Picture:
    return table()


@pytest.mark.parametrize("noise", [0.0, 1.0, 4.0, 8.0])
@pytest.mark.parametrize("jpeg", [None, 70])
def test_a_still_table_is_at_rest_whatever_the_noise(noise: float, jpeg: int | None) -> None:
    seen = watch(film(still, 40, noise=noise, jpeg=jpeg))
    assert [m.at_rest for m in seen[SETTLED:]] == [True] * 32
    assert not any(m.moving or m.light_step or m.blocks.any() for m in seen)


@pytest.mark.parametrize(
    "scene",
    [
        pytest.param(lambda n: with_pebble(480 + 0.5 * n, 120), id="pebble 0.5 px a frame"),
        pytest.param(lambda n: with_die(1.5 * n), id="die 1.5 degrees a frame"),
    ],
)
@pytest.mark.parametrize("fps", [15.0, 30.0])
def test_what_creeps_is_never_at_rest(scene: Scene, fps: float) -> None:
    seen = watch(film(scene, 60, fps=fps))
    after = round(REST_S * fps) + 2
    assert not any(m.at_rest for m in seen[after:])
    assert sum(m.moving for m in seen[after:]) > 0.3 * len(seen[after:])


def test_the_blocks_say_where() -> None:
    seen = watch(film(lambda n: with_pebble(480 + 2 * n, 120), 12))[-1]
    rows, cols = np.nonzero(seen.blocks)
    assert seen.block_px == 4
    assert seen.blocks.shape == (HEIGHT // 4, WIDTH // 4)
    assert (rows.min() * 4 >= 104, rows.max() * 4 <= 136) == (True, True)
    assert (cols.min() * 4 >= 456, cols.max() * 4 <= 516) == (True, True)


def test_large_frames_are_shrunk_and_the_scale_is_told() -> None:
    frames = [
        Frame(np.asarray(cv2.resize(f.image, (1280, 720)), np.uint8), f.taken_at, f.number)
        for f in film(lambda n: with_pebble(480 + 2 * n, 120), 12)
    ]
    seen = watch(frames)[-1]
    rows, cols = np.nonzero(seen.blocks)
    assert (seen.block_px, seen.blocks.shape, seen.moving) == (8, (90, 160), True)
    assert abs(np.median(cols) * 8 - 1000) < 60
    assert abs(np.median(rows) * 8 - 240) < 40


def test_rest_comes_when_it_has_been_still_for_400_ms_and_not_before() -> None:
    stop = 20
    seen = watch(film(lambda n: with_pebble(400 + 6 * min(n, stop), 120), 40))
    assert all(m.moving for m in seen[2 : stop + 1])
    assert not any(m.at_rest for m in seen[1 : stop + 6])
    assert all(m.at_rest for m in seen[stop + 8 :])


def test_a_movement_that_slows_down_to_a_creep_stays_a_movement() -> None:
    seen = watch(film(lambda n: with_pebble(400 + (6 * n if n < 20 else 120 + 0.5 * (n - 20)), 120), 60))
    assert not any(m.at_rest for m in seen[8:])
    assert seen[-1].moving or seen[-1].still_s < REST_S / 2


@pytest.mark.parametrize(
    "gain",
    [
        pytest.param(lambda s: 0.8 + 0.2 * math.cos(2 * math.pi * s / 60), id="drift 1.0 to 0.6 in half a minute"),
        pytest.param(lambda s: 0.95 + 0.1 * math.sin(2 * math.pi * 100 * s), id="50 Hz mains"),
        pytest.param(lambda s: 0.95 + 0.1 * math.sin(2 * math.pi * 120 * s), id="60 Hz mains"),
    ],
)
@pytest.mark.parametrize("fps", [15.0, 29.97])
def test_drift_and_flicker_are_no_event(gain: Callable[[float], float], fps: float) -> None:
    seen = watch(film(lambda n: np.float32(gain(n / fps)) * table(), 90, fps=fps))
    assert not any(m.moving or m.light_step for m in seen)
    assert all(m.at_rest for m in seen[round(REST_S * fps) + 2 :])


def test_bands_of_a_rolling_shutter_are_no_event() -> None:
    row_s = np.arange(HEIGHT) / HEIGHT * 0.03

    def banded(number: int) -> Picture:
        bands = 0.95 + 0.1 * np.sin(2 * np.pi * 100 * (number / 29.97 + row_s))
        return np.asarray(table() * bands[:, None, None], np.float32)

    seen = watch(film(banded, 90, fps=29.97))
    assert not any(m.moving or m.light_step for m in seen)


@pytest.mark.parametrize(
    "light",
    [
        pytest.param(np.full(WIDTH, 1.0), id="everywhere alike"),
        pytest.param(np.linspace(0.7, 1.3, WIDTH), id="from one side"),
        pytest.param(np.full(WIDTH, 0.35), id="switched off"),
    ],
)
def test_a_lamp_switched_is_a_step_of_light_and_then_rest(light: NDArray[np.float64]) -> None:
    before = np.full(WIDTH, 0.55 if light.max() > 0.5 else 1.0)
    seen = watch(film(lambda n: np.asarray(table() * (before if n < 30 else light)[None, :, None], np.float32), 60))
    steps = [number for number, m in enumerate(seen) if m.light_step]
    assert steps == list(range(steps[0], steps[0] + 8))
    assert 30 <= steps[0] <= 33
    assert not any(m.at_rest for m in seen[steps[0] : steps[0] + 5])
    assert all(m.at_rest for m in seen[steps[0] + 8 :])


def test_exposure_that_follows_a_hand_is_no_step_of_light() -> None:
    def reach(number: int) -> Picture:
        picture = table()
        if number > 20:
            cv2.rectangle(picture, (0, 100), (20 * min(number - 20, 10), 250), (120, 150, 190), -1)
        hunting = 0.1 * math.sin((number - 23) / 4) * math.exp(-(number - 23) / 20)
        return picture * np.float32(1.0 if number < 23 else min(1.3, 1 + 0.03 * (number - 23)) + hunting)

    seen = watch(film(reach, 80))
    assert not any(m.light_step for m in seen)
    assert all(m.moving for m in seen[22:31])
    assert all(m.at_rest for m in seen[60:])


def test_a_bump_moves_everything() -> None:
    seen = watch(film(lambda n: np.roll(table(), 3 * max(0, min(n - 20, 6)), axis=1), 50))
    assert all(m.moving for m in seen[21:27])
    assert all(m.at_rest for m in seen[36:])


def test_movement_in_what_is_ignored_does_not_count() -> None:
    frames = film(lambda n: with_pebble(480 + 2 * n, 120), 20)
    stillness = Stillness()
    around = ((440.0, 90.0), (560.0, 90.0), (560.0, 150.0), (440.0, 150.0))
    seen = [stillness.see(frame, (around,)) for frame in frames]
    assert not any(m.moving or m.blocks.any() for m in seen)


def test_a_gap_or_a_new_size_starts_anew() -> None:
    frames = film(still, 30)
    late = [Frame(f.image, f.taken_at + 5, f.number) for f in frames[15:]]
    stillness = Stillness()
    seen = [stillness.see(frame) for frame in [*frames[:15], *late]]
    assert (seen[14].at_rest, seen[15].still_s, seen[15].moving) == (True, 0.0, False)
    small = Frame(np.ascontiguousarray(frames[0].image[::2, ::2]), late[-1].taken_at + 0.1, 99)
    assert stillness.see(small).still_s == 0.0


@pytest.mark.parametrize("name", ["sequence_00001", "sequence_00003"])
def test_shared_throws_come_to_rest_when_they_do(name: str) -> None:
    if not THROWS.is_dir():
        pytest.skip("needs ../shared/data/throws")
    lines = [json.loads(line) for line in (THROWS / "sequences.jsonl").read_text().splitlines()]
    rows = [row for row in lines if row["sequence"] == name]
    frames = []
    for row in rows:
        image = cv2.imread(str(THROWS / row["file"]))
        assert image is not None
        frames.append(Frame(np.asarray(image, np.uint8), row["t"], row["frame"]))
    seen = watch(frames)
    released = next(row["frame"] for row in rows if row["state"] == "moving")
    rested = next(f.taken_at for f, m in zip(frames, seen, strict=True) if f.number > released + 5 and m.at_rest)
    assert 0 <= rested - rows[0]["t_rest"] <= REST_S
    assert all(m.at_rest for f, m in zip(frames, seen, strict=True) if f.taken_at >= rested)
