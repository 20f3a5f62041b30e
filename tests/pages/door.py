"""A server behind a port of this machine, in a thread of its own, for a browser to come to."""

import asyncio
import socket
import threading

import uvicorn
from fastapi import FastAPI


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Door:
    """Serves an app from its making, which returns when connections are taken, until it is closed."""

    def __init__(self, app: FastAPI, port: int) -> None:
        config = uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run)
        self._up = threading.Event()
        self._thread.start()
        if not self._up.wait(20):
            raise RuntimeError("the server did not open")

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """On which the app runs."""
        return self._loop

    def close(self) -> None:
        """Cut every connection and end the thread."""
        self._server.should_exit = True
        self._thread.join()

    def _run(self) -> None:
        async def serve() -> None:
            self._loop = asyncio.get_running_loop()
            serving = asyncio.ensure_future(self._server.serve())
            while not self._server.started and not serving.done():
                await asyncio.sleep(0.01)
            self._up.set()
            await serving

        asyncio.run(serve())
