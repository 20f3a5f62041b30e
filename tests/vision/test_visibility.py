"""A whole picture that is too dark or too blurred is told so, and from where on."""

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
    ],
)
def test_dark_and_blurred_pictures(level: int, blur_px: float, told: tuple[Plight, ...]) -> None:
    sheet = np.full((200, 280, 3), level, np.uint8)
    sheet[:40] = 255  # a reflection makes no dark picture a light one
    assert picture_plights(sheet, blur_px) == told
