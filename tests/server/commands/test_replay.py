"""``macuil replay`` and ``macuil export``: a written game or one of a journal, as text, JSON and CSV."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee import match
from referee.board import Seat
from referee.events import Captured, Event, Moved, Noted, Objected, Paid
from referee.match import Match
from referee.throws import Beans
from server.cli import main
from server.journal import Journal

JADE, CORAL = Seat(1), Seat(3)
AT = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
WRITTEN = """\
Macuil game 1
game: patolli
preset: quick
rules: 1
seats: 1 "Ana", 3 "Beto"
stakes: 5

1: 4
3: 2                    # 1 begins
1: 4 reserve>4?         # 1 pays 1 to pot (triangle)
3: 0*                   # 3 pays 1 to pot (offering)
1: 3 reserve>3
undone by "Ana" "misread"
undone by "Ana" "misread"
1: 2 reserve>2*
"""
POSITION = (
    "patolli quick pot=2 turn=3 | 1 reserve=1 track=[2 4] home=0 stakes=4 | 3 reserve=3 track=[] home=0 stakes=4\n"
)
STATEMENTS = """\
account,name,amount,other,why,balance
1,Ana,5,,started,5
1,Ana,-1,pot,triangle R-TRI,4
3,Beto,5,,started,5
3,Beto,-1,pot,offering R-ZERO-EMPTY R-QUICK-BASE,4
pot,,1,1,triangle R-TRI,1
pot,,1,3,offering R-ZERO-EMPTY R-QUICK-BASE,2
"""


def played() -> list[Event]:
    """The game that is written above, with what the table noted meanwhile."""
    game = match.begin(match.start("patolli", "quick", (JADE, CORAL), names={JADE: "Ana", CORAL: "Beto"}, stakes=5))
    events: list[Event] = [game.started]

    def book(game: Match, happened: tuple[Event, ...]) -> Match:
        for event in happened:
            game = match.after(game, event)
        events.extend(happened)
        return game

    for marks in (4, 2, 4):
        game = book(game, match.throw(game, Beans(marks)))
    game = book(game, (Noted("light", {}), Objected(JADE, ("steps",), ("5",), "reserve>5")))
    game = book(game, match.move(game, "reserve>4", inferred=True))
    game = book(game, match.throw(game, Beans(0), "hand"))
    game = book(game, match.throw(game, Beans(3)))
    game = book(game, match.move(game, "reserve>3"))
    game = book(game, match.undo(game, "Ana", "misread"))
    game = book(game, match.undo(game, "Ana", "misread"))
    game = book(game, match.throw(game, Beans(2)))
    book(game, match.move(game, "reserve>2", "hand"))
    return events


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder whose journal holds another game and this one."""
    with closing(Journal(tmp_path)) as journal:
        journal.append([match.start("patolli", "jade-coral", (JADE, CORAL))], AT)
        journal.append(played(), AT)
    return tmp_path


def test_a_game_of_the_journal_as_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(folder)]) == 0
    assert capsys.readouterr() == (WRITTEN, "")
    assert main(["replay", str(folder / "journal.sqlite")]) == 0
    assert capsys.readouterr() == (WRITTEN + "\n" + POSITION, "")


def test_a_written_game_is_played_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "game.txt"
    assert main(["export", str(folder), "--out", str(path)]) == 0
    assert capsys.readouterr() == (f"{path}: written as text\n", "")
    assert path.read_text(encoding="utf-8") == WRITTEN
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr() == (WRITTEN + "\n" + POSITION, "")


def test_the_stakes_as_statements(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(folder), "--format", "csv", "--game", "2"]) == 0
    assert capsys.readouterr() == (STATEMENTS.replace("\n", "\r\n"), "")


def test_a_game_without_stakes_has_no_statements(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(folder), "--format", "csv", "--game", "1"]) == 0
    assert capsys.readouterr() == (STATEMENTS.splitlines()[0] + "\r\n", "macuil export: this game has no stakes\n")


