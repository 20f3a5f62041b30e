"""``macuil judge``: what pictures of one moment show of the legal outcomes of a throw."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
import pytest

from calibration.layout import load
from calibration.layout_text import write
from referee.board import Cell, Seat
from referee.observation import Plight
from referee.umpire import CERTAIN, Verdict
from server.cli import main
from server.commands import judge
from tests.vision.own_boards import CROSS, drawn_cross, drawn_on, field_px
from tests.vision.scene import lit
from vision.glance import Glance, Glancer
from vision.synthetic.table import SimulatedTable

LAYOUT = load("patolli")
JADE, CORAL = Seat(1), Seat(3)
BEFORE: dict[Cell, Seat] = {"4": JADE, "13": CORAL, "30": CORAL}
QUESTION = {
    "game": "patolli",
    "preset": "classic",
    "throw": {"marks": 3},
    "state": {
        "players": {
            "1": {"reserve": 5, "track": [4], "home": 0, "stakes": 8},
            "3": {"reserve": 4, "track": [13, 30], "home": 0, "stakes": 8},
        },
        "pot": 0,
        "turn": "1",
    },
}


def pictures(folder: Path, standing: dict[Cell, Seat], count: int = 1, seed: int = 5) -> list[str]:
    """Pictures of a resting simulated table."""
    table = SimulatedTable(LAYOUT, seed=seed)
    table.lay_out({cell: [seat] for cell, seat in standing.items()})
    paths = [folder / f"{k}.png" for k in range(count)]
    assert all(cv2.imwrite(str(path), table.frame().image) for path in paths)
    return [str(path) for path in paths]


def question(folder: Path, asked: object = QUESTION) -> str:
    path = folder / "question.json"
    path.write_text(json.dumps(asked))
    return str(path)


def judged(folder: Path, images: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    words = ["judge", *images, "--board", "patolli", "--position", question(folder), "--json"]
    assert main(words) == code
    line = json.loads(capsys.readouterr().out)
    assert (line.pop("file"), line.pop("files")) == (images[0], images)
    return dict(line)


@pytest.mark.parametrize("count", [1, 3])
def test_a_legal_move(tmp_path: Path, capsys: pytest.CaptureFixture[str], count: int) -> None:
    line = judged(tmp_path, pictures(tmp_path, {"7": JADE, "13": CORAL, "30": CORAL}, count), capsys)
    assert line.pop("posterior") > CERTAIN
    assert line == {
        "verdict": "move",
        "move": "4>7",
        "runner_up": "lifted",
        "cells": ["4", "7"],
        "certain": True,
        "seen": None,
        "why": [],
        "plights": [],
    }


def test_a_legal_move_on_a_board_shown_by_its_corners(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bare = replace(LAYOUT, tags=())
    table = SimulatedTable(bare, seed=5)
    table.lay_out({"7": [JADE], "13": [CORAL], "30": [CORAL]})
    image = tmp_path / "bare.png"
    assert cv2.imwrite(str(image), table.frame().image)
    corners = table.picture.feet_px(bare.field.corners_mm, table.truth().lie)
    shown = ["--corners", *(f"{x:.1f},{y:.1f}" for x, y in corners)]
    words = ["judge", str(image), "--board", "patolli", "--position", question(tmp_path), "--json"]
    assert main([*words, *shown]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["verdict"], line["move"], line["certain"], line["plights"]) == ("move", "4>7", True, [])
    assert main([*words, "--corners", *shown[:0:-1]]) == 2
    assert capsys.readouterr().err.startswith("macuil judge: --corners: the corners go round against the clock: swap ")


def test_on_a_board_of_ones_own_that_nobody_showed_empty_nothing_is_certain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with drawn_on(drawn_cross(8)):
        table = SimulatedTable(CROSS, seed=8, size=(960, 540))
    write(CROSS, tmp_path / "own.toml", ())
    empty = tmp_path / "empty.png"
    assert cv2.imwrite(str(empty), table.frame().image)
    corners = [f"{x:.1f},{y:.1f}" for x, y in field_px(table, CROSS)]
    table.lay_out({"7": [JADE], "13": [CORAL], "30": [CORAL]})
    image = tmp_path / "now.png"
    assert cv2.imwrite(str(image), table.frame().image)
    words = ["judge", str(image), "--board", str(tmp_path / "own.toml"), "--position", question(tmp_path), "--json"]
    for shown, certain in ((["--empty", str(empty)], True), ([], False)):
        assert main([*words, *shown, "--corners", *corners]) == 0
        line = json.loads(capsys.readouterr().out)
        assert (line["verdict"], line["move"], line["certain"]) == ("move", "4>7", certain)


def test_a_picture_that_shows_the_pieces_is_none_of_the_empty_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with drawn_on(drawn_cross(8)):
        table = SimulatedTable(CROSS, seed=8, size=(960, 540))
    write(CROSS, tmp_path / "own.toml", ())
    table.lay_out({"7": [JADE], "13": [CORAL], "30": [CORAL]})
    image = tmp_path / "now.png"
    assert cv2.imwrite(str(image), table.frame().image)
    corners = [f"{x:.1f},{y:.1f}" for x, y in field_px(table, CROSS)]
    words = ["judge", str(image), "--board", str(tmp_path / "own.toml"), "--position", question(tmp_path), "--json"]
    assert main([*words, "--empty", str(image), "--corners", *corners]) == 2
    told = f"--empty {image}: pieces stand on cells 13, 30 in it: take them off, and take the picture again"
    assert capsys.readouterr() == ("", f"macuil judge: {told}\n")


def test_nothing_has_happened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = judged(tmp_path, pictures(tmp_path, BEFORE), capsys)
    assert line.pop("posterior") > CERTAIN
    assert (line["verdict"], line["move"], line["cells"], line["certain"]) == ("nothing", None, [], True)


@pytest.mark.parametrize(
    ("standing", "cells"),
    [
        pytest.param({"8": JADE, "13": CORAL, "30": CORAL}, ["4", "8"], id="a step too far"),
        pytest.param({"8": JADE, "15": CORAL, "30": CORAL}, ["4", "8", "13", "15"], id="two pieces"),
    ],
)
def test_a_board_that_no_legal_move_leaves_is_never_taken_for_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], standing: dict[Cell, Seat], cells: list[Cell]
) -> None:
    line = judged(tmp_path, pictures(tmp_path, standing), capsys)
    assert line["verdict"] in ("illegal", "unclear")
    assert (line["move"], line["cells"]) == (None, cells)


def test_an_illegal_move_that_is_plain_to_see_is_named_with_its_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = judged(tmp_path, pictures(tmp_path, {"8": JADE, "13": CORAL, "30": CORAL}), capsys)
    assert line.pop("posterior") > CERTAIN
    assert line == {
        "verdict": "illegal",
        "move": None,
        "runner_up": "lifted",
        "cells": ["4", "8"],
        "certain": True,
        "seen": "4>8",
        "why": ["steps"],
        "plights": [],
    }


def test_a_lifted_piece_is_unclear(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = judged(tmp_path, pictures(tmp_path, {"13": CORAL, "30": CORAL}), capsys)
    assert (line["verdict"], line["move"], line["cells"], line["certain"]) == ("unclear", None, ["4"], False)


def test_no_board_is_unclear(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wall.png"
    assert cv2.imwrite(str(path), np.full((480, 640, 3), 150, np.uint8))
    assert judged(tmp_path, [str(path)], capsys, 2) == {
        "verdict": "unclear",
        "move": None,
        "posterior": 0.0,
        "runner_up": None,
        "cells": [],
        "certain": False,
        "seen": None,
        "why": [],
        "plights": ["no tags"],
    }


def in_words(
    folder: Path, images: list[str], capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, list[str], str]:
    """Exit code, what is said of the pictures without their name, and the complaints."""
    code = main(["judge", *images, "--board", "patolli", "--position", question(folder), *more])
    told = capsys.readouterr()
    return code, [line.removeprefix(f"{images[0]}: ") for line in told.out.splitlines()], told.err


@pytest.mark.parametrize("gain", [0.01, 6.0])
def test_a_picture_that_is_too_dark_or_too_bright_takes_nothing_from_the_others(
    gain: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    images = pictures(tmp_path, {"7": JADE, "13": CORAL, "30": CORAL}, count=2)
    alone = in_words(tmp_path, images[:1], capsys)
    spoilt = lit(np.asarray(cv2.imread(images[1]), np.uint8), gain, noise=0.5)
    assert cv2.imwrite(images[1], spoilt)
    assert in_words(tmp_path, images, capsys) == alone
    code, said, _ = in_words(tmp_path, images[1:], capsys)
    assert (code, said[0].split()[0]) == (0, "unclear:")


def test_no_board_is_said_as_locate_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wall = tmp_path / "wall.png"
    assert cv2.imwrite(str(wall), np.full((480, 640, 3), 150, np.uint8))
    located = main(["locate", str(wall), "--board", "patolli"])
    why = capsys.readouterr().out.removeprefix(f"{wall}: ").strip()
    assert in_words(tmp_path, [str(wall)], capsys) == (located, [f"unclear: {why}"], "")
    both = [*pictures(tmp_path, BEFORE), str(wall)]
    assert in_words(tmp_path, both, capsys) == (1, ["nothing"], f"macuil judge: {wall}: {why}\n")


def test_a_lifted_piece_is_said_to_be_put_down(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    why = "a piece was lifted and not put down yet; put it down, and take the picture again"
    images = pictures(tmp_path, {"13": CORAL, "30": CORAL})
    assert in_words(tmp_path, images, capsys) == (0, [f"unclear on 4: {why}"], "")


def test_a_guessed_board_is_said_to_be_shown_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with drawn_on(drawn_cross(8)):
        table = SimulatedTable(CROSS, seed=8, size=(960, 540))
    write(CROSS, tmp_path / "own.toml", ())
    corners = [f"{x:.1f},{y:.1f}" for x, y in field_px(table, CROSS)]
    table.lay_out({"7": [JADE], "13": [CORAL], "30": [CORAL]})
    image = tmp_path / "now.png"
    assert cv2.imwrite(str(image), table.frame().image)
    why = "how this board looks without pieces is a guess; show it with --empty PICTURE"
    told = in_words(tmp_path, [str(image)], capsys, "--board", str(tmp_path / "own.toml"), "--corners", *corners)
    assert told == (0, [f"move 4>7 on 4, 7 uncertain: {why}"], "")


@pytest.mark.parametrize(
    ("kind", "cells", "plights", "why"),
    [
        pytest.param("unclear", ("4",), ("glare", "hand"), "a hand is over the board; take it away", id="a hand first"),
        pytest.param("unclear", ("4",), ("dark",), "the board is too dark; give it more light", id="dark"),
        pytest.param("unclear", ("4", "7"), (), "what is seen there can be explained in more than one way", id="cells"),
        pytest.param("unclear", (), (), "no outcome explains the picture clearly better", id="no cells"),
    ],
)
def test_every_unclear_verdict_is_one_sentence(
    kind: Literal["unclear"],
    cells: tuple[Cell, ...],
    plights: tuple[Plight, ...],
    why: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = Glancer.look
    monkeypatch.setattr(judge, "judge", lambda *_: Verdict(kind, None, 0.6, "nothing", cells))

    def look(self: Glancer, *seen: Any) -> Any:
        shown = looked(self, *seen)
        assert isinstance(shown, Glance)
        return replace(shown, plights=plights)

    monkeypatch.setattr(Glancer, "look", look)
    code, (line,), _ = in_words(tmp_path, pictures(tmp_path, BEFORE), capsys)
    assert code == 0
    assert line.startswith(f"unclear{' on ' if cells else ''}{', '.join(cells)}: {why}")


def test_a_folder_is_one_moment_and_bad_files_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "moment"
    folder.mkdir()
    pictures(folder, {"7": JADE, "13": CORAL, "30": CORAL}, 2)
    (folder / "9.png").write_text("none")
    assert main(["judge", str(folder), "--board", "patolli", "--position", question(tmp_path)]) == 1
    told = capsys.readouterr()
    assert told.out == f"{folder / '0.png'}: move 4>7 on 4, 7\n"
    assert told.err.startswith(f"macuil judge: {folder / '9.png'}: not a picture")


def test_no_readable_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gone = str(tmp_path / "gone.png")
    assert main(["judge", gone, "--board", "patolli", "--position", question(tmp_path)]) == 2
    assert capsys.readouterr() == ("", f"macuil judge: {gone}: no such file; check the name\n")


@pytest.mark.parametrize(
    ("board", "asked", "complaint"),
    [
        pytest.param("chessboard", QUESTION, "--board chessboard: which square is a1 cannot be seen", id="chessboard"),
        pytest.param("batok", QUESTION, "--board batok: is a board for batok, but the position is", id="another game"),
        pytest.param("patolli", {**QUESTION, "throw": {"marks": 9}}, "throw.marks: must be a whole number", id="throw"),
        pytest.param("patolli", [], "question: must be an object, not a list", id="no question"),
    ],
)
def test_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str], board: str, asked: object, complaint: str) -> None:
    path = question(tmp_path, asked)
    assert main(["judge", str(tmp_path / "x.png"), "--board", board, "--position", path]) == 2
    told = capsys.readouterr().err
    assert told.startswith("macuil judge: ")
    assert complaint in told
    assert told.count("\n") == 1
