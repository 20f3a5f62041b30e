"""Nets as they are shipped, brought back so that they can learn on: what was exported keeps no batch normalisation."""

from pathlib import Path

import numpy as np
import onnx
import torch
from torch import Tensor, nn

from vision.training.nets import Judge, Together


def restore_judge(judge: Judge, path: Path, pictures: Tensor) -> None:
    """Take the weights of an ONNX file.

    Each normalisation was folded into the convolution before it. It comes back with the mean and deviation that
    ``pictures`` have there, and undoes just these: the answers stay, whether it learns or not.

    Args:
        judge: of the same classes and look as the exported one; its weights are overwritten.
        path: what ``vision.training.nets.export`` wrote.
        pictures: as the judge meets them, normalised, shape (n, 3, CROP_PX, CROP_PX).

    Raises:
        ValueError: the file is of another net.
    """
    convolutions = _inputs(path, "Conv")
    body = [(block[0], block[1]) for block in judge.body]
    last = judge.last[1]
    shapes = [tuple(conv.weight.shape) for conv in (*(conv for conv, _ in body), last)]
    if [weights[0].shape for weights in convolutions] != shapes:
        raise ValueError(f"{path} is of another net: retrain from nothing, without it")
    judge.eval()
    with torch.no_grad():
        seen = pictures
        for (conv, norm), (kernel, bias) in zip(body, convolutions, strict=False):
            conv.weight.copy_(torch.from_numpy(kernel))
            before = conv(seen)
            mean, variance = before.mean((0, 2, 3)), before.var((0, 2, 3))
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
            norm.weight.copy_((variance + norm.eps).sqrt())
            norm.bias.copy_(mean + torch.from_numpy(bias))
            seen = torch.relu(norm(before))
        for parameter, value in zip((last.weight, last.bias), convolutions[-1], strict=True):
            parameter.copy_(torch.from_numpy(value))
    judge.train()


def restore_together(together: Together, path: Path) -> None:
    """As much for what weighs the things of a throw together.

    Raises:
        ValueError: the file is of another net.
    """
    graph = onnx.load(str(path)).graph
    values = {entry.name: np.array(onnx.numpy_helper.to_array(entry)) for entry in graph.initializer}
    products = [node.input[1] for node in graph.node if node.op_type == "MatMul" and node.input[1] in values]
    # In the order in which they are first used; the second of the two rounds uses the same.
    used = [values[name].T for name in dict.fromkeys(products)]
    linear: list[nn.Linear] = [together.between, together.mine, together.theirs, together.pair]
    linear += [together.head[0], together.head[3]]
    if [matrix.shape for matrix in used] != [tuple(layer.weight.shape) for layer in linear]:
        raise ValueError(f"{path} is of another net: retrain from nothing, without it")
    with torch.no_grad():
        for layer, matrix in zip(linear, used, strict=True):
            layer.weight.copy_(torch.from_numpy(np.ascontiguousarray(matrix)))
        for name, parameter in together.named_parameters():
            if name.endswith("bias"):
                parameter.copy_(torch.from_numpy(values[name]))


def _inputs(path: Path, kind: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weights and bias of each node of a kind, in order."""
    graph = onnx.load(str(path)).graph
    values = {entry.name: np.array(onnx.numpy_helper.to_array(entry)) for entry in graph.initializer}
    nodes = [node for node in graph.node if node.op_type == kind]
    if any(len(node.input) < 3 or not {*node.input[1:3]} <= values.keys() for node in nodes):
        raise ValueError(f"{path} is of another net: retrain from nothing, without it")
    return [(values[node.input[1]], values[node.input[2]]) for node in nodes]
