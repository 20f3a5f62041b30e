"""From scenes to what the nets eat: pictures with maps for the finder, crops with labels for the judges."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.camera import Image
from vision.crops import cut_out
from vision.finder import STRIDE, Finder, Found, normalised, zooms_for
from vision.judge import CROP_PX, CROP_SIZES, Judge, probabilities
from vision.training.recolour import Recolour
from vision.training.scenes import SCENE_PX, Scene, Thing
from vision.training.solids import Floats

CUT_PX, CUT_SIZES = 112, 4.2
"""Edge of a stored crop, in pixels and in sizes of its object: what is seen of it is turned and shifted at random."""
MISTAKEN, KNOWN = 0.15, 0.03
"""Shares of what the finder sees where nothing lies that a judge learns from, at first, and of what it then knows:
there is far more of it than of things."""
HARD = 0.98
"""Probability of being nothing of the kind below which a judge does not know it yet."""
READABLE_PX = 10.5
"""Smaller ones teach a judge to guess: whatever it says of them is never certain."""
PUT_RIGHT, FOUND, AS_FOUND = (0.04, 0.07), (0.13, 0.22), 0.5
"""How far off a candidate is, in sizes and in the logarithm of its size, once it was put right and as it was found; and
how often it is shown as found."""


@dataclass(frozen=True, slots=True)
class Crops:
    """Objects cut out of scenes."""

    images: NDArray[np.uint8]
    """Shape (n, CUT_PX, CUT_PX, 3), blue green red."""
    labels: NDArray[np.int64]
    there: NDArray[np.bool_]
    """Whether an object lies exactly in the middle; else the finder only thought so."""
    masks: Mapping[int, NDArray[np.uint8]]
    """By the number of its crop: what of it is the object, where its outline is known. Shape (CUT_PX, CUT_PX)."""


def cut(
    scenes: Sequence[Scene],
    kind: Literal["bean", "die"],
    labels: Sequence[str],
    rng: Generator,
    finder: Finder,
    judge: Judge | None = None,
) -> Crops:
    """Every object of one kind as it lies; as "other" what else lies there and what the finder takes for one.

    With a ``judge`` from an earlier training, what it does not know for "other" as it sees it at last (Shrivastava et
    al., Training Region-based Object Detectors with Online Hard Example Mining, 2016).
    """
    return _joined([_cut_one(scene, kind, labels, rng, finder, judge) for scene in scenes])


def _joined(parts: list[Crops]) -> Crops:
    """All of them as one; each is given up once it was taken in, for twice of a training set is more than fits."""
    count = sum(len(part.labels) for part in parts)
    labels, there = (np.concatenate(values) for values in zip(*((p.labels, p.there) for p in parts), strict=True))
    images = np.empty((count, CUT_PX, CUT_PX, 3), np.uint8)
    masks: dict[int, NDArray[np.uint8]] = {}
    first = 0
    parts.reverse()
    while parts:
        part = parts.pop()
        images[first : first + len(part.labels)] = part.images
        masks |= {first + number: mask for number, mask in part.masks.items()}
        first += len(part.labels)
    return Crops(images, labels, there, masks)


def _cut_one(
    scene: Scene,
    kind: Literal["bean", "die"],
    labels: Sequence[str],
    rng: Generator,
    finder: Finder,
    judge: Judge | None,
) -> Crops:
    image, other = np.ascontiguousarray(scene.image), len(labels) - 1
    lying = [
        thing
        for thing in scene.things
        if thing.whole and READABLE_PX < thing.size_px < 200 and (thing.kind == kind or rng.random() < 0.4)
    ]
    numbers = [labels.index(thing.label) if thing.kind == kind else other for thing in lying]
    there = [thing.kind == kind for thing in lying]
    found = finder.find(image, zooms_for(image, None))
    shares = [MISTAKEN] * len(found)
    if judge is not None:
        judged = judge.judge(image, found)
        found = tuple(judgement.found for judgement in judged)
        shares = [1.0 if probabilities(j.logits, 1.0)[other] < HARD else KNOWN for j in judged]
        # What else lies there and looks like it is as likely as it is: to show it more often would only teach doubt.
        things = [thing for thing in scene.things if thing.kind != kind]
        for i, candidate in enumerate(found):
            if any(lies_at(candidate, thing) for thing in things):
                shares[i] = min(shares[i], MISTAKEN)
    truth = true_labels(scene, found, kind, labels)
    mistaken = [
        candidate
        for candidate, share, label in zip(found, shares, truth, strict=True)
        if label == other and rng.random() < share
    ]
    wheres = [(thing.centre_px, thing.size_px) for thing in lying]
    wheres += [(candidate.centre_px, candidate.size_px) for candidate in mistaken]
    crops = [cut_out(image, centre, CUT_SIZES * size_px, CUT_PX) for centre, size_px in wheres]
    masks: dict[int, NDArray[np.uint8]] = {}
    for number, thing in enumerate(lying):
        if thing.outline_px and thing.kind == kind:
            zoom = CUT_PX / (CUT_SIZES * thing.size_px)
            outline = (np.asarray(thing.outline_px) - thing.centre_px) * zoom + (CUT_PX - 1) / 2
            masks[number] = np.zeros((CUT_PX, CUT_PX), np.uint8)
            cv2.fillPoly(masks[number], [np.rint(outline * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)
    return Crops(
        np.asarray(crops, np.uint8).reshape(-1, CUT_PX, CUT_PX, 3),
        np.asarray(numbers + [other] * len(mistaken), np.int64),
        np.asarray(there + [False] * len(mistaken), np.bool_),
        masks,
    )


def true_labels(
    scene: Scene, found: Sequence[Found], kind: Literal["bean", "die"], labels: Sequence[str]
) -> Iterator[int]:
    """What of a kind really lies where the finder saw something: the number of its label, the last where nothing."""
    for candidate in found:
        thing = nearest(scene, candidate, kind)
        yield labels.index(thing.label) if thing else len(labels) - 1


def nearest(scene: Scene, candidate: Found, kind: Literal["bean", "die"]) -> Thing | None:
    """The thing of a kind that lies where the finder saw something."""
    upon = [thing for thing in scene.things if thing.kind == kind and lies_at(candidate, thing)]
    return min(upon, key=lambda thing: _off(candidate, thing), default=None)


def lies_at(candidate: Found, thing: Thing) -> bool:
    """Whether what the finder saw may be this thing."""
    return _off(candidate, thing) < 0.45


def _off(candidate: Found, thing: Thing) -> float:
    """Distance of their middles, in sizes of the thing."""
    return float(np.hypot(*np.subtract(thing.centre_px, candidate.centre_px))) / thing.size_px


def spread(
    crops: Crops,
    pick: NDArray[np.int64],
    rng: Generator,
    invert: bool = False,
    plain: bool = False,
    grounds: NDArray[np.uint8] | None = None,
) -> tuple[Floats, NDArray[np.int64], Floats]:
    """A batch as the judge meets it: turned, shifted, scaled, blurred and recoloured.

    Args:
        invert: now and then dark for light, as dice come.
        grounds: crops without an object, upon which every other object with a known outline is put.
        plain: put right, and neither blurred nor recoloured: as the judge meets them at last.

    Returns:
        Crops, normalised, shape (n, 3, CROP_PX, CROP_PX); labels; where the object lies and how large it is, as the
        judge tells it, shape (n, 3), NaN where none is known.
    """
    n = len(pick)
    batch = np.empty((n, CROP_PX, CROP_PX, 3), np.float32)
    where = np.full((n, 3), np.nan, np.float32)
    for i, number in enumerate(pick):
        change = Recolour.none() if plain else Recolour.drawn(rng, invert=invert)
        shift, scale = FOUND if not plain and rng.random() < AS_FOUND else PUT_RIGHT
        size = np.exp(rng.normal(0, scale))
        turn = turned(rng.uniform(0, 360), size, bool(rng.random() < 0.5))
        off = turn[:, :2] @ rng.normal(0, shift * CUT_PX / CUT_SIZES, 2)
        turn[:, 2] += off
        if crops.there[number]:
            where[i] = (*(off * CROP_SIZES / CROP_PX), np.log(size))
        image = crops.images[number]
        mask = crops.masks.get(int(number))
        if grounds is not None and mask is not None and rng.random() < 0.5:
            image = _upon(grounds[int(rng.integers(len(grounds)))], image, mask, rng)
        seen = cv2.warpAffine(change.blurred(image), turn, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE)
        batch[i] = change.of_picture(seen.astype(np.float32), rng)
    return normalised(batch), crops.labels[pick], where


def _upon(ground: Image, image: Image, mask: NDArray[np.uint8], rng: Generator) -> Image:
    """The object upon another ground, with something of a shadow beside it."""
    shadow = cv2.GaussianBlur(np.roll(mask, tuple(rng.integers(-7, 8, 2)), (0, 1)), (0, 0), rng.uniform(1, 5))
    dark = 1 - rng.uniform(0, 0.7) * shadow[..., None] / 255
    soft = cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None] / 255
    return np.asarray(np.clip(ground * dark * (1 - soft) + image * soft, 0, 255), np.uint8)


def turned(degrees: float, size: float, mirrored: bool) -> NDArray[np.float64]:
    """From a stored crop to what the judge sees, turned, larger by ``size`` than it should be, mirrored or not."""
    zoom = size * (CROP_PX / CROP_SIZES) / (CUT_PX / CUT_SIZES)
    turn = np.asarray(cv2.getRotationMatrix2D((0, 0), degrees, zoom), np.float64)
    if mirrored:
        turn[0] = -turn[0]
    turn[:, 2] = (CROP_PX - 1) / 2 - turn[:, :2] @ np.full(2, (CUT_PX - 1) / 2)
    return turn


def view(scene: Scene, rng: Generator, size_px: tuple[float, float] = (6, 48)) -> Scene:
    """A random SCENE_PX window of a scene, turned, mirrored and scaled so that its objects stay in ``size_px``."""
    sizes = [thing.size_px for thing in scene.things if thing.kind != "other"]
    height, width = scene.image.shape[:2]
    typical = float(np.median(sizes)) if sizes else 20.0
    own = scene.image.shape[0] == SCENE_PX
    # Beyond a scene's edge lie things that nobody labelled: a rendered one is turned and enlarged within its frame.
    zoom = np.exp(abs(rng.normal(0, 0.12))) if own else np.exp(rng.uniform(np.log(9), np.log(40))) / typical
    degrees = 90.0 * rng.integers(4) if own else rng.uniform(0, 360)
    turn = cv2.getRotationMatrix2D((0, 0), degrees, float(zoom))
    if rng.random() < 0.5:
        turn[0] = -turn[0]
    if own or not sizes:
        focus = np.asarray([(width - 1) / 2, (height - 1) / 2])
    else:
        focus = np.asarray(scene.things[int(rng.integers(len(sizes)))].centre_px)
    room_px = (zoom - 1) * SCENE_PX / 2 if own else 100
    aim = (SCENE_PX - 1) / 2 + rng.uniform(-1, 1, 2) * room_px
    turn[:, 2] += aim - turn[:, :2] @ focus
    how = cv2.INTER_LINEAR
    image = scene.image
    if zoom < 0.7:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.35 / float(zoom)), np.uint8)
    seen = cv2.warpAffine(image, turn, (SCENE_PX, SCENE_PX), flags=how, borderMode=cv2.BORDER_REPLICATE)
    things = []
    for thing in scene.things:
        x, y = turn[:, :2] @ np.asarray(thing.centre_px) + turn[:, 2]
        if -5 < x < SCENE_PX + 5 and -5 < y < SCENE_PX + 5:
            things.append(Thing(thing.kind, thing.label, (x, y), thing.size_px * float(zoom), thing.whole))
    return Scene(np.asarray(seen, np.uint8), tuple(things))


def maps(scene: Scene) -> Floats:
    """The finder's answer to a scene: bean heat, die heat, size, size weight."""
    n = SCENE_PX // STRIDE
    y, x = np.mgrid[:n, :n].astype(np.float32) * STRIDE + (STRIDE - 1) / 2
    answer = np.zeros((4, n, n), np.float32)
    for thing in scene.things:
        if thing.kind == "other":
            continue
        spread_px = max(2.2, 0.15 * thing.size_px)
        square = (x - thing.centre_px[0]) ** 2 + (y - thing.centre_px[1]) ** 2
        heat = np.exp(-square / (2 * spread_px**2))
        heat[heat > 0.999 * heat.max()] = 1.0 if heat.max() > 0.5 else heat.max()
        channel = 0 if thing.kind == "bean" else 1
        np.maximum(answer[channel], heat, out=answer[channel])
        near = heat > 0.4
        answer[2][near], answer[3][near] = np.log(thing.size_px / 16), 1
    return answer
