"""A place without a board: when it is at rest, and that a hand over it is a hand however still it is held."""

import json
import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.observation import Observation, TableState, ThrowSeen
from referee.rules import Needs
from server.tally import Tally
from tests.vision.tray_scene import (
    AWAY,
    CUP,
    FIST,
    FPS,
    HEIGHT,
    SPOTS,
    WIDTH,
    FiveSeen,
    Picture,
    Scene,
    Spot,
    film,
    five,
    held,
    moved,
    place,
    rolling,
    runs,
    with_beans,
    with_hand,
)
from vision.camera import Frame
from vision.stillness import REST_S
from vision.tray import TrayReader

THROWS = Path(__file__).parents[2].parent / "shared" / "data" / "throws"
LATEST_S = 0.2
"""Rest is told so much after the place has been still for REST_S, at most."""
LAMP = np.linspace(0.6, 1.3, WIDTH)[None, :, None].astype(np.float32) * np.array([0.8, 1.0, 1.15], np.float32)
"""Another lamp: from the other side, and warmer."""


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(threads)


def watch(scene: Scene, seconds: float, *, fps: float = FPS, spots: tuple[Spot, ...] = SPOTS) -> list[Observation]:
    """What is seen of a scene where five beans are read at these spots in every rest."""
    reader = TrayReader(Needs(beans=5), throw_reader=FiveSeen(spots))
    return [reader.see(frame) for frame in film(scene, seconds, fps=fps)]


def told(seen: list[Observation]) -> list[ThrowSeen]:
    """The throws that are told of what was seen."""
    tally = Tally(Needs(beans=5))
    return [one.seen for one in (*(tally.see(observation, WIDTH) for observation in seen), tally.end(WIDTH)) if one]


def late_s(seen: list[Observation], still_from_s: float) -> float:
    """By how much rest is told later than REST_S after the place is still, the last rest that begins."""
    began = [
        now.taken_at for before, now in pairwise(seen) if now.state == "rest" and before.state in ("settling", "moving")
    ]
    return round(began[-1] - (still_from_s + REST_S), 3)


def reach(t: float, there_s: float, gone_s: float, spot: Spot = FIST) -> Spot:
    """Where a fist is that comes to a spot until one time and leaves it at another, each within 0.4 s."""
    return moved(AWAY, spot, (t - there_s) / 0.4 + 1) if t < gone_s else moved(spot, AWAY, (t - gone_s) / 0.4)


def test_a_hand_comes_and_goes() -> None:
    seen = watch(lambda t: with_hand(place(), reach(t, 1.4, 3.0)), 5.0)
    assert runs(seen) == ["settling", "rest", "moving", "hand", "moving", "settling", "rest"]
    assert {o.state for o in seen if 1.4 <= o.taken_at <= 3.1} == {"hand"}
    assert {o.plights for o in seen if o.state == "hand"} == {("hand",)}
    assert {o.plights for o in seen if o.state != "hand"} == {()}


def test_beans_held_still_in_the_hand_are_no_throw() -> None:
    def scene(t: float) -> Picture:
        fist = reach(t, 1.4, 3.6)
        if t <= 3.6:
            return with_beans(with_hand(place(), fist), held(fist))
        falling = tuple(moved(a, b, (t - 3.6) / 0.6) for a, b in zip(held(), SPOTS, strict=True))
        return with_hand(with_beans(place(), falling), fist)

    reader = FiveSeen()
    tray = TrayReader(Needs(beans=5), throw_reader=reader)
    frames = list(film(scene, 5.2))
    seen = [tray.see(frame) for frame in frames if frame.taken_at < 4.2]
    assert runs(seen) == ["settling", "rest", "moving", "hand", "moving"]
    before = reader.readings
    seen += [tray.see(frame) for frame in frames if frame.taken_at >= 4.2]
    assert runs(seen)[4:] == ["moving", "settling", "rest"]
    assert before == 2  # of the empty place, at the beginning
    assert reader.readings == 4
    assert 0 <= late_s(seen, 4.2) <= LATEST_S


@pytest.mark.parametrize("fps", [10.0, 15.0, 29.97])
@pytest.mark.parametrize("until_s", [2.0, 2.5])
def test_beans_that_roll_are_at_rest_when_the_last_has_stopped(fps: float, until_s: float) -> None:
    where = rolling(until_s)
    seen = watch(lambda t: with_beans(place(), where(t)), 4.0, fps=fps)
    assert runs(seen) == ["settling", "rest", "moving", "settling", "rest"]
    assert 0 <= late_s(seen, until_s) <= LATEST_S


