"""A table seen by a webcam: it takes orders, renders itself, and knows nothing of the reader."""

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.layout import Layout, Rect
from referee.board import Cell, Seat
from referee.throws import Beans, Dice, Throw
from vision.camera import Frame
from vision.synthetic import actions
from vision.synthetic.arm import Action, Stage, Tempo
from vision.synthetic.conditions import Conditions
from vision.synthetic.picture import Moment, Picture, Spot
from vision.synthetic.scene import BEANS, Scene
from vision.synthetic.things import Face, fallen_beans, fallen_dice
from vision.synthetic.view import Lie

_SOUTH = Seat(1)
_EXPOSURE_SPEED = 0.2
"""Share of the way that automatic exposure goes in one frame."""


@dataclass(frozen=True, slots=True)
class BeanLies:
    """A bean or a die that lies still."""

    at_mm: Spot
    """In the sheet's frame."""
    centre_px: Spot
    """Of its foot in the picture."""
    face: Face | int
    """For a die its value."""
    angle_deg: float


@dataclass(frozen=True, slots=True)
class Truth:
    """What the table really shows. For tests only: no reader may ask."""

    occupancy: dict[Cell, tuple[Seat, ...]]
    lying: tuple[BeanLies, ...]
    hand: bool
    """Whether a hand is over the table."""
    lie: Lie
    corners_px: tuple[Spot, Spot, Spot, Spot]
    """Of the sheet, clockwise from its top left, through the lens."""
    pieces_px: dict[Cell, tuple[Spot, ...]]
    """Feet of the pieces."""

    @property
    def marks(self) -> int | None:
        """Marked sides up; None unless five beans lie flat."""
        thrown = self.thrown
        return thrown.marks if isinstance(thrown, Beans) and thrown.count == BEANS else None

    @property
    def thrown(self) -> Throw | None:
        """What lies in the throwing place; None if that is nothing or something stands on its edge."""
        faces = [thing.face for thing in self.lying]
        if not faces or "edge" in faces:
            return None
        values = tuple(sorted(face for face in faces if isinstance(face, int)))
        return Dice(values) if values else Beans(faces.count("marked"), len(faces))


