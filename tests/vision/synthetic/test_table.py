"""What the simulated table shows agrees with what it says, by OpenCV's own tag detector and by plain differences."""

import threading
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.layout import load
from referee.board import Cell, Seat
from vision.camera import Image
from vision.synthetic.arm import BRISK
from vision.synthetic.conditions import Conditions
from vision.synthetic.table import SimulatedTable
from vision.synthetic.view import aimed

LAYOUT = load("patolli")
SOUTH, EAST = Seat(1), Seat(4)
# A dull day under a good camera: what is left is geometry.
CALM = replace(
    Conditions.drawn(np.random.default_rng(3)),
    tilt_deg=8.0,
    lamp_mm=(-150.0, -200.0, 1400.0),
    shade_softness_mm=None,
    sheen=0.0,
    vignette=0.0,
    gain=1.0,
    noise=0.1,
    flicker=0.0,
    hunting=0.0,
    adapts=0.0,
    blur_px=0.4,
    table_top="laminate",
    pieces="draught",
    beans="black",
)


def a_table(seed: int = 1, conditions: Conditions | None = CALM) -> SimulatedTable:
    return SimulatedTable(LAYOUT, seed=seed, conditions=conditions, tempo=BRISK)


def run(table: SimulatedTable) -> list[Image]:
    """All frames until the orders are carried out."""
    frames = [table.frame().image]
    while table.busy:
        frames.append(table.frame().image)
    return frames


def changed(before: Image, after: Image, limit: int = 12) -> NDArray[np.uint8]:
    """Where two frames differ, 0 or 1."""
    return np.asarray(cv2.absdiff(before, after).max(axis=2) > limit, np.uint8)


def tags_seen(image: Image) -> dict[int, NDArray[np.float64]]:
    """Corners (4, 2) of each tag that OpenCV finds."""
    small = cv2.aruco.Dictionary(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50).bytesList[:24], 4)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(small, parameters).detectMarkers(image)
    found = [] if ids is None else np.ravel(ids)
    return {int(i): np.asarray(c, np.float64).reshape(4, 2) for i, c in zip(found, corners, strict=True)}


def tags_expected(table: SimulatedTable) -> dict[int, NDArray[np.float64]]:
    """The same corners by the simulator's own geometry, from the sheet's corners only.

    The lens bends lines, so this goes through its camera.
    """
    feet, lie = table.picture.feet_px, table.truth().lie
    return {tag.id: np.array(feet(tag.corners_mm, lie)) for tag in LAYOUT.tags}


@pytest.mark.parametrize("seed", [11, 12, 16, 18])
def test_an_independent_detector_finds_the_tags_where_the_table_says(seed: int) -> None:
    table = a_table(seed, conditions=None)
    seen, expected = tags_seen(table.frame().image), tags_expected(table)
    assert set(seen) == set(expected)
    off_px = np.array([seen[i] - expected[i] for i in expected])
    assert np.abs(off_px.mean(axis=1)).max() < 0.7  # middles of tags
    assert np.sqrt((off_px**2).sum(axis=2).mean()) < 1.0  # corners


def test_the_sheets_corners_are_where_its_edge_is_seen() -> None:
    table = a_table()
    image = cv2.cvtColor(table.frame().image, cv2.COLOR_BGR2HSV)[..., 1].astype(np.float64)
    corners = np.array(table.truth().corners_px)
    middle = corners.mean(axis=0)
    for corner in corners:
        way = (middle - corner) / np.linalg.norm(middle - corner)
        inside, outside = (image[tuple(np.rint((corner + way * step)[::-1]).astype(int))] for step in (4, -4))
        assert inside - outside > 25  # grey laminate, yellow paper


def test_a_bump_moves_the_sheet_and_all_that_stands_on_it() -> None:
    table = a_table()
    table.lay_out({"8": (SOUTH,)})
    before, foot_before = tags_seen(table.frame().image), table.truth().pieces_px["8"][0]
    table.bump(6.0, -4.0, 2.0)
    after = tags_seen(run(table)[-1])
    truth = table.truth()
    assert (truth.lie.dx_mm, truth.lie.dy_mm, truth.lie.turn_deg) == (6.0, -4.0, 2.0)
    expected = tags_expected(table)
    assert max(np.abs(after[i].mean(axis=0) - expected[i].mean(axis=0)).max() for i in expected) < 0.7
    assert np.mean([np.abs(after[i] - before[i]).max() for i in expected]) > 3
    assert np.hypot(*np.subtract(truth.pieces_px["8"][0], foot_before)) > 3


