"""What the pages draw with: the board in millimetres, and what was read in the camera's pixels."""

from typing import Any

from calibration.layout import Layout, Rect
from referee.observation import ThrowSeen
from vision.overlay import Overlay

Json = dict[str, Any]


def board(layout: Layout) -> Json:
    """A layout, in millimetres from the top left corner of the sheet."""
    return {
        "name": layout.name,
        "game": layout.game,
        "sheet": list(layout.size_mm),
        "field": _rect(layout.field),
        "place": _rect(layout.place) if layout.place else None,
        "cells": [
            {
                "name": cell.name,
                "centre": list(cell.centre_mm),
                "outline": [list(point) for point in cell.outline_mm],
                "kind": cell.kind,
                "seat": None if cell.seat is None else str(cell.seat),
                "led": cell.led,
            }
            for cell in layout.cells
        ],
    }


def overlay(seen: Overlay | None) -> Json | None:
    """What was read, in whole pixels of the frame: a page needs no finer, and a resting picture makes no news."""
    if seen is None:
        return None
    return {
        "size": list(seen.size_px),
        "board": [_point(corner) for corner in seen.board] if seen.board else None,
        "field": [_point(corner) for corner in seen.field] if seen.field else None,
        "place": [_point(corner) for corner in seen.place] if seen.place else None,
        "pieces": [{"cell": cell, "seat": str(seat), "x": round(x), "y": round(y)} for cell, seat, x, y in seen.pieces],
        "throw": _throw(seen.throw) if seen.throw else [],
    }


def _throw(seen: ThrowSeen) -> list[Json]:
    beans = [{"x": round(bean.centre_px[0]), "y": round(bean.centre_px[1]), "face": bean.face} for bean in seen.beans]
    boxes = [(die.box_px, die.value) for die in seen.dice]
    return beans + [{"x": round(x + w / 2), "y": round(y + h / 2), "value": value} for (x, y, w, h), value in boxes]


def _point(corner: tuple[float, float]) -> list[int]:
    return [round(corner[0]), round(corner[1])]


def _rect(rect: Rect) -> list[float]:
    return [rect.x_mm, rect.y_mm, rect.width_mm, rect.height_mm]
