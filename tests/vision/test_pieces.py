"""Cells are read right, or said to be unreadable, in every light."""

from collections.abc import Callable, Mapping
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.inks import SEATS
from calibration.layout import Rect, load
from referee.board import Cell, Seat
from tests.vision.scene import Image, Scene, View, lit
from vision.hands import PX_PER_MM
from vision.locate import Located, Locator
from vision.pieces import CellsSeen, PieceReader
from vision.rectify import Rectifier

LAYOUT = load("patolli")
READER = PieceReader(LAYOUT, SEATS)
VIEW = View(tilt_deg=28)
STANDING: Mapping[Cell, Seat] = {
    cell: Seat(k % 4 + 1)
    for k, cell in enumerate(("2", "4", "6", "9", "13", "14", "17", "20", "26", "30", "39", "43", "52"))
}
Likelihoods = Mapping[Cell, Mapping[Seat | None, float]]


@cache
def bare() -> Image:
    return Scene(LAYOUT, VIEW).empty()


def table(pieces: Mapping[Cell, Seat], off: tuple[float, float] = (0, 0), height_mm: float = 8.0) -> Image:
    """Pieces of 17 mm, ``off`` their cells' middles by shares of a cell, the far ones painted first."""
    picture, scene = bare().copy(), Scene(LAYOUT, VIEW)
    for cell in sorted(pieces, key=lambda name: LAYOUT.cell(name).centre_mm[1]):
        x, y = LAYOUT.cell(cell).centre_mm
        scene.solid(picture, (x + 26 * off[0], y + 26 * off[1]), SEATS[pieces[cell]], 8.5, height_mm)
    return picture


def read(picture: Image) -> CellsSeen:
    located = Locator(LAYOUT).see(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    assert isinstance(located, Located), located
    return READER.read(Rectifier(Rect(0, 0, *LAYOUT.size_mm), PX_PER_MM).top_view(picture, located), located)


def occupied(cells: Likelihoods) -> dict[Cell, Seat]:
    likely = {cell: max(chances, key=lambda seat: chances[seat]) for cell, chances in cells.items()}
    return {cell: seat for cell, seat in likely.items() if seat is not None}


def least_margin(cells: Likelihoods) -> float:
    """By how much the likeliest reading of a cell leads, in the least certain cell."""
    return min(ordered[-1] - ordered[-2] for ordered in (sorted(chances.values()) for chances in cells.values()))


def shadow(picture: Image, angle_deg: float, depth: float) -> Image:
    y, x = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    a = np.radians(angle_deg)
    dark = (x - 560) * np.cos(a) + (y - 350) * np.sin(a) > 0
    return lit(picture, np.where(dark, depth, 0.9)[..., None], noise=2)


@pytest.mark.parametrize(
    ("light", "least"),
    [
        pytest.param(lambda p: lit(p, 1.0), 3, id="as it is"),
        pytest.param(lambda p: lit(p, 0.5, noise=3), 3, id="gain 0.5"),
        pytest.param(lambda p: lit(p, 1.8, noise=3), 3, id="gain 1.8"),
        pytest.param(lambda p: lit(p, (0.6, 0.9, 1.15)), 3, id="warm light"),
        pytest.param(lambda p: lit(p, (1.1, 0.9, 0.6)), 3, id="cold light"),
        pytest.param(lambda p: shadow(p, 20, 0.35), 1.5, id="shadow edge"),
        pytest.param(lambda p: shadow(p, 100, 0.2), 1.5, id="deep shadow edge"),
    ],
)
def test_light_changes_no_reading(light: Callable[[Image], Image], least: float) -> None:
    seen = read(light(table(STANDING)))
    assert occupied(seen.cells) == STANDING
    assert len(seen.cells) + len(seen.glare) == 52
    assert len(seen.glare) <= 1  # a lit corner between shadow and edge may look like a reflection
    assert least_margin(seen.cells) > least


@pytest.mark.parametrize(("softness_px", "step"), [(10, 0.15), (150, 0.3)], ids=["edge", "gradual"])
@pytest.mark.parametrize("crowd", [Seat(1), Seat(4), None], ids=["green crowd", "blue crowd", "no crowd"])
def test_between_a_warm_and_a_cold_lamp_pieces_keep_their_colours(
    crowd: Seat | None, softness_px: float, step: float
) -> None:
    block = ("14", "15", "16", "17", "18", "21", "22", "23", "24", "25")
    pieces = dict.fromkeys(block, crowd) if crowd else STANDING
    cold = 1 / (1 + np.exp(-np.clip((np.arange(1280) - 500) / softness_px, -30, 30)))[None, :, None]
    light = 0.8 * np.exp(2.2 * step * (cold - 0.5) * np.array([1, 0, -1]))
    seen = read(lit(table(pieces), light, noise=2))
    assert (occupied(seen.cells), least_margin(seen.cells) > 3) == (pieces, True)


@pytest.mark.parametrize("height_mm", [3.0, 14.0])
@pytest.mark.parametrize("off", [(0.33, 0.0), (0.0, -0.33), (0.3, 0.3), (-0.3, 0.1)])
def test_pieces_off_their_middle_are_read_in_their_cell_by_their_foot(
    off: tuple[float, float], height_mm: float
) -> None:
    pieces = {cell: seat for cell, seat in STANDING.items() if cell in ("2", "9", "17", "30", "43")}
    assert occupied(read(lit(table(pieces, off, height_mm), 0.9)).cells) == pieces


@pytest.mark.parametrize("share", [0.46, 0.5, 0.54])
def test_a_piece_between_two_cells_decides_neither(share: float) -> None:
    cells = read(lit(table({"48": Seat(1)}, (share, 0)), 0.9)).cells
    assert [cells[cell][Seat(1)] for cell in ("47", "48")] == pytest.approx([2, 2], abs=0.5)
    assert max(cells[cell][Seat(seat)] for cell in ("47", "48") for seat in (2, 3, 4)) < -3
    assert occupied({cell: chances for cell, chances in cells.items() if cell not in ("47", "48")}) == {}


def test_two_small_pieces_that_lean_towards_each_other_are_each_in_its_cell() -> None:
    picture, scene = bare().copy(), Scene(LAYOUT, VIEW)
    for cell, lean in (("43", 0.22), ("48", -0.22)):
        x, y = LAYOUT.cell(cell).centre_mm
        scene.solid(picture, (x, y + 26 * lean), SEATS[Seat(3)], 5.0, 6)
    cells = read(lit(picture, 0.9)).cells
    assert occupied(cells) == {"43": Seat(3), "48": Seat(3)}
    assert least_margin(cells) > 3


@pytest.mark.parametrize("bgr", [pytest.param((112, 110, 108), id="grey"), pytest.param((90, 112, 228), id="coral")])
def test_where_a_sleeve_hides_the_print_nothing_is_read(bgr: tuple[int, int, int]) -> None:
    picture = table(STANDING)
    Scene(LAYOUT, VIEW).patch(picture, [(258, 150), (342, 150), (342, 250), (258, 250)], bgr, 30)
    cells = read(lit(picture, 0.9)).cells
    hidden = {"42", "43", "49", "48"}
    assert (
        hidden <= {place.name for place in LAYOUT.cells} - set(cells) <= hidden | {"40", "41", "44", "47", "50", "51"}
    )
    assert occupied(cells) == {cell: seat for cell, seat in STANDING.items() if cell not in hidden}


def test_the_shadow_of_a_piece_is_no_piece() -> None:
    picture, scene = bare().copy(), Scene(LAYOUT, VIEW)
    dark = np.ones(picture.shape, np.float32)
    for cell in ("3", "22", "36", "41"):
        x, y = LAYOUT.cell(cell).centre_mm
        spot = np.zeros_like(picture)
        scene.solid(spot, (x, y), (255, 255, 255), 9, 0)
        dark[spot > 0] = 0.45
    cells = read(lit(picture, dark)).cells
    assert occupied(cells) == {}


@pytest.mark.parametrize("strength", [0.1, 0.3, 0.6, 1.5, 4.0])
@pytest.mark.parametrize("width_px", [12, 22])
def test_glare_is_never_read_definitely_wrong(strength: float, width_px: float) -> None:
    picture = table(STANDING).astype(np.float32)
    y, x = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    linear = 0.6 * (picture / 255) ** 2.2
    spots = ("4", "9", "16", "20", "31", "43")
    for cell in spots:
        at = VIEW.pixels(np.array([[*LAYOUT.cell(cell).centre_mm, 0.0]]), LAYOUT)[0]
        spot = strength * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * width_px**2))
        linear += spot[..., None].astype(np.float32)
    seen = read(np.asarray(255 * np.clip(linear, 0, 1) ** (1 / 2.2), np.uint8))
    wrong = {
        cell: dict(seen.cells[cell])
        for cell in spots
        if cell in seen.cells and max(seen.cells[cell].values()) - seen.cells[cell][STANDING.get(cell)] > 2.5
    }
    assert wrong == {}


