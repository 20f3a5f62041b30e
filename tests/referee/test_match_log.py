"""A match's log: undo and redo go along it, it replays to the same match, and what cannot have happened is refused."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import match
from referee.board import Seat
from referee.events import Corrected, Event, Moved, Paid, Redone, Started, Thrown, Turn, Undone
from referee.match import Match
from referee.rules import BadQuestion, Illegal
from referee.throws import Beans
from tests.referee.matches import FOUR, held, opened, thrown, walked
from tests.referee.play import booked, random_events
from tests.referee.positions import EAST, NORTH, SOUTH, WEST


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


@st.composite
def matches(draw: st.DrawFn) -> Match:
    preset = draw(st.sampled_from(["classic", "all-stakes", "modern", "quick", "jade-coral"]))
    seats = (SOUTH, NORTH) if preset == "jade-coral" else draw(st.sampled_from([(SOUTH, NORTH), (2, 3, 4), FOUR]))
    stakes = None if preset == "jade-coral" else draw(st.integers(1, 5))
    return match.begin(match.start("patolli", preset, tuple(map(Seat, seats)), stakes=stakes))


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
