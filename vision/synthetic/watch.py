"""What people at a simulated table hear of the referee, and how they wait."""

from collections.abc import Callable, Generator

from vision.synthetic.announced import Announced
from vision.synthetic.table import SimulatedTable

PATIENCE_S = 15.0
"""Simulated seconds that people wait for an answer before they help themselves."""
REACTION_S = 0.7
"""Nobody acts on an announcement sooner."""

Script = Generator[None, None, None]
"""What people do, one step after each frame."""
Wait = Generator[None, None, bool]


class Watch:
    """One look at the tablet after each frame."""

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table
        self._announced: Announced | None = None

    @property
    def now(self) -> Announced:
        """What is announced; only after the first ``hear``."""
        assert self._announced is not None
        return self._announced

    def hear(self, announced: Announced) -> None:
        """Another frame has passed."""
        self._announced = announced

    def idle(self) -> Script:
        """Until all orders are carried out."""
        yield
        while self._table.busy:
            yield

    def pause(self, seconds: float) -> Script:
        """For some simulated seconds."""
        until = self._table.seconds + seconds
        while self._table.seconds < until:
            yield

    def until(self, holds: Callable[[], bool], seconds: float = PATIENCE_S) -> Wait:
        """Until something holds; False when it has not within so many simulated seconds."""
        until = self._table.seconds + seconds
        while not holds():
            if self._table.seconds > until:
                return False
            yield
        return True
