"""docs/rules.md lists every key that a ruling can name."""

import re
from pathlib import Path
from random import Random

import pytest

from referee import match
from referee.board import Seat
from referee.games.patolli_presets import PRESETS
from referee.rules import Illegal, why
from tests.referee.play import booked, random_events

PROJECT = Path(__file__).parents[2]
READING = re.compile(r"R-[A-Z][A-Z0-9-]*[A-Z0-9]")


def documented() -> set[str]:
    lines = (PROJECT / "docs" / "rules.md").read_text(encoding="utf-8").splitlines()
    return {row[1] for line in lines if (row := re.match(r"\| `([^`]+)`", line))}


def test_the_readings_in_the_code_are_those_in_the_document() -> None:
    sources = (PROJECT / "referee").rglob("*.py")
    named = {reading for path in sources for reading in READING.findall(path.read_text(encoding="utf-8"))}
    assert named == {key for key in documented() if key.startswith("R-")}


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_key_that_play_brings_up_is_documented(preset: str) -> None:
    random, named = Random(4), set[str]()
    seats = (1, 3) if preset == "jade-coral" else (1, 2, 3, 4)
    stakes = None if preset == "jade-coral" else 3
    for _ in range(12):
        game = match.begin(match.start("patolli", preset, tuple(map(Seat, seats)), stakes=stakes))
        while game.phase != "over":
            events = random_events(game, random)
            named.update(why(events))
            if game.phase == "move":
                named.update(breach(game, random))
            game = booked(game, events)
    assert named - documented() == set()


def breach(game: match.Match, random: Random) -> tuple[str, ...]:
    """The reasons against some move, most likely an illegal one."""
    origin, target = (random.choice(["reserve", *map(str, range(1, 53))]) for _ in range(2))
    try:
        match.move(game, f"{origin}>{target if target != 'reserve' else 'home'}")
    except Illegal as illegal:
        return illegal.why
    return ()
