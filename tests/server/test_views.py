"""Pictures of boards in play: drawn from a number, read as the commands read them, added up."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.board import Seat
from server.cli import main
from server.commands import bench_views
from server.evenings import PRESETS
from server.views import Read, View, drawn_view, in_figures, read
from vision.camera import Image
from vision.synthetic.table import SimulatedTable

SOME = range(60)


@cache
def pictured(seed: int) -> Image:
    view = drawn_view(seed)
    table = SimulatedTable(view.layout, seed=seed, size=(960, 540))
    table.lay_out(view.standing)
    return table.frame().image


def a_move() -> View:
    return next(view for view in map(drawn_view, SOME) if view.kind == "move" and view.layout.game == "patolli")


def test_a_number_is_one_view_and_all_kinds_of_them_come() -> None:
    drawn = [drawn_view(seed) for seed in SOME]
    assert drawn == [drawn_view(seed) for seed in SOME]
    assert {view.kind for view in drawn} == {"move", "nothing", "illegal"}
    assert {view.layout.game for view in drawn} == {game for game, _ in PRESETS}


@pytest.mark.parametrize("seed", SOME)
def test_what_stands_there_follows_from_what_was_done(seed: int) -> None:
    view = drawn_view(seed)
    game, position, throw = view.question.game, view.question.position, view.question.throw
    before, legal = game.occupancy(position), game.legal(position, throw)
    assert (view.kind == "nothing") == (view.move is None) == (view.standing == before)
    assert (view.move in legal) == (view.kind == "move")
    if view.kind == "illegal":
        assert view.move
        assert sum(map(len, view.standing.values())) == sum(map(len, before.values()))


def test_a_picture_is_read_cell_by_cell_and_judged() -> None:
    view = a_move()
    seen = read(view, pictured(view.seed), frozenset(), arm=False)
    assert (seen.found, seen.told, seen.certain, seen.unread, seen.wrong) == (True, True, True, (), ())
    assert seen.right == len(view.layout.cells)
    hidden = frozenset(list(view.standing)[:1])
    assert read(view, pictured(view.seed), hidden, arm=False).right == len(view.layout.cells) - 1
    nothing = read(view, np.full((540, 960, 3), 120, np.uint8), frozenset(), arm=False)
    assert (nothing.found, nothing.told, nothing.certain) == (False, False, False)


def test_what_is_not_so_is_told() -> None:
    view = a_move()
    free = next(place.name for place in view.layout.cells if place.name not in view.standing)
    lied = replace(view, standing={**view.standing, free: (Seat(1),)}, move="4>9")
    seen = read(lied, pictured(view.seed), frozenset(), arm=False)
    assert [(cell, taken_for) for cell, taken_for, _ in seen.wrong] == [(free, None)]
    assert seen.wrong[0][2] > 3
    assert (seen.told, seen.certain) == (False, True)


def test_an_arm_has_figures_of_its_own() -> None:
    view = a_move()
    right = {"verdict": "move", "move": view.move, "certain": True}
    free = [Read(view, False, True, 40, ("3",), (("5", None, 2.0),), right), Read(view, False, False)]
    over = [Read(view, True, True, 10, ruling={"verdict": "nothing", "move": None, "certain": True})]
    figures = in_figures([*free, *over])
    assert figures["boards found"] == (1, 2)
    assert (figures["cells right"], figures["cells wrong"]) == ((40, 42), (1, 42))
    assert (figures["told what happened"], figures["asked"], figures["wrong while certain"]) == ((1, 2), (1, 2), (0, 2))
    assert figures["cells right, an arm over it"] == (10, 10)
    assert figures["wrong while certain, an arm over it"] == (1, 1)


def test_the_bench_tells_what_was_not_read_and_adds_up(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def render(view: View) -> tuple[Image, frozenset[str], bool]:
        return (np.full((540, 960, 3), 120, np.uint8) if view.seed == 1 else pictured(view.seed)), frozenset(), False

    monkeypatch.setattr(bench_views, "RENDERS", render)
    assert main(["bench", "--views", "2", "--keep", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(": no board is found")
    assert lines[0].startswith("view 1 (")
    assert any(line.split()[:5] == ["boards", "found", "1", "of", "2"] for line in lines)
    kept = cv2.imread(f"{tmp_path}/view_0.png")
    assert kept is not None
    assert (kept == pictured(0)).all()


def test_figures_and_views_as_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_views, "RENDERS", lambda view: (pictured(view.seed), frozenset(), False))
    assert main(["bench", "--views", "1", "--seed", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    [one] = told["views"]
    assert (one["seed"], one["game"], one["told"], one["wrong"]) == (2, drawn_view(2).layout.game, True, [])
    assert told["figures"]["boards found"] == [1, 1]


def test_what_was_read_before_ctrl_c_is_added_up(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def render(view: View) -> tuple[Image, frozenset[str], bool]:
        if view.seed == 1:
            raise KeyboardInterrupt
        return pictured(view.seed), frozenset(), False

    monkeypatch.setattr(bench_views, "RENDERS", render)
    assert main(["bench", "--views", "3"]) == 130
    assert any(line.split()[:5] == ["boards", "found", "1", "of", "1"] for line in capsys.readouterr().out.splitlines())


def test_pictures_are_kept_in_a_folder_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bench_views, "RENDERS", lambda view: (pictured(view.seed), frozenset(), False))
    taken = tmp_path / "taken"
    taken.write_text("mine")
    assert main(["bench", "--views", "1", "--keep", str(taken)]) == 2
    assert (
        capsys.readouterr().err == f"macuil bench: --keep {taken}: File exists; name a folder that can be written to\n"
    )
    assert taken.read_text() == "mine"


def test_a_wrong_certain_verdict_fails_the_bench(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    view = a_move()
    monkeypatch.setattr(bench_views, "RENDERS", lambda view: (pictured(view.seed), frozenset(), False))
    monkeypatch.setattr(bench_views, "drawn_view", lambda seed: replace(view, move="4>9"))
    assert main(["bench", "--views", "1"]) == 1
    assert "CERTAIN" in capsys.readouterr().out


def test_without_the_path_tracer_it_is_said_where_it_comes_from(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def render(view: View) -> tuple[Image, frozenset[str], bool]:
        raise ImportError("mitsuba")

    monkeypatch.setattr(bench_views, "RENDERS", render)
    assert main(["bench", "--views", "1", "--keep", str(tmp_path / "kept")]) == 2
    assert not (tmp_path / "kept").exists()
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "pip install -e .[training]" in told
