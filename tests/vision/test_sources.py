"""Every kind of source, from real files, a real HTTP server and a driver that forgets."""

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.camera import Camera, CameraLost
from vision.capture import Capture
from vision.device_camera import Device, Format, find_devices, open_device
from vision.sources import Stream, look_at, open_camera

C920 = Device(0, "/dev/v4l/by-id/usb-046d_C920_1A2B-video-index0", "HD Pro Webcam C920")
BARE = Device(4, "USB Camera", "USB Camera")


def picture(level: int) -> NDArray[np.uint8]:
    return np.full((48, 64, 3), level, np.uint8)


def levels(camera: Camera) -> list[tuple[int, int, int]]:
    """All frames as number, time in ms and brightness to the nearest ten."""
    frames = []
    while (frame := camera.read()) is not None:
        frames.append((frame.number, round(frame.taken_at * 1000), round(float(frame.image.mean()) / 10) * 10))
    camera.close()
    return frames


def fill(folder: Path, names: dict[str, int]) -> None:
    for name, level in names.items():
        cv2.imwrite(str(folder / name), picture(level))


def test_a_folder_is_read_in_name_order_without_what_is_no_picture(tmp_path: Path) -> None:
    fill(tmp_path, {"f10.png": 100, "f9.png": 90, "f1.jpg": 10, ".hidden.png": 200})
    (tmp_path / "labels.jsonl").write_text("{}")
    (tmp_path / "more.png").mkdir()
    camera = open_camera(str(tmp_path), fps=10)
    assert (camera.identity, camera.live) == (str(tmp_path), False)
    assert levels(camera) == [(0, 0, 10), (1, 100, 90), (2, 200, 100)]


def test_a_single_picture_is_one_frame_as_stored(tmp_path: Path) -> None:
    file = tmp_path / "bohnen-ñ.png"
    file.write_bytes(cv2.imencode(".png", picture(70))[1].tobytes())
    assert levels(open_camera(str(file))) == [(0, 0, 70)]


def test_a_broken_picture_is_named_when_its_turn_comes(tmp_path: Path) -> None:
    fill(tmp_path, {"1.png": 10})
    (tmp_path / "2.png").write_bytes(b"no picture")
    camera = open_camera(str(tmp_path))
    assert camera.read() is not None
    with pytest.raises(CameraLost, match=r"2\.png: not a picture that can be read"):
        camera.read()


@pytest.mark.parametrize(("container", "codec"), [("mp4", "mp4v"), ("avi", "MJPG")])
def test_a_video_gives_its_frames_at_their_positions(tmp_path: Path, container: str, codec: str) -> None:
    file = tmp_path / f"film.{container}"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*codec), 20, (64, 48))
    for number in range(8):
        writer.write(picture(10 + 20 * number))
    writer.release()
    camera = open_camera(str(file))
    assert camera.live is False
    assert [frame[:2] for frame in levels(camera)] == [(n, 50 * n) for n in range(8)]
    with pytest.raises(CameraLost, match="is closed"):
        camera.read()


def test_what_cannot_be_opened_says_so_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.mp4").write_text("not a video" * 50)
    (tmp_path / "null.png").touch()
    fill(tmp_path, {"good.png": 1})
    for address, line in {
        str(tmp_path / "empty"): f"no pictures in the folder {tmp_path}/empty; it must hold .jpg or .png files",
        str(tmp_path / "text.mp4"): f"{tmp_path}/text.mp4 cannot be decoded as a video; convert it to MP4 with H.264",
        str(tmp_path / "null.png"): f"the picture {tmp_path}/null.png: not a picture that can be read; save it as "
        "JPEG, PNG, BMP, WebP or TIFF",
        "sim://table?seed=3": "sim://table?seed=3 is a simulated table, which only macuil demo can open",
        "gopher://camera": "gopher:// is no source of pictures; use http://, https:// or rtsp://",
        "http://user:secret@127.0.0.1:9/video?token=1": "no pictures from http://127.0.0.1:9/video; open the address "
        "in a browser to check it",
    }.items():
        with pytest.raises(CameraLost) as error:
            open_camera(address)
        assert str(error.value) == line
    with pytest.raises(CameraLost, match="give a rate above 0"):
        open_camera(str(tmp_path), fps=0)


def test_what_may_still_come_is_not_refused_and_what_is_not_there_is(tmp_path: Path) -> None:
    fill(tmp_path, {"1.png": 10})
    for address in ("0", "93", "http://127.0.0.1:9/video", "RTSP://nowhere.invalid/1", str(tmp_path)):
        look_at(address)
    (tmp_path / "2.png").write_text("no picture")
    for address in ("nix", "/dev/video93", f"{tmp_path}/3.mp4", f"{tmp_path}/2.png", "gopher://camera", " "):
        with pytest.raises(CameraLost):
            look_at(address)


class Jpegs(BaseHTTPRequestHandler):
    """A network camera as most are: parts of multipart/x-mixed-replace, 50 frames/s, until told to stop."""

    stop = threading.Event()

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        number = 0
        try:
            while not self.stop.wait(0.02):
                jpeg = cv2.imencode(".jpg", picture(60 + number % 2))[1].tobytes()
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                self.wfile.write(head.encode() + jpeg + b"\r\n")
                number += 1
        except OSError:
            pass  # the viewer hung up

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def network_camera() -> Iterator[str]:
    Jpegs.stop.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Jpegs)
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    yield f"http://127.0.0.1:{server.server_port}/video.mjpg"
    Jpegs.stop.set()
    server.shutdown()
    serving.join()
    server.server_close()


