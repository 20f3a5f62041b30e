"""Ways to play a drawn evening, for processes that tests start: short ones, and some that go wrong."""

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.board import Seat
from referee.observation import BeanSeen, DieSeen, ThrowSeen
from server.evening import Eyes, Played, play
from server.evenings import drawn
from tests.vision.synthetic.knowing import KnowingEyes
from vision.synthetic.arm import BRISK
from vision.synthetic.mistakes import Clumsiness, Fault

BOOKINGS = 5

Each = Callable[[int], None]


class DoubtingEyes(KnowingEyes):
    """They see what lies there and are never certain of it."""

    def seen(self) -> ThrowSeen:
        """The throw, blurred; an empty place is no throw."""
        seen = super().seen()
        return seen if seen.kind == "none" else replace(seen, certain=False, plights=("blurred",))


class LyingEyes(KnowingEyes):
    """Certain of something else than what lies there."""

    def seen(self) -> ThrowSeen:
        """The throw with its first bean or die turned over."""
        seen = super().seen()
        return replace(
            seen,
            beans=tuple(_turned(bean) if i == 0 else bean for i, bean in enumerate(seen.beans)),
            dice=tuple(_rolled(die) if i == 0 else die for i, die in enumerate(seen.dice)),
        )


def shortly(seed: int, whole: bool, each: Each, *, eyes: Eyes = KnowingEyes) -> Played:
    """The evening of that seed, for a few bookings."""
    evening = replace(drawn(seed, whole=whole), longest=BOOKINGS, tempo=BRISK, clumsiness=Clumsiness())
    with TemporaryDirectory() as folder:
        return play(evening, Path(folder), eyes=eyes, each=each)


def misread(seed: int, whole: bool, each: Each) -> Played:
    """The same; the throws are read wrongly."""
    return shortly(seed, whole, each, eyes=LyingEyes)


def told(seed: int, whole: bool, each: Each) -> Played:
    """Nobody plays: this is said to have come of it."""
    each(7 + seed)
    faults = (Fault("illegal", 3.0, "4>9", answered=True), Fault("illegal", 9.0, "5>9", answered=seed != 3))
    questions = ("at 5.0 s: 4>7: move None",) * (seed == 4)
    return Played(
        seed=seed,
        game="patolli",
        preset="quick",
        seats=(Seat(1), Seat(3)),
        finished=seed != 5,
        stopped=not whole,
        wrong=None,
        same_end=seed != 6,
        balanced=seed != 7,
        bookings=40,
        throws=12,
        faults=faults,
        questions=questions,
        frames=900,
        seconds=60.0,
    )


def breaking(seed: int, whole: bool, each: Each) -> Played:
    """A fault of the program in every evening, the death of the process in odd ones."""
    if seed % 2:
        os._exit(7)
    raise LookupError(f"nothing stands on {seed}")


def endless(seed: int, whole: bool, each: Each) -> Played:
    """Never over."""
    each(1)
    while True:
        time.sleep(0.1)


def _turned(bean: BeanSeen) -> BeanSeen:
    return replace(bean, face="plain" if bean.face == "marked" else "marked")


def _rolled(die: DieSeen) -> DieSeen:
    return replace(die, value=None if die.value is None else die.value % 6 + 1)
