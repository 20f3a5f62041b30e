"""Letters as strokes of an even pen, so that every printer draws the same ones and none needs a font."""

from itertools import pairwise

from calibration.drawing import Rgb, Shape, stroked
from calibration.outlines import Point

HEIGHT = 6.0
"""Height of a letter on the grid the strokes are written on; a space is 2 wide, letters stand 1.6 apart."""

# Width, then strokes: points "x,y" from the top left; a stroke that begins with ~ is rounded.
_GLYPHS = {
    "A": "4.4|0,6 2.2,0 4.4,6|.85,3.9 3.55,3.9",
    "B": "3.6|0,6 0,0|~0,0 2,0 3.4,.2 3.4,2.8 2,2.9 0,2.9|~0,2.9 2.2,2.9 3.8,3.2 3.8,5.8 2.2,6 0,6",
    "C": "4.2|~4.2,.9 3.4,0 .9,-.2 0,1.4 0,4.6 .9,6.2 3.4,6 4.2,5.1",
    "D": "4.2|0,6 0,0|~0,0 1.8,0 4.2,.4 4.2,3 4.2,5.6 1.8,6 0,6",
    "E": "3.2|3.2,0 0,0 0,6 3.2,6|0,2.9 2.6,2.9",
    "F": "3.2|3.2,0 0,0 0,6|0,2.9 2.6,2.9",
    "G": "4.4|~4.2,.9 3.4,0 .9,-.2 0,1.4 0,4.6 .9,6.2 3.4,6.2 4.4,5.2 4.4,4|4.4,6 4.4,3.4 2.6,3.4",
    "H": "4|0,0 0,6|4,0 4,6|0,2.9 4,2.9",
    "I": "0|0,0 0,6",
    "J": "2.6|~2.6,0 2.6,4 2.6,6.2 .6,6.2 0,5.2",
    "K": "4|0,0 0,6|4,0 0,3.4|1.4,2.3 4,6",
    "L": "3|0,0 0,6 3,6",
    "M": "5|0,6 0,0 2.5,4 5,0 5,6",
    "N": "4.2|0,6 0,0 4.2,6 4.2,0",
    "O": "4.6|~2.3,0 .6,0 0,1.4 0,4.6 .6,6 2.3,6 4,6 4.6,4.6 4.6,1.4 4,0 2.3,0",
    "P": "3.6|0,6 0,0|~0,0 2,0 3.8,.2 3.8,3.2 2,3.4 0,3.4",
    "Q": "4.6|~2.3,0 .6,0 0,1.4 0,4.6 .6,6 2.3,6 4,6 4.6,4.6 4.6,1.4 4,0 2.3,0|3,4.4 4.8,6.4",
    "R": "3.8|0,6 0,0|~0,0 2,0 3.8,.2 3.8,3 2,3.2 0,3.2|1.8,3.2 3.8,6",
    "S": "3.6|~3.5,.9 2.9,0 .5,-.2 -.2,1.6 .6,2.7 3,3.2 3.9,4.3 3.2,6.2 .6,6.1 0,5.1",
    "T": "4|0,0 4,0|2,0 2,6",
    "U": "4.2|~0,0 0,3.6 .2,6 2.1,6 4,6 4.2,3.6 4.2,0",
    "V": "4.4|0,0 2.2,6 4.4,0",
    "W": "6|0,0 1.5,6 3,1.4 4.5,6 6,0",
    "X": "4|0,0 4,6|4,0 0,6",
    "Y": "4|0,0 2,3 4,0|2,3 2,6",
    "Z": "3.8|0,0 3.8,0 0,6 3.8,6",
    "0": "3.6|~1.8,0 .4,0 0,1.4 0,4.6 .4,6 1.8,6 3.2,6 3.6,4.6 3.6,1.4 3.2,0 1.8,0",
    "1": "1.4|0,1.2 1.4,0 1.4,6",
    "2": "3.4|~.1,1.3 .4,-.1 3.2,-.2 3.6,1.8 2.6,3.2 0,6|0,6 3.6,6",
    "3": "3.4|~.1,.9 .6,-.1 3.2,-.1 3.4,2.7 1.2,2.9|~1.2,2.9 3.6,3 3.8,6.1 .6,6.2 0,5.1",
    "4": "3.8|2.8,6 2.8,0 0,4.2 3.8,4.2",
    "5": "3.4|3.2,0 .5,0 .3,2.7|~.3,2.7 1,2.1 3.4,2 3.8,4.2 3,6.1 .7,6.2 0,5.2",
    "6": "3.6|~3.1,.3 1.4,.4 0,2.6 0,4.2 .2,6 1.8,6 3.4,6 3.6,4.3 3.4,2.5 1.8,2.5 .5,2.6 .1,3.6",
    "7": "3.4|0,0 3.4,0 1.1,6",
    "8": "3.6|~1.8,0 .4,0 .2,1.4 .4,2.8 1.8,2.9 3.2,2.8 3.4,1.4 3.2,0 1.8,0"
    "|~1.8,2.9 .2,3 0,4.4 .2,6 1.8,6 3.4,6 3.6,4.4 3.4,3 1.8,2.9",
    "9": "3.6|~.5,5.7 2.2,5.6 3.6,3.4 3.6,1.8 3.4,0 1.8,0 .2,0 0,1.7 .2,3.5 1.8,3.5 3.1,3.4 3.5,2.4",
    "·": "0.6|0,2.7 .6,2.7 .6,3.3 0,3.3 0,2.7",
    ".": "0|0,5.95 0,6",
    ",": "0.3|.3,5.8 0,6.9",
    ":": "0|0,2.2 0,2.25|0,5.2 0,5.25",
    "-": "2.2|0,3.1 2.2,3.1",
    "/": "2.6|2.6,-.4 0,6.4",
    "%": "5|4.4,0 .6,6|~1.1,0 .1,0 0,1.2 .1,2.4 1.1,2.4 2.1,2.4 2.2,1.2 2.1,0 1.1,0"
    "|~3.9,3.6 2.9,3.6 2.8,4.8 2.9,6 3.9,6 4.9,6 5,4.8 4.9,3.6 3.9,3.6",
    " ": "2|",
}
SIGNS = frozenset(_GLYPHS)
ADVANCE = 1.6
PEN = 0.13
"""Width of the pen in heights of a letter."""


