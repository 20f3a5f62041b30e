"""One question about a position, one answer: JSON lines as CONTRACTS section 1 writes them."""

import json
from typing import BinaryIO

from referee import rules
from referee.questions import fields, record, shown, text
from referee.registry import GAMES
from referee.rules import BadQuestion, Illegal

ANSWERS = ("id", "legal", "after", "over", "reading", "note")
"""Fields of a worked case, which a question may carry; so a file of cases can be asked as it is."""


def adjudicate(lines: BinaryIO, answers: BinaryIO) -> None:
    """Answer every line, in order and at once; blank lines are skipped."""
    for line in lines:
        if line.strip():
            answers.write(json.dumps(answer(line)).encode() + b"\n")
            answers.flush()


def answer(line: bytes) -> dict[str, object]:
    """The answer to one question; for a wrong one ``{"error": …}`` naming the field."""
    try:
        return _ruling(_parse(line))
    except BadQuestion as wrong:
        return {"error": str(wrong)}


def _parse(line: bytes) -> object:
    try:
        return json.loads(line.decode(), object_pairs_hook=_unambiguous)
    except (ValueError, RecursionError) as error:
        raise BadQuestion(f"question: is no JSON in UTF-8: {error}") from error


def _unambiguous(pairs: list[tuple[str, object]]) -> dict[str, object]:
    given = dict(pairs)
    if len(given) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadQuestion(f"question: names the field {shown(twice)} twice")
    return given


def _ruling(question: object) -> dict[str, object]:
    given = fields(question, "question", ("game", "preset", "state", "throw"), ("move", "options", *ANSWERS))
    name = text(given["game"], "game")
    if name not in GAMES:
        raise BadQuestion(f"game: {shown(name)} is none of {', '.join(GAMES)}")
    game = GAMES[name]
    options = record(given.get("options", {}), "options")
    position = game.load(text(given["preset"], "preset"), given["state"], options)
    throw = game.load_throw(position, given["throw"])
    move = None if given.get("move") is None else text(given["move"], "move")
    legal = list(game.legal(position, throw))
    if move is None and legal:
        return {"legal": legal, "after": None, "over": None, "why": []}
    try:
        events = game.decide(position, throw, move)
    except Illegal as illegal:
        return {"legal": legal, "after": None, "over": None, "why": list(illegal.why), "illegal": True}
    after = rules.fold(game, position, (rules.thrown(game, position, throw), *events))
    return {"legal": legal, "after": game.dump(after), "over": after.over, "why": rules.why(events)}
