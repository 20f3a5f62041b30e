"""Ludo's stacks and Batok's sticks at the table: what a camera from above cannot see must not hold up a game."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from calibration.layout import load
from device.strip import Strip
from referee import match as matches
from referee.board import Cell, Seat
from referee.events import Objected
from referee.observation import BoardSeen, DieSeen, Observation, ThrowSeen
from server.journal import Journal
from server.lamps import Lamps
from server.snapshot import snapshot
from server.table import Table
from server.wish import BadCommand
from tests.server.filmed import now

ONE, TWO, THREE = Seat(1), Seat(2), Seat(3)
EMPTY_PLACE = ThrowSeen("none", certain=True)


class Game:
    """A match at a board of which only the uppermost piece of each cell is seen."""

    def __init__(self, folder: Path, game: str, seats: tuple[Seat, ...]) -> None:
        self.layout = load(game)
        self.journal = Journal(folder)
        self.table = Table(self.journal, self.layout, now=now)
        self.table.start(matches.start(game, "chessboard" if game == "ludo" else "standard", seats))
        self.seats = seats
        self.at = 0.0

    def command(self, **command: Any) -> None:
        self.table.command(self.table.version, command)

    def rest(self, tops: Mapping[Cell, Seat], throw: ThrowSeen = EMPTY_PLACE, frames: int = 60) -> None:
        """The board lies still for some seconds."""
        cells: dict[Cell, dict[Seat | None, float]] = {
            cell.name: {state: 0.0 if state == tops.get(cell.name) else -14.0 for state in (None, *self.seats)}
            for cell in self.layout.cells
        }
        for _ in range(frames):
            self.at += 1 / 15
            self.table.see(Observation(self.at, "rest", throw, BoardSeen(cells), throw.kind == "none"))

    @property
    def state(self) -> dict[str, Any]:
        assert self.table.match is not None
        return self.table.match.game.dump(self.table.match.position)

    @property
    def objected(self) -> list[object]:
        return [entry.event for entry in self.table.entries if isinstance(entry.event, Objected)]


@pytest.fixture
def ludo(tmp_path: Path) -> Any:
    """Two men of seat 1 to come in; one stands on b1."""
    game = Game(tmp_path, "ludo", (ONE, THREE))
    with closing(game.journal):
        for die in (6, 1, 6):
            game.command(type="throw", dice=[die])
        game.rest({"b1": ONE})
        assert game.state["players"]["1"] == {"reserve": 3, "track": ["b1"]}
        yield game


THROWS = [{}, {"marks": 3}, {"dice": 4}, {"dice": []}, {"dice": ["4"]}, {"dice": [0]}, {"dice": [7]}, {"dice": [True]}]


@pytest.mark.parametrize("throw", [*THROWS, {"dice": [3, 4]}, {"dice": [3], "marks": 3}])
@pytest.mark.parametrize("kind", ["throw", "recast"])
def test_ludo_takes_no_throw_by_hand_but_one_die(ludo: Game, kind: str, throw: dict[str, Any]) -> None:
    refuses(ludo, kind, throw)
    assert ludo.state["players"]["1"] == {"reserve": 3, "track": ["b1"]}


@pytest.mark.parametrize("throw", [*THROWS, {"dice": [4]}, {"dice": [3, 7]}, {"dice": [3, 4, 5]}])
@pytest.mark.parametrize("kind", ["throw", "recast"])
def test_batok_takes_no_throw_by_hand_but_two_dice(batok: Game, kind: str, throw: dict[str, Any]) -> None:
    refuses(batok, kind, throw)
    assert batok.state["players"]["1"] == {"sticks": 18}


def refuses(game: Game, kind: str, throw: dict[str, Any]) -> None:
    """The throw is told to be wrong and nothing of it is booked."""
    version = game.table.version
    latest = {"throw": game.table.last_throw.id if game.table.last_throw else 0} if kind == "recast" else {}
    with pytest.raises(BadCommand, match=r"^throw"):
        game.command(type=kind, **latest, **throw)
    assert game.table.version == version


def test_a_man_to_come_in_is_asked_for(ludo: Game) -> None:
    ludo.command(type="correct", pieces={"b1": ["1"]})
    ludo.rest({"b1": ONE})
    ludo.command(type="correct", pieces={})
    ludo.rest({})
    ludo.command(type="throw", dice=[6])
    state = snapshot(ludo.table)
    assert state["message"] == {"key": "enter", "args": {"seat": "1", "target": "b1"}}
    assert state["legal"] == [{"move": "reserve>b1", "from": "reserve", "to": "b1", "cells": ["b1"]}]
    assert state["throw"]["dice_values"] == [6]


def test_a_man_put_onto_his_own_is_told_by_hand_and_the_game_goes_on(ludo: Game) -> None:
    ludo.command(type="throw", dice=[6])
    ludo.rest({"b1": ONE})
    assert (ludo.table.match and ludo.table.match.phase, ludo.objected) == ("move", [])
    ludo.command(type="move", move="reserve>b1")
    assert (ludo.table.tidy, ludo.state["players"]["1"]["track"]) == (True, ["b1", "b1"])
    die = ThrowSeen("dice", dice=(DieSeen((5, 5, 16, 16), 3, True, 0.99, (0.3, 0.3)),), certain=True)
    ludo.rest({"b1": ONE})
    ludo.rest({"b1": ONE}, die)
    assert ludo.table.match is not None
    assert ludo.table.match.legal == ("b1>e1",), "the camera's throw counts: the board is as it should be"
    ludo.rest({"b1": ONE, "e1": ONE}, die)
    assert ludo.state["players"]["1"]["track"] == ["b1", "e1"]


def test_a_man_who_joins_another_is_seen_to_have_left(ludo: Game) -> None:
    ludo.command(type="correct", pieces={"b1": ["1"], "e1": ["1"]})
    ludo.rest({"b1": ONE, "e1": ONE})
    ludo.command(type="throw", dice=[3])
    ludo.rest({"e1": ONE})
    assert ludo.state["players"]["1"]["track"] == ["e1", "e1"]


def test_accepting_what_is_seen_keeps_stacks_as_high_as_they_were(ludo: Game) -> None:
    ludo.command(type="correct", pieces={"b1": ["1", "1"], "f1": ["1"]})
    ludo.rest({"b1": ONE, "f1": ONE})
    ludo.rest({"b1": ONE, "g1": ONE})
    assert len(ludo.objected) == 1
    ludo.command(type="accept")
    assert ludo.state["players"]["1"] == {"reserve": 1, "track": ["b1", "b1", "g1"]}


@pytest.fixture
def batok(tmp_path: Path) -> Any:
    game = Game(tmp_path, "batok", (ONE, TWO, THREE))
    with closing(game.journal):
        for dice in ([6, 6], [1, 1], [1, 2], [6, 6]):
            game.command(type="throw", dice=dice)
        game.command(type="move", move="6,hole")
        game.rest({"6": ONE})
        yield game


def test_people_see_where_sticks_may_go(batok: Game) -> None:
    assert snapshot(batok.table)["message"] == {"key": "throw_or_pass", "args": {"seat": "1"}}
    assert snapshot(batok.table)["legal"] == [{"move": "pass", "from": "", "to": "", "cells": []}]
    batok.command(type="throw", dice=[6, 4])
    state = snapshot(batok.table)
    assert state["message"] == {"key": "move", "args": {"seat": "1", "steps": 10}}
    assert (state["needs"], state["dropped"], state["pieces"]) == ({"beans": 0, "dice": 2}, 1, {"6": ["1"]})
    assert [(player["reserve"], player["home"]) for player in state["seats"]] == [(18, None), (20, None), (20, None)]
    assert state["legal"] == [
        {"move": "10", "from": "reserve", "to": "", "cells": ["10"]},
        {"move": "4,hole", "from": "reserve", "to": "", "cells": ["4", "hole"]},
    ]
    shining = Lamps(batok.layout, Strip(None)).picture(state)
    assert {cell.name for cell in batok.layout.cells if shining[cell.led or 0] != "#000000"} == {"10", "4", "hole"}


def test_sticks_seen_in_the_hole_are_no_matter(batok: Game) -> None:
    batok.rest({"6": ONE, "hole": ONE})
    assert (batok.objected, batok.state["dropped"]) == ([], 1)
    batok.command(type="accept")
    assert batok.state["dropped"] == 1


def test_sticks_on_posts_stay_nobodys_when_a_player_leaves(batok: Game) -> None:
    batok.command(type="resign", seat="1")
    batok.rest({"6": ONE})
    assert (batok.table.tidy, batok.objected) == (True, [])
