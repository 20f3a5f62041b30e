"""`macuil locate` where there is no board to be found, or the words are wrong."""

import json
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from referee.observation import Refusal
from server.cli import main
from server.plights import NO_BOARD
from tests.server.commands.board_pictures import STANDING, board, written
from vision.camera import Image

BOW_TIE = ("100,50", "400,350", "400,50", "100,350")
WALL = np.full((480, 640, 3), 150, np.uint8)


@pytest.mark.parametrize(
    ("name", "image", "plight"),
    [
        pytest.param("patolli", WALL, "no tags", id="a wall"),
        pytest.param("chessboard", WALL, "no board", id="a wall, no chessboard"),
        pytest.param("chessboard", board(STANDING), "no board", id="Patolli is no chessboard"),
        pytest.param("batok", board({}), "other board", id="another board"),
        pytest.param("patolli", board({})[:, ::-1], "mirrored", id="a mirrored print"),
    ],
)
def test_no_board(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, image: Image, plight: str) -> None:
    picture = written(tmp_path / "none.png", image)
    assert main(["locate", str(picture), "--board", name, "--json"]) == 2
    assert json.loads(capsys.readouterr().out) == {
        "file": str(picture),
        "found": False,
        "by": None,
        "corners_px": None,
        "homography": None,
        "residual_px": None,
        "residual_mm": None,
        "cells": {},
        "plights": [plight],
    }


def test_every_reason_for_no_board_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert set(NO_BOARD) == {"no board", *get_args(Refusal)}
    good, bad = written(tmp_path / "good.png", board({})), written(tmp_path / "wall.png", WALL)
    why = "no board is found; take the picture with its square tags in sight, or show its corners with --corners"
    assert main(["locate", str(good), str(bad), "--board", "patolli"]) == 1
    assert capsys.readouterr().out.splitlines()[1:] == [f"{bad}: {why}"]
    assert main(["locate", str(good), "--board", "patolli", "--empty", str(bad)]) == 2
    assert capsys.readouterr().err == f"macuil locate: --empty {bad}: {why}\n"


def test_bad_files_get_one_line_and_the_others_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = written(tmp_path / "good.png", board({})), tmp_path / "bad.png"
    bad.write_text("five beans")
    assert main(["locate", str(bad), str(good), "--board", "patolli"]) == 1
    told = capsys.readouterr()
    assert told.out.startswith(f"{good}: board found by tags at (")
    complaint = "not a picture that can be read; save it as JPEG, PNG, BMP, WebP or TIFF"
    assert told.err == f"macuil locate: {bad}: {complaint}\n"
    assert main(["locate", str(bad), "--board", "chessboard"]) == 2
    assert capsys.readouterr().err == f"macuil locate: {bad}: {complaint}\n"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        pytest.param(
            ["--board", "go"],
            "--board go: there is no such board; there are batok, chessboard, ludo, patolli, ur, or ",
            id="no such board",
        ),
        pytest.param(
            ["--board", "tray"], "--board tray: has no cells for pieces to stand on; there are batok, ", id="a tray"
        ),
        pytest.param(["--board", "my.toml"], "--board my.toml: there is no such board; there are", id="no such file"),
        pytest.param(["--board", "patolli", "--pieces", "1=green"], "--pieces 1=green: write seats and", id="colour"),
        pytest.param(
            ["--board", "patolli", "--corners", "0,0", "a", "9,9", "9,0"], "--corners 0,0 a 9,9 9,0: write", id="corner"
        ),
        pytest.param(
            ["--board", "patolli", "--corners", "-9,0", "9,0", "9,9", "0,9"],
            "--corners: corner 1 lies out",
            id="outside",
        ),
        pytest.param(["--board", "patolli", "--corners", *BOW_TIE], "--corners: the sides cross", id="a bow-tie"),
        pytest.param(["--board", "chessboard", "--corners", *BOW_TIE], "--corners: a chessboard is", id="chess"),
        pytest.param(["--board", "patolli", "--pieces", "9=#2a9d6f"], "--pieces 9=#2a9d6f: write seats and", id="seat"),
    ],
)
def test_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], complaint: str) -> None:
    assert main(["locate", str(written(tmp_path / "wall.png", WALL)), *words]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"macuil locate: {complaint}")
    assert told.count("\n") == 1
