"""Strict reading of a TOML table: every field is asked for by name and type, and nothing else may be there."""

from collections.abc import Mapping
from dataclasses import dataclass

_REQUIRED = object()


class FieldError(Exception):
    """A field that cannot be used; one line that names it and says what to do. The caller adds the file."""


@dataclass(frozen=True, slots=True)
class Fields:
    """One table of a file, and the name by which errors call it (empty for the whole file)."""

    where: str
    values: Mapping[str, object]

    @classmethod
    def of(cls, value: object, where: str, known: tuple[str, ...]) -> "Fields":
        """Take ``value`` as a table with no other keys than ``known``.

        Raises:
            FieldError: it is no table, or has a key of another name.
        """
        if not isinstance(value, dict):
            raise FieldError(f"{where} must be a table like {{ {known[0]} = … }}")
        fields = cls(where, value)
        for key in value:
            if key not in known:
                raise fields.wrong(key, f"is not a known key; there are {', '.join(known)}")
        return fields

    def wrong(self, key: str, what: str) -> FieldError:
        """The error that names this table and the key."""
        return FieldError(f"{self.where}: {key} {what}" if self.where else f"{key} {what}")

    def has(self, key: str) -> bool:
        """Whether the file gives this field."""
        return key in self.values

    def text(self, key: str, signs: frozenset[str] | None = None) -> str:
        """A string that is not empty, of no other ``signs`` (capitals stand for small letters)."""
        value = self._get(key, 'a text like "patolli"')
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(key, f'must be a text in quotes, not {value!r}; write for example {key} = "patolli"')
        for sign in value.upper():
            if signs is not None and sign not in signs:
                raise self.wrong(key, f"has {sign!r}, which the pen cannot write; use A-Z, 0-9 and ·.,:-/%")
        return value

    def choice(self, key: str, known: tuple[str, ...]) -> str:
        """One of the texts in ``known``."""
        value = self.text(key)
        if value not in known:
            raise self.wrong(key, f"must be one of {', '.join(known)}, not {value!r}")
        return value

    def whole(self, key: str, low: int, high: int) -> int:
        """An integer from low to high."""
        value = self._get(key, f"a whole number from {low} to {high}")
        return self._whole(key, value, low, high)

    def wholes(self, key: str, low: int, high: int, count: int | None = None) -> tuple[int, ...]:
        """A list of integers from low to high, ``count`` of them where it is given."""
        value = self._list(key, count)
        return tuple(self._whole(key, item, low, high) for item in value)

    def number(self, key: str, low: float, high: float) -> float:
        """A number from low to high."""
        value = self._get(key, f"a number from {low:g} to {high:g}")
        return self._number(key, value, low, high)

    def numbers(self, key: str, count: int, low: float, high: float) -> tuple[float, ...]:
        """A list of ``count`` numbers, each from low to high."""
        return tuple(self._number(key, item, low, high) for item in self._list(key, count))

    def point(self, key: str, low: float, high: float) -> tuple[float, float]:
        """A list of two numbers."""
        x, y = self.numbers(key, 2, low, high)
        return (x, y)

    def points(self, key: str, low: float, high: float) -> tuple[tuple[float, float], ...]:
        """A list of lists of two numbers."""
        found = []
        for item in self._list(key, None):
            if not isinstance(item, list) or len(item) != 2:
                raise self.wrong(key, f"must be a list of points like [[10.0, 20.0], …], not {item!r} in it")
            found.append((self._number(key, item[0], low, high), self._number(key, item[1], low, high)))
        return tuple(found)

    def tables(self, key: str) -> list[object]:
        """A list whose items the caller takes with ``of``; empty when the file gives none."""
        return self._list(key, None) if self.has(key) else []

    def _get(self, key: str, what: str) -> object:
        value = self.values.get(key, _REQUIRED)
        if value is _REQUIRED:
            raise self.wrong(key, f"is missing; add {what}")
        return value

    def _list(self, key: str, count: int | None) -> list[object]:
        what = "a list in square brackets" if count is None else f"a list of {count} numbers in square brackets"
        value = self._get(key, what)
        if not isinstance(value, list) or (count is not None and len(value) != count):
            raise self.wrong(key, f"must be {what}, not {value!r}")
        return value

    def _whole(self, key: str, value: object, low: int, high: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.wrong(key, f"must be a whole number from {low} to {high}, not {value!r}")
        return value

    def _number(self, key: str, value: object, low: float, high: float) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
            raise self.wrong(key, f"must be a number, not {value!r}")
        if not low <= value <= high:
            # An integer may be too large to be written as a fraction.
            shown = f"{value:g}" if abs(value) < 1e300 else "that"
            raise self.wrong(key, f"must be from {low:g} to {high:g}, not {shown}")
        return float(value)
