"""Who may ask: only by a name of this network (against DNS rebinding), only from our own pages (against others)."""

import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

READING = ("GET", "HEAD", "OPTIONS")


class Access:
    """ASGI middleware before every route; also lets nothing be shown from a browser's cache unasked."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 421 for a foreign Host, 403 for a foreign Origin (WebSockets: closed with 403), else pass on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def send_fresh(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).setdefault("Cache-Control", "no-cache")
            await send(message)

        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not ours(host):
            await _refuse(scope, receive, send, 421, f"no table is called {host!r} here; use its IP address")
        elif scope.get("method") not in READING and not same(headers.get("origin"), host):
            await _refuse(scope, receive, send, 403, "this page belongs to another site")
        else:
            await self._app(scope, receive, send_fresh)


def ours(host: str) -> bool:
    """Whether a Host header (with or without port) is a name that nobody outside this network can point at us."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").removesuffix(".")
    except ValueError:
        return False
    own = socket.gethostname().lower()
    if name in ("localhost", own, own.partition(".")[0]) or name.endswith((".local", ".localhost")):
        return bool(name)
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def same(origin: str | None, host: str) -> bool:
    """Whether an Origin header is our own page's; only browsers send one, and they always do where it matters."""
    return origin is None or urlsplit(origin).netloc.lower() == host.lower()


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": why})
    else:
        await JSONResponse({"error": why}, status)(scope, receive, send)
