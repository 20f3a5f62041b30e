"""A chessboard without tags is found under its men, and nothing else is taken for one."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import ArrayLike

from tests.vision.chess_scene import ChessScene
from vision.chessboard import find_chessboard

PHOTOGRAPHS = Path(__file__).parents[3] / "shared" / "data" / "chessboard"
WOOD = ChessScene()
GREEN = ChessScene(light=(200, 215, 220), dark=(90, 130, 60), frame=(220, 220, 220), frame_width=0.3, grain=2.0)


def off_squares(found: ArrayLike, corners: ArrayLike) -> float:
    """How far the worst corner lies off, in squares, whichever corner comes first."""
    seen, true = np.asarray(found, np.float64), np.asarray(corners, np.float64)
    square_px = np.sqrt(cv2.contourArea(true.astype(np.float32))) / 8
    return min(float(np.linalg.norm(np.roll(seen, k, axis=0) - true, axis=1).max()) for k in range(4)) / float(
        square_px
    )


@pytest.mark.parametrize(
    "scene",
    [
        pytest.param(WOOD, id="wood"),
        pytest.param(GREEN, id="green"),
        pytest.param(replace(WOOD, tilt_deg=0.0, turn_deg=45.0, distance=18.0), id="from above, turned"),
        pytest.param(replace(GREEN, tilt_deg=50.0, turn_deg=200.0, distance=17.0), id="from far aside"),
        pytest.param(
            replace(WOOD, frame=WOOD.dark, frame_width=1.0, distance=18.0), id="frame as wide and dark as squares"
        ),
        pytest.param(
            replace(WOOD, frame=WOOD.light, frame_width=1.0, distance=18.0), id="frame as wide and light as squares"
        ),
        pytest.param(replace(GREEN, frame_width=0.0), id="no frame"),
        pytest.param(replace(WOOD, height=0.9, men=0.25), id="tall men"),
        pytest.param(replace(WOOD, k1=-0.08, shift=(1.0, 0.5), distance=20.0), id="bent by the lens"),
        pytest.param(replace(GREEN, noise=8.0, shade=0.6, blur_px=1.5), id="noise, shade and blur"),
        pytest.param(replace(GREEN, light=(75, 75, 190), dark=(60, 120, 40), grain=1.0), id="red and green"),
        pytest.param(replace(WOOD, size=(640, 480), focal_px=575.0), id="small picture"),
        pytest.param(replace(WOOD, size=(2592, 1944), focal_px=2300.0, blur_px=1.5), id="large picture"),
    ],
)
def test_a_board_with_men_on_it_is_found(scene: ChessScene) -> None:
    board = find_chessboard(scene.picture())
    assert board is not None
    assert off_squares(board.corners_px, scene.corners_px) < 0.1
    assert board.residual_px < 0.003 * scene.size[0]
    assert board.inner_corners >= 12


def test_corners_go_with_the_clock_from_the_top_left_of_the_picture() -> None:
    scene = replace(WOOD, turn_deg=-160.0)
    board = find_chessboard(scene.picture())
    assert board is not None
    assert board.corners_px == pytest.approx(np.roll(scene.corners_px, 2, axis=0), abs=4)
    assert cv2.contourArea(board.corners_px.astype(np.float32), oriented=True) > 0


@pytest.mark.parametrize("squares", [6, 10, 12])
def test_a_board_of_another_size_is_none(squares: int) -> None:
    scene = replace(GREEN, squares=squares, distance=2.2 * squares, men=0.2)
    assert find_chessboard(scene.picture()) is None


def test_a_board_that_is_cut_off_is_none() -> None:
    assert find_chessboard(replace(GREEN, shift=(-6.0, 0.0)).picture()) is None


@pytest.mark.parametrize("seed", range(4))
def test_a_table_without_a_board_is_none(seed: int) -> None:
    rng = np.random.default_rng(seed)
    picture = replace(WOOD, light=(80, 110, 140), dark=(80, 110, 140), frame=(80, 110, 140), seed=seed).picture()
    for _ in range(30):  # beans, cards and crumbs
        x, y, size = int(rng.integers(0, 1280)), int(rng.integers(0, 960)), int(rng.integers(5, 60))
        colour = [int(v) for v in rng.integers(0, 255, 3)]
        cv2.rectangle(picture, (x, y), (x + size, y + 2 * size), colour, cv2.FILLED)
        cv2.circle(picture, (y, x), size, colour[::-1], cv2.FILLED)
    assert find_chessboard(picture) is None


@pytest.mark.parametrize("colour", [0, 128, 255])
def test_an_empty_picture_is_none(colour: int) -> None:
    assert find_chessboard(np.full((480, 640, 3), colour, np.uint8)) is None


@pytest.mark.skipif(not PHOTOGRAPHS.is_dir(), reason="the labelled photographs are not here")
def test_photographs_of_a_source_it_was_not_made_on() -> None:
    """The labels themselves are a tenth of a square off where men hide the corner."""
    labels = [json.loads(line) for line in (PHOTOGRAPHS / "labels.jsonl").read_text().splitlines()]
    missed = {}
    for label in labels:
        picture = cv2.imread(str(PHOTOGRAPHS / label["file"]))
        assert picture is not None
        board = find_chessboard(np.asarray(picture, np.uint8))
        off = off_squares(board.corners_px, label["corners"]) if board else np.inf
        if off > 0.15:
            missed[label["file"]] = off
    assert missed == {}
