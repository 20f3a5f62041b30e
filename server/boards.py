"""The boards that people name, by name or by file."""

from calibration.layout import Layout, LayoutError, load, names
from server.cli import Refused


def named_board(flag: str, source: str, besides: tuple[str, ...] = ()) -> Layout:
    """The board of that name or file.

    Args:
        flag: by which it is named.
        source: a layout that comes with Macuil, or the path of a TOML.
        besides: what else may be said there.

    Raises:
        Refused: there is none, it cannot be read, or it has no cells: a tray is no board.
    """
    try:
        layout = load(source)
    except LayoutError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            raise Refused(f"{flag} {source}: there is no such board; {_known(besides)}") from error
        raise Refused(f"{flag} {error}") from error
    if not layout.cells:
        raise Refused(f"{flag} {source}: has no cells for pieces to stand on; {_known(besides)}")
    return layout


def _known(besides: tuple[str, ...]) -> str:
    boards = (name for name in names() if load(name).cells)
    return f"there are {', '.join(sorted((*boards, *besides)))}, or name a file such as my-board.toml"
