"""`macuil teach`: which tables, folders and flags it takes, and what it says of the others."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from referee.throws import Beans, Dice
from server.cli import main
from server.lessons import Keeper, read_lessons
from tests.server.commands.own_throws import MARKED, PLAIN, Out, write
from tests.server.rests import FIVE, TWO
from tests.vision.drawn_throws import drawn


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
    write(tmp_path, 0, drawn("beans", (MARKED,) * 5))
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
