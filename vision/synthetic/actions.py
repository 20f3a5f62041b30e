"""What happens at the table, frame by frame."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.board import Cell, Seat
from referee.events import HOME, RESERVE
from vision.synthetic.arm import Action, Arm, Stage
from vision.synthetic.picture import Placed, Spot
from vision.synthetic.things import Lying, about_x
from vision.synthetic.view import Lie, about_z

_ACTING, _LYING, _BEANS = "acting", "lying", "beans"
_FALL_MM = 45.0


def move(stage: Stage, origin: Cell, target: Cell, seat: Seat, owner: Seat) -> Action:
    """Carry one piece; bowls are out of the picture. LookupError: nothing stands on ``origin``."""
    scene, tempo, arm = stage.scene, stage.tempo, Arm(stage, seat, _ACTING)
    if origin == RESERVE:
        carried = Placed(scene.from_bowl(owner), (0, 0), np.eye(3))
    else:
        piece = scene.find(origin)
        yield from arm.travel(piece.placed.at_mm, tempo.reach, "pinch")
        scene.lift(origin, piece)
        owner, carried = piece.owner, piece.placed
        yield from arm.hold(tempo.grip, carrying=carried)
    if target == HOME:
        yield from arm.leave(tempo.carry, "pinch", carrying=carried)
        scene.bowls[owner].append(carried.solid)
        return
    yield from arm.travel(scene.layout.cell(target).centre_mm, tempo.carry, "pinch", carrying=carried)
    arm.at = scene.stand(target, owner, carried.solid)
    yield from arm.hold(tempo.grip)
    yield from arm.leave(tempo.leave, "pinch")


def remove(stage: Stage, cell: Cell, seat: Seat, owner: Seat | None) -> Action:
    """Take a piece off the board; one that was squeezed beside it is set straight. LookupError: there is none."""
    scene, tempo, arm = stage.scene, stage.tempo, Arm(stage, seat, _ACTING)
    piece = scene.find(cell, owner)
    yield from arm.travel(piece.placed.at_mm, tempo.reach, "pinch")
    scene.lift(cell, piece)
    yield from arm.hold(tempo.grip, carrying=piece.placed)
    others = tuple(scene.pieces.get(cell, ()))
    owners = {other.owner for other in others}
    if len(owners) == 1 and piece.owner not in owners:
        for other in others:
            scene.lift(cell, other)
        for other in others:
            scene.stand(cell, other.owner, other.placed.solid)
    yield from arm.leave(tempo.carry, "pinch", carrying=piece.placed)
    scene.bowls[piece.owner].append(piece.placed.solid)


def drop(stage: Stage, hole: Cell, seat: Seat, owner: Seat) -> Action:
    """Bring a piece from the bowl and let it fall through a hole: it is gone."""
    tempo, arm = stage.tempo, Arm(stage, seat, _ACTING)
    carried = Placed(stage.scene.from_bowl(owner), (0, 0), np.eye(3))
    yield from arm.travel(stage.scene.layout.cell(hole).centre_mm, tempo.carry, "pinch", carrying=carried)
    yield from arm.hold(tempo.grip)
    yield from arm.leave(tempo.leave, "pinch")


def throw(stage: Stage, seat: Seat, lying: Sequence[Lying]) -> Action:
    """Gather what lies in the throwing place, shake it outside, throw it; it rolls out as told."""
    scene, tempo, arm = stage.scene, stage.tempo, Arm(stage, seat, _ACTING)
    if scene.lying:
        yield from _gather(stage, arm)
    yield from wait(stage, tempo.away)
    middle = np.mean([thing.placed.at_mm for thing in lying], axis=0)
    back = np.subtract(arm.shoulder, middle)
    x, y = middle + back / np.linalg.norm(back) * 40
    yield from arm.travel((float(x), float(y)), tempo.reach * 0.8, "fist", height_mm=_FALL_MM + 10)
    rolls = [_Roll.of(thing, (float(x), float(y)), scene.rng) for thing in lying]
    leaving = arm.leave(tempo.leave, "open", height_mm=_FALL_MM + 15)
    frames = stage.frames(tempo.roll)
    for frame in range(frames):
        share = (frame + 1) / frames
        scene.moving[_BEANS] = [roll.at(share) for roll in rolls if share < roll.rests]
        scene.lying = [roll.thing for roll in rolls if share >= roll.rests]
        if share > 0.2:
            next(leaving, None)
        yield
    del scene.moving[_BEANS]
    scene.lying = list(lying)
    yield from leaving


def bump(stage: Stage, dx_mm: float, dy_mm: float, turn_deg: float) -> Action:
    """The sheet slides with all that stands on it."""
    scene, start, frames = stage.scene, stage.scene.lie, stage.frames(stage.tempo.bump)
    scene.sliding = True
    for frame in range(frames):
        s = np.sin(np.pi / 2 * (frame + 1) / frames)
        scene.lie = Lie(start.dx_mm + s * dx_mm, start.dy_mm + s * dy_mm, start.turn_deg + s * turn_deg)
        yield
    scene.sliding = False


def switch(stage: Stage, lamp: float) -> Action:
    """The lamp goes to another brightness at once."""
    start, frames = stage.scene.lamp, stage.frames(stage.tempo.fade)
    for frame in range(frames):
        stage.scene.lamp = start + (frame + 1) / frames * (lamp - start)
        yield


def drift(stage: Stage, gain: float, seconds: float) -> Action:
    """The exposure creeps, as when a cloud passes."""
    start, frames = stage.scene.gain, stage.frames(seconds)
    for frame in range(frames):
        stage.scene.gain = start + (frame + 1) / frames * (gain - start)
        yield


def come_to_lie(stage: Stage, seat: Seat, spot: Spot) -> Action:
    """A hand comes and stays, quite still."""
    arm = Arm(stage, seat, _LYING)
    yield from arm.travel(spot, stage.tempo.reach, "open", height_mm=6)
    yield from arm.hold(stage.tempo.grip, "open", height_mm=6)


def go_away(stage: Stage, seat: Seat) -> Action:
    """The lying hand goes. LookupError: none lies there."""
    if _LYING not in stage.scene.hands:
        raise LookupError("no hand lies on the table")
    arm = Arm(stage, seat, _LYING)
    arm.at = stage.scene.hands[_LYING].at_mm
    yield from arm.leave(stage.tempo.leave, "open", height_mm=30)


def wait(stage: Stage, seconds: float) -> Action:
    """Nothing happens."""
    for _ in range(stage.frames(seconds)):
        yield


def _gather(stage: Stage, arm: Arm) -> Action:
    """Pick everything up from the throwing place, the nearest last."""
    scene, tempo = stage.scene, stage.tempo
    things = sorted(scene.lying, key=lambda thing: -float(np.hypot(*np.subtract(thing.placed.at_mm, arm.shoulder))))
    yield from arm.travel(things[0].placed.at_mm, tempo.reach, "fist")
    for thing in things:
        yield from arm.travel(thing.placed.at_mm, tempo.grip * 0.7, "fist", height_mm=14)
        scene.lying = [other for other in scene.lying if other is not thing]
    yield from arm.leave(tempo.leave, "fist")


@dataclass(frozen=True, slots=True)
class _Roll:
    """How one bean or die rolls out."""

    thing: Lying
    start: Spot
    turns: float
    rests: float
    """Share of the time after which it lies still."""
    rock_deg: float

    @classmethod
    def of(cls, thing: Lying, hand_mm: Spot, rng: np.random.Generator) -> "_Roll":
        x, y = np.array(hand_mm) + rng.normal(0, 9, 2)
        return cls(thing, (float(x), float(y)), rng.uniform(0.8, 2.2), rng.uniform(0.72, 1.0), rng.uniform(5, 16))

    def at(self, share: float) -> Placed:
        """Where it is: falling and tumbling at first, then slower, at last rocking."""
        s = share / self.rests
        rolled = 1 - (1 - min(s / 0.75, 1.0)) ** 2
        way = np.subtract(self.thing.placed.at_mm, self.start)
        x, y = self.start + rolled * way
        heading = float(np.degrees(np.arctan2(way[0], -way[1])))
        tumble = (1 - rolled) * self.turns * 360 + self.rock_deg * np.sin(s * 25) * (1 - s)
        turned = about_z(heading) @ about_x(tumble) @ about_z(-heading) @ self.thing.placed.turned
        fall = max(0.0, 1 - s / 0.22)
        lift = _FALL_MM * fall * fall + 7 * (1 - rolled)
        return Placed(self.thing.placed.solid, (float(x), float(y)), turned, lift)
