"""One player's arm during one action."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from referee.board import Seat
from vision.synthetic.hands import Hand
from vision.synthetic.limbs import Pose
from vision.synthetic.picture import Placed, Spot
from vision.synthetic.scene import Scene
from vision.synthetic.view import View

Action = Iterator[None]
"""Changes the scene and yields once a frame."""
_EXPOSED = 0.45
"""Share of a frame's time during which the shutter is open."""
_SHOULDER_MM = 430.0
"""How far from the sheet a player sits."""
_FINGERS_MM = 75.0
"""No part of a hand is farther from its grip, the arm aside."""


@dataclass(frozen=True, slots=True)
class Tempo:
    """How long everything takes, seconds."""

    reach: float = 0.7
    """From out of the picture to the target."""
    grip: float = 0.15
    carry: float = 0.6
    leave: float = 0.6
    away: float = 0.8
    """Beans are shaken out of the picture, between taking and throwing."""
    roll: float = 1.0
    bump: float = 0.25
    fade: float = 0.15
    """A lamp's switch."""


BRISK = Tempo(reach=0.25, grip=0.07, carry=0.25, leave=0.25, away=0.45, roll=0.5, bump=0.15, fade=0.07)
"""For tests: a throw takes about 1.6 s, a move 1.0 s."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What every action needs to know."""

    scene: Scene
    view: View
    tempo: Tempo
    fps: float

    def frames(self, seconds: float) -> int:
        """How many frames that is, at least one."""
        return max(1, round(seconds * self.fps))


class Arm:
    """The arm of one seat; it starts out of the picture.

    Args:
        stage: where it acts.
        seat: whose it is; seat 1 sits in the south of the sheet, 2 west, 3 north, 4 east.
        name: under which the scene knows the hand.
    """

    def __init__(self, stage: Stage, seat: Seat, name: str) -> None:
        self._stage, self._name = stage, name
        self._owner = stage.scene.owners[seat]
        w, h = stage.scene.layout.size_mm
        side = stage.scene.rng.uniform(0.32, 0.68)
        self.shoulder: Spot = {
            1: (w * side, h + _SHOULDER_MM),
            2: (-_SHOULDER_MM, h * side),
            3: (w * side, -_SHOULDER_MM),
            4: (w + _SHOULDER_MM, h * side),
        }[seat]
        self.at: Spot | None = None
        """Of the grip, in the sheet's frame; None: out of the picture."""
        self._shaded_deg: float | None = None

    def outside(self, spot: Spot) -> Spot:
        """The nearest place from there towards the shoulder where the hand cannot be seen."""
        scene, view = self._stage.scene, self._stage.view
        way = np.subtract(self.shoulder, spot)
        way /= np.linalg.norm(way)
        size = np.array(view.size_px)
        for far in range(0, 1600, 20):
            ring = np.add(spot, way * far) + _FINGERS_MM * np.array(((1, 0), (-1, 0), (0, 1), (0, -1)))
            table = scene.lie.to_table(ring, scene.layout.size_mm)
            px = view.project(np.concatenate([table, np.full((4, 1), 40.0)], axis=1))
            if np.all(px[:, 0] < 0) or np.all(px[:, 1] < 0) or np.any(np.all(px > size, axis=0)):
                return _spot(np.add(spot, way * far))
        return self.shoulder

    def travel(
        self, goal: Spot, seconds: float, pose: Pose, *, height_mm: float = 18, carrying: Placed | None = None
    ) -> Action:
        """Go there, in an arc."""
        start = np.array(self.outside(goal) if self.at is None else self.at)
        self.at = _spot(start)
        frames = self._stage.frames(seconds)
        for frame in range(frames):
            share = (frame + 1) / frames
            at = start + share * share * (3 - 2 * share) * np.subtract(goal, start)
            height = height_mm + 25 * np.sin(np.pi * share)
            self._show(_spot(at), pose, height)
            self._carry(carrying, max(height - 12, 1.5))
            yield

    def hold(
        self, seconds: float, pose: Pose = "pinch", *, height_mm: float = 18, carrying: Placed | None = None
    ) -> Action:
        """Stay."""
        for _ in range(self._stage.frames(seconds)):
            if self.at is not None:
                self._show(self.at, pose, height_mm)
            self._carry(carrying, 4)
            yield

    def leave(self, seconds: float, pose: Pose, *, height_mm: float = 18, carrying: Placed | None = None) -> Action:
        """Go out of the picture."""
        if self.at is not None:
            yield from self.travel(self.outside(self.at), seconds, pose, height_mm=height_mm, carrying=carrying)
        self._stage.scene.hands.pop(self._name, None)
        self._stage.scene.moving.pop(self._name, None)
        self.at = None

    def _carry(self, carried: Placed | None, lift_mm: float) -> None:
        moving = self._stage.scene.moving
        if carried is None or self.at is None:
            moving.pop(self._name, None)
        else:
            moving[self._name] = [Placed(carried.solid, self.at, carried.turned, lift_mm)]

    def _show(self, at: Spot, pose: Pose, height_mm: float) -> None:
        towards = np.subtract(at, self.shoulder)
        angle = float(np.degrees(np.arctan2(towards[1], towards[0])))
        if self._shaded_deg is None:
            self._shaded_deg = angle + self._stage.scene.lie.turn_deg
        dx, dy = np.subtract(at, self.at or at) * _EXPOSED
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        smear = (float(dx * c + dy * s), float(dy * c - dx * s))
        self._stage.scene.hands[self._name] = Hand(self._owner, pose, at, height_mm, angle, smear, self._shaded_deg)
        self.at = at


def _spot(at: np.typing.NDArray[np.float64]) -> Spot:
    return float(at[0]), float(at[1])
