"""What the pages say, for the two places that have no server to ask: the terminal, and a page that is only a file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

LANGUAGES = ("en", "ru", "es")

Catalogue = dict[str, str | dict[str, str]]


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence as its key in the catalogues and its arguments."""

    key: str
    args: Mapping[str, str | int] = field(default_factory=dict)
    """Numbers as they are shown, with a point before decimals."""


@cache
def catalogue(language: str) -> Catalogue:
    """All sentences of one language."""
    words: Catalogue = json.loads((files("server") / "i18n" / f"{language}.json").read_text(encoding="utf-8"))
    return words


def english(*said: Said) -> str:
    """Sentences in English, as static/words.js says them in any language."""
    # What must not be broken matters to the page, whose script says it anew; here it may go into a file or a terminal.
    return " ".join(map(_english, said)).replace("\u00a0", " ")


def _english(said: Said) -> str:
    text = catalogue("en")[said.key]
    if not isinstance(text, str):
        text = text["one" if said.args[text["by"]] == 1 else "other"]
    filled = text.format_map(said.args)
    return filled[:1].upper() + filled[1:]
