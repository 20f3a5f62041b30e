"""What the reader learns from throws of which only the count is known."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.rules import Needs
from referee.throws import Beans, Dice
from tests.vision.drawn_throws import drawn, stand_in
from vision import beans, taught
from vision.finder import Found
from vision.judge import Judgement, probabilities
from vision.taught import (
    FACES,
    Kind,
    Lesson,
    Taught,
    Teacher,
    counts_of,
    hidden_faces,
    learn,
    lesson_of,
    log_likelihood,
    taught_reader,
)
from vision.together import FEATURES

THING = Found((10.0, 10.0), 20.0, 0.9)


def by_trying_all(chances: NDArray[np.float64], counts: Sequence[int]) -> tuple[NDArray[np.float64], float]:
    """What hidden_faces says, the slow way."""
    things, faces = chances.shape
    given = np.zeros_like(chances)
    for shown in product(range(faces), repeat=things):
        if [shown.count(face) for face in range(faces)] == list(counts):
            given[range(things), shown] += np.prod(chances[range(things), shown])
    together = float(given[0].sum())
    return given / together, np.log(together)


@pytest.mark.parametrize(
    "counts",
    [
        pytest.param((2, 3), id="two of five marked"),
        pytest.param((0, 5), id="none marked"),
        pytest.param((1, 0, 0, 2, 0, 1), id="four dice"),
        pytest.param((0, 0, 3, 0, 0, 0), id="three threes"),
    ],
)
def test_hidden_faces_are_as_trying_all_of_them_says(counts: tuple[int, ...]) -> None:
    chances = np.random.default_rng(3).dirichlet(np.ones(len(counts)), sum(counts))
    given, log_chance = hidden_faces(chances, counts)
    all_given, all_log_chance = by_trying_all(chances, counts)
    assert given == pytest.approx(all_given)
    assert log_chance == pytest.approx(all_log_chance)


def judged(rng: np.random.Generator, kind: Kind, shown: Sequence[int], sure: float, taken_for: Sequence[int]) -> Lesson:
    """A throw of things whose features tell their face, which the net takes for another, as surely as said."""
    judgements = []
    for face in shown:
        features = np.abs(rng.normal(0, 0.2, FEATURES))
        features[10 * face : 10 * face + 10] += 1.0
        logits = np.where(np.arange(FACES[kind] + 2) == taken_for[face], sure, 0.0)
        judgements.append(Judgement(logits.astype(np.float32), features.astype(np.float32), THING))
    return lesson_of(judgements, kind, tuple(shown.count(face) for face in range(FACES[kind])))


def throws(kind: Kind, number: int, things: int, sure: float, taken_for: Sequence[int]) -> list[Lesson]:
    """So many throws of one set."""
    rng = np.random.default_rng(5)
    return [
        judged(rng, kind, [int(face) for face in rng.integers(0, FACES[kind], things)], sure, taken_for)
        for _ in range(number)
    ]


def likelihood(lessons: Sequence[Lesson], taught: Taught | None = None) -> float:
    """Mean of the confirmed counts' log-likelihood."""
    return float(np.mean([log_likelihood(lesson, taught) for lesson in lessons]))


@pytest.mark.parametrize(
    ("kind", "things", "sure", "taken_for"),
    [
        pytest.param("beans", 5, 1.0, (1, 1), id="the mark is not seen"),
        pytest.param("beans", 5, 1.0, (1, 0), id="the sides are taken for each other"),
        pytest.param("beans", 5, 0.0, (0, 1), id="the net has no opinion"),
        pytest.param("dice", 2, 1.0, (0, 1, 2, 3, 5, 5), id="a five is taken for a six"),
    ],
)
def test_a_shift_is_learnt(kind: Kind, things: int, sure: float, taken_for: Sequence[int]) -> None:
    lessons = throws(kind, 60, things, sure, taken_for)
    taught, held_out = learn(kind, lessons[:20]), lessons[20:]
    assert likelihood(held_out, taught) > likelihood(held_out) + 0.5


