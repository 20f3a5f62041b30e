"""Colours without light."""

import numpy as np
import pytest

from calibration.colours import Response, log_colours, measure_response, opponent
from calibration.layout import load

CHIPS = load("patolli").chips
PRINTED = opponent(log_colours(np.array([[chip.rgb[::-1] for chip in CHIPS]], np.uint8)))[0]


def test_chips_tell_how_a_camera_stretches_colours() -> None:
    camera = Response(contrast=0.9, saturation=1.25)
    measured = measure_response(CHIPS, camera.seen(PRINTED))
    assert [measured.contrast, measured.saturation] == pytest.approx([0.9, 1.25], abs=0.01)


def test_covered_chips_say_nothing() -> None:
    assert measure_response(CHIPS, np.full_like(PRINTED, np.nan)) == Response(1.0, 1.0)


def test_the_colour_of_the_light_drops_out_of_differences() -> None:
    grey, red = (np.array([[[v, v, w]]], np.uint8) for v, w in ((100, 100), (100, 200)))
    halved = opponent(log_colours(red // 2)) - opponent(log_colours(grey // 2))
    assert halved == pytest.approx(opponent(log_colours(red)) - opponent(log_colours(grey)), abs=0.04)


def test_a_chip_under_a_sleeve_says_nothing() -> None:
    camera = Response(contrast=1.0, saturation=1.3)
    seen = camera.seen(PRINTED)
    colourful = [k for k, chip in enumerate(CHIPS) if max(chip.rgb) - min(chip.rgb) > 60]
    seen[colourful[: len(colourful) // 2]] = seen[next(k for k in range(len(CHIPS)) if k not in colourful)]
    assert measure_response(CHIPS, seen).saturation == pytest.approx(1.3, abs=0.01)
