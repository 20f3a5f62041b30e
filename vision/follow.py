"""A board without tags: a person shows its corners once, then it is followed by what is drawn on it.

Every picture is compared with the one in which the corners were shown, so that no drift can gather; the light is taken
out first. What a hand or a piece covers agrees with no common movement and drops out.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.corners import CornersRefused, Quad, checked
from calibration.homography import CalibrationError, Matrix, Points, as_points, fit_homography, inverse, project, rms
from calibration.layout import Layout
from referee.observation import Refusal
from vision.dragged import by_corners, cell_mm, located
from vision.locate import Located
from vision.tags import Grey

FEATURES, FEWEST = 160, 24
"""Corners of what is drawn, at most and at least: a picture that shows fewer is no picture of a board."""
APART = 0.3
"""Cells between two of them at least."""
NEAR_PX = 1.0
"""So far one may be off and still agree."""
ALIKE = 0.7
"""Mean difference of what surrounds it, in shares of its contrast, up to which it is the same."""
HELD, MOVED, FOUND = 0.2, 0.35, 0.6
"""Share of them that must agree: that the board lies where it lay; a little off that; anywhere in the picture. All
cells are alike, so a cross that is shifted by one of them agrees with nearly half of itself."""
SPREAD = 0.3
"""Share of the field that those must span by which a movement is told."""
STEP_CELLS = 0.35
"""So far it is followed from one picture to the next; half a cell could be the other half."""
STILL_PX = 0.1
"""A fit that is no better than this than the one before is the noise of the camera."""
AROUND = 1.3
"""Cells looked at around the field."""
DOUBT_FRAMES, BETTER = 10, 0.1
"""While less agrees than for a search, every so many pictures the board is sought a cell further, where this share more
must agree."""
WINDOW = (15, 15)
ROUNDS = 4
"""A place is measured anew from the last guess until it stays; more often than this never helps."""
CLEAR, ROUGH_PX = 0.85, 4.0
"""In a search: how much more alike the most similar must be than the next, and how well it tells the place."""
_Known = tuple[Points, NDArray[np.uint8]]
_LOG = np.clip(50 * np.log(np.arange(256) + 8.0) - 80, 0, 255).astype(np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class _Expected:
    """What the picture should show where the board is believed to lie."""

    place: Located
    turn: Matrix
    """From the first picture to this one, (3, 3)."""
    box: tuple[slice, slice]
    """The part of the picture, rows and columns."""
    view: Grey
    points_px: Points
    """Where the features should be, in the picture."""
    inside: NDArray[np.bool_]
    contrast: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """A common movement."""

    turn: Matrix
    agree: NDArray[np.bool_]
    share: float
    """Of the features in the picture that agree; 0 if they do not span the field."""


class Follower:
    """Follows one board in the pictures of one camera; the first one is that in which the corners were shown.

    Args:
        layout: of the board.
        corners_px: of its playing field, clockwise from its top left as the layout draws it.
    """

    def __init__(self, layout: Layout, corners_px: Quad) -> None:
        self._layout, self._corners = layout, corners_px
        self._cell_mm = cell_mm(layout)
        self._shape: tuple[int, ...] = ()
        self._at: _Expected | None = None
        self._doubted = 0
        self._known: _Known | None = None

    def see(self, grey: Grey, *, search: bool = True) -> Located | Refusal:
        """Locate the board in the next picture.

        Args:
            grey: the picture as taken.
            search: whether to search the whole picture if the board is not where it was (some 30 ms).

        Raises:
            CornersRefused: in the first picture the corners cannot be a field.
        """
        if self._at is None:
            return self._begin(grey)
        if grey.shape != self._shape:
            return "no corners"
        return self._follow(grey, self._at, search) or (search and self._search(grey)) or "out of sight"

    def _begin(self, grey: Grey) -> Located | Refusal:
        height, width = grey.shape
        first = by_corners(self._layout, self._corners, (width, height))
        flat = _flattened(grey)
        field = np.zeros(grey.shape, np.uint8)
        cv2.fillConvexPoly(field, np.rint(self._corners).astype(np.int32), 255)
        scale = float(np.sqrt(cv2.contourArea(np.asarray(self._corners, np.float32)) / _area_mm2(self._layout)))
        self._around_px = round(AROUND * self._cell_mm * scale)
        points = cv2.goodFeaturesToTrack(flat, FEATURES, 0.02, APART * self._cell_mm * scale, mask=field)
        if points is None or len(points) < FEWEST:
            return "out of sight"
        self._shape, self._first, self._flat, self._field = grey.shape, first, flat, field
        self._points = as_points(points)
        self._drawn = first.on_board(self._points)
        self._at = self._expect(np.eye(3))
        return replace(self._at.place, residual_px=0.0, residual_mm=0.0)

    def _follow(self, grey: Grey, at: _Expected, search: bool) -> Located | None:
        seen, good = _match(grey, at)
        fit = self._fit(seen, good, at)
        share = fit.share if fit else 0.0
        near = good & (np.linalg.norm(seen - at.points_px, axis=1) < NEAR_PX)
        few = near.sum() >= HELD * at.inside.sum()
        self._doubted = 0 if share >= FOUND else self._doubted + 1
        if search and (self._doubted % DOUBT_FRAMES == 1 or (share < MOVED and not few)):
            elsewhere = self._elsewhere(grey, at, share) or (few and share < MOVED and self._search(grey))
            if elsewhere:
                return elsewhere
        if fit is not None and share >= MOVED:
            if self._agrees(at, fit, seen):
                return self._measured(at.place, seen, fit.agree)
            step_mm = at.place.moved_mm(self._place(fit.turn))
            return self._settle(grey, fit.turn, MOVED if step_mm < STEP_CELLS * self._cell_mm else FOUND)
        return self._measured(at.place, seen, near) if few else None

    def _elsewhere(self, grey: Grey, at: _Expected, share: float) -> Located | None:
        """Whether more agrees one cell further: after a knock the rows of cells may be mistaken for each other."""
        here = at.turn @ self._first.homography
        best: _Fit | None = None
        for right, down in ((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y):
            shift = np.array([[1, 0, right * self._cell_mm], [0, 1, down * self._cell_mm], [0, 0, 1.0]])
            fit = self._fit(*_match(grey, at, project(here @ shift, self._drawn)), at)
            if fit and fit.share > max(MOVED, share + BETTER, best.share if best else 0):
                best = fit
        return self._settle(grey, best.turn, share + BETTER) if best else None

    def _search(self, grey: Grey) -> Located | None:
        """Find the board anywhere in the picture by features that know how they are turned."""
        self._known = self._known or _described(self._flat, self._field)
        (ours, words), (theirs, heard) = self._known, _described(_flattened(grey), None)
        if len(ours) < 2 or len(theirs) < 2:
            return None
        pairs = cv2.BFMatcher.create(cv2.NORM_HAMMING).knnMatch(words, heard, k=2)
        clear = [best for best, next_ in pairs if best.distance < CLEAR * next_.distance]
        if len(clear) < FEWEST / 2:
            return None
        source, target = ours[[match.queryIdx for match in clear]], theirs[[match.trainIdx for match in clear]]
        turn = _common(source, target, ROUGH_PX)[0]
        return None if turn is None else self._settle(grey, turn, FOUND)

    def _settle(self, grey: Grey, turn: Matrix, share: float) -> Located | None:
        """Measure anew where ``turn`` has the board; its place, if so many features agree with it there."""
        for _ in range(ROUNDS):
            if not self._possible(turn):
                return None
            at = self._expect(turn)
            seen, good = _match(grey, at)
            fit = self._fit(seen, good, at)
            if fit is None or fit.share < share:
                return None
            if self._agrees(at, fit, seen):
                self._at = at
                return self._measured(at.place, seen, fit.agree)
            turn = fit.turn
        return None

    def _agrees(self, at: _Expected, fit: _Fit, seen: Points) -> bool:
        """Whether a fit is no better than what was expected, but for the camera's noise."""
        source, target = self._points[fit.agree], seen[fit.agree]
        return rms(project(at.turn, source) - target) < rms(project(fit.turn, source) - target) + STILL_PX

    def _possible(self, turn: Matrix) -> bool:
        height, width = self._shape
        one, two, three, four = ((float(x), float(y)) for x, y in project(turn, self._corners))
        try:
            checked((one, two, three, four), (width, height))
        except CornersRefused:
            return False
        return True

    def _place(self, turn: Matrix) -> Located:
        return located(self._layout, turn @ self._first.homography, self._first.lens)

    def _expect(self, turn: Matrix) -> _Expected:
        height, width = self._shape
        corners = project(turn, self._corners)
        left, top = (max(int(v) - self._around_px, 0) for v in corners.min(axis=0))
        right, bottom = (int(v) + self._around_px for v in corners.max(axis=0))
        shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]])
        size = (min(right, width) - left, min(bottom, height) - top)
        view = np.asarray(
            cv2.warpPerspective(self._flat, shift @ turn, size, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )
        points = project(turn, self._points)
        inside = ((points >= 0) & (points <= (width - 1, height - 1))).all(axis=1)
        rough = cv2.blur(cv2.absdiff(view, cv2.blur(view, WINDOW)), WINDOW)
        x, y = np.clip(np.rint(points - (left, top)).astype(np.intp), 0, (size[0] - 1, size[1] - 1)).T
        box = (slice(top, top + size[1]), slice(left, left + size[0]))
        return _Expected(self._place(turn), turn, box, view, points, np.asarray(inside), rough[y, x].astype(np.float64))

    def _fit(self, seen: Points, good: NDArray[np.bool_], expected: _Expected) -> _Fit | None:
        if good.sum() < FEWEST / 2:
            return None
        turn, agreeing = _common(self._points[good], seen[good], NEAR_PX)
        if turn is None:
            return None
        agree = good.copy()
        agree[good] = agreeing
        spread = _hull_area(self._points[agree]) / _hull_area(self._points)
        share = float(agree.sum() / max(int(expected.inside.sum()), 1)) if spread >= SPREAD else 0.0
        return _Fit(turn, agree, share)

    def _measured(self, place: Located, seen: Points, agree: NDArray[np.bool_]) -> Located:
        """The place with how well these features fit it."""
        seen, drawn = seen[agree], self._drawn[agree]
        off_mm = project(inverse(place.homography), seen) - drawn
        return replace(
            place, residual_px=rms(project(place.homography, drawn) - seen), residual_mm=rms(np.asarray(off_mm))
        )


def _match(grey: Grey, expected: _Expected, start_px: Points | None = None) -> tuple[Points, NDArray[np.bool_]]:
    """Where the features are seen, and whether what is there looks like them; sought from ``start_px`` on."""
    rows, columns = expected.box
    corner = (columns.start, rows.start)
    known = np.asarray(expected.points_px - corner, np.float32).reshape(-1, 1, 2)
    start = known if start_px is None else np.asarray(start_px - corner, np.float32).reshape(-1, 1, 2)
    levels = 3 if start_px is None else 1
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 15, 0.02)
    now = _flattened(grey[rows, columns])
    seen, found, off = cv2.calcOpticalFlowPyrLK(
        expected.view, now, known, start.copy(), None, None, WINDOW, levels, stop, cv2.OPTFLOW_USE_INITIAL_FLOW
    )
    good = (np.ravel(found) > 0) & (np.ravel(off) < ALIKE * expected.contrast) & expected.inside
    return as_points(seen) + corner, np.asarray(good)


