"""What covers the board is seen; light, shadows and pieces are no hands."""

from functools import cache

import cv2
import numpy as np
import pytest

from calibration.inks import SEATS
from calibration.layout import Rect, load
from referee.board import Seat
from tests.vision.scene import Image, Scene, View, lit
from vision.hands import PX_PER_MM, Covers
from vision.locate import Located, Locator
from vision.rectify import Rectifier

LAYOUT = load("patolli")
VIEW = View(tilt_deg=20)
SKIN, GREY, PAPER, TABLE, BLACK = (120, 155, 205), (140, 140, 140), (192, 222, 236), (60, 80, 110), (30, 30, 32)
HAND = [(200, 400), (190, 260), (170, 200), (185, 190), (205, 240), (215, 180), (230, 180), (240, 245), (270, 400)]


@cache
def bare() -> Image:
    return Scene(LAYOUT, VIEW).empty()


def sheet(picture: Image) -> Image:
    located = Locator(LAYOUT).see(np.asarray(cv2.cvtColor(lit(bare(), 1.0), cv2.COLOR_BGR2GRAY), np.uint8))
    assert isinstance(located, Located)
    return Rectifier(Rect(0, 0, *LAYOUT.size_mm), PX_PER_MM).top_view(picture, located)


def after_rest() -> Covers:
    covers = Covers(LAYOUT)
    covers.accept(sheet(lit(bare(), 1.0)))
    return covers


@pytest.mark.parametrize(
    "colour",
    [
        pytest.param(SKIN, id="skin"),
        pytest.param((60, 75, 100), id="dark skin"),
        pytest.param(BLACK, id="black glove"),
        pytest.param(GREY, id="grey sleeve"),
        pytest.param(PAPER, id="sleeve like the sheet"),
        pytest.param(TABLE, id="sleeve like the table"),
    ],
)
@pytest.mark.parametrize("gain", [0.5, 1.0, 1.6])
def test_a_hand_of_any_colour_is_seen(colour: tuple[int, int, int], gain: float) -> None:
    picture = bare().copy()
    Scene(LAYOUT, VIEW).patch(picture, HAND, colour)
    assert after_rest().see(sheet(lit(picture, gain, seed=1))).found


def test_a_hand_over_the_throwing_place_is_seen() -> None:
    picture = bare().copy()
    Scene(LAYOUT, VIEW).patch(picture, [(450, 400), (440, 200), (500, 190), (510, 400)], SKIN)
    assert after_rest().see(sheet(lit(picture, 0.9))).found


def test_a_hidden_tag_with_something_over_it_is_a_hand() -> None:
    picture = bare().copy()
    Scene(LAYOUT, VIEW).patch(picture, [(20, 130), (45, 130), (45, 150), (20, 150)], SKIN, 0)
    seen = sheet(lit(picture, 1.0))
    assert (after_rest().see(seen, hidden=(6,)).found, after_rest().see(seen).found) == (True, False)


def test_fingertips_that_are_pale_like_the_margin_are_a_hand() -> None:
    """A hand reaches in, but next to the sheet's edge it does not stand out: what does begins 18 mm further in."""
    picture = bare().copy()
    Scene(LAYOUT, VIEW).patch(picture, [(18, 185), (48, 185), (48, 222), (18, 222)], SKIN, 0)
    assert after_rest().see(sheet(lit(picture, 0.9))).found


@pytest.mark.parametrize(
    ("outline_mm", "aside"),
    [
        pytest.param([(300, -30), (380, 50), (388, 43), (315, -40)], True, id="pencil on the margin"),
        pytest.param([(-30, 100), (40, 100), (40, 175), (-30, 175)], True, id="cup over a tag"),
        pytest.param([(225, -30), (190, 120), (205, 125), (245, -30)], False, id="pencil over cells"),
        pytest.param([(600, 240), (480, 200), (480, 160), (600, 150)], False, id="hand over the throwing place"),
    ],
)
def test_what_lies_on_the_margin_hides_nothing(outline_mm: list[tuple[int, int]], aside: bool) -> None:
    picture = bare().copy()
    Scene(LAYOUT, VIEW).patch(picture, outline_mm, (90, 160, 40), 0)
    cover = after_rest().see(sheet(lit(picture, 0.9)))
    assert (cover.found, cover.aside) == (True, aside)


@pytest.mark.parametrize("gain", [0.5, 1.0, 1.6])
@pytest.mark.parametrize("taught", [True, False])
def test_an_open_board_is_no_hand(gain: float, taught: bool) -> None:
    covers = after_rest() if taught else Covers(LAYOUT)
    assert not covers.see(sheet(lit(bare(), gain, seed=2, noise=3))).found


def test_shadows_are_no_hands() -> None:
    y, x = np.mgrid[0:720, 0:1280]
    edge = np.where(x + 0.4 * y > 700, 0.25, 1.0)[..., None]
    blot = np.where((x - 500) ** 2 + (y - 300) ** 2 < 150**2, 0.4, 1.0)[..., None]
    covers = after_rest()
    assert [covers.see(sheet(lit(bare(), light, seed=3))).found for light in (edge, blot)] == [False, False]


def test_moved_pieces_are_no_hands() -> None:
    scene, picture = Scene(LAYOUT, VIEW), bare().copy()
    for k, cell in enumerate(("3", "10", "30", "31", "32")):
        scene.solid(picture, LAYOUT.cell(cell).centre_mm, SEATS[Seat(k % 4 + 1)], 9, 10)
    assert not after_rest().see(sheet(lit(picture, 0.9))).found


def test_pieces_known_to_stand_are_no_hands_however_many() -> None:
    scene, picture = Scene(LAYOUT, VIEW), bare().copy()
    cells = ("1", "12", "13", "52", "26", "39", "25", "14", "27", "38", "40", "51")
    for k, cell in enumerate(cells):
        scene.solid(picture, LAYOUT.cell(cell).centre_mm, SEATS[Seat(k % 4 + 1)], 9, 8)
    seen, feet = sheet(lit(picture, 0.9)), [LAYOUT.cell(cell).centre_mm for cell in cells]
    assert [covers.see(seen, (), feet).found for covers in (Covers(LAYOUT), after_rest())] == [False, False]
