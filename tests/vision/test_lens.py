"""A kept lens: what it is good for, and when it loses against the tags."""

from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.layout import load
from calibration.pose import Lens, Prior
from referee.observation import Refusal
from tests.vision.lens_scene import Eye, Pose, photo, where
from vision.dragged import by_corners
from vision.lens import LensLocator
from vision.locate import LESSONS, Located, Locator
from vision.tags import Grey

LAYOUT = load("patolli")
CELLS = np.array([point for cell in LAYOUT.cells for point in cell.outline_mm])
WIDE = Eye((1280, 720), 800.0, (655.0, 350.0))
TRUE = Lens((655.0, 350.0), 800.0, -0.3, (0.08,))
NEAR = Pose(z_mm=500.0, about_x_deg=12.0)
PLAIN = Eye((1280, 720), 1000.0, (639.5, 359.5), (0.0, 0.0, 0.0, 0.0, 0.0))


@dataclass
class Kept:
    """Lenses of a camera of which ``known`` is kept."""

    known: Prior | None
    told: list[tuple[Prior, bool]] = field(default_factory=list)
    identity: str = "webcam"

    def prior(self, size_px: tuple[int, int]) -> Prior | None:
        assert size_px == (1280, 720)
        return self.known

    def learnt(self, size_px: tuple[int, int], known: Prior, residual_px: float, *, refuted: bool) -> None:
        assert 0 < residual_px < 1
        self.told.append((known, refuted))


@cache
def board(eye: Eye, pose: Pose) -> Grey:
    return np.asarray(cv2.cvtColor(photo(eye, pose, "patolli"), cv2.COLOR_BGR2GRAY), np.uint8)


def off_px(located: object, eye: Eye, pose: Pose) -> float:
    """How far the worst corner of any cell is off."""
    assert isinstance(located, Located), located
    return float(np.linalg.norm(located.project(CELLS) - where(eye, pose, CELLS, "patolli"), axis=1).max())


def test_through_a_wide_lens_cells_are_found_only_where_it_is_known() -> None:
    page = Prior(TRUE, 0.01, 0.002)
    assert off_px(LensLocator(LAYOUT, Kept(page)).see(board(WIDE, NEAR)), WIDE, NEAR) < 0.2
    assert off_px(LensLocator(LAYOUT, Kept(None)).see(board(WIDE, NEAR)), WIDE, NEAR) > 1.5


def test_corners_that_a_person_shows_are_straightened_where_the_lens_is_known() -> None:
    one, two, three, four = ((float(x), float(y)) for x, y in where(WIDE, NEAR, LAYOUT.field.corners_mm, "patolli"))
    known = by_corners(LAYOUT, (one, two, three, four), WIDE.size, TRUE)
    assert off_px(known, WIDE, NEAR) < 0.01
    assert known.corners_px == pytest.approx(
        where(WIDE, NEAR, [(0, 0), (574, 0), (574, 400), (0, 400)], "patolli"), abs=0.01
    )
    assert off_px(by_corners(LAYOUT, (one, two, three, four), WIDE.size), WIDE, NEAR) > 10


def test_what_the_tags_tell_is_told_once_it_is_learnt() -> None:
    lenses = Kept(None)
    locator, pose = LensLocator(LAYOUT, lenses), Pose(z_mm=760.0, about_x_deg=25.0)
    for _ in range(LESSONS + 4):
        locator.see(board(PLAIN, pose))
    ((known, refuted),) = lenses.told
    assert not refuted
    assert known.lens.focal_px == pytest.approx(1000, rel=0.01)
    assert known.lens.k1 == pytest.approx(0, abs=0.01)
    assert 0 < known.focal_off < 0.02
    assert 0 < known.k1_off < 0.02


@pytest.mark.parametrize(
    "kept",
    [
        pytest.param(Prior(Lens((639.5, 359.5), 1600.0), 0.05, 0.02), id="zoomed out since"),
        pytest.param(Prior(Lens((639.5, 359.5), 700.0), 0.01, 0.002), id="zoomed in since it was calibrated"),
        pytest.param(Prior(TRUE, 0.01, 0.002), id="of another camera"),
        pytest.param(Prior(Lens((600.0, 300.0), 400.0, 25.0, (4.7, 0.0, 25.7, 12.8)), 0.01, 0.002), id="nonsense"),
    ],
)
def test_a_kept_lens_that_does_not_fit_loses_against_the_tags(kept: Prior) -> None:
    lenses = Kept(kept)
    locator, pose = LensLocator(LAYOUT, lenses), Pose(z_mm=760.0, about_x_deg=25.0)
    for _ in range(LESSONS + 4):
        located = locator.see(board(PLAIN, pose))
    assert off_px(located, PLAIN, pose) < 0.2
    assert isinstance(located, Located)
    assert located.lens.focal_px == pytest.approx(1000, rel=0.02)
    assert [refuted for _, refuted in lenses.told] == [True]


