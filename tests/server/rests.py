"""Throws as a reader sees them, and the rests in which they lie."""

from collections.abc import Iterator

from referee.observation import BeanSeen, DieSeen, Observation, Plight, TableState, ThrowSeen
from referee.rules import Needs

HERE = ((100, 100), (200, 120), (300, 90), (150, 220), (260, 240))
THERE = ((130, 160), (240, 180), (350, 140), (90, 280), (310, 300))
SHIFTED = tuple((x + 40, y - 25) for x, y in HERE)
ONE_NUDGED = ((100, 160), *HERE[1:])
EMPTY = ThrowSeen("none", certain=True)
DARK = ThrowSeen("none", plights=("dark",))
FIVE, TWO = Needs(beans=5), Needs(dice=2)
Spots = tuple[tuple[int, int], ...]


def beans(marks: int, spots: Spots = HERE, plights: tuple[Plight, ...] = ()) -> ThrowSeen:
    """Beans as read; certain unless there is a plight."""
    seen = (BeanSeen(spot, "marked" if i < marks else "plain", True, 0.99) for i, spot in enumerate(spots))
    return ThrowSeen("beans", beans=tuple(seen), plights=plights, certain=not plights)


def dice(*values: int, spots: Spots = HERE) -> ThrowSeen:
    """Dice as read, certain."""
    seen = (DieSeen((x, y, 24, 24), value, True, 0.99) for value, (x, y) in zip(values, spots, strict=False))
    return ThrowSeen("dice", dice=tuple(seen), certain=True)


def observed(*rests: ThrowSeen | tuple[ThrowSeen, int]) -> Iterator[Observation]:
    """Rests of eight frames each, or of so many, with movement before each."""
    at = 0.0
    for rest in rests:
        seen, frames = rest if isinstance(rest, tuple) else (rest, 8)
        states: list[TableState] = ["moving", "settling", *["rest"] * frames]  # type: ignore[list-item]
        for state in states:
            yield Observation(at, state, seen if state == "rest" else None)
            at += 0.1
