"""Beans and dice as the nets judge them, made by hand."""

import numpy as np

from referee.observation import BeanSeen, DieSeen
from vision.beans import BeanJudged
from vision.dice import DieJudged
from vision.finder import Found

GREY = np.full((300, 400, 3), 140, np.uint8)


def a_bean(x: float, y: float, marked: bool = True, *, size: float = 22, real: float = 0.999) -> BeanJudged:
    seen = BeanSeen((x, y), "marked" if marked else "plain", True, 0.99)
    return BeanJudged(seen, Found((x, y), size, 0.9), real, 1.0, 0.999)


def a_die(x: float, y: float, value: int) -> DieJudged:
    return DieJudged(DieSeen((x - 12, y - 12, 24, 24), value, True, 0.99), Found((x, y), 22, 0.9), 0.999, 1.0, 0.999)