def test_everything_that_happened_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(folder), "--format", "json"]) == 0
    events = json.loads(capsys.readouterr().out)
    assert [event["event"] for event in events[:3]] == ["started", "thrown", "thrown"]
    assert len(events) == len(played())
    assert {event["at"] for event in events} == {"2026-11-30T12:00:00Z"}
    took = [(event["by"], event["why"], event["took"]) for event in events if event["event"] == "undone"]
    assert took == [("Ana", "misread", "reserve>3"), ("Ana", "misread", "3")]
    assert main(["replay", str(folder), "--json"]) == 0
    *_, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert (last["act"], last["position"]["turn"], last["events"][0]["event"]) == ("move", "3", "moved")


def test_an_export_overwrites_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal, kept = folder / "journal.sqlite", folder / "game.txt"
    before = journal.read_bytes()
    kept.write_text("kept", encoding="utf-8")
    for there in (journal, kept):
        assert main(["export", str(journal), "--out", str(there)]) == 2
        assert capsys.readouterr().err == (
            f"macuil export: --out {there}: is there already and will not be overwritten; name a new file\n"
        )
    assert (journal.read_bytes(), kept.read_text(encoding="utf-8")) == (before, "kept")
    assert main(["export", str(journal), "--out", str(folder / "new.txt")]) == 0
    assert (folder / "new.txt").read_text(encoding="utf-8") == WRITTEN
    assert [path.name for path in folder.iterdir() if path.suffix == ".part"] == []


def test_a_journal_of_a_newer_macuil_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(folder / "journal.sqlite")) as db:
        db.execute("PRAGMA user_version = 7")
    assert main(["replay", str(folder)]) == 2
    assert "was written by a newer Macuil (journal 7, this one knows 1)" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_error(folder: Path) -> None:
    """``macuil replay … | head -1``."""
    replay = subprocess.run(
        f"{sys.executable} -m server replay --json {folder} | head -c 1; exit ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", capture_output=True, check=False,
    )  # fmt: skip
    assert (replay.returncode, replay.stderr) == (0, b"")


def test_who_resigns_in_a_pause_is_in_the_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = match.begin(match.start("patolli", "quick", (JADE, CORAL), stakes=5))
    events: list[Event] = [game.started]
    acts: tuple[Callable[[Match], tuple[Event, ...]], ...] = (
        lambda game: match.throw(game, Beans(4)),
        lambda game: match.throw(game, Beans(2)),
        lambda game: match.throw(game, Beans(3)),
        lambda game: match.pause(game, "Ana"),
        lambda game: match.resign(game, JADE),
    )
    for act in acts:
        for event in act(game):
            game = match.after(game, event)
            events.append(event)
    with closing(Journal(tmp_path)) as journal:
        journal.append(events, AT)
    assert main(["export", str(tmp_path)]) == 0
    assert "1: resigns" in capsys.readouterr().out


