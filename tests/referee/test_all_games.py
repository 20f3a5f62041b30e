"""What must hold in every reachable moment of every match of every game."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import match, rules
from referee.board import Seat
from referee.events import Event, Started
from referee.match import Match
from referee.notation_game import Act, Record, log, perform, transcribe
from referee.notation_position import PositionText, parse_position, print_position
from referee.notation_text import parse_game, print_game
from referee.registry import GAMES
from referee.rules import BadQuestion
from tests.referee.play import booked, random_events
from tests.referee.tables import random_act, starts

SEEDS = st.integers(0, 2**32)


def held(game: Match) -> dict[str | int, int]:
    """What the position says that every account holds; nothing is left of a player who is out."""
    written: Any = game.game.dump(game.position)
    stakes: dict[str | int, int] = dict.fromkeys(game.started.seats, 0)
    stakes |= {int(seat): player.get("stakes", 0) for seat, player in written["players"].items()}
    return stakes | {"pot": written.get("pot", 0)}


def written(game: Match) -> PositionText:
    started = game.started
    return PositionText(started.game, started.preset, started.options, game.game.dump(game.position))


@given(starts(), SEEDS, st.integers(0, 300))
@settings(max_examples=80, deadline=None)
def test_whatever_people_do_nothing_is_lost(started: Started, seed: int, acts: int) -> None:
    random, game = Random(seed), match.begin(started)
    events: list[Event] = [started]
    brought = sum(game.ledger.balances.values())
    for _ in range(acts):
        happened = random_act(game, random)
        before, game = game, booked(game, happened)
        events.extend(happened)
        assert game.ledger.balances == held(game)
        assert sum(game.ledger.balances.values()) == brought
        if game.phase == "throw":
            assert game.game.load(started.preset, game.game.dump(game.position), started.options) == game.position
        if game.earlier is not None and game.earlier is before:
            back = booked(game, match.undo(game, "referee"))
            assert (back, booked(back, match.redo(back, "referee"))) == (before, game)
    assert match.replay(events) == game
    record = transcribe(events)
    assert log(record) == tuple(events)
    assert parse_game(print_game(record)) == record
    assert parse_position(print_position(written(game))) == written(game)


@pytest.mark.parametrize("name", ["players", "out"])
def test_what_belongs_to_players_does_not_stand_in_the_head(name: str) -> None:
    with pytest.raises(BadQuestion, match=f"^position: {name} stand behind"):
        parse_position(f"patolli quick {name}=5 turn=3 | 1 reserve=3 | 3 reserve=3")


@given(starts(), SEEDS, st.integers(0, 120))
@settings(max_examples=60, deadline=None)
def test_a_throw_decides_the_same_before_and_after_it_is_booked(started: Started, seed: int, plies: int) -> None:
    random, game = Random(seed), match.begin(started)
    for _ in range(plies):
        if game.phase == "over":
            return
        events = random_events(game, random)
        if game.phase == "throw":
            throw, lying = events[0].throw, rules.fold(game.game, game.position, events[:1])  # type: ignore[union-attr]
            legal = game.game.legal(game.position, throw)
            assert game.game.legal(lying, throw) == legal
            for move in legal or (None,):
                decided = game.game.decide(game.position, throw, move)
                assert game.game.decide(lying, throw, move) == decided
        game = booked(game, events)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_random_games_end(name: str) -> None:
    random = Random(8)
    for seed in range(3):
        game = match.begin(match.start(name, GAMES[name].presets[0], (Seat(1), Seat(3))))
        for _ in range(20_000):
            if game.phase == "over":
                break
            game = booked(game, random_events(game, random))
        assert game.phase == "over", f"seed {seed}"


def test_a_record_that_breaks_the_rules_names_the_act() -> None:
    record = parse_game(
        'Macuil game 1\ngame: ur\npreset: finkel\nrules: 1\nseats: 1 "Ana", 3\nstakes: 0\n\n'
        "1: 3\n3: 1\n# Ana begins\n1: 2 reserve>a3   # the rest of a line is a comment\n3: 1 reserve>c3\n"
    )
    assert record.acts[2:4] == (
        Act("throw", record.started.seats[0], record.acts[2].throw),
        Act("move", record.started.seats[0], move="reserve>a3"),
    )
    with pytest.raises(rules.BadQuestion, match=r"^act 6 \(move reserve>c3\): steps$"):
        log(record)
    assert len(list(perform(Record(record.started, record.acts[:5])))) == 5
