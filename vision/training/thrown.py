"""Trains a judge on whole throws: that of beans through what weighs its answers together."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from vision.together import MOST
from vision.training.lies import RARE
from vision.training.nets import Judge, Together
from vision.training.steps import Steps
from vision.training.whole_throws import UNKNOWN, Batch, Throw, spread

AT_ONCE = 12
"""Throws a step."""
AVERAGED = 0.998
"""What remains at each step of the weights' running mean, which is kept (Izmailov et al., Averaging Weights, 2018)."""


class Both(nn.Module):  # type: ignore[misc]
    """The judge and, where it has a look, what weighs its answers together: one is trained through the other."""

    def __init__(self, judge: Judge) -> None:
        super().__init__()
        self.judge, self.together = judge, Together(judge.classes) if judge.look else None
        self.weight = torch.ones(judge.classes)
        self.weight[judge.classes - 2] = RARE

    def loss(self, batch: Batch, *, loose: bool = False) -> Tensor:
        """Cross entropy of each thing by itself and beside the others, and L1 of where it lies.

        ``loose``: the pictures are as found, which is never weighed together.
        """
        classes = self.judge.classes
        with torch.autocast("cpu", torch.bfloat16):
            pictures = torch.from_numpy(batch.pictures).contiguous(memory_format=torch.channels_last)
            answers, *seen = (part.float() for part in self.judge(pictures))
        labels, rows = torch.from_numpy(batch.labels), torch.from_numpy(batch.rows)
        logits = answers[:, :classes]
        alone = functional.cross_entropy(logits, labels[rows], self.weight, ignore_index=UNKNOWN)
        off = torch.from_numpy(batch.off)
        known = ~off.isnan()
        loss = 0.5 * alone + 2 * functional.smooth_l1_loss(answers[:, classes:][known], off[known], beta=0.05)
        if loose:
            return loss
        if self.together is None:
            return loss + 0.5 * alone
        told = torch.cat([logits, *seen], dim=1)
        told = torch.zeros(len(labels), told.shape[1]).index_copy(0, rows, told)
        things = torch.cat([told, torch.from_numpy(batch.where), torch.from_numpy(batch.there)], dim=1)
        weighed = self.together(things.view(-1, MOST, things.shape[1])).flatten(0, 1)
        return loss + functional.cross_entropy(weighed, labels, self.weight, ignore_index=UNKNOWN)


def train_thrown(
    both: Both, sources: Sequence[tuple[float, Sequence[Throw]]], watched: Sequence[Throw], minutes: float, invert: bool
) -> None:
    """Train the judge on whole throws.

    Args:
        both: it and what weighs its answers; at last the running mean of its weights.
        sources: how often throws of each are shown, and these.
        watched: by which the training is watched only.
        minutes: how long.
        invert: now and then dark for light, as dice come.
    """
    rng = np.random.default_rng(4)
    print([len(throws) for _, throws in sources], "throws a source", flush=True)
    shares = np.asarray([share for share, _ in sources])
    steps = Steps(both, minutes, top_rate=2e-3)
    averaged = AveragedModel(both, multi_avg_fn=get_ema_multi_avg_fn(AVERAGED), use_buffers=True)
    while (rate := steps.next()) is not None:
        throws = sources[int(rng.choice(len(sources), p=shares / shares.sum()))][1]
        loose = steps.done % 3 == 2
        chosen = [throws[int(i)] for i in rng.integers(0, len(throws), AT_ONCE)]
        steps.learn(both.loss(spread(chosen, rng, loose=loose, invert=invert), loose=loose), rate)
        averaged.update_parameters(both)
        if steps.done % 300 == 0:
            averaged.eval()
            with torch.no_grad():
                batches = (watched[i : i + AT_ONCE] for i in range(0, len(watched), AT_ONCE))
                shown = (spread(some, np.random.default_rng(5), plain=True) for some in batches)
                losses = [float(averaged.module.loss(some)) for some in shown]
            print(f"{steps} watched {np.mean(losses):.4f}", flush=True)
    both.load_state_dict(averaged.module.state_dict())
