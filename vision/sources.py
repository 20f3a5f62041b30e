"""Opens every kind of camera by its address: folder, picture, video, URL or device."""

import logging
import os
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import numpy as np

from vision.camera import Camera, CameraLost, Frame, Image
from vision.device_camera import find_device, open_device
from vision.pictures import PICTURES, Unreadable, decode, picture_files

OPEN_TIMEOUT_MS = 10_000
READ_TIMEOUT_MS = 3_000
NETWORK = ("http", "https", "rtsp")

# OpenCV and FFmpeg would comment on each failure on standard error, beside the one line that is meant for people.
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
_log = logging.getLogger(__name__)


def open_camera(address: str, *, fps: float = 15.0) -> Camera:
    """Open a source of frames. May block for seconds: call it where that does not matter.

    Args:
        address: a folder of pictures, a picture, a video file, ``http://``, ``https://`` or ``rtsp://``, or a device
            by number, path (``/dev/video0``, ``/dev/v4l/by-id/…``) or name.
        fps: rate of a folder's pictures; what is asked of a device.

    Raises:
        CameraLost: it cannot be opened; one line that says why and what to do.
    """
    if not address.strip():
        raise CameraLost("the camera has no name: give its number, an address, a video or a folder of pictures")
    if not fps > 0:
        raise CameraLost(f"pictures at {fps:g} frames a second cannot be shown; give a rate above 0")
    scheme = _scheme(address)
    if scheme == "sim":
        raise CameraLost(f"{address} is a simulated table, which only macuil demo can open")
    if scheme in NETWORK:
        return Stream(address)
    if scheme:
        raise CameraLost(f"{scheme}:// is no source of pictures; use http://, https:// or rtsp://")
    path = Path(address)
    try:
        if not address.isdigit() and path.is_dir():
            return Folder.open(path, fps)
        if not address.isdigit() and path.is_file():
            return Folder(str(path), (path,), fps) if path.suffix.lower() in PICTURES else Video(path, fps)
    except OSError as error:
        raise CameraLost(f"{address} cannot be opened ({error.strerror})") from error
    return open_device(address, fps=fps)


def look_at(address: str) -> None:
    """Refuse a source that is not there, or a recording that cannot be read; opens no camera.

    A number (cameras are numbered as they are plugged in) and an address in the network may come later.

    Raises:
        CameraLost: one line that says why.
    """
    scheme, path = _scheme(address), Path(address)
    if address.isdigit() or scheme in NETWORK:
        return
    if scheme or not address.strip() or path.is_dir() or path.is_file():
        open_camera(address).close()
    else:
        find_device(address)


class Folder:
    """Pictures in name order as frames of a recording; a single picture is a folder of one."""

    live = False

    def __init__(self, identity: str, pictures: tuple[Path, ...], fps: float) -> None:
        self.identity = identity
        self._pictures = pictures
        self._fps = fps
        self._number = 0
        self._closed = False
        _picture(pictures[0])

    @classmethod
    def open(cls, folder: Path, fps: float) -> "Folder":
        """All pictures of a folder; anything else in it is skipped, with a note in the log."""
        try:
            pictures = tuple(picture_files(folder))
            skipped = sum(path.is_file() for path in folder.iterdir()) - len(pictures)
        except OSError as error:
            raise CameraLost(f"the folder {folder} cannot be read: {error.strerror}") from error
        if not pictures:
            raise CameraLost(f"no pictures in the folder {folder}; it must hold .jpg or .png files")
        if skipped:
            _log.info("%d of %d files in %s are no pictures", skipped, skipped + len(pictures), folder)
        return cls(str(folder), pictures, fps)

    def read(self) -> Frame | None:
        """The next picture, as stored; ``taken_at`` counts from the first."""
        if self._closed:
            raise CameraLost(f"{self.identity} is closed")
        if self._number == len(self._pictures):
            return None
        frame = Frame(_picture(self._pictures[self._number]), self._number / self._fps, self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """Nothing is held open; later reads are refused."""
        self._closed = True


class Video:
    """A video file."""

    live = False

    def __init__(self, path: Path, fps: float) -> None:
        self.identity = str(path)
        self._video = cv2.VideoCapture(str(path))
        told = self._video.get(cv2.CAP_PROP_FPS)
        self._frame_s = 1 / (told if 0 < told < 1000 else fps)
        self._number = 0
        self._at = -self._frame_s
        got, image = self._video.read()
        if not got:
            self._video.release()
            raise CameraLost(f"{path} cannot be decoded as a video; convert it to MP4 with H.264")
        self._first: Image | None = np.asarray(image, np.uint8)

    def read(self) -> Frame | None:
        """The next frame; ``taken_at`` is its position in the video."""
        if not self._video.isOpened():
            raise CameraLost(f"{self.identity} is closed")
        image, self._first = self._first, None
        if image is None:
            got, read = self._video.read()
            if not got:
                return None
            image = np.asarray(read, np.uint8)
        position = self._video.get(cv2.CAP_PROP_POS_MSEC) / 1000
        # Some containers have no times, some repeat them: then the frame rate tells.
        self._at = position if position > self._at else self._at + self._frame_s
        self._number += 1
        return Frame(image, self._at, self._number - 1)

    def close(self) -> None:
        """Release the decoder."""
        self._video.release()


class Stream:
    """A network camera."""

    live = True

    def __init__(self, url: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        parts = urlsplit(url)
        # Names and passwords, and tokens in the query, are nobody's business but the camera's.
        self.identity = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        self._clock = clock
        self._number = 0
        limits = [
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
            OPEN_TIMEOUT_MS,
            cv2.CAP_PROP_READ_TIMEOUT_MSEC,
            READ_TIMEOUT_MS,
        ]
        self._video = cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits)
        if not self._video.isOpened():
            raise CameraLost(f"no pictures from {self.identity}; open the address in a browser to check it")

    def read(self) -> Frame | None:
        """The next frame, taken when it arrived."""
        got, image = self._video.read()
        if not got:
            raise CameraLost(f"{self.identity} sends no more pictures; check its power and the network")
        frame = Frame(np.asarray(image, np.uint8), self._clock(), self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """Hang up."""
        self._video.release()


def _scheme(address: str) -> str:
    return urlsplit(address).scheme.lower() if "://" in address else ""


def _picture(path: Path) -> Image:
    try:
        return decode(path)[0]
    except Unreadable as error:
        raise CameraLost(f"the picture {path}: {error}") from error
