"""Commands find an empty data folder, whatever this machine's own table was taught; drawn nets for those who ask."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.server.commands.own_throws import EXPECTED_DICE
from tests.vision.drawn_throws import stand_in


@pytest.fixture(autouse=True)
def data_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that is used where none is named."""
    base = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("XDG_DATA_HOME", str(base))
    monkeypatch.setenv("LOCALAPPDATA", str(base))
    return base / "macuil"


@pytest.fixture
def nets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts the drawn nets in the real ones' place: by default such as take this set's marks for no marks."""
    folder = tmp_path / "nets"
    folder.mkdir()

    def put(spread: float = 40.0, beans: Sequence[float] = (250, 120)) -> None:
        stand_in(monkeypatch, folder, spread, beans=beans, dice=EXPECTED_DICE)

    return put
