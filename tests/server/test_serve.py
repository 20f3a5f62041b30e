"""`macuil serve` as a process of its own, with real sockets."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import httpx2
import numpy as np
import pytest
import websockets

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C and kill -9 are POSIX signals here")


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """A folder with one grey picture: a camera that is there, and shows no board."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), np.full((360, 640, 3), 90, np.uint8))
    return folder


@contextmanager
def macuil(*words: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running server and its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "server", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONWARNINGS": "error", "OMP_NUM_THREADS": "1"} | environment,
    )
    with process:
        assert process.stdout is not None
        try:
            first = process.stdout.readline()
            if not first.startswith("Macuil is open at "):
                pytest.fail(f"{first}{process.communicate(timeout=10)}")
            yield process, first.split()[-1]
        finally:
            process.kill()


def refused(*words: str, **environment: str) -> str:
    """What the program says to its end, when it will not start."""
    done = subprocess.run(
        [sys.executable, "-m", "server", *words],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | environment,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr.strip()


def ask(address: str, path: str = "/api/state", **headers: str) -> httpx2.Response:
    return httpx2.get(address + path, headers=headers, trust_env=False, timeout=10)


def throw(address: str, version: int, marks: int) -> httpx2.Response:
    body = {"client": "test", "version": version, "command": {"type": "throw", "marks": marks}}
    return httpx2.post(f"{address}/api/commands", json=body, trust_env=False, timeout=10)


def play(address: str, bookings: int) -> Mapping[str, Any]:
    """Enter throws and moves by hand; returns the last state acknowledged."""
    for _ in range(bookings):
        state = ask(address).json()
        body: dict[str, object] = {"type": "throw", "marks": state["version"] % 4 + 1}
        if state["phase"] == "move":
            body = {"type": "move", "move": state["legal"][0]["move"]}
        answer = httpx2.post(
            f"{address}/api/commands",
            json={"client": "test", "version": state["version"], "command": body},
            trust_env=False,
            timeout=10,
        )
        assert answer.status_code == 200, answer.text
    return dict(ask(address).json())


def game(state: Mapping[str, Any]) -> dict[str, Any]:
    """What of a state belongs to the match, not to the moment."""
    return {key: state[key] for key in ("version", "phase", "turn", "seats", "pot", "pieces", "legal", "log")}


def test_it_says_where_it_is_and_where_the_games_are(tmp_path: Path, pictures: Path) -> None:
    data = tmp_path / "games"
    with macuil("serve", "--port", "0", "--data", str(data), "--camera", str(pictures)) as (process, address):
        assert process.stdout is not None
        assert process.stdout.readline() == f"Games are kept in {data}\n"
        assert ask(address, "/healthz").json()["name"] == "macuil"
        assert ask(address, Host="evil.example").status_code == 421
        assert "Macuil" in ask(address, "/").text


def test_a_tablet_gets_an_address_and_a_code(tmp_path: Path, pictures: Path) -> None:
    with macuil("serve", "--port", "0", "--lan", "--data", str(tmp_path), "--camera", str(pictures)) as (process, here):
        assert process.stdout is not None
        told = []
        while not (line := process.stdout.readline()).startswith("Ctrl+C"):
            told.append(line)
        port = here.rpartition(":")[2]
        if told[0].startswith("On a tablet"):
            address = told[0].split()[-1]
            assert address.endswith(f":{port}")
            assert any(line.startswith("█████") for line in told)
            assert ask(address, "/api/join").headers["content-type"] == "image/svg+xml"
        else:
            assert told[0].startswith("This machine has no address")
        assert ask(here).status_code == 200


def test_the_port_comes_from_the_environment(tmp_path: Path, pictures: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    with macuil("serve", "--data", str(tmp_path), "--camera", str(pictures), PORT=port) as (_, address):
        assert address == f"http://127.0.0.1:{port}"
        assert ask(address).status_code == 200
    assert "PORT=house is no port" in refused("serve", "--data", str(tmp_path), "--camera", str(pictures), PORT="house")


def test_a_missing_camera_does_not_stop_the_server(tmp_path: Path) -> None:
    with macuil("serve", "--port", "0", "--data", str(tmp_path), "--camera", "93") as (process, address):
        state: Mapping[str, Any] = {"camera": {"state": "opening"}}
        while state["camera"]["state"] == "opening":
            state = ask(address).json()
            time.sleep(0.05)
        assert state["camera"]["state"] == "lost"
        assert state["camera"]["why"]
        assert state["message"]["key"] == "camera_lost"
        assert process.stderr is not None
        assert process.stderr.readline().startswith("no camera yet: no such camera, file or folder: 93; ")
        assert throw(address, state["version"], 3).status_code == 200


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--camera", "no/such/folder"), "no such camera, file or folder: no/such/folder; "),
        (("--camera", "evening.mp4"), "no such camera, file or folder: evening.mp4; "),
        (("--camera", "nix"), "no such camera, file or folder: nix; "),
        (("--camera", "/dev/video93"), "no such camera, file or folder: /dev/video93; "),
        (("--camera", "gopher://hole"), "gopher:// is no source of pictures"),
        (("--camera", "0", "--camera", "1"), "--camera 0 --camera 1: a table is seen by one camera"),
        (("--layout", "ludo.toml"), "ludo.toml"),
        (("--game", "chess"), "'chess' is unknown; there are batok, ludo, patolli, ur"),
        (("--preset", "bingo"), "bingo"),
        (("--seats", "1,7"), "seats '1,7'"),
        (("--names", "A,B,C"), "at most 2"),
        (("--stakes", "-1"), "stakes"),
        (("--table", "no.toml"), "cannot read no.toml"),
        (("--port", "70000"), "port 70000 is no port"),
        (("--host", "256.1.1.1"), "cannot listen on 256.1.1.1"),
        (("--data", "/dev/null/games"), "cannot write into the data folder /dev/null/games"),
    ],
)
def test_what_cannot_be_started_is_one_line(tmp_path: Path, pictures: Path, words: tuple[str, ...], why: str) -> None:
    usual = ("--port", "0", "--data", str(tmp_path / "games"))
    seen = () if "--camera" in words else ("--camera", str(pictures))
    assert why in refused("serve", *usual, *seen, *words)


