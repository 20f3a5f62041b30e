"""Ludo's moves once more, walked on coordinates: an oracle that shares nothing with the rules."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from random import Random

import pytest

from referee import rules
from referee.rules import BadQuestion
from referee.throws import Dice
from tests.referee.ludo_positions import GAME, at

HOMES = {
    1: ["a1", "b2", "c3", "d4"],
    2: ["a8", "b7", "c6", "d5"],
    3: ["h8", "g7", "f6", "e5"],
    4: ["h1", "g2", "f3", "e4"],
}
CORNERS = {home[0] for home in HOMES.values()}


def step(seat: int, square: str, corners: str) -> str | None:
    """RULES 2 once more, walked on coordinates: the next square of a man's way, None after the last."""
    if square in HOMES[seat]:
        return dict(pairwise(HOMES[seat])).get(square)
    x, y = ord(square[0]) - ord("a"), int(square[1]) - 1
    if y in (0, 7) and (x, y) not in ((7, 0), (0, 7)):
        x += 1 if y == 0 else -1
    else:
        y += 1 if x == 7 else -1
    ahead = f"{chr(ord('a') + x)}{y + 1}"
    if ahead in CORNERS - {HOMES[seat][0]} and corners == "own":
        return step(seat, ahead, "own past a corner")
    return ahead


def oracle(men: Mapping[int, list[str]], turn: int, die: int, corners: str) -> dict[str, tuple[object, int | None]]:
    """For each legal move the men after it and who throws next, None once the mover has won."""
    found: dict[str, tuple[object, int | None]] = {}
    for origin in {*men[turn], "reserve"}:
        target: str | None = origin
        for _ in range(die):
            target = step(turn, target, corners) if target not in (None, "reserve") else target
        if origin == "reserve":
            target = {1: "b1", 2: "a7", 3: "g8", 4: "h2"}[turn] if die == 6 and len(men[turn]) < 4 else None
        if target is None:
            continue
        after = {seat: [*squares] for seat, squares in men.items()}
        if origin != "reserve":
            after[turn].remove(origin)
        after[turn].append(target)
        hit = target not in CORNERS and any(target in squares for seat, squares in men.items() if seat != turn)
        for seat in after:
            if seat != turn and hit:
                after[seat] = [square for square in after[seat] if square != target]
        won = sum(square in HOMES[turn] for square in after[turn]) == 4
        again = turn if hit or die == 6 else following(turn, [*men])
        found[f"{origin}>{target}"] = (
            {seat: sorted(squares) for seat, squares in after.items()},
            None if won else again,
        )
    if found and all(move[:2] in HOMES[turn] for move in found):
        found["pass"] = ({seat: sorted(squares) for seat, squares in men.items()}, following(turn, [*men]))
    return found


def following(turn: int, seats: list[int]) -> int:
    order = [4, 3, 2, 1] * 2
    return next(seat for seat in order[order.index(turn) + 1 :] if seat in seats)


@pytest.mark.parametrize("corners", ["own", "shared"])
def test_moves_and_their_ends_are_those_of_an_independent_oracle(corners: str) -> None:
    random, wrong, asked = Random(6), [], 0
    ways = {seat: list(iter_way(seat, corners)) for seat in (1, 2, 3, 4)}
    while asked < 600:
        seats = sorted(random.sample([1, 2, 3, 4], random.randint(2, 4)))
        men = {seat: sorted(random.choices(ways[seat], k=random.randint(0, 4))) for seat in seats}
        state = at(random.choice(seats), {seat: " ".join(squares) for seat, squares in men.items()})
        try:
            position = GAME.load("chessboard", state, {"corners": corners})
        except BadQuestion:
            continue
        asked += 1
        assert position.turn is not None
        for die in range(1, 7):
            found: dict[str, tuple[object, int | None]] = {}
            for move in GAME.legal(position, Dice((die,))):
                after = rules.fold(GAME, position, GAME.decide(position, Dice((die,)), move))
                found[move] = ({player.seat: list(player.track) for player in after.players}, after.turn)
            if found != oracle(men, position.turn, die, corners):
                wrong.append((state, die))
    assert wrong == []


def iter_way(seat: int, corners: str) -> Iterator[str]:
    square: str | None = {1: "b1", 2: "a7", 3: "g8", 4: "h2"}[seat]
    while square is not None:
        yield square
        square = step(seat, square, corners)
