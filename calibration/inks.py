"""The colours of the boards: amate paper, brown-black ink, and the codex's paints made quiet."""

from collections.abc import Mapping

from calibration.drawing import Rgb
from referee.board import Seat

INK: Rgb = (60, 46, 36)
LINE_MM = 0.5
"""The even weight of the ink's lines."""
FAINT: Rgb = (150, 128, 98)
AMATE: Rgb = (222, 203, 166)
GESSO: Rgb = (243, 235, 216)
"""Plain cells: the light ground the painter lays before the colours."""
STONE: Rgb = (213, 210, 198)
"""The throwing place: light, nearly neutral, yet darker than a white bean."""
COCHINEAL: Rgb = (178, 92, 74)
ROSE: Rgb = (214, 164, 140)
OCHRE: Rgb = (205, 168, 106)
MAYA: Rgb = (126, 164, 166)
SKY: Rgb = (186, 203, 196)
LEAF: Rgb = (146, 160, 118)
WHITE: Rgb = (255, 255, 255)
BLACK: Rgb = (0, 0, 0)

SEATS: Mapping[Seat, Rgb] = {
    Seat(1): (42, 157, 111),
    Seat(2): (233, 180, 60),
    Seat(3): (228, 112, 90),
    Seat(4): (62, 84, 152),
}
"""Jade, Maize, Coral, Indigo as the pieces are where nobody says otherwise."""


def mix(first: Rgb, second: Rgb, share: float) -> Rgb:
    """``share`` of the second colour in the first, 0 to 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return (red, green, blue)
