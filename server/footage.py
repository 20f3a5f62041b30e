"""Frames for the commands: a recording one by one, a live camera always by its newest picture and opened again."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from vision.camera import Camera, Frame
from vision.capture import Capture, CaptureStatus
from vision.sources import open_camera


@contextmanager
def footage(
    source: str, fps: float, opened: Callable[[Camera], Camera] = lambda camera: camera
) -> Iterator[Iterator[Frame | CaptureStatus]]:
    """Open a source; its frames come in order, and of a live camera how it does whenever that changes.

    Args:
        source: as ``vision.sources.open_camera`` takes it.
        fps: rate of a folder's pictures.
        opened: hears which camera it is, also when that was opened again, and gives it back.

    Raises:
        CameraLost: it cannot be opened, or a recording breaks off. A live camera that is lost later is waited for.
    """
    camera = opened(open_camera(source, fps=fps))
    if not camera.live:
        with closing(camera):
            yield iter(camera.read, None)
        return
    first = [camera]
    with Capture(lambda: first.pop() if first else opened(open_camera(source, fps=fps))) as capture:
        yield _newest(capture)


def _newest(capture: Capture) -> Iterator[Frame | CaptureStatus]:
    told: tuple[str, str] | None = None
    while not capture.finished:
        frame, status = capture.take(), capture.status
        if (status.state, status.why) != told:
            told = (status.state, status.why)
            yield status
        if frame is not None:
            yield frame