def test_a_good_judge_is_hardly_changed() -> None:
    lessons = throws("beans", 40, 5, 8.0, (0, 1))
    taught, held_out = learn("beans", lessons[:15]), lessons[15:]
    assert likelihood(held_out) > -0.01
    assert likelihood(held_out, taught) > likelihood(held_out) - 0.001
    assert np.abs(taught.weights).max() < 0.15


def test_a_stronger_penalty_believes_the_throws_less() -> None:
    lessons = throws("beans", 15, 5, 1.0, (1, 1))
    sizes = [float(np.abs(learn("beans", lessons, penalty).weights).max()) for penalty in (0.1, 1.0, 10.0, 1e6)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < 1e-4


@pytest.mark.parametrize("temperature", [1.0, 1.7])
def test_only_the_faces_are_weighed_anew(temperature: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beans, "TEMPERATURE", temperature)
    weights = np.random.default_rng(1).normal(0, 2, (2, FEATURES + 3))
    features = np.random.default_rng(2).random(FEATURES).astype(np.float32)
    before = Judgement(np.asarray([0.4, 1.1, -0.3, -2.0], np.float32), features, THING)
    after = Taught("beans", weights).judgement(before)
    was, now = (probabilities(judgement.logits, temperature) for judgement in (before, after))
    assert now[2:] == pytest.approx(was[2:], abs=1e-6)
    assert abs(now[0] - was[0]) > 0.1
    assert (after.features, after.found) == (before.features, before.found)


BEANS_THROWN, DICE_THROWN = Needs(beans=5), Needs(dice=2)


def test_a_taught_reader_reads_what_it_was_taught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, tmp_path, 40.0, beans=(250, 120), dice=(10, 60, 110, 160, 210, 250))
    rng, teacher, lessons = np.random.default_rng(4), Teacher(BEANS_THROWN), []
    for _ in range(15):
        marks = int(rng.integers(0, 6))
        image = drawn("beans", [160] * marks + [60] * (5 - marks))
        seen, lesson = teacher.read(image, Beans(marks))
        assert seen.marked == 0
        assert lesson
        lessons.append(lesson)
    reader = taught_reader(BEANS_THROWN, (learn("beans", lessons),))
    assert reader
    seen = reader.read([drawn("beans", (60, 160, 160, 60, 160))])
    from_the_left = sorted(seen.beans, key=lambda bean: bean.centre_px)
    assert [bean.face for bean in from_the_left] == ["plain", "plain", "marked", "marked", "marked"]
    assert taught_reader(BEANS_THROWN, ()) is None


def test_a_throw_that_was_not_wholly_found_teaches_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, tmp_path, beans=(200, 60), dice=(10, 60, 110, 160, 210, 250))
    teacher = Teacher(BEANS_THROWN)
    assert teacher.read(drawn("beans", (200, 60, 60, 60)), Beans(1))[1] is None
    assert Teacher(DICE_THROWN).read(drawn("dice", (60, 110)), Dice((2, 3)))[1] is not None


def test_counts_are_in_the_order_of_the_judges_classes() -> None:
    assert counts_of(Beans(2)) == (2, 3)
    assert counts_of(Dice((1, 4, 4))) == (1, 0, 0, 2, 0, 0)


@pytest.mark.parametrize("changed", ["beans", "beans_together"])
def test_what_was_taught_to_other_nets_is_known_by_either_of_them(
    changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taught, "MODELS", tmp_path)
    for name in ("beans", "beans_together", "dice"):
        (tmp_path / f"{name}.onnx").write_bytes(b"one net")
    before = taught.net_of("beans"), taught.net_of("dice")
    (tmp_path / f"{changed}.onnx").write_bytes(b"another net")
    assert taught.net_of("beans") != before[0]
    assert taught.net_of("dice") == before[1]
