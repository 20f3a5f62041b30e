"""The batched rules of Patolli against the plain ones: same moves, same positions, same ends, ply by ply."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from referee import rules
from referee.board import Seat
from referee.games.patolli import Patolli
from referee.games.patolli_moves import write
from referee.games.patolli_position import OFF, PatolliPosition
from referee.games.patolli_presets import CELLS, PRESETS, first_cell
from referee.players.patolli_batch import Batch, Bits
from referee.players.patolli_step import Marks, legal, step
from referee.players.random_play import choose, nth, play, throw
from referee.throws import Beans
from tests.referee.positions import EAST, NORTH, SOUTH, WEST, at, duel
from tests.referee.test_patolli import ALL_STAKES, CLASSIC, JADE_CORAL, MODERN, QUICK

GAME = Patolli()
TWO, FOUR = (SOUTH, NORTH), (SOUTH, WEST, NORTH, EAST)
THREES = ((SOUTH, WEST, NORTH), (SOUTH, WEST, EAST), (SOUTH, NORTH, EAST), (WEST, NORTH, EAST))
BROKE = [pytest.param(at(1, {1: (0, [1], 5, 0), 3: (4, [4, 40], 0, 0)}, pot=5), id="R-LAST-AT-ONCE on a triangle")]
RULINGS = (("modern", BROKE), ("classic", CLASSIC), ("modern", MODERN), ("quick", QUICK), ("all-stakes", ALL_STAKES))
STAKED = [name for name, preset in PRESETS.items() if preset.staked]


def begun(preset: str, seats: tuple[Seat, ...], stakes: int | None = None, rows: tuple[int, ...] = (4,)) -> object:
    options = {"triangle_rows": list(rows)}
    name = f"{preset} {''.join(map(str, seats))} stakes {stakes or 'default'} rows {rows}"
    return pytest.param(GAME.start(preset, seats, options, stakes), id=name)


STARTS = [
    *(begun(preset, seats) for preset in STAKED for seats in (TWO, *THREES, FOUR)),
    *(begun(preset, seats, 2) for preset in STAKED for seats in (TWO, *THREES, FOUR)),
    *(begun(preset, FOUR, 3, (1, 6)) for preset in STAKED),
    begun("jade-coral", TWO),
    pytest.param(GAME.start("jade-coral", TWO, {"throw_limit": 40}), id="jade-coral to a draw"),
]


def written(position: PatolliPosition, bits: int, steps: int) -> tuple[str, ...]:
    """Moves of a batch as the plain rules write them."""
    if position.turn is None:
        return ("one in a game that is over",) * bits.bit_count()
    first = first_cell(position.turn)

    def cell(bit: int) -> int:
        return (first + bit - 2) % CELLS + 1 if 0 < bit <= CELLS else OFF

    return tuple(sorted(write(cell(bit), cell(bit + steps)) for bit in range(64) if bits >> bit & 1))


def plain(position: PatolliPosition, marks: int, chosen: tuple[str, ...]) -> PatolliPosition:
    """The position one throw later; ``chosen`` is one move or none."""
    if position.over is not None:
        return position
    (move,), beans = chosen or (None,), Beans(marks)
    return rules.fold(GAME, position, (rules.thrown(GAME, position, beans), *GAME.decide(position, beans, move)))


def moves_of(positions: Sequence[PatolliPosition], bits: Bits, marks: Marks) -> list[tuple[str, ...]]:
    steps = [position.terms.preset.steps[thrown] for position, thrown in zip(positions, marks, strict=True)]
    return [written(*game) for game in zip(positions, map(int, bits), steps, strict=True)]


def legal_by_the_plain_rules(positions: Sequence[PatolliPosition], marks: Marks) -> list[tuple[str, ...]]:
    return [GAME.legal(position, Beans(int(thrown))) for position, thrown in zip(positions, marks, strict=True)]


@pytest.mark.parametrize("position", STARTS)
def test_every_step_is_that_of_the_plain_rules(position: PatolliPosition) -> None:
    games, throws, random = 4, 300, np.random.default_rng(3)
    batch, positions = Batch.at(position, games), [position] * games
    for _ in range(throws):
        marks = throw(games, random)
        moves = legal(batch, marks)
        assert moves_of(positions, moves, marks) == legal_by_the_plain_rules(positions, marks)
        choice = choose(moves, random)
        chosen = moves_of(positions, choice, marks)
        batch = step(batch, marks, choice)
        positions = [plain(*game) for game in zip(positions, map(int, marks), chosen, strict=True)]
        assert [batch.position(game) for game in range(games)] == positions


@pytest.mark.parametrize(
    ("preset", "before", "options"),
    [
        *(
            pytest.param(preset, row.values[0], {}, id=f"{preset}: {row.id}")
            for preset, rows in RULINGS
            for row in rows
        ),
        *(pytest.param("jade-coral", row.values[0], row.values[3], id=f"jade-coral: {row.id}") for row in JADE_CORAL),
    ],
)
def test_every_throw_and_move_in_the_positions_of_the_rulings(
    preset: str, before: object, options: Mapping[str, object]
) -> None:
    position = GAME.load(preset, before, options)
    batch, marks = Batch.at(position, 6), np.arange(6, dtype=np.uint8)
    positions = [position] * 6
    assert [batch.position(game) for game in range(6)] == positions
    moves = legal(batch, marks)
    assert moves_of(positions, moves, marks) == legal_by_the_plain_rules(positions, marks)
    for index in range(int(np.bitwise_count(moves).max())):
        choice = nth(moves, np.minimum(index, np.bitwise_count(moves) - (moves > 0)))
        chosen = moves_of(positions, choice, marks)
        after = step(batch, marks, choice)
        expected = [plain(*game) for game in zip(positions, map(int, marks), chosen, strict=True)]
        assert [after.position(game) for game in range(6)] == expected


def test_a_batch_may_begin_anywhere_and_takes_games_of_another() -> None:
    duels = [duel(3, (2, [13, 52], 2), (4, [7, 40], 0), throws) for throws in (8, 1999)]
    one, other = (GAME.load("jade-coral", state, {}) for state in duels)
    mixed = Batch.at(one, 3).replaced(np.array([False, True, False]), Batch.at(other, 3))
    assert [mixed.position(game) for game in range(3)] == [one, other, one]


def test_a_purse_holds_whatever_may_be_won() -> None:
    rich = GAME.load("classic", at(1, {1: (0, [52], 5, 1), 3: (6, [], 0, 5)}, pot=10**9 - 6), {})
    marks = np.array([1], np.uint8)
    batch = Batch.at(rich, 1)
    assert step(batch, marks, legal(batch, marks)).position(0) == plain(rich, 1, ("52>home",))


def test_moves_are_told_apart_by_index() -> None:
    moves = np.array([0b101001, 0, 1 << 53], np.uint64)
    found = [nth(moves, np.full(3, index, np.uint64)).tolist() for index in range(4)]
    assert found == [[1, 0, 1 << 53], [0b1000, 0, 0], [0b100000, 0, 0], [0, 0, 0]]


def test_choices_and_throws_are_fair() -> None:
    n, random = 60_000, np.random.default_rng(1)
    chosen = np.unique_counts(choose(np.full(n, 0b1000101, np.uint64), random))
    assert chosen.values.tolist() == [1, 4, 64]
    assert chosen.counts / n == pytest.approx([1 / 3] * 3, abs=0.008)
    marks = np.bincount(throw(n, random), minlength=6)
    assert marks / n == pytest.approx(np.array([1, 5, 10, 10, 5, 1]) / 32, abs=0.009)


def test_every_ply_of_random_play_counts_once() -> None:
    start = Batch.at(GAME.start("jade-coral", TWO, {"throw_limit": 10}), 7)
    # No game ends before the tenth throw, which ends all; new ones begin with the 17th throw of the batch.
    assert play(start, 36, np.random.default_rng(2)) == 7 * (10 + 10 + 4)
