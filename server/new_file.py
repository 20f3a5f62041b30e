"""Files that people name for the commands to write: never over one that is there, and whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path

from server.cli import Refused


def check_new(flag: str, path: Path) -> None:
    """Refuse a name that is taken. Raises Refused."""
    if os.path.lexists(path):
        raise Refused(f"{flag} {path}: is there already and will not be overwritten; name a new file")


def write_new(flag: str, path: Path, content: bytes) -> None:
    """Write a file that is not there yet. Raises Refused."""
    check_new(flag, path)
    # Beside its place first: a full disk leaves no half of it.
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise Refused(f"{flag} {path}: cannot be written ({error.strerror}); choose another place") from error
