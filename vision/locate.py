"""Where the board is: found once by its tags, then followed by measuring them where they are expected."""

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.homography import CalibrationError, Matrix, Points, fit_homography, inverse, project, rms, unsure_mm
from calibration.layout import Layout, Tag
from calibration.pose import Estimate, Lens, Prior, measure_distortion, measure_focal, projection
from calibration.tags import modules
from referee.observation import Refusal
from vision.tags import Grey, Measured, Quads, detect, measure

FEWEST_TAGS = 3
"""Of 236 photographs of other tables none showed more than one false tag, so three that agree are the board."""
LESSONS = 8
"""Frames after a search from which the lens is still learnt."""
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """The board's place in the picture."""

    lens: Lens
    projection: Matrix
    """Millimetres on the board and height above it to undistorted pixels, (3, 4).

    The same array while the board stays: what depends only on its place may be kept as long.
    """
    corners_px: Points
    """The sheet's corners in the picture as taken, clockwise from its top left, (4, 2)."""
    tags: tuple[int, ...]
    """Ids that were measured in this frame, ascending."""
    hidden: tuple[int, ...]
    """Ids that lie in the picture but could not be measured: covered."""
    residual_px: float
    """Root mean square of the tag corners, or of what else is followed, about the fit; nan if nothing was measured."""
    residual_mm: float
    blur_px: float
    """Standard deviation of the tags' edges: a sharp picture has less than 1; nan where no tag was measured."""

    @property
    def homography(self) -> Matrix:
        """Millimetres on the board to undistorted pixels, (3, 3)."""
        return self.projection[:, [0, 1, 3]]

    def project(self, points_mm: ArrayLike, height_mm: float = 0.0) -> Points:
        """Points of the board, or above it, in the picture as taken; shape (n, 2)."""
        return self.lens.distort(project(self.projection, points_mm, height_mm))

    def on_board(self, points_px: ArrayLike) -> Points:
        """Where pixels of the picture as taken lie on the board, millimetres; shape (n, 2)."""
        return project(inverse(self.homography), self.lens.undistort(points_px))

    def moved_mm(self, before: "Located") -> float:
        """How far the board lies from where it lay before: the most that any corner of the sheet is off."""
        # Both through one lens and one plane: what was learnt of the lens meanwhile is no movement.
        off = self.on_board(before.corners_px) - self.on_board(self.corners_px)
        return float(np.hypot(*off.T).max())


class Locates(Protocol):
    """What finds the board: ``Locator`` by its tags, vision.follow.Follower by corners that were shown."""

    def see(self, grey: Grey, *, search: bool = True) -> Located | Refusal:
        """Locate it in the next picture; ``search`` where it need not be where it was."""


