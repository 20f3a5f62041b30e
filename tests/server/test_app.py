"""The routes, through HTTP and WebSockets; table, journal, hub and threads are real, the camera is not."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from server.app import create_app
from tests.server.asking import HERE, SOCKETS, command, see, until
from tests.server.fakes import SIZE, Stage
from vision.capture import CaptureStatus


def test_the_state_before_the_camera_is_there(client: TestClient) -> None:
    state = client.get("/api/state").json()
    assert {key: state[key] for key in ("version", "game", "preset", "layout", "phase", "turn", "camera", "demo")} == {
        "version": 1,
        "game": "patolli",
        "preset": "classic",
        "layout": "patolli",
        "phase": "first",
        "turn": "1",
        "camera": {"identity": "fake camera", "fps": 0, "state": "opening", "why": "", "size": None},
        "demo": False,
    }
    assert state["strip"]["state"] == "off"
    assert len(state["strip"]["colours"]) == 52
    assert state["message"] == {"key": "camera_lost", "args": {}}


def test_a_throw_before_the_camera_is_booked_shown_and_kept(client: TestClient, stage: Stage) -> None:
    with client.websocket_connect(f"{SOCKETS}/live", headers={"Origin": HERE}) as live:
        assert live.receive_json()["version"] == 1
        see(stage, None)
        see(stage, 3)
        state = client.get("/api/state").json()
        assert state["version"] == 2
        assert state["turn"] == "3"
        throw = state["throw"]
        assert (throw["seat"], throw["marked"], throw["source"], throw["crop"]) == (
            "1",
            3,
            "camera",
            f"/api/throws/{throw['id']}.jpg",
        )
        while (heard := live.receive_json())["version"] < 2:
            pass
        assert heard["throw"] == throw
    picture = client.get(throw["crop"])
    assert picture.headers["content-type"] == "image/jpeg"
    image = cv2.imdecode(np.frombuffer(picture.content, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == (280, 160, 3)
    assert client.get("/api/throws/1.jpg").json() == {"error": "no picture was kept of 1"}
    assert state["camera"] == {"identity": "fake camera", "fps": 15, "state": "ok", "why": "", "size": list(SIZE)}


def test_a_recording_that_has_ended_is_told_until_the_game_is_over(client: TestClient, stage: Stage) -> None:
    see(stage, None)
    stage.frames.status = CaptureStatus("ended", identity="evening.mp4", size=SIZE)
    until(lambda: client.get("/api/state").json()["camera"]["state"] == "ended")
    state = client.get("/api/state").json()
    assert (state["message"], state["seen"]) == (
        {"key": "recording_ended", "args": {}},
        {"state": "ended", "plights": []},
    )
    # People go on by hand, are told what is next, and whoever wins is told as ever.
    for marks in (2, 3):
        command(client, client.get("/api/state").json()["version"], type="throw", marks=marks)
    state = client.get("/api/state").json()
    assert (state["message"], state["unwatched"]) == ({"key": "throw", "args": {"seat": "3"}}, "recording_ended")
    version = client.get("/api/state").json()["version"]
    assert command(client, version, type="resign", seat="1").status_code == 200
    assert client.get("/api/state").json()["message"] == {"key": "over", "args": {"seat": "3"}}


def test_a_throw_names_the_rules_that_it_led_to(client: TestClient, stage: Stage) -> None:
    def shown() -> tuple[str, list[str]]:
        state = client.get("/api/state").json()
        return state["phase"], state["throw"]["why"]

    def act(**asked: Any) -> None:
        assert command(client, client.get("/api/state").json()["version"], **asked).status_code == 200

    told = []
    for marks in (3, 2, 0, 2, 1):
        act(type="throw", marks=marks)
        told.append(shown())
    assert told == [
        ("first", ["R-FIRST"]),
        ("throw", ["R-FIRST"]),
        ("throw", ["offering", "R-ZERO-EMPTY"]),
        ("throw", ["entry_on_one", "no_move"]),
        ("move", []),
    ]
    act(type="move", move="reserve>1")
    assert shown() == ("throw", ["entry"])
    act(type="undo")
    assert shown() == ("move", [])


def test_the_crop_of_a_new_match_is_its_own(client: TestClient, stage: Stage) -> None:
    see(stage, None)
    see(stage, 3)
    first = client.get("/api/state").json()["throw"]["crop"]
    version = client.get("/api/state").json()["version"]
    assert (
        command(client, version, type="new_game", game="patolli", preset="quick", seats=["1", "3"]).status_code == 200
    )
    see(stage, None)
    see(stage, 2)
    second = client.get("/api/state").json()["throw"]["crop"]
    assert first != second
    assert client.get(first).content != client.get(second).content


def test_everybody_can_ask_why_he_holds_what_he_holds(client: TestClient) -> None:
    new = command(client, 1, type="new_game", preset="quick", seats=["1", "3"], stakes=5, handicap={"3": 7})
    version = new.json()["version"]
    for marks in (4, 2, 0):
        version = command(client, version, type="throw", marks=marks).json()["version"]
    assert client.get("/api/statements").json() == {
        "1": [
            {"amount": 5, "other": None, "why": ["started"], "balance": 5},
            {"amount": -1, "other": "pot", "why": ["offering", "R-ZERO-EMPTY", "R-QUICK-BASE"], "balance": 4},
        ],
        "3": [{"amount": 7, "other": None, "why": ["started"], "balance": 7}],
        "pot": [{"amount": 1, "other": "1", "why": ["offering", "R-ZERO-EMPTY", "R-QUICK-BASE"], "balance": 1}],
    }


def test_foreign_names_and_foreign_pages_are_turned_away(client: TestClient, stage: Stage) -> None:
    rebound = client.get("/api/state", headers={"Host": "evil.example"})
    assert (rebound.status_code, rebound.json()) == (
        421,
        {"error": "no table is called 'evil.example' here; use its IP address"},
    )
    body = {"client": "a", "version": 1, "command": {"type": "throw", "marks": 4}}
    posted = client.post("/api/commands", json=body, headers={"Origin": "http://evil.example"})
    assert (posted.status_code, posted.json()) == (403, {"error": "this page belongs to another site"})
    for headers in ({"Origin": "http://evil.example"}, {"Host": "evil.example"}):
        for path in ("/live", "/camera"):
            with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"{SOCKETS}{path}", headers=headers):
                pass
    assert len(stage.books.journal.current()) == 1
    assert client.post("/api/commands", json=body, headers={"Origin": HERE}).status_code == 200


def test_the_board_as_a_drawing(client: TestClient, stage: Stage) -> None:
    layout, drawing = stage.layout, client.get("/api/layout").json()
    cells = drawing.pop("cells")
    assert layout.place is not None
    assert drawing == {
        "name": "patolli",
        "game": "patolli",
        "sheet": list(layout.size_mm),
        "field": [layout.field.x_mm, layout.field.y_mm, layout.field.width_mm, layout.field.height_mm],
        "place": [layout.place.x_mm, layout.place.y_mm, layout.place.width_mm, layout.place.height_mm],
    }
    assert [cell["name"] for cell in cells] == [cell.name for cell in layout.cells]
    first = layout.cells[0]
    assert cells[0] == {
        "name": first.name,
        "centre": list(first.centre_mm),
        "outline": [list(point) for point in first.outline_mm],
        "kind": first.kind,
        "seat": None if first.seat is None else str(first.seat),
        "led": first.led,
    }


def test_what_was_read_is_drawn_over_the_picture(client: TestClient, stage: Stage) -> None:
    see(stage, 1)
    until(lambda: client.get("/api/state").json()["overlay"]["throw"] != [])
    assert client.get("/api/state").json()["overlay"] == {
        "size": list(SIZE),
        "board": None,
        "field": None,
        "place": [[400, 60], [560, 60], [560, 340], [400, 340]],
        "pieces": [{"cell": "17", "seat": "3", "x": 100, "y": 100}],
        "throw": [{"x": 420 + 25 * i, "y": 100 + 40 * i, "face": "marked" if i == 0 else "plain"} for i in range(5)],
    }


def test_health_and_reference(client: TestClient) -> None:
    assert client.get("/healthz").json()["name"] == "macuil"
    page = client.get("/docs").text
    assert "POST /api/commands" in page
    assert "Stale: the present state" in page
    assert "http://" not in page.replace(HERE, "")
    assert "https://" not in page
    assert client.get("/openapi.json").json()["info"]["title"] == "Macuil"


def test_pages_are_never_shown_from_a_cache_unasked(client: TestClient) -> None:
    for path in ("/", "/ui/main.js", "/api/state", "/ui/i18n/en.json"):
        answer = client.get(path)
        assert (path, answer.status_code, answer.headers["cache-control"]) == (path, 200, "no-cache")


def test_joining_needs_an_address_a_tablet_can_reach(client: TestClient, tmp_path: Path) -> None:
    alone = client.get("/api/join")
    assert (alone.status_code, alone.json()) == (
        404,
        {"error": "only this machine can reach the table; start it with --lan"},
    )
    wide = Stage(tmp_path / "wide", address="http://192.168.1.7:8505")
    with TestClient(create_app(wide.house), base_url=HERE) as other:
        answer = other.get("/api/join")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "<title>http://192.168.1.7:8505</title>" in answer.text


def test_a_restart_goes_on_where_the_journal_ends(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    with TestClient(create_app(stage.house), base_url=HERE) as client:
        command(client, 1, type="throw", marks=4)
        before = client.get("/api/state").json()
    with TestClient(create_app(Stage(tmp_path).house), base_url=HERE) as client:
        assert client.get("/api/state").json() == before
