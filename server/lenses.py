"""The lenses of a table's cameras, in its data folder: one file a camera, calibrated or learnt from the tags."""

import hashlib
import sys
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path

from calibration.pose import Prior
from calibration.profile import BadProfile, Profile, dump, parse
from vision.camera import Camera, CameraLost

ENOUGH_BYTES = 100_000


def path_of(folder: Path, camera: str) -> Path:
    """Where the lens of the camera of that identity is kept."""
    return folder / f"lens-{hashlib.sha256(camera.encode()).hexdigest()[:12]}.json"


def read_profile(path: Path, camera: str | None = None) -> Profile:
    """A profile from its file, of the camera of that identity if one is given. Raises BadProfile, naming the file."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            profile = parse(file.read(ENOUGH_BYTES))
        return profile.of(camera) if camera else profile
    except OSError as error:
        raise BadProfile(f"{path}: cannot be read ({error.strerror})") from error
    except BadProfile as error:
        raise BadProfile(f"{path}: {error}") from error


def write_profile(path: Path, profile: Profile, *, aside: bool = False) -> Path | None:
    """Beside its place first: a full disk must not cost what was there.

    Args:
        path: where to.
        profile: what to write.
        aside: whether what was there is set aside rather than replaced.

    Returns:
        Where that was set aside to; None where nothing was.

    Raises:
        BadProfile: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.part")
        part.write_text(dump(profile), encoding="utf-8")
        former = _set_aside(path, profile.at) if aside else None
        part.replace(path)
    except OSError as error:
        raise BadProfile(f"{path}: cannot be written ({error.strerror})") from error
    return former


def forget(folder: Path, camera: str, now: datetime) -> Path | None:
    """Set aside what is kept of a camera; returns where to, None where nothing was. Raises BadProfile."""
    return _set_aside(path_of(folder, camera), now)


def _set_aside(path: Path, now: datetime) -> Path | None:
    name = f"{path.name}.forgotten-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    names = (name, *(f"{name}-{number}" for number in range(2, 100)))
    aside = next(free for free in map(path.with_name, names) if not free.exists())
    try:
        path.rename(aside)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadProfile(f"{path}: cannot be set aside ({error.strerror})") from error
    return aside


def add_lens(parser: ArgumentParser) -> None:
    """The argument that names a profile."""
    parser.add_argument(
        "--lens", type=Path, metavar="FILE", help="profile of the camera, as calibrate camera writes it"
    )


class TableLenses:
    """What is known of the camera that is looked through; a vision.lens.Lenses.

    Args:
        folder: the data folder; None: nothing is kept.
        given: a profile that a person names; what is wrong with it is raised, not only told.

    Raises:
        BadProfile: ``given`` cannot be read or, later, is not about these pictures.
    """

    def __init__(self, folder: Path | None, given: Path | None = None) -> None:
        self._folder, self._given = folder, given
        self._profile = read_profile(given) if given else None
        self._camera = ""
        self._silent = False
        """Whether what the tags tell is kept: what a person calibrated, or what cannot be read, is never replaced."""

    @property
    def identity(self) -> str:
        """See vision.lens.Lenses."""
        return self._camera

    def of(self, camera: Camera) -> Camera:
        """Hear which camera is looked through from now on; gives it back.

        Raises:
            BadProfile: a profile that a person names is of another camera.
            CameraLost: so it is, but only since the camera was opened again: the right one may come back.
        """
        if self._folder is not None:
            path = path_of(self._folder, camera.identity)
            new = not path.exists()
            self._profile = None if new else self._kept(path, camera.identity)
            self._silent = camera.live and (new or (self._profile is not None and self._profile.by == "tags"))
        elif self._profile and camera.live:  # of a recording nobody knows which camera took it
            try:
                self._profile.of(camera.identity)
            except BadProfile as error:
                camera.close()
                raise (CameraLost if self._camera else BadProfile)(f"--lens {self._given}: {error}") from error
        self._camera = camera.identity  # last: whoever sees it change asks for the profile next
        return camera

    def prior(self, size_px: tuple[int, int]) -> Prior | None:
        """See vision.lens.Lenses."""
        try:
            return self._profile.prior(size_px) if self._profile else None
        except BadProfile as error:
            if self._given:
                raise BadProfile(f"--lens {self._given}: {error}") from error
            if not self._silent:
                _tell(str(error))
            return None

    def learnt(self, size_px: tuple[int, int], known: Prior, residual_px: float, *, refuted: bool) -> None:
        """See vision.lens.Lenses."""
        if self._folder is not None and self._silent:
            now = Profile(self._camera, size_px, known, "tags", datetime.now(UTC), residual_px)
            try:
                write_profile(path_of(self._folder, self._camera), now)
            except BadProfile as error:
                _tell(str(error))
            self._profile = now
        elif refuted and self._profile:
            _tell(
                f"the lens is not as calibrated on {self._profile.at:%Y-%m-%d}: zoomed, or another one; what the tags "
                "say is taken"
            )
            self._profile = None

    def _kept(self, path: Path, camera: str) -> Profile | None:
        try:
            profile = read_profile(path, camera)
        except BadProfile as error:
            _tell(f"{error}; until then the lens is learnt anew each time")
            return None
        if profile.by == "page":
            _tell(f"the lens is taken as calibrated on {profile.at:%Y-%m-%d}")
        return profile


def _tell(what: str) -> None:
    print(f"macuil: {what}", file=sys.stderr, flush=True)
