"""The throwing place, looked at cheaply: is it empty, has it changed? Reading what lies there is throws.py's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import Points
from calibration.layout import Layout, Rect
from calibration.sheets import top_view
from referee.observation import ThrowSeen
from vision.camera import Image
from vision.locate import Located
from vision.rectify import Rectifier

PX_PER_MM = 1.0
INSET_MM = 5.0
"""The printed border is not looked at."""
SMALLEST_PX = 14
"""Half a small bean; less is a crumb or noise."""
BEAN_MM2, NARROWEST_MM = (25.0, 700.0), 4.0
"""Least and largest area of a bean or of several that touch, and its width."""
SPOT_DEPTH, SHARP = 0.15, 0.15
"""A dark spot: logarithm of its brightness, and share of its depth that a millimetre of edge takes."""
EDGE, ALL_AROUND = 0.02, 0.75
"""Logarithms a millimetre that are an edge, and the share of an outline that has one."""
DISC_MM, ROUND = 14.0, 1.15
"""Smallest diameter of a piece, and how much longer than wide a round thing may look."""

FULL = 0.82
"""Share of the circle around it that such a one fills; seen at a slant it is an ellipse."""

COLOURED, LIGHTER, DARKER = 0.1, 0.07, 0.75
"""Logarithms by which a thing differs from the ground; a shadow only darkens, and leaves half of the light."""

_LOG = np.log(np.arange(256, dtype=np.float32) + 16)  # so that noise in a dark picture is no bean

Mask = NDArray[np.uint8]
Logs = NDArray[np.float32]
"""Logarithms of a top view of the place, (height, width, 3)."""


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """One spot of the place that does not look as it did when the place was empty."""

    outline_px: Points
    """Convex, pixels of the frame, (n, 2)."""
    edged: bool
    """It has an edge nearly all around, as things do; the border of a patch of light is one line."""
    like_bean: bool
    """As large as a bean and no thin strip, nor light or shadow that comes in over the border of the place."""
    solid_px2: float
    """How much of it is no shadow, pixels of the frame."""
    stood: bool = False
    """It was there when the place was last empty: a tray, a mat, a shadow. Its outline is one of its edges."""


class Place:
    """Watches one throwing place.

    Args:
        layout: what is printed; an empty place looks so until a better view of it is accepted.
        place: where it is on the sheet.
    """

    def __init__(self, layout: Layout, place: Rect) -> None:
        inner = Rect(
            place.x_mm + INSET_MM, place.y_mm + INSET_MM, place.width_mm - 2 * INSET_MM, place.height_mm - 2 * INSET_MM
        )
        self._whole, self._inner = place, inner
        self._rectifier = Rectifier(inner, PX_PER_MM)
        left, top, right, bottom = (
            round(v * PX_PER_MM)
            for v in (inner.x_mm, inner.y_mm, inner.x_mm + inner.width_mm, inner.y_mm + inner.height_mm)
        )
        self._printed = self._vacant = _logs(top_view(layout, PX_PER_MM)[top:bottom, left:right])
        self._edges: tuple[NDArray[np.float64], ...] = ()
        """Of what the empty place bears that is not printed, millimetres in it, (n, 2) each."""
        self._read: Logs | None = None
        self._now = self._vacant

    @classmethod
    def of(cls, layout: Layout) -> Self | None:
        """The throwing place of a layout, if it has one."""
        return cls(layout, layout.place) if layout.place else None

    def see(self, image: Image, located: Located) -> bool:
        """Look at the next frame; True when the place is empty and nothing hangs over it.

        Rather says no: an empty place is read once more, a bean overlooked would be thrown again.
        """
        self._now = _logs(self._rectifier.top_view(image, located))
        return not differs(self._now, self._vacant)

    def corners_px(self, located: Located) -> NDArray[np.float32]:
        """Corners of the place in the frame, clockwise, shape (4, 2)."""
        return located.project(self._whole.corners_mm).astype(np.float32)

    def px_per_mm(self, located: Located) -> float:
        """The mean scale of the place in the frame."""
        corners = self.corners_px(located)
        edges_px = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        return float(edges_px.sum()) / (2 * (self._whole.width_mm + self._whole.height_mm))

    def on_sheet(self, seen: ThrowSeen, located: Located) -> ThrowSeen:
        """The throw with where everything lies in the place as printed."""
        dice_px = [(die.box_px[0] + die.box_px[2] / 2, die.box_px[1] + die.box_px[3] / 2) for die in seen.dice]
        middles_px = [bean.centre_px for bean in seen.beans] + dice_px
        if not middles_px:
            return seen
        place = self._whole
        shares = (located.on_board(middles_px) - (place.x_mm, place.y_mm)) / (place.width_mm, place.height_mm)
        spots = [(round(float(x), 4), round(float(y), 4)) for x, y in shares]
        return replace(
            seen,
            beans=tuple(replace(bean, place_xy=spot) for bean, spot in zip(seen.beans, spots, strict=False)),
            dice=tuple(
                replace(die, place_xy=spot) for die, spot in zip(seen.dice, spots[len(seen.beans) :], strict=True)
            ),
        )

    def changes(self, located: Located) -> tuple[Change, ...]:
        """Where something lies that did not when the place was empty, or the light differs; and what stood there."""
        solids = solid(self._now, self._vacant)
        changed = solids
        for strange in _strange(self._now, self._vacant):
            closed = cv2.morphologyEx(strange, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
            changed = np.asarray(cv2.bitwise_or(changed, closed), np.uint8)
        contours, _ = cv2.findContours(changed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        steps = _steps(self._now - self._vacant)
        corner = np.array([self._inner.x_mm, self._inner.y_mm])
        found = []
        for contour in contours:
            area_mm2 = cv2.contourArea(contour) / PX_PER_MM**2
            if area_mm2 * PX_PER_MM**2 < SMALLEST_PX:
                continue
            hull = cv2.convexHull(contour)
            narrow_mm = min(cv2.minAreaRect(hull)[1]) / PX_PER_MM
            outline = located.project(corner + (hull.reshape(-1, 2) + 0.5) / PX_PER_MM)
            edged = float((steps[contour[:, 0, 1], contour[:, 0, 0]] > EDGE).mean()) > ALL_AROUND
            like_bean = BEAN_MM2[0] <= area_mm2 <= BEAN_MM2[1] and narrow_mm >= NARROWEST_MM
            if not edged and _at_border(contour, changed.shape):
                like_bean = False
            inside = cv2.drawContours(np.zeros_like(solids), [contour], -1, (1,), cv2.FILLED)
            to_frame = cv2.contourArea(outline.astype(np.float32)) / max(cv2.contourArea(hull), 1.0)
            solid_px2 = float(cv2.countNonZero(cv2.bitwise_and(inside, solids))) * to_frame
            found.append(Change(outline, edged, like_bean, solid_px2))
        stood = (Change(located.project(corner + edge), False, False, 0.0, stood=True) for edge in self._edges)
        return (*found, *stood)

    def spots(self) -> int:
        """How many dark spots of the size of a bean have an edge too sharp for a shadow cast from above the table."""
        rest = _rest(self._now - self._vacant)
        brightness = rest.mean(axis=2)
        steps = _steps(brightness)
        dark = np.asarray(brightness < -SPOT_DEPTH, np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(dark)
        found = 0
        for k in range(1, count):
            if not BEAN_MM2[0] <= stats[k, cv2.CC_STAT_AREA] / PX_PER_MM**2 <= BEAN_MM2[1]:
                continue
            spot = np.asarray(labels == k, np.uint8)
            rim = cv2.dilate(spot, np.ones((3, 3), np.uint8)) - cv2.erode(spot, np.ones((3, 3), np.uint8)) > 0
            depth = -float(brightness[spot > 0].min())
            found += float(np.median(steps[rim])) > SHARP * depth
        return found

    def discs(self) -> int:
        """How many things lie there that are as round and as large as a piece: no bean is."""
        contours, _ = cv2.findContours(solid(self._now, self._vacant), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        return sum(_is_disc(cv2.convexHull(contour)) for contour in contours if len(contour) > 2)

    def accept_empty(self) -> None:
        """What was seen last is an empty place."""
        self._vacant = self._now
        differs_by = _rest(self._vacant - self._printed)
        steps = _steps(differs_by)
        steep = np.asarray(steps > max(EDGE, 6 * float(np.median(steps[::3, ::3]))), np.uint8)
        stands = cv2.bitwise_or(steep, solid(self._vacant, self._printed))
        contours, _ = cv2.findContours(stands, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        some = (contour.reshape(-1, 2) for contour in contours if cv2.arcLength(contour, True) > SMALLEST_PX)
        self._edges = tuple(np.asarray((contour + 0.5) / PX_PER_MM, np.float64) for contour in some if len(contour) > 2)

    def mark_read(self) -> None:
        """What was seen last has been read."""
        self._read = self._now

    def changed(self) -> bool:
        """Whether what was seen last differs from what has been read."""
        return self._read is None or differs(self._now, self._read)


def _at_border(contour: cv2.typing.MatLike, shape: Sequence[int]) -> bool:
    (low, high), (height, width) = (contour.reshape(-1, 2).min(0), contour.reshape(-1, 2).max(0)), shape[:2]
    return bool((low <= 0).any() or high[0] >= width - 1 or high[1] >= height - 1)


def _is_disc(hull: cv2.typing.MatLike) -> bool:
    """Whether it is as large as a piece and fills the circle around it, as a bean of fifteen pixels does not."""
    short, long = sorted(cv2.minAreaRect(hull)[1])
    radius = cv2.minEnclosingCircle(hull)[1]
    full = cv2.contourArea(hull) > FULL * np.pi * radius**2
    return bool(short / PX_PER_MM >= DISC_MM and long < ROUND * short and full)


def differs(now: Logs, before: Logs) -> bool:
    """Whether something of the size of a bean lies in one and not in the other; light drops out."""
    return any(cv2.countNonZero(strange) >= SMALLEST_PX for strange in _strange(now, before))


def solid(now: Logs, vacant: Logs) -> Mask:
    """Where something lies that is no shadow: another colour, lighter than the ground, or darker than any shadow."""
    rest = _rest(now - vacant)
    brightness = rest.mean(axis=2)
    colour = np.abs(rest - brightness[..., None]).max(axis=2)
    noise = 6 * float(np.median(colour[::3, ::3]))
    there = (colour > max(COLOURED, noise)) | (brightness > max(LIGHTER, noise)) | (brightness < -DARKER)
    smooth = cv2.medianBlur(there.astype(np.uint8), 3)
    return np.asarray(cv2.morphologyEx(smooth, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)


def _rest(ratio: Logs) -> Logs:
    """The ratio without what the light alone changes over wide areas."""
    height, width = ratio.shape[:2]
    # The light: what most of a window much larger than a bean has in common.
    small = cv2.resize(ratio, (width // 4, height // 4), interpolation=cv2.INTER_AREA)
    levels = np.clip(small * 60 + 128, 0, 255).astype(np.uint8)
    light = (cv2.resize(cv2.medianBlur(levels, 19), (width, height)).astype(np.float32) - 128) / 60
    return np.asarray(ratio - light, np.float32)


def _steps(plane: Logs) -> Logs:
    """How steeply it changes at each pixel, logarithms a pixel; the steepest of several channels."""
    gradient = np.hypot(cv2.Sobel(plane, cv2.CV_32F, 1, 0), cv2.Sobel(plane, cv2.CV_32F, 0, 1)) / 8
    return np.asarray(gradient if gradient.ndim == 2 else gradient.max(axis=2), np.float32)


def _strange(now: Logs, before: Logs) -> Iterator[Mask]:
    """Where the two differ, channel by channel."""
    ratio = now - before
    for channel in cv2.split(ratio - np.median(ratio[::4, ::4].reshape(-1, 3), axis=0).astype(np.float32)):
        detail = np.abs(channel - cv2.blur(channel, (41, 41)))
        limit = max(0.07, 6 * float(np.median(detail[::3, ::3])))
        opened = cv2.morphologyEx((detail > limit).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        yield np.asarray(opened, np.uint8)


def _logs(view: Image) -> Logs:
    return np.asarray(cv2.blur(cv2.LUT(view, _LOG), (3, 3)), np.float32)
