"""``macuil locate``: boards with tags and what stands on them, and a chessboard without."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.homography import project
from calibration.inks import SEATS
from calibration.layout_text import write
from referee.board import Seat
from server.cli import main
from server.commands import locate
from tests.server.commands.board_pictures import LAYOUT, STANDING, VIEW, board, written
from tests.vision.chess_scene import ChessScene
from tests.vision.own_boards import CHESS, CROSS, drawn_cross, drawn_on, field_px, wooden_chessboard
from tests.vision.scene import Scene, lit
from vision.chessboard import Chessboard
from vision.synthetic.table import SimulatedTable

BARE = (196, 215, 224)
"""Of paper, where a tag was."""


def test_a_board_with_tags(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = written(tmp_path / "board.png", board(STANDING))
    assert main(["locate", str(picture), "--board", "patolli", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    cells = line.pop("cells")
    field_mm = np.array(LAYOUT.field.corners_mm)
    corners = VIEW.pixels(np.column_stack([field_mm, np.zeros(4)]), LAYOUT)
    assert line.pop("corners_px") == pytest.approx(corners, abs=0.3)
    assert project(np.array(line.pop("homography")), field_mm) == pytest.approx(corners, abs=0.5)
    assert 0 < line.pop("residual_px") < 0.3
    assert 0 < line.pop("residual_mm") < 0.3
    assert line == {"file": str(picture), "found": True, "by": "tags", "plights": []}
    assert {name: cell["piece"] for name, cell in cells.items() if cell["piece"]} == {
        name: str(seat) for name, seat in STANDING.items()
    }
    assert list(cells) == [place.name for place in LAYOUT.cells]
    assert min(cell["confidence"] for cell in cells.values()) > 0.9
    seen = [int(cells["4"]["colour"][k : k + 2], 16) for k in (1, 3, 5)]
    assert seen == pytest.approx(np.array(SEATS[Seat(1)]) * 0.9 ** (1 / 2.2), abs=6)


def written_corners(corners: object) -> list[str]:
    return [f"{x:.2f},{y:.2f}" for x, y in np.asarray(corners)]


def test_a_board_without_tags_is_shown_by_its_corners(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = board(STANDING)
    scene = Scene(LAYOUT, VIEW)
    for tag in LAYOUT.tags:
        x, y = tag.centre_mm
        scene.patch(picture, [(x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20)], BARE, 0)
    path = written(tmp_path / "bare.png", picture)
    field_mm = np.array(LAYOUT.field.corners_mm)
    corners = VIEW.pixels(np.column_stack([field_mm, np.zeros(4)]), LAYOUT)
    words = ["locate", str(path), "--board", "patolli", "--json"]
    assert main(words) == 2
    assert json.loads(capsys.readouterr().out)["plights"] == ["no tags"]
    assert main([*words, "--corners", *written_corners(corners)]) == 0
    line = json.loads(capsys.readouterr().out)
    cells = line.pop("cells")
    assert line.pop("corners_px") == pytest.approx(corners, abs=0.02)
    assert project(np.array(line.pop("homography")), field_mm) == pytest.approx(corners, abs=0.02)
    assert line == {
        "file": str(path),
        "found": True,
        "by": "corners",
        "residual_px": None,
        "residual_mm": None,
        "plights": [],
    }
    assert {name: cell["piece"] for name, cell in cells.items() if cell["piece"]} == {
        name: str(seat) for name, seat in STANDING.items()
    }


def test_a_simulated_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = SimulatedTable(LAYOUT, seed=5)
    table.lay_out({cell: [seat] for cell, seat in STANDING.items()})
    picture = written(tmp_path / "table.png", table.frame().image)
    assert main(["locate", str(picture), "--board", "patolli"]) == 0
    assert capsys.readouterr().out.endswith("; 1 on 4, 3 on 13, 3 on 30, 4 on 43\n")


def test_an_empty_board_has_no_pieces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = SimulatedTable(LAYOUT, seed=5)
    picture = written(tmp_path / "table.png", table.frame().image)
    assert main(["locate", str(picture), "--board", "patolli"]) == 0
    assert capsys.readouterr().out.endswith("); no pieces\n")


def test_what_cannot_be_read_is_not_told_as_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = SimulatedTable(LAYOUT, seed=5)
    table.lay_out({"4": [Seat(1)]})
    image = table.frame().image
    arm = table.picture.feet_px([(-60, 190), (200, 190), (200, 215), (-60, 215)], table.truth().lie)
    cv2.fillPoly(image, [np.rint(arm).astype(np.int32)], (90, 120, 180))
    picture = written(tmp_path / "arm.png", image)
    assert main(["locate", str(picture), "--board", "patolli", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    unread = [name for name, cell in line["cells"].items() if cell["confidence"] == 0]
    assert unread
    assert line["plights"] == ["hand"]
    assert main(["locate", str(picture), "--board", "patolli"]) == 0
    assert capsys.readouterr().out.endswith(f"; 1 on 4; cannot be read: {', '.join(unread)}; a hand is in the way\n")


@pytest.mark.parametrize(("gain", "why"), [(0.01, "too dark"), (6.0, "too bright, dim the light")])
def test_a_board_in_too_little_or_too_much_light_is_not_called_empty(
    gain: float, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = SimulatedTable(LAYOUT, seed=5)
    picture = written(tmp_path / "spoilt.png", lit(table.frame().image, gain, noise=0.5))
    assert main(["locate", str(picture), "--board", "patolli"]) == 0
    told = capsys.readouterr().out
    assert f"; its pieces cannot be told; {why}" in told
    assert "no pieces" not in told


def test_pieces_of_other_colours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = Scene(LAYOUT, VIEW)
    picture = scene.empty()
    scene.solid(picture, LAYOUT.cell("17").centre_mm, (130, 50, 140), 8.5, 8.0)
    path = written(tmp_path / "purple.png", lit(picture, 0.9))
    assert main(["locate", str(path), "--board", "patolli", "--pieces", "3=#82328c"]) == 0
    assert capsys.readouterr().out.endswith("; 3 on 17\n")


def test_a_large_photograph_is_told_in_its_own_pixels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From four megabytes on they are decoded at half size."""
    large = cv2.resize(board(STANDING), None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC).astype(np.int16)
    large += np.random.default_rng(1).integers(-25, 26, large.shape, np.int16)
    path = tmp_path / "large.jpg"
    assert cv2.imwrite(str(path), np.clip(large, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 97])
    assert path.stat().st_size > 4_000_000
    assert main(["locate", str(path), "--board", "patolli", "--json"]) == 0
    corners = VIEW.pixels(np.column_stack([np.array(LAYOUT.field.corners_mm), np.zeros(4)]), LAYOUT)
    assert json.loads(capsys.readouterr().out)["corners_px"] == pytest.approx((corners + 0.5) * 3 - 0.5, abs=1.5)


