"""What hands do, frame by frame: each action is a generator that changes the scene and yields once a frame."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from referee.board import Cell, Seat
from referee.events import HOME, RESERVE
from vision.synthetic.hands import Hand, Pose
from vision.synthetic.picture import Placed
from vision.synthetic.scene import LEVEL, Face, Lying, Scene, about_z
from vision.synthetic.solids import Solid
from vision.synthetic.view import Lie, View

Action = Iterator[None]
Spot = tuple[float, float]
_EXPOSED = 0.45
"""Share of a frame's time during which the shutter is open."""


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


def move(stage: Stage, origin: Cell, target: Cell, seat: Seat) -> Action:
    """Carry one piece; bowls are out of the picture."""
    scene, arm = stage.scene, _Arm(stage, seat)
    if origin == RESERVE:
        solid, owner, turned = scene.from_bowl(seat), seat, LEVEL
        here = arm.outside(_centre(scene, target))
        arm.at = here
    else:
        there = scene.pieces.get(origin)
        if not there:
            return
        here = there[0].placed.at_mm
        yield from arm.travel(here, stage.tempo.reach, "pinch")
        piece = scene.lift(origin)
        solid, owner, turned = piece.placed.solid, piece.owner, piece.placed.turned
        yield from arm.hold(stage.tempo.grip, Placed(solid, here, turned))
    goal = arm.outside(here) if target == HOME else _centre(scene, target)
    yield from arm.travel(goal, stage.tempo.carry, "pinch", carrying=(solid, turned))
    if target == HOME:
        scene.bowls[owner].append(solid)
        arm.gone()
        return
    scene.stand(target, owner, solid)
    arm.at = scene.pieces[target][-1].placed.at_mm
    yield from arm.hold(stage.tempo.grip)
    yield from arm.travel(arm.outside(arm.at), stage.tempo.leave, "pinch")
    arm.gone()


def remove(stage: Stage, cell: Cell, seat: Seat, owner: Seat | None) -> Action:
    """Take a piece off the board; one that was squeezed beside it is set straight."""
    scene, arm = stage.scene, _Arm(stage, seat)
    there = scene.pieces.get(cell)
    if not there:
        return
    piece = next((p for p in there if owner in (None, p.owner)), there[0])
    yield from arm.travel(piece.placed.at_mm, stage.tempo.reach, "pinch")
    scene.lift(cell, piece.owner)
    yield from arm.hold(stage.tempo.grip, piece.placed)
    if cell in scene.pieces:
        other = scene.lift(cell)
        scene.stand(cell, other.owner, other.placed.solid)
    yield from arm.travel(
        arm.outside(arm.at), stage.tempo.carry, "pinch", carrying=(piece.placed.solid, piece.placed.turned)
    )
    scene.bowls[piece.owner].append(piece.placed.solid)
    arm.gone()


def throw(stage: Stage, seat: Seat, lying: Sequence[Lying]) -> Action:
    """Gather what lies in the throwing place, shake it outside, throw it; it rolls out as ordered."""
    scene, tempo, arm = stage.scene, stage.tempo, _Arm(stage, seat)
    middle = np.mean([bean.placed.at_mm for bean in lying], axis=0)
    if scene.lying:
        yield from arm.gather()
    arm.gone()
    for _ in range(stage.frames(tempo.away)):
        yield
    back = np.array(arm.shoulder()) - middle
    release = middle + back / np.linalg.norm(back) * 40
    arm.at = arm.outside((float(release[0]), float(release[1])))
    yield from arm.travel((float(release[0]), float(release[1])), tempo.reach * 0.8, "fist", height_mm=55)
    rolls = [_Roll.of(bean, arm.at, scene.rng) for bean in lying]
    frames = stage.frames(tempo.roll)
    leaving = arm.travel(arm.outside(arm.at), tempo.leave, "open", height_mm=60)
    for frame in range(frames):
        share = (frame + 1) / frames
        scene.moving = [roll.at(share) for roll in rolls if share < roll.rests]
        scene.lying = [bean for bean, roll in zip(lying, rolls, strict=True) if share >= roll.rests]
        if share > 0.2 and next(leaving, True):
            arm.gone()
        yield
    scene.moving, scene.lying = [], list(lying)
    yield from leaving
    arm.gone()


