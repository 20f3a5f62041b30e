"""Why the camera books nothing just now."""

from collections.abc import Mapping

from referee.observation import Plight
from server.table import Table

BLIND: Mapping[Plight, str] = {"board moved": "board_moved", "dark": "too_dark", "bright": "too_bright"}
"""What is said of each plight under which nothing is read: the keys of messages."""
LAID_OUT: frozenset[Plight] = frozenset({"board moved"})
"""Those that mean nothing before the first match, while a board is only being laid out."""


def unwatched(table: Table, *, ended: bool) -> str | None:
    """Why nothing is booked, as a message's key; None while it is.

    Args:
        table: which is watched.
        ended: whether that was through a recording that has ended.
    """
    if ended:
        return "recording_ended"
    if table.state == "lost":
        return f"board_{table.refusal.replace(' ', '_')}" if table.refusal else "camera_lost"
    told = (plight for plight in BLIND if plight in table.plights and (table.match or plight not in LAID_OUT))
    return next((BLIND[plight] for plight in told), None)
