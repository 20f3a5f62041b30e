"""The devices behind the routes: who watches gets pictures, the strip shows the turn, the reader knows of its light."""

import contextlib
from pathlib import Path
from typing import Any

import cv2
import pytest
from starlette.testclient import TestClient

from server.app import create_app
from tests.server.asking import HERE, SOCKETS, command, see, until
from tests.server.fakes import SIZE, Stage


def test_new_players_get_a_new_reader(client: TestClient, stage: Stage) -> None:
    see(stage, None)
    command(client, 1, type="new_game", game="patolli", preset="modern", seats=["1", "2", "4"], names={"2": "Ana"})
    state = client.get("/api/state").json()
    assert [(seat["seat"], seat["name"]) for seat in state["seats"]] == [("1", ""), ("2", "Ana"), ("4", "")]
    stage.frames.push()
    until(lambda: len(stage.readers) == 2)
    assert [reader.made_for[0] for reader in stage.readers] == [(1, 3), (1, 2, 4)]


def test_nothing_is_encoded_while_nobody_watches(
    client: TestClient, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[tuple[int, ...]] = []
    real = cv2.imencode

    def counting(suffix: str, image: Any, *more: Any) -> Any:
        encoded.append(image.shape)
        return real(suffix, image, *more)

    monkeypatch.setattr("server.live.cv2.imencode", counting)
    see(stage, None, frames=5)
    assert encoded == []
    with contextlib.ExitStack() as viewers:
        cameras = [viewers.enter_context(client.websocket_connect(f"{SOCKETS}/camera")) for _ in range(3)]
        see(stage, None, frames=4)
        pictures = [camera.receive_bytes() for camera in cameras]
        assert pictures[0] == pictures[1] == pictures[2]
        assert encoded == [(SIZE[1], SIZE[0], 3)] * 4
    until(lambda: not stage.house.pictures.watched)
    see(stage, None, frames=3)
    assert len(encoded) == 4


def test_a_viewer_who_does_not_answer_gets_no_second_picture(client: TestClient, stage: Stage) -> None:
    see(stage, None)
    with client.websocket_connect(f"{SOCKETS}/camera") as camera:
        see(stage, None, frames=1)
        first = camera.receive_bytes()
        see(stage, None, frames=6)
        camera.send_text("shown")
        second = camera.receive_bytes()
        latest = stage.house.pictures.latest
    assert first != second
    assert second == latest


def test_the_strip_shows_whose_turn_it_is_and_goes_dark_at_the_end(tmp_path: Path) -> None:
    stage = Stage(tmp_path, strip=True)
    with TestClient(create_app(stage.house), base_url=HERE) as client:
        until(lambda: client.get("/api/state").json()["strip"]["state"] == "ok")
        before = client.get("/api/state").json()["strip"]["colours"]
        assert {"#000000"} < set(before)
        command(client, 1, type="throw", marks=4)
        after = client.get("/api/state").json()["strip"]["colours"]
        assert [colour != "#000000" for colour in before] != [colour != "#000000" for colour in after]
        until(lambda: stage.port.written.count(b"Ada") > 3)
    assert stage.port.closed
    assert stage.port.written.endswith(b"Ada\x00\x33\x66" + bytes(3 * 52))
    assert stage.frames.closed


def test_the_reader_is_told_when_our_own_light_changes(tmp_path: Path) -> None:
    stage = Stage(tmp_path, strip=True)
    with TestClient(create_app(stage.house), base_url=HERE) as client:
        until(lambda: client.get("/api/state").json()["strip"]["state"] == "ok")
        stage.moment = 7.1
        see(stage, None, frames=2)
        assert stage.readers[0].lit_at == []
        stage.moment = 7.3
        see(stage, None, frames=1)
        assert len(stage.readers[0].lit_at) == 1, "the lamp of seat 1 dips"
        stage.moment = 10.7
        command(client, 1, type="throw", marks=4)
        see(stage, None, frames=1)
        assert len(stage.readers[0].lit_at) == 2, "another seat's turn, another light"
        stage.moment = 14.3
        see(stage, None, frames=1)
        assert len(stage.readers[0].lit_at) == 2
