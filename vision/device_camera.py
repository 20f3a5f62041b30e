"""Cameras plugged into this machine: which there are, and one of them as a source of frames."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import CameraLost, Frame

MJPG = cv2.VideoWriter.fourcc(*"MJPG")


@dataclass(frozen=True, slots=True)
class Device:
    """A camera the system knows."""

    number: int
    """N of ``/dev/videoN``; changes from one plugging in to the next."""
    identity: str
    """Its link in /dev/v4l/by-id, else in by-path, else its name: stable."""
    name: str
    """As the maker calls it."""


@dataclass(frozen=True, slots=True)
class Format:
    """How frames come."""

    fourcc: str
    size: tuple[int, int]
    """Width and height, pixels."""
    fps: float


class Driver(Protocol):
    """What is used of ``cv2.VideoCapture``."""

    def isOpened(self) -> bool: ...

    def set(self, propId: int, value: float) -> bool: ...

    def get(self, propId: int) -> float: ...

    def read(self) -> tuple[bool, NDArray[np.integer | np.floating] | None]: ...

    def release(self) -> None: ...


def find_devices(root: Path = Path("/")) -> tuple[Device, ...]:
    """All cameras of a Linux machine, by number; empty elsewhere, where numbers alone must do.

    Args:
        root: where ``dev`` and ``sys`` are.
    """
    nodes = sorted((root / "sys/class/video4linux").glob("video*"), key=lambda node: int(node.name[5:]))
    links = [
        *sorted((root / "dev/v4l/by-id").glob("*")),
        *sorted((root / "dev/v4l/by-path").glob("*")),
    ]
    targets = {link: link.resolve().name for link in links}
    devices = []
    for node in nodes:
        # A camera has a second node for metadata; pictures come from the first.
        if _line(node / "index") not in ("", "0"):
            continue
        number = int(node.name[5:])
        name = _line(node / "name") or node.name
        link = next((link for link in links if targets[link] == node.name), None)
        identity = f"/{link.relative_to(root)}" if link else name
        devices.append(Device(number, identity, name))
    return tuple(devices)


def open_device(
    address: str,
    *,
    fps: float,
    size: tuple[int, int] = (1280, 720),
    devices: tuple[Device, ...] | None = None,
    driver: Callable[[int], Driver] | None = None,
) -> "DeviceCamera":
    """Open a camera by number, ``/dev/…`` path, stable identity or name.

    Args:
        address: as a person writes it.
        fps: asked of the camera; it gives the nearest it can.
        size: asked of the camera, pixels.
        devices: those there are; found out by default.
        driver: opens a device by number; OpenCV by default.

    Raises:
        CameraLost: none such, or it cannot be opened; the line names those there are.
    """
    device = find_device(address, devices)
    return DeviceCamera(device, (driver or _opencv)(device.number), Format("MJPG", size, fps))


def find_device(address: str, devices: tuple[Device, ...] | None = None) -> Device:
    """The camera of that number, path, identity or name; it is not opened. Raises CameraLost naming those there are."""
    known = find_devices() if devices is None else devices
    device = _find(address, known)
    if device is None:
        there_are = f"cameras: {', '.join(_called(other) for other in known)}" if known else "no camera is plugged in"
        raise CameraLost(f"no such camera, file or folder: {address}; {there_are}")
    return device


class DeviceCamera:
    """A camera plugged in.

    Raises:
        CameraLost: the driver does not give it.
    """

    live = True

    def __init__(
        self, device: Device, driver: Driver, requested: Format, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.identity = device.identity
        self.requested = requested
        self._driver = driver
        self._clock = clock
        self._number = 0
        if not driver.isOpened():
            raise CameraLost(
                f"the camera {_called(device)} cannot be opened; close other programs that use it, "
                "and make sure that you may read it (group video)"
            )
        # Drivers forget: the size is lost with a new format, the format with a new rate.
        driver.set(cv2.CAP_PROP_FOURCC, MJPG)
        driver.set(cv2.CAP_PROP_FRAME_WIDTH, requested.size[0])
        driver.set(cv2.CAP_PROP_FRAME_HEIGHT, requested.size[1])
        driver.set(cv2.CAP_PROP_FPS, requested.fps)
        driver.set(cv2.CAP_PROP_FOURCC, MJPG)
        self.obtained = Format(
            int(driver.get(cv2.CAP_PROP_FOURCC)).to_bytes(4, "little", signed=True).decode("latin-1").strip("\0 "),
            (int(driver.get(cv2.CAP_PROP_FRAME_WIDTH)), int(driver.get(cv2.CAP_PROP_FRAME_HEIGHT))),
            driver.get(cv2.CAP_PROP_FPS),
        )

    def read(self) -> Frame | None:
        """The next frame, taken when it arrived."""
        got, image = self._driver.read()
        if not got or image is None:
            raise CameraLost(f"the camera {self.identity} gives no more pictures; check its cable")
        frame = Frame(np.asarray(image, np.uint8), self._clock(), self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """Give the camera back."""
        self._driver.release()


def _find(address: str, known: tuple[Device, ...]) -> Device | None:
    number = int(address) if address.isdigit() else None
    if number is None and address.startswith("/dev/"):
        node = Path(address).resolve().name
        number = int(node[5:]) if node.startswith("video") and node[5:].isdigit() else None
    if number is not None and not sys.platform.startswith("linux"):
        return Device(number, f"camera {number}", f"camera {number}")
    matches = [device for device in known if address in (device.identity, device.name) or device.number == number]
    return matches[0] if matches else None


def _called(device: Device) -> str:
    return f"/dev/video{device.number} ({device.name})"


def _opencv(number: int) -> Driver:
    return cv2.VideoCapture(number, cv2.CAP_V4L2 if sys.platform.startswith("linux") else cv2.CAP_ANY)


def _line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
