"""What the coach says to a page held wrongly, and when it has seen enough."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.lens_scene import Eye, Pose, photo, round_the_picture
from vision.camera import Image
from vision.coach import MIRRORED, NOTHING, PARTS, Coach, Seen
from vision.tags import Grey

EYE = Eye()
HELD = Pose(0.0, 0.0, 300.0, 8.0, 5.0, 20.0)


def grey(picture: Image) -> Grey:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


@cache
def shown(pose: Pose, eye: Eye = EYE, *, mirrored: bool = False, blur_px: float = 0.7) -> Grey:
    return grey(photo(eye, pose, mirrored=mirrored, blur_px=blur_px))


COVERED = shown(HELD).copy()
COVERED[150:380, 200:420] = 90

FAULTS = [
    pytest.param(np.full((480, 640), 120, np.uint8), NOTHING, id="nothing"),
    pytest.param(shown(HELD, mirrored=True), MIRRORED, id="mirrored"),
    pytest.param(shown(replace(HELD, z_mm=560.0)),
                 "too far: a square is 20 px, 24 are needed; bring the page nearer", id="too far"),
    pytest.param(shown(Pose(-165.0, 10.0, 130.0)),
                 "too near: the page leaves the picture at the left and top and bottom; move it back or inwards",
                 id="too near"),
    pytest.param(COVERED, "too little of the page can be read: take fingers off it, turn it towards the camera, "
                 "give even light", id="covered"),
    pytest.param(shown(replace(HELD, z_mm=240.0), blur_px=2.5),
                 "blurred: hold still, give more light, or let the camera focus", id="blurred"),
]  # fmt: skip


@pytest.mark.parametrize(("picture", "said"), FAULTS)
def test_what_is_no_view_is_said_and_not_taken(picture: Grey, said: str) -> None:
    coach = Coach(live=False)
    assert coach.see(picture) == Seen(said)
    assert (coach.views, coach.mirrored) == ([], said == MIRRORED)


def test_a_page_held_by_hand_is_taken_once_it_is_still() -> None:
    coach = Coach(live=True)
    near = replace(HELD, x_mm=12.0)
    said = [coach.see(shown(pose)) for pose in (HELD, near, near, near)]
    wish = "now move the page to the upper left corner of the picture"
    assert said == [Seen("hold still"), Seen("hold still"), Seen(wish, taken=True), Seen(f"seen already; {wish}")]
    assert len(coach.views) == 1


def test_it_asks_for_what_is_missing_until_nothing_is() -> None:
    coach, wishes = Coach(live=False), []
    assert (coach.missing(), len(coach.flat()), coach.complete) == (PARTS, 2, False)
    for pose in round_the_picture(EYE):
        seen = coach.see(shown(pose))
        assert seen.taken
        wishes.append(seen.advice)
    assert wishes[0].startswith("now move the page to the upper edge")
    assert wishes[-1] == "now another view, tilted or turned otherwise"
    assert (coach.missing(), coach.flat(), coach.complete) == ((), (), True)


def test_of_many_views_only_those_are_taken_that_show_what_is_lacking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.coach.MOST_VIEWS", 3)
    coach, level = Coach(live=False), [Pose(x, 0.0, 300.0) for x in (-45.0, -15.0, 15.0, 45.0)]
    assert [coach.see(shown(pose)).taken for pose in level] == [True, True, True, False]
    assert coach.see(shown(level[3])).advice.startswith("enough such views; now move the page to the upper left")
    for pose in round_the_picture(EYE):
        coach.see(shown(pose))
    assert (coach.missing(), coach.flat(), coach.complete) == ((), (), True)
    assert len(coach.views) < 3 + len(round_the_picture(EYE))


def test_a_page_that_is_never_tilted_is_not_enough() -> None:
    coach = Coach(live=False)
    level = [replace(pose, about_x_deg=0.0, about_y_deg=0.0) for pose in round_the_picture(Eye(focal_px=800.0))]
    for pose in level:
        coach.see(shown(pose, Eye(focal_px=800.0, bend=(0.0, 0.0, 0.0, 0.0, 0.0))))
    assert (coach.missing(), coach.complete) == ((), False)
    assert coach.see(shown(level[0], Eye(focal_px=800.0, bend=(0.0, 0.0, 0.0, 0.0, 0.0)))).advice == (
        "seen already; now tilt the page, its left or right side nearer to the camera"
    )
