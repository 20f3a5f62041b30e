"""Throws of the table's own matches: what people let stand or put right is the truth."""

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.layout import load
from referee import match as matches
from referee.board import Seat
from referee.events import Event
from referee.match import Match
from referee.rules import Needs
from referee.throws import Beans
from server.cli import main
from server.invitation import invite
from server.journal import FILE, Entry, Journal
from server.lessons import BadLessons
from server.match_lessons import confirmed, match_lessons
from tests.vision.drawn_throws import drawn, stand_in

OPENED = datetime(2026, 1, 1, tzinfo=UTC)


class Game:
    """A match that is booked act by act, each at a time of its own."""

    def __init__(self) -> None:
        layout = load("patolli")
        started = invite(layout, game="patolli", preset="classic", seats=(Seat(1), Seat(3)), names={})
        self.match: Match = matches.begin(started)
        self.entries: list[Entry] = [Entry(1, 1, OPENED, started)]

    def book(self, events: tuple[Event, ...]) -> int:
        """Returns the number of the first entry."""
        first = len(self.entries) + 1
        at = OPENED + timedelta(seconds=first)
        for event in events:
            self.match = matches.after(self.match, event)
            self.entries.append(Entry(len(self.entries) + 1, 1, at, event))
        return first

    def throw(self, marks: int, source: str = "camera") -> int:
        return self.book(matches.throw(self.match, Beans(marks), source))  # type: ignore[arg-type]

    def recast(self, marks: int) -> int:
        return self.book(matches.recast(self.match, Beans(marks), "referee"))

    def undo(self) -> int:
        return self.book(matches.undo(self.match, "referee"))

    def redo(self) -> int:
        return self.book(matches.redo(self.match, "referee"))


def test_what_stands_is_true() -> None:
    game = Game()
    first, second = game.throw(4), game.throw(2)
    assert confirmed(game.entries) == {first: Beans(4), second: Beans(2)}


def test_what_was_corrected_counts_as_people_said_and_the_last_word_holds() -> None:
    game = Game()
    first = game.throw(4)
    game.recast(3)
    assert confirmed(game.entries) == {first: Beans(3)}
    game.recast(1)
    assert confirmed(game.entries) == {first: Beans(1)}
    second = game.throw(2)
    assert confirmed(game.entries) == {first: Beans(1), second: Beans(2)}


def test_what_was_only_taken_back_is_left_out() -> None:
    game = Game()
    first, second = game.throw(4), game.throw(2)
    game.undo()
    assert confirmed(game.entries) == {first: Beans(4)}
    game.redo()
    assert confirmed(game.entries) == {first: Beans(4), second: Beans(2)}
    game.undo()
    game.throw(5, "hand")  # another throw, that the camera could not read: no word on the earlier one
    assert confirmed(game.entries) == {first: Beans(4)}


def test_what_was_entered_by_hand_has_no_picture_to_learn_from() -> None:
    game = Game()
    game.throw(4, "hand")
    assert confirmed(game.entries) == {}


def test_throws_come_with_their_pictures(tmp_path: Path) -> None:
    with pytest.raises(BadLessons, match="there is no journal yet"):
        match_lessons(tmp_path / FILE)
    game = Game()
    first, second = game.throw(4), game.throw(2)
    game.recast(3)
    with closing(Journal(tmp_path)) as journal:
        for entry in game.entries:
            journal.append([entry.event], entry.at)
        with pytest.raises(BadLessons, match="no throw of which a picture was kept"):
            match_lessons(tmp_path / FILE)
        journal.keep_crop(first, _jpeg(60))
        journal.keep_crop(second, _jpeg(200))
        needs, lessons = match_lessons(tmp_path / FILE)  # while it is open
    assert needs == Needs(beans=5)
    assert [(one.name, one.throw, round(float(one.look().mean()))) for one in lessons] == [
        (f"throw {first}", Beans(4), 60),
        (f"throw {second}", Beans(3), 200),
    ]


def test_a_damaged_picture_is_told(tmp_path: Path) -> None:
    game = Game()
    first = game.throw(4)
    with closing(Journal(tmp_path)) as journal:
        for entry in game.entries:
            journal.append([entry.event], entry.at)
        journal.keep_crop(first, b"no picture")
    _, (only,) = match_lessons(tmp_path / FILE)
    with pytest.raises(BadLessons, match=f"throw {first}: its picture in the journal is damaged"):
        only.look()


def _jpeg(shade: int) -> bytes:
    return cv2.imencode(".jpg", np.full((60, 80, 3), shade, np.uint8))[1].tobytes()


def test_the_table_is_taught_by_its_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in(monkeypatch, tmp_path, 40.0, beans=(250, 120), dice=())
    game, rng, shown = Game(), np.random.default_rng(2), {}
    for _ in range(15):
        marks = int(rng.integers(1, 5))
        while game.match.phase == "move":
            game.book(matches.move(game.match, game.match.legal[0], "camera"))
        # The camera saw none marked, and people put it right.
        shown[game.throw(0)] = marks
        game.recast(marks)
    with closing(Journal(tmp_path)) as journal:
        for entry in game.entries:
            journal.append([entry.event], entry.at)
        for id_, marks in shown.items():
            picture = drawn("beans", [160] * marks + [60] * (5 - marks))
            journal.keep_crop(id_, cv2.imencode(".jpg", picture)[1].tobytes())
    assert main(["teach", "--match", "--data", str(tmp_path), "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["throws"], line["found"], line["before"]["right"], line["after"]["right"]) == (15, 15, 0, 15)
    assert line["kept"] == str(tmp_path / "taught-beans.json")
