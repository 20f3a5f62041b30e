"""The three catalogues say the same things, and have a word for everything the server and the pages can say."""

import json
import re
from pathlib import Path

import pytest

SERVER = Path(__file__).resolve().parents[2] / "server"
LANGUAGES = ("en", "ru", "es")
Catalogue = dict[str, str | dict[str, str]]


def catalogue(language: str) -> Catalogue:
    """The words of one language."""
    words: Catalogue = json.loads((SERVER / "i18n" / f"{language}.json").read_text(encoding="utf-8"))
    return words


def placeholders(words: Catalogue) -> dict[str, list[set[str]]]:
    """For each key the arguments its sentence takes (one set for each plural form); seats' names take none."""
    forms = {
        key: [text] if isinstance(text, str) else [form for name, form in text.items() if name != "by"]
        for key, text in words.items()
        if not key.startswith("seat.")
    }
    return {key: [set(re.findall(r"\{(\w+)(?::\w+)?\}", form)) for form in each] for key, each in forms.items()}


@pytest.mark.parametrize("language", ["ru", "es"])
def test_equal_keys_and_placeholders(language: str) -> None:
    ours, english = placeholders(catalogue(language)), placeholders(catalogue("en"))
    assert list(ours) == list(english)
    assert {key: form for key, forms in ours.items() for form in forms if form != english[key][0]} == {}


@pytest.mark.parametrize(
    ("language", "forms"), [("en", {"one", "other"}), ("ru", {"one", "few", "many", "other"}), ("es", {"one", "other"})]
)
def test_plural_forms(language: str, forms: set[str]) -> None:
    plural = {key: set(text) for key, text in catalogue(language).items() if isinstance(text, dict) and "by" in text}
    assert plural
    assert {key: names for key, names in plural.items() if names != forms | {"by"}} == {}


def test_russian_cases() -> None:
    asked = {case for text in map(str, catalogue("ru").values()) for case in re.findall(r"\{\w+:(\w+)\}", text)}
    seats = {key: set(text) for key, text in catalogue("ru").items() if key.startswith("seat.")}
    assert seats == dict.fromkeys(seats, {"nom"} | asked)


def test_every_word_the_pages_use_is_there() -> None:
    script = "".join(path.read_text(encoding="utf-8") for path in sorted((SERVER / "static").glob("*.js")))
    used = set(re.findall(r'"((?:ui|online|log|message|error)\.[\w.]+)"', script))
    assert len(used) > 50
    assert used - set(catalogue("en")) == set()


def test_every_key_of_the_server_is_there() -> None:
    plights = ("leaning", "stacked", "touching", "missing", "extra", "glare", "hand", "dark", "blurred", "small")
    wanted = {
        "message": "setup first throw throw_again move put_back set_right unclear wrong_throw board_moved camera_lost "
        "hand light over draw",
        "objection": "illegal unclear wrong_throw position",
        "log": "started thrown began moved entered left captured paid out turn_passed again over draw objected "
        "noted_board_moved noted_light noted_camera_lost noted_camera_back noted_disturbed noted_settled undone",
        "seen": "moving hand settling rest lost",
        "camera": "opening ok lost",
        "preset": "classic all-stakes modern quick jade-coral",
        "rule": "blocked tip_shelters exact entry_on_one steps not_yours reserve_empty offering zero over R-OWN "
        "R-JC-COUNT",
    }
    keys = {f"{room}.{key}" for room, names in wanted.items() for key in names.split()}
    keys |= {f"message.plight_{name}" for name in plights}
    keys |= {f"strip.{state}" for state in ("off", "ok", "lost", "busy", "no permission", "waiting for boot")}
    assert keys - set(catalogue("en")) == set()
