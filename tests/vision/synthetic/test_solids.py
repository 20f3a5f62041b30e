"""Solids close up: a die shows its pips, a bean its dot, a shadow falls away from the lamp."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.layout import load
from vision.synthetic.light import LightAt
from vision.synthetic.shading import Patch, seen_solid, shadow
from vision.synthetic.solids import Bean, Draught
from vision.synthetic.things import fallen_dice, lying_bean
from vision.synthetic.view import View, about_z

DOWN = View((400, 400), 2500.0, 0.0, 0.0, np.array((0, 0, 400.0)), np.diag((1.0, 1.0, -1.0)))
DAY = LightAt(np.full(3, 0.6), np.full(3, 0.5), np.array((-0.6, 0.0, 0.8)), 0.05)
BEAN = Bean((9, 6, 4.5), 0.15, (0.02, 0.02, 0.02), None, (0.8, 0.8, 0.8), 2.5, (0, 0), 0.1, 1.0)


def shown(patch: Patch) -> NDArray[np.float64]:
    """Brightness, 0 where there is nothing."""
    return np.asarray(patch.codes.mean(axis=2) * patch.cover[..., 0], np.float64)


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_shows_the_pips_of_its_value(value: int) -> None:
    place = load("patolli").place
    assert place is not None
    die = fallen_dice([value], place, np.random.default_rng(value))[0].placed
    patch = seen_solid(die.solid, (0, 0, die.solid.rest_height(die.turned)), die.turned, DOWN, DAY, 2)
    grey = shown(patch)
    die_mask = grey > 1
    bright = np.median(grey[die_mask])
    pips = (np.abs(grey - bright) > 0.35 * bright) & (cv2.erode(die_mask.astype(np.uint8), np.ones((9, 9))) > 0)
    count, _, stats, _ = cv2.connectedComponentsWithStats(pips.astype(np.uint8))
    assert sum(stats[i, cv2.CC_STAT_AREA] > 40 for i in range(1, count)) == value


@pytest.mark.parametrize(("face", "dots"), [("marked", 1), ("plain", 0)])
def test_a_beans_dot_is_seen_only_when_it_is_up(face: str, dots: int) -> None:
    lying = lying_bean(BEAN, "marked" if face == "marked" else "plain", (0, 0), 30.0, np.random.default_rng(1)).placed
    height = BEAN.rest_height(lying.turned)
    grey = shown(seen_solid(BEAN, (0, 0, height), lying.turned, DOWN, DAY, 2))
    count, _, stats, _ = cv2.connectedComponentsWithStats((grey > 120).astype(np.uint8))
    assert sum(stats[i, cv2.CC_STAT_AREA] > 200 for i in range(1, count)) == dots


def test_a_bean_is_as_long_as_it_says_and_lies_on_the_table() -> None:
    patch = seen_solid(BEAN, (0, 0, 4.5), about_z(90.0), DOWN, DAY, 2)
    rows = np.nonzero(patch.cover[..., 0].max(axis=1) > 0.5)[0]
    px_per_mm = 2500 / (400 - 4.5)
    assert np.ptp(rows) / px_per_mm == pytest.approx(18, abs=0.5)
    assert BEAN.rest_height(np.eye(3)) == pytest.approx(4.5)


def test_a_shadow_falls_away_from_the_lamp_and_farther_from_what_is_higher() -> None:
    disc = Draught(9, 4, (0.3, 0.3, 0.3), 0.1, 0.0)

    def reach_px(height_mm: float) -> float:
        shade = shadow(disc.outline(np.eye(3)), height_mm, DOWN, DAY)
        assert shade is not None
        dark = np.nonzero(shade.factor[..., 1].min(axis=0) < 0.9)[0] + shade.left
        return float(dark.max() - 199.5 + (dark.min() - 199.5))

    low, high = reach_px(4), reach_px(8)
    assert 10 < low < high
