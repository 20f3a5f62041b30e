"""`macuil calibrate camera`: the lens of a camera from views of the printed page, with words on what to do next."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np

from calibration import charuco
from calibration.homography import CalibrationError
from calibration.intrinsics import FEWEST_VIEWS, Calibrated, calibrate
from calibration.pose import Prior
from calibration.profile import LEAST_OFF, BadProfile, Profile, dump
from server.cli import Refused
from server.commands.read import complain
from server.footage import footage
from server.lenses import forget, path_of, write_profile
from server.new_file import check_new, write_new
from server.progress import Progress
from server.settings import SettingsError
from server.taught_file import add_folder, table_folder
from vision.camera import Camera, CameraLost, Image
from vision.capture import CaptureStatus
from vision.coach import MIRRORED, MOST_VIEWS, NOTHING, Coach
from vision.pictures import Unreadable, decode, pictures
from vision.sources import open_camera

SQUARES_MM = (5.0, 200.0)


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--source", default="0", help="a camera's number or identity, a URL, a video, or a folder of pictures (0)"
    )
    parser.add_argument(
        "--square", type=float, default=charuco.SQUARE_MM, metavar="MM", help="edge of the printed squares, as measured"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the profile to a new file, for --lens")
    parser.add_argument("--forget", action="store_true", help="set aside what is kept of the source's lens")
    add_folder(parser)


def run(arguments: Namespace) -> int:
    """Gather views until they suffice or the recording ends, then fit the lens; 1 if a picture could not be read."""
    cv2.setNumThreads(1)
    low, high = SQUARES_MM
    if not low <= arguments.square <= high:
        raise Refused(f"--square {arguments.square:g}: the squares are from {low:g} to {high:g} mm wide; measure one")
    if arguments.out:
        check_new("--out", arguments.out)
    try:
        folder = table_folder(arguments)
        return _forget(folder, arguments.source) if arguments.forget else _calibrate(folder, arguments)
    except (SettingsError, CameraLost, BadProfile, CalibrationError) as error:
        raise Refused(str(error)) from error


def _forget(folder: Path, source: str) -> int:
    # A camera that is gone can be named as it was kept.
    camera = source
    if not path_of(folder, source).exists():
        with closing(open_camera(source)) as opened:
            camera = opened.identity
    aside = forget(folder, camera, datetime.now(UTC))
    print(f"Set aside as {aside}" if aside else f"Nothing is kept of the lens of {camera}.")
    return 0


def _calibrate(folder: Path, arguments: Namespace) -> int:
    gathered = _Gathered(arguments.source, kept_otherwise=arguments.out is not None)
    coach, source = gathered.coach, arguments.source
    if not coach.views:
        raise Refused(f"{source}: {MIRRORED if coach.mirrored else f'the page is in no picture: {NOTHING}'}")
    lacking = [f"none shows it in the {part} of the picture" for part in coach.missing()]
    lacking += [f"too few show it tilted, {way}" for way in coach.flat()]
    if lacking and len(coach.views) >= FEWEST_VIEWS:
        raise Refused(f"{source}: {len(coach.views)} views of the page, but {lacking[0]}: add some that do")
    found = calibrate(coach.views, gathered.size_px)
    known = Prior(found.lens, found.focal_off, LEAST_OFF["page"][1])
    profile = Profile(gathered.camera, gathered.size_px, known, "page", datetime.now(UTC), found.residual_px)
    # The new file first: where it fails, what is kept is as it was.
    if arguments.out:
        with suppress(OSError):  # what is wrong with the folder, writing into it tells
            arguments.out.parent.mkdir(parents=True, exist_ok=True)
        write_new("--out", arguments.out, dump(profile).encode())
    path, former = path_of(folder, gathered.camera), None
    if coach.live:
        former = write_profile(path, profile, aside=True)
    print(_in_words(found, gathered.size_px, arguments.square))
    if arguments.out:
        print(f"Written to {arguments.out}, for --lens.")
    if coach.live:
        print(f"Kept for {gathered.camera} as {path}; --forget takes it back.")
    if former:
        print(f"What was kept before is set aside as {former}.")
    return int(gathered.unread)


def _in_words(found: Calibrated, size_px: tuple[int, int], square_mm: float) -> str:
    left, right = ((x, found.lens.centre_px[1]) for x in (0, size_px[0] - 1))
    rays = (found.lens.undistort([left, right])[:, 0] - found.lens.centre_px[0]) / found.lens.focal_px
    view_deg = float(np.degrees(np.arctan(rays) @ (-1, 1)))
    residual_mm = found.residual_mm * square_mm / charuco.SQUARE_MM
    return (
        f"{found.views} views: focal length {found.lens.focal_px:.0f} px, {view_deg:.0f} degrees across, "
        f"bent by {found.model}.\n"
        f"Views that were held out are met to {found.residual_px:.2f} px, {residual_mm:.2f} mm at the page."
    )


class _Gathered:
    """The views of a source, told in the terminal while they are gathered. Raises CameraLost, Refused.

    Args:
        source: a camera, or a recording.
        kept_otherwise: whether the profile goes to a file; of a recording nobody knows which camera took it.
    """

    def __init__(self, source: str, *, kept_otherwise: bool) -> None:
        self.camera, self.size_px = source, (0, 0)
        self.unread = False
        """Whether a picture could not be read."""
        self._kept_otherwise = kept_otherwise
        self.coach = Coach(live=False)
        self._progress = Progress(sys.stdout, shown=sys.stdout.isatty())
        self._told = ""
        try:
            self._look_through(source)
        finally:
            self._progress.clear()

    def _look_through(self, source: str) -> None:
        if not source.isdigit() and Path(source).is_dir():
            self._identify(str(Path(source)), live=False)
            for path, decoded in _folder(Path(source)):
                if decoded is None:
                    self.unread = True
                else:
                    self._see(decoded, f"{path.name}: ")
            return
        with footage(source, 15.0, self._opened) as frames:
            for frame in frames:
                if isinstance(frame, CaptureStatus):
                    self._tell(f"the camera is {frame.state}{frame.why and ': '}{frame.why}", stays=bool(frame.why))
                    continue
                self._see(frame.image, "")
                if self.coach.live and self.coach.complete:
                    return

    def _opened(self, camera: Camera) -> Camera:
        try:
            self._identify(camera.identity, live=camera.live)
        except Refused:
            camera.close()
            raise
        return camera

    def _identify(self, camera: str, *, live: bool) -> None:
        self.camera, self.coach.live = camera, live
        if not live and not self._kept_otherwise:
            raise Refused(
                f"{camera}: no picture says which camera took it, so nothing can be kept for one; write the profile to "
                "a file with --out, for --lens"
            )

    def _see(self, image: Image, name: str) -> None:
        height, width = image.shape[:2]
        if self.size_px not in ((0, 0), (width, height)):
            before = f"{self.size_px[0]} x {self.size_px[1]}"
            raise Refused(
                f"{name}{width} x {height} pixels, but the pictures before {before}: calibrate each size alone"
            )
        self.size_px = (width, height)
        if len(self.coach.views) >= MOST_VIEWS and self.coach.complete:
            self._tell(f"{name}not needed, {len(self.coach.views)} views are enough", stays=bool(name))
            return
        seen = self.coach.see(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))
        view = f"view {len(self.coach.views)}" if seen.taken else ""
        if name:
            self._tell(f"{name}{view or seen.advice}", stays=True)
        else:
            self._tell(f"{view}{view and ': '}{seen.advice}", stays=seen.taken)

    def _tell(self, text: str, *, stays: bool) -> None:
        """A line that stays, or one that the next replaces; where no line can be replaced, each that is new stays."""
        if text != self._told:
            self._told = text
            (self._progress.line if stays or not self._progress.shown else self._progress.show)(text)


def _folder(folder: Path) -> Iterator[tuple[Path, Image | None]]:
    """Its pictures; None after one line on standard error where one cannot be read. Raises Refused."""
    try:
        paths = pictures(folder)
    except Unreadable as error:
        raise Refused(f"{folder}: {error}") from error
    for path in paths:
        try:
            yield path, decode(path)[0]
        except Unreadable as error:
            complain("calibrate", path, error)
            yield path, None
