"""The nets, as PyTorch modules: plain 3x3 convolutions, small enough for cv2.dnn on one core."""

from pathlib import Path

import torch
from torch import Tensor, nn


def _conv(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Finder(nn.Module):  # type: ignore[misc]
    """Where beans and dice are: picture (n, 3, h, w) to maps (n, 4, h/4, w/4).

    Channels: bean centre, die centre (logits), size (natural logarithm of px/16), mark (logit, where a bean is).
    """

    def __init__(self) -> None:
        super().__init__()
        self.quarter = nn.Sequential(_conv(3, 12, 2), _conv(12, 24, 2))
        self.eighth = nn.Sequential(_conv(24, 40, 2), _conv(40, 40), _conv(40, 40), _conv(40, 40), _conv(40, 40))
        self.up = nn.ConvTranspose2d(40, 24, 2, 2)
        self.head = nn.Sequential(_conv(24, 24), nn.Conv2d(24, 4, 1))
        # Most places are empty: start there (Lin et al., Focal Loss for Dense Object Detection, 2017, section 4.1).
        nn.init.constant_(self.head[1].bias, -3.0)

    def forward(self, picture: Tensor) -> Tensor:
        quarter = self.quarter(picture)
        maps: Tensor = self.head(torch.relu(self.up(self.eighth(quarter)) + quarter))
        return maps


class Judge(nn.Module):  # type: ignore[misc]
    """What one object shows: crops (n, 3, 48, 48) to logits (n, classes)."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 24, 2, kernel=5),
            _conv(24, 32),
            _conv(32, 48, 2),
            _conv(48, 48),
            _conv(48, 64, 2),
            _conv(64, 64),
        )
        self.last = nn.Sequential(nn.Dropout(0.2), nn.Conv2d(64, classes, 6))

    def forward(self, crops: Tensor) -> Tensor:
        logits: Tensor = self.last(self.body(crops))
        return logits.flatten(1)


def export(net: nn.Module, size_px: int, out: Path) -> None:
    """Write ONNX with a fixed picture size; cv2.dnn may still be given another."""
    net.eval()
    example = torch.zeros(1, 3, size_px, size_px)
    torch.onnx.export(
        net, (example,), str(out), opset_version=17, dynamo=False, input_names=["picture"], output_names=["answer"]
    )
