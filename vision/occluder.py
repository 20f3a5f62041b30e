"""Hands over a place without a printed board: large, new, and not to be explained by light.

The place is compared with how it last looked when nothing hung over it. A hand is known by its size and by reaching in
from the border, however still it is held; thrown things are small islands. What has gone from the place leaves a change
of the same shape as what has come; whose edges surround it tells the two apart.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.stillness import Motion

LONGEST_PX = 160
"""The place is looked at no larger than this: a finger is some 6 pixels wide, a pen 2 to 4."""
MARGIN = 0.15
"""Share of the longer side by which more than the place is looked at: there an arm comes from."""
ARM = 0.02
"""Share of the view from which what reaches in from its border is a hand; five beans are half of it."""
FIST = 0.2
"""Diameter, as a share of the view's shorter side, of what is too thick for beans that lie together."""
NEARLY_ALL = 0.7
"""Share of the view that no hand covers; it is rather the camera or the table that has been moved."""
COLOURED, LIGHTER, DARKER = 0.16, 0.35, 0.75
"""Logarithms of the camera's values by which no shadow and no reflection changes; a shadow leaves half of them."""
ADDED = 0.3
"""Share of the edges around a change that are the new picture's, from which on something has come and not gone."""
LONG_S = 10.0
"""What reaches in from the border and is still for so long is set down, or the light is another ..."""
BRIEF_S = 2.5
"""... and so long where the light has jumped since, where it lies free or everywhere, or before the first rest."""
STIRRED, TREMBLED = 0.04, 0.08
"""Logarithms by which the rim of what has stayed changes where it stirs, and the share of it that says so; what has
stirred less through a movement is part of the table. A hand of which one pixel of 640 has moved says so."""
NEAR_PX = 5
"""What has stayed holds what lies so close to it, pixels of the view."""

_LOG = np.log(np.arange(256, dtype=np.float32) + 8)  # so that noise in the dark is no hand

Logs = NDArray[np.float32]
"""Logarithms of the view's blue, green and red, shape (height, width, 3)."""
Mask = NDArray[np.uint8]
"""0 or 1, shape (height, width) of the view."""


class Occluder:
    """Follows one place through the frames of one camera.

    Args:
        area_px: corners of the place in the frame, shape (4, 2); None: the whole picture.
    """

    def __init__(self, area_px: NDArray[np.float32] | None = None) -> None:
        self._area_px = area_px
        self._view: _View | None = None
        self._open: Logs | None = None
        # Nobody knows whether the first picture has a hand in it.
        self._proven = False
        self._scene: Logs | None = None
        self._stays: Mask | None = None
        self._moved = self._light_stepped = False

    def see(self, image: Image, motion: Motion) -> bool:
        """Look at the next frame; whether a hand is over the place.

        Args:
            image: the frame's.
            motion: up to this frame. No hand comes without a movement: what jumps by itself is light.
        """
        if self._view is None or self._view.frame_shape != image.shape:
            self._view, self._open, self._scene, self._proven = _View(image.shape, self._area_px), None, None, False
        now = self._view.of(image)
        if self._open is None:
            self._open = now
        # A watch begun anew has missed what came in between.
        begun_anew = motion.still_s == 0.0 and not motion.light_step
        self._moved |= motion.moving or begun_anew or (motion.light_step and bool(motion.blocks.any()))
        self._light_stepped |= motion.light_step
        found = self._found(now, self._open) if self._moved else None
        if found is not None and self._scene is not None:
            found = self._found(now, self._scene)
        if found is not None and motion.still_s < self._patience_s(found):
            return True
        if motion.at_rest and not motion.light_step:
            self._remember(now, found)
        return False

    def holds(self, spot_px: tuple[float, float]) -> bool:
        """Whether this spot of the frame lies on what came, has stayed, and may yet turn out to be a hand."""
        if self._scene is None or self._stays is None or self._view is None:
            return False
        x, y = ((at - corner) / self._view.shrink for at, corner in zip(spot_px, self._view.corner_px, strict=True))
        near = self._stays[
            max(0, int(y) - NEAR_PX) : int(y) + NEAR_PX + 1, max(0, int(x) - NEAR_PX) : int(x) + NEAR_PX + 1
        ]
        return bool(near.any())

    def _patience_s(self, found: "_Found") -> float:
        brief = self._light_stepped or not self._proven or not found.reaches or found.mask.mean() > NEARLY_ALL
        return BRIEF_S if brief else LONG_S

    def _remember(self, now: Logs, found: "_Found | None") -> None:
        """Take this view, of a place at rest, for what later ones are compared with."""
        assert self._open is not None
        if found is not None:
            self._stays = found.mask if self._scene is None or self._stays is None else self._stays | found.mask
            self._scene = now
        elif self._scene is not None and (not self._moved or self._in_doubt(now)):
            self._scene = now
        else:
            self._open, self._scene = now, None
        self._proven, self._moved, self._light_stepped = True, False, False

    def _in_doubt(self, now: Logs) -> bool:
        """After a movement: whether what had stayed is still there, and has stirred."""
        assert self._open is not None
        assert self._scene is not None
        assert self._stays is not None
        change = now - self._scene
        stirred = np.abs(change - _light(change)).max(axis=2) > STIRRED
        trembled = float(stirred[_rim(self._stays, 3)].mean()) > TREMBLED
        return trembled and self._found(now, self._open) is not None

    def _found(self, now: Logs, before: Logs) -> "_Found | None":
        assert self._view is not None
        return _find(now, before, self._view.inside)


