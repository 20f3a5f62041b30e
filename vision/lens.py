"""A board found through a lens that is kept: it makes the beginning, and loses against what the tags say."""

from dataclasses import replace
from typing import Protocol

import numpy as np

from calibration.homography import CalibrationError, fit_homography, project, rms
from calibration.layout import Layout
from calibration.pose import Prior, measure_distortion
from calibration.tags import modules
from referee.observation import Refusal
from vision.locate import Located, Locator
from vision.tags import Grey, measure

ANOTHER_PX, ANOTHER_SHARE = 0.3, 1.5
"""The tags must fit the kept lens worse than a fresh one by that many pixels and that share, or it is kept."""
MANY_TAGS = 6
"""Where the kept lens shows no board at all, so many tags must agree through a fresh one: it might be a hand."""
OVERRULED = 4.0
"""What a kept lens refuses a fresh one may show only where the tags fit that so many times better: a curled sheet fits
neither, and a fresh lens that bends less has the cells in the picture that are cut off."""
ANOTHER_FOCAL = 0.1
"""Share from which another focal length is another lens; less is focus and noise."""


class Lenses(Protocol):
    """Where the lens of the camera is kept that is looked through."""

    @property
    def identity(self) -> str:
        """Of the camera that is looked through now; another one has another lens."""

    def prior(self, size_px: tuple[int, int]) -> Prior | None:
        """What is known of the lens, for pictures of that size; None: nothing."""

    def learnt(self, size_px: tuple[int, int], known: Prior, residual_px: float, *, refuted: bool) -> None:
        """The tags of a board have told the lens; ``refuted``: and that it is another one than was kept."""


class LensLocator:
    """A Locator that begins with the kept lens. Until the lens is learnt, another one that knows nothing looks too."""

    def __init__(self, layout: Layout, lenses: Lenses) -> None:
        self._layout, self._lenses = layout, lenses
        self._seen: tuple[str, tuple[int, ...]] | None = None
        """Identity of the camera whose lens it is, and the shape of its pictures."""

    def see(self, grey: Grey, *, search: bool = True) -> Located | Refusal:
        """Locate the board in the next picture; see Locator.see."""
        height, width = grey.shape
        through = (self._lenses.identity, grey.shape)
        if through != self._seen:
            self._seen = through
            self._prior = self._lenses.prior((width, height))
            self._locator = Locator(self._layout, self._prior)
            self._rival = Locator(self._layout) if self._prior else None
            self._learning, self._refuted = True, False
        seen = self._locator.see(grey, search=search)
        if self._rival is not None and seen not in ("no tags", "mirrored", "other board"):
            seen = self._compare(grey, seen, self._rival.see(grey, search=search), self._rival)
        known = self._locator.learnt
        if self._learning and known and isinstance(seen, Located):
            self._learning, self._rival = False, None
            self._lenses.learnt((width, height), known, seen.residual_px, refuted=self._refuted)
        return seen

    def _compare(
        self, grey: Grey, seen: Located | Refusal, other: Located | Refusal, rival: Locator
    ) -> Located | Refusal:
        """What the kept lens shows, or what the fresh one does, which then takes its place."""
        if not isinstance(other, Located):
            return seen
        if seen in ("cut off", "bent"):
            if self._misfit_px(grey, other) <= OVERRULED * other.residual_px + ANOTHER_PX:
                return seen
            worse = True
        elif not isinstance(seen, Located):
            worse = len(other.tags) >= MANY_TAGS
        else:
            more = len(other.tags) - len(seen.tags)
            off = seen.residual_px > ANOTHER_SHARE * other.residual_px + ANOTHER_PX
            worse = more >= 2 or (more >= 0 and off) or self._zoomed(rival.learnt, other.residual_px)
        if worse:
            self._locator, self._rival, self._refuted = rival, None, True
        return other if worse or not isinstance(seen, Located) else seen

    def _misfit_px(self, grey: Grey, other: Located) -> float:
        """How far the tags that a fresh lens shows lie off a plane through the kept one, which may be focused anew."""
        assert self._prior is not None
        tags = [tag for tag in self._layout.tags if tag.id in other.tags]
        drawn = np.array([tag.corners_mm for tag in tags])
        expected = other.project(drawn.reshape(-1, 2)).reshape(-1, 4, 2)
        measured = measure(grey, expected, np.array([modules(tag.id) for tag in tags]), other.lens)
        raw = other.lens.distort(measured.corners_px[measured.good].reshape(-1, 2))
        plane, kept = drawn[measured.good].reshape(-1, 2), self._prior
        try:
            lens = replace(kept.lens, k1=kept.k1.joined(measure_distortion(raw, plane, kept.lens)).value)
            straight = lens.undistort(raw)
            return rms(project(fit_homography(straight, plane), plane) - straight)
        except CalibrationError:
            return np.inf

    def _zoomed(self, learnt: Prior | None, residual_px: float) -> bool:
        """Whether the focal length is another one, beyond doubt: a curled sheet fits badly and says little of it."""
        if learnt is None or self._prior is None:
            return False
        doubt = max(1.0, residual_px / 0.1)
        told = Prior(learnt.lens, learnt.focal_off * doubt, learnt.k1_off)
        return told.focal.contradicts(self._prior.focal, ANOTHER_FOCAL)
