"""`macuil watch` on recordings that the test renders itself."""

import json
from pathlib import Path

import cv2
import pytest

from calibration.layout import load
from referee.board import Seat
from server.cli import main
from vision.synthetic.table import SimulatedTable

FRAMES = 24


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A board with a piece that nobody booked, at rest for longer than the table keeps silent about it."""
    table = SimulatedTable(load("patolli"), seed=103, fps=5.0)
    table.lay_out({"30": (Seat(3),)})
    for number in range(FRAMES):
        cv2.imwrite(str(tmp_path / f"{number:03}.png"), table.frame().image)
    return tmp_path


def test_a_match_is_refereed_from_a_folder(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["watch", str(recording), "--fps", "5", "--game", "patolli", "--preset", "quick", "--seats", "2", "--json"]
    assert main(words) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["event"] for line in lines] == ["settling", "rest", "objection"]
    assert lines[-1]["cells"] == ["30"]
    assert lines[-1]["state"]["players"]["3"]["track"] == []


def test_a_source_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(tmp_path / "nowhere"), "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "nowhere" in captured.err
