"""The data folder, opened: the journal and the table that goes on where the journal ends."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from calibration.layout import Layout
from referee.events import Started
from referee.rules import BadQuestion
from server.folder import Claim
from server.journal import Journal, JournalRefused
from server.table import Table


@dataclass(frozen=True, slots=True)
class Books:
    """The data folder, opened: what has happened so far."""

    claim: Claim
    journal: Journal
    table: Table
    told: str
    """One line for the people when the match is not the one that was asked for; else empty."""

    def close(self) -> None:
        """Let another Macuil have the folder."""
        self.journal.close()
        self.claim.close()


def open_books(folder: Path, address: str, layout: Layout, started: Started, *, new: bool = False) -> Books:
    """Open the data folder and go on with the match that was left unfinished in it, or begin one.

    Args:
        folder: the data folder.
        address: where this Macuil answers.
        layout: of the board on the table.
        started: the match to begin.
        new: begin it in any case.

    Raises:
        FolderRefused, JournalRefused: it cannot be used, another Macuil runs on it, or a newer one wrote it.
    """
    claim = Claim(folder, address)
    try:
        journal = Journal(folder)
    except JournalRefused:
        claim.close()
        raise
    told = journal.told
    try:
        table = Table(journal, layout, now=_now, log=journal.current())
    except BadQuestion as error:
        told = f"The last match cannot be gone on with ({error}); it stays in the journal and a new one begins."
        table = Table(journal, layout, now=_now)
    match = table.match
    if new or match is None or match.phase == "over" or match.started.game != layout.game:
        table.start(started)
    elif match.started != started:
        going = f"{match.started.preset}, seats {', '.join(map(str, match.started.seats))}"
        told = f"Going on with the unfinished match ({going}); it is not what was asked for: begin another at a page."
    return Books(claim, journal, table, told)


def _now() -> datetime:
    return datetime.now(UTC)
