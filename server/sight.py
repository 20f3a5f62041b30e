"""How the board is found: by its tags, or by corners that people have shown, kept with the picture they are in."""

import sys
from pathlib import Path
from typing import Literal
from zipfile import BadZipFile

import cv2
import numpy as np

from calibration.corners import CornersRefused, Quad, read_corners
from calibration.layout import Layout
from referee.observation import Refusal
from vision.camera import Image
from vision.follow import Follower
from vision.locate import Located, Locates
from vision.tags import Grey

KEPT = "corners.npz"
"""Layout, corners and the picture in which they were shown: in one file, for none is worth anything alone."""

By = Literal["tags", "corners", "nothing"]


class SightRefused(Exception):
    """The corners cannot be used; one line that says what to do."""


class Sight:
    """What finds the board for whatever reader is at work. Lives on the event loop, but for what ``locator`` gives.

    Args:
        layout: of the board on the table.
        folder: where corners are kept that are shown at a page; None: nowhere.
        given: corners from the settings; the first picture is taken for the one they were shown in.
    """

    def __init__(self, layout: Layout, folder: Path | None = None, given: Quad | None = None) -> None:
        self._layout, self._folder = layout, folder
        kept = None if folder is None else _kept(layout, folder)
        self._shown: Locates | None = kept or (_Given(layout, given) if given else None)

    @property
    def by(self) -> By:
        """How it is found now."""
        return "corners" if self._shown else "tags" if self._layout.tags else "nothing"

    def locator(self) -> Locates | None:
        """For a new reader; None: the board's tags."""
        return self._shown or (None if self._layout.tags else _Unshown())

    def show(self, corners: Quad, image: Image) -> None:
        """Find the board from now on by these corners of its field in this picture.

        Raises:
            CornersRefused: they cannot be a field.
            SightRefused: nothing is drawn there, or they cannot be kept.
        """
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        follower = Follower(self._layout, corners)
        if not isinstance(follower.see(grey), Located):
            raise SightRefused("too little is drawn between these corners to follow the board by; is it light enough?")
        if self._folder is not None:
            _keep(self._layout, self._folder, corners, grey)
        self._shown = follower

    def forget(self) -> None:
        """Find it by its tags again, or by nothing."""
        if self._folder is not None:
            (self._folder / KEPT).unlink(missing_ok=True)
        self._shown = None


class _Given:
    """Corners that were written down before any picture was seen."""

    def __init__(self, layout: Layout, corners: Quad) -> None:
        self._follower = Follower(layout, corners)
        self._complained = False

    def see(self, grey: Grey, *, search: bool = True) -> Located | Refusal:
        try:
            return self._follower.see(grey, search=search)
        except CornersRefused as error:
            if not self._complained:
                print(f"macuil: corners: {error}", file=sys.stderr, flush=True)
            self._complained = True
            return "no corners"


class _Unshown:
    """A board without tags whose corners nobody has shown yet."""

    def see(self, grey: Grey, *, search: bool = True) -> Located | Refusal:
        return "no corners"


def _keep(layout: Layout, folder: Path, corners: Quad, grey: Grey) -> None:
    new = folder / f"{KEPT}.new"
    try:
        with new.open("wb") as file:
            np.savez_compressed(file, layout=layout.name, corners=corners, picture=grey)
        new.replace(folder / KEPT)
    except OSError as error:
        raise SightRefused(f"the corners cannot be kept in {folder}: {error.strerror}") from error


def _kept(layout: Layout, folder: Path) -> Follower | None:
    """The follower from an earlier evening; None if nothing of use is there."""
    try:
        # Opened here, for np.load leaves a spoilt file open.
        with (folder / KEPT).open("rb") as file, np.load(file) as kept:
            if str(kept["layout"]) != layout.name:
                return None
            follower = Follower(layout, read_corners(kept["corners"].tolist()))
            return follower if isinstance(follower.see(kept["picture"]), Located) else None
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, CornersRefused):
        return None
