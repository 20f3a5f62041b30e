"""A cross drawn by hand is found between its board's corners, and what is no cross is refused."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.cross import NODES, Cross, place, usual_size
from calibration.cross_fit import Fit, NoCross, fit_cross
from calibration.layout import load
from calibration.lines import find_lines, rectified
from calibration.sheets import top_view
from tests.calibration.drawn import CHALK, INK, MARKER, PAINT, Drawn, Image, Style, draw

EVEN = Cross({(x, y): (0.5 + x / 14, 0.5 + y / 14) for x, y in NODES}, round_tips=True)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    cv2.setNumThreads(1)


def found(drawn: Drawn) -> Fit:
    """What is made of the photo of a drawing."""
    return fit_cross(find_lines(rectified(drawn.image, drawn.corners_px)))


def off(drawn: Drawn, fit: Fit) -> dict[str, float]:
    """For each cell by how much its centre is off the truth, in cells."""
    size = (400.0, 400.0 * drawn.ratio)
    truth = place(drawn.truth, size)
    cell_mm = float(np.mean([np.ptp(np.asarray(cell.outline_mm), axis=0).mean() for cell in truth.cells]))
    pairs = zip(place(fit.cross, size).cells, truth.cells, strict=True)
    return {ours.name: float(np.hypot(*np.subtract(ours.centre_mm, true.centre_mm))) / cell_mm for ours, true in pairs}


def test_the_standard_cross_is_the_printed_one() -> None:
    printed = load("patolli")
    ours = place(EVEN, (364.0, 364.0))
    for cell in ours.cells:
        drawn = printed.cell(cell.name)
        assert (cell.kind, cell.seat, cell.row, cell.led) == (drawn.kind, drawn.seat, drawn.row, drawn.led)
        assert cell.centre_mm == pytest.approx((drawn.centre_mm[0] - 28, drawn.centre_mm[1] - 18), abs=0.011)
        moved = np.asarray(drawn.outline_mm) - (28, 18)
        assert np.asarray(cell.outline_mm) == pytest.approx(moved, abs=0.011)
    assert usual_size(EVEN) == (364.0, 364.0)


def test_square_tips_are_whole_squares() -> None:
    tip = place(replace(EVEN, round_tips=False), (364.0, 364.0)).cell("6")
    assert tip.centre_mm == (195.0, 351.0)
    assert sorted(tip.outline_mm) == [(182.0, 338.0), (182.0, 364.0), (208.0, 338.0), (208.0, 364.0)]


@pytest.mark.parametrize(
    ("seed", "style", "ratio", "round_tips"),
    [
        pytest.param(200, INK, 1.0, True, id="ink, round"),
        pytest.param(201, INK, 0.7, False, id="ink, square, a broad board"),
        pytest.param(202, CHALK, 1.0, False, id="chalk on slate"),
        pytest.param(203, MARKER, 1.3, True, id="a broad marker, a tall board"),
        pytest.param(204, PAINT, 1.0, False, id="painted cells without lines"),
        pytest.param(205, Style(stroke_px=2, ink=(120, 125, 135)), 1.0, False, id="pencil"),
    ],
)
def test_cells_are_where_they_were_drawn(seed: int, style: Style, ratio: float, round_tips: bool) -> None:
    drawn = draw(seed, style, ratio=ratio, round_tips=round_tips)
    fit = found(drawn)
    away = list(off(drawn, fit).values())
    assert fit.cross.round_tips == round_tips
    assert float(np.median(away)) < 0.04
    assert max(away) < 0.15
    assert [arm for arm, seen in fit.arms.items() if seen.faint] == []


def test_an_arm_that_cannot_be_seen_is_spaced_evenly_and_named() -> None:
    drawn = draw(210, bare="east")
    fit = found(drawn)
    assert [arm for arm, seen in fit.arms.items() if seen.faint] == ["east"]
    away = off(drawn, fit)
    assert max(away[name] for name in away if not 40 <= int(name) <= 51) < 0.15
    rows = np.array([fit.cross.points[x, 0] for x in range(1, 8)])
    steps = np.diff(rows, axis=0)
    assert steps == pytest.approx(np.broadcast_to(steps[0], steps.shape))


def test_the_printed_board_is_found_beside_its_throwing_place() -> None:
    picture = top_view(load("patolli"), 2.0)
    corners = np.array([(0, 0), (574, 0), (574, 400), (0, 400)]) * 2 - 0.5
    ours = place(fit_cross(find_lines(rectified(picture, corners))).cross, (574.0, 400.0))
    away = [
        np.hypot(*np.subtract(cell.centre_mm, load("patolli").cell(cell.name).centre_mm)) / 26 for cell in ours.cells
    ]
    assert max(away) < 0.1


def chequers(squares: int) -> Image:
    """A chessboard with lines, as an example of a grid."""
    x, y = np.meshgrid(np.arange(600), np.arange(600))
    return np.repeat(((x * squares // 600 + y * squares // 600) % 2 * 180 + 40).astype(np.uint8)[..., None], 3, axis=2)


def grain(seed: int) -> Image:
    """Something like wood."""
    noise = np.random.default_rng(seed).normal(0, 1, (600, 600))
    drawn = cv2.GaussianBlur(noise, (0, 0), sigmaX=1.5, sigmaY=40) * 250 + 120
    return np.repeat(np.clip(drawn, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        pytest.param(np.full((600, 600, 3), 200, np.uint8), "nothing", id="blank paper"),
        pytest.param(grain(1), "nothing", id="wood"),
        pytest.param(chequers(8), "nothing", id="a chessboard"),
        pytest.param(chequers(14), "grid", id="a grid of fourteen"),
        pytest.param(top_view(load("ludo"), 1.2)[:480, :480], "nothing", id="the Ludo board"),
        pytest.param(top_view(load("batok"), 1.2)[:480, :480], "nothing", id="the Batok board"),
    ],
)
def test_what_is_no_cross_is_refused(picture: Image, why: str) -> None:
    height, width = picture.shape[:2]
    corners = ((0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1))
    with pytest.raises(NoCross) as refused:
        fit_cross(find_lines(rectified(picture, corners)))
    assert refused.value.key == why
