"""One line of the terminal, written over again and again."""

from typing import TextIO


class Progress:
    """Shows how things stand now; what is to stay goes above it."""

    def __init__(self, out: TextIO, shown: bool) -> None:
        self.shown = shown
        self._out = out
        self._now = ""

    def show(self, text: str) -> None:
        """Replace the line, if it has changed."""
        if self.shown and text != self._now:
            self._out.write("\r" + text.ljust(len(self._now)))
            self._out.flush()
            self._now = text

    def line(self, text: str) -> None:
        """A line that stays, above."""
        self.clear()
        print(text, file=self._out, flush=True)

    def clear(self) -> None:
        """Wipe the line; what a pressed Ctrl+C echoes stands two further right."""
        if self._now:
            self._out.write("\r" + " " * (len(self._now) + 2) + "\r")
            self._now = ""
