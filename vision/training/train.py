"""``python -m vision.training.train finder|beans|placed|dice --out vision/models``: make one net again from nothing.

The finder comes first: the judges of beans and dice learn from what it finds."""

import argparse
import time
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from vision import finder as vision_finder
from vision.finder import normalised
from vision.judge import CROP_PX
from vision.training import cache
from vision.training.nets import Finder, Judge, export
from vision.training.photographs import photographs
from vision.training.samples import Crops, cut, cut_placed, maps, spread, view
from vision.training.scenes import BEAN_LABELS, DIE_LABELS, SCENE_PX, Scene
from vision.training.solids import Floats

PLACED_BATCH = (38, 38, 10, 10)
"""Marked, plain, askew and other things in a batch for ``placed``: as rare as at the table is too rare to learn."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", choices=["finder", "beans", "placed", "dice"])
    parser.add_argument("--out", type=Path, default=Path("vision/models"))
    parser.add_argument("--scenes", type=Path, default=Path(".cache/scenes"), help="where rendered scenes are kept")
    parser.add_argument("--count", type=int, default=6000, help="how many scenes to render")
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--go-on", action="store_true", help="from the weights of the last run, kept with the scenes")
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(1)
    cache.fill(options.scenes, options.count)
    rendered = cache.load(options.scenes)
    photos = [photo.scene() for photo in photographs() if photo.split == "train"]
    options.out.mkdir(parents=True, exist_ok=True)
    out = options.out / f"{options.net}.onnx"
    weights = options.scenes / f"{options.net}.pt"
    labels = DIE_LABELS if options.net == "dice" else BEAN_LABELS
    net = Finder() if options.net == "finder" else Judge(len(labels))
    if options.go_on:
        net.load_state_dict(torch.load(weights))
    if options.net == "finder":
        train_finder(net, rendered[cache.VALIDATED :], photos, rendered[: cache.VALIDATED], options.minutes)
    elif options.net == "placed":
        train_placed(net, rendered, options.minutes)
    else:
        kind: Literal["bean", "die"] = "bean" if options.net == "beans" else "die"
        train_judge(net, rendered, photos, kind, labels, options.minutes, vision_finder.Finder(options.out))
    torch.save(net.state_dict(), weights)
    export(net, SCENE_PX if options.net == "finder" else CROP_PX, out)


def train_finder(
    net: torch.nn.Module,
    rendered: list[Scene],
    photos: list[Scene],
    watched: list[Scene],
    minutes: float,
    batch: int = 12,
) -> None:
    """Centre heat by the focal loss of CornerNet (Law and Deng 2018, equation 1), size by L1, mark by log loss."""
    rng = np.random.default_rng(2)
    steps = _Steps(net, minutes)
    while (rate := steps.next()) is not None:
        scenes = [
            view(photos[int(rng.integers(len(photos)))] if rng.random() < 0.25 and photos else _any(rendered, rng), rng)
            for _ in range(batch)
        ]
        pictures = np.stack([scene.image for scene in scenes]).astype(np.float32)
        pictures *= np.exp(rng.normal(0, 0.1, (batch, 1, 1, 3))).astype(np.float32)
        np.clip(pictures, 0, 255, out=pictures)
        truth = torch.from_numpy(np.stack([maps(scene) for scene in scenes]))
        loss = _finder_loss(_ask(net, normalised(pictures)), truth)
        steps.learn(loss, rate)
        if steps.done % 100 == 0:
            with torch.no_grad():
                net.eval()
                some = watched[:32]
                pictures = np.stack([scene.image for scene in some]).astype(np.float32)
                truth = torch.from_numpy(np.stack([maps(scene) for scene in some]))
                watched_loss = float(_finder_loss(net(torch.from_numpy(normalised(pictures))), truth))
                net.train()
            print(f"{steps} watched {watched_loss:.4f}", flush=True)


def _any(scenes: list[Scene], rng: np.random.Generator) -> Scene:
    return scenes[int(rng.integers(len(scenes)))]


def _finder_loss(answer: Tensor, truth: Tensor) -> Tensor:
    heat, target = answer[:, :2].sigmoid().clamp(1e-4, 1 - 1e-4), truth[:, :2]
    centre = (target > 0.98).float()
    near = centre * (1 - heat) ** 2 * heat.log()
    far = (1 - centre) * (1 - target) ** 4 * heat**2 * (1 - heat).log()
    focal = -(near + far).sum() / centre.sum().clamp(min=1)
    size = (truth[:, 3] * (answer[:, 2] - truth[:, 2]).abs()).sum() / truth[:, 3].sum().clamp(min=1)
    mark = functional.binary_cross_entropy_with_logits(answer[:, 3], truth[:, 4], reduction="none")
    return focal + size + 0.5 * (truth[:, 5] * mark).sum() / truth[:, 5].sum().clamp(min=1)


def train_judge(
    net: torch.nn.Module,
    rendered: list[Scene],
    photos: list[Scene],
    kind: Literal["bean", "die"],
    labels: tuple[str, ...],
    minutes: float,
    finder: vision_finder.Finder,
    batch: int = 96,
) -> None:
    """Cross entropy with a little label smoothing, classes drawn evenly, a quarter from photographs."""
    rng = np.random.default_rng(3)
    watched = cut(rendered[: cache.VALIDATED], kind, labels, rng, finder)
    own = cut(rendered[cache.VALIDATED :], kind, labels, rng, finder)
    others = cut(photos, kind, labels, rng, finder) if photos else own
    print(f"{len(own.labels)} rendered crops, {len(others.labels)} from photographs", flush=True)
    steps = _Steps(net, minutes)
    while (rate := steps.next()) is not None:
        parts = [spread(own, _even(own, batch * 3 // 4, rng), CROP_PX, rng)]
        parts.append(spread(others, _even(others, batch // 4, rng), CROP_PX, rng))
        crops = np.concatenate([part[0] for part in parts])
        truth = torch.from_numpy(np.concatenate([part[1] for part in parts]))
        steps.learn(functional.cross_entropy(_ask(net, crops), truth, label_smoothing=0.02), rate)
        if steps.done % 300 == 0:
            with torch.no_grad():
                net.eval()
                crops_seen, truth_seen = spread(watched, np.arange(len(watched.labels)), CROP_PX, rng)
                right = net(torch.from_numpy(crops_seen)).argmax(1).numpy() == truth_seen
                net.train()
            print(f"{steps} watched right {right.mean():.4f}", flush=True)


def train_placed(net: torch.nn.Module, rendered: list[Scene], minutes: float) -> None:
    """The judge of what lies in a place whose empty look is known: flat beans mostly, cut out loosely."""
    rng = np.random.default_rng(3)
    watched = cut_placed(rendered[: cache.VALIDATED], BEAN_LABELS)
    own = cut_placed(rendered[cache.VALIDATED :], BEAN_LABELS)
    of_label = [np.flatnonzero(own.labels == label) for label in range(len(BEAN_LABELS))]
    steps = _Steps(net, minutes)
    while (rate := steps.next()) is not None:
        pick = np.concatenate([rng.choice(of, count) for of, count in zip(of_label, PLACED_BATCH, strict=True)])
        crops, labels = spread(own, pick, CROP_PX, rng, loose=1.3)
        steps.learn(functional.cross_entropy(_ask(net, crops), torch.from_numpy(labels), label_smoothing=0.01), rate)
        if steps.done % 300 == 0:
            with torch.no_grad():
                net.eval()
                crops, labels = spread(watched, np.arange(len(watched.labels)), CROP_PX, rng)
                right = net(torch.from_numpy(crops)).argmax(1).numpy() == labels
                net.train()
            print(f"{steps} watched right {right.mean():.4f}, flat ones {right[labels < 2].mean():.4f}", flush=True)


def _even(crops: Crops, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Indices in which every label is equally likely."""
    present = np.unique(crops.labels)
    chosen = rng.choice(present, count)
    return np.asarray([rng.choice(np.flatnonzero(crops.labels == label)) for label in chosen], np.int64)


