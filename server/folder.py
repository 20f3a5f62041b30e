"""The data folder: where it is, and that only one Macuil at a time writes into it."""

import contextlib
import os
import sqlite3
import sys
from pathlib import Path

LOCK = "running.lock"
ADDRESS = "running.url"


class FolderRefused(Exception):
    """The data folder cannot be used; one line that says why and what to do."""


class FolderTaken(FolderRefused):
    """Another Macuil runs on the folder; the message names its address."""


def default_folder() -> Path:
    """Where this system keeps a program's data."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    else:
        base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "macuil"


class Claim:
    """The right to write into one data folder; the operating system takes it back when the process dies."""

    def __init__(self, folder: Path, address: str) -> None:
        """Take the folder, making it where it is missing.

        Args:
            folder: the data folder.
            address: where this Macuil answers, for whoever comes second.

        Raises:
            FolderRefused: it cannot be made or written.
            FolderTaken: another process has it.
        """
        self._address = folder / ADDRESS
        with contextlib.ExitStack() as undo:
            try:
                folder.mkdir(parents=True, exist_ok=True)
                # SQLite's file locks are the one lock of the standard library that works alike on every system.
                self._lock = sqlite3.connect(folder / LOCK, timeout=0, isolation_level=None, check_same_thread=False)
                undo.callback(self._lock.close)
                self._lock.execute("BEGIN EXCLUSIVE")
                self._address.write_text(address, encoding="utf-8")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                    raise FolderTaken(f"{folder} is in use by the Macuil running at {self._holder()}") from error
                raise _refusal(folder, str(error)) from error
            except FileExistsError as error:
                raise _refusal(folder, "it is a file, not a folder") from error
            except OSError as error:
                raise _refusal(folder, error.strerror or str(error)) from error
            undo.pop_all()

    def close(self) -> None:
        """Give the folder back."""
        self._address.unlink(missing_ok=True)
        self._lock.close()

    def _holder(self) -> str:
        with contextlib.suppress(OSError):
            return self._address.read_text(encoding="utf-8").strip() or "an unknown address"
        return "an unknown address"


def _refusal(folder: Path, why: str) -> FolderRefused:
    return FolderRefused(f"cannot write into the data folder {folder}: {why}; name another with --data")
