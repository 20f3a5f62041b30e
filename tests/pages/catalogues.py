"""The words of the pages, as they lie on the disk."""

import json
from pathlib import Path

SERVER = Path(__file__).resolve().parents[2] / "server"
LANGUAGES = ("en", "ru", "es")
Catalogue = dict[str, str | dict[str, str]]


def catalogue(language: str) -> Catalogue:
    """The words of one language."""
    words: Catalogue = json.loads((SERVER / "i18n" / f"{language}.json").read_text(encoding="utf-8"))
    return words
