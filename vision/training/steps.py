"""The steps of a training: a budget of minutes, and the rate at which is learnt."""

import time

import numpy as np
import torch
from torch import Tensor

LARGEST = 2.0
"""Norm of a gradient that is followed as it is."""


class Steps:
    """Counts the time budget and makes the steps: AdamW, short warm-up, cosine decay over the budget."""

    def __init__(self, net: torch.nn.Module, minutes: float, top_rate: float = 3e-3) -> None:
        self.done = 0
        self._budget = minutes * 60
        self._start = time.monotonic()
        self._top = top_rate
        self._loss = 1.0
        self._net = net
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
        torch.nn.utils.clip_grad_norm_(self._net.parameters(), LARGEST)
        self._optimiser.step()
        self._loss = 0.98 * self._loss + 0.02 * float(loss.detach())
        self.done += 1