@pytest.mark.parametrize("marks", [0, 2, 5])
def test_five_beans_lie_in_the_throwing_place_and_the_marks_that_are_up_can_be_seen(marks: int) -> None:
    table = a_table(seed=4)
    empty = table.frame().image
    table.throw(marks)
    image = run(table)[-1]
    truth = table.truth()
    contours, _ = cv2.findContours(changed(empty, image, 25), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    beans = [np.asarray(c, np.float32).reshape(-1, 2) for c in contours if cv2.contourArea(c) > 60]
    assert len(beans) == 5
    assert truth.marks == marks
    place = LAYOUT.place
    assert place is not None
    for bean in truth.lying:
        assert place.x_mm < bean.at_mm[0] < place.x_mm + place.width_mm
        assert place.y_mm < bean.at_mm[1] < place.y_mm + place.height_mm
        outline = min(beans, key=lambda points: float(np.hypot(*(points.mean(axis=0) - bean.centre_px))))
        inside = np.zeros(image.shape[:2], np.uint8)
        cv2.fillConvexPoly(inside, np.asarray(cv2.convexHull(outline), np.int32).reshape(-1, 2), 1)
        core = cv2.erode(inside, np.ones((5, 5))) > 0
        # Black beans, bright paint: it is there or it is not. A reflection is smaller.
        bright = int(((image.mean(axis=2) > 95) & core).sum())
        assert (bright > 28) == (bean.face == "marked"), bright


def test_a_cocked_bean_makes_no_throw() -> None:
    table = a_table()
    table.throw(3, cocked=True)
    run(table)
    assert table.truth().marks is None
    assert sorted(str(bean.face) for bean in table.truth().lying) == ["edge", "marked", "marked", "marked", "plain"]


def test_touching_beans_touch_and_others_do_not() -> None:
    def nearest_mm(touching: bool) -> float:
        table = a_table(seed=6)
        table.throw(2, touching=touching)
        run(table)
        spots = [np.array(bean.at_mm) for bean in table.truth().lying]
        return min(float(np.linalg.norm(a - b)) for i, a in enumerate(spots) for b in spots[:i])

    assert nearest_mm(touching=True) < 14 < 20 < nearest_mm(touching=False)


def test_a_second_throw_empties_the_place_and_clears_it_of_hands() -> None:
    table = a_table()
    table.throw(3)
    run(table)
    table.throw(1)
    empty = 0
    while table.busy:
        table.blink()
        truth = table.truth()
        empty += not truth.lying and not truth.hand
    assert empty / table.fps >= 0.4
    assert table.truth().marks == 1


def test_a_hand_comes_from_its_side_moves_one_piece_and_leaves() -> None:
    table = a_table()
    table.lay_out({"3": (SOUTH,), "30": (Seat(3),)})
    before = table.frame().image
    table.move("3", "8", SOUTH)
    frames, hands, boards = [], [], []
    while table.busy:
        frames.append(table.frame().image)
        hands.append(table.truth().hand)
        boards.append(frozenset(table.truth().occupancy))
    borders = {side: np.zeros(1) for side in ("north", "south", "west", "east")}
    for image in frames:
        mask = changed(before, image, 20)
        for side, line in (("north", mask[0]), ("south", mask[-1]), ("west", mask[:, 0]), ("east", mask[:, -1])):
            borders[side] = borders[side] + line.sum()
    assert {side for side, hits in borders.items() if hits.sum() > 20} == {"south"}
    assert any(hands)
    assert not hands[-1]
    assert list(dict.fromkeys(boards)) == [{"3", "30"}, {"30"}, {"30", "8"}]
    # When the hand is gone, two places are different: where the piece was and where it is.
    count, _, _, centres = cv2.connectedComponentsWithStats(cv2.erode(changed(before, frames[-1], 25), np.ones((3, 3))))
    assert count - 1 == 2
    foot = table.truth().pieces_px["8"][0]
    assert min(np.hypot(*(centre - foot)) for centre in centres[1:]) < 8


def test_a_hand_can_be_left_lying() -> None:
    table = a_table()
    table.lay_hand(EAST)
    run(table)
    still = [table.frame().image for _ in range(3)]
    assert table.truth().hand
    assert changed(still[0], still[2], 8).sum() == 0
    table.take_hand(EAST)
    run(table)
    assert not table.truth().hand


def test_pieces_stand_near_the_middle_of_their_cells_and_lean_away_from_the_eye() -> None:
    table = a_table(conditions=replace(CALM, tilt_deg=30.0, azimuth_deg=90.0, roll_deg=0.0))
    empty = table.frame().image
    cells: dict[Cell, tuple[Seat, ...]] = {str(n): (Seat(n % 4 + 1),) for n in range(1, 53, 5)}
    table.lay_out(cells)
    image, truth = table.frame().image, table.truth()
    assert truth.occupancy == cells
    rises = []
    for cell, (foot,) in truth.pieces_px.items():
        x, y = np.rint(foot).astype(int)
        window = changed(empty, image, 30)[y - 25 : y + 26, x - 25 : x + 26]
        rises.append(25 - np.nonzero(window)[0].mean())
        off_mm = np.subtract(table.spots_mm()[cell][0], LAYOUT.cell(cell).centre_mm)
        assert np.hypot(*off_mm) <= 0.2 * 26 + 1e-6
    # The eye leans to the south, so the tops are seen farther north than the feet; shadows fall south east.
    assert np.mean(rises) > 0.5


def test_a_lamp_changes_the_whole_picture_at_once_and_a_drift_does_not() -> None:
    table = a_table(conditions=replace(CALM, lamp_share=0.8))
    before = table.frame().image.mean(axis=2)
    table.lamp(0.4)
    low = run(table)[-1].mean(axis=2)
    assert (low < 0.9 * before).mean() > 0.6
    table.lamp_on()
    assert np.abs(run(table)[-1].mean(axis=2) - before).mean() < 1
    table.drift(0.7, seconds=2.0)
    means = [float(table.frame().image.mean()) for _ in range(31)]
    assert np.abs(np.diff(means)).max() < 0.02 * means[0]
    assert means[-1] < 0.9 * means[0]


def test_automatic_exposure_makes_up_for_the_lamp_in_time() -> None:
    table = a_table(conditions=replace(CALM, lamp_share=0.8, adapts=0.8))
    before = float(table.frame().image.mean())
    table.lamp(0.4)
    means = [float(frame.mean()) for frame in run(table)] + [float(table.frame().image.mean()) for _ in range(30)]
    assert min(means) < 0.8 * before
    assert 0.85 * before < means[-1] < before


def test_time_advances_by_frames() -> None:
    table = a_table()
    frames = [table.frame() for _ in range(3)]
    assert [(f.number, round(f.taken_at * 15, 6)) for f in frames] == [(0, 0.0), (1, 1.0), (2, 2.0)]
    assert frames[0].image.shape == (720, 1280, 3)


def test_the_same_seed_gives_the_same_pixels() -> None:
    def played(seed: int) -> list[Image]:
        table = SimulatedTable(LAYOUT, seed=seed, size=(320, 180), tempo=BRISK)
        table.throw(3)
        table.move("reserve", "1", SOUTH)
        return run(table)

    one, same, other = played(5), played(5), played(6)
    assert len(one) == len(same)
    assert all(np.array_equal(a, b) for a, b in zip(one, same, strict=True))
    assert not np.array_equal(one[0], other[0])


def test_orders_may_come_from_another_thread() -> None:
    table = SimulatedTable(LAYOUT, seed=1, size=(160, 90), tempo=BRISK)

    def give() -> None:
        for n in range(1, 6):
            table.move("reserve", str(n), SOUTH)

    giver = threading.Thread(target=give)
    giver.start()
    while giver.is_alive() or table.busy:
        table.frame()
    giver.join()
    assert table.truth().occupancy == {str(n): (SOUTH,) for n in range(1, 6)}


def test_a_captured_piece_may_be_taken_off_afterwards() -> None:
    table = a_table()
    table.lay_out({"9": (SOUTH,), "13": (EAST,)})
    table.move("9", "13", SOUTH)
    run(table)
    assert table.truth().occupancy == {"13": (SOUTH, EAST)}
    table.remove("13", SOUTH, EAST)
    run(table)
    assert table.truth().occupancy == {"13": (SOUTH,)}
    assert np.hypot(*np.subtract(table.spots_mm()["13"][0], LAYOUT.cell("13").centre_mm)) <= 0.2 * 26


def test_orders_about_what_is_not_there_are_refused() -> None:
    table = a_table()
    with pytest.raises(ValueError, match="6 of 5 flat beans"):
        table.throw(6)
    with pytest.raises(ValueError, match="5 of 4 flat beans"):
        table.throw(5, cocked=True)
    table.move("3", "4", SOUTH)
    with pytest.raises(LookupError, match="no piece stands on 3"):
        table.frame()


@pytest.mark.parametrize("seed", range(40))
def test_the_whole_sheet_is_in_every_picture_and_fills_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    conditions = Conditions.drawn(rng)
    view = aimed(conditions, LAYOUT.size_mm, (1280, 720), rng.uniform(-1, 1, 2))
    w, h = np.array(LAYOUT.size_mm) / 2
    along = np.linspace(-1, 1, 21)
    rim = np.concatenate([np.stack([along * w, 0 * along + s * h], 1) for s in (-1, 1)])
    rim = np.concatenate([rim, *(np.stack([0 * along + s * w, along * h], 1) for s in (-1, 1))])
    at = view.project(np.concatenate([rim, np.zeros((len(rim), 1))], axis=1))
    assert at.min() > 4
    assert np.all(at.max(axis=0) < (1276, 716))
    assert 0.75 <= max(np.ptp(at, axis=0) / (1280, 720)) <= 0.96
    assert 35 < np.degrees(2 * np.arctan(640 / view.focal_px)) < 90
    # Through the lens and back.
    assert view.on_plane(at) == pytest.approx(rim, abs=1e-3)