def rocking(t: float, until_s: float) -> float:
    """Of a bean that lands at 1 s and comes to lie at another time."""
    return math.sin(20 * t) * (until_s - t) / (until_s - 1) if t < until_s else 0.0


def test_a_bean_that_rocks_is_not_at_rest() -> None:
    def scene(t: float) -> Picture:
        if t < 1:
            return place()
        return with_beans(with_beans(place(), SPOTS[1:]), SPOTS[:1], rocking(t, 3.0))

    seen = watch(scene, 4.5)
    assert runs(seen) == ["settling", "rest", "moving", "settling", "rest"]
    assert 0 <= late_s(seen, 3.0) <= LATEST_S


def test_a_cocked_bean_that_tips_over_late_is_at_rest_only_then() -> None:
    def scene(t: float) -> Picture:
        tilt = 0.0 if t > 2.3 else 1.0
        return with_beans(with_beans(place(), rolling(2.0)(t)[1:]), rolling(2.0)(t)[:1], tilt)

    seen = watch(scene, 4.0)
    assert runs(seen) == ["settling", "rest", "moving", "settling", "moving", "settling", "rest"]
    assert 0 <= late_s(seen, 35 / FPS) <= LATEST_S


def test_a_lamp_switched_over_a_throw_is_no_other_throw() -> None:
    seen = watch(lambda t: with_beans(place(), rolling(2.0)(t)) * (LAMP if t > 3.5 else 1), 7.5)
    assert runs(seen) == ["settling", "rest", "moving", "settling", "rest", "settling", "rest"]
    assert sum(o.light_changed for o in seen) == 1
    assert {o.state for o in seen if o.taken_at > 3.5 + 1.2} == {"rest"}
    assert told(seen) == [five()]


@pytest.mark.parametrize(
    "light",
    [
        pytest.param(LAMP, id="another lamp"),
        pytest.param(np.float32(0.4), id="much darker"),
        pytest.param(np.float32(1.5), id="brighter"),
    ],
)
def test_a_lamp_switched_while_beans_roll_changes_nothing(light: Picture | np.float32) -> None:
    seen = watch(lambda t: with_beans(place(), rolling(2.5)(t)) * (light if t > 2.0 else 1), 6.0)
    assert runs(seen) == ["settling", "rest", "moving", "settling", "rest"]
    assert 0 <= late_s(seen, 2.5) <= LATEST_S


@pytest.mark.parametrize("hertz", [100, 120])
def test_mains_flicker_changes_nothing(hertz: int) -> None:
    def scene(t: float) -> Picture:
        return with_beans(place(), rolling(2.5)(t)) * np.float32(0.95 + 0.1 * math.sin(2 * math.pi * hertz * t))

    seen = watch(scene, 4.0, fps=29.97)
    assert runs(seen) == ["settling", "rest", "moving", "settling", "rest"]
    assert 0 <= late_s(seen, 2.5) <= LATEST_S


def test_exposure_that_hunts_with_a_hand_replaces_nothing() -> None:
    def gain(t: float) -> float:
        since = t - 1.2
        follows = min(0.3, 0.45 * since) if t < 3.2 else max(0.0, 0.3 - 0.5 * (t - 3.2))
        return 1.0 if since < 0 else 1 + follows + 0.1 * math.sin(4 * since) * math.exp(-since)

    seen = watch(lambda t: with_hand(place(), reach(t, 1.4, 3.0)) * np.float32(gain(t)), 6.0)
    assert runs(seen) == ["settling", "rest", "moving", "hand", "moving", "settling", "rest"]
    assert {o.state for o in seen if 1.4 <= o.taken_at <= 3.1} == {"hand"}


def test_slow_drift_is_no_event() -> None:
    seen = watch(lambda t: with_beans(place()) * np.float32(0.8 + 0.2 * math.cos(2 * math.pi * t / 30)), 32.0, fps=10)
    assert runs(seen) == ["settling", "rest"]


@pytest.mark.parametrize("still_s", [0.0, 2.0])
def test_a_hand_in_the_first_picture_is_not_a_hand_for_ever(still_s: float) -> None:
    def scene(t: float) -> Picture:
        return with_hand(place(), moved(FIST, AWAY, (t - still_s) / 0.5))

    seen = watch(scene, 4.0)
    assert {o.state for o in seen if o.taken_at > still_s + 1.1} == {"rest"}