def test_a_strip_of_lamp_light_between_shadows_is_no_reflection() -> None:
    """It is narrower than two cells, but no brighter than the rest that the lamp lights."""
    picture = table(STANDING)
    y, x = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    at = VIEW.pixels(np.array([[*LAYOUT.cell("16").centre_mm, 0.0]]), LAYOUT)[0]
    lamp = np.where((x > at[0] + 120) | (abs(y - at[1]) < 26), 1.0, 0.55)[..., None]
    seen = read(lit(picture, lamp))
    assert (seen.glare, occupied(seen.cells)) == ((), STANDING)


def test_a_strange_thing_on_a_cell_makes_it_unreadable() -> None:
    picture = table(STANDING)
    Scene(LAYOUT, VIEW).solid(picture, LAYOUT.cell("48").centre_mm, (200, 60, 190), 9, 5)
    cells = read(lit(picture, 0.9)).cells
    assert (sorted({c.name for c in LAYOUT.cells} - set(cells)), occupied(cells)) == (["48"], STANDING)


def test_other_colours_can_be_given() -> None:
    purple = (130, 50, 140)
    picture = table({"4": Seat(1)})
    Scene(LAYOUT, VIEW).solid(picture, LAYOUT.cell("17").centre_mm, purple, 8.5, 8)
    located = Locator(LAYOUT).see(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    assert isinstance(located, Located)
    sheet = Rectifier(Rect(0, 0, *LAYOUT.size_mm), PX_PER_MM).top_view(picture, located)
    two = PieceReader(LAYOUT, {Seat(1): SEATS[Seat(1)], Seat(2): purple})
    assert occupied(two.read(sheet, located).cells) == {"4": Seat(1), "17": Seat(2)}


def test_a_piece_that_stands_in_its_cell_is_drawn_there_though_a_neighbour_leans_in() -> None:
    picture, scene = bare().copy(), Scene(LAYOUT, VIEW)
    feet = [(318.0, 187.0), (344.0, 187.0)]
    scene.solid(picture, feet[0], SEATS[Seat(3)], 12.5, 7)
    scene.solid(picture, feet[1], SEATS[Seat(4)], 12.5, 7)
    standing = read(lit(picture, 0.9)).standing
    assert [(piece.cell, piece.seat) for piece in standing] == [("43", Seat(3)), ("44", Seat(4))]
    assert np.array([piece.foot_mm for piece in standing]) == pytest.approx(np.array(feet), abs=3)
