"""`macuil print`: boards, trays and tags to print."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from calibration.drawing import Drawing
from calibration.layout import LayoutError
from calibration.paper import PAPERS, pages
from calibration.raster import png
from calibration.sheets import names, sheet
from calibration.vector import pdf, svg
from server.cli import Refused
from server.new_file import check_new, write_new

DPI = range(30, 601)


def configure(parser: ArgumentParser) -> None:
    """Name the arguments."""
    parser.add_argument("sheet", help=f"{', '.join(names())}, or a layout file .toml")
    parser.add_argument("--paper", help=f"{', '.join(PAPERS)}; for PDF (default A4)")
    parser.add_argument("--out", required=True, metavar="FILE", help="FILE.pdf, FILE.svg or FILE.png")
    parser.add_argument("--dpi", type=int, default=150, help="of a PNG, 30 to 600 (default 150)")


def run(arguments: Namespace) -> int:
    """Write one file, whole or not at all."""
    out = Path(arguments.out)
    paper = {name.lower(): name for name in PAPERS}.get((arguments.paper or "A4").lower())
    if paper is None:
        raise Refused(f"--paper {arguments.paper}: there are {', '.join(PAPERS)}")
    if arguments.dpi not in DPI:
        raise Refused(f"--dpi {arguments.dpi}: must be from {DPI[0]} to {DPI[-1]}")
    if out.suffix.lower() not in (".pdf", ".svg", ".png"):
        raise Refused(f"--out {out}: cannot tell what to write; end the name with .pdf, .svg or .png")
    check_new("--out", out)
    try:
        drawing = sheet(arguments.sheet)
    except LayoutError as error:
        raise Refused(str(error)) from error
    content, what = _content(drawing, out.suffix.lower(), paper, arguments.dpi)
    write_new("--out", out, content)
    whole = f"; --paper {paper} is for PDF: this is the whole sheet, to be printed at its size"
    print(f"{out}: {what}{whole if arguments.paper and out.suffix.lower() != '.pdf' else ''}")
    return 0


def _content(drawing: Drawing, suffix: str, paper: str, dpi: int) -> tuple[bytes, str]:
    size = f"{drawing.size_mm[0]:g} x {drawing.size_mm[1]:g} mm"
    if suffix == ".svg":
        return svg(drawing).encode(), size
    if suffix == ".png":
        return png(drawing, dpi), f"{size} at {dpi} dpi"
    sheets = pages(drawing, paper)
    if len(sheets) == 1:
        return pdf(drawing, paper), f"{size} on 1 sheet of {paper}; print at 100 %"
    plan = f"{sheets[0].columns} across and {sheets[0].rows} down"
    return pdf(drawing, paper), f"{size} on {len(sheets)} sheets of {paper}, {plan}; print at 100 %, cut at the marks"
