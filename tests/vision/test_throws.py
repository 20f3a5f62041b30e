"""What the reader makes of judged beans and dice, and of whole pictures with their truth."""

import math
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.observation import Plight, ThrowSeen
from referee.rules import Needs
from tests.vision.drawn_throws import DrawnFinder, drawn, stand_in
from tests.vision.judged import GREY, a_bean, a_die
from tests.vision.scene import printed
from vision import throws
from vision.beans import BeanJudged
from vision.camera import Image
from vision.dice import DieJudged
from vision.finder import Found
from vision.throws import ThrowReader, _decide, _place, _still

PICTURES = Path(__file__).parent.parent / "pictures"
FIVE, TWO = Needs(beans=5), Needs(dice=2)


BEANS = tuple(a_bean(60 * i + 60, 100 + 20 * (i % 2), marked=i < 3) for i in range(5))
DICE = (a_die(100, 100, 2), a_die(200, 150, 6))


def _read(beans: tuple[BeanJudged, ...], dice: tuple[DieJudged, ...], needs: Needs | None) -> ThrowSeen:
    return _decide(GREY, _place(GREY, None), beans, dice, needs)


def test_five_clear_beans_are_booked() -> None:
    assert _read(BEANS, (), FIVE) == ThrowSeen("beans", beans=tuple(bean.seen for bean in BEANS), certain=True)
    assert _read(BEANS, (), FIVE).marked == 3


def test_two_clear_dice_are_booked() -> None:
    assert _read((), DICE, TWO) == ThrowSeen("dice", dice=tuple(die.seen for die in DICE), certain=True)


def test_another_kind_than_was_asked_for_is_not_booked() -> None:
    seen = _read((), (a_die(40, 40, 3), a_die(90, 60, 5)), FIVE)
    assert (seen.kind, seen.certain, seen.plights) == ("dice", False, ("extra", "missing"))


def test_nothing_there_is_certain_without_doubt() -> None:
    assert _read((), (), FIVE) == ThrowSeen("none", certain=True)
    shadow = replace(BEANS[0], real=0.2)
    assert _read((shadow,), (), FIVE) == ThrowSeen("none", certain=True), "nobody throws one bean of five"
    for doubtful in (replace(BEANS[0], real=0.6), replace(BEANS[0], real=0.9)):
        assert _read((doubtful,), (), FIVE) == ThrowSeen("none", plights=("extra",))
        assert _read((doubtful,), (), None) == ThrowSeen("none", plights=("extra",)), "it is rare, not nothing"


LEANING = replace(BEANS[0], seen=replace(BEANS[0].seen, flat=False))
PLAIN = tuple(a_bean(60 * i + 60, 100, marked=False) for i in range(5))
UNSURE = replace(BEANS[0], sure=0.8)


@pytest.mark.parametrize(
    ("beans", "dice", "needs", "plights"),
    [
        pytest.param(BEANS[:4], (), FIVE, ("missing",), id="4 of 5 seen"),
        pytest.param((*BEANS, a_bean(200, 250)), (), FIVE, ("extra",), id="six beans"),
        pytest.param((*BEANS, a_bean(200, 250, real=0.2)), (), FIVE, (), id="perhaps a sixth, but five were thrown"),
        pytest.param((*BEANS[1:], a_bean(200, 250, real=0.6)), (), FIVE, ("extra",), id="four and perhaps a fifth"),
        pytest.param((*BEANS, a_bean(200, 250, real=0.3)), (), None, ("extra",), id="five or six when none is told"),
        pytest.param(BEANS, DICE, FIVE, ("extra",), id="dice among the beans"),
        pytest.param((LEANING, *BEANS[1:]), (), FIVE, ("leaning",), id="one leans"),
        pytest.param((a_bean(128, 124), *BEANS[1:]), (), FIVE, ("stacked",), id="one lies on another"),
        pytest.param((a_bean(1, 100), *BEANS[1:]), (), FIVE, ("missing",), id="one lies across the edge"),
        pytest.param((a_bean(60, 200, size=7), *BEANS[1:]), (), FIVE, ("small",), id="too small"),
        pytest.param((UNSURE, *BEANS[1:]), (), FIVE, ("blurred",), id="a face is not certain"),
        pytest.param(BEANS, (), None, (), id="any number when none is told"),
        pytest.param(PLAIN, (), None, ("extra",), id="pebbles, perhaps, when none is told"),
        pytest.param(PLAIN, (), FIVE, (), id="five plain beans when five are told"),
    ],
)
def test_plights(
    beans: tuple[BeanJudged, ...], dice: tuple[DieJudged, ...], needs: Needs | None, plights: tuple[Plight, ...]
) -> None:
    seen = _read(beans, dice, needs)
    assert (seen.kind, seen.plights, seen.certain) == ("beans", plights, not plights)


