"""`macuil count`: each throw once, only when certain; what was counted is judged, however the counting ends."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.observation import BeanSeen, DieSeen, Observation, Plight, TableState, ThrowSeen
from referee.rules import Needs
from referee.throws import Beans, Dice, Throw
from server import footage
from server.cli import main
from server.commands import count
from server.tally import Tally
from vision.camera import CameraLost, Frame

PICTURES = Path(__file__).parent.parent.parent / "pictures"
HERE = ((100, 100), (200, 120), (300, 90), (150, 220), (260, 240))
THERE = ((130, 160), (240, 180), (350, 140), (90, 280), (310, 300))
SHIFTED = tuple((x + 40, y - 25) for x, y in HERE)
ONE_NUDGED = ((100, 160), *HERE[1:])
EMPTY = ThrowSeen("none", certain=True)
DARK = ThrowSeen("none", plights=("dark",))
Spots = tuple[tuple[int, int], ...]


def beans(marks: int, spots: Spots = HERE, plights: tuple[Plight, ...] = ()) -> ThrowSeen:
    """Beans as read; certain unless there is a plight."""
    seen = (BeanSeen(spot, "marked" if i < marks else "plain", True, 0.99) for i, spot in enumerate(spots))
    return ThrowSeen("beans", beans=tuple(seen), plights=plights, certain=not plights)


def dice(*values: int, spots: Spots = HERE) -> ThrowSeen:
    """Dice as read, certain."""
    seen = (DieSeen((x, y, 24, 24), value, True, 0.99) for value, (x, y) in zip(values, spots, strict=False))
    return ThrowSeen("dice", dice=tuple(seen), certain=True)


def observed(*rests: ThrowSeen | tuple[ThrowSeen, int]) -> Iterator[Observation]:
    """Rests of eight frames each, or of so many, with movement before each."""
    at = 0.0
    for rest in rests:
        seen, frames = rest if isinstance(rest, tuple) else (rest, 8)
        states: list[TableState] = ["moving", "settling", *["rest"] * frames]  # type: ignore[list-item]
        for state in states:
            yield Observation(at, state, seen if state == "rest" else None)
            at += 0.1


def counted(observations: Iterator[Observation], needs: Needs) -> list[Throw | tuple[Plight, ...]]:
    """Throws that count and plights that are told, in order."""
    tally = Tally(needs)
    told = [*(tally.see(seen, 640) for seen in observations), tally.end(640)]
    return [one.throw or one.seen.plights for one in told if one]


FIVE, TWO = Needs(beans=5), Needs(dice=2)


@pytest.mark.parametrize(
    ("needs", "rests", "told"),
    [
        pytest.param(FIVE, (beans(3), EMPTY, beans(2, THERE)), [Beans(3), Beans(2)], id="two throws"),
        pytest.param(FIVE, (beans(3), beans(3, THERE)), [Beans(3), Beans(3)], id="thrown again, never seen empty"),
        pytest.param(FIVE, (beans(3), beans(3)), [Beans(3)], id="a hand passed over it"),
        pytest.param(FIVE, (beans(3), EMPTY, beans(3)), [Beans(3)], id="wrongly seen empty"),
        pytest.param(FIVE, (beans(3), beans(4, ONE_NUDGED)), [Beans(3)], id="one was nudged over"),
        pytest.param(FIVE, (beans(3), beans(3, SHIFTED)), [Beans(3)], id="the camera was bumped"),
        pytest.param(FIVE, (beans(3), DARK, beans(3)), [Beans(3), ("dark",)], id="the lamp went off and on"),
        pytest.param(
            FIVE,
            (beans(3), beans(1, HERE[:2], ("missing",)), beans(3)),
            [Beans(3)],
            id="seen worse in between",
        ),
        pytest.param(FIVE, (beans(2, HERE, ("glare",)), beans(2)), [("glare",), Beans(2)], id="shaded, then read"),
        pytest.param(
            FIVE,
            (beans(2, HERE, ("leaning",)), beans(2), beans(3, THERE)),
            [("leaning",), Beans(3)],
            id="a leaning bean laid flat by hand does not count",
        ),
        pytest.param(FIVE, (beans(2, HERE, ("glare",)),) * 3, [("glare",)], id="a plight is told once"),
        pytest.param(FIVE, (DARK, DARK, beans(0)), [("dark",), Beans(0)], id="darkness is told once"),
        pytest.param(FIVE, ((beans(4), 2), EMPTY), [Beans(4)], id="a short rest"),
        pytest.param(FIVE, ((beans(4), 2),), [Beans(4)], id="a short rest at the end"),
        pytest.param(FIVE, (dice(2, 5),), [()], id="dice where beans are counted"),
        pytest.param(TWO, (dice(5, 2), dice(6, 6, spots=THERE)), [Dice((2, 5)), Dice((6, 6))], id="dice"),
        pytest.param(TWO, (dice(5, 2), dice(4, 2, spots=(THERE[0], HERE[1]))), [Dice((2, 5))], id="one die turned"),
    ],
)
def test_what_counts(
    needs: Needs, rests: tuple[ThrowSeen | tuple[ThrowSeen, int], ...], told: list[Throw | tuple[Plight, ...]]
) -> None:
    assert counted(observed(*rests), needs) == told


def test_the_second_thought_of_the_reader_counts() -> None:
    first, settled = beans(3), beans(2)
    seen = [Observation(i / 10, "rest", first if i < 4 else settled) for i in range(9)]
    assert counted(iter(seen), FIVE) == [Beans(2)]


class ScriptedReader:
    """Stands where the tray's reader does: what it reads is written in the script, a frame each."""

    script: tuple[Observation, ...] = ()

    def __init__(self, needs: Needs | None, area_px: object, *, throw_reader: object = None) -> None:
        self._at = 0

    def see(self, frame: Frame) -> Observation:
        """The script's next observation at the frame's time."""
        seen = self.script[self._at]
        self._at += 1
        return Observation(frame.taken_at, seen.state, seen.throw)


