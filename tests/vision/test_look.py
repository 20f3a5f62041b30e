"""Boards of one's own: cells read against the look that was learnt while they lay empty, or against a guess of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import cv2
import numpy as np
import pytest

from calibration.colours import between, log_colours, opponent
from calibration.inks import SEATS
from calibration.layout import Layout, Rect, load
from calibration.sheets import top_view
from referee.board import Cell, Seat
from referee.observation import Observation
from referee.rules import Needs
from tests.vision.own_boards import CHESS, CROSS, drawn_cross, drawn_on, field_px, wooden_chessboard
from tests.vision.test_reader import Counter
from vision.camera import Image
from vision.dragged import by_corners
from vision.follow import Follower
from vision.glance import Glance, Glancer
from vision.hand_watch import LIGHT_AFTER_S
from vision.hands import PX_PER_MM
from vision.look import FRAMES, GUESS, PATIENCE, OwnBoard, is_printed
from vision.pieces import CellsSeen
from vision.reader import Reader
from vision.rectify import Rectifier
from vision.synthetic.arm import BRISK
from vision.synthetic.table import SimulatedTable

SIZE = (960, 540)
ODD = ("8", "21", "50")
"""Cells that are hatched: they look like no other."""
STAINED = ("33",)
STOOD: dict[Cell, Seat] = {"4": Seat(1), "8": Seat(2), "17": Seat(3), "33": Seat(4), "44": Seat(2)}


class Played:
    """A board of one's own before a reader that was told its corners in the first picture."""

    def __init__(self, layout: Layout, art: Image, seed: int, standing: Mapping[Cell, Seat] | None = None) -> None:
        with drawn_on(art):
            self.table = SimulatedTable(layout, seed=seed, size=SIZE, tempo=BRISK)
        self.put(standing or {})
        self.reader = Reader(
            layout,
            seats=tuple(SEATS),
            needs=Needs(beans=5),
            throw_reader=Counter(),
            locator=Follower(layout, field_px(self.table, layout)),
            standing=tuple(standing or ()),
        )

    def put(self, pieces: Mapping[Cell, Seat]) -> None:
        self.table.lay_out({cell: (seat,) for cell, seat in pieces.items()})

    def until_quiet(self, seconds: float = 1.4) -> Observation:
        return self.until_quiet_all(seconds)[-1]

    def until_quiet_all(self, seconds: float = 1.4) -> list[Observation]:
        until, seen = np.inf, []
        while self.table.busy or self.table.seconds < until:
            seen.append(self.reader.see(self.table.frame()))
            if not self.table.busy and until == np.inf:
                until = self.table.seconds + seconds
        return seen


def told(cells: Mapping[Cell, Mapping[Seat | None, float]], least: float = 3.0) -> dict[Cell, Seat | None]:
    """What is told of the cells that are sure: by so much likelier than anything else."""
    sure: dict[Cell, Seat | None] = {}
    for name, values in cells.items():
        first, second = sorted(values.values(), reverse=True)[:2]
        if first - second > least:
            sure[name] = max(values, key=lambda seat: values[seat])
    return sure


def stands(layout: Layout, pieces: Mapping[Cell, Seat]) -> dict[Cell, Seat | None]:
    return {place.name: pieces.get(place.name) for place in layout.cells}


def read(seen: Observation) -> dict[Cell, Seat | None]:
    assert seen.board is not None, (seen.state, seen.plights, seen.refusal)
    return told(seen.board.cells)


def test_a_cross_drawn_by_hand_is_read_through_hands_light_and_a_knock() -> None:
    played = Played(CROSS, drawn_cross(8, shaded=ODD, stained=STAINED), seed=8)
    assert read(played.until_quiet()) == stands(CROSS, {}), "odd cells and stains are the board"
    played.put(STOOD)
    assert read(played.until_quiet()) == stands(CROSS, STOOD)
    played.table.move("4", "9", Seat(1))
    moved = {**{cell: seat for cell, seat in STOOD.items() if cell != "4"}, "9": Seat(1)}
    assert read(played.until_quiet()) == stands(CROSS, moved)
    played.table.lamp(0.45)
    assert read(played.until_quiet()) == stands(CROSS, moved)
    played.table.bump(7, -7, 1)
    assert read(played.until_quiet()) == stands(CROSS, moved), "10 mm further"
    played.table.leave_hand(0.5)
    assert read(played.until_quiet()) == stands(CROSS, moved)


def test_while_the_board_is_learnt_the_reader_says_so() -> None:
    played = Played(CROSS, drawn_cross(12), seed=12)
    seen = [played.reader.see(played.table.frame()) for _ in range(20)]
    told = [(state, plights) for (state, plights), _ in groupby((one.state, one.plights) for one in seen)]
    assert told == [("settling", ("learning",)), ("rest", ())]
    played.table.leave_hand(0.5)
    assert {plight for one in played.until_quiet_all() for plight in one.plights} <= {"hand"}, "it was learnt once"


