"""`macuil bench --evenings`: what was booked is compared with the truth, and failures can be played again."""

import json
import os
import signal
import subprocess
import sys

import pytest

from server.cli import main
from server.commands import bench
from tests.server import short


def test_evenings_that_go_well_are_told_line_by_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "PLAYS", short.shortly)
    assert main(["bench", "--evenings", "2", "--seed", "5", "--processes", "2"]) == 0
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert sorted(line.split()[:3] for line in lines[1:3]) == [["5", "ludo", "chessboard"], ["6", "batok", "standard"]]
    assert lines[3] == "2 of 2 evenings: 0 to the end, 2 stopped after 120 bookings"
    assert lines[4].startswith("wrong bookings        0 in ")
    assert printed.err == ""


def test_a_wrong_booking_ends_with_the_command_that_plays_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "PLAYS", short.misread)
    assert main(["bench", "--evenings", "1", "--seed", "117", "--whole"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "was booked as" in lines[2]
    assert lines[2].endswith(": macuil bench --evenings 1 --seed 117 --whole")
    assert lines[3].endswith("1 failed (seeds 117)")
    assert lines[4].startswith("wrong bookings        1 in ")


def test_totals_and_evenings_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(bench, "PLAYS", short.told)
    assert main(["bench", "--evenings", "3", "--seed", "3", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [(evening["seed"], evening["failure"]) for evening in told["evenings"]] == [
        (3, ""),
        (4, ""),
        (5, "stuck at 60 s, unasked"),
    ]
    assert told["evenings"][1]["played"]["questions"] == ["at 5.0 s: 4>7: move None"]
    assert told["totals"]["failed"] == [5]
    assert (told["totals"]["illegal_named"], told["totals"]["illegal_made"]) == (5, 6)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is a POSIX signal here")
def test_ctrl_c_tells_what_was_played_so_far() -> None:
    # Tests may run where Ctrl+C is ignored, as in the background of a shell.
    heeding = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{heeding}; from server.cli import main; sys.exit(main(sys.argv[1:]))"
    words = [sys.executable, "-c", code, "bench", "--evenings", "4", "--processes", "2"]
    # A terminal sends it to the whole group: the players must not hear it.
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (130, "")
    assert out.startswith("0 of 4 evenings: ")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--seed", "3"], "--seed says with which number --evenings N or --views N begin"),
        (["--whole"], "--processes and --whole say how to play --evenings N"),
        (["--views", "1", "--processes", "2"], "--processes and --whole say how to play --evenings N"),
        (["--views", "0"], "--views 0: give 1 or more"),
        (
            ["--views", "1", "--evenings", "1"],
            "--evenings and --views are measured one after the other: give one of them",
        ),
        (["--keep", "here"], "--keep says where to keep the pictures of --views N"),
        (["--evenings", "0"], "--evenings 0: give 1 or more"),
        (["--evenings", "1", "--seed", "-1"], "--seed -1: give 0 or more"),
        (["--evenings", "1", "--processes", "0"], "--processes 0: give 1 or more"),
    ],
)
def test_what_cannot_be_played_is_refused(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *words]) == 2
    assert capsys.readouterr() == ("", f"macuil bench: {why}\n")
