"""People play whole matches before a referee with perfect eyes."""

import numpy as np
import pytest

from calibration.layout import load
from referee import match as matches
from referee.board import Seat
from referee.match import replay
from tests.vision.synthetic.knowing import KnowingReferee
from vision.synthetic.announced import Announced
from vision.synthetic.arm import BRISK
from vision.synthetic.mistakes import Clumsiness
from vision.synthetic.people import People
from vision.synthetic.table import SimulatedTable


def evening(
    preset: str,
    seats: tuple[int, ...],
    clumsiness: Clumsiness,
    *,
    game: str = "patolli",
    longest: int | None = None,
    lie_at_throw: int | None = None,
) -> tuple[People, KnowingReferee, SimulatedTable]:
    """A whole match; nobody looks at the frames, so none are taken."""
    started = matches.start(game, preset, tuple(Seat(s) for s in seats))
    table = SimulatedTable(load(game), seed=1, size=(160, 90), fps=6, tempo=BRISK)
    people = People(table, started, np.random.default_rng(7), clumsiness, longest=longest)
    referee = KnowingReferee(table, started, lie_at_throw=lie_at_throw)
    while not people.finished:
        assert table.seconds < 20_000, "the match does not come to its end"
        table.blink()
        entered = people.act(referee.look())
        if entered is not None:
            referee.hear(entered)
    return people, referee, table


@pytest.mark.parametrize(
    ("preset", "seats"),
    [
        pytest.param("quick", (1, 3), id="quick"),
        pytest.param("classic", (1, 2, 3, 4), id="classic, four: players go out", marks=pytest.mark.slow),
        pytest.param("modern", (1, 2, 3), id="modern: captures everywhere"),
        pytest.param("all-stakes", (1, 3), id="all stakes: pieces go again", marks=pytest.mark.slow),
    ],
)
def test_a_match_is_played_as_the_referee_books_it(preset: str, seats: tuple[int, ...]) -> None:
    people, referee, table = evening(preset, seats, Clumsiness())
    assert (people.wrong, people.questions, people.faults) == (None, [], [])
    assert people.truth == referee.match == replay(referee.log)
    assert people.truth.phase == "over"
    assert dict(referee.match.game.occupancy(referee.match.position)) == table.truth().occupancy


@pytest.mark.parametrize(
    ("game", "preset", "seats"),
    [
        pytest.param("ludo", "chessboard", (1, 3), id="ludo: men on each other, passes"),
        pytest.param("batok", "standard", (2, 3), id="batok: sticks are nobody's"),
        pytest.param("ur", "finkel", (1, 3), id="ur: four lots"),
    ],
)
def test_every_game_is_played_with_what_no_camera_sees_told(game: str, preset: str, seats: tuple[int, ...]) -> None:
    people, referee, table = evening(preset, seats, Clumsiness(illegal=0.1, cocked=0.05), game=game)
    assert (people.wrong, people.questions) == (None, [])
    assert [fault for fault in people.faults if not fault.answered] == []
    assert {fault.kind for fault in people.faults} == {"illegal", "cocked"}
    assert people.truth == referee.match
    assert people.truth.phase == "over"
    assert dict(referee.match.game.occupancy(referee.match.position)) == table.truth().occupancy
    assert bool(referee.told) == (game != "ur")


def test_people_go_home_between_two_turns_when_it_is_late() -> None:
    people, referee, _ = evening("quick", (1, 3), Clumsiness(), longest=20)
    assert (people.gone, people.finished, people.wrong) == (True, True, None)
    assert 20 <= len(referee.log) < 30
    assert people.truth == referee.match


def test_every_mishap_is_answered_and_none_is_booked() -> None:
    clumsy = Clumsiness(illegal=0.2, cocked=0.1, touching=0.1, hand=0.05, slow=0.02)
    people, referee, table = evening("quick", (1, 3), clumsy)
    assert (people.wrong, people.questions) == (None, [])
    assert people.truth == referee.match == replay(referee.log)
    assert dict(referee.match.game.occupancy(referee.match.position)) == table.truth().occupancy
    # Two beans side by side are no plight to perfect eyes, which read them.
    assert {fault.kind for fault in people.faults} == {"illegal", "cocked", "hand", "touching"}
    assert [fault for fault in people.faults if not fault.answered] == []
    assert {fault.what for fault in people.faults if fault.kind == "touching"} == {"read"}


def test_people_push_the_sheet_and_switch_the_lamp() -> None:
    people, _, table = evening("quick", (1, 3), Clumsiness(bump=0.02, shove=0.02, lamp=0.02))
    assert people.wrong is None
    # The perfect eyes note nothing of the kind, and people do not imagine that they did.
    assert {(fault.kind, fault.answered) for fault in people.faults} == {
        ("bump", False),
        ("shove", False),
        ("lamp", False),
    }
    assert np.hypot(table.truth().lie.dx_mm, table.truth().lie.dy_mm) > 1


def test_a_wrong_booking_is_not_papered_over() -> None:
    people, referee, _ = evening("quick", (1, 3), Clumsiness(), lie_at_throw=5)
    assert people.wrong is not None
    assert "was booked as" in people.wrong
    assert people.truth != referee.match


def test_what_is_announced_is_read_from_the_servers_snapshot() -> None:
    snapshot = {
        "version": 12,
        "phase": "move",
        "turn": "1",
        "throw": {"id": 11, "marked": 3, "steps": 3},
        "legal": [{"move": "7>10", "from": "7", "to": "10"}, {"move": "4>7", "from": "4", "to": "7"}],
        "pieces": {"4": ["1"], "7": ["1", "3"]},
        "message": {"key": "put_back", "args": {}},
        "objection": {"key": "illegal", "args": {}, "cells": ["12"], "ways": []},
        "seen": {"state": "rest", "plights": []},
    }
    assert Announced.read(snapshot) == Announced(
        12,
        "move",
        Seat(1),
        11,
        3,
        ("4>7", "7>10"),
        {"4": (Seat(1),), "7": (Seat(1), Seat(3))},
        "put_back",
        ("12",),
        "rest",
    )
