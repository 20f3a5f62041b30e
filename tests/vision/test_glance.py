"""Single pictures: a hand is told, what it hides is not read, and what lies beside it still is."""

import cv2
import numpy as np
import pytest

from calibration.inks import SEATS
from calibration.layout import load
from referee.board import Cell, Seat
from tests.vision.own_boards import CROSS, drawn_cross, drawn_on, field_px
from tests.vision.scene import Image, Scene, View, lit
from vision.glance import EmptyRefused, Glance, Glancer
from vision.synthetic.table import SimulatedTable

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


def test_a_printed_board_with_pieces_on_it_is_not_taken_for_empty() -> None:
    glancer = Glancer(LAYOUT, SEATS)
    with pytest.raises(EmptyRefused, match=r"^pieces stand on cells 4, 17, 30, 43 in it: take them off, and "):
        glancer.learn(lit(table(), 0.9))
    assert glancer.learn(lit(SCENE.empty(), 0.9)) is None
    seen = glancer.look(lit(table(), 0.9))
    assert isinstance(seen, Glance)
    assert (seen.plights, occupied(seen), len(seen.seen.cells)) == ((), STANDING, 52)


def test_a_board_of_ones_own_with_its_pieces_on_it_is_not_taken_for_empty() -> None:
    """Nobody knows how it looks: stains and hatching may be where pieces stand, but not where most of them do."""
    with drawn_on(drawn_cross(8, shaded=("17", "21"), stained=("33",))):
        board = SimulatedTable(CROSS, seed=8, size=(960, 540))
    corners, standing = field_px(board, CROSS), {"4": Seat(1), "17": Seat(3), "33": Seat(4)}
    glancer = Glancer(CROSS, SEATS)
    assert glancer.learn(board.frame().image, corners, standing) is None
    board.lay_out({cell: (seat,) for cell, seat in standing.items()})
    with pytest.raises(EmptyRefused, match=r"^pieces stand on cells 4, 17, 33 in it"):
        glancer.learn(board.frame().image, corners, standing)


def test_a_piece_that_stood_in_the_picture_of_the_empty_board_is_never_told_away() -> None:
    with drawn_on(drawn_cross(8)):
        board = SimulatedTable(CROSS, seed=8, size=(960, 540))
    corners, glancer = field_px(board, CROSS), Glancer(CROSS, SEATS)
    board.lay_out({"7": (Seat(1),), "13": (Seat(3),)})
    assert glancer.learn(board.frame().image, corners) is None  # nobody said where pieces stand
    seen = glancer.look(board.frame().image)
    assert isinstance(seen, Glance)
    assert not {"7", "13"} & set(seen.seen.cells)
    assert len(seen.seen.cells) >= 48
    board.lay_out({"20": (Seat(1),), "13": (Seat(3),)})
    moved = glancer.look(board.frame().image)
    assert isinstance(moved, Glance)
    assert occupied(moved).get("20") == Seat(1)


def test_corners_that_frame_no_board_show_none() -> None:
    wall = np.full((720, 1280, 3), 120, np.uint8)
    corners = ((300.0, 100.0), (900.0, 100.0), (900.0, 650.0), (300.0, 650.0))
    assert Glancer(LAYOUT, SEATS).learn(wall, corners) == "out of sight"


@pytest.mark.parametrize(
    ("view", "why"),
    [
        pytest.param(
            View(size=(960, 540), focal_px=750.0), "^it has 1280x720 pixels, the other picture 960x540", id="size"
        ),
        pytest.param(View(turn_deg=180.0), "^the board lies elsewhere in it than in the other picture", id="turned"),
        pytest.param(View(distance_mm=1700.0), "^the board lies elsewhere in it", id="far away"),
    ],
)
def test_the_empty_board_in_another_view_is_refused(view: View, why: str) -> None:
    glancer = Glancer(LAYOUT, SEATS)
    assert glancer.learn(lit(SCENE.empty(), 0.9)) is None
    with pytest.raises(EmptyRefused, match=why):
        glancer.look(lit(Scene(LAYOUT, view).empty(), 0.9))


def test_the_empty_board_may_have_been_pushed_since() -> None:
    glancer, pushed = Glancer(LAYOUT, SEATS), Scene(LAYOUT, View(shift_mm=(-40.0, 20.0), turn_deg=6.0))
    glancer.learn(lit(SCENE.empty(), 0.9))
    picture = pushed.empty()
    for cell, seat in STANDING.items():
        pushed.solid(picture, LAYOUT.cell(cell).centre_mm, SEATS[seat], 8.5, 8)
    seen = glancer.look(lit(picture, 0.9))
    assert isinstance(seen, Glance)
    assert occupied(seen) == STANDING


