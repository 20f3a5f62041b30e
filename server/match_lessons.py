"""Confirmed throws from the table's own matches: what the camera booked and people let stand, or put right."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from referee import match as matches
from referee.events import Redone, Started, Thrown, Undone
from referee.match import Match
from referee.registry import GAMES
from referee.rules import BadQuestion, Needs
from referee.throws import Throw
from server.journal import Entry, JournalRefused, read_pictured
from server.lessons import BadLessons, Confirmed
from vision.camera import Image

LATEST = 60
"""Throws at most: the beans, the light and the camera of long ago were others."""


def match_lessons(journal: Path) -> tuple[Needs, tuple[Confirmed, ...]]:
    """Throws with pictures, of the latest game and earlier ones that are thrown alike.

    Raises:
        BadLessons: there is no journal, it cannot be read, or no picture was kept in it.
    """
    if not journal.is_file():
        raise BadLessons(f"{journal}: there is no journal yet; play a match first, or name its folder with --data")
    try:
        games, pictures = read_pictured(journal, LATEST)
        known = [(_needs(entries), confirmed(entries)) for entries in games]
    except (JournalRefused, BadQuestion, ValueError) as error:
        raise BadLessons(str(error)) from error
    if not known:
        raise BadLessons(f"{journal}: the camera has read no throw of which a picture was kept")
    needs = known[-1][0]
    throws = {id_: throw for others, truth in known if others == needs for id_, throw in truth.items()}
    return needs, tuple(
        Confirmed(f"throw {id_}", throw, partial(_decoded, id_, pictures[id_]))
        for id_, throw in sorted(throws.items())
        if id_ in pictures
    )


def confirmed(entries: Iterable[Entry]) -> dict[int, Throw]:
    """What each throw was that the camera booked in one game, by the number of its entry.

    A throw that people corrected counts as what they said; one that was only taken back is left out, for nobody said
    what it was.
    """
    truth: dict[int, Throw] = {}
    camera: dict[int, int] = {}
    """For each standing or corrected throw the camera's own entry."""
    known: dict[int, Entry] = {}
    match: Match | None = None
    lost: tuple[int, object] | None = None
    for entry in entries:
        event, before = entry.event, match
        if isinstance(event, Started):
            match = matches.begin(event)
            continue
        assert before is not None
        match = matches.after(before, event)
        if isinstance(event, Thrown):
            known[id(event)] = entry
            if event.source == "camera":
                camera[entry.id] = entry.id
            elif lost and lost[1] == entry.at:  # booked together: a correction, not another throw
                camera[entry.id] = lost[0]
            if entry.id in camera:
                truth[camera[entry.id]] = event.throw
        elif isinstance(event, Undone | Redone) and before.thrown is not match.thrown:
            thrown = before.thrown if isinstance(event, Undone) else match.thrown
            of = camera.get(known[id(thrown)].id) if thrown else None
            if of is not None and isinstance(event, Undone):
                truth.pop(of, None)
                lost = (of, entry.at)
                continue
            if of is not None and thrown:
                truth[of] = thrown.throw
        lost = None
    return truth


def _needs(entries: tuple[Entry, ...]) -> Needs:
    started = entries[0].event
    assert isinstance(started, Started)
    return GAMES[started.game].needs


def _decoded(id_: int, jpeg: bytes) -> Image:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise BadLessons(f"throw {id_}: its picture in the journal is damaged")
    return np.asarray(image, np.uint8)
