"""docs/rules.md lists every key that a ruling can name."""

import re
from pathlib import Path
from random import Random

import pytest

from referee import match
from referee.board import Seat
from referee.events import Corrected, Undone
from referee.notation_game import log
from referee.notation_position import parse_position
from referee.notation_text import parse_game
from referee.registry import GAMES
from referee.rules import why
from referee.throws import Beans
from tests.referee.play import booked
from tests.referee.tables import random_act

PROJECT = Path(__file__).parents[2]
READING = re.compile(r"R-[A-Z][A-Z0-9-]*[A-Z0-9]")


def documented() -> set[str]:
    lines = (PROJECT / "docs" / "rules.md").read_text(encoding="utf-8").splitlines()
    return {row[1] for line in lines if (row := re.match(r"\| `([^`]+)`", line))}


def test_the_readings_in_the_code_are_those_in_the_document() -> None:
    sources = (PROJECT / "referee").rglob("*.py")
    named = {reading for path in sources for reading in READING.findall(path.read_text(encoding="utf-8"))}
    assert named == {key for key in documented() if key.startswith("R-")}


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_key_that_play_brings_up_is_documented(name: str) -> None:
    random, named = Random(4), set[str]()
    staked = {"patolli": 3, "ludo": 3}.get(name)
    for preset in GAMES[name].presets * 6:
        stakes = None if preset == "jade-coral" else staked
        game, tried = match.begin(match.start(name, preset, (Seat(1), Seat(3)), stakes=stakes)), set[str]()
        while game.phase != "over":
            events = random_act(game, random)
            named.update(why(event for event in events if not isinstance(event, Undone | Corrected)))
            if game.phase == "move":
                tried.update(game.legal)
                breach = match.breach(game, random.choice(sorted(tried)))
                named.update(breach.why if breach else ())
            game = booked(game, events)
    assert named - documented() == set()
    assert len(named) > 8


def test_a_breach_says_all_that_a_sentence_needs() -> None:
    started = match.start("patolli", "jade-coral", (Seat(1), Seat(3)))
    game = match.begin(started)
    for throw, move in ((1, "reserve>1"), (1, "reserve>27"), (2, "1>3")):
        game = booked(game, match.throw(game, Beans(throw)))
        game = booked(game, match.move(game, move))
    game = booked(game, match.correct(game, {"3": (Seat(1),), "2": (Seat(3),)}, "Ana"))
    game = booked(game, match.throw(game, Beans(1)))
    assert match.breach(game, "2>3") == match.Breach("2>3", ("blocked",), ("2", "3"), (Seat(1),), ("reserve>27",))
    assert match.breach(game, "reserve>27") is None


def test_the_written_examples_can_be_read_and_played() -> None:
    text = (PROJECT / "docs" / "rules.md").read_text(encoding="utf-8")
    positions, game = re.findall(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    for line in positions.splitlines():
        read = parse_position(line)
        loaded = GAMES[read.game].load(read.preset, read.state, read.options)
        assert GAMES[read.game].dump(loaded) == read.state
    last = match.replay(log(parse_game(game)))
    assert dict(last.ledger.balances) == {1: 2, 3: 4, "pot": 4}
    assert last.game.occupancy(last.position) == {"4": (1,), "29": (3,)}
