"""The bytes of Adalight, and that no part of them is an order to anybody."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.adalight import COMMANDS, Rgb, adalight, current_ma, lit, with_gamma, within_current, without_commands
from device.simulated.strip import Controller

channel = st.integers(0, 255)
colour = st.tuples(channel, channel, channel)
colours = st.lists(colour, min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([(1, 2, 3)], "416461 00 00 55 010203", id="one LED"),
        pytest.param([(1, 2, 3), (255, 0, 9)], "416461 00 01 54 010203 ff0009", id="two LEDs"),
        pytest.param([(0, 0, 1)] * 52, "416461 00 33 66" + "000001" * 52, id="the Patolli board"),
        pytest.param([(7, 7, 7)] * 300, "416461 01 2b 7f" + "070707" * 300, id="more than a byte counts"),
        pytest.param([(0, 0, 1)] * 66, "416461 00 42 17" + "000001" * 66 + "000000", id="66 would say A: padded"),
    ],
)
def test_a_frame(values: Sequence[Rgb], expected: str) -> None:
    assert adalight(values) == bytes.fromhex(expected)


@pytest.mark.parametrize("count", [0, 65_537])
def test_strips_that_cannot_be(count: int) -> None:
    with pytest.raises(ValueError, match=f"a strip has 1 to 65,536 LEDs, not {count}"):
        adalight([(0, 0, 0)] * count)


def test_no_header_holds_a_command() -> None:
    risky = [n for n in range(1, 600) if not COMMANDS.isdisjoint(adalight([(0, 0, 0)] * n)[3:6])]
    assert risky == []


def test_a_channel_that_is_a_command_becomes_a_shade_darker() -> None:
    assert without_commands([(0x41, 0x42, 0xB7), (0xC9, 0xB0, 0x7B), (0, 255, 0xB8)]) == (
        (0x40, 0x42, 0xAF),
        (0xC8, 0xAF, 0x7A),
        (0, 255, 0xB8),
    )


def test_gamma_keeps_black_and_white_and_darkens_between() -> None:
    assert with_gamma([(0, 128, 255), (42, 157, 143)]) == ((0, 56, 255), (5, 88, 71))


def test_the_whole_frame_is_scaled_to_the_current_limit() -> None:
    white = [(255, 255, 255)] * 52
    assert current_ma(white) == 52 + 52 * 60
    scaled = within_current(white, limit_ma=500)
    assert scaled == ((36, 36, 36),) * 52
    assert within_current([(255, 100, 0)], limit_ma=500) == ((255, 100, 0),)
    assert within_current(white, limit_ma=40) == ((0, 0, 0),) * 52


@given(colours, st.floats(60, 2000))
def test_what_is_lit_is_within_the_limit_and_no_command(shown: list[Rgb], limit_ma: float) -> None:
    values = lit(shown, limit_ma=limit_ma)
    assert len(values) == len(shown)
    assert current_ma(values) <= max(limit_ma, len(values))
    assert COMMANDS.isdisjoint(level for value in values for level in value)


@given(colours, st.data())
def test_joining_the_stream_anywhere_obeys_nothing_and_shows_the_next_frame(
    shown: list[Rgb], data: st.DataObject
) -> None:
    frame = adalight(lit(shown))
    controller = Controller()
    controller.take((frame * 3)[data.draw(st.integers(0, len(frame))) :])
    assert bytes(controller.obeyed) == b""
    assert controller.shown[: len(shown)] == lit(shown)


def test_the_simulated_controller_does_obey_commands() -> None:
    controller = Controller()
    controller.take(b"\x00\xb3l" + adalight([(0x41, 0x4F, 0xB0)]) + b"{")
    assert bytes(controller.obeyed) == b"\xb3l{"
    assert controller.shown == ((0x41, 0x4F, 0xB0),)