class SimulatedTable:
    """A table that renders itself.

    Orders are carried out one after the other; they may come from another thread than the frames are taken in.
    """

    def __init__(
        self,
        layout: Layout,
        *,
        seed: int,
        size: tuple[int, int] = (1280, 720),
        fps: float = 15.0,
        conditions: Conditions | None = None,
        tempo: Tempo | None = None,
    ) -> None:
        rng = np.random.default_rng(seed)
        drawn = Conditions.drawn(rng)
        self.conditions = conditions or drawn
        self.fps = fps
        self._scene = Scene(layout, self.conditions, rng.spawn(1)[0])
        self.picture = Picture(layout, self.conditions, size, rng.spawn(1)[0])
        """Its geometry is for tests."""
        self._stage = Stage(self._scene, self.picture.view, tempo or Tempo(), fps)
        self._orders: deque[Callable[[], Action]] = deque()
        self._running: Action | None = None
        self._drifting: Action | None = None
        self._exposure = 1.0
        self._number = 0
        self._lock = threading.Lock()

    @property
    def busy(self) -> bool:
        """Whether an order is being carried out or waits."""
        with self._lock:
            return self._running is not None or bool(self._orders)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Of the board."""
        return tuple(place.name for place in self._scene.layout.cells)

    @property
    def seconds(self) -> float:
        """Simulated time of the next frame."""
        return self._number / self.fps

    def throw(
        self, marks: int, *, seat: Seat = _SOUTH, cocked: bool = False, touching: bool = False, count: int = BEANS
    ) -> None:
        """Throw the beans.

        Args:
            marks: how many land with the marked side up; of one less, if one is cocked.
            seat: whose hand throws.
            cocked: one bean stays on its edge.
            touching: two beans lie against each other.
            count: how many are thrown, five at most.
        """
        if not 0 <= marks <= count - cocked:
            raise ValueError(f"{marks} of {count - cocked} flat beans cannot be marked")
        counts: dict[Face, int] = {"marked": marks, "plain": count - cocked - marks, "edge": int(cocked)}
        faces = [face for face, count in counts.items() for _ in range(count)]
        scene = self._scene

        def start() -> Action:
            lying = fallen_beans(scene.beans[:count], faces, touching, self._place, scene.rng)
            return actions.throw(self._stage, seat, lying)

        self._order(start)

    def roll(self, values: Sequence[int], *, seat: Seat = _SOUTH, cocked: bool = False, touching: bool = False) -> None:
        """Throw dice that show these values; told so, the first stands askew, or two lie flush."""

        def start() -> Action:
            lying = fallen_dice(values, self._place, self._scene.rng, cocked=cocked, touching=touching)
            return actions.throw(self._stage, seat, lying)

        self._order(start)

    def move(self, origin: Cell, target: Cell, seat: Seat, owner: Seat | None = None) -> None:
        """Carry a piece, also a wrong one; ``reserve`` and ``home`` are bowls out of the picture.

        From the bowl comes a piece of that owner, the mover's own by default.

        Like every order about something that is not there, it makes ``frame`` raise LookupError when its turn comes.
        """
        self._order(lambda: actions.move(self._stage, origin, target, seat, owner or seat))

    def drop(self, hole: Cell, seat: Seat, owner: Seat | None = None) -> None:
        """Bring a piece from the bowl and let it fall through a hole."""
        self._order(lambda: actions.drop(self._stage, hole, seat, owner or seat))

    def remove(self, cell: Cell, seat: Seat, owner: Seat | None = None) -> None:
        """Take a piece off the board by that seat's hand, of that owner if two share the cell."""
        self._order(lambda: actions.remove(self._stage, cell, seat, owner))

    def bump(self, dx_mm: float, dy_mm: float, rotation_deg: float) -> None:
        """Shove the sheet from where it lies, and turn it clockwise."""
        self._order(lambda: actions.bump(self._stage, dx_mm, dy_mm, rotation_deg))

    def lamp(self, factor: float) -> None:
        """Set the lamp to a factor of its first brightness at once."""
        self._order(lambda: actions.switch(self._stage, factor))

    def lamp_on(self) -> None:
        """Switch the lamp back to its first brightness."""
        self.lamp(1.0)

    def drift(self, gain: float, seconds: float) -> None:
        """Let the exposure creep to a factor, beside whatever else happens."""
        with self._lock:
            self._drifting = actions.drift(self._stage, gain, seconds)

    def leave_hand(self, seconds: float, seat: Seat = _SOUTH) -> None:
        """A hand lies on the board for a while."""
        self.lay_hand(seat)
        self._order(lambda: actions.wait(self._stage, seconds))
        self.take_hand(seat)

    def lay_hand(self, seat: Seat = _SOUTH, at_mm: tuple[float, float] | None = None) -> None:
        """A hand comes to lie, somewhere on the playing field by default, and stays."""
        field = self._scene.layout.field

        def start() -> Action:
            share = self._scene.rng.uniform(0.3, 0.7, 2)
            spot = (field.x_mm + share[0] * field.width_mm, field.y_mm + share[1] * field.height_mm)
            return actions.come_to_lie(self._stage, seat, at_mm or (float(spot[0]), float(spot[1])))

        self._order(start)

    def take_hand(self, seat: Seat = _SOUTH) -> None:
        """The lying hand goes."""
        self._order(lambda: actions.go_away(self._stage, seat))

    def wait(self, seconds: float) -> None:
        """Nothing happens for a while."""
        self._order(lambda: actions.wait(self._stage, seconds))

    def lay_out(self, occupancy: Mapping[Cell, Sequence[Seat]]) -> None:
        """Set pieces down at once, before the first frame or between two."""
        with self._lock:
            for cell, seats in occupancy.items():
                for seat in seats:
                    self._scene.stand(cell, seat, self._scene.from_bowl(seat))

    def frame(self) -> Frame:
        """Let 1/fps seconds pass and take a picture."""
        with self._lock:
            number, moment = self._number, self._advance()
        return Frame(self.picture.taken(moment), number / self.fps, number)

    def blink(self) -> None:
        """Let 1/fps seconds pass behind a closed shutter."""
        with self._lock:
            self._advance()

    def truth(self) -> Truth:
        """What lies there now."""
        with self._lock:
            scene = self._scene
            w, h = scene.layout.size_mm
            stood = [(cell, piece) for cell, stack in scene.pieces.items() for piece in stack]
            placed = [*(thing.placed for thing in scene.lying), *(piece.placed for _, piece in stood)]
            corners = [(0, 0), (w, 0), (w, h), (0, h)]
            feet = self.picture.feet_px([*corners, *(one.at_mm for one in placed)], scene.lie)
            lying = zip(scene.lying, feet[4:], strict=False)
            pieces_px: dict[Cell, tuple[Spot, ...]] = {}
            for (cell, _), foot in zip(stood, feet[4 + len(scene.lying) :], strict=True):
                pieces_px[cell] = (*pieces_px.get(cell, ()), foot)
            return Truth(
                {cell: tuple(sorted(piece.owner for piece in stack)) for cell, stack in scene.pieces.items()},
                tuple(BeanLies(thing.placed.at_mm, foot, thing.face, thing.angle_deg) for thing, foot in lying),
                bool(scene.hands),
                scene.lie,
                (feet[0], feet[1], feet[2], feet[3]),
                pieces_px,
            )

    def spots_mm(self) -> dict[Cell, tuple[Spot, ...]]:
        """Where the pieces stand, in the sheet's frame. For tests only."""
        with self._lock:
            return {cell: tuple(piece.placed.at_mm for piece in stack) for cell, stack in self._scene.pieces.items()}

    def _advance(self) -> Moment:
        if self._running is None and self._orders:
            self._running = self._orders.popleft()()
        if self._running is not None and next(self._running, self) is self:
            self._running = None
        if self._drifting is not None and next(self._drifting, self) is self:
            self._drifting = None
        self._exposure += _EXPOSURE_SPEED * (self._exposure_sought() - self._exposure)
        self._number += 1
        return self._scene.moment(self._exposure)

    def _exposure_sought(self) -> float:
        """Where automatic exposure is heading: it follows the light, and is misled by hands."""
        conditions, scene = self.conditions, self._scene
        light = 1 - conditions.lamp_share + conditions.lamp_share * scene.lamp
        return float(light**-conditions.adapts) * (1 + conditions.hunting * bool(scene.hands))

    def _order(self, start: Callable[[], Action]) -> None:
        with self._lock:
            self._orders.append(start)

    @property
    def _place(self) -> Rect:
        place = self._scene.layout.place
        if place is None:
            raise ValueError(f"the board {self._scene.layout.name} has no throwing place")
        return place
