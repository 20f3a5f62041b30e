"""One question about a position, one answer: JSON lines as CONTRACTS section 1 writes them."""

import json
from dataclasses import dataclass
from typing import Any, BinaryIO

from referee import rules
from referee.questions import fields, parsed, record, shown, text
from referee.registry import GAMES
from referee.rules import BadQuestion, Game, Illegal, Position
from referee.throws import Throw

ANSWERS = ("id", "legal", "after", "over", "reading", "note")
"""Fields of a worked case, which a question may carry; so a file of cases can be asked as it is."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: a throw in a position, and perhaps a move."""

    game: Game[Any]
    position: Position
    """Before the throw."""
    throw: Throw | None
    move: str | None


def adjudicate(lines: BinaryIO, answers: BinaryIO) -> None:
    """Answer every line, in order and at once; blank lines are skipped."""
    for line in lines:
        if line.strip():
            answers.write(json.dumps(answer(line)).encode() + b"\n")
            answers.flush()


def answer(line: bytes) -> dict[str, object]:
    """The answer to one question; for a wrong one ``{"error": …}`` naming the field."""
    try:
        return _ruling(read_question(line))
    except BadQuestion as wrong:
        return {"error": str(wrong)}


def read_question(written: bytes) -> Question:
    """One question as CONTRACTS section 1 writes it. Raises BadQuestion naming the field."""
    try:
        question = parsed(written.decode(), "question")
    except UnicodeDecodeError as error:
        raise BadQuestion(f"question: is no JSON in UTF-8: {error}") from error
    given = fields(question, "question", ("game", "preset", "state", "throw"), ("move", "options", *ANSWERS))
    name = text(given["game"], "game")
    if name not in GAMES:
        raise BadQuestion(f"game: {shown(name)} is none of {', '.join(GAMES)}")
    game = GAMES[name]
    options = record(given.get("options", {}), "options")
    position = game.load(text(given["preset"], "preset"), given["state"], options)
    throw = _throw(game, position, given["throw"])
    move = None if given.get("move") is None else text(given["move"], "move")
    return Question(game, position, throw, move)


def _ruling(question: Question) -> dict[str, object]:
    game, position, throw, move = question.game, question.position, question.throw, question.move
    legal = list(game.legal(position, throw))
    if throw is None and move is None and not legal:
        raise BadQuestion("throw: must be given where nothing can be done without one")
    if move is None and legal:
        return {"legal": legal, "after": None, "over": None, "why": []}
    try:
        events = game.decide(position, throw, move)
    except Illegal as illegal:
        return {"legal": legal, "after": None, "over": None, "why": list(illegal.why), "illegal": True}
    thrown = () if throw is None else (rules.thrown(game, position, throw),)
    after = rules.fold(game, position, (*thrown, *events))
    return {"legal": legal, "after": game.dump(after), "over": after.over, "why": rules.why(events)}


def _throw(game: Game[Any], position: Position, given: object) -> Throw | None:
    """None for a question about what may be done instead of throwing."""
    if given is None and game.passes:
        return None
    return game.load_throw(position, given)
