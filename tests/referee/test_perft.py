"""How many ways a match can go on from a position, counted: a change of the rules shows in these numbers.

A ply is a throw, whichever, with one of the moves it allows, or a move instead of a throw. Sequences of so many plies
are counted, each throw once however likely it is; a match that ends earlier counts once.
"""

from itertools import combinations_with_replacement
from typing import Any

import pytest

from referee import rules
from referee.notation_position import parse_position
from referee.registry import GAMES
from referee.rules import Game
from referee.throws import Beans, Dice, Throw

COUNTS: list[tuple[str, list[int]]] = [
    ("patolli classic turn=1 pot=0 | 1 reserve=6 track=[] home=0 stakes=20 | 3 reserve=6 track=[] home=0 stakes=20",
     [6, 36, 216, 1296]),
    ("patolli classic turn=2 pot=3 | 1 reserve=2 track=[13 52] home=2 stakes=1 | 2 reserve=1 track=[3 9 12] home=2 "
     "stakes=0 | 4 reserve=3 track=[14 26 39] home=0 stakes=2", [11, 138, 1127]),
    ("patolli classic (triangle_rows=[4 6]) turn=1 pot=1 | 1 reserve=2 track=[2 4 6] home=1 stakes=0 | "
     "3 reserve=4 track=[8 40] home=0 stakes=1", [13, 110, 1472]),
    ("patolli all-stakes turn=3 pot=1 | 1 reserve=3 track=[13 40 51] home=0 stakes=1 | 3 reserve=3 track=[24 26 52] "
     "home=0 stakes=2", [10, 113, 1124]),
    ("patolli modern turn=3 pot=1 | 1 reserve=3 track=[13 40 51] home=0 stakes=3 | 3 reserve=3 track=[24 26 50] home=0 "
     "stakes=2", [23, 537]),
    ("patolli quick turn=4 pot=0 | 1 reserve=1 track=[42 43] home=0 stakes=1 | 4 reserve=1 track=[36] home=1 stakes=4",
     [8, 120, 1139]),
    ("patolli jade-coral turn=1 throws=3 | 1 reserve=2 track=[11 39 50] home=1 | 3 reserve=3 track=[13 26] home=1",
     [15, 118, 1693]),
    ("patolli jade-coral turn=3 throws=1998 | 1 reserve=0 track=[52] home=5 | 3 reserve=6 track=[] home=0",
     [6, 36, 36, 36]),
    ("ludo chessboard turn=1 | 1 reserve=4 track=[] | 3 reserve=4 track=[]", [6, 37, 229, 1455]),
    ("ludo chessboard turn=4 pot=6 | 1 reserve=2 track=[f1 g1] stakes=1 | 2 reserve=0 track=[b7 c1 d5 h2] stakes=0 | "
     "4 reserve=1 track=[d1 e1 g2] stakes=-1", [15, 205, 2715]),
    ("ludo chessboard (corners=shared) turn=3 | 1 reserve=1 track=[a8 g1 h1] | 3 reserve=1 track=[f6 h1 h7]",
     [12, 214, 2897]),
    ("batok standard posts=[] dropped=0 turn=1 may=[throw] | 1 sticks=20 | 2 sticks=20", [41, 1425]),
    ("batok standard posts=[1 3 5 9] dropped=45 turn=6 may=[throw pass] | 1 sticks=5 | 2 sticks=5 | 6 sticks=1",
     [39, 65, 808]),
    ("batok standard (full_board=eleven last_stick=complete) posts=[1 2 3 4 6 7 8 9 10] dropped=25 turn=1 "
     "may=[throw pass] | 1 sticks=1 | 2 sticks=5", [22, 763]),
    ("ur finkel turn=1 | 1 reserve=7 track=[] home=0 | 3 reserve=7 track=[] home=0", [5, 28, 192, 1492]),
    ("ur finkel turn=3 | 1 reserve=0 track=[a7 b2 b4] home=4 | 3 reserve=2 track=[b1 b7 c1 c7] home=1",
     [13, 119, 1583]),
]  # fmt: skip


def throws(game: Game[Any]) -> list[Throw]:
    if game.needs.beans:
        return [Beans(marks, game.needs.beans) for marks in range(game.needs.beans + 1)]
    return [Dice(values) for values in combinations_with_replacement(range(1, 7), game.needs.dice)]


def perft(game: Game[Any], position: Any, plies: int) -> int:
    if plies == 0 or position.over is not None:
        return 1
    found = 0
    for throw in [None, *throws(game)]:
        before = position if throw is None else game.fold(position, rules.thrown(game, position, throw))
        legal = game.legal(position, throw)
        for move in legal or (() if throw is None else (None,)):
            found += perft(game, rules.fold(game, before, game.decide(position, throw, move)), plies - 1)
    return found


@pytest.mark.parametrize(("line", "counts"), COUNTS)
def test_perft(line: str, counts: list[int]) -> None:
    read = parse_position(line)
    game = GAMES[read.game]
    position = game.load(read.preset, read.state, read.options)
    assert [perft(game, position, plies) for plies in range(1, len(counts) + 1)] == counts