def test_a_wooden_chessboard_is_read_on_light_and_dark() -> None:
    played = Played(CHESS, wooden_chessboard(2), seed=2)
    assert read(played.until_quiet()) == stands(CHESS, {})
    pieces = {"a1": Seat(1), "b1": Seat(2), "d5": Seat(3), "e5": Seat(4), "h8": Seat(1), "g8": Seat(4)}
    played.put(pieces)
    assert read(played.until_quiet()) == stands(CHESS, pieces)
    played.table.lamp(0.5)
    played.table.bump(6, 5, -1)
    assert read(played.until_quiet()) == stands(CHESS, pieces)


def test_a_match_that_goes_on_has_its_cells_learnt_when_they_are_free() -> None:
    played = Played(CROSS, drawn_cross(12), seed=12, standing=STOOD)
    begun = played.until_quiet()
    assert read(begun) == stands(CROSS, STOOD)
    assert begun.board is not None
    assert max(begun.board.cells["17"].values()) <= GUESS, "what lies under a piece is guessed"
    played.table.move("17", "20", Seat(3))
    played.until_quiet()
    played.table.move("20", "17", Seat(3))
    again = played.until_quiet()
    assert read(again) == stands(CROSS, STOOD)
    assert again.board is not None
    assert again.board.cells["17"][Seat(3)] > GUESS, "then it was seen"


class Board:
    """Top views of one resting board, and what learns from them."""

    def __init__(self, layout: Layout, art: Image, seed: int) -> None:
        with drawn_on(art):
            self.table = SimulatedTable(layout, seed=seed, size=SIZE)
        self.layout = layout
        self.place = by_corners(layout, field_px(self.table, layout), SIZE)
        self.own = OwnBoard(layout, SEATS, px_per_mm=PX_PER_MM)

    def sheet(self) -> Image:
        rectifier = Rectifier(Rect(0, 0, *self.layout.size_mm), PX_PER_MM)
        return rectifier.top_view(self.table.frame().image, self.place)

    def rest(self, frames: int = FRAMES) -> None:
        self.own.clear()
        for _ in range(frames):
            self.own.rest(self.sheet(), self.place)

    def read(self) -> CellsSeen:
        return self.own.read(self.sheet(), self.place)


def test_nothing_is_read_before_the_board_was_seen() -> None:
    board = Board(CROSS, drawn_cross(8), seed=8)
    board.rest(FRAMES - 1)
    assert not board.own.known
    assert (board.read().cells, board.read().standing) == ({}, ())
    board.rest()
    assert told(board.read().cells) == stands(CROSS, {})


def test_a_piece_that_should_not_stand_there_is_not_learnt_as_the_board() -> None:
    board = Board(CROSS, drawn_cross(12), seed=12)
    board.table.lay_out({"17": (Seat(3),)})
    board.rest()
    assert max(board.read().cells["17"].values()) == pytest.approx(GUESS)
    assert told(board.read().cells) == stands(CROSS, {"17": Seat(3)})


def test_a_washed_out_piece_that_still_stands_is_not_learnt_as_the_board() -> None:
    board = Board(CROSS, drawn_cross(16), seed=16)  # overexposed: a guess takes some for empty cells
    jade: dict[Cell, Seat] = dict.fromkeys(("2", "9", "15", "22", "29", "35", "41", "48"), Seat(1))
    board.table.lay_out({cell: (seat,) for cell, seat in jade.items()})
    board.own = OwnBoard(CROSS, SEATS, px_per_mm=PX_PER_MM, standing=jade)
    for _ in range(3):
        board.rest()
    assert {seat for cell, seat in told(board.read().cells, GUESS + 0.5).items() if cell in jade} <= {Seat(1)}


def test_a_hand_that_lay_there_when_the_board_was_learnt_makes_it_be_learnt_anew() -> None:
    played = Played(CROSS, drawn_cross(8, shaded=ODD), seed=8)
    played.table.lay_hand(at_mm=(188.0, 188.0))
    while played.table.busy:
        played.table.blink()
    played.until_quiet()
    played.table.take_hand()
    assert played.until_quiet(1.0).state == "hand", "what it sees is not what it takes for the board"
    assert read(played.until_quiet(LIGHT_AFTER_S + 1.0)) == stands(CROSS, {})
    played.put(STOOD)
    assert read(played.until_quiet()) == stands(CROSS, STOOD)


