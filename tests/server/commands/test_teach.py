"""`macuil teach`: learns from confirmed throws, measures on others, keeps only what helps, and can forget."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from referee.throws import Beans, Dice
from server.cli import main
from server.commands import serve
from server.lessons import Keeper, read_lessons
from server.taught_file import path_of, remember
from server.teaching import Figures
from tests.server.commands.test_count import FIVE, TWO
from tests.vision.drawn_throws import drawn, stand_in

MARKED, PLAIN = 160, 60
"""Shades of this set of beans."""
DICE = (20, 60, 95, 160, 200, 240)
"""Shades of this set of dice."""
EXPECTED_DICE = (10, 50, 90, 160, 200, 240)
Out = pytest.CaptureFixture[str]


def beans_folder(folder: Path, throws: int, marks: Callable[[int], int] | None = None) -> Path:
    """Pictures of five beans each, and what people say they are: the truth, or something else."""
    rng = np.random.default_rng(8)
    lines = ["file,marked"]
    for number in range(throws):
        shown = int(rng.integers(0, 6))
        shades = rng.permutation([MARKED] * shown + [PLAIN] * (5 - shown)) + rng.integers(-6, 7, 5)
        lines.append(f"{number}.png,{marks(shown) if marks else shown}")
        _write(folder, number, drawn("beans", [float(shade) for shade in shades]))
    (folder / "throws.csv").write_text("\n".join(lines) + "\n")
    return folder


def dice_folder(folder: Path, throws: int) -> Path:
    """Pictures of two dice each."""
    rng = np.random.default_rng(8)
    lines = ["file;dice;remark"]
    for number in range(throws):
        values = [int(value) for value in rng.integers(1, 7, 2)]
        lines.append(f"{number}.png;{values[0]} {values[1]};in a spreadsheet")
        _write(folder, number, drawn("dice", [DICE[value - 1] for value in values]))
    (folder / "throws.csv").write_text("\n".join(lines) + "\n", encoding="utf-8-sig")
    return folder


def _write(folder: Path, number: int, image: np.ndarray[Any, Any]) -> None:
    folder.mkdir(exist_ok=True)
    assert cv2.imwrite(str(folder / f"{number}.png"), image)


@pytest.fixture
def nets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts the drawn nets in the real ones' place: by default such as take this set's marks for no marks."""
    folder = tmp_path / "nets"
    folder.mkdir()

    def put(spread: float = 40.0, beans: Sequence[float] = (250, 120)) -> None:
        stand_in(monkeypatch, folder, spread, beans=beans, dice=EXPECTED_DICE)

    return put


def told(out: Out) -> dict[str, Any]:
    """The one JSON line."""
    line: dict[str, Any] = json.loads(out.readouterr().out)
    return line


def test_beans_are_taught_and_read_as_taught(
    nets: Callable[..., None], tmp_path: Path, data_folder: Path, capsys: Out
) -> None:
    nets()
    folder = beans_folder(tmp_path / "own", 15)
    assert main(["teach", str(folder), "--json"]) == 0
    line = told(capsys)
    before, after = Figures(**line.pop("before")), Figures(**line.pop("after"))
    assert line == {
        "kind": "beans",
        "throws": 15,
        "found": 15,
        "taught": True,
        "why": "",
        "kept": str(data_folder / "taught-beans.json"),
    }
    assert (before.throws, before.right) == (15, 3)
    assert (after.throws, after.right, after.wrong_certain) == (15, 15, 0)
    assert after.certain > before.certain
    assert before.log_loss > 1 > 0.2 > after.log_loss

    picture = tmp_path / "new.png"
    cv2.imwrite(str(picture), drawn("beans", (PLAIN, MARKED, MARKED, PLAIN, MARKED)))
    read = ["read", str(picture), "--expect", "beans=5"]
    assert main(read) == 0
    assert capsys.readouterr().out.startswith(f"{picture}: 0 of 5 beans marked")
    assert main([*read, "--data", str(data_folder)]) == 0
    seen = capsys.readouterr()
    assert seen.out == f"{picture}: 3 of 5 beans marked\n"
    assert seen.err == f"macuil: beans are read as taught on {datetime.now(UTC):%Y-%m-%d} with 15 throws\n"


