"""What one thing shows, seen beside all the others of its throw.

Beans of one throw are of one size, one colour and one kind of mark, and the same lamp makes their highlights: what
nobody could tell of one bean alone is told by the four beside it. A small net weighs every thing against every other.

Source of the method: relation networks, Santoro et al., A simple neural network module for relational reasoning
(2017); asked twice, so that what was told of the others is known when each is told.
"""

from pathlib import Path

import numpy as np

from vision.camera import Image
from vision.crops import cut_out
from vision.finder import MODELS, Floats, Found, net

FEATURES, PLACED = 96, 16
"""What the judge's net makes of a thing: of its paint and material, and of where upon it what lies."""
LOOKED = FEATURES + PLACED
MOST = 24
"""So many things are weighed together; more, the likeliest of them."""
COLOUR_SIZES, COLOUR_PX = 0.5, 9
"""Edge of the middle whose colour counts, in sizes, and of what it is brought to."""
DARKEST = 8.0
"""Added to colours before their logarithm is taken, so that noise in the dark says little."""
GEOMETRY = 7
"""Numbers that place a thing: right and down in px, size in px, the finder's score, colour (see below)."""


class Together:
    """The net, loaded once. Not safe for several threads at a time."""

    def __init__(self, name: str, models: Path = MODELS) -> None:
        self._net = net(models / f"{name}_together.onnx")

    def weigh(self, where: Floats, logits: Floats, seen: Floats) -> Floats:
        """The logits of each thing once all were seen.

        Args:
            where: each thing's :func:`geometry`, put right; shape (n, GEOMETRY).
            logits: of each by itself in one view, the last of nothing of the kind; shape (n, classes).
            seen: its features and its look, shape (n, LOOKED).

        Returns:
            Shape (n, classes).
        """
        chosen = np.argsort(_nothing(logits), kind="stable")[:MOST]
        asked = np.zeros((1, MOST, logits.shape[1] + LOOKED + GEOMETRY + 1), np.float32)
        for row, i in enumerate(chosen):
            asked[0, row] = (*logits[i], *seen[i], *where[i], 1.0)
        self._net.setInput(asked)
        weighed = np.array(logits)
        weighed[chosen] = np.asarray(self._net.forward(), np.float32)[0, : len(chosen)]
        return weighed


def geometry(image: Image, thing: Found) -> tuple[float, ...]:
    """Where a thing lies, how large it is, how well it was found; its middle's blue, green and red as logarithms."""
    middle = cut_out(image, thing.centre_px, COLOUR_SIZES * thing.size_px, COLOUR_PX)
    colour = np.median(np.log(middle.reshape(-1, 3).astype(np.float32) + DARKEST), axis=0)
    return (*thing.centre_px, thing.size_px, thing.score, *map(float, colour))


def _nothing(logits: Floats) -> Floats:
    """By how much each is sooner nothing of the kind than anything: to put them in order by."""
    return np.asarray(logits[:, -1] - np.logaddexp.reduce(logits[:, :-1], axis=1), np.float32)
