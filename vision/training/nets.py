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


def _twice(inputs: int, outputs: int) -> nn.Sequential:
    """To twice the size, as a transposed convolution would, which cv2.dnn of OpenCV 4 does twenty times slower."""
    return nn.Sequential(nn.Conv2d(inputs, 4 * outputs, 1), nn.PixelShuffle(2))


class Finder(nn.Module):  # type: ignore[misc]
    """Where beans and dice are: picture (n, 3, h, w) to maps (n, 3, h/4, w/4).

    Channels: bean centre, die centre (logits), size (natural logarithm of px/16).
    """

    def __init__(self) -> None:
        super().__init__()
        self.quarter = nn.Sequential(_conv(3, 16, 2), _conv(16, 24, 2))
        self.eighth = nn.Sequential(_conv(24, 48, 2), _conv(48, 48), _conv(48, 48))
        self.sixteenth = nn.Sequential(_conv(48, 64, 2), _conv(64, 64), _conv(64, 64))
        self.to_eighth = _twice(64, 48)
        self.at_eighth = nn.Sequential(_conv(48, 48), _conv(48, 48))
        self.to_quarter = _twice(48, 24)
        self.head = nn.Sequential(_conv(24, 24), nn.Conv2d(24, 3, 1))
        # Most places are empty: start there (Lin et al., Focal Loss for Dense Object Detection, 2017, section 4.1).
        nn.init.constant_(self.head[1].bias, -3.0)

    def forward(self, picture: Tensor) -> Tensor:
        quarter = self.quarter(picture)
        eighth = self.eighth(quarter)
        eighth = self.at_eighth(torch.relu(self.to_eighth(self.sixteenth(eighth)) + eighth))
        maps: Tensor = self.head(torch.relu(self.to_quarter(eighth) + quarter))
        return maps


class Judge(nn.Module):  # type: ignore[misc]
    """What one object shows and where it really lies: crops (n, 3, 48, 48) to answers (n, classes + 3).

    The last three answers: how far the object's middle lies right of and below the crop's, and the natural logarithm
    of its size, both in the size that the crop was cut for. Beside the answers the features (n, 96), by which a set
    of beans or dice of one's own is taught.
    """

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.classes = classes
        self.body = nn.Sequential(
            _conv(3, 24, 2, kernel=5),
            _conv(24, 32),
            _conv(32, 56, 2),
            _conv(56, 56),
            _conv(56, 56),
            _conv(56, 96, 2),
            _conv(96, 96),
        )
        self.last = nn.Sequential(nn.Dropout(0.2), nn.Conv2d(96, classes + 3, 6))

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        seen: Tensor = self.body(crops)
        return self.last(seen).flatten(1), seen.mean((2, 3))


def export(net: nn.Module, size_px: int, out: Path) -> None:
    """Write ONNX with a fixed picture size; cv2.dnn may still be given another."""
    net.eval()
    example = torch.zeros(1, 3, size_px, size_px)
    names = ["answer", "features"] if isinstance(net, Judge) else ["answer"]
    torch.onnx.export(
        net, (example,), str(out), opset_version=17, dynamo=False, input_names=["picture"], output_names=names
    )
