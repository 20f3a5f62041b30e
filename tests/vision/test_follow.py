"""A board without tags, shown once by its corners, is followed through hands, light, moves and knocks."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.corners import CornersRefused, Quad
from calibration.layout import Layout, load
from referee.board import Cell, Seat
from referee.observation import Observation, Refusal
from referee.rules import Needs
from tests.vision.test_reader import Counter, states
from vision.follow import Follower
from vision.locate import Located
from vision.reader import BUMP, Reader
from vision.synthetic.arm import BRISK
from vision.synthetic.table import SimulatedTable
from vision.tags import Grey

LAYOUT = load("patolli")
PRINTED = replace(LAYOUT, tags=())
CROSS = replace(PRINTED, chips=(), ornaments=())
"""Nothing but the cells: what a person would draw by hand."""
START: dict[Cell, tuple[Seat, ...]] = {"4": (Seat(1),), "17": (Seat(2),), "30": (Seat(3),), "43": (Seat(4),)}


def grey(table: SimulatedTable) -> Grey:
    return np.asarray(cv2.cvtColor(table.frame().image, cv2.COLOR_BGR2GRAY), np.uint8)


def field(table: SimulatedTable) -> Quad:
    one, two, three, four = table.picture.feet_px(LAYOUT.field.corners_mm, table.truth().lie)
    return one, two, three, four


class Play:
    """A simulated table whose corners were shown in its first picture."""

    def __init__(self, layout: Layout, seed: int) -> None:
        self.table = SimulatedTable(layout, seed=seed, tempo=BRISK)
        self.table.lay_out(START)
        self.follower = Follower(LAYOUT, field(self.table))
        self.first = self.follower.see(grey(self.table))

    def look(self) -> Located | Refusal:
        return self.follower.see(grey(self.table))

    def off_px(self, answer: Located | Refusal) -> float:
        """The worst corner of the field."""
        assert isinstance(answer, Located), answer
        off = answer.project(LAYOUT.field.corners_mm) - np.array(field(self.table))
        return float(np.linalg.norm(off, axis=1).max())

    def worst_px(self) -> float:
        """While everything that was ordered is carried out, and a little longer."""
        worst = 0.0
        while self.table.busy:
            worst = max(worst, self.off_px(self.look()))
        return max(worst, self.off_px(self.look()))

    def unseen(self) -> None:
        """Everything that was ordered happens between two pictures."""
        while self.table.busy:
            self.table.blink()


@pytest.fixture(
    scope="module", params=[pytest.param((PRINTED, 5), id="printed"), pytest.param((CROSS, 103), id="cross")]
)
def play(request: pytest.FixtureRequest) -> Play:
    return Play(*request.param)


def test_moves_hands_and_light_leave_it_where_it_is(play: Play) -> None:
    first = play.first
    assert isinstance(first, Located)
    play.table.move("4", "7", Seat(1))
    play.table.leave_hand(0.3)
    play.table.lamp(0.4)
    play.table.wait(0.3)
    play.table.lamp_on()
    while play.table.busy:
        seen = play.look()
        assert isinstance(seen, Located)
        assert seen.projection is first.projection, "what depends on the place alone may be kept"
        assert 0 < seen.residual_px < 0.5


@pytest.mark.parametrize("shove", [(3, -2, 0), (-4, 1, 0.7), (-9, 12, -3)])
def test_a_knock_is_followed_and_measured(play: Play, shove: tuple[float, float, float]) -> None:
    before = play.look()
    assert isinstance(before, Located)
    play.table.bump(*shove)
    play.unseen()
    after = play.look()
    assert play.off_px(after) < 1.2
    assert isinstance(after, Located)
    assert 0 < after.residual_px < 1
    sheet = np.array(play.table.truth().corners_px)
    shoved = np.hypot(*(before.on_board(before.corners_px) - before.on_board(sheet)).T).max()
    assert after.moved_mm(before) == pytest.approx(shoved, abs=1.5)


def test_it_is_followed_under_a_hand(play: Play) -> None:
    play.table.lay_hand(at_mm=(200.0, 230.0))
    assert play.worst_px() < 1.2
    play.table.bump(4, 2, 0.5)
    play.unseen()
    assert play.off_px(play.look()) < 1.5
    play.table.take_hand()
    assert play.worst_px() < 1.5


@pytest.mark.parametrize("shove", [(26, 0, 0), (-27, 1, 0.5), (0, -26, 0), (0, 25, -0.5)])
def test_a_row_of_cells_is_not_taken_for_the_next(play: Play, shove: tuple[float, float, float]) -> None:
    play.table.bump(*shove)
    play.unseen()
    assert play.off_px(play.look()) < 1.5


def test_a_board_taken_away_is_missed_and_found_again() -> None:
    play = Play(PRINTED, 5)
    picture = grey(play.table)
    bare = picture.copy()
    cv2.fillConvexPoly(bare, np.rint(np.array(play.table.truth().corners_px)).astype(np.int32), (90,))
    assert play.follower.see(bare) == "out of sight"
    assert play.follower.see(np.full_like(picture, 90)) == "out of sight"
    assert play.off_px(play.follower.see(picture)) < 0.3
    play.table.bump(0, 0, 180)
    play.unseen()
    turned = grey(play.table)
    assert play.follower.see(turned, search=False) == "out of sight"
    assert play.off_px(play.follower.see(turned)) < 1.2
    assert play.follower.see(turned[:, :1000].copy()) == "no corners", "another picture size is another camera"


def test_a_first_picture_that_shows_nothing_is_not_taken() -> None:
    table = SimulatedTable(PRINTED, seed=5)
    follower = Follower(LAYOUT, field(table))
    assert follower.see(np.full((720, 1280), 4, np.uint8)) == "out of sight"
    assert isinstance(follower.see(grey(table)), Located)


def test_corners_that_are_no_field_are_refused() -> None:
    one, two, three, four = field(SimulatedTable(PRINTED, seed=5))
    with pytest.raises(CornersRefused, match="bow-tie"):
        Follower(LAYOUT, (one, three, two, four)).see(np.zeros((720, 1280), np.uint8))


class Watched:
    """A board drawn by hand, and a reader that knows it only from a drawing with much more on it."""

    def __init__(self) -> None:
        self.table = SimulatedTable(CROSS, seed=103, size=(960, 540), tempo=BRISK)
        self.reader = Reader(
            LAYOUT,
            seats=[Seat(1), Seat(3)],
            needs=Needs(beans=5),
            throw_reader=Counter(),
            locator=Follower(LAYOUT, field(self.table)),
        )

    def until_quiet(self, seconds: float = 1.2) -> list[Observation]:
        seen, until = [], np.inf
        while self.table.busy or self.table.seconds < until:
            seen.append(self.reader.see(self.table.frame()))
            if not self.table.busy and until == np.inf:
                until = self.table.seconds + seconds
        return seen


def test_a_reader_sees_hands_and_knocks_on_a_board_drawn_by_hand() -> None:
    watched = Watched()
    assert states(watched.until_quiet()) == ["settling", "rest"], "that it differs from its drawing is no hand"
    watched.table.leave_hand(0.5)
    handled = states(watched.until_quiet())
    assert ("hand" in handled, handled[-1]) == (True, "rest")

    watched.table.bump(3, 1, 0)  # less than a fifth of a cell
    small = watched.until_quiet()
    assert not any("board moved" in seen.plights for seen in small)
    assert [seen.moved_mm for seen in small if seen.state == "rest" and seen.moved_mm > 1] == pytest.approx(
        [3.2], abs=0.6
    )

    watched.table.bump(8, -4, 1)
    large = watched.until_quiet()
    assert BUMP * 26 < 8
    assert all("board moved" in seen.plights for seen in large if seen.state == "settling")
    assert (large[-1].state, large[-1].plights, large[-1].refusal) == ("rest", (), None)
    overlay = watched.reader.overlay()
    assert overlay is not None
    assert np.abs(np.array(overlay.field) - np.array(field(watched.table))).max() < 1.2
