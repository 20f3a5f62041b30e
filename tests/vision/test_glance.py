"""Single pictures: a hand is told, what it hides is not read, and what lies beside it still is."""

import cv2
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


def test_beside_a_sleeve_and_its_shadow_its_colour_is_not_taken_for_the_lights() -> None:
    """Else white cells looked yellow beside a blue sleeve, as if Maize stood there."""
    picture = table()
    shade, beside = np.zeros_like(picture), [(-90, 75), (150, 75), (150, 160), (-90, 160)]
    SCENE.patch(shade, [(-90, 45), (170, 45), (170, 186), (-90, 186)], (1, 1, 1), 0)
    picture = lit(picture, 1 - 0.78 * cv2.GaussianBlur(shade.astype(np.float32), (0, 0), 6))
    SCENE.patch(picture, beside, (160, 60, 50), 25)
    seen = looked(picture)
    margins = [float(np.diff(sorted(values.values())[-2:])[0]) for values in seen.seen.cells.values()]
    assert (occupied(seen), len(margins), min(margins) > 3) == (STANDING, 52, True)


def test_a_fingertip_that_seems_to_be_apart_from_its_hand_is_no_piece() -> None:
    """Between them the fingers do not stand out from the board."""
    picture = table()
    SCENE.patch(picture, [(-60, 160), (112, 170), (122, 200), (112, 230), (-60, 240)], CORAL, 25)
    SCENE.patch(picture, [(128, 182), (150, 182), (150, 206), (128, 206)], CORAL, 6)
    seen = looked(picture)
    rest = {cell: seat for cell, seat in STANDING.items() if cell != "17"}
    assert (seen.plights, "24" in seen.seen.cells, occupied(seen)) == (("hand",), False, rest)


def test_pieces_side_by_side_are_no_hand() -> None:
    """Draughts as wide as their cells touch."""
    picture = SCENE.empty()
    block = {cell: Seat(1) for cell in ("17", "18", "21", "22")}
    for cell in block:
        SCENE.solid(picture, LAYOUT.cell(cell).centre_mm, SEATS[Seat(1)], 12.7, 7)
    seen = looked(picture)
    assert (seen.plights, occupied(seen), len(seen.seen.cells)) == ((), block, 52)
    assert np.ptp([piece.foot_mm[0] for piece in seen.seen.standing]) == pytest.approx(26, abs=4)


def test_glare_on_a_tag_that_is_still_measured_is_no_hand() -> None:
    picture = table()
    veil = np.zeros(picture.shape[:2], np.float32)
    x, y = next(tag.centre_mm for tag in LAYOUT.tags if tag.id == 7)
    spot = View().pixels(np.array([[x, y, 0.0]]), LAYOUT)[0]
    cv2.circle(veil, tuple(int(v) for v in spot), 48, (1.0,), cv2.FILLED)
    share = 0.8 * cv2.GaussianBlur(veil, (0, 0), 12)[..., None]
    glance = looked(np.asarray(picture * (1 - share) + 225 * share, np.uint8))
    assert (7 in glance.located.tags, glance.plights, occupied(glance)) == (True, (), STANDING)