@pytest.mark.parametrize(("real", "plights"), [(0.6, ()), (0.4, ("extra",))])
def test_what_came_into_an_empty_place_and_makes_up_the_number_is_counted_if_it_is_likelier_a_bean_than_not(
    real: float, plights: tuple[Plight, ...]
) -> None:
    beans = (*BEANS[1:], a_bean(200, 250, marked=False, real=real))
    seen = _decide(GREY, _place(GREY, None), beans, (), FIVE, only_beans=True)
    assert (seen.kind, seen.plights, seen.certain) == ("beans", plights, not plights)


@pytest.mark.parametrize(
    ("real", "least", "plights"), [(0.05, 0.99, ()), (0.2, 0.99, ("extra",)), (0.05, 0.8, ("extra",))]
)
def test_a_shadow_beside_five_sure_beans_is_no_sixth(real: float, least: float, plights: tuple[Plight, ...]) -> None:
    """One throw in three had been doubted for the beans' own shadows, where the lamp threw hard ones."""
    beans = (replace(BEANS[0], real=least), *BEANS[1:], a_bean(80, 104, marked=False, size=10, real=real))
    assert _decide(GREY, _place(GREY, None), beans, (), FIVE, only_beans=True).plights == plights


@pytest.mark.parametrize(("sure", "told"), [(0.99, False), (0.998, True)])
def test_where_nobody_said_how_many_were_thrown_two_that_look_like_one_are_no_certain_throw(
    sure: float, told: bool
) -> None:
    beans = [a_bean(40.0 + 60 * i, 50) for i in range(4)]
    beans[3] = replace(beans[3], sure=sure)
    assert _read(tuple(beans), (), None).certain is told
    assert _read(tuple(beans), (), Needs(beans=4)).certain


def test_what_is_too_small_is_told_by_its_own_length() -> None:
    assert _read(BEANS, (), FIVE).length_px == pytest.approx(31.9)
    assert _read((a_bean(60, 200, size=7), *BEANS[1:]), (), FIVE).length_px == pytest.approx(10.2, abs=0.06)


def test_an_unsure_face_in_glare_names_the_glare() -> None:
    bright = GREY.copy()
    cv2.circle(bright, (60, 100), 14, (255, 255, 255), -1)
    assert _decide(bright, _place(bright, None), (UNSURE, *BEANS[1:]), (), FIVE).plights == ("glare",)


def test_an_unsure_face_in_the_dark_names_the_dark() -> None:
    dark = np.full((300, 400, 3), 9, np.uint8)
    assert _decide(dark, _place(dark, None), (UNSURE, *BEANS[1:]), (), FIVE).plights == ("dark",)
    assert _decide(dark, _place(dark, None), (), (), FIVE) == ThrowSeen("none", plights=("dark",))


def test_the_median_leaves_out_what_passes_by() -> None:
    hand = GREY.copy()
    hand[100:200] = 20
    assert (_still([GREY, hand, GREY]) == GREY).all()
    with pytest.raises(ValueError, match="at least one picture"):
        _still([])


@pytest.fixture(scope="module")
def reader() -> ThrowReader:
    return ThrowReader()


def _load(path: Path) -> Image:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


@pytest.mark.parametrize("truth", sorted(PICTURES.glob("throw_*.toml")), ids=lambda path: path.stem)
def test_pictures_are_booked_right_or_not_at_all(truth: Path, reader: ThrowReader) -> None:
    want = tomllib.loads(truth.read_text())
    seen = reader.read([_load(truth.with_suffix(".jpg"))])
    faces = sorted(bean.face for bean in seen.beans)
    values = sorted(die.value or 0 for die in seen.dice)
    assert seen.kind == want["kind"]
    assert not seen.certain or (faces, values) == (want["faces"], want["dice"])


def test_the_place_alone_counts(reader: ThrowReader) -> None:
    picture = _load(PICTURES / "throw_beans_0.jpg")
    height, width = picture.shape[:2]
    table = np.full((height, 3 * width, 3), 120, np.uint8)
    table[:, :width] = picture
    place = np.asarray([[width, 0], [3 * width, 0], [3 * width, height], [width, height]], np.float32)
    place[[0, 3], 0] += 0.2 * width
    assert reader.read([table], place).kind == "none"


