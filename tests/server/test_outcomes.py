"""What the board may look like after each legal move."""

from dataclasses import replace

from referee import match as matches
from referee.board import Seat
from referee.match import Match
from referee.throws import Beans
from server.outcomes import outcomes, why_illegal

JADE, CORAL = Seat(1), Seat(3)


def moving(players: dict[str, object], marks: int, turn: Seat, pot: int = 0) -> Match:
    """A match of quick Patolli in which ``turn`` is to move."""
    match = matches.begin(matches.start("patolli", "quick", (JADE, CORAL)))
    position = match.game.load("quick", {"players": players, "pot": pot, "turn": str(turn)}, {})
    legal = match.game.legal(position, Beans(marks))
    return replace(match, position=position, phase="move", turn=turn, throw=Beans(marks), legal=legal)


def player(track: list[int], stakes: int = 8) -> dict[str, object]:
    return {"reserve": 3 - len(track), "track": track, "home": 0, "stakes": stakes}


def test_a_move_and_a_capture() -> None:
    match = moving({"1": player([2, 11]), "3": player([13])}, 2, JADE)
    assert outcomes(match) == {
        "11>13": ({"2": (JADE,), "13": (JADE,)},),
        "2>4": ({"4": (JADE,), "11": (JADE,), "13": (CORAL,)},),
    }


def test_moves_that_ruin_the_mover_alike_share_the_tidied_board() -> None:
    """47>48 and 8>9 both land on a triangle that Coral cannot pay: with his pieces cleared nobody can tell which."""
    match = moving({"1": player([24, 25, 46], 1), "3": player([8, 10, 47], 0)}, 1, CORAL, pot=7)
    jade = {"24": (JADE,), "25": (JADE,), "46": (JADE,)}
    assert outcomes(match) == {
        "10>11": ({**jade, "8": (CORAL,), "11": (CORAL,), "47": (CORAL,)},),
        "47>48": (jade, {**jade, "8": (CORAL,), "10": (CORAL,), "48": (CORAL,)}),
        "8>9": ({**jade, "9": (CORAL,), "10": (CORAL,), "47": (CORAL,)},),
    }


def test_nothing_is_expected_when_no_move_is_due() -> None:
    assert outcomes(matches.begin(matches.start("patolli", "quick", (JADE, CORAL)))) == {}


def test_why_a_move_is_none() -> None:
    match = moving({"1": player([11]), "3": player([13])}, 1, JADE)
    assert why_illegal(match, "11>13") == ("steps",)
    assert why_illegal(match, "nonsense") == ()
