"""Looks at the calibration page through a camera, says in plain words what to do, and gathers views for the lens."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import charuco
from calibration.homography import Points, as_points, fit_homography, project
from calibration.intrinsics import FEWEST_VIEWS, View
from calibration.pose import Lens, projection
from calibration.tags import MODULES
from vision.tags import Grey, Quads, sample

FEWEST_CORNERS, FEWEST_TAGS = 8, 3
"""Of the page, below which a view is not worth taking, and from which it is the page at all."""
SMALLEST_PX = 24.0
"""A square of the page must be as large in the picture, or its tags are guessed."""
BLURRED_PX, BLURRED = 1.2, 0.24
"""Standard deviation of the tags' edges, in pixels and in modules, from which their places are no longer sure."""
STILL = 0.002
"""Share of the picture's width that the page may move from one picture to the next."""
NEW = 0.06
"""Share of the width by which a view must differ from all that were taken."""
MOST_VIEWS = 40
"""More teach little and take long: from then on only what is still lacking is taken."""
TILTED_DEG, TILTED_VIEWS = 18.0, 2
"""So many views must be tilted by so much about each axis of the picture: nothing else tells the focal length."""
MARKS = (0.0, 0.27, 0.73, 1.0)
"""Where the picture is cut into three, across and down; a lens bends most in the outer parts."""
PER_PART = 3
"""Corners of the page that must have been seen in each part of the picture."""
PARTS = ("upper left corner", "upper edge", "upper right corner", "left edge", "middle", "right edge",
         "lower left corner", "lower edge", "lower right corner")  # fmt: skip
SIDES = ("left", "right", "top", "bottom")
MIRRORED = "the page is mirrored: switch off mirroring in the camera, or print the page from its front"
NOTHING = "no page to be seen: hold all of the printed page (macuil print charuco) before the camera, still"


@dataclass(frozen=True, slots=True)
class Seen:
    """What one picture gave."""

    advice: str
    """What to do now, in plain words."""
    taken: bool = False
    """Whether it became a view."""