def lettering(text: str, at: Point, height_mm: float, ink: Rgb, *, align: float = 0.5) -> Shape:
    """Write one line of capitals, digits and a few signs.

    Args:
        at: middle of the line's height; ``align`` 0 begins there, 0.5 is centred on it, 1 ends there.

    Raises:
        KeyError: the alphabet has no such sign.
    """
    unit = height_mm / HEIGHT
    x = -align * measure(text, height_mm) / unit
    lines = []
    for letter in text.upper():
        width, strokes = _glyph(letter)
        for stroke in strokes:
            lines.append(tuple((at[0] + (x + px) * unit, at[1] + (py - HEIGHT / 2) * unit) for px, py in stroke))
        x += width + ADVANCE
    return stroked(*lines, ink=ink, width_mm=height_mm * PEN)


def measure(text: str, height_mm: float) -> float:
    """Width of the line in millimetres."""
    widths = [_glyph(letter)[0] for letter in text.upper()]
    return (sum(widths) + ADVANCE * (len(widths) - 1)) * height_mm / HEIGHT


def _glyph(letter: str) -> tuple[float, list[tuple[Point, ...]]]:
    width, *strokes = _GLYPHS[letter].split("|")
    return float(width), [_stroke(stroke) for stroke in strokes if stroke]


def _stroke(written: str) -> tuple[Point, ...]:
    points = [(float(x), float(y)) for x, y in (pair.split(",") for pair in written.lstrip("~").split())]
    if written.startswith("~"):
        for _ in range(3):
            points = _rounded(points)
    return tuple(points)


def _rounded(points: list[Point]) -> list[Point]:
    """Cut every corner; the ends stay. Source: Chaikin, An algorithm for high-speed curve generation, 1974."""
    inner = []
    for (ax, ay), (bx, by) in pairwise(points):
        inner += [(ax + (bx - ax) / 4, ay + (by - ay) / 4), (ax + (bx - ax) * 3 / 4, ay + (by - ay) * 3 / 4)]
    return [points[0], *inner[1:-1], points[-1]]
