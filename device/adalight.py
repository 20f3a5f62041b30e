"""Colours to bytes: the Adalight protocol, made safe for controllers that join it in the middle."""

from collections.abc import Sequence

Rgb = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

COMMANDS = frozenset(b"AILOlov{^X") | frozenset(range(0xB0, 0xB8)) | {0xC9}
"""Bytes that a WLED out of step with the stream takes for orders: other protocols, JSON, new baud rates, even a
restart. Source: WLED, wled00/wled_serial.cpp, state Header_A; ``^`` and ``X`` are of its MoonModules branch."""
GAMMA = 2.2
LIMIT_MA = 500.0
CHANNEL_MA = 20.0
"""One channel of one LED, fully lit."""
IDLE_MA = 1.0
"""One LED, dark."""


def lit(colours: Sequence[Rgb], *, limit_ma: float = LIMIT_MA) -> tuple[Rgb, ...]:
    """Colours as the eye should see them to values as the LEDs take them: gamma, current, no command bytes."""
    return without_commands(within_current(with_gamma(colours), limit_ma=limit_ma))


def with_gamma(colours: Sequence[Rgb], *, gamma: float = GAMMA) -> tuple[Rgb, ...]:
    """LEDs are linear, eyes and colour values are not."""
    table = [round(255 * (value / 255) ** gamma) for value in range(256)]
    return tuple((table[red], table[green], table[blue]) for red, green, blue in colours)


def current_ma(values: Sequence[Rgb]) -> float:
    """Estimated current of LED values, WS2812 at 5 V, milliamperes."""
    return IDLE_MA * len(values) + CHANNEL_MA * sum(map(sum, values)) / 255


def within_current(values: Sequence[Rgb], *, limit_ma: float = LIMIT_MA) -> tuple[Rgb, ...]:
    """Scale the whole frame so that its estimated current stays under the limit; dark if even idling exceeds it."""
    light_ma = current_ma(values) - IDLE_MA * len(values)
    left_ma = max(0.0, limit_ma - IDLE_MA * len(values))
    share = min(1.0, left_ma / light_ma) if light_ma else 1.0
    return tuple((int(red * share), int(green * share), int(blue * share)) for red, green, blue in values)


def without_commands(values: Sequence[Rgb]) -> tuple[Rgb, ...]:
    """Each channel at the nearest smaller value that is no command: a shade darker, never over the current limit."""
    return tuple((_SAFE[red], _SAFE[green], _SAFE[blue]) for red, green, blue in values)


def adalight(values: Sequence[Rgb]) -> bytes:
    """One frame: ``Ada``, number of LEDs less one, checksum, colours.

    Where the header itself would hold a command byte, black LEDs are added until it does not.

    Raises:
        ValueError: no LEDs, or more than 65,536.
    """
    count = len(values)
    if not 0 < count <= 0x10000:
        raise ValueError(f"a strip has 1 to 65,536 LEDs, not {count}")
    while not COMMANDS.isdisjoint(_header(count)[3:]):
        count += 1
    body = bytes(channel for value in values for channel in value)
    return _header(count) + body + bytes(3 * (count - len(values)))


def _header(count: int) -> bytes:
    high, low = divmod(count - 1, 0x100)
    return b"Ada" + bytes((high, low, high ^ low ^ 0x55))


def _safe(value: int) -> int:
    while value in COMMANDS:
        value -= 1
    return value


_SAFE = tuple(_safe(value) for value in range(256))