def test_a_chessboard_without_tags(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = ChessScene()
    picture = written(tmp_path / "chess.png", scene.picture())
    assert main(["locate", str(picture), "--board", "chessboard", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line.pop("corners_px") == pytest.approx(scene.corners_px, abs=4)
    outline = [(0, 0), (8, 0), (8, 8), (0, 8)]
    assert project(np.array(line.pop("homography")), outline) == pytest.approx(scene.corners_px, abs=4)
    assert 0 < line.pop("residual_px") < 2
    assert set(line.pop("cells")) == {f"{column}{row}" for column in "abcdefgh" for row in range(1, 9)}
    assert line == {
        "file": str(picture),
        "found": True,
        "by": "lattice",
        "orientation": "unknown",
        "residual_mm": None,
        "plights": ["glare"],  # ivory men outshine everything that is looked for
    }


def test_a_chessboard_too_small_for_its_pieces_is_still_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Chessboard(np.diag([10.0, 10.0, 1.0]), inner_corners=49, residual_px=0.3, chequered=1.0)
    monkeypatch.setattr(locate, "find_chessboard", lambda image: found)
    picture = written(tmp_path / "small.png", np.full((120, 160, 3), 90, np.uint8))
    assert main(["locate", str(picture), "--board", "chessboard", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["found"], line["cells"], line["plights"]) == (True, {}, ["small"])
    assert main(["locate", str(picture), "--board", "chessboard"]) == 0
    assert capsys.readouterr().out.endswith("; its pieces cannot be told; too small, bring the camera nearer\n")


def test_the_pieces_on_an_ordinary_chessboard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with drawn_on(wooden_chessboard(2)):
        table = SimulatedTable(CHESS, seed=2, size=(960, 540))
    table.lay_out({"a1": (Seat(1),), "b1": (Seat(2),), "d5": (Seat(3),), "e5": (Seat(4),), "h7": (Seat(1),)})
    picture = written(tmp_path / "ludo.png", table.frame().image)
    assert main(["locate", str(picture), "--board", "chessboard", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    corners = np.array(field_px(table, CHESS))
    turn = int(np.argmin(np.linalg.norm(corners - line["corners_px"][0], axis=1)))
    assert line["corners_px"] == pytest.approx(np.roll(corners, -turn, axis=0), abs=3)
    standing = {name: cell["piece"] for name, cell in line["cells"].items() if cell["piece"]}
    assert {turned(name, turn): piece for name, piece in standing.items()} == {
        "a1": "1",
        "b1": "2",
        "d5": "3",
        "e5": "4",
        "h7": "1",
    }
    assert min(cell["confidence"] for cell in line["cells"].values()) > 0.8
    assert max(cell["confidence"] for cell in line["cells"].values()) < 0.9998, "how it looks empty is a guess"


def turned(square: str, quarters: int) -> str:
    """The square's name on the board as laid, if the first corner is that many corners further with the clock."""
    across, up = "abcdefgh".index(square[0]), int(square[1]) - 1
    for _ in range(quarters):
        across, up = up, 7 - across
    return f"{'abcdefgh'[across]}{up + 1}"


def test_a_board_of_ones_own_is_read_against_a_picture_of_it_empty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with drawn_on(drawn_cross(8, shaded=("8", "21"), stained=("33",))):
        table = SimulatedTable(CROSS, seed=8, size=(960, 540))
    write(CROSS, tmp_path / "own.toml", ())
    empty = written(tmp_path / "empty.png", table.frame().image)
    corners = [f"{x:.1f},{y:.1f}" for x, y in field_px(table, CROSS)]
    table.lay_out({"4": (Seat(1),), "8": (Seat(2),), "33": (Seat(4),)})
    table.bump(8, 6, 1)
    while table.busy:
        table.blink()
    picture = written(tmp_path / "now.png", table.frame().image)
    asked = ["locate", str(picture), "--board", str(tmp_path / "own.toml"), "--json", "--empty", str(empty)]
    assert main([*asked, "--corners", *corners]) == 0
    cells = json.loads(capsys.readouterr().out)["cells"]
    assert {name: cell["piece"] for name, cell in cells.items() if cell["piece"]} == {"4": "1", "8": "2", "33": "4"}
    assert min(cell["confidence"] for cell in cells.values()) > 0.98
    assert main([*asked[:-1], str(tmp_path / "none.png"), "--corners", *corners]) == 2
    assert "--empty" in capsys.readouterr().err