def test_a_network_camera_is_live_and_told_when_it_goes(network_camera: str) -> None:
    camera = open_camera(network_camera)
    assert isinstance(camera, Stream)
    assert (camera.identity, camera.live) == (network_camera, True)
    seen = [camera.read() for _ in range(5)]
    assert [(frame.number, frame.image.shape) for frame in seen if frame] == [(n, (48, 64, 3)) for n in range(5)]
    assert np.all(np.diff([frame.taken_at for frame in seen if frame]) > 0)
    Jpegs.stop.set()
    with pytest.raises(CameraLost, match="sends no more pictures"):
        levels(camera)
    camera.close()


def test_a_network_camera_that_goes_and_comes_is_followed(network_camera: str) -> None:
    with Capture(lambda: open_camera(network_camera)) as capture:
        for state, then in (("ok", Jpegs.stop.set), ("lost", Jpegs.stop.clear), ("ok", lambda: None)):
            while capture.status.state != state:
                time.sleep(0.01)
            then()
        frame = None
        while frame is None:
            frame = capture.take()
        assert frame.image.shape == (48, 64, 3)
        assert capture.status.size == (64, 48)


class Forgetful:
    """A driver that loses the size with a new format and the format with a new rate, as real ones do."""

    def __init__(self, number: int, *, opens: bool = True) -> None:
        self.number = number
        self.opens = opens
        self.values = {cv2.CAP_PROP_FOURCC: float(cv2.VideoWriter.fourcc(*"YUYV"))}
        self.frames = 2

    def isOpened(self) -> bool:
        return self.opens

    def set(self, propId: int, value: float) -> bool:
        yuyv = float(cv2.VideoWriter.fourcc(*"YUYV"))
        if propId == cv2.CAP_PROP_FOURCC and value != self.values[cv2.CAP_PROP_FOURCC] and len(self.values) == 1:
            self.values = {}
        if propId == cv2.CAP_PROP_FPS:
            self.values[cv2.CAP_PROP_FOURCC] = yuyv
            value = 30.0
        self.values[propId] = value
        return True

    def get(self, propId: int) -> float:
        return self.values.get(propId, 0.0)

    def read(self) -> tuple[bool, NDArray[np.uint8] | None]:
        self.frames -= 1
        return (True, picture(50)) if self.frames >= 0 else (False, None)

    def release(self) -> None:
        self.opens = False


@pytest.mark.parametrize("address", ["0", "HD Pro Webcam C920", C920.identity, "/dev/video0"])
def test_a_device_answers_to_all_its_names(address: str) -> None:
    camera = open_device(address, fps=15, devices=(BARE, C920), driver=Forgetful)
    assert (camera.identity, camera.live) == (C920.identity, True)
    assert camera.requested == Format("MJPG", (1280, 720), 15)
    assert camera.obtained == Format("MJPG", (1280, 720), 30)
    first, second = camera.read(), camera.read()
    assert (first and first.number, second and second.number) == (0, 1)
    with pytest.raises(CameraLost, match=r"C920_1A2B-video-index0 gives no more pictures; check its cable"):
        camera.read()
    camera.close()


def test_no_such_camera_names_those_there_are() -> None:
    with pytest.raises(CameraLost) as error:
        open_device("/dev/video7", fps=15, devices=(C920, BARE), driver=Forgetful)
    assert str(error.value) == (
        "no such camera, file or folder: /dev/video7; "
        "cameras: /dev/video0 (HD Pro Webcam C920), /dev/video4 (USB Camera)"
    )
    with pytest.raises(CameraLost, match="no such camera, file or folder: webcam; no camera is plugged in"):
        open_device("webcam", fps=15, devices=(), driver=Forgetful)


def test_a_camera_in_use_says_what_to_do() -> None:
    with pytest.raises(CameraLost, match=r"/dev/video4 \(USB Camera\) cannot be opened; close other programs"):
        open_device("4", fps=15, devices=(BARE,), driver=lambda number: Forgetful(number, opens=False))


def test_identity_is_by_id_else_by_path_else_the_name(tmp_path: Path) -> None:
    def node(number: int, name: str, index: int) -> None:
        folder = tmp_path / f"sys/class/video4linux/video{number}"
        folder.mkdir(parents=True)
        (folder / "name").write_text(f"{name}\n")
        (folder / "index").write_text(f"{index}\n")
        (tmp_path / "dev").mkdir(exist_ok=True)
        (tmp_path / f"dev/video{number}").touch()

    def link(kind: str, name: str, number: int) -> None:
        folder = tmp_path / "dev/v4l" / kind
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(f"../../video{number}")

    node(10, "Twin", 0)
    node(2, "Twin", 0)
    node(3, "Twin", 1)
    node(0, "Plain", 0)
    link("by-id", "usb-Twin-video-index0", 2)
    link("by-id", "usb-Twin-video-index1", 3)
    link("by-path", "pci-usb-0:1-video-index0", 2)
    link("by-path", "pci-usb-0:2-video-index0", 10)
    assert find_devices(tmp_path) == (
        Device(0, "Plain", "Plain"),
        Device(2, "/dev/v4l/by-id/usb-Twin-video-index0", "Twin"),
        Device(10, "/dev/v4l/by-path/pci-usb-0:2-video-index0", "Twin"),
    )
    assert find_devices(tmp_path / "nowhere") == ()
