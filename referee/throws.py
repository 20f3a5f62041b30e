"""Beans and dice as values."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Beans:
    """Beans thrown once."""

    marks: int
    """How many lie with the mark up, 0 to ``count``."""
    count: int = 5


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice thrown once."""

    values: tuple[int, ...]
    """Upper faces, 1 to 6, in ascending order."""


Throw = Beans | Dice
