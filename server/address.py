"""The address under which a tablet in the same Wi-Fi reaches this machine, as text and as QR."""

import contextlib
import io
import ipaddress
import socket
import struct
import sys
from collections.abc import Iterable
from dataclasses import dataclass

import segno

FOREIGN = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "lxc", "lxd", "cni", "flannel", "cali", "podman",
           "tun", "tap", "utun", "wg", "tailscale", "zt", "ppp", "ipsec", "nordlynx", "proton")  # fmt: skip
"""How the interfaces of containers, virtual machines and VPNs are called; no tablet is behind them."""
DOCKER = ipaddress.ip_network("172.17.0.0/16")
SHARED = ipaddress.ip_network("100.64.0.0/10")
"""Carrier-grade NAT (RFC 6598); Tailscale lives there."""


@dataclass(frozen=True, slots=True)
class Interface:
    """One network interface with its IPv4 address."""

    name: str
    """Empty where the system does not tell."""
    ip: str


def reachable(interfaces: Iterable[Interface]) -> tuple[str, ...]:
    """The addresses a tablet may reach, most likely first."""
    return tuple(dict.fromkeys(each.ip for each in sorted(filter(_plausible, interfaces), key=_unlikely)))


def interfaces() -> tuple[Interface, ...]:
    """What this machine has; the one that leads outwards first."""
    found = [Interface("", ip) for ip in (*_outward(), *_own_names())]
    named = _named()
    return tuple(named) if named else tuple(found)


def url(ip: str, port: int) -> str:
    """The address to type: ``http://192.168.1.7:8505``."""
    host = f"[{ip}]" if ":" in ip else ip
    return f"http://{host}:{port}"


def qr_text(address: str) -> str:
    """A QR code in block characters, for the terminal."""
    out = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(out=out, border=2, compact=True)
    return out.getvalue()


def qr_svg(address: str) -> str:
    """A QR code as an SVG document, black on white, the address as its title."""
    out = io.BytesIO()
    segno.make(address, error="m", micro=False).save(out, "svg", scale=8, border=4, light="#fff", title=address)
    return out.getvalue().decode()


def _plausible(interface: Interface) -> bool:
    ip = ipaddress.ip_address(interface.ip)
    odd = ip.is_loopback or ip.is_link_local or ip.is_unspecified or ip.is_multicast or ip in SHARED
    nameless_docker = not interface.name and ip in DOCKER
    return not (odd or nameless_docker or interface.name.startswith(FOREIGN))


def _unlikely(interface: Interface) -> tuple[bool, bool]:
    # Homes use private addresses, and a wireless card is where the tablets are.
    return (not ipaddress.ip_address(interface.ip).is_private, not interface.name.startswith("wl"))


def _outward() -> list[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(
            ("192.0.2.1", 9)
        )  # RFC 5737: an address that is nowhere; connecting a datagram socket sends nothing
        return [probe.getsockname()[0]]
    return []


def _own_names() -> list[str]:
    with contextlib.suppress(OSError):
        return socket.gethostbyname_ex(socket.gethostname())[2]
    return []


def _named() -> list[Interface]:
    """Interfaces with their names; only Linux tells them to the standard library."""
    if sys.platform != "linux":
        return []
    import fcntl

    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            with contextlib.suppress(OSError):
                answer = fcntl.ioctl(probe.fileno(), 0x8915, request)  # SIOCGIFADDR, linux/sockios.h
                found.append(Interface(name, socket.inet_ntoa(answer[20:24])))
    outward = _outward()
    return sorted(found, key=lambda each: each.ip not in outward)
