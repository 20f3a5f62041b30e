"""The routes. They translate between HTTP and the house and decide nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from fastapi import Body, FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, StreamingResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ConfigDict, Field

from server.access import Access
from server.address import qr_svg
from server.house import House
from server.hub import HEARTBEAT_S, converse
from server.journal import JournalLost
from server.reference import reference
from server.table import Stale
from server.wish import BadCommand

PAGES = Path(str(files("server") / "pages"))
STATIC = Path(str(files("server") / "static"))
WORDS = Path(str(files("server") / "i18n"))
VERSION = version("macuil")
PART = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"
LEAVE_WITHIN_S = 0.5
"""How soon an endless answer notices that the server is going."""
DESCRIPTION = """The state of one table, and what people at its pages may ask.

WebSocket /live sends the whole state (as GET /api/state) at once, after each change and at least every 4 seconds;
what the page sends is ignored.

WebSocket /camera sends JPEGs; the page acknowledges each with a text message, and gets the newest one next.
"""


class Command(BaseModel):
    """What one page asks for."""

    model_config = ConfigDict(extra="forbid")

    client: str = Field(min_length=1, max_length=64, description="An id the page gave itself.")
    version: int = Field(description="The version of the state the person had before him.")
    command: dict[str, Any] = Field(
        description="By type, each with by (whom): undo and accept with why; redo; throw with marks or dice; recast "
        "with throw (its number), marks or dice, why; move with move; throw_again; correct with pieces, payments, why; "
        "resign and draw with seat; pause; resume; show_corners with corners (of the field in the camera's picture, in "
        "pixels, clockwise from its top left as drawn); forget_corners; "
        "new_game with preset, seats, names, stakes, handicap, options."
    )


class Booked(BaseModel):
    """The command was carried out."""

    version: int


class Error(BaseModel):
    """Why not, in one line."""

    error: str


def create_app(house: House) -> FastAPI:
    """The application that shows one house; its lifespan starts and stops the house."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await house.start()
        try:
            yield
        finally:
            await house.stop()

    app = FastAPI(
        title="Macuil", version=VERSION, description=DESCRIPTION, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    app.add_middleware(Access)
    app.add_exception_handler(RequestValidationError, _wrong_body)
    _add_state(app, house)
    _add_pictures(app, house)
    _add_pages(app)
    return app


def _add_state(app: FastAPI, house: House) -> None:
    @app.get("/api/state")
    async def state() -> dict[str, Any]:
        """The whole state; ``version`` rises with each booking."""
        return house.snapshot()

    @app.get("/api/statements")
    async def statements() -> dict[str, list[dict[str, Any]]]:
        """Why each holds what it holds: for each seat and the pot what came and went, oldest first."""
        return house.statements()

    @app.post("/api/commands", responses={409: {"description": "Stale: the present state"}, 422: {"model": Error}})
    async def command(asked: Annotated[Command, Body()]) -> Booked:
        """Ask for something. A command meant for an earlier version has no effect (409)."""
        return Booked(version=house.command(asked.client, asked.version, asked.command))

    @app.exception_handler(Stale)
    async def stale(_: Request, __: Exception) -> JSONResponse:
        return JSONResponse(house.snapshot(), 409)

    @app.exception_handler(BadCommand)
    async def bad(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 422)

    @app.exception_handler(JournalLost)
    async def lost(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 503)

    @app.get("/api/layout")
    async def layout() -> dict[str, Any]:
        """The board as a drawing, in millimetres from the top left corner of the sheet."""
        return house.drawing

    @app.get("/healthz")
    async def health() -> dict[str, Any]:
        """Whether a Macuil answers here."""
        return {"name": "macuil", "version": VERSION, "state": house.table.version}

    @app.websocket("/live")
    async def live(socket: WebSocket) -> None:
        await socket.accept()
        with house.states.viewer() as viewer:

            async def speak() -> None:
                while True:
                    await socket.send_text(await viewer.next(HEARTBEAT_S) or "")

            await converse(socket, speak)


def _add_pictures(app: FastAPI, house: House) -> None:
    @app.websocket("/camera")
    async def camera(socket: WebSocket) -> None:
        await socket.accept()
        ready = asyncio.Event()
        ready.set()
        with house.pictures.viewer() as viewer:

            async def speak() -> None:
                while True:
                    await ready.wait()
                    ready.clear()
                    await socket.send_bytes(await viewer.next() or b"")

            await converse(socket, speak, hear=ready.set)

    @app.get("/camera.mjpg", response_class=StreamingResponse)
    async def mjpeg() -> StreamingResponse:
        """The camera's picture as multipart JPEG, for programs that know nothing better."""

        async def parts() -> AsyncIterator[bytes]:
            with house.pictures.viewer() as viewer:
                while not house.leaving():
                    if jpeg := await viewer.next(LEAVE_WITHIN_S):
                        yield PART % len(jpeg) + jpeg + b"\r\n"

        return StreamingResponse(parts(), media_type="multipart/x-mixed-replace; boundary=frame")

    @app.get("/api/throws/{id}.jpg", response_class=Response, responses={404: {"model": Error}})
    async def crop(id: int) -> Response:
        """The picture that a throw was read from."""
        jpeg = house.crop(id)
        if jpeg is None:
            return JSONResponse({"error": f"no picture was kept of {id}"}, 404)
        return Response(jpeg, media_type="image/jpeg")

    @app.get("/api/join", response_class=Response, responses={404: {"model": Error}})
    async def join() -> Response:
        """The address a tablet can reach, as a QR code (SVG)."""
        if house.address is None:
            return JSONResponse({"error": "only this machine can reach the table; start it with --lan"}, 404)
        return Response(qr_svg(house.address), media_type="image/svg+xml")


def _add_pages(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def dashboard() -> FileResponse:
        return FileResponse(PAGES / "index.html")

    @app.get("/overlay", include_in_schema=False)
    async def overlay() -> FileResponse:
        return FileResponse(PAGES / "overlay.html")

    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(reference(app.openapi()))

    app.mount("/ui/i18n", StaticFiles(directory=WORDS), name="words")
    app.mount("/ui", StaticFiles(directory=STATIC), name="ui")


async def _wrong_body(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body") or "body"
    return JSONResponse({"error": f"{where}: {first['msg']}"}, 422)
