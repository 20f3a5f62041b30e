"""The tally counts each throw once, and only when it is certain."""

from collections.abc import Iterator

import pytest

from referee.observation import Observation, Plight, ThrowSeen
from referee.rules import Needs
from referee.throws import Beans, Dice, Throw
from server.tally import Tally, same_throw
from tests.server.rests import DARK, EMPTY, FIVE, HERE, ONE_NUDGED, SHIFTED, THERE, TWO, beans, dice, observed

UNSEEN = ThrowSeen("none", plights=("missing",))
"""Of a place that is empty, where it is known what is thrown."""


def counted(observations: Iterator[Observation], needs: Needs) -> list[Throw | tuple[Plight, ...]]:
    """Throws that count and plights that are told, in order."""
    tally = Tally(needs)
    told = [*(tally.see(seen, 640) for seen in observations), tally.end(640)]
    return [one.throw or one.seen.plights for one in told if one]


@pytest.mark.parametrize(
    ("needs", "rests", "told"),
    [
        pytest.param(FIVE, (beans(3), EMPTY, beans(2, THERE)), [Beans(3), Beans(2)], id="two throws"),
        pytest.param(
            FIVE, (UNSEEN, beans(3), UNSEEN, beans(2, THERE)), [Beans(3), Beans(2)], id="nothing is no plight"
        ),
        pytest.param(FIVE, (beans(3), beans(3, THERE)), [Beans(3), Beans(3)], id="thrown again, never seen empty"),
        pytest.param(FIVE, (beans(3), beans(3)), [Beans(3)], id="a hand passed over it"),
        pytest.param(FIVE, (beans(3), EMPTY, beans(3)), [Beans(3)], id="wrongly seen empty"),
        pytest.param(FIVE, (beans(3), beans(4, ONE_NUDGED)), [Beans(3)], id="one was nudged over"),
        pytest.param(FIVE, (beans(3), beans(3, SHIFTED)), [Beans(3)], id="the camera was bumped"),
        pytest.param(FIVE, (beans(3), DARK, beans(3)), [Beans(3), ("dark",)], id="the lamp went off and on"),
        pytest.param(
            FIVE,
            (beans(3), beans(1, HERE[:2], ("missing",)), beans(3)),
            [Beans(3)],
            id="seen worse in between",
        ),
        pytest.param(FIVE, (beans(2, HERE, ("glare",)), beans(2)), [("glare",), Beans(2)], id="shaded, then read"),
        pytest.param(
            FIVE,
            (beans(2, HERE, ("leaning",)), beans(2), beans(3, THERE)),
            [("leaning",), Beans(3)],
            id="a leaning bean laid flat by hand does not count",
        ),
        pytest.param(FIVE, (beans(2, HERE, ("glare",)),) * 3, [("glare",)], id="a plight is told once"),
        pytest.param(FIVE, (DARK, DARK, beans(0)), [("dark",), Beans(0)], id="darkness is told once"),
        pytest.param(FIVE, ((beans(4), 2), EMPTY), [Beans(4)], id="a short rest"),
        pytest.param(FIVE, ((beans(4), 2),), [Beans(4)], id="a short rest at the end"),
        pytest.param(FIVE, (dice(2, 5),), [()], id="dice where beans are counted"),
        pytest.param(TWO, (dice(5, 2), dice(6, 6, spots=THERE)), [Dice((2, 5)), Dice((6, 6))], id="dice"),
        pytest.param(TWO, (dice(5, 2), dice(4, 2, spots=(THERE[0], HERE[1]))), [Dice((2, 5))], id="one die turned"),
    ],
)
def test_what_counts(
    needs: Needs, rests: tuple[ThrowSeen | tuple[ThrowSeen, int], ...], told: list[Throw | tuple[Plight, ...]]
) -> None:
    assert counted(observed(*rests), needs) == told


def test_the_second_thought_of_the_reader_counts() -> None:
    first, settled = beans(3), beans(2)
    seen = [Observation(i / 10, "rest", first if i < 4 else settled) for i in range(9)]
    assert counted(iter(seen), FIVE) == [Beans(2)]


def test_photographs_show_one_throw_if_several_things_lie_there_with_the_same_faces() -> None:
    assert same_throw(beans(3), beans(3), 640)
    assert not same_throw(beans(3), beans(2), 640)
    assert not same_throw(beans(3), beans(3, SHIFTED), 640)
    assert not same_throw(beans(3), beans(3, THERE), 640)
    assert same_throw(dice(2, 5), dice(2, 5), 640)
    assert not same_throw(dice(4), dice(4), 640), "one die may lie on a spot twice"
