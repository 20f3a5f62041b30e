"""Who may ask."""

import socket

import pytest

from server.access import ours, same


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:8505", "192.168.1.7:8505", "[::1]:8505", "localhost", "LOCALHOST:8505", "table.local:8505",
     socket.gethostname()],
)  # fmt: skip
def test_names_that_only_this_network_gives(host: str) -> None:
    assert ours(host)


@pytest.mark.parametrize(
    "host",
    ["", ":8505", "evil.example", "evil.example:8505", "127.0.0.1.evil.example", "localhost.evil.example", "local",
     "[::1", "evil.example:80:80", "1.2.3"],
)  # fmt: skip
def test_names_that_anyone_can_point_here(host: str) -> None:
    assert not ours(host)


@pytest.mark.parametrize(
    ("origin", "host", "own"),
    [
        (None, "127.0.0.1:8505", True),
        ("http://127.0.0.1:8505", "127.0.0.1:8505", True),
        ("https://table.local", "table.local", True),
        ("http://127.0.0.1:8506", "127.0.0.1:8505", False),
        ("http://evil.example", "127.0.0.1:8505", False),
        ("null", "127.0.0.1:8505", False),
        ("", "127.0.0.1:8505", False),
    ],
)
def test_only_our_own_pages_may_change_anything(origin: str | None, host: str, own: bool) -> None:
    assert same(origin, host) == own
