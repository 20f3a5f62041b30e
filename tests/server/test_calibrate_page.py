"""The routes behind the page on which a board of one's own is calibrated."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

from calibration.cross import NODES
from calibration.layout import load
from server.calibrate_page import Desk, create_page
from server.own_board import open_photo
from tests.calibration.drawn import draw

DRAWN = draw(230)
CORNERS = [[float(x), float(y)] for x, y in DRAWN.corners_px]
EVEN = [[0.5 + x / 16, 0.5 + y / 16] for x, y in NODES]
Json = dict[str, Any]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    cv2.setNumThreads(1)
    cv2.imwrite(str(tmp_path / "photo.png"), DRAWN.image)
    return Desk(open_photo(tmp_path / "photo.png"), tmp_path / "mine.toml", None, (4,))


@pytest.fixture
def client(desk: Desk) -> Iterator[TestClient]:
    with TestClient(create_page(desk), base_url="http://127.0.0.1") as client:
        yield client


def drawn(**change: object) -> Json:
    """What the page sends to save a cross laid by hand."""
    return {"corners": CORNERS, "nodes": EVEN, "round": False, "rows": [5, 4], "size": [400, 400], **change}


def test_the_page_gets_its_photo_and_what_to_do(client: TestClient) -> None:
    assert client.get("/").text.startswith("<!doctype html>")
    assert client.get("/api/photo").json() == {
        "name": "photo.png",
        "size": [1600, 1200],
        "nodes": [list(node) for node in NODES],
        "out": "mine.toml",
        "rows": [4],
    }
    shown = cv2.imdecode(np.frombuffer(client.get("/photo.jpg").content, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape == (1200, 1600, 3)


def test_what_is_found_can_be_saved(client: TestClient, desk: Desk) -> None:
    found = client.post("/api/fit", json={"corners": CORNERS}).json()
    assert [(arm["arm"], arm["seen"], arm["lines"], arm["faint"]) for arm in found["arms"]] == [
        (arm, 30, 30, False) for arm in ("north", "east", "south", "west")
    ]
    true = np.array([DRAWN.truth.points[node] for node in NODES])
    assert np.abs(np.array(found["nodes"]) - true).max() < 0.01
    answer = client.post("/api/save", json=drawn(**{key: found[key] for key in ("nodes", "round", "size")}))
    shown = " ".join(f"{x:.1f},{y:.1f}" for x, y in CORNERS)
    assert (answer.status_code, answer.json()) == (
        200,
        {
            "file": str(desk.out),
            "command": f"macuil locate {desk.photo.path} --board {desk.out} --corners {shown}",
        },
    )
    assert load(desk.out).triangle_rows == (4, 5)
    assert desk.saved


def test_a_cross_laid_by_hand_is_saved_again_and_again(client: TestClient, desk: Desk) -> None:
    for width in (400, 420):
        assert client.post("/api/save", json=drawn(size=[width, 400])).status_code == 200
        assert load(desk.out).size_mm == (width, 400)


def moved(node: tuple[int, int], by: tuple[float, float]) -> list[list[float]]:
    """The even cross with one node out of place."""
    nodes = [list(at) for at in EVEN]
    at = nodes[NODES.index(node)]
    at[0], at[1] = at[0] + by[0], at[1] + by[1]
    return nodes


@pytest.mark.parametrize(
    ("path", "body", "refusal"),
    [
        ("fit", {"corners": [CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]]},
         {"key": "crossed", "args": {"corner": 2, "other": 3}}),
        ("check", {"corners": [CORNERS[0], CORNERS[3], CORNERS[2], CORNERS[1]]},
         {"key": "mirrored", "args": {"corner": 2, "other": 4}}),
        ("fit", {"corners": [[0, 0], [120, 0], [120, 110], [0, 110]]}, {"key": "nothing", "args": {}}),
        ("save", drawn(corners=[[-5, 0], *CORNERS[1:]]), {"key": "outside", "args": {"corner": 1, "other": 1}}),
        ("save", drawn(nodes=moved((1, 3), (-0.04, -0.04))),
         {"key": "layout", "args": {"text": 'cell "2": outline has a dent; only convex cells can be read, so cut off '
                                            "what sticks out"}}),
        ("save", drawn(nodes=moved((1, 3), (-0.13, 0.0))),
         {"key": "layout", "args": {"text": 'cell "2": outline crosses itself; write the corners in the order in which '
                                            "one walks around the cell"}}),
    ],
)  # fmt: skip
def test_refusals_have_a_key(client: TestClient, desk: Desk, path: str, body: Json, refusal: Json) -> None:
    answer = client.post(f"/api/{path}", json=body)
    assert (answer.status_code, answer.json()) == (422, refusal)
    assert not desk.out.exists()
    assert not desk.saved


def test_a_folder_that_is_gone_is_said(client: TestClient, desk: Desk) -> None:
    desk.out = desk.out.parent / "gone" / "mine.toml"
    answer = client.post("/api/save", json=drawn())
    assert (answer.status_code, answer.json()) == (
        422,
        {"key": "file", "args": {"file": "mine.toml", "text": "No such file or directory"}},
    )


@pytest.mark.parametrize("change", [{"size": [40, 400]}, {"rows": [7]}, {"nodes": EVEN[1:]}, {"extra": 1}])
def test_numbers_that_cannot_be_are_refused(client: TestClient, change: Json) -> None:
    assert client.post("/api/save", json=drawn(**change)).status_code == 422
