"""``python -m vision.training.train finder|beans|dice --out vision/models``: make one net again from nothing.

The finder comes first: the judges of beans and dice learn from what it finds."""

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, update_bn

from vision import finder as vision_finder
from vision import judge as vision_judge
from vision.finder import normalised
from vision.judge import CROP_PX
from vision.training import cache
from vision.training.camera_faults import photograph
from vision.training.nets import Finder, Judge, export
from vision.training.photographs import photographs
from vision.training.samples import CUT_PX, Crops, cut, maps, spread, view
from vision.training.scenes import BEAN_LABELS, DIE_LABELS, SCENE_PX, Scene
from vision.training.solids import Floats
from vision.training.surfaces import surface

AT_CENTRE = 0.98
"""Heat from which a place counts as a thing's centre."""
HARD_AT_FIRST = 5.0
"""Loss of a scene that was not seen yet."""
ASKEW = 0.3
"""How often what lies askew is shown, against one face: a net that sees much of it doubts what lies flat."""
NORMED = 30
"""Batches from which the norms of averaged weights are measured."""
GROUNDS = 1500
"""Crops without an object, of each source and of bare ground, upon which objects are put."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", choices=["finder", "beans", "dice"])
    parser.add_argument("--out", type=Path, default=Path("vision/models"))
    parser.add_argument("--scenes", type=Path, default=Path(".cache/scenes"), help="where rendered scenes are kept")
    parser.add_argument("--cast", type=int, default=6000, help="how many scenes to render by casting rays")
    parser.add_argument("--traced", type=int, default=4000, help="how many scenes to render by tracing paths")
    parser.add_argument("--minutes", type=float, default=40.0)
    parser.add_argument(
        "--go-on",
        action="store_true",
        help="from the weights of the last run, kept with the scenes; a judge also learns from what it mistook",
    )
    parser.add_argument(
        "--apart",
        action="store_true",
        help="with --go-on, beans: leave out what looks like a plain bean; kept is the mean of old and new weights",
    )
    options = parser.parse_args()
    if options.apart and not (options.go_on and options.net == "beans"):
        parser.error("--apart goes with beans --go-on")
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(1)
    cast = cache.scenes(options.scenes, "cast", options.cast)
    traced = cache.scenes(options.scenes, "traced", options.traced)
    photos = [photo.scene() for photo in photographs() if photo.split == "train"]
    watched = [*cast[: cache.VALIDATED], *traced[: cache.VALIDATED]]
    parts = ((0.35, cast[cache.VALIDATED :]), (0.5, traced[cache.VALIDATED :]), (0.15, photos))
    options.out.mkdir(parents=True, exist_ok=True)
    out = options.out / f"{options.net}.onnx"
    weights = options.scenes / f"{options.net}.pt"
    if options.net == "finder":
        finder = Finder()
        _go_on(finder, weights, options.go_on)
        train_finder(finder, parts, watched, options.minutes)
        _keep(finder, weights, SCENE_PX, out)
        return
    kind: Literal["bean", "die"] = "bean" if options.net == "beans" else "die"
    labels = BEAN_LABELS if kind == "bean" else DIE_LABELS
    judge = Judge(len(labels))
    _go_on(judge, weights, options.go_on)
    finder_seen = vision_finder.Finder(options.out)
    teacher = vision_judge.Judge(options.net, options.out) if options.go_on else None
    mean = AveragedModel(judge) if options.apart else None
    train_judge(judge, parts, watched, kind, labels, options.minutes, finder_seen, teacher, mean)
    _keep(mean.module if mean else judge, weights, CROP_PX, out)


def _go_on(net: torch.nn.Module, weights: Path, wanted: bool) -> None:
    if wanted:
        net.load_state_dict(torch.load(weights))


def _keep(net: torch.nn.Module, weights: Path, size_px: int, out: Path) -> None:
    torch.save(net.state_dict(), weights)
    export(net, size_px, out)


def train_finder(
    net: torch.nn.Module,
    parts: Sequence[tuple[float, Sequence[Scene]]],
    watched: Sequence[Scene],
    minutes: float,
    batch: int = 12,
) -> None:
    """Centre heat by the focal loss of CornerNet (Law and Deng 2018, equation 1), size by L1.

    Every other scene is drawn by how badly it was seen last: grounds that deceive are few.
    """
    rng = np.random.default_rng(2)
    sources = [scenes for _, scenes in parts if scenes]
    shares = np.asarray([share for share, scenes in parts if scenes])
    misfits = [np.full(len(scenes), HARD_AT_FIRST) for scenes in sources]
    steps = _Steps(net, minutes)
    while (rate := steps.next()) is not None:
        chosen = [
            (source, int(rng.choice(len(misfits[source]), p=misfits[source] / misfits[source].sum())))
            if rng.random() < 0.5
            else (source, int(rng.integers(len(misfits[source]))))
            for source in rng.choice(len(sources), batch, p=shares / shares.sum())
        ]
        scenes = [view(sources[source][number], rng) for source, number in chosen]
        pictures = np.stack([scene.image for scene in scenes]).astype(np.float32)
        pictures *= np.exp(rng.normal(0, 0.1, (batch, 1, 1, 3))).astype(np.float32)
        np.clip(pictures, 0, 255, out=pictures)
        truth = torch.from_numpy(np.stack([maps(scene) for scene in scenes]))
        answer = _ask(net, normalised(pictures))
        for (source, number), misfit in zip(chosen, _misfit(answer.detach(), truth).tolist(), strict=True):
            misfits[source][number] = misfit
        steps.learn(_finder_loss(answer, truth), rate)
        if steps.done % 100 == 0:
            with torch.no_grad():
                net.eval()
                some = watched[::16]
                pictures = np.stack([scene.image for scene in some]).astype(np.float32)
                truth = torch.from_numpy(np.stack([maps(scene) for scene in some]))
                watched_loss = float(_finder_loss(net(torch.from_numpy(normalised(pictures))), truth))
                net.train()
            print(f"{steps} watched {watched_loss:.4f}", flush=True)


def _finder_loss(answer: Tensor, truth: Tensor) -> Tensor:
    things = (truth[:, :2] > AT_CENTRE).sum().clamp(min=1)
    size = (truth[:, 3] * (answer[:, 2] - truth[:, 2]).abs()).sum() / truth[:, 3].sum().clamp(min=1)
    return _misfit(answer, truth).sum() / things + size


def _misfit(answer: Tensor, truth: Tensor) -> Tensor:
    """Focal loss of each picture's heat, shape (n,)."""
    heat, target = answer[:, :2].sigmoid().clamp(1e-4, 1 - 1e-4), truth[:, :2]
    centre = (target > AT_CENTRE).float()
    near = centre * (1 - heat) ** 2 * heat.log()
    far = (1 - centre) * (1 - target) ** 4 * heat**2 * (1 - heat).log()
    return -(near + far).sum((1, 2, 3))


