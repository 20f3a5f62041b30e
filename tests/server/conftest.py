"""A table before its camera, and the house behind the routes."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from server.app import create_app
from server.table import Table
from tests.server.asking import HERE
from tests.server.fakes import Stage
from tests.server.filmed import JADE, Camera, new_table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = new_table(tmp_path)
    with closing(table._journal):
        yield table


@pytest.fixture
def begun(table: Table) -> Camera:
    """Jade has won the right to begin; the beans are picked up."""
    camera = Camera(table)
    for marks in (4, 2):
        camera.throw_beans(marks)
        camera.rest()
    assert table.match is not None
    assert (table.match.phase, table.match.turn) == ("throw", JADE)
    return camera


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


@pytest.fixture
def client(stage: Stage) -> Iterator[TestClient]:
    with TestClient(create_app(stage.house), base_url=HERE, raise_server_exceptions=True) as client:
        yield client
