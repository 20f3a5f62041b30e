"""What people name is written whole or not at all, and never over what is there."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from server.cli import Refused
from server.new_file import write_new

FULL_AFTER_BYTES = 1_000


def test_what_came_since_somebody_looked_is_not_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(b"somebody else's")
    monkeypatch.setattr(os.path, "lexists", lambda _: False)  # when it was looked, it was not there
    with pytest.raises(Refused) as refused:
        write_new("--out", path, b"ours")
    assert str(refused.value) == f"--out {path}: is there already and will not be overwritten; name a new file"
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("game.txt", b"somebody else's")]


def test_a_full_disk_leaves_no_half_of_it(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    with full_disk(), pytest.raises(Refused, match=r"game\.txt: cannot be written \(.+\); choose another place$"):
        write_new("--out", path, bytes(2 * FULL_AFTER_BYTES))
    assert list(tmp_path.iterdir()) == []
    write_new("--out", path, b"ours")
    assert path.read_bytes() == b"ours"


@contextmanager
def full_disk() -> Iterator[None]:
    """Nothing is written beyond so many bytes of a file, as on a disk that fills up."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (FULL_AFTER_BYTES, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
