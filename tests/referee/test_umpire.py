"""The umpire weighs whole boards: tables of likelihoods in, verdicts out."""

import math
import random

import pytest

from referee.board import Cell, Occupancy, Seat
from referee.observation import BoardSeen
from referee.umpire import judge

JADE, CORAL = Seat(1), Seat(3)
CELLS = tuple(str(number) for number in range(1, 53))
BEFORE: Occupancy = {"4": (JADE,), "11": (JADE,), "13": (CORAL,), "30": (CORAL,)}
OUTCOMES: dict[str, tuple[Occupancy, ...]] = {
    "4>6": ({"6": (JADE,), "11": (JADE,), "13": (CORAL,), "30": (CORAL,)},),
    "11>13": ({"4": (JADE,), "13": (JADE,), "30": (CORAL,)},),
}


def seen(occupancy: Occupancy, *, sure: float = 14.0, hidden: tuple[Cell, ...] = ()) -> BoardSeen:
    """A picture in which every cell speaks for what stands on it, ``sure`` nats against each alternative."""
    cells: dict[Cell, dict[Seat | None, float]] = {}
    for cell in CELLS:
        if cell not in hidden:
            stack = occupancy.get(cell)
            there = stack[-1] if stack else None
            cells[cell] = {state: 0.0 if state == there else -sure for state in (None, JADE, CORAL)}
    return BoardSeen(cells)


def without(*cells: Cell) -> dict[Cell, tuple[Seat, ...]]:
    return {cell: stack for cell, stack in BEFORE.items() if cell not in cells}


@pytest.mark.parametrize(
    ("shown", "kind", "move", "cells"),
    [
        pytest.param(BEFORE, "nothing", None, (), id="nothing moved"),
        pytest.param(OUTCOMES["4>6"][0], "move", "4>6", ("4", "6"), id="a legal move"),
        pytest.param(OUTCOMES["11>13"][0], "move", "11>13", ("11", "13"), id="a capture"),
        pytest.param(without("4"), "lifted", None, ("4",), id="a piece in the hand"),
        pytest.param(without("13"), "lifted", None, ("13",), id="the captured piece first"),
        pytest.param({**without("4"), "5": (JADE,)}, "illegal", "4>5", ("4", "5"), id="one too short"),
        pytest.param({**without("30"), "32": (CORAL,)}, "illegal", "30>32", ("30", "32"), id="the wrong player"),
        pytest.param(
            {**without("11"), "30": (JADE,)}, "illegal", "11>30", ("11", "30"), id="captures where it may not"
        ),
        pytest.param({**BEFORE, "1": (JADE,)}, "illegal", "reserve>1", ("1",), id="enters where it may not"),
        pytest.param(
            {**OUTCOMES["4>6"][0], "20": (CORAL,)}, "illegal", None, ("4", "6", "20"), id="a legal move and one more"
        ),
    ],
)
def test_verdict(shown: Occupancy, kind: str, move: str | None, cells: tuple[Cell, ...]) -> None:
    verdict = judge(seen(shown), BEFORE, OUTCOMES)
    assert (verdict.kind, verdict.move, verdict.cells) == (kind, move, cells)


def test_a_legal_move_is_no_illegal_one_however_the_game_writes_it() -> None:
    """Batok's ``3`` looks like ``reserve>3``, Ludo's ``b1>f1`` from a stack like ``reserve>f1``."""
    outcomes: dict[str, tuple[Occupancy, ...]] = {"3": ({"3": (JADE,)},), "1,2": ({"1": (JADE,), "2": (JADE,)},)}
    board = seen({"3": (JADE,)}, sure=9.0, hidden=CELLS[10:])
    verdict = judge(board, {}, outcomes)
    assert (verdict.kind, verdict.move) == ("move", "3")


def test_a_move_carries_the_board_it_left() -> None:
    """Where a player is out, his pieces may or may not be cleared: the picture tells which."""
    cleared, standing = {"4": (JADE,), "13": (JADE,)}, {"4": (JADE,), "13": (JADE,), "30": (CORAL,)}
    assert judge(seen(standing), BEFORE, {"11>13": (cleared, standing)}).board == standing
    assert judge(seen(cleared), BEFORE, {"11>13": (cleared, standing)}).board == cleared


@pytest.mark.parametrize("hidden", [("6",), ("4", "6")])
def test_a_move_is_never_taken_to_a_cell_that_cannot_be_read(hidden: tuple[Cell, ...]) -> None:
    verdict = judge(seen(OUTCOMES["4>6"][0], hidden=hidden), BEFORE, OUTCOMES)
    assert verdict.kind in ("unclear", "lifted", "nothing")