def test_a_hand_in_the_first_picture_that_moves_before_it_is_held_still_is_a_hand() -> None:
    seen = watch(lambda t: with_hand(place(), moved((420, 260), FIST, t / 0.4)), 2.5)
    assert {o.state for o in seen if o.taken_at >= 0.4} == {"hand"}


def set_down(t: float) -> Picture:
    """A cup is set down, by a hand that goes."""
    picture = place()
    if t > 1.4:
        cv2.circle(picture, (480, 90), 45, CUP, -1, cv2.LINE_AA)
    return with_hand(picture, reach(t, 1.4, 1.6, (480, 100)))


def test_beans_beside_what_was_set_down_are_read_and_those_in_it_doubted() -> None:
    beside = watch(set_down, 6.0)
    assert runs(beside) == ["settling", "rest", "hand", "rest"]
    assert told(beside) == [five()]
    inside = watch(set_down, 6.0, spots=held((480, 90)))
    assert runs(inside) == ["settling", "rest", "hand", "rest"]
    assert [(o.throw.certain, o.throw.plights) for o in inside[-1:] if o.throw] == [(False, ("hand",))]


def test_what_was_set_down_is_part_of_the_table_from_the_next_movement_on() -> None:
    def scene(t: float) -> Picture:
        return with_beans(set_down(t), ((440 + 200 * max(0.0, 7.0 - t), 300.0),)) if t > 6 else set_down(t)

    seen = watch(scene, 8.5, spots=held((480, 90)))
    assert runs(seen) == ["settling", "rest", "hand", "rest", "moving", "settling", "rest"]
    assert told(seen[-10:]) == [five(held((480, 90)))]


def test_an_arm_held_for_ever_is_waited_for_and_then_nothing_on_it_is_certain() -> None:
    def scene(t: float) -> Picture:
        return with_beans(with_hand(place(), reach(t, 1.4, 99.0)), held() if t > 1.4 else ())

    seen = watch(scene, 12.0, fps=10.0, spots=held())
    assert {o.state for o in seen if 1.4 <= o.taken_at < 11.3} == {"hand"}
    assert [(o.throw.certain, o.throw.plights) for o in seen[-1:] if o.throw] == [(False, ("hand",))]

    reader = TrayReader(Needs(beans=5), throw_reader=FiveSeen(held()))
    for frame in film(scene, 12.0, fps=10.0):
        reader.see(frame)

    def trembles(t: float) -> Picture:
        return with_beans(with_hand(place(), fist := moved(FIST, (298, 182), (t - 12) / 0.3)), held(fist))

    later = [reader.see(frame) for frame in film(trembles, 2.0, fps=10.0, start_s=12.0)]
    assert runs(later)[-1] == "rest"
    assert {(o.throw.certain, o.throw.plights) for o in later if o.throw} == {(False, ("hand",))}
    goes = film(lambda t: with_hand(place(), moved((298, 182), AWAY, (t - 14) / 0.4)), 2.0, fps=10.0, start_s=14.0)
    gone = [reader.see(frame) for frame in goes]
    assert [(o.state, o.throw and o.throw.certain) for o in gone[-1:]] == [("rest", True)]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda p: p * 0.5, id="half the light"),
        pytest.param(lambda p: p * LAMP, id="another lamp"),
        pytest.param(lambda p: p * (1 - np.array([0.35, 0.43, 0.48]) * _body()[..., None]), id="someone leans over it"),
        pytest.param(lambda p: cv2.line(p, (639, 100), (420, 220), (30, 30, 160), 9, cv2.LINE_AA), id="a pen"),
        pytest.param(lambda p: np.roll(p, (3, 4), (0, 1)), id="the camera was bumped"),
        pytest.param(lambda p: with_beans(p, [(600, 300), (625, 310), (610, 330), (580, 340)]), id="beans at the rim"),
    ],
)
def test_these_are_no_hands(change: Callable[[Picture], Picture]) -> None:
    def scene(t: float) -> Picture:
        still = np.asarray(change(place()), np.float32) if t > 2.0 else place()
        return with_beans(still, rolling(2.5)(t))

    seen = watch(scene, 4.0)
    assert runs(seen) == ["settling", "rest", "moving", "settling", "rest"]
    assert 0 <= late_s(seen, 2.5) <= LATEST_S