def test_a_second_one_points_at_the_first(tmp_path: Path, pictures: Path) -> None:
    usual = ("serve", "--camera", str(pictures))
    with macuil(*usual, "--port", "0", "--data", str(tmp_path)) as (_, address):
        port = address.rpartition(":")[2]
        same_port = refused(*usual, "--port", port, "--data", str(tmp_path / "other"))
        assert f"Macuil is already running at {address}" in same_port
        same_folder = refused(*usual, "--port", "0", "--data", str(tmp_path))
        assert f"in use by the Macuil running at {address}" in same_folder
        assert not (tmp_path / "other").exists()


def test_a_port_of_something_else(tmp_path: Path, pictures: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        said = refused("serve", "--port", port, "--data", str(tmp_path), "--camera", str(pictures))
    assert f"cannot listen on 127.0.0.1:{port}" in said
    assert "choose another --port" in said


def test_a_spoilt_journal_is_told_at_the_start(tmp_path: Path, pictures: Path) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"")
    with macuil("serve", "--port", "0", "--data", str(tmp_path), "--camera", str(pictures)) as (process, address):
        assert process.stdout is not None
        process.stdout.readline()
        assert process.stdout.readline().startswith("The journal was empty; it was set aside as journal.sqlite.broken-")
        assert ask(address).json()["version"] == 1


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_with_sockets_and_streams_open(tmp_path: Path, pictures: Path, how: signal.Signals) -> None:
    usual = ("serve", "--port", "0", "--data", str(tmp_path), "--camera", str(pictures))

    async def scene(process: subprocess.Popen[str], address: str) -> float:
        socket_address = address.replace("http", "ws")
        async with (
            websockets.connect(f"{socket_address}/live", proxy=None) as live,
            websockets.connect(f"{socket_address}/camera", proxy=None),
            httpx2.AsyncClient(trust_env=False) as client,
            client.stream("GET", f"{address}/camera.mjpg"),
        ):
            await live.recv()
            asleep = socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])))
            asked_at = time.monotonic()
            process.send_signal(how)
            await asyncio.to_thread(process.wait, 20)
            asleep.close()
            return time.monotonic() - asked_at

    with macuil(*usual) as (process, address):
        state = play(address, 3)
        try:
            took_s = asyncio.run(scene(process, address))
        except httpx2.HTTPError:
            took_s = 0.0
        assert took_s < 5
        assert process.returncode in (0, -signal.SIGTERM)
        assert process.stderr is not None
        assert process.stderr.read() == ""
    with macuil(*usual) as (_, address):
        assert game(ask(address).json()) == game(state)


def test_kill_minus_nine_ten_times_loses_nothing(tmp_path: Path, pictures: Path) -> None:
    usual = ("serve", "--port", "0", "--data", str(tmp_path), "--camera", str(pictures))
    before: Mapping[str, Any] | None = None
    for _ in range(10):
        with macuil(*usual) as (process, address):
            state = ask(address).json()
            assert before is None or game(state) == before
            before = game(play(address, 3))
            process.kill()
            process.wait()


def sleeper(address: str) -> socket.socket:
    """A tablet whose line is open, and who takes nothing from it."""
    host, _, port = address.removeprefix("http://").partition(":")
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    line.connect((host, int(port)))
    line.sendall(
        f"GET /live HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    return line


def test_ten_clients_of_whom_one_does_not_read(tmp_path: Path, pictures: Path) -> None:
    async def listen(live: websockets.ClientConnection, versions: list[int]) -> None:
        async for message in live:
            versions.append(json.loads(message)["version"])

    async def scene(address: str) -> list[list[int]]:
        where = address.replace("http", "ws") + "/live"
        heard: list[list[int]] = [[] for _ in range(9)]
        lines = [await websockets.connect(where, proxy=None) for _ in range(9)]
        listening = [asyncio.ensure_future(listen(line, versions)) for line, versions in zip(lines, heard, strict=True)]
        state = await asyncio.to_thread(play, address, 100)
        while not all(versions and versions[-1] == state["version"] for versions in heard):
            await asyncio.sleep(0.01)
        for line in lines:
            await line.close()
        await asyncio.gather(*listening)
        return heard

    usual = ("serve", "--port", "0", "--data", str(tmp_path), "--camera", str(pictures))
    with macuil(*usual) as (_, address), sleeper(address) as line:
        heard = asyncio.run(asyncio.wait_for(scene(address), 100))
        last = heard[0][-1]
        backlog = b""
        while f'{{"version":{last},'.encode() not in backlog:
            backlog += line.recv(1 << 16)
    for versions in heard:
        assert versions == sorted(versions)
        assert len(set(versions)) > 80
    assert backlog.count(b'{"version":') < 50, "the sleeper wakes to old states"
