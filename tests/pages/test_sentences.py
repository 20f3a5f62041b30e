"""The sentences people read: what has happened, what is wrong on the board, and what to do next."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from calibration.layout import load
from referee import match as matches
from referee.board import Seat
from referee.events import (
    Began,
    Captured,
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
from referee.registry import GAMES
from referee.throws import Beans, Dice
from server.journal import Entry, Journal
from server.outcomes import why_illegal
from server.snapshot import LOG_LINES, snapshot
from server.table import Objection, Table
from tests.pages.catalogues import LANGUAGES
from tests.pages.conftest import Open
from tests.pages.moments import line, moment


def test_russian_takes_every_name_as_it_is(open_page: Open) -> None:
    log = [line(1, "captured", owner="3", by="1", cell="13"), line(2, "paid", payer="3", payee="1", amount=2, why="")]
    log += [line(3, "turn_passed", seat="3"), line(4, "paid", payer="3", payee="pot", amount=1, why="")]
    said = [
        "Ольга бьёт на 13: Коралл возвращает фишку в запас.",
        "Коралл платит 2 ставки, получает Ольга.",
        "Очередь: Коралл.",
        "Коралл платит в банк 1 ставку.",
    ]
    assert open_page().evaluate(TELL, ["ru", log, {"1": "Ольга", "3": ""}]) == said


def sticks(move: str) -> dict[str, Any]:
    """One of Batok's legal moves."""
    return {"move": move, "from": "reserve", "to": "", "cells": move.split(",")}


TELL = """async ([language, log, names = {}, game = ""]) => {
    const { Words } = await import("/ui/words.js");
    const { told } = await import("/ui/log.js");
    const words = Object.assign(await Words.load(language), { names, game });
    return log.map((entry) => told(entry, words));
}"""
OBJECT = """async ([language, state]) => {
    const { Words } = await import("/ui/words.js");
    const { objected } = await import("/ui/banner.js");
    return objected({ state, words: Object.assign(await Words.load(language), { game: state.game }) });
}"""
NEXT = """async (state) => {
    const { Words } = await import("/ui/words.js");
    const { next } = await import("/ui/banner.js");
    return next({ state, words: Object.assign(await Words.load("en"), { game: state.game }) });
}"""


def happened() -> list[Event]:
    """One event of each kind and of each way to tell it."""
    jade, bone = Seat(1), Seat(6)
    return [
        Started("batok", "standard", 1, (jade, bone), {}, {}, 0),
        Thrown(bone, Dice((3, 5)), 8),
        Thrown(jade, Beans(0), 0),
        Began(bone, ("highest",)),
        Moved(bone, "reserve", "5"),
        Moved(bone, "reserve", "hole"),
        Moved(bone, "5", "reserve"),
        Moved(jade, "50", "home"),
        Captured(bone, jade, "13"),
        Paid("pot", jade, 2, ("pot",)),
        Out(bone, ("out",)),
        Turn(jade, ("six",), again=True),
        Over(None, ("agreed",)),
        Objected(jade, ("blocked",), ("12",), "11>12"),
        Offered(bone),
        *(Noted(what, {"by": "Ana"}) for what in ("paused", "resumed", "settled")),
        Undone("Ana"),
        Undone("Ana", took="2-5"),
        Undone("Ana", took="reserve>4"),
        Redone("Ana"),
        Corrected("referee", {}),
        Corrected("Ana", {}, "his sleeve", "3"),
    ]


def test_everything_that_can_happen_is_told(open_page: Open, tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        table = Table(journal, load("patolli"), now=lambda: datetime(2026, 11, 30, tzinfo=UTC))
        table.entries = [Entry(i, 1, table._now(), event) for i, event in enumerate(happened())]
        log = snapshot(table)["log"]
    assert {type(event) for event in happened()} == set(Event.__args__)
    assert len(log) == len(happened()) < LOG_LINES
    page = open_page()
    assert page.evaluate(TELL, ["en", log]) == [
        "A new game: Batok, Standard.",
        "Bone throws 3 + 5.",
        "Jade throws no mark.",
        "Bone begins.",
        "Bone enters on 5.",
        "Bone drops a stick into the hole.",
        "Bone takes the stick on 5 back.",
        "Jade brings a piece home from 50.",
        "Jade captures Bone on 13.",
        "Jade takes 2 stakes from the pot.",
        "Bone cannot pay and is out.",
        "Jade throws again.",
        "The game is drawn.",
        "The referee objects.",
        "Bone offers a draw.",
        "Ana pauses the match.",
        "Ana resumes the match.",
        "The board is as it should be.",
        "The last throw or move was taken back.",
        "Ana takes back the throw of 2 + 5.",
        "Ana takes back reserve → 4.",
        "Ana brings the last throw or move back.",
        "Someone at the table corrects the position.",
        "Ana corrects the position; the throw of 3 is used up. (his sleeve)",
    ]
    assert page.evaluate(TELL, ["ru", log])[8] == "Нефрит бьёт на 13: Кость возвращает фишку в запас."
    assert page.evaluate(TELL, ["es", log])[-3:] == [
        "Ana rehace la última tirada o jugada.",
        "Alguien en la mesa corrige la posición.",
        "Ana corrige la posición; la tirada de 3 queda gastada. (his sleeve)",
    ]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "You may play reserve → 4, 52 → home, or pass."),
        ("ru", "Можно: из запаса → 4, 52 → домой или пропустить ход."),
        ("es", "Puedes jugar reserva → 4, 52 → casa o pasar."),
    ],
)
def test_what_may_be_played_is_named_within_a_sentence(open_page: Open, language: str, said: str) -> None:
    args = {"legal": ["reserve>4", "52>home", "pass"]}
    objecting = moment(objection={"key": "position", "args": args, "cells": ["4"], "ways": []})
    assert open_page().evaluate(OBJECT, [language, objecting]).endswith(f" {said}")


