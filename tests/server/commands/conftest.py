"""Commands find an empty data folder, whatever this machine's own table was taught."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def data_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that is used where none is named."""
    base = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("XDG_DATA_HOME", str(base))
    monkeypatch.setenv("LOCALAPPDATA", str(base))
    return base / "macuil"
