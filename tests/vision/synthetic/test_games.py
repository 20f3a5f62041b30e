"""What games besides Patolli need of the simulated table: stacks, sticks, dice, lots."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from calibration.layout import load
from referee.board import Seat
from referee.throws import Beans, Dice, Throw
from vision.synthetic.arm import BRISK
from vision.synthetic.conditions import Conditions, PieceKind
from vision.synthetic.table import SimulatedTable

LUDO = load("ludo")
SOUTH, NORTH = Seat(1), Seat(3)


def a_table(game: str = "ludo", pieces: PieceKind = "draught") -> SimulatedTable:
    conditions = replace(Conditions.drawn(np.random.default_rng(3)), pieces=pieces)
    return SimulatedTable(load(game), seed=2, size=(160, 90), conditions=conditions, tempo=BRISK)


def run(table: SimulatedTable) -> None:
    while table.busy:
        table.blink()


def apart_mm(table: SimulatedTable, cell: str) -> list[float]:
    """Distances between the pieces on a cell, shortest first."""
    return sorted(float(np.hypot(*np.subtract(a, b))) for a, b in combinations(table.spots_mm()[cell], 2))


def test_draughts_of_a_seat_stand_on_each_other_and_the_uppermost_goes_first() -> None:
    table = a_table()
    table.lay_out({"b1": (SOUTH, SOUTH, SOUTH)})
    assert apart_mm(table, "b1")[-1] < 4
    lowest = table.spots_mm()["b1"][0]
    table.move("b1", "e1", SOUTH)
    run(table)
    assert table.truth().occupancy == {"b1": (SOUTH, SOUTH), "e1": (SOUTH,)}
    assert table.spots_mm()["b1"][0] == lowest


@pytest.mark.parametrize("men", [2, 3, 4])
def test_pebbles_of_a_seat_lie_side_by_side_in_their_square(men: int) -> None:
    table = a_table(pieces="pebble")
    table.lay_out({"b1": (SOUTH,) * men})
    assert apart_mm(table, "b1")[0] > 17
    middle = LUDO.cell("b1").centre_mm
    assert np.abs(np.subtract(table.spots_mm()["b1"], middle)).max() < 12
    assert table.truth().occupancy == {"b1": (SOUTH,) * men}


@pytest.mark.parametrize("pieces", ["draught", "pebble"])
def test_captured_men_are_taken_off_one_by_one(pieces: PieceKind) -> None:
    table = a_table(pieces=pieces)
    table.lay_out({"b1": (SOUTH,), "e1": (NORTH, NORTH)})
    table.move("b1", "e1", SOUTH)
    run(table)
    assert table.truth().occupancy == {"e1": (SOUTH, NORTH, NORTH)}
    for left in ((SOUTH, NORTH), (SOUTH,)):
        table.remove("e1", SOUTH, NORTH)
        run(table)
        assert table.truth().occupancy == {"e1": left}
    assert np.abs(np.subtract(table.spots_mm()["e1"][0], LUDO.cell("e1").centre_mm)).max() <= 0.2 * 38


def test_sticks_of_another_seats_hand_look_like_everybodys_and_are_gone_in_the_hole() -> None:
    table = a_table("batok", "stick")
    table.move("reserve", "3", NORTH, SOUTH)
    table.drop("hole", NORTH, SOUTH)
    run(table)
    assert table.truth().occupancy == {"3": (SOUTH,)}
    assert not table.truth().hand


def test_four_lots_are_thrown() -> None:
    table = a_table("ur")
    table.throw(3, count=4)
    run(table)
    assert (table.truth().thrown, table.truth().marks) == (Beans(3, 4), None)
    with pytest.raises(ValueError, match="5 of 4 flat beans"):
        table.throw(5, count=4)


@pytest.mark.parametrize(
    ("cocked", "thrown", "faces"),
    [pytest.param(False, Dice((2, 5)), {5, 2}, id="flat"), pytest.param(True, None, {"edge", 2}, id="one is askew")],
)
def test_dice_show_what_was_rolled(cocked: bool, thrown: Throw | None, faces: set[object]) -> None:
    table = a_table("batok")
    table.roll((5, 2), cocked=cocked)
    run(table)
    assert table.truth().thrown == thrown
    assert {die.face for die in table.truth().lying} == faces


def test_touching_dice_lie_flush_and_others_do_not() -> None:
    def between_mm(touching: bool) -> float:
        table = a_table("batok")
        table.roll((5, 2), touching=touching)
        run(table)
        one, two = (die.at_mm for die in table.truth().lying)
        return float(np.hypot(*np.subtract(one, two)))

    assert 13 < between_mm(True) < 16.5
    assert between_mm(False) > 25