Scripted = Callable[..., str]


@pytest.fixture
def scripted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """Makes a folder of pictures, of which the scripted rests are read."""

    def prepare(*rests: ThrowSeen) -> str:
        script = tuple(observed(*rests))
        monkeypatch.setattr(ScriptedReader, "script", script)
        monkeypatch.setattr(count, "TrayReader", ScriptedReader)
        folder = tmp_path / "recording"
        folder.mkdir()
        for number in range(len(script)):
            cv2.imwrite(str(folder / f"{number:03}.png"), np.full((480, 640, 3), 120, np.uint8))
        return str(folder)

    return prepare


def test_a_recording_is_counted_written_and_judged(
    scripted: Scripted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = scripted(beans(3), beans(2, THERE, ("leaning",)), beans(4, THERE[::-1]), beans(1, SHIFTED))
    file, page = tmp_path / "beans.csv", tmp_path / "beans.html"
    assert main(["count", source, "--fps", "10", "--csv", str(file), "--plot", str(page)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "    0.20 s  throw 1: 3 of 5",
        "    1.20 s  not counted: one leans",
        "    3.20 s  throw 2: 1 of 5",
        "",
        "2 throws of 5 beans counted, 1 uncertain and left out",
        "",
        "  0                                               0   fair 0.1",
        "  1  ████████████████████████████████████████     1   fair 0.3",
        "  2                                               0   fair 0.6",
        "  3  ████████████████████████████████████████     1   fair 0.6",
        "  4                                               0   fair 0.3",
        "  5                                               0   fair 0.1",
        "",
        "Too few throws to tell.",
        "A bean shows its mark 40.0 % of the time; the truth lies between 16.8 and 68.7 % (95 % interval).",
        "At least 30 throws are needed: 28 more.",
    ]
    assert file.read_text() == "time,marks,beans\n0.200,3,5\n3.200,1,5\n"
    assert "Too few throws to tell" in page.read_text()


def test_the_same_as_json_and_back_from_the_file(
    scripted: Scripted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = scripted(dice(5, 2), dice(6, 6, spots=THERE))
    file = tmp_path / "dice.csv"
    assert main(["count", source, "--fps", "10", "--expect", "dice=2", "--csv", str(file), "--json"]) == 0
    first, second, total = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first == {"t": 0.2, "event": "throw", "dice": [2, 5], "throws": 1}
    assert second == {"t": 1.2, "event": "throw", "dice": [6, 6], "throws": 2}
    assert (total["event"], total["verdict"], total["counts"]) == ("total", "too_few", [0, 1, 0, 0, 1, 2])
    assert file.read_text() == "time,faces\n0.200,2 5\n1.200,6 6\n"
    assert main(["count", "--from", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == total


def test_dice_where_beans_are_counted_get_the_remedy(scripted: Scripted, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", scripted(dice(5, 2))]) == 0
    out = capsys.readouterr().out
    assert "not counted: 5 beans are counted; for these say --expect dice=2\n" in out
    assert "0 throws of 5 beans counted, 1 uncertain and left out\n" in out


def test_on_a_terminal_one_line_is_rewritten(
    scripted: Scripted, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = scripted(beans(3), beans(2, THERE), beans(0, HERE, ("glare",)))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert main(["count", source]) == 0
    live, _, totals = capsys.readouterr().out.rpartition("\r")
    shown = [line.rstrip() for line in re.split(r"[\r\n]+", live) if line.strip()]
    assert shown[:3] == [
        "no throws yet   [moving]",
        "no throws yet   [settling]",
        "1 throw   last 3 of 5   mean 3.00   [counted]",
    ]
    assert "2 throws   last 2 of 5   mean 2.50   [counted]" in shown
    assert [line for line in shown if "not counted" in line] == ["    1.47 s  not counted: too bright a reflection"]
    assert totals.startswith("\n2 throws of 5 beans counted, 1 uncertain and left out\n")


class Unplugged:
    """A recording that ends before its time."""

    identity, live = "unplugged", False

    def __init__(self, frames: int, end: BaseException) -> None:
        self._frames, self._end = frames, end
        self._number = 0

    def read(self) -> Frame:
        """A frame, or the end."""
        if self._number == self._frames:
            raise self._end
        self._number += 1
        return Frame(np.zeros((480, 640, 3), np.uint8), 1000 + self._number / 10, self._number)

    def close(self) -> None:
        """Nothing is held."""


@pytest.mark.parametrize(
    ("end", "status", "complaint"),
    [
        pytest.param(KeyboardInterrupt(), 0, "", id="ctrl-c"),
        pytest.param(CameraLost("the camera is gone"), 2, "macuil count: the camera is gone\n", id="unplugged"),
    ],
)
def test_however_it_ends_the_totals_are_told(
    end: BaseException,
    status: int,
    complaint: str,
    scripted: Scripted,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scripted(beans(3), beans(5, THERE))
    monkeypatch.setattr(footage, "open_camera", lambda address, fps: Unplugged(19, end))
    assert main(["count", "0"]) == status
    captured = capsys.readouterr()
    assert captured.out.startswith(
        "    0.20 s  throw 1: 3 of 5\n    1.20 s  throw 2: 5 of 5\n\n2 throws of 5 beans counted\n"
    )
    assert captured.err == complaint


def test_a_leaning_bean_in_real_pixels_is_not_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = np.asarray(cv2.imread(str(PICTURES / "throw_leaning_0.jpg")))
    for number in range(14):
        cv2.imwrite(str(tmp_path / f"{number:02}.png"), picture)
    assert main(["count", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[12:24] for line in lines if " s  " in line] == ["not counted:"]
    assert lines[-1] == "0 throws of 5 beans counted, 1 uncertain and left out"


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
    assert "<h1>Not fair</h1>" in drawn
    assert drawn.count('<rect class="bar"') == 1 + 6
    assert drawn.count('<circle class="fair"') == 1 + 6
    assert 'aria-label="How often by marks: 0: 1 (fair 4.7), 1: 5 (fair 23.4), 2: 20' in drawn
    assert re.findall(r"https?:|src=|href=|url\(|<script", drawn) == []


def test_the_name_of_a_file_is_no_markup(tmp_path: Path) -> None:
    file, page = tmp_path / "<b>beans & co.csv", tmp_path / "beans.html"
    file.write_text("marks\n3\n")
    assert main(["count", "--from", str(file), "--plot", str(page)]) == 0
    assert "1 throw of 5 beans, &lt;b&gt;beans &amp; co.csv" in page.read_text()


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


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        pytest.param([], "name either a SOURCE to count from or, with --from, a CSV", id="nothing"),
        pytest.param(["{}", "--from", "{}/x.csv"], "name either a SOURCE to count from or, with --from", id="both"),
        pytest.param(["--from", "{}/x.csv"], "{}/x.csv: cannot be read (No such file or directory)", id="no file"),
        pytest.param(["--from", "{}"], "{}: cannot be read (Is a directory)", id="a folder"),
        pytest.param(["{}/nowhere"], "nowhere", id="no source"),
        pytest.param(["{}", "--expect", "coins=3"], "--expect coins=3: write beans=5, dice=2", id="coins"),
        pytest.param(["{}", "--expect", "auto"], "--expect auto: to count, say what is thrown", id="auto"),
        pytest.param(["{}", "--area", "1,2,3"], "--area 1,2,3: write X,Y,W,H in pixels", id="area"),
        pytest.param(["{}", "--csv", "{}/no/x.csv"], "--csv {}/no/x.csv: cannot be written", id="csv nowhere"),
        pytest.param(["{}", "--csv", "{}/000.png"], "--csv {}/000.png: is there already", id="csv is there"),
        pytest.param(["{}", "--plot", "{}/no/x.html"], "--plot {}/no/x.html: cannot be written", id="plot nowhere"),
        pytest.param(["{}", "--plot", "{}/there.html"], "--plot {}/there.html: is there already", id="plot is there"),
        pytest.param(["{}", "--plot", "{}/x.csv"], "--plot {}/x.csv: is a page for the browser", id="plot no page"),
    ],
)
def test_bad_input_is_one_line_before_the_first_frame(
    words: list[str],
    complaint: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unread(self: object, frame: Frame) -> Observation:
        raise AssertionError("a frame was read")

    monkeypatch.setattr("vision.tray.TrayReader.see", unread)
    cv2.imwrite(str(tmp_path / "000.png"), np.zeros((240, 320, 3), np.uint8))
    (tmp_path / "there.html").write_text("mine")
    assert main(["count", *(word.format(tmp_path) for word in words)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert complaint.format(tmp_path) in captured.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000.png", "there.html"]
    assert (tmp_path / "there.html").read_text() == "mine"


def test_each_throw_is_kept_for_teaching(
    scripted: Scripted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = scripted(beans(3), beans(2, THERE, ("glare",)), beans(4, THERE[::-1]))
    kept = tmp_path / "own"
    assert main(["count", source, "--keep", str(kept), "--area", "100,80,200,120"]) == 0
    assert (kept / "throws.csv").read_text() == (
        "file,marked,beans\nthrow-0001.jpg,3,5\nthrow-0002.jpg,,5\nthrow-0003.jpg,4,5\n"
    )
    pictures = sorted(kept.glob("*.jpg"))
    assert [path.name for path in pictures] == ["throw-0001.jpg", "throw-0002.jpg", "throw-0003.jpg"]
    picture = cv2.imread(str(pictures[0]))
    assert picture is not None
    assert picture.shape == (120, 200, 3)

    capsys.readouterr()
    (kept / "throws.csv").write_text("time,marks\n")
    assert main(["count", source, "--keep", str(kept)]) == 2
    assert "begins with 'time,marks', not with file,marked,beans" in capsys.readouterr().err
    assert main(["count", "--from", str(kept / "throws.csv"), "--keep", str(kept)]) == 2
    assert "--keep: pictures are kept while throws are counted" in capsys.readouterr().err
