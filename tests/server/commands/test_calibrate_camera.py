"""``macuil calibrate camera``: from pictures of the page to cells that are found through a wide lens."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.layout import load
from calibration.profile import Profile
from server.cli import main
from server.lenses import path_of, read_profile
from tests.vision.lens_scene import Eye, Pose, photo, round_the_picture, where
from vision.camera import Camera, Frame, Image
from vision.capture import CaptureStatus

LAYOUT = load("patolli")
WIDE = Eye(centre_px=(327.0, 234.0))
NEAR = Pose(z_mm=430.0, about_x_deg=12.0)


@cache
def pages() -> list[Image]:
    return [photo(WIDE, pose) for pose in round_the_picture(WIDE)]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def folder(name: str, pictures: list[Image]) -> str:
    Path(name).mkdir()
    for number, picture in enumerate(pictures):
        assert cv2.imwrite(f"{name}/{number:02}.png", picture)
    return name


def off_px(capsys: pytest.CaptureFixture[str], *words: str) -> float:
    """How far the corners of the field are off where `macuil locate` finds them in board.png."""
    assert main(["locate", "board.png", "--board", "patolli", "--json", *words]) == 0
    corners = np.array(json.loads(capsys.readouterr().out)["corners_px"])
    return float(np.abs(corners - where(WIDE, NEAR, LAYOUT.field.corners_mm, "patolli")).max())


def test_pictures_of_the_page_make_a_profile_by_which_boards_are_found(
    data_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = folder("pages", pages())
    assert main(["calibrate", "camera", "--source", source, "--square", "60", "--out", "lens.json"]) == 0
    *views, found, residual, written = capsys.readouterr().out.splitlines()
    assert views == [f"{number:02}.png: view {number + 1}" for number in range(14)]
    assert found == "14 views: focal length 400 px, 92 degrees across, bent by k1, k2 and the middle."
    assert residual.startswith("Views that were held out are met to 0.0")
    assert (written, data_folder.exists()) == ("Written to lens.json, for --lens.", False)
    profile = read_profile(Path("lens.json"))
    assert (profile.camera, profile.size_px, profile.by) == ("pages", (640, 480), "page")
    assert profile.known.lens.focal_px == pytest.approx(400, rel=0.01)
    assert profile.known.lens.centre_px == pytest.approx((327, 234), abs=1.0)
    cv2.imwrite("board.png", photo(WIDE, NEAR, "patolli"))
    assert off_px(capsys, "--lens", "lens.json") < 0.3
    assert off_px(capsys) > 0.5


def test_a_picture_that_cannot_be_read_is_told_and_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    source = folder("pages", pages())
    Path("pages/99.png").write_text("none")
    assert main(["calibrate", "camera", "--source", source, "--out", "lens.json"]) == 1
    told = capsys.readouterr()
    assert told.out.endswith("Written to lens.json, for --lens.\n")
    assert told.err.startswith("macuil calibrate: pages/99.png: not a picture")


@pytest.mark.parametrize("source", ["pages", "pages/", "film.avi", "one.png"])
def test_of_a_recording_nothing_is_kept_for_a_camera(source: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder("pages", [WALL])
    cv2.imwrite("one.png", WALL)
    film = cv2.VideoWriter("film.avi", cv2.VideoWriter.fourcc(*"MJPG"), 10, (640, 480))
    film.write(WALL)
    film.release()
    assert main(["calibrate", "camera", "--source", source]) == 2
    assert capsys.readouterr().err == (
        f"macuil calibrate: {Path(source)}: no picture says which camera took it, so nothing can be kept for one; "
        "write the profile to a file with --out, for --lens\n"
    )


def test_a_number_is_a_camera_even_where_a_folder_is_called_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder("0", [WALL])
    live(monkeypatch, [Frame(np.zeros((height, 640, 3), np.uint8), 0.0, 0) for height in (480, 360)])
    assert main(["calibrate", "camera"]) == 2
    assert "640 x 360 pixels, but the pictures before 640 x 480" in capsys.readouterr().err


def test_pictures_beyond_those_that_are_enough_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("vision.coach.MOST_VIEWS", 4)
    monkeypatch.setattr("server.commands.calibrate_camera.MOST_VIEWS", 4)
    # First the page in one place only, more often than is looked at without a need.
    same = [photo(WIDE, Pose(x, 0.0, 300.0)) for x in (-64.0, -32.0, 32.0, 64.0, 0.0)]
    source = folder("many", [*same, *pages(), pages()[0]])
    assert main(["calibrate", "camera", "--source", source, "--out", "lens.json"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[3] == "03.png: view 4"
    assert said[4].startswith("04.png: enough such views; now move the page to the upper left corner")
    assert any(": view 8" in line for line in said)
    assert "19.png: not needed, " in said[19]


class FakeCamera:
    """A live camera of which only the name is asked."""

    identity, live = "webcam", True

    def read(self) -> Frame | None:
        raise AssertionError

    def close(self) -> None:
        raise AssertionError


def live(monkeypatch: pytest.MonkeyPatch, shown: list[Frame | CaptureStatus]) -> None:
    """Put a camera before the command that shows this and then goes on for ever."""

    @contextmanager
    def footage(source: str, fps: float, opened: Callable[[Camera], Camera]) -> Iterator[Iterator[Any]]:
        assert source == "0"
        opened(FakeCamera())
        yield iter([*shown, AssertionError("it should have ended")])

    monkeypatch.setattr("server.commands.calibrate_camera.footage", footage)


def test_before_a_live_camera_it_coaches_until_it_has_seen_enough(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    twice = [Frame(page, number / 10, number) for number, page in enumerate(page for page in pages() for _ in range(2))]
    empty = Frame(np.full((480, 640, 3), 120, np.uint8), 0.0, 0)
    live(monkeypatch, [CaptureStatus("ok"), empty, *twice])
    assert main(["calibrate", "camera"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[:4] == [
        "the camera is ok",
        "no page to be seen: hold all of the printed page (macuil print charuco) before the camera, still",
        "hold still",
        "view 1: now move the page to the upper edge of the picture",
    ]
    assert said[-2].startswith("Views that were held out are met to 0.0")
    assert said[-1] == f"Kept for webcam as {path_of(data_folder, 'webcam')}; --forget takes it back."
    profile: Profile = read_profile(path_of(data_folder, "webcam"))
    assert profile.known.lens.focal_px == pytest.approx(400, rel=0.01)
    # A second time: a new file that cannot be written costs nothing that is kept.
    live(monkeypatch, list(twice))
    Path("file").write_text("no folder")
    assert main(["calibrate", "camera", "--out", "file/lens.json"]) == 2
    assert capsys.readouterr().err == (
        "macuil calibrate: --out file/lens.json: cannot be written (Not a directory); choose another place\n"
    )
    assert list(data_folder.iterdir()) == [path_of(data_folder, "webcam")]
    assert read_profile(path_of(data_folder, "webcam")) == profile
    live(monkeypatch, list(twice))
    assert main(["calibrate", "camera", "--out", "lens.json"]) == 0
    *_, written, _, aside = capsys.readouterr().out.splitlines()
    former = aside.removeprefix("What was kept before is set aside as ").removesuffix(".")
    assert written == "Written to lens.json, for --lens."
    assert read_profile(Path(former)) == profile
    assert read_profile(Path("lens.json")) == read_profile(path_of(data_folder, "webcam"))
    assert main(["calibrate", "camera", "--source", "webcam", "--forget"]) == 0
    assert capsys.readouterr().out.startswith(f"Set aside as {path_of(data_folder, 'webcam')}.forgotten-")
    assert main(["calibrate", "camera", "--source", folder("f", [WALL]), "--forget"]) == 0
    assert capsys.readouterr().out == "Nothing is kept of the lens of f.\n"


def test_a_live_camera_that_changes_its_size_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    live(monkeypatch, [Frame(np.zeros((height, 640, 3), np.uint8), 0.0, 0) for height in (480, 360)])
    assert main(["calibrate", "camera"]) == 2
    assert capsys.readouterr().err == (
        "macuil calibrate: 640 x 360 pixels, but the pictures before 640 x 480: calibrate each size alone\n"
    )


WALL = np.full((480, 640, 3), 150, np.uint8)


@pytest.mark.parametrize(
    ("pictures", "said"),
    [
        (list, "f: a folder without pictures; it must hold .jpg or .png files"),
        (lambda: [WALL, WALL], "f: the page is in no picture: no page to be seen: hold all of the printed page (macuil "
         "print charuco) before the camera, still"),
        (lambda: [photo(WIDE, NEAR, mirrored=True)], "f: the page is mirrored: switch off mirroring in the camera, or "
         "print the page from its front"),
        (lambda: [pages()[0], pages()[1][:, :600]], "01.png: 600 x 480 pixels, but the pictures before 640 x 480: "
         "calibrate each size alone"),
        (lambda: pages()[:5], "5 views of the page are too few, 8 are needed; take more"),
        (lambda: pages()[1:9], "f: 8 views of the page, but none shows it in the upper left corner of the picture: add "
         "some that do"),
    ],
    ids=["empty", "no page", "mirrored", "sizes", "few", "missing corner"],
)  # fmt: skip
def test_pictures_that_do_not_suffice_are_refused(
    pictures: Callable[[], list[Image]], said: str, data_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder("f", pictures())
    assert main(["calibrate", "camera", "--source", "f", "--out", "lens.json"]) == 2
    assert capsys.readouterr().err == f"macuil calibrate: {said}\n"
    assert (data_folder.exists(), Path("lens.json").exists()) == (False, False)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--source none.mp4", "no such camera, file or folder: none.mp4"),
        ("--square 0", "--square 0: the squares are from 5 to 200 mm wide; measure one"),
        ("--square nan", "--square nan: the squares are from 5 to 200 mm wide; measure one"),
        ("--out there.json", "--out there.json: is there already and will not be overwritten; name a new file"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("there.json").write_text("mine")
    assert main(["calibrate", "camera", *words.split()]) == 2
    assert capsys.readouterr().err.startswith(f"macuil calibrate: {said}")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("locate board.png --board patolli", "the profile was made in pictures of 1280 x 720, and of 640 x 480 it"),
        ("locate board.png --board chessboard", "a chessboard is found by its squares as they are seen"),
        ("watch f --game patolli", "the profile was made in pictures of 1280 x 720, and of 640 x 480 it says nothing"),
        ("watch f", "--lens: throws alone are read without a lens; leave it out, or name the match with --game"),
        ("watch f --game patolli --corners 100,50 500,50 500,400 100,400",
         "the profile was made in pictures of 1280 x 720, and of 640 x 480 it says nothing"),
    ],
)  # fmt: skip
def test_a_profile_that_cannot_be_used_is_refused(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder("f", [WALL])
    cv2.imwrite("board.png", WALL)
    lens = {"centre_px": [639.5, 359.5], "focal_px": 900.0, "k1": -0.3, "more": []}
    Path("lens.json").write_text(json.dumps({
        "macuil": "lens", "version": 1, "camera": "webcam", "size_px": [1280, 720], "by": "page",
        "known": {"lens": lens, "focal_off": 0.01, "k1_off": 0.01}, "at": "2026-11-30T12:00:00+00:00",
        "residual_px": 0.1,
    }))  # fmt: skip
    assert main([*words.split(), "--lens", "lens.json"]) == 2
    assert said in capsys.readouterr().err
