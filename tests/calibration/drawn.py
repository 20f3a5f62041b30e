"""Crosses drawn by hand, photographed askew, with the truth about their cells."""

import math
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cross import ARMS, NODES, Arm, Cross, Node, along
from calibration.homography import Points

Image = NDArray[np.uint8]
At = dict[Node, NDArray[np.float64]]
"""Where nodes are on the sheet, pixels."""
PX = 1400
"""Longer side of the drawing before it is photographed."""


@dataclass(frozen=True, slots=True)
class Style:
    """Pen, paper and hand."""

    ink: tuple[int, int, int] = (40, 35, 45)
    paper: tuple[int, int, int] = (205, 222, 232)
    stroke_px: int = 5
    wobble: float = 0.03
    """How far lines stray, in cells (standard deviation)."""
    grain: float = 4.0
    """Of the paper, grey levels."""
    shading: float = 0.25
    """How much darker one side of the board is than the other."""
    tilt: float = 0.12
    """How far corners of the photo are off a rectangle, as a share of its side."""
    painted: bool = False
    """Whether cells are painted in two colours instead of being outlined."""


INK = Style()
CHALK = Style(ink=(230, 230, 235), paper=(50, 60, 70), wobble=0.05)
MARKER = Style(stroke_px=12, wobble=0.05)
PAINT = Style(painted=True, ink=(60, 40, 150))


@dataclass(frozen=True, slots=True)
class Drawn:
    """A photo of a drawing."""

    image: Image
    corners_px: Points
    truth: Cross
    ratio: float
    """Height of the board by its width."""


def true_cross(rng: np.random.Generator, ratio: float, *, round_tips: bool, wobble: float = 0.03) -> Cross:
    """A cross with its own proportions: broader or longer cells, unequal arms, off the middle, turned a little.

    Args:
        rng: randomness.
        ratio: height of the board by its width.
        round_tips: whether the arms end round.
        wobble: how far corners of cells stray, in cells.
    """
    short = min(1.0, ratio)
    half = rng.uniform(0.045, 0.068) * short
    pitch = half * rng.uniform(0.8, 1.2)
    pitch = min(pitch, (0.47 * short - half) / 6)
    room = [(1 / 2 - half - 6 * pitch) * 0.7, (ratio / 2 - half - 6 * pitch) * 0.7]
    middle = np.array([0.5, ratio / 2]) + rng.uniform(-1, 1, 2) * room
    angle = math.radians(rng.uniform(-1.0, 1.0))
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    lengths = {arm: pitch * rng.uniform(0.95, 1.04) for arm in ARMS}
    points: dict[Node, tuple[float, float]] = {}
    for x, y in NODES:
        arm = next((a for a, way in ARMS.items() if x * way[0] + y * way[1] > 1), None)
        reach = abs(x) if arm in ("east", "west") else abs(y)
        at = np.array([x, y], float) * half
        if arm is not None:
            at = np.where(np.abs(ARMS[arm]) > 0, np.sign([x, y]) * (half + (reach - 1) * lengths[arm]), at)
        off = rng.normal(0, wobble, 2) * pitch
        here = middle + turn @ at + off
        points[x, y] = (float(here[0]), float(here[1] / ratio))
    return Cross(points, round_tips)


def draw(
    seed: int, style: Style = INK, *, ratio: float = 1.0, round_tips: bool = False, bare: Arm | None = None
) -> Drawn:
    """A photo of a drawn cross.

    Args:
        seed: of all that is random.
        style: pen, paper and hand.
        ratio: height of the board by its width.
        round_tips: whether the arms end round.
        bare: an arm that was rubbed out.
    """
    rng = np.random.default_rng(seed)
    cross = true_cross(rng, ratio, round_tips=round_tips, wobble=style.wobble)
    size = np.array([PX, PX * ratio]) / max(1.0, ratio)
    sheet = np.full((round(size[1]), round(size[0]), 3), style.paper, np.float64)
    at = {node: np.asarray(point) * size for node, point in cross.points.items()}
    if style.painted:
        _paint(sheet, at, style)
    else:
        for ring in _strokes(cross, at, rng, style, bare):
            width = max(1, round(style.stroke_px * rng.uniform(0.8, 1.25)))
            cv2.polylines(sheet, [np.round(ring * 16).astype(np.int32)], False, style.ink, width, cv2.LINE_AA, 4)
    return _photograph(sheet, cross, ratio, rng, style)


