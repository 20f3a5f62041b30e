"""Trains the finder: heat at the centres of beans and dice, and their sizes."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from vision.finder import normalised
from vision.training.nets import ask
from vision.training.samples import maps, view
from vision.training.scenes import Scene
from vision.training.steps import Steps

AT_CENTRE = 0.98
"""Heat from which a place counts as a thing's centre."""
HARD_AT_FIRST = 5.0
"""Loss of a scene that was not seen yet."""


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
    steps = Steps(net, minutes)
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
        answer = ask(net, normalised(pictures))
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
