"""The lenses of a table's cameras: kept silently, told once, never at the cost of what a person calibrated."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from calibration.pose import Lens, Prior
from calibration.profile import BadProfile, Profile
from server.lenses import TableLenses, forget, path_of, read_profile, write_profile
from vision.camera import CameraLost, Frame

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
LEARNT = Prior(Lens((639.5, 359.5), 1000.0, -0.1), 0.02, 0.01)
PAGE = Profile("webcam", (1280, 720), Prior(Lens((650.0, 350.0), 900.0, -0.3, (0.1,)), 0.001, 0.002), "page", AT, 0.1)
SIZE = (1280, 720)
HINT = "it holds no profile of a camera: macuil calibrate camera makes one"


class FakeCamera:
    def __init__(self, identity: str, *, live: bool = True) -> None:
        self.identity, self.live, self.closed = identity, live, False

    def read(self) -> Frame | None:
        return Frame(np.zeros((720, 1280, 3), np.uint8), 0.0, 0)

    def close(self) -> None:
        self.closed = True


def opened(folder: Path, identity: str = "webcam", *, live: bool = True) -> TableLenses:
    lenses = TableLenses(folder)
    lenses.of(FakeCamera(identity, live=live))
    return lenses


def test_what_the_tags_told_is_the_beginning_of_the_next_evening(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = opened(tmp_path / "new")
    assert first.prior(SIZE) is None
    first.learnt(SIZE, LEARNT, 0.12, refuted=False)
    assert opened(tmp_path / "new").prior((640, 360)) == Prior(Lens((319.5, 179.5), 500.0, -0.1), 0.05, 0.02)
    assert opened(tmp_path / "new", "another").prior(SIZE) is None
    assert opened(tmp_path / "new").prior((640, 480)) is None
    assert capsys.readouterr() == ("", "")


def test_a_lens_that_was_refuted_is_replaced(tmp_path: Path) -> None:
    opened(tmp_path).learnt(SIZE, LEARNT, 0.12, refuted=False)
    zoomed = replace(LEARNT, lens=Lens((639.5, 359.5), 1700.0))
    opened(tmp_path).learnt(SIZE, zoomed, 0.12, refuted=True)
    assert read_profile(path_of(tmp_path, "webcam")).known == zoomed


def test_nothing_is_kept_of_recordings(tmp_path: Path) -> None:
    opened(tmp_path, live=False).learnt(SIZE, LEARNT, 0.12, refuted=False)
    assert list(tmp_path.iterdir()) == []


def test_a_calibrated_lens_is_told_and_never_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_profile(path_of(tmp_path, "webcam"), PAGE)
    lenses = opened(tmp_path)
    assert lenses.prior(SIZE) == PAGE.prior(SIZE)
    lenses.learnt(SIZE, LEARNT, 0.12, refuted=False)
    lenses.learnt(SIZE, LEARNT, 0.12, refuted=True)
    other_shape = opened(tmp_path)
    assert other_shape.prior((640, 480)) is None
    other_shape.learnt((640, 480), LEARNT, 0.12, refuted=False)
    assert read_profile(path_of(tmp_path, "webcam")) == PAGE
    taken = "macuil: the lens is taken as calibrated on 2026-11-30"
    assert capsys.readouterr().err.splitlines() == [
        taken,
        "macuil: the lens is not as calibrated on 2026-11-30: zoomed, or another one; what the tags say is taken",
        taken,
        "macuil: the profile was made in pictures of 1280 x 720, and of 640 x 480 it says nothing: they show another "
        "part of what the lens sees; calibrate the camera with these",
    ]


def test_a_file_of_another_camera_or_none_at_all_is_told_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copied, spoilt = path_of(tmp_path, "other"), path_of(tmp_path, "third")
    write_profile(copied, PAGE)
    spoilt.write_bytes(b"\xff\x00 no JSON")
    for identity in ("other", "third"):
        lenses = opened(tmp_path, identity)
        assert lenses.prior(SIZE) is None
        lenses.learnt(SIZE, LEARNT, 0.12, refuted=False)
    assert (read_profile(copied), spoilt.read_bytes()) == (PAGE, b"\xff\x00 no JSON")
    until = "until then the lens is learnt anew each time"
    assert capsys.readouterr().err.splitlines() == [
        f"macuil: {copied}: this is the profile of another camera, webcam; the pictures come from other: calibrate it "
        f"with macuil calibrate camera; {until}",
        f"macuil: {spoilt}: {HINT}; {until}",
    ]


def test_a_profile_that_a_person_names_is_used_or_refused(tmp_path: Path) -> None:
    file = tmp_path / "lens.json"
    write_profile(file, PAGE)
    lenses, other = TableLenses(None, file), FakeCamera("other")
    with pytest.raises(BadProfile, match=f"--lens {file}: this is the profile of another camera, webcam"):
        lenses.of(other)
    assert (other.closed, lenses.identity) == (True, "")
    lenses.of(FakeCamera("webcam"))
    lenses.of(FakeCamera("a recording", live=False))
    assert lenses.prior(SIZE) == PAGE.prior(SIZE)
    with pytest.raises(BadProfile, match=f"--lens {file}: the profile was made in pictures of 1280 x 720"):
        lenses.prior((640, 480))
    with pytest.raises(BadProfile, match=r"none\.json: cannot be read"):
        TableLenses(None, tmp_path / "none.json")


def test_another_camera_that_comes_up_in_between_is_waited_out(tmp_path: Path) -> None:
    file = tmp_path / "lens.json"
    write_profile(file, PAGE)
    lenses, other = TableLenses(None, file), FakeCamera("other")
    lenses.of(FakeCamera("webcam"))
    with pytest.raises(CameraLost, match=f"--lens {file}: this is the profile of another camera, webcam"):
        lenses.of(other)
    assert (other.closed, lenses.identity) == (True, "webcam")
    lenses.of(FakeCamera("webcam"))
    assert lenses.prior(SIZE) == PAGE.prior(SIZE)


def test_who_looks_is_known_by_its_identity(tmp_path: Path) -> None:
    lenses = opened(tmp_path)
    lenses.learnt(SIZE, LEARNT, 0.12, refuted=False)
    lenses.of(FakeCamera("another"))
    assert (lenses.identity, lenses.prior(SIZE)) == ("another", None)


def test_within_the_evening_one_begins_with_what_was_learnt(tmp_path: Path) -> None:
    lenses = opened(tmp_path)
    lenses.learnt(SIZE, LEARNT, 0.12, refuted=False)
    assert lenses.prior(SIZE) == Prior(LEARNT.lens, 0.05, 0.02)
    assert lenses.prior((640, 480)) is None
    assert lenses.prior(SIZE) == Prior(LEARNT.lens, 0.05, 0.02)


def test_a_calibrated_lens_that_was_refuted_is_not_asked_again_within_the_evening(tmp_path: Path) -> None:
    write_profile(path_of(tmp_path, "webcam"), PAGE)
    lenses = opened(tmp_path)
    assert lenses.prior((640, 480)) is None
    assert lenses.prior(SIZE) == PAGE.prior(SIZE)
    lenses.learnt(SIZE, LEARNT, 0.12, refuted=True)
    assert lenses.prior(SIZE) is None
    assert read_profile(path_of(tmp_path, "webcam")) == PAGE


def test_a_former_profile_is_set_aside_where_that_is_asked(tmp_path: Path) -> None:
    path, second = tmp_path / "lens.json", replace(PAGE, residual_px=0.2)
    assert write_profile(path, PAGE, aside=True) is None
    once, twice = (write_profile(path, second, aside=True) for _ in range(2))
    assert once is not None
    assert twice is not None
    assert [read_profile(file) for file in (once, twice, path)] == [PAGE, second, second]
    assert sorted(tmp_path.iterdir()) == sorted([path, once, twice])


def test_a_full_disk_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.write_text("")
    lenses = opened(file / "folder")
    lenses.learnt(SIZE, LEARNT, 0.12, refuted=False)
    assert capsys.readouterr().err.startswith(f"macuil: {path_of(file / 'folder', 'webcam')}: cannot be written")


def test_what_is_forgotten_is_set_aside(tmp_path: Path) -> None:
    write_profile(path_of(tmp_path, "webcam"), PAGE)
    aside = forget(tmp_path, "webcam", AT)
    assert aside is not None
    assert (list(tmp_path.iterdir()), read_profile(aside)) == ([aside], PAGE)
    assert forget(tmp_path, "webcam", AT) is None
