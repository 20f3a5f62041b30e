"""`macuil count`: what the camera shows is counted, judged and kept, however the counting ends."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.observation import Observation, ThrowSeen
from referee.rules import Needs
from server import footage
from server.cli import main
from server.commands import count
from tests.server.rests import HERE, SHIFTED, THERE, beans, dice, observed
from vision.camera import CameraLost, Frame

PICTURES = Path(__file__).parent.parent.parent / "pictures"


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
    assert main(["count", scripted(dice(5, 2))]) == 1
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
    assert main(["count", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line[12:24] for line in lines if " s  " in line] == ["not counted:"]
    assert lines[-1] == "0 throws of 5 beans counted, 1 uncertain and left out"


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
