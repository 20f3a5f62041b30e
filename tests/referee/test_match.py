"""A match as the table sees it: who begins, phases, undo, resignation and draws."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import match
from referee.board import Seat
from referee.events import (
    Began,
    Event,
    Moved,
    Noted,
    Objected,
    Offered,
    Out,
    Over,
    Paid,
    Started,
    Thrown,
    Turn,
    Undone,
)
from referee.games.patolli_position import PatolliPosition
from referee.match import Match
from referee.rules import BadQuestion, Illegal
from referee.throws import Beans
from tests.referee.play import booked, random_events
from tests.referee.positions import EAST, NORTH, SOUTH, WEST

FOUR = (SOUTH, WEST, NORTH, EAST)


def opened(preset: str = "classic", seats: tuple[Seat, ...] = (SOUTH, NORTH), stakes: int | None = None) -> Match:
    return match.begin(match.start("patolli", preset, seats, stakes=stakes))


def thrown(game: Match, *marks: int) -> Match:
    for count in marks:
        game = booked(game, match.throw(game, Beans(count)))
    return game


def walked(game: Match, *moves: str) -> Match:
    for move in moves:
        game = booked(game, match.move(game, move))
    return game


def test_started_knows_the_defaults() -> None:
    names = {SOUTH: "Ana", NORTH: "Beto"}
    started = match.start("patolli", "classic", (SOUTH, NORTH), names=names, options={"triangle_rows": [4, 5]})
    assert started == Started("patolli", "classic", 1, (SOUTH, NORTH), names, {"triangle_rows": [4, 5]}, 20)


def test_the_highest_throw_begins() -> None:
    game = thrown(opened(seats=FOUR), 2, 5, 4)
    assert (game.phase, game.turn, game.first) == ("first", EAST, ((SOUTH, 2), (WEST, 10), (NORTH, 4)))
    assert match.throw(game, Beans(1)) == (
        Thrown(EAST, Beans(1), 1, to_begin=True),
        Began(WEST, ("R-FIRST",)),
    )
    game = thrown(game, 1)
    assert (game.phase, game.turn, game.position.turn) == ("throw", WEST, WEST)


def test_only_those_who_tie_for_the_highest_throw_again() -> None:
    game = thrown(opened(seats=FOUR), 3, 1, 3, 2)
    assert (game.phase, game.turn, game.contenders, game.first) == ("first", SOUTH, (SOUTH, NORTH), ())
    game = thrown(game, 0, 0)
    assert (game.phase, game.turn, game.first) == ("first", SOUTH, ())
    game = thrown(game, 1, 4)
    assert (game.phase, game.turn) == ("throw", NORTH)


def test_jade_begins_the_duel() -> None:
    game = opened("jade-coral")
    assert (game.phase, game.turn) == ("throw", SOUTH)


def test_throw_then_move_then_turn() -> None:
    game = thrown(opened(), 4, 2, 1)
    assert (game.phase, game.turn, game.throw, game.legal) == ("move", SOUTH, Beans(1), ("reserve>1",))
    events = match.move(game, "reserve>1", source="hand", inferred=True)
    assert events == (Moved(SOUTH, "reserve", "1", ("entry",), "hand", True), Turn(NORTH))
    game = booked(game, events)
    assert (game.phase, game.turn, game.throw, game.legal) == ("throw", NORTH, None, ())


def test_a_throw_with_nothing_to_choose_is_booked_at_once() -> None:
    game = thrown(opened(), 4, 2)
    assert match.throw(game, Beans(0), "hand") == (
        Thrown(SOUTH, Beans(0), 0, "hand"),
        Paid(SOUTH, "pot", 1, ("offering", "R-ZERO-EMPTY")),
        Turn(NORTH),
    )


def test_a_throw_when_a_move_is_due_and_a_move_when_a_throw_is_due() -> None:
    game = thrown(opened(), 4, 2)
    with pytest.raises(Illegal) as no_throw:
        match.move(game, "reserve>1")
    with pytest.raises(Illegal) as no_move:
        match.throw(thrown(game, 1), Beans(1))
    assert (no_throw.value.why, no_move.value.why) == (("throw_due",), ("move_due",))


def test_what_is_seen_and_noted_changes_nothing() -> None:
    game = thrown(opened(), 4, 2, 1)
    assert match.after(game, Objected(SOUTH, ("steps",), ("5",), "4>5")) is game
    assert match.after(game, Noted("light", {})) is game


def test_undo_takes_back_one_throw_or_move_at_a_time() -> None:
    steps = [opened()]
    steps.append(thrown(steps[-1], 4))
    steps.append(thrown(steps[-1], 2))
    steps.append(thrown(steps[-1], 1))
    steps.append(walked(steps[-1], "reserve>1"))
    steps.append(thrown(steps[-1], 0))
    game = steps.pop()
    while steps:
        game = booked(game, match.undo(game, "referee", "misread"))
        assert game is steps.pop()
    with pytest.raises(Illegal) as nothing:
        match.undo(game, "referee")
    assert nothing.value.why == ("nothing_to_undo",)


def test_a_log_of_another_version_is_refused() -> None:
    with pytest.raises(BadQuestion, match=r"version 9 of the patolli rules; this referee knows version 1"):
        match.replay([Started("patolli", "classic", 9, (SOUTH, NORTH), {}, {}, 20)])


@pytest.mark.parametrize(
    ("log", "message"),
    [
        ([], "a log begins with"),
        ([Turn(SOUTH)], "a log begins with"),
        ([Started("mancala", "classic", 1, (SOUTH, NORTH), {}, {}, 20)], "^game: 'mancala' is none of patolli"),
        ([Started("patolli", "classic", 1, (SOUTH,), {}, {}, 20)], "^seats:"),
        ([Started("patolli", "classic", 1, (SOUTH, NORTH), {}, {}, 20)] * 2, "only once"),
        ([Started("patolli", "classic", 1, (SOUTH, NORTH), {}, {}, 20), Undone("referee")], "nothing is left to undo"),
    ],
)
def test_what_is_no_log(log: list[Event], message: str) -> None:
    with pytest.raises(BadQuestion, match=message):
        match.replay(log)


def test_a_player_may_resign_the_duel() -> None:
    game = thrown(opened("jade-coral"), 4)
    assert match.resign(game, SOUTH) == (Out(SOUTH, ("resigned",)), Over(NORTH, ("last",)))
    game = booked(game, match.resign(game, SOUTH))
    assert (game.phase, game.position.over) == ("over", "3")
    back = booked(game, match.undo(game, "referee"))
    assert (back.phase, back.turn) == ("throw", NORTH)


def test_who_resigns_leaves_his_stakes_in_the_pot() -> None:
    game = thrown(opened(seats=FOUR, stakes=5), 1, 2, 3, 4)
    events = match.resign(game, WEST)
    assert events == (Paid(WEST, "pot", 5, ("resigned", "R-RESIGN")), Out(WEST, ("resigned",)), Turn(EAST))
    later = booked(game, events)
    assert dict(later.ledger.balances) == {"pot": 5, 1: 5, 2: 0, 3: 5, 4: 5}
    assert booked(later, match.undo(later, "referee")) == game
    assert match.resign(game, EAST)[-1] == Turn(SOUTH, ("R-OUT-ORDER",))


def test_nobody_resigns_while_another_has_to_move() -> None:
    game = thrown(opened("jade-coral"), 1)
    with pytest.raises(Illegal) as breach:
        match.resign(game, NORTH)
    assert breach.value.why == ("move_due",)
    assert match.resign(game, SOUTH)[-1] == Over(NORTH, ("last",))


def test_a_draw_is_offered_and_accepted() -> None:
    game = opened("jade-coral")
    game = booked(game, match.draw(game, SOUTH))
    assert (game.offers, game.phase) == ((SOUTH,), "throw")
    with pytest.raises(Illegal) as twice:
        match.draw(game, SOUTH)
    assert twice.value.why == ("offered_already",)
    assert match.draw(game, NORTH) == (Offered(NORTH), Over(None, ("agreed",)))
    drawn = booked(game, match.draw(game, NORTH))
    assert (drawn.phase, drawn.position.over) == ("over", "draw")
    assert booked(drawn, match.undo(drawn, "referee")) == opened("jade-coral")


def test_play_takes_an_offer_back() -> None:
    game = opened("jade-coral")
    game = thrown(booked(game, match.draw(game, SOUTH)), 2)
    assert game.offers == ()


@st.composite
def matches(draw: st.DrawFn) -> Match:
    preset = draw(st.sampled_from(["classic", "all-stakes", "modern", "quick", "jade-coral"]))
    seats = (SOUTH, NORTH) if preset == "jade-coral" else draw(st.sampled_from([(SOUTH, NORTH), (2, 3, 4), FOUR]))
    stakes = None if preset == "jade-coral" else draw(st.integers(1, 5))
    return match.begin(match.start("patolli", preset, tuple(map(Seat, seats)), stakes=stakes))


def held(game: Match) -> dict[str | int, int]:
    """What the position says that every account holds; nothing is left of a player who is out."""
    assert isinstance(game.position, PatolliPosition)
    stakes: dict[str | int, int] = dict.fromkeys(game.started.seats, 0)
    return stakes | {player.seat: player.stakes for player in game.position.players} | {"pot": game.position.pot}


@given(matches(), st.integers(0, 2**32), st.lists(st.integers(0, 9), max_size=400))
@settings(max_examples=60, deadline=None)
def test_any_log_with_undoing_replays_and_undo_restores_everything(start: Match, seed: int, whims: list[int]) -> None:
    random, game = Random(seed), start
    log: list[Event] = [start.started]
    standing: list[Match] = []
    for whim in whims:
        if whim == 0 and standing:
            events: tuple[Event, ...] = match.undo(game, "referee")
            game = booked(game, events)
            assert game is standing.pop()
        elif game.phase == "over":
            break
        else:
            standing.append(game)
            events = random_events(game, random)
            game = booked(game, events)
        log.extend(events)
        assert game.ledger.balances == held(game)
    assert match.replay(log) == game
