"""`macuil count FOLDER` of single photographs: which they are, and what each shows, a throw a picture."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from referee.observation import Observation
from referee.rules import Needs
from server.commands.read import complain, read_throw
from server.tally import Tally, Told
from vision.camera import Frame, Image
from vision.pictures import PICTURES, Unreadable, decode
from vision.sources import natural
from vision.stillness import Stillness
from vision.throws import ThrowReader

NOTHING = {"empty": "nothing is seen there", "repeated": "it shows the throw before once more"}
"""Why a photograph tells of no throw and of no doubt."""


@dataclass(frozen=True, slots=True, eq=False)
class Photographed:
    """What one photograph shows."""

    path: Path
    image: Image
    told: Told | None
    state: str
    """What the tally says of it."""


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
        files = [path for path in (named.iterdir() if named.is_dir() else (named,)) if path.is_file()]
    except OSError:
        return ()  # whoever opens it as a recording says why
    files = [path for path in files if path.suffix.lower() in PICTURES and not path.name.startswith(".")]
    paths = tuple(sorted(files, key=lambda path: natural(path.name)))
    stillness = Stillness()
    for number, path in enumerate(paths):
        with suppress(Unreadable):
            if stillness.see(Frame(decode(path, shrink=True)[0], number / fps, number)).at_rest:
                return ()
    return paths


def read_photographs(
    paths: tuple[Path, ...], needs: Needs, reader: ThrowReader, area: tuple[float, float, float, float] | None
) -> Iterator[Photographed | None]:
    """Read each as `macuil read` does; None after one line on standard error where it cannot be read.

    Args:
        paths: of the pictures.
        needs: what counts as a throw.
        reader: of the throws.
        area: x, y, width and height of the throwing place in pixels.
    """
    tally = Tally(needs)
    for number, path in enumerate(paths):
        try:
            image, _ = decode(path)
            seen = read_throw(reader, image, 1, area)
        except Unreadable as error:
            complain("count", path, error)
            yield None
            continue
        picture_px = max(image.shape[:2])
        tally.see(Observation(number, "rest", seen), picture_px)
        told = tally.end(picture_px)
        yield Photographed(path, image, told, tally.state)
        tally.see(Observation(number, "moving"), picture_px)
