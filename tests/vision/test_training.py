"""What the nets learn from: the truth that comes with a picture must lie where the picture shows it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import Image
from vision.finder import MODELS, Finder, Found, net
from vision.judge import CROP_PX, CROP_SIZES, Judge, Judgement
from vision.together import GEOMETRY, LOOKED, MOST, PLACED
from vision.training import grounds, lies, surfaces, whole_throws
from vision.training.meshes import footprint
from vision.training.samples import CUT_PX, CUT_SIZES, MISTAKEN, Crops, cut, maps, spread, view
from vision.training.scenes import BEAN_LABELS, SCENE_PX, Scene, Thing, render
from vision.training.solid_table import laid_out
from vision.training.whole_throws import UNKNOWN, Throw, gathered


def _disc() -> Crops:
    """A white disc on black in the middle of a stored crop, as large as an object is there."""
    image = np.zeros((CUT_PX, CUT_PX, 3), np.uint8)
    radius = CUT_PX / CUT_SIZES / np.sqrt(np.pi)
    cv2.circle(image, (CUT_PX * 8 - 8, CUT_PX * 8 - 8), round(radius * 16), (255, 255, 255), -1, cv2.LINE_AA, 4)
    return Crops(np.stack([image]), np.zeros(1, np.int64), np.ones(1, np.bool_), {0: image[..., 0]})


def test_a_judge_is_told_where_the_object_lies_and_how_large_it_is() -> None:
    pictures, _, where = spread(_disc(), np.zeros(60, np.int64), np.random.default_rng(1))
    rows, columns = np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2
    checked = 0
    for picture, (right, down, larger) in zip(pictures, where, strict=True):
        if max(abs(right), abs(down)) + 0.57 * np.exp(larger) > CROP_SIZES / 2:
            continue  # not the whole of it is seen
        seen = picture.mean(0) > (picture.max() + picture.min()) / 2
        checked += 1
        middle = np.asarray([columns[seen].mean(), rows[seen].mean()]) * CROP_SIZES / CROP_PX
        assert middle == pytest.approx([right, down], abs=0.04)
        assert np.log(np.sqrt(seen.sum()) * CROP_SIZES / CROP_PX) == pytest.approx(larger, abs=0.08)
    assert checked > 30


def test_where_nothing_lies_no_place_is_taught() -> None:
    disc = _disc()
    nothing = replace(disc, there=np.zeros(1, np.bool_))
    assert np.isnan(spread(nothing, np.zeros(4, np.int64), np.random.default_rng(1))[2]).all()


class _Seeing(Finder, Judge):
    """Finds the same places in every picture, and puts nothing right."""

    def __init__(self, *places: tuple[float, float]) -> None:
        """No net is loaded."""
        self.plain = 0.0
        self._places = tuple(Found(place, 20.0, 0.9) for place in places)

    def find(self, image: Image, zooms: Sequence[float], at_least: float = 0.0) -> tuple[Found, ...]:
        return self._places

    def judge(self, image: Image, things: Sequence[Found]) -> tuple[Judgement, ...]:
        logits = np.asarray([0, self.plain, 0, 0], np.float32)
        return tuple(Judgement(logits, np.zeros(96, np.float32), thing) for thing in things)


def test_ground_that_deceives_is_learnt_every_time_a_pebble_that_does_no_oftener_than_before() -> None:
    rng, seeing = np.random.default_rng(5), _Seeing((80.0, 60.0), (210.0, 90.0))
    ground = np.asarray(rng.integers(0, 255, (SCENE_PX, SCENE_PX, 3)), np.uint8)
    pebble = Thing("other", "other", (80.0, 60.0), 20.0, whole=False)
    crops = cut([Scene(ground, (pebble,))] * 200, "bean", BEAN_LABELS, rng, seeing, seeing)
    learnt = len(crops.labels) - 200
    assert 200 * MISTAKEN * 0.5 < learnt < 200 * MISTAKEN * 2


def test_a_whole_throw_is_gathered_with_where_its_beans_really_lie() -> None:
    seeing = _Seeing((78.0, 60.0), (215.0, 90.0), (150.0, 200.0), (20.0, 300.0))
    lying = (
        Thing("bean", "marked", (80.0, 60.0), 20.0),
        Thing("bean", "plain", (210.0, 90.0), 24.0),
        Thing("other", "other", (150.0, 200.0), 20.0),
        Thing("bean", "plain", (20.0, 300.0), 20.0, whole=False),
    )
    image = np.zeros((SCENE_PX, SCENE_PX, 3), np.uint8)
    (throw,) = gathered([Scene(image, lying)], "bean", BEAN_LABELS, np.random.default_rng(1), seeing, seeing)
    assert throw.labels.tolist() == [0, 1, 3, UNKNOWN]
    assert throw.off[:2] == pytest.approx(np.asarray([[0.1, 0, 0], [-0.25, 0, np.log(1.2)]]), abs=1e-5)
    assert np.isnan(throw.off[2]).all()
    assert throw.where[:, :4].tolist() == [
        [x, y, 20.0, pytest.approx(0.9)] for x, y in ((78, 60), (215, 90), (150, 200), (20, 300))
    ]


@pytest.mark.parametrize(("thrown", "label"), [(True, 2), (False, UNKNOWN)])
def test_what_was_put_askew_at_random_is_seen_and_not_learnt_from(thrown: bool, label: int) -> None:
    seeing = _Seeing((80.0, 60.0), (210.0, 90.0))
    lying = (Thing("bean", "plain", (80.0, 60.0), 20.0), Thing("bean", "askew", (210.0, 90.0), 20.0))
    scenes = [Scene(np.zeros((SCENE_PX, SCENE_PX, 3), np.uint8), lying)]
    (throw,) = gathered(scenes, "bean", BEAN_LABELS, np.random.default_rng(1), seeing, seeing, thrown=thrown)
    assert throw.labels.tolist() == [1, label]


@pytest.mark.parametrize(("plain", "label"), [(1.5, 0), (3.0, UNKNOWN)])
def test_a_mark_that_nobody_sees_is_not_learnt_from(plain: float, label: int) -> None:
    seeing = _Seeing((80.0, 60.0), (210.0, 90.0))
    seeing.plain = plain
    lying = (Thing("bean", "plain", (80.0, 60.0), 20.0), Thing("bean", "marked", (210.0, 90.0), 20.0))
    scenes = [Scene(np.zeros((SCENE_PX, SCENE_PX, 3), np.uint8), lying)]
    (throw,) = gathered(scenes, "bean", BEAN_LABELS, np.random.default_rng(1), seeing, seeing)
    assert throw.labels.tolist() == [1, label]


def test_a_throw_is_turned_as_a_whole_and_each_picture_knows_where_its_bean_lies() -> None:
    disc = _disc()
    throw = Throw(
        np.repeat(disc.images, 3, axis=0),
        np.asarray([[50.0 * i, 60.0, 20.0, 0.9, 3.0, 4.0, 5.0] for i in range(3)], np.float32),
        np.asarray([0, 1, UNKNOWN]),
        np.zeros((3, 3), np.float32),
    )
    rows, columns = np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2
    batch = whole_throws.spread([throw, throw], np.random.default_rng(2))
    assert batch.rows.tolist() == [0, 1, 2, MOST, MOST + 1, MOST + 2]
    assert batch.labels[batch.rows].tolist() == [0, 1, UNKNOWN] * 2
    assert (np.delete(batch.labels, batch.rows) == UNKNOWN).all()
    assert batch.where[0, 1] / batch.where[0, 2] == pytest.approx(3.0)  # larger or smaller, but all of it
    for picture, (right, down, larger) in zip(batch.pictures, batch.off, strict=True):
        seen = picture.mean(0) > (picture.max() + picture.min()) / 2
        middle = np.asarray([columns[seen].mean(), rows[seen].mean()]) * CROP_SIZES / CROP_PX
        assert middle == pytest.approx([right, down], abs=0.04)
        assert np.log(np.sqrt(seen.sum()) * CROP_SIZES / CROP_PX) == pytest.approx(larger, abs=0.08)


def test_the_finder_is_told_where_the_centres_are_whichever_way_the_scene_is_turned() -> None:
    rng = np.random.default_rng(3)
    image = np.zeros((SCENE_PX, SCENE_PX, 3), np.uint8)
    places = [(80.0, 60.0), (210.0, 90.0), (150.0, 240.0)]
    for x, y in places:
        cv2.circle(image, (int(x), int(y)), 11, (255, 255, 255), -1, cv2.LINE_AA)
    scene = Scene(image, tuple(Thing("bean", "plain", place, 20.0) for place in places))
    for _ in range(5):
        seen = view(scene, rng)
        assert len(seen.things) >= 2
        for thing in seen.things:
            x, y = (round(v) for v in thing.centre_px)
            if 12 < x < SCENE_PX - 12 and 12 < y < SCENE_PX - 12:
                assert seen.image[y, x].min() > 200
        heat = maps(seen)[0]
        assert heat.max() == 1.0
        assert int((heat == 1.0).sum()) >= sum(min(t.centre_px) > 4 and max(t.centre_px) < 316 for t in seen.things)


def test_a_rendered_scene_is_the_same_each_time_and_its_truth_differs_from_the_ground() -> None:
    scene, again = (render(np.random.default_rng((9, 1)), only="beans", count=6) for _ in range(2))
    assert scene.things == again.things
    assert (scene.image == again.image).all()
    assert {thing.kind for thing in scene.things} == {"bean"}
    assert all(0 <= v < SCENE_PX for thing in scene.things for v in thing.centre_px)


def test_grounds_are_photographs_not_shapes_or_badges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    gravel = cv2.GaussianBlur(rng.integers(60, 200, (900, 1600, 3)).astype(np.uint8), (0, 0), 2)
    badge = np.dstack([gravel[:300, :300], np.where(np.eye(300) > 0, 0, 255)]).astype(np.uint8)
    sheet = np.zeros((400, 400), np.uint8)
    cv2.circle(sheet, (200, 200), 120, 255, -1)
    for name, image in (("gravel", gravel), ("badge", badge), ("sheet", sheet), ("small", gravel[:200, :200])):
        cv2.imwrite(str(tmp_path / f"{name}.png"), image)
    (tmp_path / "words.png").write_text("no picture")
    ground = grounds.usable(tmp_path / "gravel.png")
    assert ground is not None
    assert ground.shape == (720, 1280, 3)
    assert [grounds.usable(tmp_path / f"{name}.png") for name in ("badge", "sheet", "small", "words")] == [None] * 4

    cv2.imwrite(str(tmp_path / "0.jpg"), ground)
    monkeypatch.setattr(surfaces, "_photographs", lambda: (tmp_path / "0.jpg",))
    window = surfaces.photographed(np.random.default_rng(1), 320)
    assert window.shape == (320, 320, 3)
    assert window.std() > 0.01


def test_a_traced_scene_has_its_things_where_it_says() -> None:
    pytest.importorskip("mitsuba", reason="Mitsuba is installed for training only")
    from vision.training import traced

    scene = traced.render(np.random.default_rng((9, 2)))
    assert scene.image.shape == (SCENE_PX, SCENE_PX, 3)
    lying = [thing for thing in scene.things if thing.whole and thing.label != "askew"]
    assert len(lying) > 2
    logs = np.log(scene.image.astype(np.float32) + 8).mean(-1)
    differs = []
    for thing in lying:
        x, y = (round(at) for at in thing.centre_px)
        far = np.hypot(*np.ogrid[-y : SCENE_PX - y, -x : SCENE_PX - x]) / thing.size_px
        differs.append(abs(np.median(logs[far < 0.3]) - np.median(logs[(far > 1) & (far < 1.6)])))
    assert min(differs) > 0.1


def test_what_lies_askew_in_a_throw_leans_against_something(monkeypatch: pytest.MonkeyPatch) -> None:
    # Now and then one has nothing to hold it, so that such a one is not unknown.
    monkeypatch.setattr(lies, "ALONE", 0.0)
    eye = np.asarray([0, 0, 1], np.float32)
    leaning = []
    for seed in range(80):
        solids = laid_out(np.random.default_rng((7, seed)), 100.0, eye, thrown=True)
        hulls = [footprint(solid.corners_mm) for solid in solids]
        for i, solid in enumerate(solids):
            if solid.label == "askew":
                middle = hulls[i].mean(axis=0)
                around = np.asarray(middle + 1.05 * (hulls[i] - middle), np.float32)
                others = (hull for j, hull in enumerate(hulls) if j != i)
                leaning.append(max(cv2.intersectConvexConvex(around, other)[0] for other in others) > 0)
    assert len(leaning) > 10
    assert all(leaning)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # those of PyTorch's exporter
@pytest.mark.parametrize("name", ["beans", "dice"])
def test_shipped_weights_learn_on_from_what_they_answer(name: str) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is installed for training only")
    from vision.training import nets, restored

    rng, path = np.random.default_rng(1), MODELS / f"{name}.onnx"
    pictures = rng.normal(0, 1, (100, 3, CROP_PX, CROP_PX)).astype(np.float32)
    judge = nets.Judge(4 if name == "beans" else 8, look=PLACED if name == "beans" else 0)
    restored.restore_judge(judge, path, torch.from_numpy(pictures))
    shipped = net(path)
    shipped.setInput(pictures[:8])
    answers = shipped.forward("answer")
    judge.last[0].p = 0.0  # without dropout a net that learns answers as before, too
    with torch.no_grad():
        assert judge(torch.from_numpy(pictures))[0][:8].numpy() == pytest.approx(answers, abs=5e-3)
        judge.eval()
        assert judge(torch.from_numpy(pictures[:8]))[0].numpy() == pytest.approx(answers, abs=1e-3)
    with pytest.raises(ValueError, match="another net"):
        restored.restore_judge(nets.Judge(5, look=5), path, torch.from_numpy(pictures))


def test_shipped_weights_that_weigh_together_learn_on_too() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is installed for training only")
    from vision.training import nets, restored

    path, together = MODELS / "beans_together.onnx", nets.Together(4)
    restored.restore_together(together, path)
    things = np.random.default_rng(1).normal(0, 1, (1, MOST, 4 + LOOKED + GEOMETRY + 1)).astype(np.float32)
    shipped = net(path)
    shipped.setInput(things)
    with torch.no_grad():
        assert together.eval()(torch.from_numpy(things)).numpy() == pytest.approx(shipped.forward(), abs=1e-3)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # those of PyTorch's exporter
@pytest.mark.parametrize("name", ["beans", "dice"])
def test_an_exported_judge_is_one_that_reads(name: str, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is installed for training only")
    from vision.training import nets

    classes = 4 if name == "beans" else 8
    judge = nets.Judge(classes, look=PLACED if name == "beans" else 0)
    nets.export(judge, (1, 3, CROP_PX, CROP_PX), tmp_path / f"{name}.onnx")
    if name == "beans":
        things = (1, MOST, classes + LOOKED + GEOMETRY + 1)
        nets.export(nets.Together(classes), things, tmp_path / f"{name}_together.onnx")
    image = np.asarray(np.random.default_rng(1).integers(0, 255, (120, 160, 3)), np.uint8)
    seen = Judge(name, tmp_path).judge(image, [Found((60.0, 60.0), 20.0, 0.9), Found((110.0, 60.0), 18.0, 0.9)])
    assert [judged.logits.shape for judged in seen] == [(classes,)] * 2
