"""What people see on the dashboard."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.pages.conftest import Open
from tests.pages.moments import ILLEGAL, Json, line, moment, player, throw
from tests.pages.stage import Stage


def shown(page: Page) -> dict[str, Any]:
    """The state as a person could count it on the page."""
    found: dict[str, Any] = page.evaluate("""() => {
        const all = (selector) => [...document.querySelectorAll(selector)];
        const count = (selector) => all(selector).length;
        const pair = (name, what) => (each) => [each.dataset[name], each.querySelectorAll(what).length];
        const inside = (name, what) => Object.fromEntries(all(`[data-${name}]`).map(pair(name, what)));
        return {
            turn: document.querySelector(".banner").dataset.turn,
            count: document.querySelector("[data-count]").textContent,
            marked: count(".lies.marked"), plain: count(".lies.plain"),
            pieces: Object.fromEntries(all("[data-piece]").map((each) => [each.dataset.piece, each.dataset.seat])),
            glowing: all("[data-glow]").map((each) => each.dataset.glow).sort(),
            beads: inside("purse", ".bead"),
            shelves: inside("shelf", ".pebble"),
            lit: count(".led.lit"),
        };
    }""")
    return found


def test_shows_the_state(open_page: Open, stage: Stage) -> None:
    page = open_page()
    assert shown(page) == {
        "turn": "1",
        "count": "3",
        "marked": 3,
        "plain": 2,
        "pieces": {"4": "1", "26": "1", "30": "3", "45": "3"},
        "glowing": ["29", "7"],
        "beads": {"1": 17, "3": 19, "pot": 4},
        "shelves": {"reserve1": 3, "home1": 1, "reserve3": 4, "home3": 0},
        "lit": 1,
    }
    assert page.inner_text(".banner") == "Ana\n\nAna, move one piece 3 steps."
    assert page.inner_text(".worth") == "3 steps\n\n3 marks up"
    assert page.locator(".log .what").all_inner_texts()[:3] == [
        "Ana throws 3: 3 steps.",
        "Ana is next.",
        "Benito pays 1 stake into the pot.",
    ]
    assert page.title() == "Ana · Macuil"
    stage.show(moment(13, seats=[player("1", "", 3, 1, 17), player("3", "Benito", 4, 0, 19)]))
    expect(page.locator(".banner")).to_have_text("JadeJade, move one piece 3 steps.")
    assert page.get_attribute('[data-seat="1"]', "aria-label") == "Jade, 17 stakes, Reserve: 3, Home: 1"


def test_a_new_snapshot_is_shown_without_loading_again(open_page: Open, stage: Stage) -> None:
    page = open_page()
    page.evaluate("window.kept = document.querySelector('[data-piece=\"45\"]')")
    stage.show(
        moment(
            13,
            phase="throw",
            turn="3",
            legal=[],
            pieces={"7": ["1"], "26": ["1"], "30": ["3"], "45": ["3"]},
            pot=5,
            seats=[player("1", "Ana", 3, 1, 16), player("3", "Benito", 4, 0, 19)],
            message={"key": "throw", "args": {"seat": "3"}},
        )
    )
    expect(page.locator(".banner")).to_have_text("BenitoBenito, throw the five beans.")
    assert shown(page) == {
        "turn": "3",
        "count": "3",
        "marked": 3,
        "plain": 2,
        "pieces": {"7": "1", "26": "1", "30": "3", "45": "3"},
        "glowing": [],
        "beads": {"1": 16, "3": 19, "pot": 5},
        "shelves": {"reserve1": 3, "home1": 1, "reserve3": 4, "home3": 0},
        "lit": 1,
    }
    assert page.evaluate("window.kept === document.querySelector('[data-piece=\"45\"]')")


def test_before_the_first_game(open_page: Open, stage: Stage) -> None:
    bare = moment(
        0, phase="setup", turn=None, seats=[], pieces={}, legal=[], log=[], message={"key": "setup", "args": {}}
    )
    stage.snapshot = {key: bare[key] for key in bare if key not in ("game", "preset", "pot", "throw", "winner")}
    page = open_page()
    assert page.inner_text(".banner .next") == "Lay out the board and start a game."
    assert page.locator(".free").count() == 4
    page.click(".banner button")
    assert page.inner_text("dialog h2") == "New game"


def test_the_end(open_page: Open, stage: Stage) -> None:
    stage.snapshot = moment(
        phase="over", turn=None, winner="3", legal=[], message={"key": "over", "args": {"seat": "3"}}
    )
    page = open_page()
    assert page.inner_text(".banner .who") == "Benito wins!"
    assert page.inner_text(".banner .next") == "Benito has won. Well played!"


def test_stacks_and_players_who_are_out(open_page: Open, stage: Stage) -> None:
    stage.snapshot = moment(
        pieces={"4": ["1", "1", "1"]}, seats=[player("1", "Ana", 3, 0, 3), player("3", "Benito", 0, 0, 0, out=True)]
    )
    page = open_page()
    assert page.text_content('[data-piece="4"] .stack') == "3"
    assert page.text_content(".seat.out .small") == "Out of the game"


@pytest.mark.parametrize(
    ("thrown", "said"),
    [
        (throw(17, 3, 3), "Every mark counts one step."),
        (throw(17, 5, 10), "All 5 marks together count 10 steps."),
        (throw(17, 0, 10), "A throw without any mark counts 10 steps."),
        (throw(17, 0, 0, "hand") | {"why": ["offering"]},
         "Every mark counts one step. No mark moves nothing: it is an offering."),
    ],
)  # fmt: skip
def test_why_tells_the_rule(open_page: Open, stage: Stage, thrown: Json, said: str) -> None:
    stage.snapshot = moment(throw=thrown)
    page = open_page()
    page.click("text=Why?")
    assert page.inner_text("dialog .ruling") == said
    assert page.locator("dialog img").count() == (thrown["source"] == "camera")


def test_a_recording_that_has_ended_says_so(open_page: Open, stage: Stage) -> None:
    stage.snapshot = moment(
        message={"key": "recording_ended", "args": {}},
        seen={"state": "ended", "plights": []},
        camera={"identity": "evening.mp4", "fps": 0, "state": "ended", "size": [1280, 720]},
    )
    page = open_page()
    assert page.inner_text(".banner .next") == "The recording has ended. Go on by hand."
    assert page.inner_text(".count .seen") == "Recording over"
    page.click('[data-tool="camera"]')
    assert page.inner_text(".veil") == "The recording has ended"


def test_undo_names_what_it_takes_back(open_page: Open, stage: Stage) -> None:
    stage.snapshot = moment(undo=line(5, "moved", seat="3", origin="28", target="30"))
    page = open_page()
    page.click('[data-tool="undo"]')
    assert page.inner_text("dialog .quoted") == "Benito moves 28 → 30."
    stage.snapshot = moment(undo=None)
    page = open_page()
    page.click('[data-tool="undo"]')
    assert page.inner_text("dialog .quoted") == "There is nothing to take back."


def test_an_objection_names_cells_and_ways_out(open_page: Open, stage: Stage) -> None:
    stage.snapshot = moment(turn="3", objection=ILLEGAL, message={"key": "put_back", "args": {"seat": "3"}})
    page = open_page()
    assert page.inner_text(".objection .next") == (
        "Benito, put the piece back on 12. Captures happen only in the centre."
    )
    assert page.inner_text('[role="alert"]') == page.inner_text(".objection .next")
    assert page.locator("[data-doubt]").evaluate_all("(all) => all.map((each) => each.dataset.doubt)") == ["12", "15"]
    with page.expect_response("**/api/commands"):
        page.click("text=Accept what is seen")
    assert stage.commands[0]["command"] == {"type": "accept"}
    page.click(".objection >> text=Enter by hand")
    expect(page.locator(".hand")).to_have_count(1)


def test_cells_to_set_right_are_shown(open_page: Open, stage: Stage) -> None:
    stage.snapshot = moment(message={"key": "set_right", "args": {"cells": "12, 26"}})
    page = open_page()
    assert page.inner_text(".banner .next") == "Set the board right: look at 12, 26."
    assert page.locator("[data-doubt]").evaluate_all("(all) => all.map((each) => each.dataset.doubt)") == ["12", "26"]


def test_a_throw_by_hand_is_laid_out_and_said(open_page: Open, stage: Stage) -> None:
    stage.snapshot = moment(throw=throw(18, 5, 10, "hand"))
    page = open_page()
    assert page.inner_text(".worth") == "10 steps\n\n5 marks up · Entered by hand"
    assert page.locator(".lies.marked").count() == 5


def test_the_camera_is_shown_and_each_picture_answered(open_page: Open, stage: Stage) -> None:
    page = open_page()
    assert page.locator("canvas").count() == 0
    assert stage.acks == []
    page.click('[data-tool="camera"]')
    page.wait_for_function("Number(document.querySelector('canvas')?.dataset.frames) >= 3")
    assert set(stage.acks) == {"shown"}
    assert page.evaluate("[document.querySelector('canvas').width, document.querySelector('canvas').height]") == [
        1280,
        720,
    ]
    assert page.get_attribute(".overlay", "viewBox") == "0 0 1280 720"
    assert page.locator(".overlay .read").count() == 4


def test_the_demo_shows_its_camera(open_page: Open, stage: Stage) -> None:
    stage.snapshot = moment(demo=True)
    page = open_page()
    page.wait_for_selector("canvas[data-frames]")


def test_language_and_light_are_remembered(open_page: Open) -> None:
    page = open_page(locale="es-MX")
    assert page.inner_text(".banner .next") == "Ana, mueve una ficha 3 pasos."
    page.click('[data-tool="menu"]')
    page.click('button[lang="ru"]')
    expect(page.locator(".banner .next")).to_have_text("Ana, пройдите одной фишкой 3 шага.")
    page.click("dialog >> text=При лампе")
    page.reload()
    expect(page.locator(".banner .next")).to_have_text("Ana, пройдите одной фишкой 3 шага.")
    assert page.evaluate("[document.documentElement.lang, document.documentElement.dataset.theme]") == ["ru", "dark"]


RECORD = """window.moved = []; const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
    window.moved.push([this.getAttribute("class").split(" ")[0], frames.length]);
    return animate.call(this, frames, options);
};"""


@pytest.mark.parametrize(("still", "moved"), [(False, [["piece", 4], ["flying", 3]]), (True, [])])
def test_motion_explains_or_rests(open_page: Open, stage: Stage, still: bool, moved: list[Any]) -> None:
    page = open_page(still=still, script=RECORD)
    news = [
        line(18, "moved", seat="1", origin="4", target="7"),
        line(19, "paid", payer="1", payee="pot", amount=1, why="x"),
    ]
    stage.show(moment(14, log=[*moment()["log"], *news], pieces={"7": ["1"], "26": ["1"]}, legal=[], pot=5))
    expect(page.locator('[data-piece="7"]')).to_have_count(1)
    assert page.evaluate("window.moved") == moved
    if still:
        assert page.evaluate("document.getAnimations().length") == 0


def test_the_caption_for_a_stream(open_page: Open) -> None:
    page = open_page("overlay")
    assert page.inner_text(".whose") == "Ana"
    assert page.inner_text(".throw") == "3\n3 marks up"
    assert page.locator(".purse b").all_inner_texts() == ["17", "19", "4"]
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
