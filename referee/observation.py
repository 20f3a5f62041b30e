"""What the resting table shows, with its doubt: the only thing the referee ever hears from the camera."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from referee.board import Cell, Seat

Face = Literal["marked", "plain", "unsure"]
Plight = Literal[
    "leaning",
    "stacked",
    "touching",
    "held",
    "missing",
    "extra",
    "glare",
    "hand",
    "dark",
    "bright",
    "blurred",
    "small",
    "board moved",
    "learning",
]
"""Why a reading is not certain, in the words the players are told."""
BLINDING: frozenset[Plight] = frozenset({"board moved", "dark", "bright"})
"""Plights of the whole table under which nothing is read."""
Refusal = Literal[
    "no tags", "few tags", "mirrored", "other board", "two boards", "bent", "cut off", "no corners", "out of sight"
]
"""Why there is no board: each has its own sentence on the pages."""
TableState = Literal["moving", "hand", "settling", "rest", "lost"]


@dataclass(frozen=True, slots=True)
class BeanSeen:
    """One bean in the throwing place."""

    centre_px: tuple[float, float]
    """In the frame as stored, pixels, (x, y)."""
    face: Face
    flat: bool
    confidence: float
    """Probability of ``face``, 0 to 1."""
    angle_deg: float = 0.0
    """Of the long axis, clockwise from the frame's x axis; the pages draw the bean as it lies."""
    place_xy: tuple[float, float] | None = None
    """In the throwing place as printed, 0 to 1 from its top left corner, where the board is located."""


@dataclass(frozen=True, slots=True)
class DieSeen:
    """One die in the throwing place."""

    box_px: tuple[float, float, float, float]
    """In the frame as stored, pixels: x, y, width, height."""
    value: int | None
    """1 to 6, or None where the face cannot be told."""
    flat: bool
    confidence: float
    place_xy: tuple[float, float] | None = None
    """As for a bean."""


@dataclass(frozen=True, slots=True)
class ThrowSeen:
    """What lies in the throwing place."""

    kind: Literal["beans", "dice", "none"]
    beans: tuple[BeanSeen, ...] = ()
    dice: tuple[DieSeen, ...] = ()
    plights: tuple[Plight, ...] = ()
    certain: bool = False
    """True when the table may book it by itself. ``none`` and certain: the place is empty."""
    chance: float = field(default=0.0, compare=False)
    """Probability of the whole reading, 0 to 1; the plights may forbid certainty all the same."""

    length_px: float = field(default=0.0, compare=False)
    """How long a bean or a die's edge looks, pixels: the median, or the smallest if that is too small; 0 for none."""

    @property
    def marked(self) -> int:
        """Beans whose marked side is up."""
        return sum(bean.face == "marked" for bean in self.beans)


@dataclass(frozen=True, slots=True)
class BoardSeen:
    """What the cells of the board show."""

    cells: Mapping[Cell, Mapping[Seat | None, float]]
    """For each readable cell the natural logarithm of the likelihood of *empty* (None) and of a piece of each seat.

    A cell that could not be read (covered, glare) is absent. Likelihoods of one cell are comparable among each
    other only; independent between cells.
    """


@dataclass(frozen=True, slots=True)
class Observation:
    """One frame, understood as far as it goes."""

    taken_at: float
    """The frame's own time, seconds on the camera's clock."""
    state: TableState
    throw: ThrowSeen | None = None
    """Present at rest only."""
    board: BoardSeen | None = None
    """Present at rest only."""
    place_empty: bool = False
    """The throwing place is empty and clear of hands, whatever the rest of the table does."""
    plights: tuple[Plight, ...] = ()
    """Of the whole table: "hand", "learning" (how a board looks that is not ours), "blurred", and those that blind."""
    moved_mm: float = 0.0
    """How far the board lies from where it last lay at rest, millimetres on the table; told in one frame of the next
    rest, then it rests there."""
    refusal: Refusal | None = None
    """While there is no board: why what is seen is none."""
    light_changed: bool = False
    """True on the frame in which a step of the light over the whole picture was found."""