def train_judge(
    net: Judge,
    parts: Sequence[tuple[float, Sequence[Scene]]],
    watched: Sequence[Scene],
    kind: Literal["bean", "die"],
    labels: tuple[str, ...],
    minutes: float,
    finder: vision_finder.Finder,
    earlier: vision_judge.Judge | None,
    mean: AveragedModel | None,
    batch: int = 96,
) -> None:
    """Cross entropy, and L1 of where the object lies; ``parts``: share and scenes; ``earlier``: whose mistakes count.

    ``mean``: becomes the mean of the weights before and after (Izmailov et al., Averaging Weights, 2018):
    the training without what looks alike is surer of plain beans, the one with it still knows what leans.

    No label smoothing: five beans, each as sure as smoothed labels let it be, would never be certain together.
    """
    rng = np.random.default_rng(3)
    crops = [
        (round(share * batch), cut(scenes, kind, labels, rng, finder, earlier, apart=mean is not None))
        for share, scenes in parts
        if scenes
    ]
    seen = cut(watched, kind, labels, rng, finder)
    print([len(part.labels) for _, part in crops], "crops a source", flush=True)
    drawn = np.stack([photograph(rng, surface(rng, CUT_PX)) for _ in range(GROUNDS)])
    grounds = np.concatenate([drawn, *(part.images[~part.there][:GROUNDS] for _, part in crops)])

    def mixed() -> Iterator[NDArray[Any]]:
        drawn = [
            spread(part, _even(part, count, rng), rng, invert=kind == "die", grounds=grounds) for count, part in crops
        ]
        return (np.concatenate(values) for values in zip(*drawn, strict=True))

    if mean:
        mean.update_parameters(net)
    steps = _Steps(net, minutes)
    while (rate := steps.next()) is not None:
        pictures, numbers, where = mixed()
        steps.learn(_judge_loss(net, _ask(net, pictures), torch.from_numpy(numbers), torch.from_numpy(where)), rate)
        if steps.done % 300 == 0:
            with torch.no_grad():
                net.eval()
                pictures, numbers, _ = spread(seen, np.arange(len(seen.labels)), rng, plain=True)
                right = net(torch.from_numpy(pictures))[0][:, : net.classes].argmax(1).numpy() == numbers
                net.train()
            print(f"{steps} watched right {right.mean():.4f}, flat ones {right[numbers < 2].mean():.4f}", flush=True)
    if mean:
        mean.update_parameters(net)
        update_bn((torch.from_numpy(next(mixed())) for _ in range(NORMED)), mean)


def _judge_loss(net: Judge, answer: Tensor, labels: Tensor, where: Tensor) -> Tensor:
    known = ~where.isnan()
    off = functional.smooth_l1_loss(answer[:, net.classes :][known], where[known], beta=0.05)
    return functional.cross_entropy(answer[:, : net.classes], labels) + 2 * off


def _even(crops: Crops, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Indices in which every face is equally likely, what lies askew rarer, what is something else a fifth."""
    present = np.unique(crops.labels)
    faces = crops.labels.max() - 1
    weight = np.where(present < faces, 1.0, np.where(present == faces, ASKEW, faces / 4))
    chosen = rng.choice(present, count, p=weight / weight.sum())
    return np.asarray([rng.choice(np.flatnonzero(crops.labels == label)) for label in chosen], np.int64)


def _ask(net: torch.nn.Module, pictures: Floats) -> Tensor:
    """One forward pass in bfloat16, which halves the time on one core."""
    with torch.autocast("cpu", torch.bfloat16):
        answer = net(torch.from_numpy(pictures).contiguous(memory_format=torch.channels_last))
    first: Tensor = answer[0] if isinstance(answer, tuple) else answer
    return first.float()


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
