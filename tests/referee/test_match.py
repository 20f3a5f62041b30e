"""A match as the table sees it: who begins, phases, undo, resignation and draws."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import match
from referee.board import Seat
from referee.events import (
    Began,
    Corrected,
    Event,
    Moved,
    Noted,
    Objected,
    Offered,
    Out,
    Over,
    Paid,
    Redone,
    Started,
    Thrown,
    Turn,
    Undone,
)
from referee.games.patolli_position import PatolliPosition
from referee.ledger import Account
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
        assert game == steps.pop()
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


def test_redo_goes_forward_as_far_as_undo_went_back() -> None:
    begun = thrown(opened(), 4, 2)
    later = [begun, thrown(begun, 1)]
    later.append(walked(later[-1], "reserve>1"))
    game = later[-1]
    for _ in range(2):
        game = booked(game, match.undo(game, "referee"))
    assert game == later[0]
    for step in later[1:]:
        assert match.redo(game, "Ana") == (Redone("Ana"),)
        game = booked(game, match.redo(game, "Ana"))
        assert game == step
    with pytest.raises(Illegal) as nothing:
        match.redo(game, "Ana")
    assert nothing.value.why == ("nothing_to_redo",)
    assert booked(game, match.undo(game, "Ana")) == later[1]


def test_nothing_can_be_redone_once_something_else_has_happened() -> None:
    game = thrown(opened("jade-coral"), 3)
    back = booked(game, match.undo(game, "referee"))
    for events in (match.throw(back, Beans(2)), match.draw(back, SOUTH)):
        with pytest.raises(Illegal) as nothing:
            match.redo(booked(back, events), "referee")
        assert nothing.value.why == ("nothing_to_redo",)
    with pytest.raises(BadQuestion, match="nothing has been undone"):
        match.after(game, Redone("referee"))


@pytest.mark.parametrize(
    ("moved", "took"),
    [
        pytest.param(False, ["1"], id="while it lies"),
        pytest.param(True, ["reserve>1", "1"], id="after the move that depended on it"),
    ],
)
def test_the_latest_throw_is_corrected_with_what_depended_on_it(moved: bool, took: list[str]) -> None:
    begun = thrown(opened(), 4, 2)
    game = thrown(begun, 1)
    game = walked(game, "reserve>1") if moved else game
    events = match.recast(game, Beans(0), "Ana")
    assert [(event.took, event.by, event.why) for event in events if isinstance(event, Undone)] == [
        (what, "Ana", "throw corrected") for what in took
    ]
    agreed = booked(game, events)
    assert agreed == booked(begun, match.throw(begun, Beans(0), "hand"))
    assert (agreed.turn, agreed.ledger.balances["pot"]) == (NORTH, 1)
    assert booked(agreed, match.undo(agreed, "Ana")) == begun


def test_a_throw_for_the_right_to_begin_can_be_corrected() -> None:
    game = thrown(opened(), 4)
    agreed = booked(game, match.recast(game, Beans(1), "referee"))
    assert agreed.first == ((SOUTH, 1),)


def test_nothing_thrown_nothing_to_correct() -> None:
    with pytest.raises(Illegal) as nothing:
        match.recast(opened("jade-coral"), Beans(1), "referee")
    assert nothing.value.why == ("nothing_to_undo",)


@pytest.mark.parametrize(
    "event",
    [
        Moved(SOUTH, "17", "20"),
        Moved(EAST, "reserve", "4"),
        Paid(WEST, "pot", 1, ("R-TRI",)),
        Paid(SOUTH, NORTH, 0, ("R-TRI",)),
        Corrected("Ana", {"99": (SOUTH,)}),
    ],
)
def test_a_log_that_cannot_have_happened_is_refused(event: Event) -> None:
    with pytest.raises(BadQuestion, match=r"^(event|pieces)"):
        match.replay([opened("jade-coral").started, Thrown(SOUTH, Beans(3), 3), event, Turn(NORTH)])


def test_a_correction_uses_up_the_throw_that_lies() -> None:
    game = thrown(walked(thrown(opened(), 4, 2, 1), "reserve>1"), 2, 4)
    assert (game.phase, game.turn, game.legal) == ("move", SOUTH, ("1>5",))
    events = match.correct(game, {"4": (SOUTH,), "30": (NORTH,)}, "Ana", "his sleeve", [(SOUTH, "pot", 2)])
    assert events == (
        Corrected("Ana", {"4": (SOUTH,), "30": (NORTH,)}, "his sleeve", "4"),
        Paid(SOUTH, "pot", 2, ("corrected",)),
        Turn(NORTH, ("corrected",)),
    )
    agreed = booked(game, events)
    assert agreed.game.dump(agreed.position) == {
        "players": {
            "1": {"reserve": 5, "track": [4], "home": 0, "stakes": 18},
            "3": {"reserve": 5, "track": [30], "home": 0, "stakes": 20},
        },
        "pot": 2,
        "turn": "3",
    }
    assert (agreed.phase, agreed.turn, agreed.throw, agreed.legal) == ("throw", NORTH, None, ())
    assert dict(agreed.ledger.balances) == {"pot": 2, SOUTH: 18, NORTH: 20}
    back = booked(agreed, match.undo(agreed, "referee"))
    assert back == game
    assert booked(back, match.redo(back, "referee")) == agreed


def test_a_correction_leaves_the_turn_where_a_throw_is_due() -> None:
    game = walked(thrown(opened(), 4, 2, 1), "reserve>1")
    agreed = booked(game, match.correct(game, {"home": (SOUTH, SOUTH, NORTH)}, "referee"))
    assert (agreed.phase, agreed.turn) == ("throw", NORTH)
    assert agreed.game.dump(agreed.position) == {
        "players": {
            "1": {"reserve": 4, "track": [], "home": 2, "stakes": 20},
            "3": {"reserve": 5, "track": [], "home": 1, "stakes": 20},
        },
        "pot": 0,
        "turn": "3",
    }


@pytest.mark.parametrize(
    ("pieces", "payments", "message"),
    [
        ({"53": (SOUTH,)}, [], r'^pieces: "53" is no cell'),
        ({"reserve": (SOUTH,)}, [], r'^pieces: "reserve" is no cell'),
        ({"4": (SOUTH, NORTH)}, [], r"^pieces: two cannot stand on 4"),
        ({"4": (WEST,)}, [], r'^pieces: seat 2 on "4" is not in the match'),
        ({str(cell): (SOUTH,) for cell in range(1, 8)}, [], r"^pieces: seat 1 would have 7 of 6"),
        ({"home": (SOUTH,) * 6}, [], r"^pieces: seat 1 cannot have 6 pieces home"),
        ({}, [(SOUTH, NORTH, 21)], r"^payments: must be a whole number from 1 to 20, not 21"),
        ({}, [(SOUTH, NORTH, 0)], r"^payments: "),
        ({}, [("pot", NORTH, 1)], r"^payments: "),
        ({}, [(SOUTH, WEST, 1)], r"^payments: 2 is not in the match"),
    ],
)
def test_what_is_no_correction(
    pieces: dict[str, tuple[Seat, ...]], payments: list[tuple[Account, Account, int]], message: str
) -> None:
    game = thrown(opened(), 4, 2)
    with pytest.raises(BadQuestion, match=message):
        match.correct(game, pieces, "referee", payments=payments)


def test_what_one_payment_brings_the_next_may_spend() -> None:
    game = thrown(opened(stakes=5), 4, 2)
    agreed = booked(game, match.correct(game, {}, "referee", payments=[(SOUTH, NORTH, 5), (NORTH, "pot", 10)]))
    assert agreed.ledger.balances == held(agreed) == {SOUTH: 0, NORTH: 0, "pot": 10}


def test_a_correction_that_would_end_the_match_is_refused() -> None:
    with pytest.raises(BadQuestion, match="one player holds every stake"):
        match.correct(thrown(opened("all-stakes"), 4, 2), {}, "referee", payments=[(SOUTH, NORTH, 20)])
    for game, why in ((opened(), "throw_due"), (resigned(), "over")):
        with pytest.raises(Illegal) as refused:
            match.correct(game, {}, "referee")
        assert refused.value.why == (why,)


def resigned() -> Match:
    game = opened("jade-coral")
    return booked(game, match.resign(game, SOUTH))


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
            undone, game = game, booked(game, events)
            assert game == standing.pop()
            assert booked(game, match.redo(game, "referee")) == undone
        elif game.phase == "over":
            break
        else:
            standing.append(game)
            events = random_events(game, random)
            game = booked(game, events)
        log.extend(events)
        assert game.ledger.balances == held(game)
    assert match.replay(log) == game
