"""How a page asks the server, and how a test waits for what the server's threads do."""

import time
from collections.abc import Callable
from typing import Any

from starlette.testclient import TestClient

from tests.server.fakes import Stage, resting

HERE = "http://127.0.0.1:8505"
SOCKETS = "ws://127.0.0.1:8505"


def until(true: Callable[[], bool]) -> None:
    """Wait for what another thread does; the suite's own time limit is the only one."""
    for _ in range(2000):
        if true():
            return
        time.sleep(0.005)
    raise AssertionError("it never came about")


def see(stage: Stage, marks: int | None, frames: int = 3) -> None:
    """Let the camera see a throw, and wait until the last frame of it was heard."""
    if not stage.readers:
        stage.frames.push()
        until(lambda: bool(stage.readers))
    stage.readers[-1].shows = resting(marks)
    for _ in range(frames):
        heard = stage.heard
        stage.frames.push()
        until(lambda heard=heard: stage.heard > heard)  # type: ignore[misc]


def command(client: TestClient, version: int, **command: Any) -> Any:
    return client.post("/api/commands", json={"client": "tablet", "version": version, "command": command})