class Locator:
    """Finds and follows one board in the pictures of one camera, whose lens may be known before."""

    def __init__(self, layout: Layout, prior: Prior | None = None) -> None:
        self._prior = prior
        self._size_mm = layout.size_mm
        self._tags = {tag.id: tag for tag in layout.tags}
        self._ids = np.array(sorted(self._tags))
        self._drawn = np.array([self._tags[k].corners_mm for k in self._ids])
        self._white = np.array([modules(int(k)) for k in self._ids])
        place = layout.place.corners_mm if layout.place else ()
        self._wanted = np.array([*(p for cell in layout.cells for p in cell.outline_mm), *place])
        """What must lie in the picture; the sheet's white edge need not."""
        w, h = layout.size_mm
        self._outline = np.array([(0, 0), (w, 0), (w, h), (0, h)])
        self._limit_mm = 0.15 * math.sqrt(min(_area(c.outline_mm) for c in layout.cells))
        self._shape: tuple[int, ...] = ()
        self._last: Located | None = None
        self._forget()

    def see(self, grey: Grey, *, search: bool = True) -> Located | Refusal:
        """Locate the board in the next picture.

        Args:
            grey: the picture as taken.
            search: whether to search the whole picture if the board is not where it was (some 5 ms).
        """
        if grey.shape != self._shape:
            self._shape = grey.shape
            self._forget()
        found = self._follow(grey) if self._last else None
        jumped = found is not None and self._last is not None and len(found.tags) < len(self._last.tags) / 2
        if search and (found is None or jumped):
            answer = self._search(grey)
            if not isinstance(answer, Located):
                return found or answer
            found = answer
        if found is None:
            return "few tags"
        self._last = found
        return found

    @property
    def learnt(self) -> Prior | None:
        """The lens as the tags told it, the pictures of one rest being one measurement; None until it is learnt."""
        if self._lessons or self._last is None:
            return None
        old = self._prior or Prior.usual(*self._shape[::-1])
        told = ((self._focal.information, old.focal_off), (self._k1.information, old.k1_off))
        return Prior(self._lens, *(math.sqrt(LESSONS / (now + (LESSONS - 1) / off**2)) for now, off in told))

    def _forget(self) -> None:
        self._last = None
        height, width = self._shape or (1, 1)
        prior = self._prior or Prior.usual(width, height)
        self._first = self._lens = prior.lens
        self._k1, self._focal, self._lessons = prior.k1, prior.focal, LESSONS

    def _follow(self, grey: Grey) -> Located | None:
        assert self._last is not None
        return self._fit(grey, self._last.homography, self._last)

    def _search(self, grey: Grey) -> Located | Refusal:
        seen = detect(grey)
        ours = agreeing(seen, self._tags)
        if not ours:
            return self._refuse(grey, seen)
        if _another(seen, ours, self._tags):
            return "two boards"
        before = self._lens
        drawn, rough = np.array([self._tags[k].corners_mm for k, _ in ours]), np.array([c for _, c in ours])
        straight = self._learn(rough, drawn, keep=False, noise_px=1.0)
        homography, located = fit_homography(straight, drawn), None
        for _ in range(3):  # the lens bends the first guess, so measure again through what was learnt of it
            located = self._fit(grey, homography, None)
            if located is None:
                break
            homography = located.homography
        refusal = self._doubt(located) if located else "few tags"
        if located is None or refusal:
            self._lens = before
            return refusal or "few tags"
        self._lessons = LESSONS
        return located

    def _doubt(self, located: Located) -> Refusal | None:
        """Why it cannot be played on, if so."""
        if located.residual_mm > self._limit_mm:
            return "bent"
        if not self._inside(located.project(self._wanted), margin_px=0).all():
            return "cut off"
        # What is far from tags that are all in one corner may be anywhere.
        drawn, noise_px = self._drawn[np.isin(self._ids, located.tags)], max(located.residual_px, 0.1)
        sure = unsure_mm(located.homography, drawn, noise_px, self._wanted) < self._limit_mm
        return None if sure else "few tags"

    def _refuse(self, grey: Grey, seen: list[tuple[int, Points]]) -> Refusal:
        mirrored = detect(np.ascontiguousarray(grey[:, ::-1]))
        if agreeing(mirrored, self._tags):
            return "mirrored"
        if len({k for k, _ in seen}) >= FEWEST_TAGS:
            return "other board"
        return "few tags" if seen else "no tags"

    def _fit(self, grey: Grey, homography: Matrix, last: Located | None) -> Located | None:
        """Measure the tags near where ``homography`` has them and fit the board to those that agree."""
        expected = self._lens.distort(project(homography, self._drawn)).reshape(-1, 4, 2)
        visible = np.asarray(self._inside(expected.reshape(-1, 2), margin_px=6).reshape(-1, 4).all(axis=1))
        if visible.sum() < FEWEST_TAGS:
            return None
        measured = measure(grey, expected[visible], self._white[visible], self._lens)
        drawn = self._drawn[visible]
        good = np.array(measured.good, np.bool_)
        fitted = _fit_agreeing(measured.corners_px, drawn, good)
        if fitted is None:
            return None
        if last is None or (self._lessons and good.sum() > 0.8 * len(self._ids)):
            raw = self._lens.distort(measured.corners_px[good].reshape(-1, 2)).reshape(-1, 4, 2)
            measured.corners_px[good] = self._learn(raw, drawn[good], keep=last is not None)
            fitted = fit_homography(measured.corners_px[good], drawn[good])
        return self._located(fitted, measured, good, visible, last)

    def _learn(self, corners_px: Quads, drawn: Quads, *, keep: bool, noise_px: float = 0.1) -> Quads:
        """Improve the lens by corners as taken; ``keep`` counts them as a measurement of their own.

        Returns:
            The corners in the undistorted image.
        """
        raw, plane = corners_px.reshape(-1, 2), drawn.reshape(-1, 2)
        lens, k1, focal = self._lens, self._k1, self._focal
        for _ in range(1 if keep else 3):  # where the board is followed the lens is nearly right already
            if len(drawn) >= 6:
                k1 = self._k1.joined(measure_distortion(raw, plane, lens, noise_px))
                lens = replace(lens, k1=float(np.clip(k1.value, self._first.k1 - 0.5, self._first.k1 + 0.5)))
            focal = self._focal.joined(measure_focal(lens.undistort(raw), plane, lens, noise_px))
            usual = math.log(self._first.focal_px)
            lens = lens.focused(math.exp(float(np.clip(focal.value, usual - 0.8, usual + 0.8))))
        if keep:
            self._lessons -= 1
            self._k1 = Estimate(lens.k1, k1.information)
            self._focal = Estimate(math.log(lens.focal_px), focal.information)
        self._lens = lens
        return lens.undistort(raw).reshape(-1, 4, 2)

    def _located(self, fitted: Matrix, measured: Measured, good: Mask, visible: Mask, last: Located | None) -> Located:
        drawn, seen = self._drawn[visible][good].reshape(-1, 2), measured.corners_px[good].reshape(-1, 2)
        corners = self._lens.distort(project(fitted, self._outline))
        solid = projection(fitted, self._lens)
        error_px = rms(project(fitted, drawn) - seen)
        if (
            last is not None
            and last.lens == self._lens
            and rms(project(last.homography, drawn) - seen) < error_px + 0.1
        ):
            # The board has not moved: a fit to the few tags that a hand leaves would only be worse.
            solid, corners, error_px = last.projection, last.corners_px, rms(project(last.homography, drawn) - seen)
        back = inverse(solid[:, [0, 1, 3]])
        ids = self._ids[visible]
        return Located(
            lens=self._lens,
            projection=solid,
            corners_px=corners,
            tags=tuple(int(k) for k in ids[good]),
            hidden=tuple(int(k) for k in ids[~good]),
            residual_px=error_px,
            residual_mm=rms(project(back, seen) - drawn),
            blur_px=measured.blur_px,
        )

    def _inside(self, points_px: Points, margin_px: float) -> NDArray[np.bool_]:
        height, width = self._shape
        x, y = points_px[:, 0], points_px[:, 1]
        m = margin_px
        return np.asarray((x >= m) & (y >= m) & (x <= width - 1 - m) & (y <= height - 1 - m))


