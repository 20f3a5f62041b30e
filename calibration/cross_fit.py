"""Draw a cross tight over the lines of a rectified board; where no line is seen, keep its cells even."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cross import ARMS, NODES, ROWS, Arm, Cross, Node, along, edges, lines
from calibration.cross_search import search
from calibration.cross_sight import BLUR, Edge, Points, Sight, look, solid_lines
from calibration.lines import SIDE_PX, Evidence, Lines

REACHES = (0.3, 0.22, 0.15, 0.12)
"""How far from where it is expected each line is looked for, turn by turn, in cells."""
STIFF = 0.35
"""How much even spacing weighs against a line that is surely seen."""
DOUBTED = 0.05
"""Lines that lie so many cells off what the others say count half (Cauchy)."""
FAINT = 0.5
"""An arm of which less is seen is told."""
CLEAR_ARMS = 2
"""Where the rows of fewer arms can be told there is no cross."""
FEWEST = 0.55
"""Where less of a whole cross is seen there is none."""
GRID = 0.5
"""Where so many lines go on beside the arms it is no cross, but a grid."""

OPPOSITE: Mapping[Arm, Arm] = {"north": "south", "east": "west", "south": "north", "west": "east"}


class NoCross(Exception):
    """No Patolli cross between the corners; ``key`` says which way: ``nothing`` or ``grid``."""

    def __init__(self, key: str) -> None:
        super().__init__(WHY[key])
        self.key = key


WHY = {
    "nothing": "no cross of four arms, each two cells wide and six long, can be seen between the corners; "
    "point at the board's own corners, beginning at its top left, or take a sharper picture",
    "grid": "between the corners is a grid of lines, not a cross; point at the corners of the board with the cross",
}


@dataclass(frozen=True, slots=True)
class ArmFit:
    """How well the lines of an arm were found; lengths are shares of the board."""

    seen: int
    """How many of its lines between two corners of cells can be seen."""
    lines: int
    """How many there should be."""
    pitch: float
    """Length of a cell along the arm."""
    uneven: float
    """Root mean square by which the lines across the arm are off even spacing."""
    residual: float
    """Root mean square by which what was seen of all its lines is off the cells as drawn."""

    @property
    def faint(self) -> bool:
        """Whether so little was seen that its cells are only spaced evenly."""
        return self.seen < FAINT * self.lines


@dataclass(frozen=True, slots=True)
class Fit:
    """A cross and how well it fits."""

    cross: Cross
    arms: Mapping[Arm, ArmFit]


def fit_cross(found: Lines) -> Fit:
    """Find the cross on a rectified board and draw it tight.

    Raises:
        NoCross: there is none.
    """
    rough = search(found)
    if sum(rough.clear.values()) < CLEAR_ARMS:
        raise NoCross("nothing")
    points: Points = dict(rough.points)
    cell_px = float(np.mean(list(rough.pitch_px.values())))
    solid = solid_lines(found, cell_px)
    smooth = np.asarray(cv2.GaussianBlur(found.any, (0, 0), BLUR * cell_px), np.float32)
    round_tips = _round_tips(points, smooth)
    wanted = [edge for edge in edges() if not (round_tips and _outer(edge))]
    sights: list[Sight] = []
    for reach in REACHES:
        sights = [
            sight for edge in wanted if (sight := look(edge, points, solid, reach * cell_px, cell_px)) is not None
        ]
        points = _relax(points, sights, cell_px)
    if len(sights) < FEWEST * len(wanted):
        raise NoCross("nothing")
    if _beside(points, solid, cell_px) > GRID:
        raise NoCross("grid")
    arms = {arm: _report(arm, points, sights, wanted) for arm in ARMS}
    for arm, opposite in OPPOSITE.items():
        if arms[arm].faint and not arms[opposite].faint:
            points |= _continued(arm, opposite, points)
    cross = Cross({n: ((x + 0.5) / SIDE_PX, (y + 0.5) / SIDE_PX) for n, (x, y) in points.items()}, round_tips)
    return Fit(cross, arms)


def _outer(edge: Edge) -> bool:
    """Whether the edge belongs to the outside of a tip: where tips are round it is not there."""
    return all(max(map(abs, node)) >= ROWS and 0 not in node for node in edge) or any(
        max(map(abs, node)) > ROWS and 0 not in node for node in edge
    )


def _relax(points: Points, sights: Sequence[Sight], cell_px: float) -> Points:
    """Nodes that follow what was seen and are evenly spaced elsewhere: doubting least squares, axis by axis."""
    number = {node: k for k, node in enumerate(NODES)}
    moved = np.array([points[node] for node in NODES])
    for axis in (0, 1):
        mine = [sight for sight in sights if (sight.edge[0][0] == sight.edge[1][0]) == (axis == 0)]
        for _ in range(4):
            rows, values = [], []
            for sight in mine:
                a, b = (number[node] for node in sight.edge)
                for share, at in zip(sight.shares, sight.at_px, strict=True):
                    off = ((1 - share) * moved[a, axis] + share * moved[b, axis] - at) / cell_px
                    weight = sight.weight / np.sqrt(1 + (off / DOUBTED) ** 2)
                    row = np.zeros(len(NODES))
                    row[a], row[b] = weight * (1 - share), weight * share
                    rows.append(row)
                    values.append(weight * at)
            for three in lines():
                row = np.zeros(len(NODES))
                # Spacing may change where an arm begins, but not along it.
                weight = STIFF if _one_arm(*three) else 0.1 * STIFF
                row[[number[node] for node in three]] = weight / 2, -weight, weight / 2
                rows.append(row)
                values.append(0.0)
            still = 0.01 * np.eye(len(NODES))
            moved[:, axis] = np.linalg.lstsq(
                np.vstack([*rows, still]), np.concatenate([values, 0.01 * moved[:, axis]]), rcond=None
            )[0]
    return {node: (float(moved[k, 0]), float(moved[k, 1])) for node, k in number.items()}


def _continued(arm: Arm, opposite: Arm, points: Points) -> Points:
    """An arm of which little is seen, as long and as straight as the one across the board."""
    rows = range(ROWS + 1)
    moved: Points = {}
    for side in (-1, 0, 1):
        seen = np.array([points[along(opposite, row, side)] for row in rows])
        step = np.polyfit(rows, seen, 1)[0]
        start = np.asarray(points[along(arm, 0, side)])
        for row in rows[1:]:
            x, y = start - row * step
            moved[along(arm, row, side)] = (float(x), float(y))
    return moved


def _one_arm(*three: Node) -> bool:
    """Whether the three lie in one arm, its beginning included, or all in the centre block."""
    return any(all(x * i + y * j >= 1 for i, j in three) for x, y in ARMS.values()) or all(
        max(abs(i), abs(j)) <= 1 for i, j in three
    )


def _round_tips(points: Points, evidence: Evidence) -> bool:
    """Whether half circles fit the ends of the arms better than corners do, judged by where the two differ."""
    straight, curved = 0.0, 0.0
    for arm in ARMS:
        ends = {(row, side): np.asarray(points[along(arm, row, side)]) for row in (5, 6) for side in (-1, 0, 1)}
        best = [0.0, 0.0]
        for stretch in np.linspace(0.75, 1.25, 21):
            out = (ends[6, 0] - ends[5, 0]) * stretch
            arc, corner = [], []
            for side in (-1, 1):
                rim = ends[5, side] - ends[5, 0]
                turn = np.linspace(0.25, 0.75, 9)[:, None] * np.pi / 2
                arc.append(ends[5, 0] + np.cos(turn) * rim + np.sin(turn) * out)
                near = np.linspace(0.7, 1.0, 9)[:, None]
                corner += [ends[5, side] + near * out, ends[5, 0] + out + near * rim]
            best = [max(best[0], _mean(evidence, np.vstack(corner))), max(best[1], _mean(evidence, np.vstack(arc)))]
        straight, curved = straight + best[0], curved + best[1]
    return curved > straight


def _mean(evidence: Evidence, points_px: NDArray[np.float64]) -> float:
    at = points_px.astype(np.float32)
    return float(cv2.remap(evidence, at[:, :1], at[:, 1:], cv2.INTER_LINEAR).mean())


def _beside(points: Points, found: Lines, cell_px: float) -> float:
    """Share of the lines across the arms that go on into the empty quarters."""
    goes_on = []
    for arm, (right, _) in ARMS.items():
        for row in range(2, ROWS):
            for side in (-1, 1):
                rim, axis = (np.asarray(points[along(arm, row, k)]) for k in (side, 0))
                begin, end = rim + 0.15 * (rim - axis), rim + 0.85 * (rim - axis)
                # Named as some edge that runs the same way.
                edge = ((0, 0), (0, 1)) if right else ((0, 0), (1, 0))
                ends = {edge[0]: (float(begin[0]), float(begin[1])), edge[1]: (float(end[0]), float(end[1]))}
                goes_on.append(look(edge, ends, found, 0.15 * cell_px, cell_px) is not None)
    return float(np.mean(goes_on))


def _report(arm: Arm, points: Points, sights: Sequence[Sight], wanted: Sequence[Edge]) -> ArmFit:
    axis, way = (0, ARMS[arm][0]) if ARMS[arm][0] else (1, ARMS[arm][1])

    def mine(edge: Edge) -> bool:
        return all(node[axis] * way >= 1 for node in edge) and any(node[axis] * way > 1 for node in edge)

    rows = range(ROWS + 1)
    at = np.array([np.mean([points[along(arm, row, side)][axis] for side in (-1, 0, 1)]) for row in rows]) * way
    pitch, start = np.polyfit(rows, at, 1)
    here = [sight for sight in sights if mine(sight.edge)]
    off = [
        at_px - ((1 - share) * points[s.edge[0]][side] + share * points[s.edge[1]][side])
        for s in here
        for side in ((0,) if s.edge[0][0] == s.edge[1][0] else (1,))
        for share, at_px in zip(s.shares, s.at_px, strict=True)
    ]
    return ArmFit(
        seen=len(here),
        lines=sum(mine(edge) for edge in wanted),
        pitch=float(pitch) / SIDE_PX,
        uneven=float(np.sqrt(np.mean((at - start - pitch * np.asarray(rows)) ** 2))) / SIDE_PX,
        residual=float(np.sqrt(np.mean(np.square(off)))) / SIDE_PX if off else 0.0,
    )
