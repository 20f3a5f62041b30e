"""Commands over HTTP: booked once, or refused in one line with nothing booked."""

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.server.asking import command, see
from tests.server.fakes import Stage


def test_the_version_rises_even_with_a_new_match(client: TestClient, stage: Stage) -> None:
    see(stage, None)
    see(stage, 3)
    before = client.get("/api/state").json()["version"]
    answer = command(client, before, type="new_game", game="patolli", preset="quick", seats=["1", "3"])
    assert answer.json()["version"] > before
    assert stage.books.journal.games() == (1, 2)


def test_commands_book_and_stale_ones_do_not(client: TestClient, stage: Stage) -> None:
    answer = command(client, 1, type="throw", marks=4)
    assert (answer.status_code, answer.json()) == (200, {"version": 2})
    stale = command(client, 1, type="throw", marks=4)
    assert stale.status_code == 409
    assert stale.json() == client.get("/api/state").json()
    assert stale.json()["version"] == 2
    assert len(stage.books.journal.current()) == 2


NEW = {"type": "new_game", "preset": "quick", "seats": ["1", "3"]}


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"type": "dance"}, 'unknown command "dance"; there are undo, '),
        ({"type": "undo", "by": {"a": 1}}, "by: must be a string"),
        ({"type": "undo", "by": "x" * 201}, "by: is longer than 200"),
        ({"type": "pause", "by": "\ud800"}, 'by: "\\ud800" holds half a character'),
        ({"type": "resume", "foo": 3}, 'resume: has an unknown field "foo"'),
        ({"type": "resign", "seat": "1" * 5000}, 'seat: must be a seat from "1" to "6"'),
        ({"type": "resign", "seat": "\uff11"}, 'seat: must be a seat from "1" to "6"'),
        ({"type": "resign"}, "resign.seat: is missing"),
        ({"type": "move"}, "move.move: is missing"),
        ({"type": "correct", "pieces": {"4": ["9"]}}, "pieces.4: must be a seat"),
        ({"type": "correct", "pieces": {"4": []}}, "the rules do not allow that now (throw_due)"),
        (NEW | {"names": {"2": "Ana"}}, "names: seat 2 does not play"),
        (NEW | {"names": {"1": {"a": 2}}}, "names.1: must be a string"),
        (NEW | {"handicap": {"1": -1}}, "handicap.1: must be a whole number"),
        ({"type": "throw", "marks": 6}, "throw.marks"),
        ({"type": "move", "move": "1>2"}, "throw_due"),
        (NEW | {"preset": "bingo"}, "bingo"),
        (NEW | {"seats": "13"}, "seats: must be a list"),
        (NEW | {"seats": ["1"]}, "seats"),
        (NEW | {"stakes": "many"}, "stakes: must be a whole number"),
        (NEW | {"names": {"x": "Ana"}}, 'names: must be a seat from "1" to "6", not "x"'),
        (NEW | {"game": "chess"}, "made for patolli, not for chess"),
        (NEW | {"colour": "red"}, 'unknown field "colour"'),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(client: TestClient, stage: Stage, asked: Any, why: str) -> None:
    # As browsers may write it: half a character is valid JSON while it is escaped.
    body = json.dumps({"client": "a", "version": 1, "command": asked})
    refuse(client.post("/api/commands", content=body, headers={"Content-Type": "application/json"}), stage, why)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"client": "a", "version": 1}, "command: Field required"),
        ({"client": "", "version": 1, "command": {"type": "undo"}}, "client: "),
        ({"client": "a", "version": "one", "command": {"type": "undo"}}, "version: "),
        ({"client": "a", "version": 1, "command": {}, "more": 1}, "more: "),
        ([], "body: "),
    ],
)
def test_what_is_no_command_is_said_in_one_line(client: TestClient, stage: Stage, body: object, why: str) -> None:
    refuse(client.post("/api/commands", json=body), stage, why)


def refuse(answer: Any, stage: Stage, why: str) -> None:
    assert answer.status_code == 422
    assert list(answer.json()) == ["error"]
    assert why in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    assert len(stage.books.journal.current()) == 1


def test_what_the_disk_does_not_take_has_not_happened(
    client: TestClient, stage: Stage, capfd: pytest.CaptureFixture[str]
) -> None:
    see(stage, None)
    stage.books.journal._db.execute("PRAGMA query_only = ON")
    see(stage, 3, frames=5)
    refused = command(client, 1, type="throw", marks=4)
    assert refused.status_code == 503
    assert refused.json()["error"].startswith("the journal took nothing: ")
    assert client.get("/api/state").json()["version"] == 1
    stage.books.journal._db.execute("PRAGMA query_only = OFF")
    see(stage, 3)
    assert client.get("/api/state").json()["throw"]["marked"] == 3
    assert capfd.readouterr().err.count("the journal took nothing") == 1


def test_what_the_demos_people_enter_is_booked_from_their_own_thread(client: TestClient, stage: Stage) -> None:
    def version_after(enter: Callable[[], None]) -> int:
        people = threading.Thread(target=enter)
        people.start()
        people.join()
        return int(client.get("/api/state").json()["version"])

    def enter(version: int, **command: object) -> Callable[[], None]:
        return lambda: stage.house.command_soon(version, command)

    assert version_after(enter(1, type="throw", marks=4)) == 2
    # Meant for the moment before, it is not booked for who throws next; and no move can be made yet.
    assert version_after(enter(1, type="throw", marks=4)) == 2
    assert version_after(enter(2, type="move", move="reserve>1")) == 2
    assert version_after(enter(2, type="throw", marks=2)) == 4  # and who begins