def test_dice_are_taught(nets: Callable[..., None], tmp_path: Path, data_folder: Path, capsys: Out) -> None:
    nets(60.0)
    assert main(["teach", str(dice_folder(tmp_path / "own", 20)), "--expect", "dice=2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "20 throws of 2 dice, each read before and after it was taught the others:"
    assert lines[-1].startswith(f"Taught, from the next start on; kept as {data_folder / 'taught-dice.json'}.")
    remembered = remember(data_folder, "dice")
    assert remembered
    assert (remembered.throws, remembered.taught.weights.shape) == (20, (6, 103))
    assert remembered.after.log_loss < remembered.before.log_loss
    assert remembered.after.right >= remembered.before.right

    assert main(["teach"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == (f"dice, taught on {datetime.now(UTC):%Y-%m-%d} with 20 throws:")


@pytest.mark.parametrize(
    ("expected", "mixed_up", "why"),
    [
        pytest.param((MARKED, PLAIN), False, "these throws are read no better for it", id="read well already"),
        pytest.param((MARKED, PLAIN), True, "would be read right instead of", id="mixed up, read well"),
        pytest.param((250, 120), True, "is each line of the confirmed throws right?", id="mixed up, read badly"),
    ],
)
def test_what_does_not_help_is_refused(
    nets: Callable[..., None],
    expected: tuple[int, int],
    mixed_up: bool,
    why: str,
    tmp_path: Path,
    data_folder: Path,
    capsys: Out,
) -> None:
    nets(14.0, expected)
    other = iter(np.random.default_rng(1).integers(1, 6, 20))
    folder = beans_folder(tmp_path / "own", 20, (lambda _: int(next(other))) if mixed_up else None)
    assert main(["teach", str(folder), "--json"]) == 1
    out = capsys.readouterr()
    line = json.loads(out.out)
    assert (line["taught"], line["kept"]) == (False, None)
    assert line["before"]["throws"] == line["after"]["throws"] == 20
    assert why in line["why"]
    assert out.err == f"macuil teach: not taught, nothing is changed: {line['why']}\n"
    assert not data_folder.exists()


def test_what_is_only_learnt_by_heart_is_refused(nets: Callable[..., None], tmp_path: Path, capsys: Out) -> None:
    nets(1e6)
    rng = np.random.default_rng(3)
    folder, lines = tmp_path / "own", ["file,marked"]
    for number in range(15):  # how bright a bean is has nothing to do with its face
        _write(folder, number, drawn("beans", [float(shade) for shade in rng.choice(range(110), 5)]))
        lines.append(f"{number}.png,{rng.integers(0, 6)}")
    (folder / "throws.csv").write_text("\n".join(lines) + "\n")
    assert main(["teach", str(folder), "--json"]) == 1
    assert told(capsys)["why"] == "these throws are read no better for it than chance would have it"


def test_pictures_that_cannot_be_read_wholly_count_as_wrong(
    nets: Callable[..., None], tmp_path: Path, capsys: Out
) -> None:
    nets()
    folder = beans_folder(tmp_path / "own", 15)
    for number in (2, 7, 11):
        _write(folder, number, drawn("beans", (MARKED, PLAIN)))
    assert main(["teach", str(folder), "--json"]) == 0
    line = told(capsys)
    assert (line["throws"], line["found"], line["after"]["right"]) == (15, 12, 12)
    for number in (0, 1, 3):
        _write(folder, number, drawn("beans", (MARKED, PLAIN)))
    assert main(["teach", str(folder)]) == 2
    assert "in only 9 of 15 pictures were all 5 beans found" in capsys.readouterr().err


def test_forgetting_sets_it_aside_and_reads_as_before(
    nets: Callable[..., None], tmp_path: Path, data_folder: Path, capsys: Out
) -> None:
    nets()
    folder = beans_folder(tmp_path / "own", 15)
    assert main(["teach", str(folder)]) == 0
    kept = path_of(data_folder, "beans").read_text()
    capsys.readouterr()
    assert main(["teach", "--forget", "--expect", "dice=2"]) == 0
    assert capsys.readouterr().out == f"Nothing was taught in {data_folder}.\n"
    assert main(["teach", "--forget", "--json"]) == 0
    (aside,) = told(capsys)["aside"]
    assert Path(aside).read_text() == kept
    assert remember(data_folder, "beans") is None
    assert main(["teach"]) == 0
    assert capsys.readouterr().out.startswith(f"Nothing was taught in {data_folder}.")

    Path(aside).rename(path_of(data_folder, "beans"))  # taken back by hand
    assert remember(data_folder, "beans") is not None


def test_teaching_anew_sets_the_earlier_aside(nets: Callable[..., None], tmp_path: Path, data_folder: Path) -> None:
    nets()
    for throws in (15, 20):
        assert main(["teach", str(beans_folder(tmp_path / f"own{throws}", throws))]) == 0
    remembered = remember(data_folder, "beans")
    assert remembered
    assert (remembered.throws, remembered.before.throws, remembered.after.throws) == (20, 20, 20)
    assert len(list(data_folder.glob("taught-beans.json.forgotten-*"))) == 1


def _broken(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        pytest.param(lambda text: text[: len(text) // 2], "holds nothing that was taught here", id="cut off"),
        pytest.param(lambda _: "[1, 2]", "holds nothing that was taught here", id="foreign"),
        pytest.param(lambda _: '{"a": ' * 9000, "holds nothing that was taught here", id="deep"),
        pytest.param(lambda text: _broken(text, '"beans"', '"dice"'), "holds nothing", id="of dice"),
        pytest.param(
            lambda text: _broken(text, '"weights": [[', '"weights": [[NaN, '), "holds nothing", id="no weights"
        ),
        pytest.param(lambda text: _broken(text, '"version": 1', '"version": 2'), "by a newer Macuil", id="newer"),
        pytest.param(lambda text: _broken(text, '"net": "', '"net": "0'), "another version of the reader", id="net"),
    ],
)
def test_a_damaged_file_is_told_and_not_used(
    damage: Callable[[str], str], why: str, nets: Callable[..., None], tmp_path: Path, data_folder: Path, capsys: Out
) -> None:
    nets()
    folder = beans_folder(tmp_path / "own", 15)
    assert main(["teach", str(folder)]) == 0
    kept = path_of(data_folder, "beans")
    kept.write_text(damage(kept.read_text()))
    capsys.readouterr()
    assert main(["read", str(folder / "0.png"), "--data", str(data_folder), "--expect", "beans=5"]) == 0
    err = capsys.readouterr().err
    assert err.startswith(f"macuil: {kept}")
    assert why in err
    assert err.endswith("until then beans are read untaught\n")
    assert err.count("\n") == 1
    assert main(["teach"]) == 2
    assert why in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["teach", "nowhere"]) == 2
    assert "nowhere: there is no such folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("table", "why"),
    [
        pytest.param(None, "there is no such table", id="no table"),
        pytest.param("", "line 1: must name the columns file and either marked or dice", id="empty"),
        pytest.param("file,marks\n0.png,3\n", "line 1: must name the columns", id="another column"),
        pytest.param("file,marked,dice\n0.png,3,2 2\n", "line 1: must name the columns", id="both"),
        pytest.param("file,dice\n0.png,3 2\n", "line 1: is of dice, which is not what --expect says", id="dice"),
        pytest.param("file,marked\n0.png,6\n", "line 2: marked 6: 5 beans show 0 to 5", id="six of five"),
        pytest.param("file,marked\n0.png,three\n", "line 2: marked three: not a whole number", id="a word"),
        pytest.param("file,marked,beans\n0.png,3,6\n", "line 2: beans 6: must be 5, all throws alike", id="six"),
        pytest.param("file,marked\n\n9.png,3\n", "line 3: there is no picture 9.png", id="no picture"),
        pytest.param(
            "file,marked\n0.png,3\n", "too few confirmed throws to learn from: 1; 10 are needed", id="too few"
        ),
        pytest.param(
            "file,marked\n" + "0.png,\n" * 12,
            "too few confirmed throws to learn from: 0; 10 are needed",
            id="nothing filled in",
        ),
        pytest.param("file,marked\n" + "bad.png,3\n" * 10, "bad.png: not a picture", id="no picture in it"),
        pytest.param(b"\xff\xfe\x00", "no text in UTF-8", id="no text"),
    ],
)
def test_tables_that_say_nothing_are_refused(
    table: str | bytes | None, why: str, nets: Callable[..., None], tmp_path: Path, capsys: Out
) -> None:
    nets()
    _write(tmp_path, 0, drawn("beans", (MARKED,) * 5))
    (tmp_path / "bad.png").write_bytes(b"no picture")
    if table is not None:
        (tmp_path / "throws.csv").write_bytes(table if isinstance(table, bytes) else table.encode())
    assert main(["teach", str(tmp_path), "--expect", "beans=5"]) == 2
    err = capsys.readouterr().err
    assert why in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        pytest.param(("here", "--forget"), "name one of FOLDER, --match and --forget", id="two at a time"),
        pytest.param(("here", "--expect", "auto"), "--expect auto: to teach, say what was thrown", id="auto"),
        pytest.param(("--match", "--area", "1,2,3,4"), "--area: the pictures of a match", id="area of a match"),
        pytest.param(("--match",), "there is no journal yet", id="no match yet"),
        pytest.param(("--table", "no.toml"), "cannot read no.toml", id="no table"),
    ],
)
def test_what_cannot_be_asked(flags: tuple[str, ...], why: str, capsys: Out) -> None:
    assert main(["teach", *flags]) == 2
    assert why in capsys.readouterr().err


def test_what_was_kept_is_read_again(tmp_path: Path) -> None:
    frame = np.full((400, 600, 3), 90, np.uint8)
    area_px = np.asarray([[100, 50], [440, 50], [440, 270], [100, 270]], np.float32)
    frame[50:270, 100:440] = drawn("beans", (MARKED, PLAIN))
    for throws in ((Beans(3), None), (Beans(0),)):  # counted on another day into the same folder
        keeper = Keeper(tmp_path / "own", FIVE, area_px)
        for throw in throws:
            keeper.keep(frame, throw)
    table = (tmp_path / "own" / "throws.csv").read_text()
    assert table == "file,marked,beans\nthrow-0001.jpg,3,5\nthrow-0002.jpg,,5\nthrow-0003.jpg,0,5\n"
    needs, confirmed = read_lessons(tmp_path / "own", None, None)
    assert (needs, [(one.name, one.throw) for one in confirmed]) == (
        FIVE,
        [("throw-0001.jpg", Beans(3)), ("throw-0003.jpg", Beans(0))],
    )
    assert np.abs(confirmed[0].look().astype(int) - frame[50:270, 100:440]).mean() < 2

    keeper = Keeper(tmp_path / "dice", TWO, None)
    keeper.keep(frame, Dice((2, 5)))
    assert (tmp_path / "dice" / "throws.csv").read_text() == "file,dice\nthrow-0001.jpg,2 5\n"
    _, confirmed = read_lessons(tmp_path / "dice", TWO, area_px)
    assert (confirmed[0].throw, confirmed[0].look().shape) == (Dice((2, 5)), (220, 340, 3))


@pytest.mark.parametrize("command", ["count", "watch"])
def test_a_recording_is_read_as_taught(
    command: str,
    nets: Callable[..., None],
    tmp_path: Path,
    data_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Out,
) -> None:
    nets()
    assert main(["teach", str(beans_folder(tmp_path / "own", 15))]) == 0
    capsys.readouterr()
    tray = tmp_path / "tray"
    for number in range(30):
        _write(tray, 100 + number, drawn("beans", (MARKED, PLAIN, PLAIN, MARKED, PLAIN)))
    assert main([command, str(tray), "--expect", "beans=5", "--json"]) == 0
    out = capsys.readouterr()
    told = [line for line in map(json.loads, out.out.splitlines()) if line["event"] == "throw"]
    assert [line["marked"] for line in told] == [2]
    assert out.err.startswith("macuil: beans are read as taught on ")


def test_a_table_is_served_as_taught(
    nets: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    nets()
    assert main(["teach", str(beans_folder(tmp_path / "own", 15)), "--data", str(tmp_path / "table")]) == 0
    made: list[Callable[..., Any]] = []
    door, books = SimpleNamespace(tablet=None), SimpleNamespace(told="", table=SimpleNamespace(standing=()))
    monkeypatch.setattr(serve, "open_house", lambda *_, **__: (door, books))
    monkeypatch.setattr(serve, "Live", lambda _, make_reader: made.append(make_reader))
    monkeypatch.setattr(serve, "Reader", lambda *_, **given: given["throw_reader"])
    for name in ("House", "Lamps", "announce"):
        monkeypatch.setattr(serve, name, lambda *_, **__: None)
    monkeypatch.setattr(serve, "serve", lambda *_: 0)
    assert main(["serve", "--data", str(tmp_path / "table")]) == 0
    assert capsys.readouterr().err.startswith("macuil: beans are read as taught on ")
    seen = made[0]((1, 3), FIVE).read([drawn("beans", (MARKED, PLAIN, PLAIN, MARKED, PLAIN))])
    assert (seen.marked, seen.certain) == (2, True)
