"""Where a cross roughly is on a rectified board: three long lines each way, then the rows of each arm."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.cross import ARMS, NODES, ROWS, Arm, Node
from calibration.lines import SIDE_PX, Evidence, Lines

SLOPES = np.linspace(-0.06, 0.06, 13)
"""How far the long lines may be turned, sideways by along."""
HALF_PX = (25, 200)
"""Width of half an arm."""
PITCH = (0.5, 1.7)
"""Length of a cell by the width of half an arm."""
LONG_BLUR_PX = 5.0
BEYOND = 0.5
"""How much a line where none should be counts against one that should."""

Profile = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bars:
    """The three long lines of two opposite arms."""

    middle_px: float
    """Of the middle line, at half the board."""
    half_px: float
    """From it to the outer lines."""
    slope: float
    """Sideways by along."""


@dataclass(frozen=True, slots=True)
class Rough:
    """A cross before its lines are measured one by one."""

    points: Mapping[Node, tuple[float, float]]
    """Pixels of the rectified picture."""
    bars: tuple[Bars, Bars]
    """Upright, level."""
    pitch_px: Mapping[Arm, float]
    clear: Mapping[Arm, bool]
    """Whether the rows of the arm can be told; if not they are as long as those of the others."""


def search(lines: Lines) -> Rough:
    """The likeliest cross; there is always one, however little speaks for it."""
    upright, level = _bars(lines.upright), _bars(np.ascontiguousarray(lines.level.T))
    rows = {arm: _rows(lines, arm, upright, level) for arm in ARMS}
    clear = {arm: score > 0.25 for arm, (_, score) in rows.items()}
    usual = float(np.median([pitch for arm, (pitch, _) in rows.items() if clear[arm]] or [upright.half_px]))
    pitch = {arm: rows[arm][0] if clear[arm] else usual for arm in ARMS}
    return Rough({node: _at(node, upright, level, pitch) for node in NODES}, (upright, level), pitch, clear)


def _bars(evidence: Evidence) -> Bars:
    """The three evenly spaced upright lines of which the faintest is clearest."""
    found = []
    for slope in SLOPES:
        profile = _profile(evidence, slope)
        for half in range(*HALF_PX):
            faintest = np.minimum(np.minimum(profile[: -2 * half], profile[half:-half]), profile[2 * half :])
            middle = int(np.argmax(faintest))
            # The lines of a cross are all about as long, and where two hold the third is likelier to be there.
            mean = (profile[middle] + profile[middle + half] + profile[middle + 2 * half]) / 3
            found.append((float(faintest[middle] + 0.3 * mean), middle + half, half, float(slope)))
    _, middle_px, half_px, leaning = max(found)
    return Bars(middle_px, half_px, leaning)


def _profile(evidence: Evidence, slope: float) -> Profile:
    """How much of a line of that slope is seen, by where it crosses the middle of the picture."""
    half = SIDE_PX / 2
    shear = np.asarray([(1.0, -slope, slope * half), (0.0, 1.0, 0.0)])
    straight = cv2.warpAffine(evidence, shear, (SIDE_PX, SIDE_PX))
    profile = straight.mean(axis=0, dtype=np.float64)
    peaks = cv2.GaussianBlur(profile[None], (0, 0), LONG_BLUR_PX)[0] * LONG_BLUR_PX
    return np.asarray(peaks - np.median(peaks))


def _rows(lines: Lines, arm: Arm, upright: Bars, level: Bars) -> tuple[float, float]:
    """Length of the cells of an arm, and how much better its lines are seen than what is between and beyond them."""
    bars, block = (upright, level) if arm in ("north", "south") else (level, upright)
    evidence = lines.level if arm in ("north", "south") else np.ascontiguousarray(lines.upright.T)
    outward = sum(ARMS[arm])
    if outward < 0:
        evidence = np.ascontiguousarray(evidence[::-1])
    middle = block.middle_px if outward > 0 else SIDE_PX - 1 - block.middle_px
    slope = bars.slope if outward > 0 else -bars.slope
    axis = bars.middle_px + bars.slope * (block.middle_px - SIDE_PX / 2)
    profile = _along(evidence, axis, slope, middle, bars.half_px)
    best = (block.half_px, 0.0)
    for pitch in np.arange(PITCH[0] * block.half_px, PITCH[1] * block.half_px, 0.5):
        if middle + block.half_px + (ROWS - 0.3) * pitch > SIDE_PX:
            break
        score = _score(profile, middle + block.half_px, pitch)
        if score > best[1]:
            best = (float(pitch), score)
    return best


def _along(evidence: Evidence, axis_px: float, slope: float, start_px: float, half_px: float) -> Profile:
    """Mean evidence across the arm at every distance from the top."""
    rows = np.arange(SIDE_PX)
    across = np.linspace(-0.85, 0.85, 24) * half_px
    columns = axis_px + slope * (rows - start_px)[:, None] + across[None, :]
    # A line across an arm stands square to it: it rises by as much as the arm leans.
    heights = rows[:, None] - slope * across[None, :]
    seen = cv2.remap(evidence, columns.astype(np.float32), heights.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(seen.mean(axis=1), np.float64)


def _score(profile: Profile, start_px: float, pitch_px: float) -> float:
    reach = max(2.0, 0.08 * pitch_px)
    peaks = cv2.dilate(cv2.GaussianBlur(profile[None], (0, 0), reach / 2), np.ones((1, 2 * round(reach) + 1)))[0]
    at = start_px + pitch_px * np.arange(1.0, ROWS + 1)
    lines = _read(peaks, at)
    between = _read(cv2.GaussianBlur(profile[None], (0, 0), reach / 2)[0], at - pitch_px / 2)
    beyond = _read(peaks, at[-1:] + pitch_px)
    # Every second line of a grid has a fair mean; the tips may be round, so that their last line says little.
    typical = min(float(lines[:-1].mean()), float(np.median(lines[:-1])))
    return float(0.9 * typical + 0.1 * lines[-1] - between.mean() - BEYOND * beyond.mean() / ROWS)


def _read(profile: Profile, at: ArrayLike) -> Profile:
    return np.asarray(np.interp(np.asarray(at, np.float64), np.arange(len(profile)), profile, right=0.0))


def _at(node: Node, upright: Bars, level: Bars, pitch: Mapping[Arm, float]) -> tuple[float, float]:
    right = _offset(node[0], upright.half_px, pitch["west"], pitch["east"])
    down = _offset(node[1], level.half_px, pitch["north"], pitch["south"])
    half = SIDE_PX / 2
    # Where the two middle lines cross, each leaning its own way.
    middle = np.linalg.solve(
        np.asarray([(1.0, -upright.slope), (-level.slope, 1.0)]),
        np.asarray([upright.middle_px - upright.slope * half, level.middle_px - level.slope * half]),
    )
    return (float(middle[0] + right + upright.slope * down), float(middle[1] + down + level.slope * right))


def _offset(step: int, half_px: float, before_px: float, after_px: float) -> float:
    if abs(step) <= 1:
        return step * half_px
    return -half_px + (step + 1) * before_px if step < 0 else half_px + (step - 1) * after_px