class Coach:
    """Gathers views of the page from the pictures of one camera.

    Args:
        live: whether a person holds the page before the camera now; then it must be still for a moment.
    """

    def __init__(self, *, live: bool) -> None:
        self.views: list[View] = []
        self.mirrored = False
        """Whether a mirrored page was seen."""
        self.live = live
        self._before: dict[int, Points] = {}
        self._taken: list[dict[int, Points]] = []
        self._tilts: list[tuple[float, float]] = []
        self._shape: tuple[int, ...] = ()

    def see(self, grey: Grey) -> Seen:
        """Look at the next picture; all must have one size."""
        self._shape = grey.shape
        corners, before = self._detect(grey), self._before
        self._before = corners
        plight = self._plight(grey, corners)
        if plight:
            return Seen(plight)
        width = grey.shape[1]
        if self.live and _apart(corners, before) > STILL * width:
            return Seen("hold still")
        if any(_apart(corners, taken) < NEW * width for taken in self._taken):
            return Seen(f"seen already; {self._wish()}")
        ids = np.array(sorted(corners))
        view = View(np.array([corners[k] for k in ids]), charuco.corners_mm()[ids])
        lacking = self._lacking()
        self.views.append(view)
        self._tilts.append(_tilt(view, grey.shape))
        if len(self.views) > MOST_VIEWS and self._lacking() == lacking:
            self.views.pop()
            self._tilts.pop()
            return Seen(f"enough such views; {self._wish()}")
        self._taken.append(corners)
        return Seen(self._wish(), taken=True)

    @property
    def complete(self) -> bool:
        """Whether the views cover the picture, and enough are tilted."""
        return len(self.views) >= FEWEST_VIEWS + 2 and not self.missing() and not self.flat()

    def missing(self) -> tuple[str, ...]:
        """Parts of the picture in which the page was not seen yet."""
        return tuple(part for part, count in zip(PARTS, self._corners_seen(), strict=True) if count < PER_PART)

    def flat(self) -> tuple[str, ...]:
        """Ways in which the page was not tilted often enough yet."""
        ways = ("its left or right side nearer to the camera", "its upper or lower side nearer to the camera")
        return tuple(way for way, views in zip(ways, self._tilted(), strict=True) if views < TILTED_VIEWS)

    def _corners_seen(self) -> NDArray[np.intp]:
        """Corners of the page in each part of the picture, of all views."""
        if not self.views:
            return np.zeros(len(PARTS), np.intp)
        height, width = self._shape
        at = np.vstack([view.seen_px for view in self.views]) / (width, height)
        column, row = (np.clip(np.digitize(at[:, axis], MARKS) - 1, 0, 2) for axis in (0, 1))
        return np.bincount(3 * row + column, minlength=len(PARTS))

    def _tilted(self) -> NDArray[np.intp]:
        """Views tilted about each axis."""
        return np.asarray((np.abs(np.array(self._tilts or [(0.0, 0.0)])) > TILTED_DEG).sum(axis=0))

    def _lacking(self) -> int:
        """Corners and tilted views that are still lacking; a view that fills a part by half is worth it, too."""
        corners = np.maximum(PER_PART - self._corners_seen(), 0)
        return int(corners.sum() + np.maximum(TILTED_VIEWS - self._tilted(), 0).sum())

    def _detect(self, grey: Grey) -> dict[int, Points]:
        found, ids, tags, tag_ids = cv2.aruco.CharucoDetector(charuco.charuco()).detectBoard(grey)
        # OpenCV has None for nothing at all.
        self._tags = [] if tag_ids is None else [as_points(tag) for tag in tags]
        self._tag_ids = [] if tag_ids is None else [int(k) for k in np.ravel(tag_ids)]
        return {} if ids is None else dict(zip((int(k) for k in np.ravel(ids)), as_points(found), strict=True))

    def _plight(self, grey: Grey, corners: dict[int, Points]) -> str:
        """Why this picture is no view; empty where it may be one."""
        few = len(corners) < FEWEST_CORNERS
        if few and _mirrored(grey):
            self.mirrored = True
            return MIRRORED
        if len(self._tags) < FEWEST_TAGS:
            return NOTHING
        edge_px = float(np.median([np.linalg.norm(tag - np.roll(tag, 1, axis=0), axis=1).mean() for tag in self._tags]))
        square_px = edge_px * charuco.SQUARE_MM / charuco.TAG_MM
        if square_px < SMALLEST_PX:
            return f"too far: a square is {square_px:.0f} px, {SMALLEST_PX:.0f} are needed; bring the page nearer"
        if _blur_px(grey, np.array(self._tags)) > max(BLURRED_PX, BLURRED * edge_px / MODULES):
            return "blurred: hold still, give more light, or let the camera focus"
        return self._too_few(grey) if few else ""

    def _too_few(self, grey: Grey) -> str:
        drawn = np.vstack([charuco.tag_corners_mm(k) for k in self._tag_ids])
        whole = project(fit_homography(np.vstack(self._tags), drawn), charuco.OUTLINE_MM)
        height, width = grey.shape
        (left, top), (right, bottom) = whole.min(axis=0), whole.max(axis=0)
        over = [
            side for side, out in zip(SIDES, (left < 0, right > width, top < 0, bottom > height), strict=True) if out
        ]
        if over:
            return f"too near: the page leaves the picture at the {' and '.join(over)}; move it back or inwards"
        return "too little of the page can be read: take fingers off it, turn it towards the camera, give even light"

    def _wish(self) -> str:
        """What the next view should show."""
        missing, flat = self.missing(), self.flat()
        if missing:
            return f"now move the page to the {missing[0]} of the picture"
        if flat:
            return f"now tilt the page, {flat[0]}"
        return "now another view, tilted or turned otherwise"


def _mirrored(grey: Grey) -> bool:
    ids = cv2.aruco.CharucoDetector(charuco.charuco()).detectBoard(np.ascontiguousarray(grey[:, ::-1]))[1]
    return ids is not None and len(ids) >= FEWEST_CORNERS


def _blur_px(grey: Grey, tags: Quads) -> float:
    """Standard deviation of the tags' edges, by how steep they are in the middle of each side."""
    along = np.roll(tags, -1, axis=1) - tags
    outward = np.stack([along[..., 1], -along[..., 0]], axis=-1) / MODULES
    steps = np.linspace(-0.9, 0.9, 37)
    seen = sample(grey, (tags + along / 2)[:, :, None] + outward[:, :, None] * steps[:, None])
    steepest = np.abs(np.diff(seen, axis=-1)).max(axis=-1) / (np.linalg.norm(outward, axis=-1) * (steps[1] - steps[0]))
    return float(np.median(np.ptp(seen, axis=-1) / np.maximum(steepest, 1e-6))) / math.sqrt(2 * math.pi)


def _apart(corners: dict[int, Points], others: dict[int, Points]) -> float:
    """Mean distance of the corners that both show, pixels; infinite where they are not enough to tell."""
    common = [k for k in corners if k in others]
    if len(common) < FEWEST_CORNERS / 2:
        return float("inf")
    return float(np.mean([np.linalg.norm(corners[k] - others[k]) for k in common]))


def _tilt(view: View, shape: tuple[int, ...]) -> tuple[float, float]:
    """How far the page is tilted sideways and up or down, degrees, as a usual lens would have it."""
    lens = Lens.usual(shape[1], shape[0])
    up = np.linalg.inv(lens.matrix) @ projection(fit_homography(view.seen_px, view.drawn_mm), lens)[:, 2]
    x, y, z = up / np.linalg.norm(up)
    return float(np.degrees(np.arctan2(x, abs(z)))), float(np.degrees(np.arctan2(y, abs(z))))
