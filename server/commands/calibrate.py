"""`macuil calibrate board PHOTO`: a layout of one's own board, from a photo or a drawing of its cross.

`macuil calibrate camera` is in calibrate_camera.py.
"""

import argparse
import contextlib
from pathlib import Path

import cv2
import uvicorn

from calibration.corners import CornersRefused, Quad
from calibration.cross import PRINTED_CELL_MM, ROWS, usual_size
from calibration.cross_fit import NoCross
from calibration.layout import SHEET_LIMIT_MM, LayoutError
from server.calibrate_page import Desk, create_page
from server.cli import Refused
from server.commands import calibrate_camera
from server.commands.locate import configure_corners, parse_corners
from server.new_file import check_new
from server.own_board import Photo, findings, keep, open_photo, survey
from server.serving import open_door
from vision.pictures import Unreadable

OUT = Path("my-board.toml")
SMALLEST_MM = 50.0


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare what can be calibrated."""
    what = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    board = what.add_parser("board", help="a photo or drawing of a Patolli-like cross becomes a layout")
    board.add_argument("photo", type=Path, metavar="PHOTO", help="a photo, scan or drawing of the whole board")
    configure_corners(board)
    board.add_argument("--out", type=Path, default=OUT, metavar="FILE.toml", help=f"the layout (default {OUT})")
    board.add_argument("--size", metavar="W,H", help="width and height between the corners in mm, as measured")
    board.add_argument("--triangle-rows", default="4", metavar="4,5", help="rows with triangles, from the centre (4)")
    board.add_argument("--host", default="127.0.0.1", help="without --corners: where the page is served")
    board.add_argument("--port", type=int, default=8506, help="of the page (default 8506; 0: any free one)")
    camera = what.add_parser("camera", help="the lens of a camera, from views of the page of macuil print charuco")
    calibrate_camera.configure(camera)


def run(arguments: argparse.Namespace) -> int:
    """Fit by the corners given, or serve the page on which they are dragged; or calibrate a camera."""
    if arguments.what == "camera":
        return calibrate_camera.run(arguments)
    cv2.setNumThreads(1)
    size_mm, rows = parse_size(arguments.size), parse_rows(arguments.triangle_rows)
    corners = parse_corners(arguments.corners)
    _check_out(arguments.out)
    try:
        photo = open_photo(arguments.photo)
    except Unreadable as error:
        raise Refused(f"{arguments.photo}: {error}") from error
    if corners is None:
        return _serve(Desk(photo, arguments.out, size_mm, rows), arguments.host, arguments.port)
    return _calibrate(photo, corners, arguments.out, size_mm, rows)


def parse_size(written: str | None) -> tuple[float, float] | None:
    """What ``--size`` says, if anything. Raises Refused."""
    if written is None:
        return None
    try:
        width, height = (float(part) for part in written.split(","))
    except ValueError:
        raise Refused(f"--size {written}: write W,H in millimetres, such as 420,420") from None
    if not all(SMALLEST_MM <= side <= SHEET_LIMIT_MM for side in (width, height)):
        raise Refused(f"--size {written}: a board is from {SMALLEST_MM:g} to {SHEET_LIMIT_MM:g} mm wide and high")
    return width, height


def parse_rows(written: str) -> tuple[int, ...]:
    """What ``--triangle-rows`` says, ascending; an empty text means none. Raises Refused."""
    try:
        rows = {int(part) for part in written.split(",") if part.strip()}
    except ValueError:
        rows = {0}
    if not rows <= set(range(1, ROWS + 1)):
        raise Refused(f"--triangle-rows {written}: name rows from 1, beside the centre, to {ROWS}, such as 4,5")
    return tuple(sorted(rows))


def _check_out(out: Path) -> None:
    if out.suffix != ".toml":
        raise Refused(f"--out {out}: a layout is a TOML file; end the name with .toml")
    check_new("--out", out)
    if not out.absolute().parent.is_dir():
        raise Refused(f"--out {out}: there is no such folder; make it, or choose another")


def _serve(desk: Desk, host: str, port: int) -> int:
    door = open_door(host, port)
    print(f"Open {door.tablet or door.here} and drag the board's corners. Ctrl+C ends.", flush=True)
    config = uvicorn.Config(
        create_page(desk), log_level="warning", timeout_graceful_shutdown=1, server_header=False, lifespan="off"
    )
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[door.socket])
    print(f"{desk.out}: {'saved' if desk.saved else 'nothing was saved'}")
    return 0


def _calibrate(
    photo: Photo, corners: Quad, out: Path, size_mm: tuple[float, float] | None, rows: tuple[int, ...]
) -> int:
    try:
        fit = survey(photo, corners)
        keep(fit.cross, out, size_mm, rows, photo.path.name)
    except CornersRefused as error:
        raise Refused(f"--corners: {error}") from error
    except (NoCross, LayoutError) as error:
        raise Refused(f"{photo.path}: {error}") from error
    except OSError as error:
        raise Refused(f"--out {out}: cannot be written ({error.strerror}); choose another place") from error
    size = size_mm or usual_size(fit.cross)
    print("\n".join(findings(fit, corners, size)))
    if size_mm is None:
        print(
            f"The board is taken to be {size[0]:.0f} x {size[1]:.0f} mm, as if its arms were "
            f"{2 * PRINTED_CELL_MM:.0f} mm broad; measure it and say --size W,H."
        )
    print(f"{out}: {'round' if fit.cross.round_tips else 'square'} tips, 52 cells; to see it read:")
    shown = " ".join(f"{x:g},{y:g}" for x, y in corners)
    print(f"  macuil locate {photo.path} --board {out} --corners {shown}")
    return 0