def beam(start: tuple[float, float], end: tuple[float, float], width_mm: float) -> list[tuple[float, float]]:
    """Outline of a straight thing, millimetres."""
    a, b = np.array(start), np.array(end)
    along = (b - a) / np.linalg.norm(b - a)
    side = np.array([-along[1], along[0]]) * width_mm / 2
    return [(float(x), float(y)) for x, y in (a + side, b + side, b - side, a - side)]


@pytest.mark.parametrize("seat", [Seat(2), Seat(3)], ids=["maize", "coral"])
@pytest.mark.parametrize(
    "outline_mm",
    [
        pytest.param(beam((-60, 187), (140, 187), 14), id="finger along a row"),
        pytest.param(beam((-60, 200), (140, 200), 30), id="narrow sleeve between rows"),
        pytest.param(beam((187, 460), (187, 260), 45), id="arm from below"),
        pytest.param(beam((-40, 420), (230, 190), 80), id="arm from the corner"),
        pytest.param(beam((70, 187), (150, 187), 12), id="crayon on the cells"),
        pytest.param(beam((60, 150), (150, 230), 20), id="ribbon across"),
        pytest.param(beam((40, 187), (82, 187), 25), id="scrap on two cells"),
    ],
)
@pytest.mark.parametrize("tilt_deg", [10, 35])
def test_what_has_a_pieces_colour_and_not_its_shape_is_no_piece(
    outline_mm: list[tuple[float, float]], seat: Seat, tilt_deg: float
) -> None:
    """An arm in Coral's orange was a row of Coral's pieces, with all the evidence there is."""
    scene = Scene(LAYOUT, View(tilt_deg=tilt_deg))
    picture = scene.empty()
    for cell, owner in STANDING.items():
        scene.solid(picture, LAYOUT.cell(cell).centre_mm, SEATS[owner], 8.5, 8)
    red, green, blue = SEATS[seat]
    scene.patch(picture, outline_mm, (blue, green, red), 10)
    seen = looked(picture)
    wrong = {
        cell: dict(values)
        for cell, values in seen.seen.cells.items()
        if max(values.values()) - values[STANDING.get(cell)] > 2.5
    }
    assert (wrong, len(seen.seen.cells) < 52, len(seen.seen.cells) >= 30) == ({}, True, True)
    rows = {piece.cell: piece.seat for piece in seen.seen.standing}
    assert rows.items() <= STANDING.items()


@pytest.mark.parametrize("tilt_deg", [10, 35])
@pytest.mark.parametrize(("radius_mm", "height_mm"), [(8.5, 10), (10, 8), (12, 6)])
def test_rows_of_one_seats_pieces_are_pieces(radius_mm: float, height_mm: float, tilt_deg: float) -> None:
    scene = Scene(LAYOUT, View(tilt_deg=tilt_deg))
    picture = scene.empty()
    rows = dict.fromkeys(("14", "15", "18", "19", "21", "22", "26", "25", "1", "2", "4", "5", "41", "42"), Seat(3))
    for cell in sorted(rows, key=lambda name: LAYOUT.cell(name).centre_mm[1]):
        scene.solid(picture, LAYOUT.cell(cell).centre_mm, SEATS[Seat(3)], radius_mm, height_mm)
    seen = looked(picture)
    assert (seen.plights, len(seen.seen.cells), occupied(seen)) == ((), 52, rows)


@pytest.mark.parametrize("learnt", [False, True])
def test_what_is_so_dark_or_bright_that_its_hues_are_lost_is_not_read(learnt: bool) -> None:
    """A start's pale disc had been a coral piece, with certainty."""
    glancer = Glancer(LAYOUT, SEATS)
    if learnt:
        assert glancer.learn(lit(SCENE.empty(), 0.9)) is None
    for gain, told in ((1.3, set()), (4.0, {"bright"}), (0.012, {"dark"})):
        glance = glancer.look(lit(table(), gain))
        assert isinstance(glance, Glance)
        assert ({*glance.plights} - {"glare"}, bool(glance.seen.cells), bool(glance.seen.standing)) == (
            told,
            not told,
            not told,
        )
