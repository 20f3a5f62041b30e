"""What the LEDs show for each state, whole strips at a time."""

import pytest

from calibration.layout import CellKind, CellPlace, Layout, Rect
from device.lights import DARK, IDLE, PERIOD_S, RED, SEAT_COLOURS, WHITE, Phase, lights, steady
from referee.board import Seat

JADE, CORAL = Seat(1), Seat(3)


def cell(name: str, seat: Seat, led: int | None, kind: CellKind = "plain") -> CellPlace:
    return CellPlace(name, (0.0, 0.0), ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)), kind, seat, led)


BOARD = Layout(
    name="small",
    game="small",
    size_mm=(100.0, 100.0),
    field=Rect(0.0, 0.0, 100.0, 100.0),
    cells=(
        cell("1", JADE, 0, "start"),
        cell("2", JADE, 1),
        cell("3", JADE, 2),
        cell("4", JADE, 3),
        cell("5", CORAL, 7),
        cell("6", CORAL, 5, "start"),
        cell("7", CORAL, 4),
        cell("8", CORAL, None),
    ),
    tags=(),
    chips=(),
    place=None,
    triangle_rows=(),
)
FULL_JADE = SEAT_COLOURS[Seat(1)]
TURN_JADE = (23, 86, 61)
TURN_CORAL = (125, 62, 50)
STEADY_S = PERIOD_S - 0.01


@pytest.mark.parametrize(
    ("turn", "legal", "phase", "objection", "t", "strip"),
    [
        pytest.param(
            JADE, (), "throw", (), STEADY_S, (TURN_JADE,) * 3 + (DARK,) * 5, id="Jade throws: its first three cells"
        ),
        pytest.param(
            JADE,
            ("3", "6"),
            "move",
            (),
            STEADY_S,
            (TURN_JADE, TURN_JADE, FULL_JADE, DARK, DARK, FULL_JADE, DARK, DARK),
            id="Jade moves: where it may go shines in its colour",
        ),
        pytest.param(
            CORAL,
            (),
            "throw",
            (),
            STEADY_S,
            (DARK, DARK, DARK, DARK, TURN_CORAL, TURN_CORAL, DARK, DARK),
            id="Coral throws: from its start on, a cell without an LED has none",
        ),
        pytest.param(None, (), "setup", (), 0.0, (IDLE,) * 6 + (DARK, IDLE), id="set-up: dim"),
        pytest.param(JADE, ("3",), "over", (), 0.0, (IDLE,) * 6 + (DARK, IDLE), id="over: dim"),
        pytest.param(
            JADE, ("3",), "move", ("3", "7"), 0.1, (None, None, WHITE, DARK, WHITE, DARK, DARK, DARK), id="flash"
        ),
        pytest.param(
            None, (), "over", ("7",), 0.5, (IDLE,) * 4 + (RED, IDLE, DARK, IDLE), id="an objection outshines the rest"
        ),
    ],
)
def test_the_strip(
    turn: Seat | None,
    legal: tuple[str, ...],
    phase: Phase,
    objection: tuple[str, ...],
    t: float,
    strip: tuple[tuple[int, int, int] | None, ...],
) -> None:
    shown = lights(BOARD, turn=turn, legal=legal, phase=phase, objection=objection, t=t)
    assert tuple(None if want is None else have for have, want in zip(shown, strip, strict=True)) == strip


@pytest.mark.parametrize("seat", [1, 2, 3, 4, 5, 6])
def test_each_seat_has_its_rhythm(seat: int) -> None:
    """Colour is never the only sign: the light of seat n dips n times a period."""
    levels = [
        sum(lights(BOARD, turn=Seat(seat), legal=("4",), phase="move", objection=(), t=ms / 1000)[3])
        for ms in range(0, round(PERIOD_S * 1000), 10)
    ]
    dips = sum(a >= b < c for a, b, c in zip(levels, levels[1:], levels[2:], strict=False))
    assert dips == seat


@pytest.mark.parametrize("seat", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("objection", [(), ("3",)])
def test_steady_means_that_nothing_changed_for_300_ms(seat: int, objection: tuple[str, ...]) -> None:
    def shown(ms: int) -> tuple[tuple[int, int, int], ...]:
        return lights(BOARD, turn=Seat(seat), legal=("4",), phase="move", objection=objection, t=ms / 1000)

    quiet = [
        ms
        for ms in range(4000, 4000 + 7200, 10)
        if steady(turn=Seat(seat), phase="move", objection=objection, t=ms / 1000)
    ]
    assert all(len({shown(ms - back) for back in range(0, 300, 10)}) == 1 for ms in quiet)
    assert len(quiet) * 10 >= 7200 * 0.2
