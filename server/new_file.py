"""Files that people name for the commands to write: never over one that is there, and whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path

from server.cli import Refused


def check_new(flag: str, path: Path) -> None:
    """Refuse a name that is taken. Raises Refused."""
    if os.path.lexists(path):
        raise _taken(flag, path)


def write_new(flag: str, path: Path, content: bytes) -> None:
    """Write a file that is not there yet. Raises Refused."""
    created = False
    try:
        # Opening it tells whether it is there: one that came since somebody looked is not written over either.
        with path.open("xb") as file:
            created = True
            file.write(content)
    except FileExistsError as error:
        raise _taken(flag, path) from error
    except OSError as error:
        if created:  # a full disk leaves no half of it
            with suppress(OSError):
                path.unlink()
        raise Refused(f"{flag} {path}: cannot be written ({error.strerror}); choose another place") from error


def _taken(flag: str, path: Path) -> Refused:
    return Refused(f"{flag} {path}: is there already and will not be overwritten; name a new file")
