"""A camera's profile as it is kept, and the pictures it is not about."""

import json
import math
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from calibration.pose import Lens, Prior
from calibration.profile import BadProfile, Profile, dump, parse

LENS = Lens((643.5, 355.5), 800.0, -0.3, (0.08, 0.0, 0.1))
KNOWN: dict[str, object] = {
    "lens": {"centre_px": [1, 2], "focal_px": 900, "k1": 0, "more": []}, "focal_off": 1, "k1_off": 1
}  # fmt: skip
AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
PAGE = Profile("/dev/v4l/by-id/c920", (1280, 720), Prior(LENS, 0.002, 0.002), "page", AT, 0.1)


def test_a_profile_is_read_as_it_was_written() -> None:
    assert parse(dump(PAGE)) == PAGE


def test_in_a_larger_picture_of_the_same_shape_it_is_enlarged() -> None:
    prior = PAGE.prior((1920, 1080))
    assert prior == Prior(Lens((965.5, 533.5), 1200.0, -0.3, (0.08, 0.0, 0.1)), 0.01, 0.002)
    assert prior.lens.undistort([(150.25, 90.25)]) == pytest.approx((LENS.undistort([(100, 60)]) + 0.5) * 1.5 - 0.5)


def test_what_tags_told_is_believed_less() -> None:
    assert replace(PAGE, by="tags").prior((1280, 720)) == Prior(LENS, 0.05, 0.02)


def test_another_camera_and_another_picture_are_refused_in_words() -> None:
    with pytest.raises(BadProfile) as camera:
        PAGE.of("/dev/v4l/by-id/other")
    assert str(camera.value) == (
        "this is the profile of another camera, /dev/v4l/by-id/c920; the pictures come from /dev/v4l/by-id/other: "
        "calibrate it with macuil calibrate camera"
    )
    with pytest.raises(BadProfile) as picture:
        PAGE.prior((640, 480))
    assert str(picture.value) == (
        "the profile was made in pictures of 1280 x 720, and of 640 x 480 it says nothing: they show another part of "
        "what the lens sees; calibrate the camera with these"
    )


@pytest.mark.parametrize(
    "change",
    [
        {"macuil": "taught"},
        {"by": "hand"},
        {"size_px": [0, 720]},
        {"size_px": "big"},
        {"residual_px": float("nan")},
        {"at": "yesterday"},
        *({"known": KNOWN | {name: value}} for name in ("focal_off", "k1_off") for value in (math.nan, math.inf, 0)),
        {"known": {"lens": {"centre_px": [1, 2], "focal_px": -1, "k1": 0, "more": []}, "focal_off": 1, "k1_off": 1}},
    ],
)
def test_a_damaged_profile_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(BadProfile, match="holds no profile of a camera"):
        parse(json.dumps(json.loads(dump(PAGE)) | change))


@pytest.mark.parametrize("text", ["", "[]", "{", '{"macuil": "lens"}', "[" * 100_000])
def test_what_is_no_profile_is_refused(text: str) -> None:
    with pytest.raises(BadProfile, match="holds no profile of a camera"):
        parse(text)


def test_a_profile_of_a_newer_version_is_refused() -> None:
    with pytest.raises(BadProfile, match="newer Macuil"):
        parse(json.dumps(json.loads(dump(PAGE)) | {"version": 2}))
