"""A whole picture that is too dark, too bright or too blurred is told so, and from where on."""

import numpy as np
import pytest

from referee.observation import Plight
from vision.visibility import picture_plights


@pytest.mark.parametrize(
    ("level", "blur_px", "told"),
    [
        (120, 0.8, ()),
        (40, 2.0, ()),
        (20, 0.8, ("dark",)),
        (120, 3.0, ("blurred",)),
        (20, 3.0, ("dark", "blurred")),
        (120, float("nan"), ()),  # of a board without tags nobody knows
        (249, 0.8, ()),
        (252, 0.8, ("bright",)),
    ],
)
def test_dark_bright_and_blurred_pictures(level: int, blur_px: float, told: tuple[Plight, ...]) -> None:
    sheet = np.full((200, 280, 3), level, np.uint8)
    sheet[:40] = 255  # a reflection makes no dark picture a light one
    assert picture_plights(sheet, blur_px, printed=True) == told


def test_two_of_the_colours_must_end_in_most_of_the_sheet() -> None:
    sheet = np.full((200, 280, 3), (160, 255, 255), np.uint8)
    assert picture_plights(sheet, 0.8, printed=True) == ("bright",)
    assert picture_plights(sheet, 0.8, printed=False) == (), "a board of white paper may be all white"
    sheet[:80] = (160, 240, 255)
    assert picture_plights(sheet, 0.8, printed=True) == ()


@pytest.mark.parametrize(("plight", "over", "between", "free"), [("dark", 28, 31, 35), ("bright", 28, 33, 36)])
def test_light_at_the_limit_does_not_flicker(plight: Plight, over: int, between: int, free: int) -> None:
    def told(at: int, before: tuple[Plight, ...]) -> tuple[Plight, ...]:
        if plight == "dark":
            sheet = np.full((200, 280, 3), at, np.uint8)
        else:
            sheet = np.full((400, 280, 3), 255, np.uint8)
            sheet[: at * 4] = 200
        return picture_plights(sheet, 0.8, printed=True, before=before)

    assert told(over, ()) == (plight,)
    assert (told(between, ()), told(between, (plight,))) == ((), (plight,))
    assert told(free, (plight,)) == ()