@pytest.mark.parametrize("needs", [FIVE, TWO])
def test_a_place_that_was_seen_empty_and_has_not_changed_is_certainly_empty(needs: Needs) -> None:
    """For dice it never was: light that moved over it, and no throw was read again."""
    bare, reader = np.full((360, 480, 3), 150, np.uint8), ThrowReader(needs)
    assert reader.read([bare], changes=()) == ThrowSeen("none", certain=True)
    assert reader.read([bare]).plights == ("missing",), "who says in a picture what was thrown has thrown it"


def test_pixels_are_those_of_the_whole_frame(reader: ThrowReader) -> None:
    picture = _load(PICTURES / "throw_beans_0.jpg")
    alone = reader.read([picture])
    table = cv2.copyMakeBorder(picture, 64, 0, 96, 0, cv2.BORDER_REPLICATE)
    height, width = picture.shape[:2]
    place = np.asarray([[96, 64], [96 + width, 64], [96 + width, 64 + height], [96, 64 + height]], np.float32)
    inside = reader.read([np.asarray(table, np.uint8)], place)
    shifted = sorted((bean.centre_px[0] - 96, bean.centre_px[1] - 64) for bean in inside.beans)
    assert np.allclose(shifted, sorted(bean.centre_px for bean in alone.beans), atol=10)


def test_nothing_is_certain_while_candidates_are_left_that_nobody_looked_at(reader: ThrowReader) -> None:
    rng = np.random.default_rng(2)
    spots = np.full((480, 640, 3), 200, np.uint8)
    for x in range(30, 620, 40):
        for y in range(30, 460, 40):
            cv2.circle(spots, (x, y), 9, [int(v) for v in rng.integers(20, 120, 3)], -1, cv2.LINE_AA)
    seen = reader.read([spots])
    assert not seen.certain
    assert "extra" in seen.plights


class _NearSighted(DrawnFinder):
    """Takes the two that lie nearest to each other for one, unless they are seen larger."""

    def find(self, image: Image, zooms: Sequence[float]) -> tuple[Found, ...]:
        found = super().find(image, zooms)
        if max(zooms) > 1:
            return found
        one, other = min(combinations(found, 2), key=lambda two: math.dist(two[0].centre_px, two[1].centre_px))
        x, y = np.mean([one.centre_px, other.centre_px], axis=0)
        return (*(thing for thing in found if thing not in (one, other)), replace(one, centre_px=(float(x), float(y))))


class _Inventing(DrawnFinder):
    """Sees one more that is not there, when it looks closer."""

    def find(self, image: Image, zooms: Sequence[float]) -> tuple[Found, ...]:
        found = super().find(image, zooms)
        return (*found, Found((300.0, 200.0), 22.0, 0.9)) if max(zooms) > 1 else found


def test_nothing_lies_closer_where_nothing_did(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stand_in(monkeypatch, tmp_path, 15.0, beans=(250, 128), dice=())
    monkeypatch.setattr(throws, "Finder", _Inventing)
    seen = ThrowReader(FIVE).read([drawn("beans", (250, 60, 250, 60))])
    assert len(seen.beans) == 4
    assert "missing" in seen.plights


@pytest.mark.parametrize(("lying", "certain"), [(5, True), (4, False)])
def test_two_that_were_found_as_one_are_looked_at_closer(
    lying: int, certain: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stand_in(monkeypatch, tmp_path, 15.0, beans=(250, 128), dice=())
    monkeypatch.setattr(throws, "Finder", _NearSighted)
    picture = drawn("beans", (250, 250, 250, 250)[: lying - 1])
    cv2.circle(picture, (80, 50), 14, (250, 250, 250), -1)
    seen = ThrowReader(FIVE).read([picture])
    assert (len(seen.beans), seen.certain) == (lying if certain else lying - 1, certain)
    assert ("missing" in seen.plights) != certain


@pytest.mark.parametrize("zoom", [0.7, 0.9, 1.2])
def test_of_ten_beans_that_are_printed_beside_the_place_five_are_no_throw(zoom: float) -> None:
    sheet = cv2.resize(printed("patolli"), None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    seen = ThrowReader(FIVE).read([np.asarray(sheet, np.uint8)])
    assert not seen.certain
    assert "extra" in seen.plights
