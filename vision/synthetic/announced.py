"""What the players hear and see from the referee: all that simulated people know beside what they did themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from referee.board import Cell, Occupancy, Seat
from referee.throws import Beans, Throw


@dataclass(frozen=True, slots=True)
class Announced:
    """The page on the tablet at one moment."""

    version: int
    """Rises with each booking."""
    phase: str
    """``first``, ``throw``, ``move`` or ``over``; before a match ``setup``."""
    turn: Seat | None
    throw_id: int | None
    """Another one for each throw that was booked; None before the first."""
    throw: int | tuple[int, ...] | None
    """Marks of the beans booked last, or values of the dice."""
    legal: tuple[str, ...]
    pieces: Occupancy
    """What stands where by the log."""
    message: str
    """Key of what to do next: ``throw``, ``move``, ``put_back``, ``plight_leaning``, …"""
    objection: tuple[Cell, ...] | None
    """The cells it is about; None: there is none."""
    state: str
    """``moving``, ``hand``, ``settling``, ``rest`` or ``lost``."""

    @classmethod
    def read(cls, snapshot: Mapping[str, Any]) -> Self:
        """From the snapshot as the server sends it to its pages."""
        throw, objection, turn = snapshot.get("throw"), snapshot.get("objection"), snapshot.get("turn")
        return cls(
            version=snapshot["version"],
            phase=snapshot["phase"],
            turn=Seat(int(turn)) if turn else None,
            throw_id=throw["id"] if throw else None,
            throw=throw.get("marked", tuple(throw.get("dice_values", ()))) if throw else None,
            legal=tuple(sorted(move["move"] for move in snapshot["legal"])),
            pieces={cell: tuple(Seat(int(seat)) for seat in stack) for cell, stack in snapshot["pieces"].items()},
            message=snapshot["message"]["key"],
            objection=tuple(objection["cells"]) if objection else None,
            state=snapshot["seen"]["state"],
        )


def told(throw: Throw) -> int | tuple[int, ...]:
    """A throw as it is announced."""
    return throw.marks if isinstance(throw, Beans) else throw.values
