"""An evening at a simulated table is refereed from pixels; what is booked is compared with what happened."""

from pathlib import Path

import numpy as np
import pytest

from referee import match as matches
from referee.board import Seat
from referee.events import Started
from server.evening import Evening, play
from tests.server.short import DoubtingEyes, LyingEyes
from tests.vision.synthetic.knowing import KnowingEyes
from vision.synthetic.arm import BRISK
from vision.synthetic.conditions import Conditions
from vision.synthetic.mistakes import Clumsiness

SEATS = (Seat(1), Seat(3))


def started(game: str, preset: str) -> Started:
    return matches.start(game, preset, SEATS)


def test_ludo_is_refereed_from_pixels_for_some_turns(tmp_path: Path) -> None:
    evening = Evening(started("ludo", "chessboard"), 4, clumsiness=Clumsiness(illegal=0.2), tempo=BRISK, longest=16)
    heard: list[int] = []
    played = play(evening, tmp_path, eyes=KnowingEyes, each=heard.append)
    assert (played.wrong, played.questions) == (None, ())
    assert (played.finished, played.stopped, played.same_end, played.balanced) == (True, True, True, True)
    assert [fault for fault in played.faults if not fault.answered] == []
    assert played.bookings >= 16
    assert heard[-1] == played.bookings
    assert heard == sorted(set(heard))


@pytest.mark.parametrize(("game", "preset"), [("patolli", "modern"), ("ludo", "chessboard"), ("ur", "finkel")])
def test_a_misread_throw_is_a_wrong_booking(game: str, preset: str, tmp_path: Path) -> None:
    played = play(Evening(started(game, preset), 8, tempo=BRISK), tmp_path, eyes=LyingEyes)
    assert played.wrong is not None
    assert "was booked as" in played.wrong
    assert (played.finished, played.throws) == (False, 1)


@pytest.mark.parametrize(("game", "preset"), [("patolli", "modern"), ("ludo", "chessboard")])
def test_a_throw_that_is_not_made_out_is_entered_as_it_lies(game: str, preset: str, tmp_path: Path) -> None:
    played = play(Evening(started(game, preset), 8, tempo=BRISK, longest=8), tmp_path, eyes=DoubtingEyes)
    assert (played.wrong, played.finished, played.same_end) == (None, True, True)
    assert len([question for question in played.questions if "threw" in question]) == played.throws > 1


def test_the_same_evening_goes_the_same_way(tmp_path: Path) -> None:
    conditions = Conditions.drawn(np.random.default_rng(2))
    evening = Evening(started("ur", "finkel"), 2, conditions=conditions, tempo=BRISK, longest=4)
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
    one, two = (play(evening, folder, eyes=KnowingEyes) for folder in folders)
    assert one == two
