"""One data folder, one running Macuil."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from server.folder import Claim, FolderRefused, FolderTaken, default_folder

HOLD = """
import sys, time
from pathlib import Path
from server.folder import Claim
claim = Claim(Path(sys.argv[1]), "http://127.0.0.1:9999")
print("held", flush=True)
time.sleep(60)
"""


def test_the_second_is_told_where_the_first_one_runs(tmp_path: Path) -> None:
    first = Claim(tmp_path / "games", "http://127.0.0.1:8505")
    with pytest.raises(FolderTaken, match=r"in use by the Macuil running at http://127\.0\.0\.1:8505$"):
        Claim(tmp_path / "games", "http://127.0.0.1:8506")
    first.close()
    Claim(tmp_path / "games", "http://127.0.0.1:8506").close()


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(FolderTaken, match=":9999"):
            Claim(tmp_path, "http://127.0.0.1:8506")
        holder.send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
    Claim(tmp_path, "http://127.0.0.1:8506").close()


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(FolderRefused) as refusal:
        Claim(tmp_path / "file" / "games", "http://127.0.0.1:8505")
    assert str(refusal.value).startswith(f"cannot write into the data folder {tmp_path / 'file' / 'games'}: ")
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir(mode=0o500)
    with pytest.raises(FolderRefused, match="cannot write into the data folder"):
        Claim(tmp_path / "games", "http://127.0.0.1:8505")


def test_the_folder_follows_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert default_folder() == tmp_path / "macuil"
