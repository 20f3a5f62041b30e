"""The board as a picture, and the same drawing through all three printers."""

import math
import re
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from calibration.board import GROUNDS
from calibration.inks import SEATS, STONE
from calibration.layout import Layout, load
from calibration.outlines import Point
from calibration.paper import pages
from calibration.raster import png, raster
from calibration.sheets import sheet, top_view
from calibration.tags import dictionary, modules
from calibration.vector import pdf, svg
from referee.board import Seat

Picture = NDArray[np.uint8]
Corners = NDArray[np.float64]


@pytest.fixture(scope="module")
def patolli() -> Layout:
    return load("patolli")


def found(picture: Picture, px_per_mm: float) -> dict[int, Corners]:
    """Tags as OpenCV's own detector finds them, corners in millimetres."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary(), parameters).detectMarkers(picture)
    if ids is None:
        return {}
    places = [(np.asarray(quad, np.float64).reshape(4, 2) + 0.5) / px_per_mm for quad in corners]
    return dict(zip((int(number) for number in np.ravel(ids)), places, strict=True))


def printed(board: Layout) -> dict[int, Corners]:
    return {tag.id: np.asarray(tag.corners_mm) for tag in board.tags}


def worst_mm(seen: dict[int, Corners], drawn: dict[int, Corners]) -> float:
    assert sorted(seen) == sorted(drawn)
    return max(float(np.abs(seen[number] - drawn[number]).max()) for number in drawn)


@pytest.mark.parametrize("px_per_mm", [1.2, 2.0, 3.0])
def test_every_tag_is_found_and_no_other(patolli: Layout, px_per_mm: float) -> None:
    view = top_view(patolli, px_per_mm)
    assert view.shape == (round(400 * px_per_mm), round(574 * px_per_mm), 3)
    assert sorted(found(view, px_per_mm)) == list(range(8))


def test_tags_lie_in_the_picture_where_the_layout_says(patolli: Layout) -> None:
    assert worst_mm(found(top_view(patolli, 6.0), 6.0), printed(patolli)) < 0.1


@pytest.mark.parametrize("name", ["patolli", "tray"])
def test_tags_have_7_mm_of_pure_white(name: str) -> None:
    board = load(name)
    view = top_view(board, 4.0)
    for tag in board.tags:
        x, y = (round(4 * side) for side in tag.centre_mm)
        reach, black = round(4 * (tag.size_mm / 2 + 7)) - 1, round(4 * tag.size_mm / 2) + 1
        square = view[y - reach : y + reach, x - reach : x + reach].copy()
        square[reach - black : reach + black, reach - black : reach + black] = 255
        assert int(square.min()) == 255


def test_the_throwing_place_is_one_colour(patolli: Layout) -> None:
    place = patolli.place
    assert place is not None
    view = top_view(patolli, 2.0)
    left, top = round(2 * place.x_mm) + 1, round(2 * place.y_mm) + 1
    inside = view[top : top + round(2 * place.height_mm) - 2, left : left + round(2 * place.width_mm) - 2]
    assert np.unique(inside.reshape(-1, 3), axis=0).tolist() == [list(STONE[::-1])]


def test_chips_are_printed_in_their_colour(patolli: Layout) -> None:
    view = top_view(patolli, 2.0)
    middles = [view[round(2 * chip.centre_mm[1]), round(2 * chip.centre_mm[0])] for chip in patolli.chips]
    assert [tuple(int(level) for level in bgr[::-1]) for bgr in middles] == [chip.rgb for chip in patolli.chips]


def lab(rgb: ArrayLike) -> NDArray[np.float32]:
    """CIE L*a*b* of sRGB levels from 0 to 255, shape (n, 3)."""
    levels = np.asarray(np.asarray(rgb, np.float32) / 255, np.float32).reshape(1, -1, 3)
    return np.asarray(cv2.cvtColor(levels, cv2.COLOR_RGB2LAB), np.float32).reshape(-1, 3)


def inside(board: Layout, name: str, view: Picture, scale: float) -> Picture:
    """What is printed in a cell under a piece: the colours within 7 mm of its centre."""
    x, y = board.cell(name).centre_mm
    disc = np.zeros(view.shape[:2], np.uint8)
    cv2.circle(disc, (round(x * scale), round(y * scale)), round(7 * scale), 255, -1)
    return np.asarray(view[disc > 0], np.uint8)


@pytest.mark.parametrize("seat", SEATS)
def test_pieces_stand_out_from_every_ground(seat: Seat) -> None:
    """CIE76 distance; 20 is asked for, the pale grounds give twice that."""
    piece = lab([SEATS[seat]])
    grounds = lab(list(GROUNDS.values()))
    assert float(np.linalg.norm(grounds - piece, axis=1).min()) > 40


def test_pieces_stand_out_from_what_is_painted_in_the_cells(patolli: Layout) -> None:
    view = top_view(patolli, 2.0)
    pieces = lab(list(SEATS.values()))
    like_a_piece = {}
    for cell in patolli.cells:
        colours = lab(inside(patolli, cell.name, view, 2.0)[:, ::-1])
        distances = np.linalg.norm(colours[:, None] - pieces[None], axis=2)
        like_a_piece[cell.name] = float((distances.min(axis=1) < 20).mean())
    assert max(like_a_piece.values()) < 0.06  # where an ink line blends into a mark


def test_start_cells_bear_their_seats_marks_and_no_other_cell_does(patolli: Layout) -> None:
    view = top_view(patolli, 2.0)
    ground = np.asarray(GROUNDS["plain"][::-1])
    marked = [
        cell.name
        for cell in patolli.cells
        if cell.kind in ("plain", "start")
        and np.abs(view[round(2 * cell.centre_mm[1]), round(2 * cell.centre_mm[0])].astype(int) - ground).max() > 8
    ]
    assert marked == ["1", "14", "27", "40"]


def test_the_bits_of_a_tag_are_those_of_opencv() -> None:
    predefined = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number in range(24):
        drawn = np.asarray(cv2.aruco.generateImageMarker(predefined, number, 6)) > 127
        assert np.array_equal(modules(number), drawn)


def svg_tags(document: str) -> dict[int, Corners]:
    """The black squares of an SVG, by the order in which they are painted."""
    squares = re.findall(r'<path d="M([^MZ"]+)Z" fill="#000000"/>', document)
    return {
        number: np.asarray([[float(level) for level in pair.split(",")] for pair in square.split()])
        for number, square in enumerate(squares)
    }


def test_the_svg_has_the_tags_where_the_layout_says(patolli: Layout) -> None:
    document = svg(sheet("patolli"))
    assert 'width="574mm" height="400mm" viewBox="0 0 574 400"' in document
    assert worst_mm(svg_tags(document), printed(patolli)) < 0.001


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="pdftoppm (poppler-utils) is not installed")
@pytest.mark.parametrize("paper", ["A4", "letter"])
def test_the_pdf_has_the_tags_where_the_layout_says(patolli: Layout, tmp_path: Path, paper: str) -> None:
    """Each page as an independent program draws it, its tags put back where the page belongs."""
    drawing, dpi = sheet("patolli"), 150
    scale = dpi / 25.4
    (tmp_path / "board.pdf").write_bytes(pdf(drawing, paper))
    subprocess.run(["pdftoppm", "-r", str(dpi), "-png", "board.pdf", "page"], cwd=tmp_path, check=True)
    plan, pictures = pages(drawing, paper), sorted(tmp_path.glob("page-*.png"))
    assert len(pictures) == len(plan)
    seen: dict[int, Corners] = {}
    for page, path in zip(plan, pictures, strict=True):
        picture = np.asarray(cv2.imread(str(path)), np.uint8)
        assert math.isclose(picture.shape[1] / scale, page.size_mm[0], abs_tol=0.3)
        seen |= {number: corners - page.origin_mm for number, corners in found(picture, scale).items()}
    assert worst_mm(seen, printed(patolli)) < 0.15


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="pdftoppm (poppler-utils) is not installed")
def test_pdf_and_png_are_the_same_picture(tmp_path: Path) -> None:
    drawing, dpi = sheet("patolli"), 100
    (tmp_path / "board.pdf").write_bytes(pdf(drawing, "A2"))
    subprocess.run(["pdftoppm", "-r", str(dpi), "-png", "board.pdf", "page"], cwd=tmp_path, check=True)
    page = pages(drawing, "A2")[0]
    paper = np.asarray(cv2.imread(str(next(tmp_path.glob("page-*.png")))), np.uint8)
    left, top = (origin * dpi / 25.4 for origin in page.origin_mm)
    view = raster(drawing, dpi / 25.4)
    shift = np.asarray([[1, 0, -left], [0, 1, -top]], np.float32)
    there = cv2.warpAffine(paper, shift, (view.shape[1], view.shape[0]), flags=cv2.INTER_LINEAR)
    blurred = [cv2.GaussianBlur(picture, (0, 0), 2.0).astype(int) for picture in (there, view)]
    differing = np.abs(blurred[0] - blurred[1])[8:-8, 8:-8].max(axis=2) > 40
    assert float(differing.mean()) < 0.001


def test_the_same_drawing_gives_the_same_bytes() -> None:
    first, second = sheet("patolli"), sheet("patolli")
    assert pdf(first, "A4") == pdf(second, "A4")
    assert svg(first) == svg(second)
    assert png(first, 40) == png(second, 40)


def test_a_png_knows_its_real_size(tmp_path: Path) -> None:
    content = png(sheet("tray"), 150)
    assert content[37:41] == b"pHYs"
    assert int.from_bytes(content[41:45], "big") == round(150 / 0.0254)
    decoded = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert decoded.shape == (round(268 * 150 / 25.4), round(200 * 150 / 25.4), 3)


@pytest.mark.parametrize(("name", "ids"), [("tray", range(20, 24)), ("tags", range(20))])
def test_tray_and_loose_tags_are_found(name: str, ids: range) -> None:
    assert sorted(found(raster(sheet(name), 3.0), 3.0)) == list(ids)


@pytest.mark.parametrize("name", ["patolli", "tray", "tags", "charuco"])
def test_every_sheet_bears_a_ruler_of_100_mm(name: str) -> None:
    def is_ruler(lines: tuple[tuple[Point, ...], ...]) -> bool:
        (left, right), *marks = lines
        return len(marks) == 11 and math.isclose(math.dist(left, right), 100, abs_tol=1e-9)

    strokes = [shape.rings for shape in sheet(name).shapes if not shape.closed and len(shape.rings[0]) == 2]
    assert sum(is_ruler(lines) for lines in strokes) == 1
