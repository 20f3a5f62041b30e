"""`macuil count FOLDER` of single photographs: which they are, and what each shows, a throw a picture."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from referee.observation import ThrowSeen
from referee.rules import Needs
from server.commands.read import complain, read_throw
from server.lie import thrown
from server.tally import Told, same_throw
from vision.camera import Frame, Image
from vision.pictures import PICTURES, Unreadable, decode, picture_files
from vision.stillness import Stillness
from vision.throws import ThrowReader

Nothing = Literal["empty", "repeated"]
NOTHING: dict[Nothing, str] = {"empty": "nothing is seen there", "repeated": "it shows the throw before once more"}
"""Why a photograph tells of no throw."""


@dataclass(frozen=True, slots=True, eq=False)
class Photographed:
    """What one photograph shows."""

    path: Path
    image: Image
    told: Told | Nothing


def photographs(source: str, fps: float) -> tuple[Path, ...]:
    """The pictures of a source that is no recording: nowhere do they hold still. None, where it is anything else.

    Args:
        source: as ``vision.sources.open_camera`` takes it.
        fps: rate that the pictures would have as a recording.
    """
    named = Path(source)
    if source.isdigit() or not fps > 0:
        return ()
    try:
        if named.is_dir():
            paths = tuple(picture_files(named))
        else:
            paths = (named,) if named.is_file() and named.suffix.lower() in PICTURES else ()
    except OSError:
        return ()  # whoever opens it as a recording says why
    stillness = Stillness()
    for number, path in enumerate(paths):
        with suppress(Unreadable):
            if stillness.see(Frame(decode(path, shrink=True)[0], number / fps, number)).at_rest:
                return ()
    return paths


def read_photographs(
    paths: tuple[Path, ...], needs: Needs, reader: ThrowReader, area: tuple[float, float, float, float] | None
) -> Iterator[Photographed | None]:
    """Read each as `macuil read` does, but as large as it is, for pictures that are kept are cut from it.

    None, after one line on standard error, stands for one that cannot be read.

    Args:
        paths: of the pictures.
        needs: what counts as a throw.
        reader: of the throws.
        area: x, y, width and height of the throwing place in pixels.
    """
    before: ThrowSeen | None = None
    for path in paths:
        try:
            image, _ = decode(path)
            seen = read_throw(reader, image, 1, area)
        except Unreadable as error:
            complain("count", path, error)
            yield None
            continue
        if seen.kind == "none" and set(seen.plights) <= {"missing"}:
            yield Photographed(path, image, "empty")
        elif before and same_throw(before, seen, max(image.shape[:2])):
            yield Photographed(path, image, "repeated")
        else:
            yield Photographed(path, image, Told(0.0, seen, thrown(seen, needs)))
            before = seen