def test_a_move_from_a_cell_that_cannot_be_read_is_inferred() -> None:
    """A lamp's reflection over the cell it left must not hold up the game."""
    verdict = judge(seen(OUTCOMES["4>6"][0], hidden=("4",)), BEFORE, OUTCOMES)
    assert (verdict.kind, verdict.move, verdict.inferred) == ("move", "4>6", True)
    assert not judge(seen(OUTCOMES["4>6"][0]), BEFORE, OUTCOMES).inferred
    # Two pieces could have come from under the reflection: then it is asked.
    before = {**BEFORE, "5": (JADE,)}
    either = {f"{cell}>6": ({**{k: v for k, v in before.items() if k != cell}, "6": (JADE,)},) for cell in ("4", "5")}
    assert judge(seen(either["4>6"][0], hidden=("4", "5")), before, either).kind == "unclear"
    assert judge(seen(either["4>6"][0], hidden=("4",)), before, either).move == "4>6"


def test_a_capture_needs_its_target_seen_to_have_changed_hands() -> None:
    assert judge(seen(OUTCOMES["11>13"][0], hidden=("11",)), BEFORE, OUTCOMES).inferred
    assert judge(seen(OUTCOMES["11>13"][0], hidden=("13",)), BEFORE, OUTCOMES).kind in ("unclear", "lifted")


@pytest.mark.parametrize("hidden", [("4",), ("13", "20"), ("4", "30")])
def test_a_piece_that_cannot_be_seen_is_not_missing(hidden: tuple[Cell, ...]) -> None:
    assert judge(seen(BEFORE, hidden=hidden), BEFORE, OUTCOMES).kind == "nothing"


def test_two_legal_moves_that_look_alike_are_asked() -> None:
    """The piece stands on the line between 6 and 7, and both would be legal."""
    board = seen(without("4"))
    cells = dict(board.cells)
    cells["6"] = cells["7"] = {None: 0.0, JADE: 0.0, CORAL: -8.0}
    both = {"4>6": OUTCOMES["4>6"], "4>7": ({**without("4"), "7": (JADE,)},)}
    assert judge(BoardSeen(cells), BEFORE, both).kind == "unclear"
    assert judge(BoardSeen(cells), BEFORE, {"4>6": OUTCOMES["4>6"]}).kind in ("move", "unclear")


def test_a_piece_between_two_cells_of_which_one_is_legal_is_inferred() -> None:
    """B1: each of the two cells bears a little evidence, as much as the reader gives a piece on their border."""
    cells = dict(seen(without("4")).cells)
    cells["6"] = cells["7"] = {None: 0.0, JADE: 2.0, CORAL: -8.0}
    verdict = judge(BoardSeen(cells), BEFORE, {"4>6": OUTCOMES["4>6"]})
    assert (verdict.kind, verdict.move, verdict.inferred) == ("move", "4>6", True)


def test_one_blind_picture_says_nothing() -> None:
    flat = {cell: {None: 0.0, JADE: 0.0, CORAL: 0.0} for cell in CELLS}
    assert judge(BoardSeen(flat), BEFORE, OUTCOMES).kind == "unclear"


def test_noise_is_asked_or_right_but_not_wrong() -> None:
    """Cells wrong at random, 2 in 100, and weak evidence: in 600 pictures no wrong move, few questions."""
    rng = random.Random(5)
    boards = {"nothing": BEFORE} | {move: results[0] for move, results in OUTCOMES.items()}
    kinds: dict[str, int] = {"right": 0, "asked": 0, "wrong": 0}
    for _ in range(600):
        name = rng.choice(list(boards))
        cells = {}
        for cell in CELLS:
            stack = boards[name].get(cell)
            there = stack[-1] if stack else None
            shown = rng.choice([None, JADE, CORAL]) if rng.random() < 0.02 else there
            sure = math.log(50)
            cells[cell] = {state: 0.0 if state == shown else -sure for state in (None, JADE, CORAL)}
        verdict = judge(BoardSeen(cells), BEFORE, OUTCOMES)
        said = verdict.move if verdict.kind == "move" else verdict.kind
        if said == name:
            kinds["right"] += 1
        else:
            kinds["asked" if verdict.kind in ("unclear", "illegal", "lifted") else "wrong"] += 1
    assert kinds["wrong"] == 0
    assert kinds["right"] > 400


def test_the_verdict_of_an_empty_board() -> None:
    verdict = judge(seen({}), {}, {})
    assert (verdict.kind, verdict.move, verdict.cells) == ("nothing", None, ())
