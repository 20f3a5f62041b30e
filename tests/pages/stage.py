"""A table that follows a script: the server's routes over real sockets, fed with snapshots instead of a camera."""

import asyncio
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from fastapi import Body, FastAPI, Response, WebSocket
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.websockets import WebSocketDisconnect

from calibration.layout import Rect, load
from tests.pages.door import Door, free_port

ROOT = Path(__file__).resolve().parents[2]
SERVER = ROOT / "server"
Json = dict[str, Any]


class Stage:
    """Shows one snapshot at a time; can die and come back on the same port."""

    def __init__(self, snapshot: Json) -> None:
        self.snapshot = snapshot
        self.answer: tuple[int, Json] | None = None
        """What the next commands get; None: 200."""
        self.commands: list[Json] = []
        self.acks: list[str] = []
        self.connections = 0
        """How often a page has opened its line."""
        self.port = free_port()
        self._watchers: set[asyncio.Queue[Json]] = set()
        self.start()

    @property
    def url(self) -> str:
        """Of the dashboard."""
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        """Serve; returns when connections are taken."""
        self._door = Door(self._app(), self.port)

    def stop(self) -> None:
        """Die: every connection is cut."""
        self._door.close()

    def show(self, snapshot: Json) -> None:
        """Send a snapshot to every page."""
        self.snapshot = snapshot

        def tell() -> None:
            for watcher in self._watchers:
                watcher.put_nowait(snapshot)

        self._door.loop.call_soon_threadsafe(tell)

    def _app(self) -> FastAPI:
        app = FastAPI()
        app.get("/api/state")(lambda: self.snapshot)
        app.get("/api/layout")(drawing)
        app.get("/api/throws/{id}.jpg")(lambda id: Response(_picture(int(id)), media_type="image/jpeg"))
        app.get("/")(lambda: FileResponse(SERVER / "pages" / "index.html"))
        app.get("/overlay")(lambda: FileResponse(SERVER / "pages" / "overlay.html"))
        app.post("/api/commands", response_model=None)(self._command)
        app.websocket("/live")(self._live)
        app.websocket("/camera")(self._camera)
        app.mount("/ui/i18n", StaticFiles(directory=SERVER / "i18n"))
        app.mount("/ui", StaticFiles(directory=SERVER / "static"))
        return app

    def _command(self, asked: Json = Body()) -> JSONResponse:  # noqa: B008
        self.commands.append(asked)
        status, body = self.answer or (200, {"version": self.snapshot["version"] + 1})
        return JSONResponse(body, status)

    async def _live(self, websocket: WebSocket) -> None:
        await websocket.accept()
        news: asyncio.Queue[Json] = asyncio.Queue()
        news.put_nowait(self.snapshot)
        self._watchers.add(news)
        self.connections += 1

        async def speak() -> None:
            while True:
                await websocket.send_json(await news.get())

        speaker = asyncio.ensure_future(speak())
        try:
            while True:
                await websocket.receive_text()
        except WebSocketDisconnect:
            pass
        finally:
            speaker.cancel()
            self._watchers.discard(news)

    async def _camera(self, websocket: WebSocket) -> None:
        await websocket.accept()
        try:
            number = 0
            while True:
                await websocket.send_bytes(_picture(number))
                self.acks.append(await websocket.receive_text())
                await asyncio.sleep(0.1)
                number += 1
        except WebSocketDisconnect:
            pass


def _picture(number: int) -> bytes:
    """A table top with something that changes."""
    image = np.full((720, 1280, 3), (60, 90, 120), np.uint8)
    cv2.circle(image, (200 + number * 7 % 800, 360), 60, (150, 200, 90), -1)
    return cv2.imencode(".jpg", image)[1].tobytes()


def drawing() -> Json:
    """The layout as ``GET /api/layout`` gives it."""
    layout = load("patolli")
    place = layout.place
    return {
        "name": layout.name,
        "game": layout.game,
        "sheet": layout.size_mm,
        "field": _rect(layout.field),
        "place": _rect(place) if place else None,
        "cells": [
            {
                "name": cell.name,
                "centre": cell.centre_mm,
                "outline": cell.outline_mm,
                "kind": cell.kind,
                "seat": None if cell.seat is None else str(cell.seat),
                "led": cell.led,
            }
            for cell in layout.cells
        ],
    }


def _rect(rect: Rect) -> tuple[float, float, float, float]:
    return (rect.x_mm, rect.y_mm, rect.width_mm, rect.height_mm)
