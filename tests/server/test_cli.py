"""The command line itself: whatever is asked wrongly is one line, and what the exit codes mean is written down."""

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from server.cli import COMMANDS, main

README = Path(__file__).parent.parent.parent / "README.md"


@pytest.mark.parametrize("command", COMMANDS)
def test_what_no_command_understands_is_one_line_with_a_remedy(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--no-such-thing"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert re.fullmatch(rf"macuil {command}: .+; macuil {command} --help tells what there is\n", told.err)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        pytest.param("", "macuil: missing: COMMAND; macuil --help tells", id="nothing"),
        pytest.param("raed x.png", "macuil: raed: there is no such command; macuil --help tells", id="no command"),
        pytest.param("--bogus", "macuil: missing: COMMAND; macuil --help tells", id="no command but an option"),
        pytest.param("read", "macuil read: missing: IMAGE; macuil read --help tells", id="no picture"),
        pytest.param("read x --expct", "macuil read: not understood: --expct; macuil read --help", id="unknown"),
        pytest.param("read x --area", "macuil read: --area: a value must follow; macuil read", id="no value"),
        pytest.param(
            "locate x --board patolli --corners 1,2", "macuil locate: --corners: 4 values must follow;", id="too few"
        ),
        pytest.param(
            "watch x --game chess", "macuil watch: --game: chess is none of batok, ludo, patolli, ur;", id="choice"
        ),
        pytest.param("bench --seed x", "macuil bench: --seed: x is no whole number; macuil bench", id="whole number"),
        pytest.param("count x --fps y", "macuil count: --fps: y is no number; macuil count --help", id="number"),
        pytest.param("calibrate bord", "macuil calibrate: WHAT: bord is none of board, camera;", id="a command's own"),
        pytest.param(
            "calibrate board", "macuil calibrate: missing: PHOTO; macuil calibrate board --help", id="a command of it"
        ),
        pytest.param("serve --s 2", "macuil serve: ambiguous option: --s could match --seats, ", id="ambiguous"),
    ],
)
def test_what_is_wrong_is_said_plainly(words: str, complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert told.err.startswith(complaint)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: macuil {command} ")


BAD_INPUT = {
    "demo": "--preset chess",
    "serve": "--camera nowhere.mp4",
    "watch": "nowhere.mp4",
    "read": "nowhere.png",
    "locate": "nowhere.png --board patolli",
    "judge": "nowhere.png --board patolli --position nowhere.json",
    "count": "nowhere.mp4",
    "teach": "nowhere",
    "calibrate": "board nowhere.png",
    "print": "chess --out chess.pdf",
    "replay": "nowhere.txt",
    "export": "nowhere.txt",
    "bench": "--evenings 0",
}
"""For every command but the adjudicator, which answers whatever it is asked."""


def test_every_command_is_given_bad_input() -> None:
    assert set(BAD_INPUT) == set(COMMANDS) - {"adjudicate"}


@pytest.mark.parametrize(("command", "words"), BAD_INPUT.items())
def test_bad_input_is_one_line_and_code_2(
    command: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert main([command, *words.split()]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert told.err.startswith(f"macuil {command}: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["serve", "watch"])
@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param(
            ["--game", "ludo"],
            "game: the board patolli is not for ludo; add --layout ludo --preset chessboard",
            id="game without its board",
        ),
        pytest.param(
            ["--game", "ur", "--preset", "finkel"],
            "game: the board patolli is not for ur; add --layout ur",
            id="with its preset",
        ),
        pytest.param(
            ["--layout", "ludo"],
            "game: the board ludo is not for patolli; add --game ludo --preset chessboard",
            id="board without its game",
        ),
        pytest.param(
            ["--game", "ludo", "--layout", "ludo"],
            "preset: ludo has no classic; choose --preset chessboard",
            id="without its preset",
        ),
        pytest.param(
            ["--game", "patolli", "--layout", "chess"],
            "--layout chess: there is no such board; there are batok, ludo, patolli, ur, or name a file such as "
            "my-board.toml",
            id="no such board",
        ),
        pytest.param(
            ["--game", "patolli", "--layout", "tray"],
            "--layout tray: has no cells for pieces to stand on; there are batok, ludo, patolli, ur, or name a file "
            "such as my-board.toml",
            id="a tray is no board",
        ),
    ],
)
def test_a_game_and_its_board_are_named_together(
    command: str, words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "film").mkdir()
    _picture(tmp_path / "film" / "1.png")
    source = ["--camera", str(tmp_path / "film"), "--data", str(tmp_path)]
    if command == "watch":
        if "--game" not in words:
            words = ["--table", str(tmp_path / "table.toml"), *words]
            (tmp_path / "table.toml").write_text("")
        source = [str(tmp_path / "film"), "--data", str(tmp_path)]
    assert main([command, *source, *words]) == 2
    assert capsys.readouterr() == ("", f"macuil {command}: {told}\n")


def test_the_readme_tells_what_every_exit_code_means() -> None:
    rows = re.findall(r"^\| `(\d+)` \| (.+) \|$", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert [code for code, _ in rows] == ["0", "1", "2", "130"]
    named = {word for _, meaning in rows for word in re.findall(r"`([a-z]+)", meaning)} - {"plights"}
    assert named <= set(COMMANDS)


def _picture(path: Path) -> None:
    assert cv2.imwrite(str(path), np.full((360, 640, 3), 90, np.uint8))
