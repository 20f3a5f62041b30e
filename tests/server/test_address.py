"""Which address a tablet in the same Wi-Fi can reach."""

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from server.address import Interface, interfaces, qr_svg, qr_text, reachable, url


@pytest.mark.parametrize(
    ("found", "usable"),
    [
        pytest.param([("lo", "127.0.0.1"), ("eth0", "192.168.1.7")], ("192.168.1.7",), id="never the loopback"),
        pytest.param([("eth0", "192.168.1.7"), ("wlan0", "192.168.1.8")], ("192.168.1.8", "192.168.1.7"), id="Wi-Fi"),
        pytest.param([("docker0", "172.17.0.1"), ("br-1f2e", "172.18.0.1"), ("wlp3s0", "10.0.0.4")], ("10.0.0.4",),
                     id="no containers"),
        pytest.param([("tun0", "10.8.0.2"), ("tailscale0", "100.90.1.2"), ("wg0", "10.9.0.2"), ("enp3s0", "10.0.0.4")],
                     ("10.0.0.4",), id="no VPN"),
        pytest.param([("", "100.90.1.2"), ("", "172.17.0.1"), ("", "192.168.0.3")], ("192.168.0.3",),
                     id="told by the address where names are missing"),
        pytest.param([("eth0", "169.254.3.4")], (), id="an address nobody gave"),
        pytest.param([("eth0", "203.0.113.9"), ("eth1", "192.168.1.7")], ("203.0.113.9", "192.168.1.7"),
                     id="documentation nets count as private"),
        pytest.param([("eth0", "8.8.8.8"), ("eth1", "192.168.1.7")], ("192.168.1.7", "8.8.8.8"), id="home nets first"),
        pytest.param([("eth0", "10.0.0.4"), ("eth0:1", "10.0.0.4")], ("10.0.0.4",), id="each once"),
    ],
)  # fmt: skip
def test_the_addresses_worth_printing(found: list[tuple[str, str]], usable: tuple[str, ...]) -> None:
    assert reachable(Interface(name, ip) for name, ip in found) == usable


def test_this_machine_has_a_loopback_or_names_none() -> None:
    assert all(each.ip.count(".") == 3 for each in interfaces())
    assert not {each.ip for each in interfaces()} & {ip for ip in reachable(interfaces()) if ip.startswith("127.")}


def test_urls() -> None:
    assert url("192.168.1.7", 8505) == "http://192.168.1.7:8505"
    assert url("fe80::1", 80) == "http://[fe80::1]:80"


def test_the_code_in_the_terminal_is_a_square_with_a_quiet_rim() -> None:
    lines = qr_text("http://192.168.1.7:8505").splitlines()
    assert {len(line) for line in lines} == {29}
    assert len(lines) == 15
    assert lines[0] == "█" * 29
    assert all(one != two for one, two in pairwise(lines[1:-1]))


def test_the_code_as_a_picture_is_a_document_of_its_own() -> None:
    root = ET.fromstring(qr_svg("http://192.168.1.7:8505"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "http://192.168.1.7:8505"