def test_a_cup_that_stood_there_when_the_board_was_learnt_is_no_board_and_no_hand_for_ever() -> None:
    board = Board(CROSS, drawn_cross(12), seed=12)
    sheet = board.sheet()
    cell = next(place for place in CROSS.cells if place.name == "20")
    cup = sheet.copy()
    cv2.circle(cup, tuple(round(v * PX_PER_MM) for v in cell.centre_mm), round(24 * PX_PER_MM), (120, 128, 134), -1)
    for _ in range(FRAMES):
        board.own.rest(cup, board.place)
    board.own.clear()
    for _ in range(2):
        board.rest()
    board.table.lay_out({"20": (Seat(3),)})
    seen = told(board.read().cells)
    assert seen.items() <= stands(CROSS, {"20": Seat(3)}).items()
    assert seen.keys() >= {"19", "20"}, "they were under it"


def test_a_board_that_looks_like_nothing_known_is_learnt_in_the_end() -> None:
    art = drawn_cross(8)
    for cell in CROSS.cells[:26]:
        cv2.circle(art, (round(cell.centre_mm[0] * 3), round(cell.centre_mm[1] * 3)), 28, (200, 60, 190), cv2.FILLED)
    board = Board(CROSS, art, seed=8)
    board.rest(FRAMES)
    assert not board.own.known
    board.rest(PATIENCE)
    assert told(board.read().cells) == stands(CROSS, {})


def test_how_the_pieces_look_is_learnt_from_those_that_are_plain() -> None:
    board = Board(CROSS, drawn_cross(4), seed=4)  # a bright lamp has bleached all four colours
    board.rest()
    pieces = {cell: Seat(1 + i % 4) for i, cell in enumerate(("2", "9", "15", "22", "29", "35", "41", "48"))}
    board.table.lay_out({cell: (seat,) for cell, seat in pieces.items()})
    assert pieces.keys() - told(board.read().cells).keys() == {"29", "35"}
    board.rest()
    assert told(board.read().cells) == stands(CROSS, pieces)


@pytest.mark.parametrize(
    ("layout", "art", "seed"),
    [
        pytest.param(CROSS, drawn_cross(8, shaded=ODD), 8, id="cross"),
        pytest.param(CHESS, wooden_chessboard(2), 2, id="chess"),
    ],
)
def test_one_picture_alone_is_read_by_a_guess(layout: Layout, art: Image, seed: int) -> None:
    with drawn_on(art):
        table = SimulatedTable(layout, seed=seed, size=SIZE)
    names = [cell.name for cell in layout.cells]
    pieces = {names[3]: Seat(1), names[15]: Seat(2), names[28]: Seat(3), names[40]: Seat(4)}
    table.lay_out({cell: (seat,) for cell, seat in pieces.items()})
    seen = Glancer(layout, SEATS).look(table.frame().image, field_px(table, layout))
    assert isinstance(seen, Glance)
    assert max(abs(value) for values in seen.seen.cells.values() for value in values.values()) <= GUESS
    assert told(seen.seen.cells, 2.0) == stands(layout, pieces)


def test_one_picture_is_read_against_one_of_the_empty_board_that_has_moved_since() -> None:
    with drawn_on(drawn_cross(8, shaded=ODD, stained=STAINED)):
        table = SimulatedTable(CROSS, seed=8, size=SIZE)
    glancer = Glancer(CROSS, SEATS)
    assert glancer.learn(table.frame().image, field_px(table, CROSS)) is None
    table.lay_out({cell: (seat,) for cell, seat in STOOD.items()})
    table.bump(8, 6, 1)
    table.lamp(0.6)
    while table.busy:
        table.blink()
    seen = glancer.look(table.frame().image)
    assert isinstance(seen, Glance)
    assert told(seen.seen.cells) == stands(CROSS, STOOD)
    assert seen.plights == ()


def test_our_print_is_told_from_a_board_of_ones_own() -> None:
    printed = load("patolli")
    sheet = top_view(printed, PX_PER_MM)
    assert is_printed(sheet, printed, PX_PER_MM)
    assert is_printed((sheet * np.array([0.5, 0.6, 0.7])).astype(np.uint8), printed, PX_PER_MM), "in another light"
    assert not is_printed(np.full_like(sheet, 180), printed, PX_PER_MM)
    assert not is_printed(sheet[:, ::-1].copy(), printed, PX_PER_MM)
    assert not is_printed(sheet, replace(printed, chips=()), PX_PER_MM)


def test_between_two_colours_lies_a_hue_that_is_neither() -> None:
    colours: Sequence[tuple[int, int, int]] = [(60, 180, 233), (90, 112, 228)]
    yellow, red = opponent(log_colours(np.array([colours], np.uint8)))[0]
    ((middle, spread), _) = between(np.stack([yellow, red]))
    assert middle == pytest.approx((yellow[1:] + red[1:]) / 2)
    assert spread == pytest.approx(0.18)
    assert between(np.array([[5.0, 0.01, 0.0], [3.0, 0.0, 0.02]], np.float32)) == (), "black and white have no hue"
