"""`macuil count --from`: what was counted before is judged, and a bad file refused in one line."""

import json
import re
from pathlib import Path

import pytest

from server.cli import main


def _csv(folder: Path, content: str | bytes) -> str:
    path = folder / "counted.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


@pytest.mark.parametrize(
    ("content", "words", "counts"),
    [
        pytest.param("marks\n3\n3\n5\n", [], [0, 0, 0, 2, 0, 1], id="by hand"),
        pytest.param("marks\n3\n3\n5\n", ["--expect", "beans=6"], [0, 0, 0, 2, 0, 1, 0], id="six by hand"),
        pytest.param("time,marks,beans\n1,2,3\n\n,3,3\n", [], [0, 0, 1, 1], id="the file tells of three"),
        pytest.param("\ufeffwhen;Marks;who\r\n20:15;4;Ana\r\n", [], [0, 0, 0, 0, 1, 0], id="from a spreadsheet"),
        pytest.param("faces\n6 1\n 3  3 \n", [], [1, 0, 2, 0, 0, 1], id="dice"),
    ],
)
def test_counted_before(
    content: str, words: list[str], counts: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["count", "--from", _csv(tmp_path, content), "--json", *words]) == 0
    assert json.loads(capsys.readouterr().out)["counts"] == counts


def test_a_verdict_in_words_and_as_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"{marks}\n" * times for marks, times in enumerate((1, 5, 20, 40, 50, 34)))
    page = tmp_path / "beans.html"
    assert main(["count", "--from", _csv(tmp_path, "marks\n" + rows), "--plot", str(page)]) == 0
    assert capsys.readouterr().out.splitlines()[-5:] == [
        "Not fair.",
        "A bean shows its mark 71.3 % of the time; the truth lies between 68.0 and 74.5 % (95 % interval).",
        "Marks against half of the beans: chi-square 136.53, 1 degree of freedom, p < 0.001.",
        "Histogram against fair beans: chi-square 144.83, 3 degrees of freedom, p < 0.001.",
        "The mark comes up too often. Fair beans stray this far in fewer than 1 of 1000 counts.",
    ]
    drawn = page.read_text(encoding="utf-8")
    assert ">Not fair</h1>" in drawn
    assert drawn.count('<rect class="bar"') == 1 + 6
    assert drawn.count('<circle class="fair"') == 1 + 6
    assert "often with a fair set: 0: 1 (4.7), 1: 5 (23.4), 2: 20 (46.9)" in drawn
    assert re.findall(r"https?:|src=|href=|url\(", drawn) == []


def test_the_name_of_a_file_is_no_markup(tmp_path: Path) -> None:
    file, page = tmp_path / "<b>beans & co.csv", tmp_path / "beans.html"
    file.write_text("marks\n3\n")
    assert main(["count", "--from", str(file), "--plot", str(page)]) == 0
    assert ">1 throw</span> · " in page.read_text(encoding="utf-8")
    assert "· &lt;b&gt;beans &amp; co.csv</p>" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        pytest.param("", "empty; the first line names the columns, such as time,marks", id="empty"),
        pytest.param("time,marks\n", "no throws in it, only the names of the columns", id="no throws"),
        pytest.param("time,marks\n1,3\n2,7\n", "line 3: marks 7: 5 beans show 0 to 5", id="marks 7"),
        pytest.param("marks\n-1\n", "line 2: marks -1: not a whole number", id="below none"),
        pytest.param("time,marks\n1\n", "line 2: marks missing: not a whole number", id="a short line"),
        pytest.param("3\n4\n", "line 1: must name one column marks or faces, such as time,marks", id="no names"),
        pytest.param(
            "marks,faces\n3,4\n", "line 1: must name one column marks or faces, such as time,marks", id="both"
        ),
        pytest.param("faces\n1 2\n7 1\n", "line 3: faces 7 1: write 1 to 6 for each die, such as 3 5", id="a seven"),
        pytest.param("faces\n1 2\n3\n", "line 3: faces 3: must be of 2 dice, all throws alike", id="one die fewer"),
        pytest.param("marks,beans\n1,5\n1,6\n", "line 3: beans 6: must be 5, all throws alike", id="a bean more"),
        pytest.param("marks,beans\n0,0\n", "line 2: beans 0: must be 1 to 99, all throws alike", id="no beans"),
        pytest.param(b"marks\n\xff\xfe\n", "no text in UTF-8; save it as CSV (UTF-8)", id="other encoding"),
        pytest.param("marks\n" + "3" * 200_000, "line 2: no CSV (field larger than field limit (131072))", id="huge"),
    ],
)
def test_a_bad_file_is_one_line(
    content: str | bytes, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _csv(tmp_path, content)
    assert main(["count", "--from", path]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.removeprefix(f"macuil count: {path}").lstrip(":, ") == complaint + "\n"
