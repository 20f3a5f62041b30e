"""A match as the table sees it: who begins, phases, resignation, draws and pauses."""

import pytest

from referee import match
from referee.events import Began, Moved, Noted, Objected, Offered, Out, Over, Paid, Started, Thrown, Turn
from referee.rules import BadQuestion, Illegal
from referee.throws import Beans
from tests.referee.matches import FOUR, held, opened, thrown
from tests.referee.play import booked
from tests.referee.positions import EAST, NORTH, SOUTH, WEST


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


def test_nothing_counts_in_a_pause() -> None:
    game = thrown(opened("jade-coral"), 1)
    paused = booked(game, match.pause(game, "Ana"))
    with pytest.raises(Illegal) as no_move:
        match.move(paused, "reserve>1")
    with pytest.raises(Illegal) as no_throw:
        match.throw(paused, Beans(1))
    assert (no_move.value.why, no_throw.value.why) == (("paused",), ("paused",))
    with pytest.raises(Illegal) as twice:
        match.pause(paused, "Ana")
    with pytest.raises(Illegal) as idle:
        match.resume(game, "Ana")
    assert (twice.value.why, idle.value.why) == (("paused",), ("not_paused",))
    assert booked(paused, match.undo(paused, "Ana")).paused
    assert booked(paused, match.resume(paused, "Ana")) == game


def test_a_handicap() -> None:
    started = match.start("patolli", "classic", FOUR, handicap={WEST: 3})
    assert started == Started("patolli", "classic", 1, FOUR, {}, {}, 12, {WEST: 3})
    game = match.begin(started)
    assert dict(game.ledger.balances) == held(game) == {"pot": 0, 1: 12, 2: 3, 3: 12, 4: 12}
    with pytest.raises(BadQuestion, match=r"^handicap: seat 2 does not play"):
        match.start("patolli", "classic", (SOUTH, NORTH), handicap={WEST: 3})
    with pytest.raises(BadQuestion, match=r"^stakes\.1: must be a whole number from 1"):
        match.start("patolli", "classic", (SOUTH, NORTH), handicap={SOUTH: 0})
