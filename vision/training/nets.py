"""The nets, as PyTorch modules: plain 3x3 convolutions, small enough for cv2.dnn on one core."""

from pathlib import Path

import torch
from torch import Tensor, nn

from vision.finder import Floats
from vision.together import FEATURES, GEOMETRY, LOOKED, MOST


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
    of beans or dice of one's own is taught, and, where there is to be one, its look (n, look): both go to
    :class:`Together`.
    """

    def __init__(self, classes: int, look: int) -> None:
        super().__init__()
        self.classes, self.look = classes, look
        self.body = nn.Sequential(
            _conv(3, 24, 2, kernel=5),
            _conv(24, 32),
            _conv(32, 56, 2),
            _conv(56, 56),
            _conv(56, 56),
            _conv(56, 96, 2),
            _conv(96, FEATURES),
        )
        self.last = nn.Sequential(nn.Dropout(0.2), nn.Conv2d(FEATURES, classes + 3 + look, 6))

    def forward(self, crops: Tensor) -> tuple[Tensor, ...]:
        seen: Tensor = self.body(crops)
        answer = self.last(seen).flatten(1)
        told = (answer[:, : self.classes + 3], seen.mean((2, 3)))
        # cv2.dnn takes no output that is empty.
        return (*told, answer[:, self.classes + 3 :]) if self.look else told


class Together(nn.Module):  # type: ignore[misc]
    """What each of a throw's objects shows, seen beside the others; see :mod:`vision.together`.

    Things (n, MOST, classes + LOOKED + GEOMETRY + 1), as the judge sees them, where they lie, and whether there is one
    at all, to logits (n, MOST, classes).
    """

    def __init__(self, classes: int, width: int = 48) -> None:
        super().__init__()
        self.classes = classes
        own = classes + LOOKED + 2
        self.mine, self.theirs = nn.Linear(own, width), nn.Linear(own, width, bias=False)
        self.between = nn.Linear(6, width, bias=False)
        self.pair = nn.Linear(width, width)
        head = (nn.Linear(own + width + 1, width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(width, classes))
        self.head = nn.Sequential(*head)
        # At first nothing is added to what the judge says.
        nn.init.zeros_(head[-1].weight)
        nn.init.zeros_(head[-1].bias)
        self.register_buffer("itself", torch.eye(MOST)[None], persistent=False)

    def forward(self, things: Tensor) -> Tensor:
        logits, seen, where, there = torch.split(things, [self.classes, LOOKED, GEOMETRY, 1], dim=-1)
        seen = torch.cat([seen[..., :FEATURES], seen[..., FEATURES:].relu()], -1)
        between = self.between(_between(where))
        size, score = where[..., 2:3].clamp_min(1).log() - 3, where[..., 3:4]
        for _ in range(2):
            own = torch.cat([seen, logits, size, score], -1)
            pairs = (self.mine(own)[:, :, None] + self.theirs(own)[:, None] + between).relu()
            pairs = self.pair(pairs).relu()
            real = (1 - logits.softmax(-1)[..., -1]) * there[..., 0]
            weight = real[:, None] * (1 - self.itself)
            crowd = weight.sum(-1, keepdim=True)
            others = (pairs * weight[..., None]).sum(2) / (crowd + 0.5)
            logits = logits + self.head(torch.cat([own, others, crowd / 5], -1))
        return logits


def _between(where: Tensor) -> Tensor:
    """How each lies to each other: larger, further off, brighter and of which other colour, shape (n, m, m, 6)."""
    centre, size, colour = where[..., :2], where[..., 2].clamp_min(1), where[..., 4:]
    off_px = (centre[:, :, None] - centre[:, None]).square().sum(-1).sqrt()
    larger = size.log()[:, None] - size.log()[:, :, None]
    away = (off_px / size[:, :, None] + 0.1).log().clamp(-3, 3)
    other = colour[:, None] - colour[:, :, None]
    brighter = other.mean(-1, keepdim=True)
    return torch.cat([larger[..., None], away[..., None], brighter, other - brighter], -1)


def ask(net: nn.Module, pictures: Floats) -> Tensor:
    """One forward pass in bfloat16, which halves the time on one core."""
    with torch.autocast("cpu", torch.bfloat16):
        answer = net(torch.from_numpy(pictures).contiguous(memory_format=torch.channels_last))
    first: Tensor = answer[0] if isinstance(answer, tuple) else answer
    return first.float()


def export(net: nn.Module, shape: tuple[int, ...], out: Path) -> None:
    """Write ONNX with a fixed shape; cv2.dnn may still be given another picture size."""
    net.eval()
    example = torch.zeros(shape)
    names = ["answer", "features", "look"][: len(net(example))] if isinstance(net, Judge) else ["answer"]
    torch.onnx.export(
        net, (example,), str(out), opset_version=17, dynamo=False, input_names=["seen"], output_names=names
    )
