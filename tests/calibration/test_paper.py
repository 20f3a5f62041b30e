"""Sheets of paper: the parts cover the drawing exactly, fit the printer and cut no tag."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from calibration.outlines import bounds
from calibration.paper import MARGIN_MM, PAPERS, cuts, marks, pages
from calibration.sheets import sheet


@pytest.mark.parametrize(
    ("name", "paper", "size_mm", "columns", "rows"),
    [
        ("patolli", "A4", (297.0, 210.0), 2, 2),
        ("patolli", "A3", (297.0, 420.0), 2, 1),
        ("patolli", "A2", (594.0, 420.0), 1, 1),
        ("patolli", "letter", (279.4, 215.9), 3, 2),
        ("tray", "A4", (210.0, 297.0), 1, 1),
        ("tray", "letter", (215.9, 279.4), 1, 1),
        ("tags", "A4", (210.0, 297.0), 1, 1),
        ("tags", "letter", (215.9, 279.4), 1, 1),
    ],
)
def test_fewest_sheets(name: str, paper: str, size_mm: tuple[float, float], columns: int, rows: int) -> None:
    plan = pages(sheet(name), paper)
    assert {(page.size_mm, page.columns, page.rows) for page in plan} == {(size_mm, columns, rows)}
    assert [(page.row, page.column) for page in plan] == [(r + 1, c + 1) for r in range(rows) for c in range(columns)]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", ["patolli", "tray", "tags"])
def test_parts_cover_the_drawing_once_and_cut_no_tag(name: str, paper: str) -> None:
    drawing = sheet(name)
    plan = pages(drawing, paper)
    width, height = drawing.size_mm
    assert sum(page.part.width_mm * page.part.height_mm for page in plan) == pytest.approx(width * height)
    rows = [[page.part for page in plan if page.row == row] for row in range(1, plan[0].rows + 1)]
    for row in rows:
        assert [part.x_mm + part.width_mm for part in row] == [*(part.x_mm for part in row[1:]), width]
        assert {(part.y_mm, part.height_mm) for part in row} == {(row[0].y_mm, row[0].height_mm)}
    assert [row[0].y_mm + row[0].height_mm for row in rows] == [*(row[0].y_mm for row in rows[1:]), height]
    for page in plan:
        left, top = (page.origin_mm[0] + page.part.x_mm, page.origin_mm[1] + page.part.y_mm)
        assert min(left, top) >= MARGIN_MM - 1e-9
    for tag in drawing.whole:
        left, top, right, bottom = bounds(tag)
        assert any(
            page.part.x_mm <= left
            and right <= page.part.x_mm + page.part.width_mm
            and page.part.y_mm <= top
            and bottom <= page.part.y_mm + page.part.height_mm
            for page in plan
        )


def test_marks_stay_on_the_paper_and_off_the_drawing() -> None:
    for page in pages(sheet("patolli"), "A4"):
        points = [point for shape in marks(page) for ring in shape.rings for point in ring]
        left, top, right, bottom = bounds(points)
        assert left > 0
        assert top > 0
        assert right < page.size_mm[0]
        assert bottom < page.size_mm[1]
        edge = (5.0, 5.0, page.size_mm[0] - 5, page.size_mm[1] - 5)
        assert not [p for p in points if edge[0] < p[0] < edge[2] and edge[1] < p[1] < edge[3]]


def test_a_cut_moves_aside_for_a_tag() -> None:
    assert cuts(300.0, 200.0, []) == (0.0, 150.0, 300.0)
    assert cuts(300.0, 200.0, [(140.0, 155.0)]) == (0.0, 155.0, 300.0)
    assert cuts(300.0, 150.0, [(140.0, 155.0)]) == (0.0, 100.0, 200.0, 300.0)  # two parts cannot do it
    assert cuts(100.0, 100.0, []) == (0.0, 100.0)


def test_tags_that_leave_no_room_are_cut() -> None:
    assert cuts(300.0, 150.0, [(0.0, 160.0), (140.0, 300.0)]) == (0.0, 150.0, 300.0)


@given(
    length=st.floats(10, 2000),
    longest=st.floats(60, 600),
    starts=st.lists(st.floats(0, 1950), max_size=8),
)
@example(length=1620.0269583923828, longest=60.0, starts=[0.0, 16.0])  # its last edge was 3e-13 mm short
def test_cuts_for_any_drawing(length: float, longest: float, starts: list[float]) -> None:
    whole = [(start, start + 45.0) for start in starts]
    edges = cuts(length, longest, whole)
    assert (edges[0], edges[-1]) == (0.0, length)
    assert all(0 < right - left <= longest + 1e-6 for left, right in pairwise(edges))
    room = all(second >= first + 45.0 for first, second in pairwise(sorted(starts)))
    through = [edge for edge in edges[1:-1] if any(start < edge < end for start, end in whole)]
    assert not (room and through)
