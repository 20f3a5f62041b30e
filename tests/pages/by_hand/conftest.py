"""A real server with real rules behind the page, in place of the scripted table."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.pages.by_hand.player import Lay
from tests.pages.conftest import Open
from tests.pages.obedient import ObedientTable


class Laid:
    """The table of a test, once it is laid; takes the place of the scripted one."""

    table: ObedientTable

    @property
    def url(self) -> str:
        return self.table.url


@pytest.fixture
def stage(browser: Browser) -> Iterator[Laid]:
    laid = Laid()
    yield laid
    laid.table.stop()


@pytest.fixture
def lay(stage: Laid, open_page: Open, tmp_path: Path) -> Lay:
    """Lays a table and opens its page."""

    def lay(game: str, seats: tuple[int, ...], names: dict[int, str], **how: Any) -> tuple[ObedientTable, Page]:
        stage.table = ObedientTable(tmp_path, game, seats, names)
        return stage.table, open_page(**how)

    return lay
