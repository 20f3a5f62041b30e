"""From scenes to what the nets eat: pictures with maps for the finder, crops with labels for the judges."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.camera import Image
from vision.finder import STRIDE, Finder, Found, normalised, zooms_for
from vision.judge import KEPT_PX, crop
from vision.training.scenes import SCENE_PX, Scene, Thing
from vision.training.solids import Floats

PLACED_PX = (10.5, 40.0)
"""Sizes of beans in a printed place, from a camera that sees the whole sheet at 1280x720 to one twice as near."""


@dataclass(frozen=True, slots=True)
class Crops:
    """Objects cut out of scenes."""

    images: NDArray[np.uint8]
    """Shape (n, KEPT_PX, KEPT_PX, 3), blue green red."""
    labels: NDArray[np.int64]


def cut(
    scenes: Sequence[Scene], kind: Literal["bean", "die"], labels: Sequence[str], rng: Generator, finder: Finder
) -> Crops:
    """Every object of one kind as it lies and as the finder would cut it out; as "other" whatever else it finds."""
    images: list[Image] = []
    numbers: list[int] = []
    other = len(labels) - 1
    for scene in scenes:
        image = np.ascontiguousarray(scene.image)
        whole = [thing for thing in scene.things if thing.whole and 6 < thing.size_px < 200]
        for thing in whole:
            if thing.kind == kind or rng.random() < 0.3:
                images.append(crop(image, thing.centre_px, thing.size_px))
                numbers.append(labels.index(thing.label) if thing.kind == kind else other)
        found = [candidate for candidate in finder.find(image, zooms_for(image, None)) if candidate.kind == kind]
        for candidate, label in zip(found, true_labels(scene, found, labels), strict=True):
            images.append(crop(image, candidate.centre_px, candidate.size_px))
            numbers.append(label)
    return Crops(np.stack(images), np.asarray(numbers, np.int64))


def true_labels(scene: Scene, found: Sequence[Found], labels: Sequence[str]) -> Iterator[int]:
    """What really lies where the finder saw something: the number of its label, the last one where nothing does."""
    for candidate in found:
        near = [
            thing
            for thing in scene.things
            if thing.kind == candidate.kind
            and np.hypot(*np.subtract(thing.centre_px, candidate.centre_px)) < 0.45 * thing.size_px
        ]
        yield labels.index(near[0].label) if near else len(labels) - 1


def cut_placed(scenes: Sequence[Scene], labels: Sequence[str]) -> Crops:
    """What an outline in a known empty place gives: each thing in the middle of its crop and large enough to read."""
    images: list[Image] = []
    numbers: list[int] = []
    for scene in scenes:
        image = np.ascontiguousarray(scene.image)
        for thing in scene.things:
            if thing.whole and PLACED_PX[0] < thing.size_px < PLACED_PX[1]:
                images.append(crop(image, thing.centre_px, thing.size_px))
                numbers.append(labels.index(thing.label) if thing.kind == "bean" else len(labels) - 1)
    return Crops(np.stack(images), np.asarray(numbers, np.int64))


def spread(
    crops: Crops, pick: NDArray[np.int64], pixels: int, rng: Generator, loose: float = 1.0
) -> tuple[Floats, NDArray[np.int64]]:
    """A batch of turned, shifted, scaled and recoloured crops, normalised; shape (n, 3, pixels, pixels)."""
    batch = np.empty((len(pick), pixels, pixels, 3), np.float32)
    for i, number in enumerate(pick):
        zoom = pixels / (KEPT_PX / 1.5) * np.exp(rng.normal(0, 0.13 * loose))
        middle = KEPT_PX / 2
        turn = np.asarray(cv2.getRotationMatrix2D((middle, middle), rng.uniform(0, 360), zoom), np.float64)
        turn[:, 2] += pixels / 2 - middle + rng.normal(0, 2.0 * loose, 2)
        if rng.random() < 0.5:
            turn[0] = -turn[0]
            turn[0, 2] += pixels
        image = crops.images[number]
        if rng.random() < 0.3:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.6)), np.uint8)
        batch[i] = cv2.warpAffine(image, turn, (pixels, pixels), borderMode=cv2.BORDER_REPLICATE)
    n = len(pick)
    batch *= np.exp(rng.normal(0, 0.12, (n, 1, 1, 3))).astype(np.float32)
    batch = np.clip(batch * np.exp(rng.normal(0, 0.15, (n, 1, 1, 1))), 0, 255).astype(np.float32)
    batch += rng.uniform(0, 5, (n, 1, 1, 1)).astype(np.float32) * rng.standard_normal(batch.shape, np.float32)
    return normalised(batch), crops.labels[pick]


def view(scene: Scene, rng: Generator, size_px: tuple[float, float] = (6, 48)) -> Scene:
    """A random SCENE_PX window of a scene, turned, mirrored and scaled so that its objects stay in ``size_px``."""
    sizes = [thing.size_px for thing in scene.things if thing.kind != "other"]
    height, width = scene.image.shape[:2]
    typical = float(np.median(sizes)) if sizes else 20.0
    own = scene.image.shape[0] == SCENE_PX
    zoom = np.exp(rng.normal(0, 0.12)) if own else np.exp(rng.uniform(np.log(9), np.log(40))) / typical
    turn = cv2.getRotationMatrix2D((0, 0), rng.uniform(0, 360), float(zoom))
    if rng.random() < 0.5:
        turn[0] = -turn[0]
    if own or not sizes:
        focus = np.asarray([width / 2, height / 2])
    else:
        focus = np.asarray(scene.things[int(rng.integers(len(sizes)))].centre_px)
    aim = SCENE_PX / 2 + (rng.normal(0, 5, 2) if own else rng.uniform(-100, 100, 2))
    turn[:, 2] += aim - turn[:, :2] @ focus
    how = cv2.INTER_LINEAR
    image = scene.image
    if zoom < 0.7:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.35 / float(zoom)), np.uint8)
    seen = cv2.warpAffine(image, turn, (SCENE_PX, SCENE_PX), flags=how, borderMode=cv2.BORDER_REFLECT)
    things = []
    for thing in scene.things:
        x, y = turn[:, :2] @ np.asarray(thing.centre_px) + turn[:, 2]
        if -5 < x < SCENE_PX + 5 and -5 < y < SCENE_PX + 5:
            things.append(Thing(thing.kind, thing.label, (x, y), thing.size_px * float(zoom), thing.whole))
    return Scene(np.asarray(seen, np.uint8), tuple(things))


def maps(scene: Scene) -> Floats:
    """The finder's answer to a scene: bean heat, die heat, size, size weight, mark, mark weight."""
    n = SCENE_PX // STRIDE
    y, x = np.mgrid[:n, :n].astype(np.float32) * STRIDE + (STRIDE - 1) / 2
    answer = np.zeros((6, n, n), np.float32)
    for thing in scene.things:
        if thing.kind == "other":
            continue
        spread_px = max(2.6, 0.2 * thing.size_px)
        square = (x - thing.centre_px[0]) ** 2 + (y - thing.centre_px[1]) ** 2
        heat = np.exp(-square / (2 * spread_px**2))
        heat[heat > 0.999 * heat.max()] = 1.0 if heat.max() > 0.5 else heat.max()
        channel = 0 if thing.kind == "bean" else 1
        np.maximum(answer[channel], heat, out=answer[channel])
        near = heat > 0.4
        answer[2][near], answer[3][near] = np.log(thing.size_px / 16), 1
        if thing.label in ("marked", "plain"):
            answer[4][near], answer[5][near] = thing.label == "marked", 1
    return answer