def bump(stage: Stage, to: Lie) -> Action:
    """The sheet slides with all that stands on it."""
    start, frames = stage.scene.lie, stage.frames(stage.tempo.bump)
    for frame in range(frames):
        s = _ease((frame + 1) / frames)
        stage.scene.lie = Lie(
            start.dx_mm + s * (to.dx_mm - start.dx_mm),
            start.dy_mm + s * (to.dy_mm - start.dy_mm),
            start.turn_deg + s * (to.turn_deg - start.turn_deg),
        )
        yield
    stage.scene.lie = to


def switch(stage: Stage, lamp: float) -> Action:
    """The lamp goes to another brightness at once."""
    start, frames = stage.scene.lamp, stage.frames(stage.tempo.fade)
    for frame in range(frames):
        stage.scene.lamp = start + (frame + 1) / frames * (lamp - start)
        yield


def drift(stage: Stage, gain: float, seconds: float) -> Action:
    """The exposure creeps, as when a cloud passes; in busy moments and in quiet ones."""
    start, frames = stage.scene.gain, stage.frames(seconds)
    for frame in range(frames):
        stage.scene.gain = start + (frame + 1) / frames * (gain - start)
        yield


def come_to_lie(stage: Stage, seat: Seat, spot: Spot) -> Action:
    """A hand comes and stays, quite still."""
    arm = _Arm(stage, seat, name="lying")
    yield from arm.travel(spot, stage.tempo.reach, "open", height_mm=6)


def go_away(stage: Stage, seat: Seat) -> Action:
    """The lying hand goes."""
    arm = _Arm(stage, seat, name="lying")
    hand = stage.scene.hands.get("lying")
    if hand is not None:
        arm.at = hand.at_mm
        yield from arm.travel(arm.outside(arm.at), stage.tempo.leave, "open", height_mm=30)
        arm.gone()


def wait(stage: Stage, seconds: float) -> Action:
    """Nothing happens."""
    for _ in range(stage.frames(seconds)):
        yield


