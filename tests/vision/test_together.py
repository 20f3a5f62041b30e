"""Things weighed beside each other: in whatever order, and however many there are."""

import numpy as np
import pytest

from vision.finder import Floats, Found
from vision.judge import Judge
from vision.together import LOOKED, MOST, Together, geometry
from vision.training.scenes import render

IMAGE = np.random.default_rng(1).integers(0, 255, (240, 320, 3)).astype(np.uint8)
CLASSES = 4


def _where(count: int) -> Floats:
    things = [Found((20.0 + 40 * (i % 7), 20.0 + 40 * (i // 7)), 18.0 + i % 3, 0.8) for i in range(count)]
    return np.asarray([geometry(IMAGE, thing) for thing in things], np.float32)


def _seen(count: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(2)
    logits, seen = rng.normal(0, 2, (count, CLASSES)), rng.uniform(0, 1, (count, LOOKED))
    return logits.astype(np.float32), seen.astype(np.float32)


def test_the_order_of_things_does_not_matter_but_the_others_do() -> None:
    together, where, (logits, seen) = Together("beans"), _where(5), _seen(5)
    weighed = together.weigh(where, logits, seen)
    turned = together.weigh(where[::-1], logits[::-1], seen[::-1])[::-1]
    assert turned == pytest.approx(weighed, abs=1e-3)
    assert abs(together.weigh(where[:4], logits[:4], seen[:4]) - weighed[:4]).max() > 1e-3


def test_a_judge_of_beans_tells_each_beside_the_others() -> None:
    scene = render(np.random.default_rng(4), only="beans", count=5, thrown=True)
    things = [Found(thing.centre_px, thing.size_px, 0.9) for thing in scene.things]
    image = np.ascontiguousarray(scene.image)
    beside = [judged.logits for judged in Judge("beans").judge(image, things)]
    alone = [judged.logits for judged in Judge("beans", alone=True).judge(image, things)]
    fewer = [judged.logits for judged in Judge("beans").judge(image, things[:-1])]
    assert len(beside) == 5
    for i in range(4):
        assert abs(beside[i] - alone[i]).max() > 0.1
        assert abs(beside[i] - fewer[i]).max() > 1e-3


def test_more_than_are_weighed_keep_what_was_said_of_each() -> None:
    count = MOST + 6
    logits, seen = _seen(count)
    logits[:6] = -3, -3, -3, 9  # six are nothing, the rest are beans
    logits[6:] = 4, 0, 0, -4
    weighed = Together("beans").weigh(_where(count), logits, seen)
    assert weighed.shape == (count, CLASSES)
    assert (weighed[:6] == logits[:6]).all()
    assert (weighed[6:] != logits[6:]).any(axis=1).all()


def test_where_a_thing_lies_and_its_colour() -> None:
    image = np.full((100, 100, 3), (10, 100, 200), np.uint8)
    image[40:60, 40:60] = (200, 50, 92)
    found = Found((49.5, 49.5), 20.0, 0.7)
    assert geometry(image, found) == pytest.approx((49.5, 49.5, 20.0, 0.7, *np.log([208, 58, 100])), abs=1e-4)