def agreeing(seen: list[tuple[int, Points]], tags: dict[int, Tag]) -> list[tuple[int, Points]]:
    """The largest group of at least three different tags that lie as on the board; empty if there is none.

    Every pair of tags proposes a plane; a tag agrees when its corners come within half of its edge, for a wide lens
    bends the sheet by nearly that much.
    """
    ours = [(k, corners) for k, corners in seen if k in tags]
    best: dict[int, Points] = {}
    for one, other in combinations(ours, 2):
        plane = _plane([one, other], tags) if one[0] != other[0] else None
        if plane is not None:
            agree = {k: corners for k, corners in ours if _fits(plane, tags[k], corners)}
            best = max(best, agree, key=len)
    return list(best.items()) if len(best) >= FEWEST_TAGS else []


def _another(seen: list[tuple[int, Points]], ours: list[tuple[int, Points]], tags: dict[int, Tag]) -> bool:
    """Whether a second board of the kind lies there: tags that agree and of which the first has some as well."""
    known, taken = {k for k, _ in ours}, {id(corners) for _, corners in ours}
    second = agreeing([(k, corners) for k, corners in seen if id(corners) not in taken], tags)
    return len(known & {k for k, _ in second}) >= 2


def _plane(seen: list[tuple[int, Points]], tags: dict[int, Tag]) -> Matrix | None:
    try:
        return fit_homography(np.vstack([c for _, c in seen]), np.vstack([tags[k].corners_mm for k, _ in seen]))
    except CalibrationError:
        return None


def _fits(homography: Matrix, tag: Tag, corners: Points) -> bool:
    edge_px = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    return bool(np.abs(project(homography, tag.corners_mm) - corners).max() < 0.5 * edge_px)


def _fit_agreeing(corners: Quads, drawn: Quads, good: Mask) -> Matrix | None:
    """Fit the good tags, taking out (in place) the worst until all lie within 1.5 px or three times the usual."""
    while good.sum() >= FEWEST_TAGS:
        homography = fit_homography(corners[good], drawn[good])
        off = np.linalg.norm(project(homography, drawn.reshape(-1, 2)).reshape(-1, 4, 2) - corners, axis=2).max(axis=1)
        limit = max(1.5, 3 * float(np.median(off[good])))
        worst = int(np.argmax(np.where(good, off, -1)))
        if off[worst] <= limit:
            return homography
        good[worst] = False
    return None


def _area(outline: ArrayLike) -> float:
    return float(cv2.contourArea(np.asarray(outline, np.float32).reshape(-1, 1, 2)))
