"""The page on which a board of one's own is calibrated: four corners are dragged, then lines, then it is saved.

Errors are answered as ``{"key", "args"}`` with status 422: the page has the sentences.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ConfigDict, Field

from calibration.corners import CornersRefused, Quad, checked
from calibration.cross import NODES, Cross, usual_size
from calibration.cross_fit import Fit, NoCross
from calibration.layout import LayoutError
from server.access import Access
from server.own_board import Photo, keep, survey, units

SERVER = Path(str(files("server")))
SHOWN_PX = 1600
"""Longer side of the picture as the page gets it; corners are still those of the stored one."""
JPEG_QUALITY = 88

Share = Annotated[float, Field(ge=-0.5, le=1.5)]
Row = Annotated[int, Field(ge=1, le=6)]
Side = Annotated[float, Field(ge=50.0, le=2000.0)]


class Corners(BaseModel):
    """Where a person says the board is."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    corners: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
    """Pixels of the stored picture, clockwise from the board's top left."""


class Drawn(Corners):
    """The cross as it was adjusted."""

    nodes: list[tuple[Share, Share]] = Field(min_length=len(NODES), max_length=len(NODES))
    """In the order in which ``/api/photo`` names them, as shares of the board."""
    round: bool
    rows: list[Row]
    size: tuple[Side, Side]


@dataclass(slots=True)
class Desk:
    """What lies on it: a photo, and where the layout goes."""

    photo: Photo
    out: Path
    size_mm: tuple[float, float] | None
    rows: tuple[int, ...]
    saved: bool = False


def create_page(desk: Desk) -> FastAPI:
    """The application for one photo."""
    app = FastAPI(title="Macuil: a board of one's own", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Access)
    app.add_exception_handler(CornersRefused, _wrong_corners)
    app.add_exception_handler(NoCross, _no_cross)
    app.add_exception_handler(LayoutError, _no_layout)
    _add_board(app, desk)

    @app.get("/")
    async def page() -> FileResponse:
        return FileResponse(SERVER / "pages" / "calibrate.html")

    app.mount("/ui/i18n", StaticFiles(directory=SERVER / "i18n"), name="words")
    app.mount("/ui", StaticFiles(directory=SERVER / "static"), name="ui")
    return app


def _add_board(app: FastAPI, desk: Desk) -> None:
    jpeg = _jpeg(desk.photo)

    @app.get("/photo.jpg")
    async def picture() -> Response:
        return Response(jpeg, media_type="image/jpeg")

    @app.get("/api/photo")
    async def photo() -> dict[str, Any]:
        return {
            "name": desk.photo.path.name,
            "size": desk.photo.size_px,
            "nodes": NODES,
            "out": desk.out.name,
            "rows": desk.rows,
        }

    # Not async: a fit takes a second, and meanwhile the page shall still get its pictures and words.
    @app.post("/api/fit")
    def fit(asked: Corners) -> dict[str, Any]:
        found = survey(desk.photo, asked.corners)
        return _found(found, asked.corners, desk.size_mm)

    @app.post("/api/check")
    def check(asked: Corners) -> dict[str, bool]:
        checked(asked.corners, desk.photo.size_px)
        return {"ok": True}

    @app.post("/api/save", response_model=None)
    def save(asked: Drawn) -> dict[str, Any] | JSONResponse:
        checked(asked.corners, desk.photo.size_px)
        cross = Cross(dict(zip(NODES, asked.nodes, strict=True)), asked.round)
        try:
            keep(cross, desk.out, asked.size, sorted(set(asked.rows)), desk.photo.path.name)
        except OSError as error:
            return _refusal("file", {"file": desk.out.name, "text": error.strerror})
        desk.saved = True
        shown = " ".join(f"{x:.1f},{y:.1f}" for x, y in asked.corners)
        return {
            "file": str(desk.out),
            "command": f"macuil locate {desk.photo.path} --board {desk.out} --corners {shown}",
        }


def _found(fit: Fit, corners: Quad, size_mm: tuple[float, float] | None) -> dict[str, Any]:
    size = size_mm or usual_size(fit.cross)
    return {
        "nodes": [fit.cross.points[node] for node in NODES],
        "round": fit.cross.round_tips,
        "size": size,
        "arms": [
            {
                "arm": arm,
                "seen": found.seen,
                "lines": found.lines,
                "faint": found.faint,
                "mm": round(found.uneven * units(arm, fit.cross, corners, size)[0], 1),
                "px": round(found.uneven * units(arm, fit.cross, corners, size)[1], 1),
            }
            for arm, found in fit.arms.items()
        ],
    }


def _jpeg(photo: Photo) -> bytes:
    height, width = photo.image.shape[:2]
    shrink = min(1.0, SHOWN_PX / max(height, width))
    shown = cv2.resize(photo.image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]).tobytes()


async def _wrong_corners(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, CornersRefused)
    first, last = error.corners[0], error.corners[-1]
    return _refusal(error.fault, {"corner": first, "other": last})


async def _no_cross(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, NoCross)
    return _refusal(error.key, {})


async def _no_layout(_: Request, error: Exception) -> JSONResponse:
    return _refusal("layout", {"text": str(error)})


def _refusal(key: str, args: Mapping[str, object]) -> JSONResponse:
    return JSONResponse({"key": key, "args": args}, 422)