def objecting(folder: Path, preset: str, acts: list[tuple[int, str]], seen: str) -> dict[str, Any]:
    """What people are shown after these throws with their moves (empty: none) when another move was seen."""
    folder.mkdir()
    with closing(Journal(folder)) as journal:
        table = Table(journal, load("patolli"), now=lambda: datetime(2026, 11, 30, tzinfo=UTC))
        table.start(matches.start("patolli", preset, (Seat(1), Seat(3))))
        for marks, move in acts:
            table.command(table.version, {"type": "throw", "marks": marks})
            if move:
                table.command(table.version, {"type": "move", "move": move})
        assert table.match is not None
        cells = tuple(end for end in seen.split(">") if end.isdecimal())
        table.objection = Objection("illegal", cells, seen, why_illegal(table.match, seen))
        return snapshot(table)


def test_an_illegal_move_says_who_stands_there_and_what_may_be_done(open_page: Open, tmp_path: Path) -> None:
    to_25 = [(1, "reserve>1"), (1, "reserve>27"), (5, "1>11"), (0, ""), (1, "reserve>1"), (0, "")]
    to_25 += [(5, "11>21"), (0, ""), (4, "21>25"), (0, "")]
    blocked = objecting(tmp_path / "blocked", "jade-coral", [*to_25, (2, "")], "25>27")
    assert blocked["objection"]["args"] == {
        "seat": "1",
        "seen": "25>27",
        "rule": ["blocked"],
        "cell": "27",
        "owner": "3",
        "legal": ["1>3"],
    }
    page = open_page()
    said = {language: page.evaluate(OBJECT, [language, blocked]) for language in LANGUAGES}
    assert said == {
        "en": "Jade, put the piece back on 25. You may not land on 27: Coral is there, and captures happen only in the "
        "centre. You may play 1 → 3.",
        "ru": "Нефрит, верните фишку на 25. На 27 нельзя: там Коралл, а бить можно только в центре. Можно: 1 → 3.",  # noqa: RUF001
        "es": "Jade, devuelve la ficha a la 25. No puedes caer en la 27: ahí está Coral y solo se captura en el "
        "centro. Puedes jugar 1 → 3.",
    }
    # The reading by which a piece may enter at all comes first here, but it is its own piece that keeps it out.
    first = [(2, ""), (1, ""), (1, "reserve>1"), (1, "reserve>27")]
    own = objecting(tmp_path / "own", "quick", [*first, (1, "")], "reserve>1")
    assert own["objection"]["args"]["rule"] == ["R-QUICK-ENTRY", "R-OWN"]
    assert page.evaluate(OBJECT, ["en", own]) == (
        "Jade, take the piece back into your reserve. You may not land on 1: your own piece is there. "
        "You may play 1 → 2."
    )
    far = objecting(tmp_path / "far", "quick", [*first, (1, "")], "1>9")
    assert page.evaluate(OBJECT, ["en", far]) == (
        "Jade, put the piece back on 1. One piece goes the whole throw, no more and no less. You may play 1 → 2."
    )


def test_people_are_told_what_their_game_throws(open_page: Open) -> None:
    page, throw = open_page(), {"key": "throw", "args": {"seat": "3"}}
    choice = moment(
        game="batok",
        message={"key": "move", "args": {"seat": "3", "steps": 10}},
        legal=[sticks("10"), sticks("4,6"), sticks("4,hole")],
    )
    assert page.evaluate(NEXT, choice) == "Coral, put sticks: 10, 4 + 6, or 4 + hole."
    assert {game: page.evaluate(NEXT, moment(game=game, message=throw)) for game in GAMES} == {
        "patolli": "Coral, throw the five beans.",
        "ludo": "Coral, throw the die.",
        "batok": "Coral, throw both dice.",
        "ur": "Coral, throw the four lots.",
    }
