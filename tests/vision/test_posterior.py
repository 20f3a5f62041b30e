"""Which candidates are the throw: against every set, counted one by one."""

from itertools import combinations

import numpy as np
import pytest

from vision.posterior import ALL_SEEN, ANY, FEWER, MORE, NOTHING, RARE, likeliest


def _by_hand(chances: list[float], thrown: int | None, fewest: int) -> tuple[set[int], float]:
    weights: dict[tuple[int, ...], float] = {}
    for number in range(len(chances) + 1):
        prior = {0: NOTHING, thrown: ALL_SEEN}.get(number, FEWER if number < (thrown or 0) else MORE)
        if thrown is None:
            prior = (ANY if number >= fewest else RARE) if number else 1.0
        for some in combinations(range(len(chances)), number):
            parts = [chance if i in some else 1 - chance for i, chance in enumerate(chances)]
            weights[some] = prior * float(np.prod(parts))
    best = max(weights, key=lambda some: weights[some])
    return set(best), weights[best] / sum(weights.values())


@pytest.mark.parametrize("thrown", [5, 3, 2, None])
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("fewest", [1, 3])
def test_as_if_every_set_were_weighed(seed: int, thrown: int | None, fewest: int) -> None:
    chances = [float(chance) for chance in np.random.default_rng(seed).beta(0.4, 0.4, 7).clip(0.001, 0.999)]
    indices, chance = likeliest(chances, thrown, fewest)
    best, probability = _by_hand(chances, thrown, fewest)
    assert set(indices.tolist()) == best
    assert chance == pytest.approx(probability, rel=1e-9)


def test_nothing_there() -> None:
    indices, chance = likeliest([], 5)
    assert (list(indices), chance) == ([], 1.0)


def test_five_were_thrown_so_a_doubtful_sixth_is_none() -> None:
    indices, chance = likeliest([0.99, 0.2, 0.99, 0.99, 0.99, 0.99], 5)
    assert sorted(indices) == [0, 2, 3, 4, 5]
    assert chance > 0.98
    assert likeliest([0.99, 0.2, 0.99, 0.99, 0.99, 0.99], None)[1] < 0.9


def test_one_thing_alone_is_hardly_a_throw_of_beans() -> None:
    assert likeliest([0.97], None, fewest=3)[0].size == 0
    assert likeliest([0.97], None, fewest=1)[0].size == 1
    assert likeliest([0.97, 0.97, 0.97], None, fewest=3)[0].size == 3
