"""A camera's lens as it is kept: what it is called, in which pictures it was measured, and by what."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from calibration.pose import Lens, Prior

By = Literal["page", "tags"]
VERSION = 1
SAME_SHAPE = 0.005
"""Pictures whose ratio of width to height differs by a smaller share are the same picture in another size."""
LEAST_OFF: Mapping[By, tuple[float, float]] = {"page": (0.01, 0.002), "tags": (0.05, 0.02)}
"""Smallest standard deviations of the focal length (as a share) and of k1 with which a kept lens is believed: autofocus
moves it, and the tags of one resting board tell less than they seem to."""


class BadProfile(Exception):
    """A profile that cannot be used; one line that says why and what to do."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The lens of one camera."""

    camera: str
    """The camera's identity."""
    size_px: tuple[int, int]
    """Width and height of the pictures it was measured in."""
    known: Prior
    by: By
    """``page``: calibrated with the printed page; ``tags``: learnt silently from a board."""
    at: datetime
    residual_px: float
    """Root mean square, of held-out views of the page or of the board's tags."""

    def of(self, camera: str) -> "Profile":
        """This profile, for a camera of that identity. Raises BadProfile."""
        if camera != self.camera:
            raise BadProfile(
                f"this is the profile of another camera, {self.camera}; the pictures come from {camera}: calibrate it "
                "with macuil calibrate camera"
            )
        return self

    def prior(self, size_px: tuple[int, int]) -> Prior:
        """What it tells of pictures of that size. Raises BadProfile where they are cut otherwise."""
        (width, height), (own_width, own_height) = size_px, self.size_px
        if abs(math.log(width / height * own_height / own_width)) > SAME_SHAPE:
            raise BadProfile(
                f"the profile was made in pictures of {own_width} x {own_height}, and of {width} x {height} it says "
                "nothing: they show another part of what the lens sees; calibrate the camera with these"
            )
        focal_off, k1_off = LEAST_OFF[self.by]
        known = self.known
        return Prior(known.lens.scaled(width / own_width), max(known.focal_off, focal_off), max(known.k1_off, k1_off))


def dump(profile: Profile) -> str:
    """The profile as text."""
    content = {"macuil": "lens", "version": VERSION, **asdict(profile), "at": profile.at.astimezone(UTC).isoformat()}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def parse(text: str) -> Profile:
    """The inverse of ``dump``.

    Raises:
        BadProfile: of a newer Macuil, or none at all.
    """
    try:
        found = json.loads(text)
        if found["macuil"] != "lens":
            raise ValueError("of something else")
        if found["version"] > VERSION:
            raise BadProfile("it was written by a newer Macuil: update this one, or calibrate the camera again")
        return _profile(found)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise BadProfile("it holds no profile of a camera: macuil calibrate camera makes one") from error


def _profile(found: dict[str, Any]) -> Profile:
    known, by = found["known"], found["by"]
    lens = known["lens"]
    width, height = (int(side) for side in found["size_px"])
    x, y = (float(middle) for middle in lens["centre_px"])
    more = tuple(float(k) for k in lens["more"])
    focal_px, k1, residual_px = float(lens["focal_px"]), float(lens["k1"]), float(found["residual_px"])
    offs = (float(known["focal_off"]), float(known["k1_off"]))
    if min(width, height, focal_px, *offs) <= 0 or not all(
        map(math.isfinite, (x, y, focal_px, k1, residual_px, *offs, *more))
    ):
        raise ValueError("numbers")
    if by not in LEAST_OFF or len(more) > 5:
        raise ValueError("model")
    return Profile(
        camera=str(found["camera"]),
        size_px=(width, height),
        known=Prior(Lens((x, y), focal_px, k1, more), *offs),
        by=by,
        at=datetime.fromisoformat(found["at"]),
        residual_px=residual_px,
    )
