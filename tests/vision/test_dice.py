"""Dice drawn plainly here, seen straight from above: an end to the chain that no renderer of ours has touched."""

import cv2
import numpy as np
import pytest

from referee.rules import Needs
from vision.camera import Image
from vision.dice import ASKEW, WARY, wary
from vision.judge import probabilities
from vision.throws import ThrowReader

SPOTS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}


def _die(picture: Image, centre: tuple[float, float], value: int, turn_deg: float, edge: float = 34.0) -> None:
    turn = np.radians(turn_deg)
    axes = np.asarray([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    corners = np.asarray([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * edge / 2 @ axes.T + centre
    shadow = np.round((corners + 3) * 16).astype(np.int32)
    cv2.fillConvexPoly(picture, shadow, (60, 80, 60), cv2.LINE_AA, 4)
    cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), (225, 232, 235), cv2.LINE_AA, 4)
    for spot in SPOTS[value]:
        at = np.asarray(spot) * edge * 0.26 @ axes.T + centre
        cv2.circle(
            picture, (round(at[0] * 16), round(at[1] * 16)), int(edge * 16 * 0.085), (25, 25, 28), -1, cv2.LINE_AA, 4
        )


@pytest.fixture(scope="module")
def reader() -> ThrowReader:
    return ThrowReader(Needs(dice=6))


@pytest.mark.parametrize("turn_deg", [0.0, 17.0, 45.0, 71.0])
def test_all_six_faces(reader: ThrowReader, turn_deg: float) -> None:
    felt = np.full((320, 420, 3), (70, 110, 70), np.uint8)
    felt = np.clip(felt + np.random.default_rng(1).normal(0, 4, felt.shape), 0, 255).astype(np.uint8)
    for i in range(6):
        _die(felt, (80 + 120 * (i % 3), 90 + 130 * (i // 3)), i + 1, turn_deg + 7 * i)
    seen = reader.read([np.asarray(cv2.GaussianBlur(felt, (0, 0), 0.7), np.uint8)])
    by_place = sorted(seen.dice, key=lambda die: (round(die.box_px[1] / 100), die.box_px[0]))
    assert [die.value for die in by_place] == [1, 2, 3, 4, 5, 6]


def test_lying_askew_is_feared_more_than_it_was_learnt() -> None:
    logits = np.zeros(8, np.float32)
    before, after = (probabilities(said, 1.0) for said in (logits, wary(logits)))
    assert after[ASKEW] / after[0] == pytest.approx(np.exp(WARY) * before[ASKEW] / before[0], rel=1e-4)
    assert after[:ASKEW] / after[0] == pytest.approx(before[:ASKEW] / before[0])
    assert not logits.any(), "what was said stays as it was"
