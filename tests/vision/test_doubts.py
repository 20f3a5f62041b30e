"""What the reader must not be sure of, and must not stay stuck in: pictures of a table drawn for that."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from calibration.layout import Layout, load
from referee.board import Seat
from referee.observation import Observation
from referee.rules import Needs
from tests.vision.scene import Image, Scene, View, lit
from vision.camera import Frame
from vision.reader import Reader

LAYOUT = load("patolli")
SPOTS = ((440, 100), (520, 120), (470, 180), (530, 230), (450, 280))
"""In the throwing place, millimetres."""
RED_BROWN, RED = (150, 60, 40), (200, 30, 30)


def watched(pictures: Sequence[Image], layout: Layout = LAYOUT, fps: float = 10.0) -> list[Observation]:
    reader = Reader(layout, seats=(Seat(1), Seat(3)), needs=Needs(beans=5))
    frames = [Frame(picture, number / fps, number) for number, picture in enumerate(pictures)]
    return [reader.see(frame) for frame in frames]


def thrown(colour: tuple[int, int, int], radius_mm: float, dot: tuple[int, int, int] | None = None) -> Observation:
    """Five flat solids come to lie in the empty place, three of them with a dot."""
    scene = Scene(LAYOUT, View(distance_mm=700.0))
    empty = scene.empty()
    full = empty.copy()
    for number, spot in enumerate(SPOTS):
        scene.solid(full, spot, colour, radius_mm, 6)
        if dot is not None and number < 3:
            scene.solid(full, spot, dot, 3, 6.1)
    return watched([lit(empty, 1, k) for k in range(8)] + [lit(full, 1, k) for k in range(8, 20)])[-1]


def test_a_dot_of_the_beans_own_brightness_is_not_overlooked() -> None:
    """Red dots on red-brown beans: a net that never saw them called all five plain, and was sure."""
    throw = thrown(RED_BROWN, 6, RED).throw
    assert throw is not None
    assert not throw.certain


@pytest.mark.parametrize("colour", [(233, 180, 60), (228, 112, 90), (62, 84, 152), (42, 157, 111)])
def test_pieces_parked_in_the_throwing_place_are_no_throw(colour: tuple[int, int, int]) -> None:
    seen = thrown(colour, 9)
    assert seen.throw is not None
    assert (seen.throw.certain, "extra" in seen.throw.plights, seen.place_empty) == (False, True, False)


def test_things_that_are_no_beans_do_not_make_the_place_empty() -> None:
    """Five grey discs were "nothing, certainly": a booked throw was unlocked, and they became the empty look."""
    seen = thrown((130, 130, 130), 8)
    assert seen.throw is not None
    assert (seen.throw.certain, seen.throw.plights, seen.place_empty) == (False, ("extra",), False)


def patched(picture: Image, gain: tuple[float, float, float]) -> Image:
    """Light of another colour over a quarter of the picture."""
    relit, under = picture.copy(), lit(picture, gain)
    relit[150:420, 250:560] = under[150:420, 250:560]
    return relit


@pytest.mark.parametrize("gain", [(0.6, 0.8, 1.0), (1.2, 1.8, 2.2), (1.0, 0.75, 0.55)])
def test_coloured_light_is_no_hand_for_ever(gain: tuple[float, float, float]) -> None:
    empty = Scene(LAYOUT, View(distance_mm=800.0)).empty()
    seen = watched([lit(empty, 1, k) for k in range(10)] + [patched(lit(empty, 1, k), gain) for k in range(70)])
    assert seen[9].state == seen[-1].state == "rest"


def test_a_hand_that_lies_flat_stays_a_hand() -> None:
    scene = Scene(LAYOUT, View(distance_mm=800.0))
    empty = scene.empty()
    covered = empty.copy()
    scene.patch(covered, [(100, 150), (260, 140), (290, 230), (120, 250)], (120, 150, 200), 5)
    seen = watched([lit(empty, 1, k) for k in range(10)] + [lit(covered, 1, k) for k in range(110)])
    assert {one.state for one in seen[-100:]} == {"hand"}


CORAL = (90, 112, 228)
"""Blue, green, red of its pieces."""
SLEEVE = [(-60, 180), (140, 180), (140, 194), (-60, 194)]
CRAYON = [(70, 181), (150, 181), (150, 193), (70, 193)]


@pytest.mark.parametrize("frames_before", [10, 0], ids=["it comes", "it lay there before"])
@pytest.mark.parametrize(
    ("outline_mm", "state", "hidden"),
    [
        pytest.param(SLEEVE, "hand", None, id="a thin sleeve from beyond the sheet"),
        pytest.param(CRAYON, "rest", {"21", "22", "23", "24"}, id="a crayon on the cells"),
    ],
)
def test_what_lies_in_corals_orange_over_cells_is_no_row_of_its_pieces(
    outline_mm: list[tuple[int, int]], state: str, hidden: set[str] | None, frames_before: int
) -> None:
    scene = Scene(LAYOUT, View(distance_mm=800.0))
    empty = scene.empty()
    covered = empty.copy()
    scene.patch(covered, outline_mm, CORAL, 10)
    seen = watched([lit(empty, 1, k) for k in range(frames_before)] + [lit(covered, 1, k) for k in range(70)])
    assert {one.state for one in seen[-15:]} == {state}
    boards = [one.board.cells for one in seen[frames_before:] if one.board is not None]
    pieces = {cell for cells in boards for cell, values in cells.items() if max(values.values()) > 0}
    unread = {cell.name for cell in LAYOUT.cells} - boards[-1].keys() if boards else None
    assert (pieces, unread) == (set(), hidden)


def test_a_board_without_colour_chips_is_read() -> None:
    bare = replace(LAYOUT, chips=())
    scene = Scene(LAYOUT, View())
    picture = scene.empty()
    seen = watched([lit(picture, 1, k) for k in range(12)], bare)[-1]
    assert seen.board is not None
    assert len(seen.board.cells) == len(bare.cells)
    assert all(values[None] >= max(values.values()) for values in seen.board.cells.values())


@pytest.mark.parametrize("gain", [1.6, 0.6])
def test_lamp_light_over_half_of_the_empty_place_leaves_it_empty(gain: float) -> None:
    """Else no throw would ever be unlocked again under a lamp that was moved."""
    empty = Scene(LAYOUT, View(distance_mm=800.0)).empty()
    lamp = np.ones((*empty.shape[:2], 1), np.float32)
    x, y = np.meshgrid(np.arange(empty.shape[1]), np.arange(empty.shape[0]))
    lamp[y > 330 + 0.3 * (x - 800)] = gain
    seen = watched([lit(empty, 1, k) for k in range(10)] + [lit(empty, lamp, k) for k in range(10, 60)])
    assert (seen[-1].state, seen[-1].place_empty) == ("rest", True)
