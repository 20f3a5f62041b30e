"""``macuil calibrate board``: from the photo of a drawn cross to a layout that the other commands take."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import cv2
import httpx2
import numpy as np
import pytest

from calibration.cross import place
from calibration.layout import load
from server.cli import main
from tests.calibration.drawn import INK, draw

ROOT = Path(__file__).resolve().parents[3]
DRAWN = draw(220, INK, ratio=0.8, round_tips=True)
CORNERS = [f"{x:.1f},{y:.1f}" for x, y in DRAWN.corners_px]
ARM = (
    r"26 of 26 lines seen; cells \d+\.\d mm long, off even spacing by \d\.\d mm \(\d\.\d px\); "
    r"drawn cells off the lines by 0\.\d mm \([01]\.\d px\)"
)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cv2.imwrite("photo.png", DRAWN.image)
    cv2.imwrite("wall.png", np.full((600, 800, 3), 150, np.uint8))


def test_a_photo_becomes_a_layout_that_is_printed_and_located(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["calibrate", "board", "photo.png", "--corners", *CORNERS, "--size", "500,400", "--triangle-rows", "5,4"]
    assert main([*words, "--out", "mine.toml"]) == 0
    north, east, south, west, *told = capsys.readouterr().out.splitlines()
    for line, arm in ((north, "north"), (east, " east"), (south, "south"), (west, " west")):
        assert re.fullmatch(f"{arm}: {ARM}", line)
    shown = " ".join(f"{float(x):g},{float(y):g}" for x, y in (corner.split(",") for corner in CORNERS))
    assert told == [
        "mine.toml: round tips, 52 cells; to see it read:",
        f"  macuil locate photo.png --board mine.toml --corners {shown}",
    ]
    layout, truth = load("mine.toml"), place(DRAWN.truth, (500.0, 400.0))
    assert (layout.name, layout.size_mm, layout.triangle_rows) == ("mine", (500.0, 400.0), (4, 5))
    assert [(cell.name, cell.seat, cell.row, cell.led) for cell in layout.cells] == [
        (cell.name, cell.seat, cell.row, cell.led) for cell in load("patolli").cells
    ]
    away = [np.hypot(*np.subtract(cell.centre_mm, truth.cell(cell.name).centre_mm)) for cell in layout.cells]
    assert max(away) < 4
    assert main(["print", "mine.toml", "--out", "mine.svg"]) == 0
    assert capsys.readouterr().out == "mine.svg: 500 x 400 mm\n"
    assert main(["locate", "photo.png", "--board", "mine.toml", "--corners", *CORNERS]) == 0
    assert capsys.readouterr().out.startswith("photo.png: board found by corners at (")


def test_without_a_size_the_arms_are_as_broad_as_the_printed_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "board", "photo.png", "--corners", *CORNERS]) == 0
    layout = load("my-board.toml")
    width, height = layout.size_mm
    assert height / width == pytest.approx(DRAWN.ratio, rel=0.03)
    assert (
        f"The board is taken to be {width:.0f} x {height:.0f} mm, as if its arms were 52 mm broad; "
        "measure it and say --size W,H.\n"
    ) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("wall.png --corners 10,10 700,10 700,500 10,500",
         "wall.png: no cross of four arms, each two cells wide and six long, can be seen between the corners; "
         "point at the board's own corners, beginning at its top left, or take a sharper picture"),
        ("none.png --corners 10,10 700,10 700,500 10,500", "none.png: no such file; check the name"),
        ("wall.png --corners 10,10 700,500 700,10 10,500",
         "--corners: the sides cross like a bow-tie: swap corners 2 and 3, so that the corners go round the field with "
         "the clock from its top left"),
        ("wall.png --corners 10,10 10,500 700,500 700,10",
         "--corners: the corners go round against the clock: swap corners 2 and 4, or switch off mirroring in the "
         "camera"),
        ("wall.png --corners 10,10 900,10 700,500 10,500",
         "--corners: corner 2 lies outside the picture of 800 x 600 pixels: move the camera until all of the board is "
         "in it"),
        ("wall.png --corners 10 700,10 700,500 10,500",
         "--corners 10 700,10 700,500 10,500: write each as X,Y in pixels, such as 300,60.5"),
        ("photo.png --size 400", "--size 400: write W,H in millimetres, such as 420,420"),
        ("photo.png --size 40,400", "--size 40,400: a board is from 50 to 2000 mm wide and high"),
        ("photo.png --size nan,400", "--size nan,400: a board is from 50 to 2000 mm wide and high"),
        ("photo.png --triangle-rows 4,7",
         "--triangle-rows 4,7: name rows from 1, beside the centre, to 6, such as 4,5"),
        ("photo.png --triangle-rows x",
         "--triangle-rows x: name rows from 1, beside the centre, to 6, such as 4,5"),
        ("photo.png --out mine.svg", "--out mine.svg: a layout is a TOML file; end the name with .toml"),
        ("photo.png --out no/mine.toml", "--out no/mine.toml: there is no such folder; make it, or choose another"),
        ("photo.png --out there.toml",
         "--out there.toml: is there already and will not be overwritten; name a new file"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_in_one_line(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("there.toml").write_text("mine")
    assert main(["calibrate", "board", *words.split()]) == 2
    assert capsys.readouterr() == ("", f"macuil calibrate: {said}\n")
    assert sorted(path.name for path in Path().iterdir()) == ["photo.png", "there.toml", "wall.png"]
    assert Path("there.toml").read_text() == "mine"


def test_without_corners_a_page_is_served_until_ctrl_c() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "server", "calibrate", "board", "photo.png", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    try:
        assert process.stdout is not None
        told = process.stdout.readline()
        opened = re.fullmatch(r"Open (http://127\.0\.0\.1:\d+) and drag the board's corners\. Ctrl\+C ends\.\n", told)
        assert opened, told
        # The port is taken before the page is ready to answer; connections wait in the queue.
        answer = httpx2.get(f"{opened[1]}/api/photo", trust_env=False, timeout=60)
        assert answer.json()["name"] == "photo.png"
        process.send_signal(signal.SIGINT)
        rest, complaints = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert (process.returncode, rest, complaints) == (0, "my-board.toml: nothing was saved\n", "")
