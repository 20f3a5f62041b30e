"""Whole matches from pixels to their end: the journal must end where the simulator knows it ended.

Each is a table of its own: camera, lens, noise, beans and people are drawn from the seed. The lamp gives most of the
light and the camera hardly evens it out, so that whoever switches it must be answered.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.layout import load
from referee.board import Seat
from server.evening import Evening, play
from server.invitation import invite
from vision.synthetic.conditions import Conditions
from vision.synthetic.people import Clumsiness

CLUMSY = Clumsiness(illegal=0.06, cocked=0.08, touching=0.05, bump=0.05, shove=0.04, lamp=0.05, hand=0.05, slow=0.1)
"""Each fault so often that a match without one of them is rare, whatever way it goes."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "seats", "stakes", "clumsiness", "seed"),
    [pytest.param("quick", (1, 3), 4, CLUMSY, 103, id="quick, two clumsy people")],
)
def test_a_match_is_refereed_from_pixels_to_its_end(
    preset: str, seats: tuple[int, ...], stakes: int, clumsiness: Clumsiness, seed: int, tmp_path: Path
) -> None:
    seated = tuple(Seat(seat) for seat in seats)
    started = invite(load("patolli"), game="patolli", preset=preset, seats=seated, names={}, stakes=stakes)
    lit = replace(Conditions.drawn(np.random.default_rng(seed)), lamp_share=0.8, adapts=0.1)
    evening = play(Evening(started, seed, conditions=lit, clumsiness=clumsiness), tmp_path)
    assert evening.wrong is None
    assert (evening.finished, evening.same_end, evening.balanced) == (True, True, True)
    assert {fault.kind for fault in evening.faults} == {
        "illegal",
        "cocked",
        "touching",
        "bump",
        "shove",
        "lamp",
        "hand",
    }
    assert [fault for fault in evening.faults if not fault.answered] == []