def _common(source: Points, target: Points, off_px: float) -> tuple[Matrix | None, NDArray[np.bool_]]:
    """The movement that most of the points share, fitted to those that do."""
    none = np.zeros(len(source), np.bool_)
    rough, agreeing = cv2.findHomography(source, target, cv2.RANSAC, off_px, maxIters=400, confidence=0.999)
    if rough is None:
        return None, none
    agree = np.ravel(agreeing) > 0
    try:
        return fit_homography(target[agree], source[agree]), np.asarray(agree)
    except CalibrationError:
        return None, none


def _described(flat: Grey, where: Grey | None) -> _Known:
    """Features that can be told again after a turn, and what they look like."""
    points, words = cv2.ORB.create(800).detectAndCompute(flat, where)
    # OpenCV has None for no words at all.
    return as_points([point.pt for point in points]), np.asarray(words if points else (), np.uint8)


def _flattened(grey: Grey) -> Grey:
    """Brightness against its surroundings, in logarithms: what the light does over wide areas is gone."""
    logs = cv2.LUT(grey, _LOG)
    return np.asarray(cv2.addWeighted(logs, 1, cv2.blur(logs, (31, 31)), -1, 128), np.uint8)


def _hull_area(points: Points) -> float:
    return float(cv2.contourArea(cv2.convexHull(points.astype(np.float32)))) if len(points) > 2 else 0.0


def _area_mm2(layout: Layout) -> float:
    return layout.field.width_mm * layout.field.height_mm
