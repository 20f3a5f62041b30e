"""Corners that people show at a page: kept with their picture, found again, forgotten, refused."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from calibration.corners import CornersRefused, Quad
from calibration.layout import load
from server.app import create_app
from server.sight import KEPT, Sight, SightRefused
from tests.server.asking import HERE, command, until
from tests.server.fakes import Stage
from vision.camera import Frame, Image
from vision.follow import Follower
from vision.locate import Located
from vision.synthetic.arm import BRISK
from vision.synthetic.table import SimulatedTable

LAYOUT = load("patolli")
BARE = replace(LAYOUT, tags=())


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    return SimulatedTable(BARE, seed=5, tempo=BRISK)


def corners(table: SimulatedTable) -> Quad:
    one, two, three, four = table.picture.feet_px(LAYOUT.field.corners_mm, table.truth().lie)
    return one, two, three, four


def grey(image: Image) -> np.typing.NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def test_tags_unless_there_are_none() -> None:
    assert (Sight(LAYOUT).by, Sight(LAYOUT).locator()) == ("tags", None)
    unshown = Sight(BARE)
    locator = unshown.locator()
    assert (unshown.by, locator and locator.see(np.zeros((720, 1280), np.uint8))) == ("nothing", "no corners")


def test_corners_are_kept_with_their_picture_until_they_are_forgotten(table: SimulatedTable, tmp_path: Path) -> None:
    sight = Sight(LAYOUT, tmp_path)
    sight.show(corners(table), table.frame().image)
    assert sight.by == "corners"
    assert isinstance(sight.locator(), Follower)
    table.bump(12, -5, 2)  # overnight
    while table.busy:
        table.blink()
    later = Sight(LAYOUT, tmp_path)
    locator = later.locator()
    assert locator is not None
    seen = locator.see(grey(table.frame().image))
    assert isinstance(seen, Located)
    assert np.abs(seen.project(LAYOUT.field.corners_mm) - np.array(corners(table))).max() < 1.2
    assert Sight(load("ludo"), tmp_path).by == "tags", "they are another board's"
    later.forget()
    assert (later.by, Sight(LAYOUT, tmp_path).by, list(tmp_path.iterdir())) == ("tags", "tags", [])


@pytest.mark.parametrize(
    "spoil", [lambda path: path.write_bytes(b"five beans"), lambda path: path.write_bytes(path.read_bytes()[:5000])]
)
def test_a_spoilt_file_is_nothing(table: SimulatedTable, tmp_path: Path, spoil: Callable[[Path], object]) -> None:
    Sight(LAYOUT, tmp_path).show(corners(table), table.frame().image)
    spoil(tmp_path / KEPT)
    assert Sight(LAYOUT, tmp_path).by == "tags"


def test_what_cannot_be_used_changes_nothing(table: SimulatedTable, tmp_path: Path) -> None:
    sight, picture = Sight(LAYOUT, tmp_path), table.frame().image
    one, two, three, four = corners(table)
    with pytest.raises(CornersRefused, match="bow-tie"):
        sight.show((one, three, two, four), picture)
    with pytest.raises(SightRefused, match="too little is drawn"):
        sight.show((one, two, three, four), np.full_like(picture, 90))
    with pytest.raises(SightRefused, match="cannot be kept"):
        Sight(LAYOUT, tmp_path / "nowhere").show((one, two, three, four), picture)
    assert (sight.by, list(tmp_path.iterdir())) == ("tags", [])


def test_corners_from_the_settings_wait_for_the_first_picture(
    table: SimulatedTable, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = grey(table.frame().image)
    given = Sight(BARE, given=corners(table)).locator()
    assert given is not None
    assert isinstance(given.see(picture), Located)
    (x, _), two, three, four = corners(table)
    wrong = Sight(BARE, given=((x, 900.0), two, three, four)).locator()
    assert wrong is not None
    assert [wrong.see(picture), wrong.see(picture)] == ["no corners", "no corners"]
    assert capsys.readouterr().err.count("lies outside the picture") == 1


@pytest.fixture
def stage(tmp_path: Path, table: SimulatedTable) -> Stage:
    """A house whose camera looks at the table."""
    stage, picture = Stage(tmp_path), table.frame().image

    def take(timeout_s: float) -> Frame | None:
        if stage.frames.closed:
            return None
        stage.frames.push()
        return Frame(picture, stage.frames.pushed / 10, stage.frames.pushed)

    stage.frames.take = take  # type: ignore[method-assign]
    return stage


def test_a_page_shows_corners_and_a_new_reader_looks_by_them(stage: Stage, table: SimulatedTable) -> None:
    shown = [list(corner) for corner in corners(table)]
    with TestClient(create_app(stage.house), base_url=HERE) as client:

        def asked(**what: object) -> tuple[int, str]:
            answer = command(client, client.get("/api/state").json()["version"], **what)
            return answer.status_code, answer.json().get("error", "")[:31]

        until(lambda: stage.heard > 0)
        bow_tie = [shown[k] for k in (0, 2, 1, 3)]
        assert asked(type="show_corners", corners=bow_tie) == (422, "the sides cross like a bow-tie:")
        for wrong in (None, shown[:3], "corners"):
            assert asked(type="show_corners", corners=wrong) == (422, "write four corners in pixels, c")
        assert command(client, -1, type="show_corners", corners=shown).status_code == 409, "asked in another state"
        assert (len(stage.readers), client.get("/api/state").json()["sight"]) == (1, "tags")
        assert asked(type="show_corners", corners=shown) == (200, "")
        assert client.get("/api/state").json()["sight"] == "corners"
        until(lambda: len(stage.readers) == 2)
        assert asked(type="forget_corners") == (200, "")
        until(lambda: len(stage.readers) == 3)
        assert client.get("/api/state").json()["sight"] == "tags"


def test_without_a_picture_no_corner_can_be_shown(tmp_path: Path, table: SimulatedTable) -> None:
    stage = Stage(tmp_path)
    with TestClient(create_app(stage.house), base_url=HERE) as client:
        refused = command(client, 1, type="show_corners", corners=[list(corner) for corner in corners(table)])
        assert (refused.status_code, refused.json()["error"][:19]) == (422, "there is no picture")
