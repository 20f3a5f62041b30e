"""What the table tells while it can book nothing: a board moved, being learnt or not seen, a throw in a plight."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from referee.events import Noted, Thrown
from referee.observation import BLINDING, Observation, Plight, Refusal, TableState
from server.journal import Journal
from server.snapshot import snapshot
from server.table import Table
from server.unwatched import BLIND
from tests.server.filmed import FRAME_S, JADE, LAYOUT, Camera, booked, likelihoods, now
from tests.server.rests import beans


def test_nothing_is_booked_while_the_board_has_moved(begun: Camera) -> None:
    begun.throw_beans(3)
    begun.rest()
    version = begun.table.version
    for _ in range(20):
        begun.at += FRAME_S
        seen = Observation(begun.at, "rest", None, likelihoods({"3": (JADE,)}), plights=("board moved",))
        begun.table.see(seen)
    assert begun.table.version == version
    assert snapshot(begun.table)["message"]["key"] == "board_moved"


@pytest.mark.parametrize(("plight", "key"), [("dark", "too_dark"), ("bright", "too_bright")])
def test_in_too_little_or_too_much_light_nothing_is_booked_and_people_are_told_why(
    begun: Camera, plight: Plight, key: str
) -> None:
    def told() -> tuple[str, str | None]:
        state = snapshot(begun.table)
        return state["message"]["key"], state["unwatched"]

    version, thrown = begun.table.version, beans(3)
    for _ in range(20):
        begun.at += FRAME_S
        begun.table.see(Observation(begun.at, "rest", thrown, plights=(plight,)))
    assert begun.table.version == version
    assert told() == (key, None)
    begun.table.command(version, {"type": "throw", "marks": 2})
    begun.table.see(Observation(begun.at, "rest", plights=(plight,)))
    assert told() == ("enter", key)
    begun.rest()
    assert told() == ("enter", None)


def test_whatever_blinds_has_its_sentence_and_light_has_it_before_the_match_too(tmp_path: Path) -> None:
    assert BLIND.keys() == BLINDING
    with closing(Journal(tmp_path)) as journal:
        table = Table(journal, LAYOUT, now=now)
        said = {}
        for plight in BLIND:
            table.see(Observation(0.0, "rest", plights=(plight,)))
            said[plight] = snapshot(table)["message"]["key"]
    assert said == {"board moved": "setup", "dark": "too_dark", "bright": "too_bright"}


def test_who_plays_by_hand_while_the_board_is_moved_is_told_what_to_do_next(begun: Camera) -> None:
    table = begun.table

    def told() -> tuple[str, str | None]:
        state = snapshot(table)
        return state["message"]["key"], state["unwatched"]

    def moved() -> None:
        begun.at += FRAME_S
        table.see(Observation(begun.at, "hand", plights=("hand", "board moved")))

    moved()
    assert told() == ("board_moved", None)
    table.command(table.version, {"type": "throw", "marks": 2})
    moved()
    assert told() == ("enter", "board_moved")
    table.command(table.version, {"type": "move", "move": "reserve>2"})
    table.see(Observation(begun.at, "lost"))
    assert told() == ("throw", "camera_lost")
    moved()
    assert told() == ("throw", "board_moved")
    begun.place(c2=JADE)
    begun.rest()
    assert told() == ("throw", None)
    moved()
    assert told() == ("board_moved", None)


def test_a_pause_is_told_with_whose_turn_it_will_be(begun: Camera) -> None:
    table = begun.table
    table.command(table.version, {"type": "throw", "marks": 2})
    seat = snapshot(table)["turn"]
    glowing = snapshot(table)["legal"]
    table.command(table.version, {"type": "pause"})
    assert [move["move"] for move in glowing] == ["reserve>2"]
    for seen in (Observation(begun.at, "lost"), Observation(begun.at, "moving", plights=("board moved",))):
        table.see(seen)
        paused = snapshot(table)
        assert (paused["paused"], paused["message"]) == (True, {"key": "paused", "args": {"seat": seat}})
        # Nothing may be played, so nothing glows.
        assert (paused["turn"], paused["legal"]) == (seat, [])
    assert paused["unwatched"] == "board_moved"
    table.command(table.version, {"type": "resume"})
    again = snapshot(table)
    assert (again["paused"], again["message"]["key"], again["legal"]) == (False, "enter", glowing)


def test_while_the_board_is_learnt_the_players_are_asked_to_wait(begun: Camera) -> None:
    begun.rest()
    before = snapshot(begun.table)["message"]
    told: tuple[tuple[TableState, tuple[Plight, ...]], ...]
    told = (("settling", ("learning",)), ("hand", ("hand", "learning")))
    for state, plights in told:
        begun.at += FRAME_S
        begun.table.see(Observation(begun.at, state, plights=plights))
        assert snapshot(begun.table)["message"] == {"key": "learning", "args": {}}
    begun.rest()
    assert (before["key"], snapshot(begun.table)["message"]) == ("throw", before)


def test_after_a_restart_it_is_said_who_won_while_the_board_is_learnt(begun: Camera, tmp_path: Path) -> None:
    begun.table.command(begun.table.version, {"type": "resign", "seat": "3"})
    begun.table._journal.close()
    journal = Journal(tmp_path)
    again = Table(journal, LAYOUT, now=now, log=journal.current())
    again.see(Observation(0.0, "settling", plights=("learning",)))
    assert snapshot(again)["message"] == {"key": "over", "args": {"seat": "1"}}
    journal.close()


def test_a_plight_is_told_until_a_hand_is_at_it(begun: Camera) -> None:
    begun.throw_beans(3, plights=("touching",))
    begun.rest(2)
    assert snapshot(begun.table)["message"]["key"] == "plight_touching"
    begun.hand()
    assert snapshot(begun.table)["message"]["key"] == "throw"


def test_what_a_throw_in_a_plight_was_taken_for_is_told_as_long_as_the_plight(begun: Camera) -> None:
    def told() -> tuple[int | None, list[str]] | None:
        doubtful = snapshot(begun.table)["doubtful"]
        return doubtful and (doubtful["marked"], [bean["face"] for bean in doubtful["beans"]])

    begun.throw_beans(2, plights=("touching",))
    assert told() is None
    begun.rest(2)
    assert told() == (2, ["marked", "marked", "plain", "plain", "plain"])
    last = begun.throw.beans[-1]
    begun.throw = replace(begun.throw, beans=(*begun.throw.beans[:-1], replace(last, face="unsure")))
    begun.rest()
    assert told() == (None, ["marked", "marked", "plain", "plain", "unsure"])
    begun.throw = replace(begun.throw, beans=begun.throw.beans[:-1])
    begun.rest()
    assert told() == (None, ["marked", "marked", "plain", "plain"])
    begun.hand()
    assert told() is None


def test_why_no_board_is_seen_is_said(begun: Camera) -> None:
    told: tuple[tuple[Refusal | None, str], ...]
    told = (("cut off", "board_cut_off"), ("mirrored", "board_mirrored"), (None, "camera_lost"))
    for refusal, key in told:
        begun.table.see(Observation(begun.at, "lost", refusal=refusal))
        assert snapshot(begun.table)["message"]["key"] == key


def test_who_plays_by_hand_without_a_camera_is_told_what_to_do_next(begun: Camera) -> None:
    table = begun.table

    def told() -> tuple[str, str | None]:
        state = snapshot(table)
        return state["message"]["key"], state["unwatched"]

    def lost(refusal: Refusal | None = None) -> None:
        table.see(Observation(begun.at, "lost", refusal=refusal))

    lost()
    assert told() == ("camera_lost", None)
    table.command(table.version, {"type": "throw", "marks": 2})
    assert told() == ("enter", "camera_lost")
    lost("cut off")
    assert told() == ("enter", "board_cut_off")
    table.command(table.version, {"type": "move", "move": "reserve>2"})
    # Nobody can say whether the board was set right.
    assert told() == ("throw", "board_cut_off")
    begun.rest()
    assert told() == ("set_right", None)
    begun.place(c2=JADE)
    begun.rest()
    assert told() == ("throw", None)
    lost()
    assert told() == ("camera_lost", None)
    table.command(table.version, {"type": "resign", "seat": "3"})
    assert told() == ("over", "camera_lost")


@pytest.mark.parametrize("by_hand", [True, False])
def test_after_a_restart_it_is_known_whether_people_played_by_hand(
    begun: Camera, tmp_path: Path, by_hand: bool
) -> None:
    if by_hand:
        begun.table.command(begun.table.version, {"type": "throw", "marks": 2})
    else:
        begun.throw_beans(2)
        begun.rest()
    thrown = booked(begun.table, Thrown)[-1]
    assert isinstance(thrown, Thrown)
    assert thrown.source == ("hand" if by_hand else "camera")
    begun.table._journal.close()
    journal = Journal(tmp_path)
    again = Table(journal, LAYOUT, now=now, log=journal.current())
    again.see(Observation(0.0, "lost"))
    told = snapshot(again)
    expected = ("enter", "camera_lost") if by_hand else ("camera_lost", None)
    assert (told["message"]["key"], told["unwatched"]) == expected
    journal.close()


def test_a_bump_is_noted_once_it_rests(begun: Camera) -> None:
    seen: tuple[tuple[TableState, float], ...] = (("rest", 0.4), ("moving", 4.0), ("settling", 6.0), ("rest", 6.0))
    for state, moved_mm in (*seen, ("rest", 0.1)):
        begun.at += FRAME_S
        begun.table.see(Observation(begun.at, state, moved_mm=moved_mm))
    assert booked(begun.table, Noted) == [Noted("board_moved", {"mm": 6.0})]
