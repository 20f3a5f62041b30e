"""`macuil demo` as a process: simulated people before a simulated camera, refereed by the real server."""

import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.server.test_serve import ask, game, macuil, refused

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is a POSIX signal here")


STUCK_S = 240.0


def wait(address: str, process: subprocess.Popen[str], true: Callable[[Mapping[str, Any]], bool]) -> Mapping[str, Any]:
    """The first state of which it is true; people who get nowhere for minutes are a failure."""
    state: Mapping[str, Any] = {}
    until = time.monotonic() + STUCK_S
    while process.poll() is None and time.monotonic() < until:
        state = ask(address).json()
        if true(state):
            return state
        time.sleep(0.1)
    process.kill()
    raise AssertionError(f"{state.get('message')} {state.get('seen')} {process.communicate()}")


@pytest.mark.slow
def test_a_throw_is_booked_from_pixels_alone(tmp_path: Path) -> None:
    with macuil("demo", "--no-open", "--port", "0", "--data", str(tmp_path)) as (process, address):
        assert ask(address).json()["demo"] is True
        state = wait(address, process, lambda state: state["throw"] is not None)
    assert state["throw"]["source"] == "camera"
    assert state["camera"]["identity"] == "sim://table"
    assert len(state["throw"]["beans"]) == 5


@pytest.mark.slow
def test_kill_minus_nine_ten_times_in_mid_game(tmp_path: Path) -> None:
    before: Mapping[str, Any] | None = None
    for _ in range(10):
        with macuil("demo", "--no-open", "--port", "0", "--preset", "modern", "--data", str(tmp_path)) as (
            process,
            address,
        ):
            state = ask(address).json()
            if before is not None:
                booked = before["version"]
                assert state["version"] >= booked
                assert [line for line in state["log"] if line["id"] <= booked][-1] == before["log"][-1]
                if state["version"] == booked:
                    assert game(state) == before
            wait(address, process, lambda state, start=state["version"]: state["version"] >= start + 4)  # type: ignore[misc]
            before = game(ask(address).json())
            process.kill()
            process.wait()


def test_wrong_words_are_one_line(tmp_path: Path) -> None:
    assert "bingo" in refused("demo", "--no-open", "--port", "0", "--data", str(tmp_path), "--preset", "bingo")
    assert "seats '1,1'" in refused("demo", "--no-open", "--port", "0", "--data", str(tmp_path), "--seats", "1,1")
    assert "--seed -1" in refused("demo", "--port", "0", "--data", str(tmp_path), "--seed", "-1")
