"""`macuil watch` on recordings that the test renders itself."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.inks import SEATS
from calibration.layout import load
from calibration.pose import Lens, Prior
from calibration.profile import Profile, dump
from referee.board import Seat
from server.cli import main
from tests.vision.scene import Scene, View, lit
from tests.vision.tray_scene import AWAY, SPOTS, DarkSeen, Picture, film, moved, place, rolling, with_beans, with_hand
from vision.synthetic.table import SimulatedTable

FRAMES = 24


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A board with a piece that nobody booked, at rest for longer than the table keeps silent about it."""
    table = SimulatedTable(load("patolli"), seed=103, fps=5.0)
    table.lay_out({"30": (Seat(3),)})
    for number in range(FRAMES + 5):  # five more, in which its look is learnt
        cv2.imwrite(str(tmp_path / f"{number:03}.png"), table.frame().image)
    return tmp_path


def test_a_match_is_refereed_from_a_folder(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["watch", str(recording), "--fps", "5", "--game", "patolli", "--preset", "quick", "--seats", "2", "--json"]
    assert main(words) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["event"] for line in lines] == ["settling", "rest", "objection"]
    assert lines[-1]["cells"] == ["30"]
    assert lines[-1]["state"]["players"]["3"]["track"] == []


def test_throws_without_a_game_are_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def scene(t: float) -> Picture:
        """A throw, a lamp, a hand that nudges one of the beans, and another throw."""
        beans = rolling(2.0)(t) if t < 5.4 else (*SPOTS[:4], (390.0, 240.0))
        if t > 7.0:
            beans = tuple((x + 60, 360 - y) for x, y in rolling(8.0)(t))
        fist = moved(AWAY, (330, 260), (t - 5.0) / 0.3) if t < 5.6 else moved((330, 260), AWAY, (t - 5.6) / 0.3)
        return with_hand(with_beans(place(), beans), fist) * (0.6 if 3.5 < t < 7.0 else 1.0)

    monkeypatch.setattr("vision.tray.ThrowReader", lambda needs: DarkSeen())
    for frame in film(scene, 9.5, fps=10.0):
        cv2.imwrite(str(tmp_path / f"{frame.number:03}.jpg"), frame.image)
    assert main(["watch", str(tmp_path), "--fps", "10", "--expect", "beans=5", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    before = ["settling", "rest", "moving", "settling", "rest", "throw"]
    between = ["light", "settling", "rest", "moving", "hand", "moving", "settling", "rest"]
    assert [line["event"] for line in lines] == [*before, *between, "moving", "settling", "rest", "throw"]
    throws = [line for line in lines if line["event"] == "throw"]
    value = {"event": "throw", "marked": 2, "certain": True, "plights": []}
    assert [line | {"t": 0} for line in throws] == [value | {"t": 0}] * 2
    assert [2.4 <= throws[0]["t"] <= 3.0, 8.4 <= throws[1]["t"] <= 9.0] == [True, True]


def test_a_source_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(tmp_path / "nowhere"), "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "nowhere" in captured.err


def test_a_board_without_tags_is_watched_by_its_corners(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    layout = replace(load("patolli"), tags=())
    table = SimulatedTable(layout, seed=103, fps=5.0)
    table.lay_out({"30": (Seat(3),)})
    corners = table.picture.feet_px(layout.field.corners_mm, table.truth().lie)
    for number in range(FRAMES + 5):  # five more, in which its look is learnt
        cv2.imwrite(str(tmp_path / f"{number:03}.png"), table.frame().image)
    shown = ["--corners", *(f"{x:.1f},{y:.1f}" for x, y in corners)]
    words = ["watch", str(tmp_path), "--fps", "5", "--game", "patolli", "--preset", "quick", "--seats", "2", "--json"]
    assert main([*words, *shown]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["event"], line.get("cells")) for line in lines] == [
        ("settling", None),
        ("rest", None),
        ("objection", ["30"]),
    ]
    assert main([*words, "--corners", *reversed(shown[1:])]) == 2
    assert capsys.readouterr().err.startswith("macuil watch: --corners: the corners go round against the clock")


def test_a_board_shown_by_its_corners_is_watched_through_a_wide_lens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the rim of the picture the lens bends the board by half a cell."""
    layout, view = load("patolli"), View(focal_px=900.0, k1=-0.18)
    scene = Scene(layout, view)
    lying = scene.empty()
    scene.solid(lying, layout.cell("30").centre_mm, SEATS[Seat(3)], 8.5, 8)
    noisy = [lit(lying, 0.9, seed) for seed in range(3)]
    folder, profile = tmp_path / "pictures", tmp_path / "lens.json"
    folder.mkdir()
    for number in range(FRAMES + 5):  # five more, in which its look is learnt
        cv2.imwrite(str(folder / f"{number:03}.png"), noisy[number % 3])
    known = Prior(Lens((639.5, 359.5), view.focal_px, view.k1), 0.01, 0.002)
    profile.write_text(dump(Profile("wide", view.size, known, "page", datetime(2026, 1, 2, tzinfo=UTC), 0.1)))
    corners = view.pixels(np.array([(x, y, 0.0) for x, y in layout.field.corners_mm]), layout)
    words = ["watch", str(folder), "--fps", "5", "--game", "patolli", "--preset", "quick", "--seats", "2", "--json"]
    shown = ["--corners", *(f"{x:.1f},{y:.1f}" for x, y in corners), "--lens", str(profile)]
    assert main([*words, *shown]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == {"t": 0.0, "event": "settling", "plights": ["learning"]}
    assert [(line["event"], line.get("cells")) for line in lines[1:]] == [("rest", None), ("objection", ["30"])]


def test_photographs_are_no_recording_and_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(9):
        picture = np.random.default_rng(number).integers(0, 256, (24, 32, 3)).astype(np.uint8)
        cv2.imwrite(str(tmp_path / f"{number}.png"), cv2.resize(picture, (320, 240)))
    assert main(["watch", str(tmp_path), "--json"]) == 0
    told = capsys.readouterr()
    assert "rest" not in [json.loads(line)["event"] for line in told.out.splitlines()]
    why = "nothing ever came to rest, so nothing was read; single photographs are for macuil read and macuil locate"
    assert told.err == f"macuil watch: {tmp_path}: {why}\n"


def test_a_film_without_the_board_stands_still_and_is_not_called_restless(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grey = np.random.default_rng(1).integers(90, 160, (240, 320, 3)).astype(np.uint8)
    for number in range(9):
        cv2.imwrite(str(tmp_path / f"{number}.png"), grey)
    assert main(["watch", str(tmp_path), "--game", "patolli", "--json"]) == 0
    told = capsys.readouterr()
    assert [json.loads(line)["event"] for line in told.out.splitlines()] == ["lost"]
    assert told.err == ""
