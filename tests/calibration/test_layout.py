"""Layout files: what the shipped ones say, and one clear line for each way a file can be wrong."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from calibration.layout import Chip, Layout, LayoutError, Rect, Tag, load, names
from calibration.outlines import clockwise, contains, gap, square

SMALL = """
name = "small"
game = "three in a row"
sheet = [200.0, 100.0]
cell_mm = 20.0
field = [10.0, 10.0, 40.0, 40.0]
place = [60.0, 10.0, 40.0, 30.0]
triangle_rows = [2]
tags = [
    { id = 8, centre = [125.0, 25.0], size = 30.0 },
    { id = 9, centre = [175.0, 25.0], size = 30.0 },
    { id = 10, centre = [125.0, 75.0], size = 30.0 },
]
chips = [{ centre = [70.0, 60.0], size = 10.0, rgb = [1, 2, 3] }]
ornaments = [{ kind = "words", text = "HERE", centre = [30.0, 80.0], size = 5.0, turn = 90.0 }]
cells = [
    { name = "1", centre = [20.0, 20.0], kind = "start", seat = 1, row = 1, led = 0 },
    { name = "2", centre = [40.0, 20.0], kind = "plain", row = 2, led = 1 },
    { name = "3", centre = [15.0, 45.0], kind = "tip", outline = [[10, 30], [10, 50], [30, 50]] },
]
"""


@pytest.fixture
def write(tmp_path: Path) -> Path:
    return tmp_path / "mine.toml"


def test_a_file_becomes_a_layout(write: Path) -> None:
    write.write_text(SMALL)
    board = load(write)
    assert (board.name, board.game, board.size_mm) == ("small", "three in a row", (200.0, 100.0))
    assert (board.field, board.place) == (Rect(10, 10, 40, 40), Rect(60, 10, 40, 30))
    assert board.tags == tuple(Tag(i, at, 30.0) for i, at in ((8, (125, 25)), (9, (175, 25)), (10, (125, 75))))
    assert board.chips == (Chip((70, 60), 10.0, (1, 2, 3)),)
    assert [(cell.name, cell.kind, cell.seat, cell.led, cell.row) for cell in board.cells] == [
        ("1", "start", 1, 0, 1),
        ("2", "triangle", None, 1, 2),
        ("3", "tip", None, None, None),
    ]
    assert board.cell("1").outline_mm == ((10, 10), (30, 10), (30, 30), (10, 30))
    assert board.cell("3").outline_mm == ((10, 30), (30, 50), (10, 50))  # turned with the clock


@pytest.fixture(scope="module")
def patolli() -> Layout:
    return load("patolli")


def test_patolli_has_the_cells_of_the_rules(patolli: Layout) -> None:
    kinds: dict[str, list[int]] = {}
    for cell in patolli.cells:
        kinds.setdefault(cell.kind, []).append(int(cell.name))
    assert [cell.name for cell in patolli.cells] == [str(number) for number in range(1, 53)]
    assert [cell.led for cell in patolli.cells] == list(range(52))
    del kinds["plain"]
    assert kinds == {  # RULES.md section 1
        "start": [1, 14, 27, 40],
        "tip": [6, 7, 19, 20, 32, 33, 45, 46],
        "triangle": [4, 9, 17, 22, 30, 35, 43, 48],
        "centre": [13, 26, 39, 52],
    }


def test_patolli_is_a_cross_around_its_middle(patolli: Layout) -> None:
    """Every cell turned by 90 degrees with the clock is the cell 13 further on the track."""

    def turn(point: tuple[float, float]) -> tuple[float, float]:
        return (210 - (point[1] - 200), 200 + (point[0] - 210))

    centres = [cell.centre_mm for cell in patolli.cells]
    expected = [turn(centre) for centre in centres[-13:] + centres[:-13]]
    assert [pytest.approx(centre, abs=0.011) for centre in expected] == centres


def test_patolli_has_eight_tags_of_30_mm(patolli: Layout) -> None:
    assert [(tag.id, tag.size_mm) for tag in patolli.tags] == [(number, 30.0) for number in range(8)]
    assert patolli.size_mm == (574.0, 400.0)


def test_other_triangle_rows_change_the_kinds(write: Path) -> None:
    shipped = Path("calibration/layouts/patolli.toml")
    write.write_text(
        (Path(__file__).parents[2] / shipped).read_text().replace("triangle_rows = [4]", "triangle_rows = [4, 5, 6]")
    )
    board = load(write)
    triangles = [int(cell.name) for cell in board.cells if cell.kind == "triangle"]
    assert triangles == [4, 5, 8, 9, 17, 18, 21, 22, 30, 31, 34, 35, 43, 44, 47, 48]
    assert board.cell("6").kind == "tip"  # a tip in a triangle row stays a tip and bears triangles


def test_every_shipped_layout_loads() -> None:
    assert names() == tuple(load(name).name for name in names())


def test_the_example_in_the_documentation_loads(write: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "layouts.md").read_text(encoding="utf-8")
    (example,) = page.split("```toml\n")[1:]
    write.write_text(example.split("```")[0], encoding="utf-8")
    board = load(write)
    assert (board.game, board.size_mm, board.field) == ("batok", (420.0, 220.0), Rect(15, 15, 175, 190))
    assert [cell.name for cell in board.cells] == [cell.name for cell in load("batok").cells]
    assert [cell.kind for cell in board.cells] == ["plain"] * 10 + ["centre"]
    assert len(board.cell("hole").outline_mm) == 8
    assert [(tag.id, tag.size_mm) for tag in board.tags] == [(8, 30.0), (9, 30.0), (10, 30.0)]


ROW_2 = '"2", centre = [40.0, 20.0]'
OUTLINE = "outline = [[10, 30], [10, 50], [30, 50]]"
TAG_8 = "id = 8, centre = [125.0, 25.0]"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "small"', 'name = "small"\ncolour = 3', "colour is not a known key; there are name, game, sheet, "
         "cell_mm, field, place, triangle_rows, tags, chips, ornaments, cells"),
        ('kind = "start"', 'colour = "red", kind = "start"',
         "cells[0]: colour is not a known key; there are name, centre, kind, seat, led, row, outline"),
        ("id = 8", "number = 8", "tags[0]: number is not a known key; there are id, centre, size"),
        ("rgb = [1, 2, 3]", "rgb = [1, 2, 3], ink = 1",
         "chips[0]: ink is not a known key; there are centre, size, rgb"),
        ('game = "three in a row"', "", 'game is missing; add a text like "patolli"'),
        ("sheet = [200.0, 100.0]", "", "sheet is missing; add a list of 2 numbers in square brackets"),
        ("cell_mm = 20.0", "", "cell_mm is missing; add a number from 5 to 200"),
        ('name = "small"', "name = 3", 'name must be a text in quotes, not 3; write for example name = "patolli"'),
        ("cell_mm = 20.0", 'cell_mm = "20"', "cell_mm must be a number, not '20'"),
        ("cell_mm = 20.0", "cell_mm = true", "cell_mm must be a number, not True"),
        ("cell_mm = 20.0", "cell_mm = nan", "cell_mm must be a number, not nan"),
        ("cell_mm = 20.0", "cell_mm = 1.0", "cell_mm must be from 5 to 200, not 1"),
        ("sheet = [200.0, 100.0]", "sheet = [1e9, 100.0]", "sheet must be from 50 to 2000, not 1e+09"),
        ("sheet = [200.0, 100.0]", "sheet = [200.0]",
         "sheet must be a list of 2 numbers in square brackets, not [200.0]"),
        ("field = [10.0, 10.0, 40.0, 40.0]", "field = [10.0, 10.0, 0.0, 40.0]",
         "field needs a width and a height above 0: [x, y, width, height]"),
        ("field = [10.0, 10.0, 40.0, 40.0]", "field = [180.0, 10.0, 40.0, 40.0]",
         "field does not fit on the sheet of 200 x 100 mm; move it or enlarge sheet"),
        ("led = 1 ", "led = 1.5 ", 'cell "2": led must be a whole number from 0 to 9999, not 1.5'),
        ("seat = 1", "seat = 7", 'cell "1": seat must be a whole number from 1 to 6, not 7'),
        ("id = 8", "id = 24", "tags[0]: id must be a whole number from 0 to 23, not 24"),
        ("rgb = [1, 2, 3]", "rgb = [1, 2, 256]", "chips[0]: rgb must be a whole number from 0 to 255, not 256"),
        ('kind = "start"', 'kind = "goal"',
         "cell \"1\": kind must be one of plain, start, tip, centre, not 'goal'"),
        ('kind = "plain"', 'kind = "triangle"',
         'cell "2": kind is "plain" here: which cells bear triangles, triangle_rows alone says'),
        ("triangle_rows = [2]", "triangle_rows = [7]", "triangle_rows must be a whole number from 1 to 6, not 7"),
        ("triangle_rows = [2]", "triangle_rows = [2, 5]", "triangle_rows names row 5, but no cell has row = 5"),
        ("triangle_rows = [2]", "triangle_rows = [2, 2]",
         "triangle_rows: row 2 is given twice; each may be used once"),
        ('name = "2"', 'name = "1"', "cells: name 1 is given twice; each may be used once"),
        ('name = "2"', 'name = "Ж"',
         "cells[1]: name has 'Ж', which the pen cannot write; use A-Z, 0-9 and ·.,:-/%"),
        ("led = 1 ", "led = 0 ", "cells: led 0 is given twice; each may be used once"),
        ("id = 9", "id = 8", "tags: id 8 is given twice; each may be used once"),
        (ROW_2, '"2", centre = [20.0, 20.0]', 'cell "1" and cell "2" overlap by 20.0 mm; move one of them'),
        (ROW_2, '"2", centre = [38.5, 20.0]', 'cell "1" and cell "2" overlap by 1.5 mm; move one of them'),
        (ROW_2, '"2", centre = [195.0, 70.0]',
         'cell "2" does not fit on the sheet of 200 x 100 mm; move it or enlarge sheet'),
        (ROW_2, '"2", centre = [40.0, 5.0]',
         'cell "2" does not fit on the sheet of 200 x 100 mm; move it or enlarge sheet'),
        (ROW_2, '"2", centre = [44.5, 20.0]', 'cell "2" leaves the field by 4.5 mm; move it inside or enlarge field'),
        ("field = [10.0, 10.0, 40.0, 40.0]", "field = [10.0, 10.0, 40.0, 38.0]",
         'cell "3" leaves the field by 2.0 mm; move it inside or enlarge field'),
        ("place = [60.0, 10.0, 40.0, 30.0]", "place = [60.0, 10.0, 140.5, 10.0]",
         "place does not fit on the sheet of 200 x 100 mm; move it or enlarge sheet"),
        ("place = [60.0, 10.0, 40.0, 30.0]", "place = [48.0, 10.0, 40.0, 30.0]",
         'cell "2" and place overlap by 2.0 mm; move one of them'),
        (TAG_8, "id = 8, centre = [25.0, 40.0]",
         'cell "1" and tag 8 with 7 mm of white overlap by 12.0 mm; move one of them'),
        (TAG_8, "id = 8, centre = [119.0, 25.0]",
         "place and tag 8 with 7 mm of white overlap by 3.0 mm; move one of them"),
        (TAG_8, "id = 8, centre = [125.0, 20.0]",
         "tag 8 with 7 mm of white does not fit on the sheet of 200 x 100 mm; move it or enlarge sheet"),
        (TAG_8, "id = 8, centre = [140.0, 25.0]",
         "tag 8 with 7 mm of white and tag 9 with 7 mm of white overlap by 9.0 mm; move one of them"),
        ("    { id = 10, centre = [125.0, 75.0], size = 30.0 },\n", "",
         "tags must be none or at least 3, better 8, not 2"),
        ("centre = [70.0, 60.0]", "centre = [70.0, 42.0]", "chips[0] and place overlap by 3.0 mm; move one of them"),
        (OUTLINE, "outline = [[10, 30], [30, 50], [10, 50], [30, 30]]",
         'cell "3": outline crosses itself; write the corners in the order in which one walks around the cell'),
        (OUTLINE, "outline = [[10, 30], [30, 30], [16, 36], [10, 50]]",
         'cell "3": outline has a dent; only convex cells can be read, so cut off what sticks out'),
        (OUTLINE, "outline = [[10, 30], [10, 50]]",
         'cell "3": outline needs at least three corners, each written once'),
        (OUTLINE, "outline = [[10, 30], [10, 40], [10, 50]]",
         'cell "3": outline encloses nothing; write the corners in millimetres'),
        (OUTLINE, "outline = [10, 30, 10, 50]",
         'cell "3": outline must be a list of points like [[10.0, 20.0], …], not 10 in it'),
        ('"3", centre = [15.0, 45.0]', '"3", centre = [28.0, 32.0]',
         'cell "3": centre lies outside the outline of the cell; move it inside'),
        ('kind = "words"', 'kind = "stars"', "ornaments[0]: kind must be one of flower, steps, beans, blanks, dots, "
         "ruler, words, not 'stars'"),
        ('kind = "words"', 'kind = "flower"',
         'ornaments[0]: text belongs to kind = "words", which cannot be without it, and to no other'),
        ('"HERE"', '"¿?"', "ornaments[0]: text has '¿', which the pen cannot write; use A-Z, 0-9 and ·.,:-/%"),
        (SMALL[SMALL.index("tags"):], "cells = 5", "cells must be a list in square brackets, not 5"),
        (SMALL[SMALL.index("tags"):], "cells = [5]", "cells[0] must be a table like { name = … }"),
        (SMALL[SMALL.index("place"):], "", "cells and place are both missing; a board needs at least one of them"),
    ],
)  # fmt: skip
def test_a_wrong_file_gets_one_line(write: Path, old: str, new: str, message: str) -> None:
    assert SMALL.count(old) == 1
    write.write_text(SMALL.replace(old, new), encoding="utf-8")
    with pytest.raises(LayoutError) as caught:
        load(write)
    assert str(caught.value) == f"{write}: {message}"


PATOLLI = (Path(__file__).parents[2] / "calibration" / "layouts" / "patolli.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("without", "message"),
    [
        ((17,), "cells lack 17 (1 of the 52 that patolli is played on); add them"),
        ((6, 13, 52), "cells lack 6, 13, 52 (3 of the 52 that patolli is played on); add them"),
        (range(40, 53), "cells lack 40, 41, 42, 43, 44, … (13 of the 52 that patolli is played on); add them"),
    ],
)
def test_a_board_lacks_cells_of_its_game(write: Path, without: Sequence[int], message: str) -> None:
    gone = tuple(f'    {{ name = "{number}", ' for number in without)
    write.write_text("\n".join(line for line in PATOLLI.splitlines() if not line.startswith(gone)), encoding="utf-8")
    with pytest.raises(LayoutError) as caught:
        load(write)
    assert str(caught.value) == f"{write}: {message}"


def test_a_board_may_leave_out_what_its_game_never_uses(write: Path) -> None:
    """Ludo goes around the edge and into the diagonals; the other squares inside only fill a chessboard."""
    chessboard = (Path(__file__).parents[2] / "calibration" / "layouts" / "ludo.toml").read_text(encoding="utf-8")
    write.write_text("\n".join(line for line in chessboard.splitlines() if '"d3"' not in line), encoding="utf-8")
    assert len(load(write).cells) == 63


def test_what_is_no_layout_at_all(tmp_path: Path) -> None:
    def said(source: str | Path) -> str:
        with pytest.raises(LayoutError) as caught:
            load(source)
        return str(caught.value)

    (tmp_path / "text.toml").write_text("a board, please")
    (tmp_path / "picture.toml").write_bytes(b"\x89PNG\xff")
    assert said("pachisi") == f"pachisi: no such layout; there are {', '.join(names())}, or write a path.toml"
    missing = tmp_path / "none.toml"
    assert said(missing) == f"{missing}: no such layout; there are {', '.join(names())}, or write a path.toml"
    assert said(tmp_path) == f"{tmp_path}: cannot be read (Is a directory)"
    assert said(tmp_path / "text.toml").startswith(f"{tmp_path / 'text.toml'}: not a TOML file: Expected '='")
    picture = tmp_path / "picture.toml"
    assert said(picture) == f"{picture}: not a TOML file: it is not UTF-8 text; see docs/layouts.md"


def test_outlines() -> None:
    unit = square((5.0, 5.0), 10.0)
    assert unit == ((0, 0), (10, 0), (10, 10), (0, 10))
    assert clockwise(((0, 0), (0, 10), (10, 10), (10, 0))) == unit
    assert [contains(unit, point) for point in ((5, 5), (0, 5), (-0.1, 5), (5, 10.1))] == [True, True, False, False]
    assert gap(unit, square((18.0, 5.0), 10.0)) == pytest.approx(3.0)
    assert gap(unit, square((12.0, 12.0), 10.0)) == pytest.approx(-3.0)
    diamond = ((16.0, 5.0), (21.0, 10.0), (16.0, 15.0), (11.0, 10.0))
    assert gap(unit, diamond) == pytest.approx(1.0)
    slanted = ((9.0, 3.0), (15.0, 9.0), (9.0, 15.0), (3.0, 9.0))
    assert gap(square((0.0, 0.0), 10.0), slanted) == pytest.approx(2**0.5)
