"""The three catalogues say the same things, and have a word for everything the server and the pages can say."""

import re
from collections.abc import Mapping
from typing import get_args

import pytest

from referee.observation import Refusal
from referee.registry import GAMES
from server.snapshot import COLOURS
from tests.pages.catalogues import LANGUAGES, SERVER, Catalogue, catalogue
from tests.pages.conftest import Open
from tests.referee.test_vocabulary import documented


def placeholders(words: Catalogue) -> dict[str, list[set[str]]]:
    """For each key the arguments its sentence takes (one set for each plural form); seats' names take none."""
    forms = {
        key: [text] if isinstance(text, str) else [form for name, form in text.items() if name != "by"]
        for key, text in words.items()
        if not key.startswith("seat.")
    }
    return {key: [set(re.findall(r"\{(\w+)\}", form)) for form in each] for key, each in forms.items()}


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


def test_every_word_the_pages_use_is_there() -> None:
    script = "".join(path.read_text(encoding="utf-8") for path in sorted((SERVER / "static").glob("*.js")))
    used = set(re.findall(r'"((?:ui|online|log|message|error)\.[\w.]+)"', script))
    assert len(used) > 50
    assert used - set(catalogue("en")) == set()


def test_every_key_of_the_server_is_there() -> None:
    plights = (
        "leaning",
        "stacked",
        "touching",
        "held",
        "missing",
        "extra",
        "glare",
        "hand",
        "dark",
        "blurred",
        "small",
    )
    wanted = {
        "message": "setup first throw throw_or_pass enter move move_or_pass put_back set_right unclear wrong_throw "
        "paused board_moved too_dark too_bright camera_lost recording_ended learning hand light over draw",
        "objection": "illegal unclear wrong_throw position",
        "log": "started thrown began moved entered left captured paid out resigned turn_passed again may_throw_again "
        "over draw objected noted_board_moved noted_light noted_camera_lost noted_camera_back noted_disturbed "
        "noted_settled noted_paused noted_resumed offered undone redone corrected",
        "seen": "moving hand settling rest lost ended",
        "camera": "opening ok lost ended",
        "seat": f"{' '.join(COLOURS.values())} pot referee",
        "game": " ".join(GAMES),
        "preset": " ".join(preset for game in GAMES.values() for preset in game.presets),
        "rule": " ".join(documented()),
    }
    keys = {f"{room}.{key}" for room, names in wanted.items() for key in names.split()}
    keys |= {f"message.plight_{name}" for name in plights}
    keys |= {f"message.board_{why.replace(' ', '_')}" for why in get_args(Refusal)}
    keys |= {f"strip.{state}" for state in ("off", "ok", "lost", "busy", "no permission", "waiting for boot")}
    assert keys - set(catalogue("en")) == set()


def test_no_rule_sentence_is_for_a_key_nobody_cites() -> None:
    ruled = {key.removeprefix("rule.").removesuffix(".seen") for key in catalogue("en") if key.startswith("rule.")}
    assert ruled == documented()


SAY_ALL = """async ([language, keys, args]) => {
    const { Words } = await import("/ui/words.js");
    const words = await Words.load(language);
    return Object.fromEntries(keys.map((key) => [key, words.say(key, args)]));
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_rendered_whole(open_page: Open, language: str) -> None:
    words = catalogue(language)
    keys = [key for key in words if not key.startswith("seat.")]
    slots = {name for forms in placeholders(words).values() for form in forms for name in form}
    args: Mapping[str, object] = {**dict.fromkeys(slots, "7"), **dict.fromkeys(("seat", "owner", "payer"), "6")}
    said = open_page().evaluate(SAY_ALL, [language, keys, args])
    assert {
        key: text for key, text in said.items() if not text or re.search(r"[{}]|undefined|null|\[object", text)
    } == {}


BEANS = re.compile(r"\b(bean|боб|frijol)", re.IGNORECASE)  # noqa: RUF001
MARKS = re.compile(r"\b(mark|метк|marca)", re.IGNORECASE)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["ludo", "batok"])
def test_nobody_with_dice_is_told_of_beans(language: str, game: str) -> None:
    words = catalogue(language)
    for_beans = {"ui.marks_up", "ui.no_marks", "ui.how_many", "count.each", "count.all", "count.none"}
    for_beans |= {"log.thrown", "log.thrown_nothing"}
    said = {
        key: str(words.get(f"{key}.{game}", text))
        for key, text in words.items()
        if key.split(".")[0] in ("message", "objection", "log", "ui", "count") and key not in for_beans
        # What another game says in its own words.
        if not key.endswith((".ur", ".ludo", ".batok"))
    }
    tags = {"message.board_no_tags", "message.board_no_corners", "message.board_moved"}
    wrong = {key: text for key, text in said.items() if BEANS.search(text) or (MARKS.search(text) and key not in tags)}
    assert len(said) > 100
    assert wrong == {}