class _View:
    """The part of the frames that is looked at, shrunk."""

    def __init__(self, frame_shape: tuple[int, ...], area_px: NDArray[np.float32] | None) -> None:
        height, width = frame_shape[:2]
        corners = np.asarray([(0, 0), (width, height)] if area_px is None else area_px, np.float32).reshape(-1, 2)
        low, high = corners.min(axis=0), corners.max(axis=0)
        margin = MARGIN * float((high - low).max())
        left, top = (max(0, int(v - margin)) for v in low)
        right, bottom = min(width, int(high[0] + margin) + 1), min(height, int(high[1] + margin) + 1)
        self.frame_shape = frame_shape
        self.corner_px = (left, top)
        self.shrink = max(1, -(-max(right - left, bottom - top) // LONGEST_PX))
        self._size = (max(1, (right - left) // self.shrink), max(1, (bottom - top) // self.shrink))
        self.inside: Mask = np.ones(self._size[::-1], np.uint8)
        if area_px is not None:
            self.inside[:] = 0
            outline = np.round((corners - self.corner_px) / self.shrink - 0.5).astype(np.int32)
            cv2.fillPoly(self.inside, [outline], (1,))

    def of(self, image: Image) -> Logs:
        (left, top), (width, height) = self.corner_px, self._size
        part = image[top : top + height * self.shrink, left : left + width * self.shrink]
        small = cv2.resize(part, self._size, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.LUT(small, _LOG), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """What hangs or lies over the place."""

    mask: Mask
    reaches: bool
    """In from the border."""


def _find(now: Logs, before: Logs, inside: Mask) -> _Found | None:
    """What has come over the place and is too large for beans."""
    height, width = inside.shape
    count, labels, stats, _ = cv2.connectedComponentsWithStats(_differs(now, before), connectivity=8)
    mask, reaching = np.zeros_like(inside), False
    for k in range(1, count):
        left, top, across, down, area = (int(v) for v in stats[k])
        if area < ARM * inside.size:
            continue
        region = np.asarray(labels == k, np.uint8)
        reaches = min(left, top, width - left - across, height - top - down) <= 1
        thick_px = 2 * float(cv2.distanceTransform(region, cv2.DIST_L2, 3).max())
        if not (reaches or thick_px > FIST * min(height, width)) or not (region & inside).any():
            continue
        if _added(region, now, before) > ADDED:
            mask |= region
            reaching |= reaches
    return _Found(mask, reaching) if mask.any() else None


def _differs(now: Logs, before: Logs) -> Mask:
    """Where no light makes the one look like the other."""
    change = now - before
    change -= _light(change)
    brightness = change.mean(axis=2)
    redder, bluer = change[..., 2] - change[..., 1], change[..., 0] - change[..., 1]
    unsure = 1 + np.maximum(3.6 - np.minimum(now, before).mean(axis=2), 0)  # in the dark, noise has colours
    coloured = redder * redder + bluer * bluer > (COLOURED * unsure) ** 2
    there = coloured | (brightness > LIGHTER * unsure) | (brightness < -DARKER)
    smooth = cv2.medianBlur(there.astype(np.uint8), 5)
    return np.asarray(cv2.morphologyEx(smooth, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)


def _light(change: Logs) -> Logs:
    """What most of a change has in common: a gain and a slope, as lamps and exposure make them; same shape.

    Method: a plane for each colour, by least squares, reweighted with Cauchy's function of what is left.
    """
    height, width = change.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / max(height, width) - 0.5
    planes = np.stack([np.ones_like(x), x, y], axis=-1)
    terms, values = planes[::4, ::4].reshape(-1, 3), change[::4, ::4].reshape(-1, 3)
    fitted = np.zeros((3, 3), np.float32)
    fitted[0] = np.median(values, axis=0)
    for _ in range(4):
        left = values - terms @ fitted
        weighted = terms.T / (1 + (left * left).sum(axis=1) / COLOURED**2)
        fitted = np.linalg.solve(weighted @ terms + 1e-3 * np.eye(3, dtype=np.float32), weighted @ values)
    return np.asarray(planes @ fitted, np.float32)


def _added(region: Mask, now: Logs, before: Logs) -> float:
    """Share of the edges around a changed region that are the new picture's: 1 what has come, 0 what has gone."""
    rim = _rim(region, 5)
    own = common = 0.0
    for dx, dy in ((1, 0), (0, 1)):
        edges = cv2.Sobel(now, cv2.CV_32F, dx, dy)[rim]
        came = edges - cv2.Sobel(before, cv2.CV_32F, dx, dy)[rim]
        own += float((edges * came).sum())
        common += float((came * came).sum())
    # What covers the whole view has no edges around it.
    return own / common if common else 1.0


def _rim(region: Mask, width_px: int) -> NDArray[np.bool_]:
    """The border of a region, on both sides; not where the view ends."""
    square = np.ones((width_px, width_px), np.uint8)
    return np.asarray(cv2.dilate(region, square) > cv2.erode(region, square), np.bool_)