def _body() -> Picture:
    """The soft shadow of someone at the right side, 0 to 1."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    return np.asarray(np.exp(-((x - 640) ** 2 + (y - 180) ** 2) / (2 * 150**2)), np.float32)


def test_only_what_happens_over_the_area_counts() -> None:
    area = np.array([(60, 60), (260, 60), (260, 260), (60, 260)], np.float32)
    reader = TrayReader(Needs(beans=5), area, throw_reader=FiveSeen(((150.0, 150.0),)))
    beside = [reader.see(f) for f in film(lambda t: with_hand(place(), reach(t, 1.4, 3.0, (420, 180))), 3.0)]
    assert runs(beside) == ["settling", "rest"]
    over = [reader.see(f) for f in film(lambda t: with_hand(place(), reach(t, 3.5, 6.0, (200, 150))), 3, start_s=3.0)]
    assert runs(over) == ["rest", "hand"]


def test_a_hand_that_came_while_the_camera_was_lost_is_a_hand() -> None:
    reader = TrayReader(Needs(beans=5), throw_reader=FiveSeen())
    before = [reader.see(frame) for frame in film(lambda t: place(), 1.0)]
    after = [reader.see(frame) for frame in film(lambda t: with_hand(place()), 1.0, start_s=5.0)]
    assert (runs(before), runs(after)) == (["settling", "rest"], ["hand"])


def test_pictures_of_another_size_begin_anew() -> None:
    reader = TrayReader(Needs(beans=5), throw_reader=FiveSeen())
    frames = list(film(lambda t: place(), 2.0))
    small = [Frame(np.ascontiguousarray(f.image[::2, ::2]), f.taken_at, f.number) for f in frames[15:]]
    assert runs([reader.see(frame) for frame in [*frames[:15], *small]]) == ["settling", "rest", "settling", "rest"]


def test_jiggled_beans_are_the_same_throw_until_they_are_thrown_anew() -> None:
    anew = tuple((x + 60, y - 40 + 30 * (n % 3)) for n, (x, y) in enumerate(SPOTS))
    reader = FiveSeen()
    tray, tally = TrayReader(Needs(beans=5), throw_reader=reader), Tally(Needs(beans=5))

    def scene(t: float) -> Picture:
        if t < 4:
            return with_hand(with_beans(place(), nudged if t > 2.2 else SPOTS), reach(t, 2.0, 2.4, (330, 260)))
        return with_hand(with_beans(place(), anew) if t > 4.8 else place(), reach(t, 4.4, 5.0))

    nudged = (*SPOTS[:4], (390.0, 240.0))
    booked = []
    for frame in film(scene, 7.0):
        reader.spots = SPOTS if frame.taken_at < 2.2 else nudged if frame.taken_at < 4 else anew
        if one := tally.see(tray.see(frame), WIDTH):
            booked.append((one.seen, one.throw is not None))
    assert booked == [(five(), True), (five(anew), True)]


@pytest.mark.parametrize("name", ["sequence_00001", "sequence_00003"])
@pytest.mark.parametrize("area", [True, False])
def test_shared_throws(name: str, area: bool) -> None:
    if not THROWS.is_dir():
        pytest.skip("needs ../shared/data/throws")
    lines = [json.loads(line) for line in (THROWS / "sequences.jsonl").read_text().splitlines()]
    rows = [row for row in lines if row["sequence"] == name]
    reader = TrayReader(
        Needs(beans=5), np.asarray(rows[0]["area_px"], np.float32) if area else None, throw_reader=FiveSeen()
    )
    states: list[TableState] = []
    for row in rows:
        image = cv2.imread(str(THROWS / row["file"]))
        assert image is not None
        states.append(reader.see(Frame(np.asarray(image, np.uint8), row["t"], row["frame"])).state)
    seen = list(zip(rows, states, strict=True))
    assert not any(state == "rest" for row, state in seen if row["hand_over_area"] or row["state"] == "moving")
    held_still = [state for row, state in seen if row["hand_over_area"] and 0.3 < row["t"] < row["t_release"]]
    assert set(held_still) <= {"hand"}
    still_s = next(row["t"] for row in reversed(rows) if not row["still_px"]) + 1 / FPS
    rest_s = next(row["t"] for row, state in seen if state == "rest" and row["t"] > row["t_release"])
    print(
        f"{name}: still to a camera {still_s:.3f}, at rest {rows[0]['t_rest']:.3f}, told {rest_s:.3f}; "
        f"late by {rest_s - still_s - REST_S:.3f} s"
    )
    assert rest_s >= rows[0]["t_rest"]
    assert 0 <= round(rest_s - (still_s + REST_S), 3) <= LATEST_S
    assert {state for row, state in seen if row["t"] >= rest_s} == {"rest"}
