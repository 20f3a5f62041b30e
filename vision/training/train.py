"""``python -m vision.training.train finder|beans|dice --out vision/models``: train one net.

The finder comes first: the judges of beans and dice learn from what it finds. Each is trained from nothing, then goes
on, at last with whole throws (``--thrown``). The Makefile has the order. Weights that were not trained here, of which
only the ONNX file is there, go on with ``--thrown`` as well."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from vision import finder as vision_finder
from vision import judge as vision_judge
from vision.judge import CROP_PX
from vision.together import GEOMETRY, LOOKED, MOST, PLACED
from vision.training import cache
from vision.training.camera_faults import photograph
from vision.training.finding import train_finder
from vision.training.nets import Finder, Judge, ask, export
from vision.training.photographs import photographs
from vision.training.restored import restore_judge, restore_together
from vision.training.samples import CUT_PX, Crops, cut, spread
from vision.training.scenes import BEAN_LABELS, DIE_LABELS, SCENE_PX, Scene
from vision.training.steps import Steps
from vision.training.surfaces import surface
from vision.training.thrown import Both, train_thrown
from vision.training.whole_throws import Throw, gathered
from vision.training.whole_throws import spread as spread_throws

CROP = (1, 3, CROP_PX, CROP_PX)
RESTORED_FROM = 150
"""Throws by which the normalisation of shipped weights is found again."""
SHOWN_ASKEW = 0.3
"""How often what lies askew is shown against one face, each as often as the others: much of it teaches doubt of all."""
GROUNDS = 1500
"""Crops without an object, of each source and of bare ground, upon which objects are put."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", choices=["finder", "beans", "dice"])
    parser.add_argument("--out", type=Path, default=Path("vision/models"))
    parser.add_argument("--scenes", type=Path, default=Path(".cache/scenes"), help="where rendered scenes are kept")
    parser.add_argument("--cast", type=int, default=2500, help="how many scenes are rendered by casting rays")
    parser.add_argument("--traced", type=int, default=2500, help="how many by tracing paths")
    parser.add_argument("--minutes", type=float, default=40.0)
    then = parser.add_mutually_exclusive_group()
    then.add_argument(
        "--go-on",
        action="store_true",
        help="judges: from the weights of the last run, kept with the scenes; learns also from what it mistook",
    )
    then.add_argument(
        "--thrown",
        action="store_true",
        help="judges: go on with whole throws, beans beside the others: --traced traced ones and as many cast ones",
    )
    options = parser.parse_args()
    if options.net == "finder" and (options.thrown or options.go_on):
        parser.error("--thrown and --go-on go with beans and dice")
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(1)
    options.out.mkdir(parents=True, exist_ok=True)
    shown = _Shown.of(options)
    if options.net == "finder":
        finder = Finder()
        train_finder(finder, shown.parts, shown.watched, options.minutes)
        _keep(finder, (1, 3, SCENE_PX, SCENE_PX), "finder", options)
    elif options.thrown:
        _thrown(shown, options)
    else:
        _alone(shown, options)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a net is shown: single scenes, much at once, and pictures that others labelled."""

    cast: list[Scene]
    traced: list[Scene]
    photos: list[Scene]
    watched: list[Scene]
    """By which the training is watched only."""

    @classmethod
    def of(cls, options: argparse.Namespace) -> "_Shown":
        first = cache.VALIDATED
        cast = cache.scenes(options.scenes, "cast", options.cast)
        traced = cache.scenes(options.scenes, "traced", options.traced)
        photos = [photo.place() for photo in photographs() if photo.split == "train"]
        return cls(cast[first:], traced[first:], photos, [*cast[:first], *traced[:first]])

    @property
    def parts(self) -> tuple[tuple[float, list[Scene]], ...]:
        """Each with its share of a batch."""
        return (0.35, self.cast), (0.5, self.traced), (0.15, self.photos)


def _kind(options: argparse.Namespace) -> tuple[Literal["bean", "die"], tuple[str, ...], Judge]:
    if options.net == "beans":
        return "bean", BEAN_LABELS, Judge(len(BEAN_LABELS), look=PLACED)
    return "die", DIE_LABELS, Judge(len(DIE_LABELS), look=0)


def _alone(shown: _Shown, options: argparse.Namespace) -> None:
    kind, labels, judge = _kind(options)
    earlier = None
    if options.go_on:
        judge.load_state_dict(torch.load(options.scenes / f"{options.net}.pt"))
        earlier = vision_judge.Judge(options.net, options.out, alone=True)
    finder = vision_finder.Finder(options.out)
    train_judge(judge, shown.parts, shown.watched, kind, labels, options.minutes, finder, earlier)
    _keep(judge, CROP, options.net, options)


def _thrown(shown: _Shown, options: argparse.Namespace) -> None:
    kind, labels, judge = _kind(options)
    cast, traced = (cache.scenes(options.scenes, name, options.traced, thrown=True) for name in ("cast", "traced"))
    watched = [*cast[: cache.VALIDATED], *traced[: cache.VALIDATED]]
    # The photographs are of dice above all, the beans among them few.
    photographed = 0.1 if kind == "bean" else 0.25
    parts = (
        (0.1, shown.cast, False),
        (0.2, shown.traced, False),
        (0.15, cast[cache.VALIDATED :], True),
        (0.45, traced[cache.VALIDATED :], True),
        (photographed, shown.photos, True),
    )
    finder, earlier = vision_finder.Finder(options.out), vision_judge.Judge(options.net, options.out, alone=True)
    sources = [
        (share, gathered(scenes, kind, labels, np.random.default_rng(4), finder, earlier, thrown=thrown))
        for share, scenes, thrown in parts
        if scenes
    ]
    both = Both(judge)
    _begin(both, sources[0][1], options)
    seen = gathered(watched, kind, labels, np.random.default_rng(4), finder, earlier)
    train_thrown(both, sources, seen, options.minutes, invert=kind == "die")
    _keep(both.judge, CROP, options.net, options)
    if both.together is not None:
        _keep(both.together, (1, MOST, len(labels) + LOOKED + GEOMETRY + 1), f"{options.net}_together", options)


def _begin(both: Both, throws: Sequence[Throw], options: argparse.Namespace) -> None:
    """From the weights that the last run kept with the scenes, else from those that are shipped."""
    kept = options.scenes / f"{options.net}.pt"
    if kept.exists():
        both.judge.load_state_dict(torch.load(kept))
        weighed = options.scenes / f"{options.net}_together.pt"
        if both.together is not None and weighed.exists():
            both.together.load_state_dict(torch.load(weighed))
        return
    pictures = spread_throws(throws[:RESTORED_FROM], np.random.default_rng(6)).pictures
    restore_judge(both.judge, options.out / f"{options.net}.onnx", torch.from_numpy(pictures))
    if both.together is not None:
        restore_together(both.together, options.out / f"{options.net}_together.onnx")


def _keep(net: torch.nn.Module, shape: tuple[int, ...], name: str, options: argparse.Namespace) -> None:
    torch.save(net.state_dict(), options.scenes / f"{name}.pt")
    export(net, shape, options.out / f"{name}.onnx")


def train_judge(
    net: Judge,
    parts: Sequence[tuple[float, Sequence[Scene]]],
    watched: Sequence[Scene],
    kind: Literal["bean", "die"],
    labels: tuple[str, ...],
    minutes: float,
    finder: vision_finder.Finder,
    earlier: vision_judge.Judge | None,
    batch: int = 96,
) -> None:
    """Cross entropy, and L1 of where the object lies; ``parts``: share and scenes; ``earlier``: whose mistakes count.

    No label smoothing: five beans, each as sure as smoothed labels let it be, would never be certain together.
    """
    rng = np.random.default_rng(3)
    crops = [
        (round(share * batch), cut(scenes, kind, labels, rng, finder, earlier)) for share, scenes in parts if scenes
    ]
    seen = cut(watched, kind, labels, rng, finder)
    print([len(part.labels) for _, part in crops], "crops a source", flush=True)
    drawn = np.stack([photograph(rng, surface(rng, CUT_PX)) for _ in range(GROUNDS)])
    grounds = np.concatenate([drawn, *(part.images[~part.there][:GROUNDS] for _, part in crops)])
    steps = Steps(net, minutes)
    while (rate := steps.next()) is not None:
        mixed = [
            spread(part, _even(part, count, rng), rng, invert=kind == "die", grounds=grounds) for count, part in crops
        ]
        pictures, numbers, where = (np.concatenate(values) for values in zip(*mixed, strict=True))
        steps.learn(_judge_loss(net, ask(net, pictures), torch.from_numpy(numbers), torch.from_numpy(where)), rate)
        if steps.done % 300 == 0:
            with torch.no_grad():
                net.eval()
                pictures, numbers, _ = spread(seen, np.arange(len(seen.labels)), rng, plain=True)
                right = net(torch.from_numpy(pictures))[0][:, : net.classes].argmax(1).numpy() == numbers
                net.train()
            print(
                f"{steps} watched right {right.mean():.4f}, flat ones {right[numbers < len(labels) - 2].mean():.4f}",
                flush=True,
            )


def _judge_loss(net: Judge, answer: Tensor, labels: Tensor, where: Tensor) -> Tensor:
    known = ~where.isnan()
    off = functional.smooth_l1_loss(answer[:, net.classes :][known], where[known], beta=0.05)
    return functional.cross_entropy(answer[:, : net.classes], labels) + 2 * off


def _even(crops: Crops, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Indices in which every face is equally likely, what lies askew rarer, what is something else a fifth."""
    present = np.unique(crops.labels)
    faces = crops.labels.max() - 1
    weight = np.where(present < faces, 1.0, np.where(present == faces, SHOWN_ASKEW, faces / 4))
    chosen = rng.choice(present, count, p=weight / weight.sum())
    return np.asarray([rng.choice(np.flatnonzero(crops.labels == label)) for label in chosen], np.int64)


if __name__ == "__main__":
    main()
