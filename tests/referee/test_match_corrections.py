"""A match put right by people: the latest throw, the pieces, the stakes."""

import pytest

from referee import match
from referee.board import Seat
from referee.events import Corrected, Paid, Turn, Undone
from referee.ledger import Account
from referee.match import Match
from referee.rules import BadQuestion, Illegal
from referee.throws import Beans
from tests.referee.matches import held, opened, thrown, walked
from tests.referee.play import booked
from tests.referee.positions import NORTH, SOUTH, WEST


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
