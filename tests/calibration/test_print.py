"""`macuil print` as people call it."""

from pathlib import Path

import pytest

from calibration.layout import names
from server.cli import main


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("words", "start", "said"),
    [
        ("patolli --out b.pdf", b"%PDF-1.", "b.pdf: 574 x 400 mm on 4 sheets of A4, 2 across and 2 down; "
         "print at 100 %, cut at the marks\n"),
        ("patolli --paper a2 --out b.PDF", b"%PDF-1.", "b.PDF: 574 x 400 mm on 1 sheet of A2; print at 100 %\n"),
        ("patolli --out b.svg", b"<svg xmlns", "b.svg: 574 x 400 mm\n"),
        ("patolli --dpi 40 --out b.png", b"\x89PNG\r\n", "b.png: 574 x 400 mm at 40 dpi\n"),
        ("tray --paper letter --out t.pdf", b"%PDF-1.", "t.pdf: 200 x 268 mm on 1 sheet of letter; print at 100 %\n"),
        ("tags --out t.pdf", b"%PDF-1.", "t.pdf: 188 x 259 mm on 1 sheet of A4; print at 100 %\n"),
        ("tray --paper a3 --dpi 40 --out t.png", b"\x89PNG\r\n", "t.png: 200 x 268 mm at 40 dpi; --paper A3 is for "
         "PDF: this is the whole sheet, to be printed at its size\n"),
        ("charuco --out c.pdf", b"%PDF-1.", "c.pdf: 200 x 268 mm on 1 sheet of A4; print at 100 %\n"),
        ("charuco --paper letter --out c.pdf", b"%PDF-1.",
         "c.pdf: 200 x 268 mm on 1 sheet of letter; print at 100 %\n"),
    ],
)  # fmt: skip
def test_it_writes_one_file(words: str, start: bytes, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", *words.split()]) == 0
    assert capsys.readouterr() == (said, "")
    (written,) = Path().iterdir()
    assert written.read_bytes().startswith(start)


def test_it_prints_a_layout_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.toml").write_text(
        'name = "A & B"\ngame = "solo"\nsheet = [120.0, 80.0]\nfield = [10.0, 10.0, 60.0, 60.0]\ncell_mm = 30.0\n'
        'cells = [{ name = "a1", centre = [40.0, 40.0], kind = "start", seat = 6 }]\n'
    )
    assert main(["print", "mine.toml", "--out", "mine.svg"]) == 0
    assert capsys.readouterr() == ("mine.svg: 120 x 80 mm\n", "")
    assert "<title>Macuil A &amp; B</title>" in Path("mine.svg").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("mancala --out b.pdf", f"mancala: not among the sheets; there are {', '.join(names())}, tags, "
         "charuco, or a layout file .toml"),
        ("chessboard-frame --out b.pdf", f"chessboard-frame: not among the sheets; there are {', '.join(names())}, "
         "tags, charuco, or a layout file .toml"),
        ("none.toml --out b.pdf", f"none.toml: no such layout; there are {', '.join(names())}, or write a path.toml"),
        ("bad.toml --out b.pdf", 'bad.toml: cells[0]: kinds is not a known key; there are name, centre, kind, seat, '
         "led, row, outline"),
        ("patolli --out b.gif", "--out b.gif: cannot tell what to write; end the name with .pdf, .svg or .png"),
        ("patolli --out b", "--out b: cannot tell what to write; end the name with .pdf, .svg or .png"),
        ("patolli --paper A5 --out b.pdf", "--paper A5: there are A4, A3, A2, letter"),
        ("patolli --dpi 29 --out b.png", "--dpi 29: must be from 30 to 600"),
        ("patolli --dpi 601 --out b.png", "--dpi 601: must be from 30 to 600"),
        ("tags --out no/b.pdf", "--out no/b.pdf: cannot be written (No such file or directory); "
         "choose another place"),
        ("tags --out folder.pdf", "--out folder.pdf: is there already and will not be overwritten; name a new file"),
        ("tags --out bad.toml/b.pdf", "--out bad.toml/b.pdf: cannot be written (Not a directory); "
         "choose another place"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_line_and_writes_nothing(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("folder.pdf").mkdir()
    Path("bad.toml").write_text(
        'name = "bad"\ngame = "x"\nsheet = [100.0, 100.0]\nfield = [1, 1, 9, 9]\ncells = [{ kinds = 1 }]\n'
    )
    assert main(["print", *words.split()]) == 2
    assert capsys.readouterr() == ("", f"macuil print: {said}\n")
    assert sorted(path.name for path in Path().rglob("*")) == ["bad.toml", "folder.pdf"]


def test_an_earlier_file_stays(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.svg").write_text("earlier")
    assert main(["print", "tray", "--out", "t.svg"]) == 2
    assert capsys.readouterr() == (
        "", "macuil print: --out t.svg: is there already and will not be overwritten; name a new file\n"
    )  # fmt: skip
    assert Path("t.svg").read_text() == "earlier"
