"""The LEDs along the cells: what people see at the pages, as light."""

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any

from calibration.layout import Layout
from device.lights import SETTLE_S, lights, steady
from device.strip import Strip
from referee.board import Seat

STEP_S = 1 / 20
"""How often the rhythm is renewed; as fast as the strip takes it."""
STILL_S = 3.5
"""A moment of the rhythm at which nothing dips or flashes: how the pages draw the strip."""


class Lamps:
    """One strip that shows the state, in the seats' rhythms. Lives on the event loop, where it never waits."""

    def __init__(self, layout: Layout, strip: Strip, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Nothing is lit before ``show``.

        Args:
            layout: says which LED lies beside which cell.
            strip: closed by ``close``.
            clock: seconds, rising.
        """
        self._clock = clock
        self._changed_at = -SETTLE_S
        self._layout = layout
        self._strip = strip
        self._shown: dict[str, Any] | None = None

    @property
    def state(self) -> str:
        """Of the strip: ``off``, ``ok``, ``lost``, …"""
        return self._strip.status.state

    @property
    def steady(self) -> bool:
        """False while our own light changes, so that the camera is not to be believed (L3)."""
        shown = self._shown
        if shown is None or self.state != "ok":
            return True
        return self._clock() >= self._changed_at + SETTLE_S and steady(
            turn=shown["turn"], phase=shown["phase"], objection=shown["objection"], t=self._clock()
        )

    def show(self, state: Mapping[str, Any]) -> None:
        """Show a snapshot from now on."""
        if _lit(state) != self._shown:
            self._shown, self._changed_at = _lit(state), self._clock()

    def picture(self, state: Mapping[str, Any]) -> list[str]:
        """How a snapshot looks on the strip when nothing dips or flashes, ``#rrggbb`` for each LED."""
        return ["#{:02x}{:02x}{:02x}".format(*colour) for colour in lights(self._layout, **_lit(state), t=STILL_S)]

    async def glow(self) -> None:
        """Keep the rhythm going, until cancelled; sleeps while there is no strip."""
        while self._strip.status.state != "off":
            if self._shown is not None:
                self._strip.show(lights(self._layout, **self._shown, t=self._clock()))
            await asyncio.sleep(STEP_S)

    def close(self) -> bool:
        """Go dark, let go of the port; False if its driver does not return."""
        return self._strip.close()


def _lit(state: Mapping[str, Any]) -> dict[str, Any]:
    """What of a snapshot the strip shows."""
    return {
        "turn": Seat(int(state["turn"])) if state["turn"] else None,
        "phase": state["phase"],
        "legal": frozenset(cell for move in state["legal"] for cell in move["cells"]),
        "objection": frozenset(state["objection"]["cells"]) if state["objection"] else frozenset(),
    }
