"""What was taught: used by every command that reads, replaced, forgotten, and left alone when it is damaged."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from server.cli import main
from server.commands import serve
from server.taught_file import path_of, remember
from tests.server.commands.own_throws import MARKED, PLAIN, Out, beans_folder, told, write
from tests.server.rests import FIVE
from tests.vision.drawn_throws import drawn


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
        write(tray, 100 + number, drawn("beans", (MARKED, PLAIN, PLAIN, MARKED, PLAIN)))
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
