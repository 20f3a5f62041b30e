"""``macuil read``: one line a picture, one clear line a file that is none, the others still read."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.layout import load
from server.cli import main
from vision.camera import Image
from vision.pictures import decode
from vision.synthetic.table import SimulatedTable

UNREADABLE = "not a picture that can be read; save it as JPEG, PNG, BMP, WebP or TIFF"
EMPTY = np.full((240, 320, 3), 150, np.uint8)


def _write(path: Path, image: Image) -> Path:
    assert cv2.imwrite(str(path), image)
    return path


def test_an_empty_place_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = _write(tmp_path / "empty.png", EMPTY)
    assert main(["read", str(picture), "--expect", "beans=5", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line.pop("ms") > 0
    assert line == {
        "file": str(picture),
        "kind": "none",
        "beans": [],
        "marked": 0,
        "dice": [],
        "plights": ["missing"],
        "certain": False,
    }


def test_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = _write(tmp_path / "empty.png", EMPTY)
    assert main(["read", str(picture)]) == 0
    assert capsys.readouterr().out == f"{picture}: no throw\n"


def _png(image: Image) -> bytes:
    return cv2.imencode(".png", image)[1].tobytes()


def _jpeg(image: Image) -> bytes:
    return cv2.imencode(".jpg", image)[1].tobytes()


def _torn(content: bytes) -> bytes:
    return content[:60] + bytes(20) + content[80:]


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        pytest.param("text.jpg", b"five beans", UNREADABLE, id="text"),
        pytest.param("none.png", b"", UNREADABLE, id="no bytes"),
        pytest.param("dot.png", _png(EMPTY[:1, :1]), "1x1 pixels are too few, 32 a side are needed", id="1x1"),
        pytest.param("cut.jpg", _jpeg(EMPTY)[:-200], "the picture is cut off: copy the file again", id="cut JPEG"),
        pytest.param("torn.png", _torn(_png(EMPTY)), UNREADABLE, id="PNG that libpng complains of"),
        pytest.param("cut.png", _png(EMPTY)[:-60], "the picture is cut off: copy the file again", id="cut PNG"),
    ],
)
def test_bad_files_get_one_line_and_the_others_are_read(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, content: bytes, complaint: str
) -> None:
    bad = tmp_path / name
    bad.write_bytes(content)
    good = _write(tmp_path / "good.png", EMPTY)
    assert main(["read", str(bad), str(good)]) == 1
    captured = capfd.readouterr()
    assert captured.err == f"macuil read: {bad}: {complaint}\n"
    assert captured.out == f"{good}: no throw\n"


def test_missing_files_and_empty_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder").mkdir()
    long = tmp_path / ("x" * 300)
    assert main(["read", str(tmp_path / "gone.jpg"), str(tmp_path / "folder"), str(long)]) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"macuil read: {tmp_path / 'gone.jpg'}: no such file; check the name",
        f"macuil read: {tmp_path / 'folder'}: a folder without pictures; it must hold .jpg or .png files",
        f"macuil read: {long}: cannot be read (File name too long)",
    ]


@pytest.mark.parametrize("picture", [_jpeg(EMPTY) + _jpeg(EMPTY)[:99] + b"film", _png(EMPTY) + bytes(200)])
def test_what_a_phone_appends_to_a_picture_is_no_matter(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], picture: bytes
) -> None:
    path = tmp_path / "motion.jpg"
    path.write_bytes(picture)
    assert main(["read", str(path)]) == 0
    assert capfd.readouterr() == (f"{path}: no throw\n", "")


def test_options_may_stand_between_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pictures = [str(_write(tmp_path / name, EMPTY)) for name in ("one.png", "two.png")]
    assert main(["read", pictures[0], "--expect", "beans=5", "--json", pictures[1]]) == 0
    assert [json.loads(line)["file"] for line in capsys.readouterr().out.splitlines()] == pictures


def test_after_two_dashes_a_name_may_begin_with_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path / "-a.png", EMPTY)
    monkeypatch.chdir(tmp_path)
    assert main(["read", "--json", "--", "-a.png"]) == 0
    assert json.loads(capsys.readouterr().out)["file"] == "-a.png"


def test_a_folder_is_read_in_name_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("b.png", "a.png"):
        _write(tmp_path / name, EMPTY)
    (tmp_path / "notes.txt").write_text("no picture")
    assert main(["read", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'a.png'}: no throw\n{tmp_path / 'b.png'}: no throw\n"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        pytest.param(["--expect", "stones=5"], "--expect stones=5: write beans=5, dice=2 or auto", id="stones"),
        pytest.param(["--expect", "beans=0"], "--expect beans=0: write beans=5, dice=2 or auto", id="no beans"),
        pytest.param(["--area", "1,2,3"], "--area 1,2,3: write X,Y,W,H in pixels, such as 100,80,640,480", id="three"),
        pytest.param(["--area", "-5,1"], "--area -5,1: write X,Y,W,H in pixels, such as 100,80,640,480", id="minus"),
        pytest.param(["--area", "0,0,0,9"], "--area 0,0,0,9: width and height must be above 0", id="no width"),
        pytest.param(["--area", "0,0,nan,9"], "--area 0,0,nan,9: width and height must be above 0", id="nan"),
    ],
)
def test_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], complaint: str) -> None:
    picture = _write(tmp_path / "empty.png", EMPTY)
    assert main(["read", str(picture), *words]) == 2
    assert capsys.readouterr().err == f"macuil read: {complaint}\n"


def test_an_area_outside_the_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = _write(tmp_path / "empty.png", EMPTY)
    assert main(["read", str(picture), "--area", "400,0,50,50"]) == 2
    complaint = "--area lies outside the picture of 320x240 pixels"
    assert capsys.readouterr().err == f"macuil read: {picture}: {complaint}\n"
    assert main(["read", str(picture), "--area", "0,0,1e39,100"]) == 0, "as far as the picture goes"
    assert main(["read", str(picture), "--area", "-5,-.5,90,100"]) == 0, "from where it begins"


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(np.full((240, 320, 3), 150 * 257, np.uint16), id="16 bits"),
        pytest.param(np.full((240, 320, 4), 150, np.uint8), id="alpha"),
        pytest.param(np.full((240, 320), 150, np.uint8), id="grey"),
    ],
)
def test_other_depths_and_channels_become_eight_bit_colour(tmp_path: Path, image: Image) -> None:
    decoded, shrunk = decode(_write(tmp_path / "odd.png", image))
    assert decoded.dtype == np.uint8
    assert (decoded.shape, shrunk) == ((240, 320, 3), 1)
    assert (decoded == 150).all()


def test_cmyk_is_read(tmp_path: Path) -> None:
    images = pytest.importorskip("PIL.Image")
    images.new("CMYK", (320, 240), (0, 0, 0, 100)).save(tmp_path / "print.jpg")
    decoded, _ = decode(tmp_path / "print.jpg")
    assert decoded.shape == (240, 320, 3)
    assert abs(float(decoded.mean()) - 155) < 6


def test_large_photographs_are_decoded_at_half_size(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (2400, 3200, 3), np.uint8)
    path = tmp_path / "large.jpg"
    assert cv2.imwrite(str(path), noise, [cv2.IMWRITE_JPEG_QUALITY, 95])
    decoded, shrunk = decode(path, shrink=True)
    assert (decoded.shape, shrunk) == ((1200, 1600, 3), 2)


def _sheet(tmp_path: Path, board: str) -> Image:
    """The printed sheet itself, as large as a camera would see it."""
    assert main(["print", board, "--out", str(tmp_path / f"{board}.png")]) == 0
    sheet = cv2.imread(str(tmp_path / f"{board}.png"))
    assert sheet is not None
    return np.asarray(cv2.resize(sheet, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA), np.uint8)


@pytest.mark.parametrize("board", ["patolli", "ludo", "batok", "ur"])
def test_what_is_printed_on_a_board_is_no_throw(board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Beside Patolli's throwing place five marked beans and five plain ones are drawn."""
    picture = _write(tmp_path / "seen.png", _sheet(tmp_path, board))
    capsys.readouterr()
    assert main(["read", str(picture)]) == 0
    assert main(["read", str(picture), "--expect", "beans=5"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{picture}: no throw",
        f"{picture}: no throw, uncertain: not all are seen",
    ]


def test_of_a_board_whose_place_is_out_of_the_picture_nothing_is_certain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = _sheet(tmp_path, "patolli")
    picture = _write(tmp_path / "part.png", sheet[:, : round(0.69 * sheet.shape[1])])
    capsys.readouterr()
    assert main(["read", str(picture), "--expect", "beans=5", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert not line["certain"]
    assert "extra" in line["plights"]


def test_beans_in_the_place_of_a_printed_board_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = SimulatedTable(load("patolli"), seed=5)
    table.throw(3)
    while table.busy:
        image = table.frame().image
    picture = _write(tmp_path / "thrown.png", image)
    assert main(["read", str(picture), "--expect", "beans=5", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (len(line["beans"]), line["marked"]) == (5, 3)