def test_the_journal_is_only_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = folder / "journal.sqlite"
    before = journal.read_bytes()
    with closing(Journal(folder)) as running:
        assert main(["export", str(folder), "--game", "1"]) == 0
        assert "preset: jade-coral" in capsys.readouterr().out
        assert len(running.games()) == 2
    assert journal.read_bytes() == before


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("", 'line 1: a game begins with the line \'Macuil game 1\', not ""'),
        ("Macuil game 1\ngame: mancala\n1: 3", "line 3: game: 'mancala' is none of patolli, ludo, batok, ur"),
        ("Macuil game 1\ngame: ur\n", "header.preset: is missing"),
        ("Macuil game 1\ngame: ur\ngame: ur\n", "line 3: game is given twice"),
        (WRITTEN + "hello\n", 'line 16: "hello" is not written like 1: 3 4>7, or like undone by "Ana"'),
        (WRITTEN + "3: 9\n", "act 12 (throw): throw: Patolli is thrown with 5 beans, not Beans(marks=9, count=5)"),
        (WRITTEN + "1: 3\n", "act 12 (throw): it is the turn of seat 3, not 1"),
        (WRITTEN + "3: 3 reserve>30\n", "act 13 (move reserve>30): steps"),
        (WRITTEN + "undone by Ana\n", 'line 16: after undone, redone, corrected, paused or resumed stands by "who"'),
        (WRITTEN.replace("rules: 1", "rules: 7"), "rules_version: this match was played under version 7 of the "
         "patolli rules; this referee knows version 1"),
        (WRITTEN.replace("stakes: 5", "stakes: many"), 'stakes: "many" is no whole number'),
        (WRITTEN.replace("3: 0*", "3: 0*?"), 'line 11: "0*?": only a move can be inferred, not a throw'),
        (WRITTEN.replace("stakes: 5", 'stakes: 5\nhandicap: {"1": "5"}'),
         'handicap.1: must be a whole number from 0 to 1000000000, not "5"'),
        (WRITTEN.replace("stakes: 5", 'stakes: 5\nhandicap: {"1": 5, "1": 6}'), 'handicap: names the field "1" twice'),
        (WRITTEN.replace('"Ana", 3', '"Ana" 3'), 'seats: "3 \\"Beto\\"" is not written like 1 "Ana", 3 "Beto"'),
        (WRITTEN + 'corrected by "Ana" 4=1 4=3\n', "line 16: 4 is named twice"),
        (WRITTEN.replace("seats: 1", "seats: 9"),
         'seats: "9 \\"Ana\\", 3 \\"Beto\\"" is not written like 1 "Ana", 3 "Beto"'),
    ],
)  # fmt: skip
def test_what_is_no_game_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], written: str, said: str
) -> None:
    path = tmp_path / "game.txt"
    path.write_text(written, encoding="utf-8")
    for command in ("replay", "export"):
        assert main([command, str(path)]) == 2
        assert capsys.readouterr() == ("", f"macuil {command}: {path}: {said}\n")


def test_what_cannot_be_read_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "noise").write_bytes(b"\xff\xfe\x00")
    (folder / "game.txt").write_text(WRITTEN, encoding="utf-8")
    for words, said in (
        (["none.txt"], "none.txt: there is no such file; name a written game or a data folder"),
        (["noise"], "noise: is neither a journal nor a text in UTF-8"),
        ([".", "--game", "3"], "journal.sqlite: no such game; there are 1 to 2"),
        (["game.txt", "--game", "1"], f"--game 1: {folder}/game.txt is one written game, not a journal"),
    ):
        assert main(["replay", str(folder / words[0]), *words[1:]]) == 2
        assert capsys.readouterr().err == f"macuil replay: {said if said.startswith('--') else f'{folder}/{said}'}\n"
    assert main(["export", str(folder), "--out", str(folder / "no" / "game.txt")]) == 2
    assert capsys.readouterr().err.startswith(f"macuil export: --out {folder}/no/game.txt: cannot be written")


@pytest.mark.parametrize("form", ["text", "json", "csv"])
@pytest.mark.parametrize(
    "impossible",
    [
        Moved(JADE, "17", "20"),
        Moved(Seat(2), "reserve", "4"),
        Paid(Seat(4), JADE, 1, ("R-TRI",)),
        Paid(JADE, "pot", -3, ("R-TRI",)),
        Captured(CORAL, JADE, "9"),
    ],
)
def test_what_cannot_have_happened_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, impossible: Event
) -> None:
    with closing(Journal(tmp_path)) as journal:
        journal.append([*played(), impossible], AT)
    for command in (["export", str(tmp_path), "--format", form], ["replay", str(tmp_path)]):
        assert main(command) == 2
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1)
        assert said.err.startswith(f"macuil {command[0]}: {tmp_path}: event: {type(impossible).__name__}(")


def test_a_log_that_does_not_follow_from_the_rules_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = played()
    moved = next(number for number, event in enumerate(events) if isinstance(event, Moved))
    events[moved] = Moved(JADE, "reserve", "5")
    with closing(Journal(tmp_path)) as journal:
        journal.append(events, AT)
    assert main(["replay", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"macuil replay: {tmp_path}: event: Moved(")
    assert said.endswith("does not follow from the rules\n")