def _strokes(
    cross: Cross, at: At, rng: np.random.Generator, style: Style, bare: Arm | None
) -> list[NDArray[np.float64]]:
    """One stroke for each line from node to node, or through all nodes of an arm, as a hand does it."""
    rows: list[list[Node]] = []
    last = 5 if cross.round_tips else 6
    arms = [arm for arm in ARMS if arm != bare]
    for arm in arms:
        for side in (-1, 0, 1):
            end = 6 if side == 0 else last
            rows.append([along(arm, row, side) for row in range(end + 1)])
        rows += [[along(arm, row, side) for side in (-1, 0, 1)] for row in range(1, last + 1)]
    rows += [[(x, y) for x in (-1, 0, 1)] for y in (-1, 0, 1)] + [[(x, y) for y in (-1, 0, 1)] for x in (-1, 0, 1)]
    strokes = [_hand(np.array([at[node] for node in row]), rng, style) for row in rows]
    if cross.round_tips:
        strokes += [_hand(_arc(at, arm), rng, style) for arm in arms]
    return strokes


def _arc(at: At, arm: Arm) -> NDArray[np.float64]:
    """Half an ellipse over the last row of an arm."""
    ends = [[at[along(arm, row, side)] for side in (-1, 0, 1)] for row in (5, 6)]
    middle, tip = ends[0][1], ends[1][1]
    angles = np.linspace(0, math.pi, 25)
    reach = [(ends[0][0] if a < math.pi / 2 else ends[0][2]) - middle for a in angles]
    return np.array(
        [middle + abs(math.cos(a)) * r + math.sin(a) * (tip - middle) for a, r in zip(angles, reach, strict=True)]
    )


def _hand(points: NDArray[np.float64], rng: np.random.Generator, style: Style) -> NDArray[np.float64]:
    """A line through the points that trembles a little and overshoots at its ends."""
    steps = np.concatenate([np.linspace(a, b, 12, endpoint=False) for a, b in pairwise(points)])
    path = np.vstack([steps, points[-1:]])
    loose = cv2.GaussianBlur(
        rng.normal(0, 1, path.shape), (1, 0), sigmaX=0.1, sigmaY=4.0, borderType=cv2.BORDER_REFLECT
    )
    cell = float(np.hypot(*(points[1] - points[0])))
    return np.asarray(path + loose * 1.5 * style.wobble * cell)


def _paint(sheet: NDArray[np.float64], at: At, style: Style) -> None:
    for x, y in NODES:
        ring = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
        if all(node in at for node in ring):
            colour = (
                style.ink
                if (x + y) % 2
                else tuple(0.55 * a + 0.45 * b for a, b in zip(style.ink, style.paper, strict=True))
            )
            corners = np.round(np.array([at[node] for node in ring]) * 16).astype(np.int32)
            cv2.fillPoly(sheet, [corners], colour, cv2.LINE_AA, 4)


def _photograph(
    sheet: NDArray[np.float64], cross: Cross, ratio: float, rng: np.random.Generator, style: Style
) -> Drawn:
    height, width = sheet.shape[:2]
    grain = cv2.GaussianBlur(rng.normal(0, 1, sheet.shape[:2]), (0, 0), 1.2) * 3 * style.grain
    slope = (
        np.linspace(1, 1 - style.shading, width)[None, :, None]
        * np.linspace(1, 1 - style.shading / 2, height)[:, None, None]
    )
    sheet = np.clip((sheet + grain[..., None]) * slope, 0, 255)
    out = np.array([1600, 1200])
    fit = 0.8 * min(out[0] / width, out[1] / height)
    box = np.array([(0, 0), (width, 0), (width, height), (0, height)], float) * fit
    corners = box - box.mean(axis=0) + out / 2 + rng.uniform(-1, 1, (4, 2)) * style.tilt / 2 * min(width, height) * fit
    matrix = cv2.getPerspectiveTransform(
        np.array([(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)], np.float32),
        corners.astype(np.float32),
    )
    table = np.full((out[1], out[0], 3), (70, 88, 110), np.float64) + rng.normal(0, 3, (out[1], out[0], 1))
    small = cv2.warpPerspective(
        cv2.GaussianBlur(sheet, (0, 0), 0.7), matrix, tuple(map(int, out)), flags=cv2.INTER_AREA
    )
    inside = cv2.warpPerspective(np.ones((height, width)), matrix, tuple(map(int, out)))[..., None]
    image = table * (1 - inside) + small * inside + rng.normal(0, 2.0, (out[1], out[0], 3))
    return Drawn(np.clip(image, 0, 255).astype(np.uint8), corners, cross, ratio)