def _ask(net: torch.nn.Module, pictures: Floats) -> Tensor:
    """One forward pass in bfloat16, which halves the time on one core."""
    with torch.autocast("cpu", torch.bfloat16):
        answer: Tensor = net(torch.from_numpy(pictures).contiguous(memory_format=torch.channels_last))
    return answer.float()


class _Steps:
    """Counts the time budget and makes the steps: AdamW, short warm-up, cosine decay over the budget."""

    def __init__(self, net: torch.nn.Module, minutes: float, top_rate: float = 3e-3) -> None:
        self.done = 0
        self._budget = minutes * 60
        self._start = time.monotonic()
        self._top = top_rate
        self._loss = 1.0
        net.to(memory_format=torch.channels_last)
        self._optimiser = torch.optim.AdamW(net.parameters(), lr=top_rate, weight_decay=1e-3)

    def __str__(self) -> str:
        return f"step {self.done}, {time.monotonic() - self._start:.0f} s, loss {self._loss:.4f}"

    def next(self) -> float | None:
        """The learning rate of the next step; None when the time is up."""
        share = (time.monotonic() - self._start) / self._budget
        if share >= 1:
            return None
        return self._top * min(1.0, (self.done + 1) / 100) * (0.5 + 0.5 * float(np.cos(np.pi * share)))

    def learn(self, loss: Tensor, rate: float) -> None:
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        self._optimiser.zero_grad()
        loss.backward()
        self._optimiser.step()
        self._loss = 0.98 * self._loss + 0.02 * float(loss.detach())
        self.done += 1


if __name__ == "__main__":
    main()