class _Arm:
    """The arm of one player during one action."""

    def __init__(self, stage: Stage, seat: Seat, name: str = "acting") -> None:
        self._stage, self._seat, self._name = stage, seat, name
        w, h = stage.scene.layout.size_mm
        side = stage.scene.rng.uniform(-0.18, 0.18)
        self._shoulder = {
            1: (w * (0.5 + side), h + 430),
            2: (-430, h * (0.5 + side)),
            3: (w * (0.5 + side), -430),
            4: (w + 430, h * (0.5 + side)),
        }[(seat - 1) % 4 + 1]
        self.at: Spot = self._shoulder
        self._shaded: float | None = None

    def shoulder(self) -> Spot:
        """Where the arm comes from."""
        return self._shoulder

    def outside(self, spot: Spot) -> Spot:
        """The nearest place towards the shoulder where the hand cannot be seen."""
        scene, view = self._stage.scene, self._stage.view
        way = np.array(self._shoulder) - spot
        length = float(np.linalg.norm(way))
        for reach in np.arange(0, 1600, 20.0):
            at = np.array(spot) + way / length * reach
            ring = at + 75 * np.array(((1, 0), (-1, 0), (0, 1), (0, -1)))
            table = scene.lie.to_table(ring, scene.layout.size_mm)
            px = view.project(np.concatenate([table, np.full((4, 1), 40.0)], axis=1))
            size = np.array(view.size_px)
            if np.all(np.any((px < -15) | (px > size + 15), axis=1)):
                return float(at[0]), float(at[1])
        return self._shoulder

    def travel(
        self,
        goal: Spot,
        seconds: float,
        pose: Pose,
        *,
        height_mm: float = 18,
        carrying: tuple[Solid, np.ndarray] | None = None,  # type: ignore[type-arg]
    ) -> Action:
        """Go there; a hand whose ``at`` is the shoulder starts at the rim of the picture."""
        if self.at == self._shoulder:
            self.at = self.outside(goal)
        start, frames = np.array(self.at), self._stage.frames(seconds)
        for frame in range(frames):
            s = (frame + 1) / frames
            at = start + _ease(s) * (np.array(goal) - start)
            self._show((float(at[0]), float(at[1])), pose, height_mm + 25 * np.sin(np.pi * s), carrying)
            yield

    def hold(self, seconds: float, carried: Placed | None = None) -> Action:
        """Stay."""
        for _ in range(self._stage.frames(seconds)):
            self._show(self.at, "pinch", 18, (carried.solid, carried.turned) if carried else None, lifted=4)
            yield

    def gather(self) -> Action:
        """Pick everything up from the throwing place, the nearest last."""
        scene, tempo = self._stage.scene, self._stage.tempo
        spots = sorted(
            (b.placed.at_mm for b in scene.lying), key=lambda at: -np.hypot(*np.subtract(at, self._shoulder))
        )
        yield from self.travel(spots[0], tempo.reach, "fist")
        for spot in spots:
            yield from self.travel(spot, tempo.grip * 0.7, "fist", height_mm=14)
            scene.lying = [b for b in scene.lying if b.placed.at_mm != spot]
        yield from self.travel(self.outside(self.at), tempo.leave, "fist")

    def gone(self) -> None:
        """Out of the picture."""
        self._stage.scene.hands.pop(self._name, None)
        self._stage.scene.moving = []

    def _show(
        self,
        at: Spot,
        pose: Pose,
        height_mm: float,
        carrying: tuple[Solid, np.ndarray] | None,  # type: ignore[type-arg]
        lifted: float | None = None,
    ) -> None:
        scene = self._stage.scene
        towards = np.subtract(at, self._shoulder)
        angle = float(np.degrees(np.arctan2(towards[1], towards[0])))
        if self._shaded is None:
            self._shaded = angle
        step = np.subtract(at, self.at) * _EXPOSED
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        smear = (float(step[0] * c + step[1] * s), float(step[1] * c - step[0] * s))
        scene.hands[self._name] = Hand(scene.owners[self._seat], pose, at, height_mm, angle, smear, self._shaded)
        if carrying is not None:
            lift = max(height_mm - 12, 1.5) if lifted is None else lifted
            scene.moving = [Placed(carrying[0], at, carrying[1], lift)]
        elif self._name == "acting" and pose == "pinch":
            scene.moving = []
        self.at = at


@dataclass(frozen=True, slots=True)
class _Roll:
    """How one bean or die rolls out."""

    bean: Lying
    start: Spot
    turns: float
    rests: float
    """Share of the time after which it lies still."""
    rock_deg: float

    @classmethod
    def of(cls, bean: Lying, hand_mm: Spot, rng: np.random.Generator) -> "_Roll":
        x, y = np.array(hand_mm) + rng.normal(0, 9, 2)
        return cls(bean, (float(x), float(y)), rng.uniform(0.8, 2.2), rng.uniform(0.72, 1.0), rng.uniform(5, 16))

    def at(self, share: float) -> Placed:
        """Where it is: fast and tumbling at first, then sliding, at last rocking."""
        s = min(share / self.rests, 1.0)
        rolled = 1 - (1 - min(s / 0.75, 1.0)) ** 2
        start, end = np.array(self.start), np.array(self.bean.placed.at_mm)
        x, y = start + rolled * (end - start)
        way = end - start
        tumble = (1 - rolled) * self.turns * 360 + self.rock_deg * np.sin(s * 25) * (1 - s)
        turned = _about((-way[1], way[0]), tumble) @ self.bean.placed.turned
        fall = max(0.0, 1 - s / 0.22)
        return Placed(self.bean.placed.solid, (float(x), float(y)), turned, 45 * fall * fall + 7 * (1 - rolled))


def _about(axis: tuple[float, float], degrees: float) -> np.ndarray:  # type: ignore[type-arg]
    heading = float(np.degrees(np.arctan2(axis[1], axis[0])))
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(about_z(heading) @ np.array(((1, 0, 0), (0, c, -s), (0, s, c))) @ about_z(-heading))


def _centre(scene: Scene, cell: Cell) -> Spot:
    return scene.layout.cell(cell).centre_mm


def _ease(share: float) -> float:
    return share * share * (3 - 2 * share)


__all__ = ["Face"]
