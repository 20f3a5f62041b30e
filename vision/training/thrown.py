"""Trains a judge through what weighs its answers together."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from vision import judge as vision_judge
from vision.finder import Finder
from vision.together import MOST
from vision.training.lies import RARE
from vision.training.nets import Judge, Together
from vision.training.scenes import Scene
from vision.training.steps import Steps
from vision.training.whole_throws import UNKNOWN, Batch, gathered, spread

AT_ONCE = 12
"""Throws a step."""
AVERAGED = 0.998
"""What remains at each step of the weights' running mean, which is kept (Izmailov et al., Averaging Weights, 2018)."""


class Both(nn.Module):  # type: ignore[misc]
    """The judge and what weighs its answers together: one is trained through the other."""

    def __init__(self, judge: Judge) -> None:
        super().__init__()
        self.judge, self.together = judge, Together(judge.classes)
        self.weight = torch.ones(judge.classes)
        self.weight[judge.classes - 2] = RARE

    def loss(self, batch: Batch, *, loose: bool = False) -> Tensor:
        """Cross entropy of each thing by itself and beside the others, and L1 of where it lies.

        ``loose``: the pictures are as found, which is never weighed together.
        """
        classes = self.judge.classes
        with torch.autocast("cpu", torch.bfloat16):
            pictures = torch.from_numpy(batch.pictures).contiguous(memory_format=torch.channels_last)
            answers, features, look = (part.float() for part in self.judge(pictures))
        labels, rows = torch.from_numpy(batch.labels), torch.from_numpy(batch.rows)
        logits = answers[:, :classes]
        alone = functional.cross_entropy(logits, labels[rows], self.weight, ignore_index=UNKNOWN)
        off = torch.from_numpy(batch.off)
        known = ~off.isnan()
        loss = 0.5 * alone + 2 * functional.smooth_l1_loss(answers[:, classes:][known], off[known], beta=0.05)
        if loose:
            return loss
        seen = torch.zeros(len(labels), classes + features.shape[1] + look.shape[1])
        seen = seen.index_copy(0, rows, torch.cat([logits, features, look], dim=1))
        things = torch.cat([seen, torch.from_numpy(batch.where), torch.from_numpy(batch.there)], dim=1)
        weighed = self.together(things.view(-1, MOST, things.shape[1])).flatten(0, 1)
        return loss + functional.cross_entropy(weighed, labels, self.weight, ignore_index=UNKNOWN)


def train_together(
    both: Both,
    parts: Sequence[tuple[float, Sequence[Scene], bool]],
    watched: Sequence[Scene],
    kind: Literal["bean", "die"],
    labels: tuple[str, ...],
    minutes: float,
    finder: Finder,
    judge: vision_judge.Judge,
) -> None:
    """Train the judge through what weighs its answers; ``judge``: itself, before.

    ``parts``: share, scenes, and whether they are throws as they come.
    """
    rng = np.random.default_rng(4)
    sources = [
        (share, gathered(scenes, kind, labels, rng, finder, judge, thrown=thrown))
        for share, scenes, thrown in parts
        if scenes
    ]
    seen = gathered(watched, kind, labels, rng, finder, judge)
    print([len(throws) for _, throws in sources], "throws a source", flush=True)
    shares = np.asarray([share for share, _ in sources])
    steps = Steps(both, minutes, top_rate=2e-3)
    averaged = AveragedModel(both, multi_avg_fn=get_ema_multi_avg_fn(AVERAGED), use_buffers=True)
    while (rate := steps.next()) is not None:
        throws = sources[int(rng.choice(len(sources), p=shares / shares.sum()))][1]
        loose = steps.done % 3 == 2
        chosen = [throws[int(i)] for i in rng.integers(0, len(throws), AT_ONCE)]
        steps.learn(both.loss(spread(chosen, rng, loose=loose, invert=kind == "die"), loose=loose), rate)
        averaged.update_parameters(both)
        if steps.done % 300 == 0:
            averaged.eval()
            with torch.no_grad():
                batches = (seen[i : i + AT_ONCE] for i in range(0, len(seen), AT_ONCE))
                shown = (spread(some, np.random.default_rng(5), plain=True) for some in batches)
                losses = [float(averaged.module.loss(some)) for some in shown]
            print(f"{steps} watched {np.mean(losses):.4f}", flush=True)
    both.load_state_dict(averaged.module.state_dict())
