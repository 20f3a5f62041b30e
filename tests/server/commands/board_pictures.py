"""Pictures of Patolli's board with pieces on it, as files."""

from pathlib import Path

import cv2

from calibration.inks import SEATS
from calibration.layout import Layout, load
from referee.board import Cell, Seat
from tests.vision.scene import Scene, View, lit
from vision.camera import Image

LAYOUT = load("patolli")
VIEW = View(tilt_deg=25)
STANDING: dict[Cell, Seat] = {"4": Seat(1), "13": Seat(3), "30": Seat(3), "43": Seat(4)}


def written(path: Path, image: Image) -> Path:
    """The picture as a file."""
    assert cv2.imwrite(str(path), image)
    return path


def board(standing: dict[Cell, Seat], layout: Layout = LAYOUT) -> Image:
    """The board with these pieces."""
    scene = Scene(layout, VIEW)
    picture = scene.empty()
    for cell, seat in standing.items():
        scene.solid(picture, LAYOUT.cell(cell).centre_mm, SEATS[seat], 8.5, 8.0)
    return lit(picture, 0.9)
