"""Single pictures: a hand is told, what it hides is not read, and what lies beside it still is."""

import numpy as np
import pytest

from calibration.inks import SEATS
from calibration.layout import load
from referee.board import Cell, Seat
from tests.vision.scene import Image, Scene, View, lit
from vision.glance import Glance, Glancer

LAYOUT = load("patolli")
SCENE = Scene(LAYOUT, View())
STANDING = {"4": Seat(1), "17": Seat(2), "30": Seat(3), "43": Seat(4)}
CORAL, SKIN, GREY = (90, 112, 228), (130, 160, 200), (110, 112, 115)
"""Blue, green, red."""


def looked(picture: Image) -> Glance:
    seen = Glancer(LAYOUT, SEATS).look(lit(picture, 0.9))
    assert isinstance(seen, Glance), seen
    return seen


def occupied(glance: Glance) -> dict[Cell, Seat]:
    likely = {cell: max(chances, key=lambda seat: chances[seat]) for cell, chances in glance.seen.cells.items()}
    return {cell: seat for cell, seat in likely.items() if seat is not None}


def table() -> Image:
    picture = SCENE.empty()
    for cell, seat in STANDING.items():
        SCENE.solid(picture, LAYOUT.cell(cell).centre_mm, SEATS[seat], 8.5, 8)
    return picture


def under_an_arm(bgr: tuple[int, int, int]) -> Glance:
    picture = table()
    SCENE.patch(picture, [(-60, 160), (118, 170), (130, 200), (118, 230), (-60, 240)], bgr, 25)
    return looked(picture)


@pytest.mark.parametrize(
    "bgr", [pytest.param(CORAL, id="coral sleeve"), pytest.param(SKIN, id="skin"), pytest.param(GREY, id="grey sleeve")]
)
def test_what_an_arm_hides_is_not_read(bgr: tuple[int, int, int]) -> None:
    """In a seat's own colours it was a row of pieces; in none it looked like light on an empty board."""
    cells = under_an_arm(bgr).seen.cells
    unread = {place.name for place in LAYOUT.cells} - set(cells)
    assert {"17", "18", "19", "20"} <= unread <= {str(n) for n in range(15, 25)}
    doubts = {name: max(values.values()) - values[STANDING.get(name)] for name, values in cells.items()}
    beside = [doubts[name] for name in doubts if name not in ("16", "21", "22", "23")]
    assert max(beside) == 0


def test_an_arm_is_told() -> None:
    glance = under_an_arm(CORAL)
    assert glance.plights == ("hand",)
    assert {piece.cell for piece in glance.seen.standing} == {"4", "30", "43"}


def test_pieces_side_by_side_are_no_hand() -> None:
    """Draughts as wide as their cells touch."""
    picture = SCENE.empty()
    block = {cell: Seat(1) for cell in ("17", "18", "21", "22")}
    for cell in block:
        SCENE.solid(picture, LAYOUT.cell(cell).centre_mm, SEATS[Seat(1)], 12.7, 7)
    seen = looked(picture)
    assert (seen.plights, occupied(seen), len(seen.seen.cells)) == ((), block, 52)
    assert np.ptp([piece.foot_mm[0] for piece in seen.seen.standing]) == pytest.approx(26, abs=4)