def test_a_kept_lens_is_never_forgotten_over_the_evenings() -> None:
    """A board seen straight on tells nothing of the focal length: evening after evening it is as sure as before."""
    known, offs = Prior(Lens((639.5, 359.5), 1000.0), 0.05, 0.02), []
    for _ in range(4):
        locator = Locator(LAYOUT, known)
        for _ in range(LESSONS + 2):
            locator.see(board(PLAIN, Pose(z_mm=760.0)))
        assert locator.learnt is not None
        known = locator.learnt
        offs.append((known.focal_off, known.k1_off))
    assert offs == sorted(offs, reverse=True)
    assert (max(focal for focal, _ in offs), max(k1 for _, k1 in offs)) < (0.05, 0.02)


def test_another_camera_of_the_same_size_has_its_own_lens() -> None:
    lenses, pose = Kept(Prior(Lens((639.5, 359.5), 1000.0), 0.01, 0.002)), Pose(z_mm=760.0, about_x_deg=25.0)
    locator = LensLocator(LAYOUT, lenses)
    for _ in range(LESSONS + 4):
        locator.see(board(PLAIN, pose))
    lenses.identity, lenses.known = "wide", Prior(TRUE, 0.01, 0.002)
    for _ in range(LESSONS + 4):
        located = locator.see(board(WIDE, NEAR))
    assert off_px(located, WIDE, NEAR) < 0.2
    assert [round(known.lens.focal_px, -1) for known, _ in lenses.told] == [1000, 800]


def test_cells_that_are_cut_off_are_not_put_in_the_picture_by_a_lens_that_bends_less() -> None:
    eye = Eye((1280, 720), 900.0, (650.0, 350.0), (-0.2, 0.05, 0.0, 0.0, 0.0))
    lenses = Kept(Prior(Lens((650.0, 350.0), 900.0, -0.2, (0.05,)), 0.01, 0.002))
    picture = board(eye, Pose(x_mm=-60.0, z_mm=450.0))
    assert isinstance(Locator(LAYOUT).see(picture), Located)
    assert LensLocator(LAYOUT, lenses).see(picture) == "cut off"


@pytest.mark.parametrize("refusal", ["cut off", "bent"])
@pytest.mark.parametrize(
    ("kept", "overruled"),
    [(Prior(Lens((639.5, 359.5), 1000.0), 0.01, 0.002), False), (Prior(TRUE, 0.01, 0.002), True)],
    ids=["right", "of another camera"],
)
def test_what_a_kept_lens_refuses_stays_refused_unless_the_tags_contradict_it(
    kept: Prior, overruled: bool, refusal: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Refusing(Locator):
        """Refuses what it sees through a kept lens."""

        def see(self, grey: Grey, *, search: bool = True) -> Located | Refusal:
            seen = super().see(grey, search=search)
            return refusal if self._prior else seen

    monkeypatch.setattr("vision.lens.Locator", Refusing)
    seen = LensLocator(LAYOUT, Kept(kept)).see(board(PLAIN, Pose(z_mm=760.0, about_x_deg=25.0)))
    assert isinstance(seen, Located) == overruled
    assert overruled or seen == refusal


def test_a_lens_that_was_focused_meanwhile_is_kept_and_learnt_on() -> None:
    lenses = Kept(Prior(Lens((639.5, 359.5), 1030.0), 0.05, 0.02))
    locator, pose = LensLocator(LAYOUT, lenses), Pose(z_mm=760.0, about_x_deg=25.0)
    for _ in range(LESSONS + 4):
        locator.see(board(PLAIN, pose))
    ((known, refuted),) = lenses.told
    assert not refuted
    assert known.lens.focal_px == pytest.approx(1000, rel=0.01)


def test_a_board_seen_straight_on_leaves_a_kept_focal_length_alone() -> None:
    lenses = Kept(Prior(Lens((639.5, 359.5), 1180.0), 0.05, 0.02))
    locator, pose = LensLocator(LAYOUT, lenses), Pose(z_mm=760.0)
    for _ in range(LESSONS + 4):
        locator.see(board(PLAIN, pose))
    ((known, refuted),) = lenses.told
    assert not refuted
    assert known.lens.focal_px == pytest.approx(1180, rel=0.1)
