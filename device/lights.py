"""State to colours: what each LED along the cells shows. A level, not an event: the same state lights the same LEDs.

Every seat has a colour and a rhythm: once in ``PERIOD_S`` its light dips as many times as the seat's number. Between
the dips the light is steady for at least 1.5 s, so that the camera finds time to read the table (see ``steady``).
"""

import math
from collections.abc import Collection, Mapping
from typing import Literal

from calibration.inks import SEATS
from calibration.layout import Layout
from device.adalight import Rgb
from referee.board import Cell, Seat

Phase = Literal["setup", "first", "throw", "move", "over"]

SEAT_COLOURS: Mapping[Seat, Rgb] = {**SEATS, Seat(5): (150, 90, 160), Seat(6): (130, 130, 130)}
"""Obsidian and Bone, who have no pieces, shine violet and grey."""
IDLE: Rgb = (60, 50, 36)
RED: Rgb = (255, 30, 20)
WHITE: Rgb = (255, 255, 255)
DARK: Rgb = (0, 0, 0)
PERIOD_S = 3.6
DIP_S = 0.35
FLASH_PERIOD_S = 1.5
FLASH_S = 0.3
START_CELLS = 3
"""So many cells from the start of its arm say whose turn it is."""
SETTLE_S = 0.3
"""After a change of light the camera waits so long."""


def lights(
    layout: Layout,
    *,
    turn: Seat | None,
    legal: Collection[Cell],
    phase: Phase,
    objection: Collection[Cell],
    t: float,
) -> tuple[Rgb, ...]:
    """Colours along the strip, LED 0 first.

    Args:
        layout: says which LED lies beside which cell.
        turn: whose turn it is; the first cells of the seat's arm glow.
        legal: cells where the seat's pieces may go; they shine.
        phase: ``setup`` and ``over`` show the board dimly.
        objection: cells that are wrong: red with white flashes, over everything else.
        t: seconds, for rhythms.
    """
    colours = [DARK] * (1 + max((place.led for place in layout.cells if place.led is not None), default=-1))
    rhythm = _rhythm(turn or 0, t)
    starts = _start_cells(layout, turn)
    for place in layout.cells:
        if place.led is None:
            continue
        if place.name in objection:
            colours[place.led] = WHITE if t % FLASH_PERIOD_S < FLASH_S else RED
        elif turn is None or phase in ("setup", "over"):
            colours[place.led] = IDLE
        elif place.name in legal:
            colours[place.led] = _dimmed(SEAT_COLOURS[turn], rhythm)
        elif place.name in starts:
            colours[place.led] = _dimmed(SEAT_COLOURS[turn], 0.55 * rhythm)
    return tuple(colours)


def steady(*, turn: Seat | None, phase: Phase, objection: Collection[Cell], t: float) -> bool:
    """Nothing in the pattern has changed within ``SETTLE_S``: what the camera sees now is not our own light."""
    resting = not turn or phase in ("setup", "over") or t % PERIOD_S > turn * DIP_S + SETTLE_S
    flash = t % FLASH_PERIOD_S
    return resting and (not objection or flash > FLASH_S + SETTLE_S)


def _start_cells(layout: Layout, turn: Seat | None) -> tuple[Cell, ...]:
    arm = [place.name for place in layout.cells if place.seat == turn and turn is not None]
    starts = [place.name for place in layout.cells if place.kind == "start" and place.name in arm]
    first = arm.index(starts[0]) if starts else 0
    return tuple(arm[first : first + START_CELLS])


def _rhythm(dips: int, t: float) -> float:
    """Brightness 0.25 to 1: so many soft dips at the beginning of each period."""
    phase_s = t % PERIOD_S
    if phase_s >= dips * DIP_S:
        return 1.0
    return 1.0 - 0.75 * math.sin(math.pi * (phase_s % DIP_S) / DIP_S) ** 2


def _dimmed(colour: Rgb, brightness: float) -> Rgb:
    red, green, blue = (round(channel * brightness) for channel in colour)
    return (red, green, blue)
