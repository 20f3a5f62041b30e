"""A throwing place without a board, drawn so that every movement in it is known to the frame."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observation import BeanSeen, Observation, TableState, ThrowSeen
from vision.camera import Frame, Image
from vision.place import Change

HEIGHT, WIDTH = 360, 640
FPS = 15.0
SPOTS = ((250.0, 140.0), (310.0, 200.0), (360.0, 130.0), (290.0, 250.0), (400.0, 220.0))
"""Where five beans come to lie."""
FIST = (300.0, 180.0)
"""Where a hand is held, over the place."""
AWAY = (760.0, 560.0)
"""Where a hand is not in the picture."""
SKIN, SLEEVE, CUP = (120, 155, 205), (150, 90, 60), (60, 60, 190)
Picture = NDArray[np.float32]
Scene = Callable[[float], Picture]
"""What the table looks like at a time."""
Spot = tuple[float, float]


@cache
def _cloth() -> Picture:
    random = np.random.default_rng(5)
    cloth = cv2.resize(random.integers(110, 170, (9, 16, 3), np.uint8), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    return cloth.astype(np.float32)


def place() -> Picture:
    """Uneven cloth, nothing on it."""
    return _cloth().copy()


def with_beans(picture: Picture, spots: Sequence[Spot] = SPOTS, tilt: float = 0.0) -> Picture:
    """Beans on it; tilt turns and narrows them as rocking does."""
    for number, (x, y) in enumerate(spots):
        at = (round(x * 16), round(y * 16))
        axes = (14 * 16, round((9 - 4 * abs(tilt)) * 16))
        cv2.ellipse(picture, at, axes, 40 * number + 20 * tilt, 0, 360, (35, 30, 45), -1, cv2.LINE_AA, 4)
        if number % 2:
            cv2.circle(picture, at, 4 * 16, (225, 230, 235), -1, cv2.LINE_AA, 4)
    return picture


def with_hand(picture: Picture, fist: Spot = FIST) -> Picture:
    """An arm that reaches in from the lower right, with its shadow."""
    x, y = fist
    shadow = np.ones((HEIGHT, WIDTH), np.float32)
    for shade, shift in ((0.7, 14), (1.0, 0)):
        corners = ((x - 30, y + 25), (x + 30, y - 25), (x + 430, y + 355), (x + 370, y + 405))
        arm = np.array(corners) + shift
        on = shadow if shade < 1 else picture
        cv2.fillPoly(on, [np.round(arm).astype(np.int32)], (shade,) if shade < 1 else SLEEVE, cv2.LINE_AA)
        at = (round(x + shift), round(y + shift))
        cv2.ellipse(on, at, (60, 48), 40, 0, 360, (shade,) if shade < 1 else SKIN, -1, cv2.LINE_AA)
        if shade < 1:
            picture *= cv2.blur(shadow, (9, 9))[..., None]
    return picture


def held(fist: Spot = FIST) -> tuple[Spot, ...]:
    """Where beans lie in an open hand."""
    return tuple((fist[0] + dx, fist[1] + dy) for dx, dy in ((-25, -5), (0, -20), (20, 0), (-5, 10), (15, 25)))


def moved(start: Spot, end: Spot, share: float) -> Spot:
    """On the way from start to end; share is held between 0 and 1."""
    share = min(max(share, 0.0), 1.0)
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)


def rolling(until_s: float, for_s: float = 1.0) -> Callable[[float], tuple[Spot, ...]]:
    """Where beans are that roll in from the left, ever slower, and lie from ``until_s`` on."""

    def at(t: float) -> tuple[Spot, ...]:
        left = min(max((until_s - t) / for_s, 0.0), 1.0)
        return tuple((x - 300 * left**1.5 * (1 + 0.1 * n), y) for n, (x, y) in enumerate(SPOTS))

    return at


def film(
    scene: Scene, seconds: float, *, fps: float = FPS, start_s: float = 0.0, noise: float = 2.0
) -> Iterator[Frame]:
    """Frames of a scene as a camera with noise takes them."""
    random = np.random.default_rng(11)
    grain = random.standard_normal((HEIGHT, WIDTH, 3), np.float32)
    for number in range(round(seconds * fps)):
        noisy = scene(start_s + number / fps) + noise * np.roll(grain, int(random.integers(0, WIDTH)), axis=1)
        yield Frame(np.clip(noisy, 0, 255).astype(np.uint8), start_s + number / fps, number)


def runs(seen: Iterable[Observation]) -> list[TableState]:
    """The states in order, each once."""
    return [state for state, _ in groupby(observation.state for observation in seen)]


class FiveSeen:
    """Stands in for the reader of throws: sees five certain beans wherever it is told, and counts its readings."""

    def __init__(self, spots: Sequence[Spot] = SPOTS) -> None:
        self.spots = spots
        self.readings = 0

    def read(
        self,
        images: Sequence[Image],
        place_px: NDArray[np.float32] | None = None,
        *,
        px_per_mm: float | None = None,
        changes: Sequence[Change] | None = None,
    ) -> ThrowSeen:
        """Five beans, two of them marked."""
        self.readings += 1
        return five(self.spots)


class DarkSeen:
    """Stands in for the reader of throws: sees what is dark and as large as a bean, certain, two of them marked."""

    def read(
        self,
        images: Sequence[Image],
        place_px: NDArray[np.float32] | None = None,
        *,
        px_per_mm: float | None = None,
        changes: Sequence[Change] | None = None,
    ) -> ThrowSeen:
        """The beans of the last picture, or a place that is certainly empty."""
        grey = cv2.cvtColor(images[-1], cv2.COLOR_BGR2GRAY)
        dark = np.asarray(grey < 0.5 * np.median(grey), np.uint8)
        contours, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        boxes = [cv2.boundingRect(contour) for contour in contours if 200 < cv2.contourArea(contour) < 800]
        spots = [(x + width / 2, y + height / 2) for x, y, width, height in boxes]
        return five(spots) if spots else ThrowSeen("none", certain=True)


def five(spots: Sequence[Spot] = SPOTS) -> ThrowSeen:
    """What is read of beans there."""
    beans = tuple(BeanSeen(spot, "marked" if n % 2 else "plain", True, 0.99) for n, spot in enumerate(spots))
    return ThrowSeen("beans", beans=beans, certain=True)
