"""What the table is told by the dashboard."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.pages.conftest import Open
from tests.pages.moments import legal, moment, player
from tests.pages.stage import Stage


@pytest.mark.parametrize(
    ("clicks", "command"),
    [
        pytest.param(
            ['[data-tool="hand"]', ".hand summary", '[data-marks="4"]'],
            {"type": "recast", "throw": 17, "marks": 4},
            id="another throw",
        ),
        pytest.param(['[data-tool="hand"]', '[data-book="26>29"]'], {"type": "move", "move": "26>29"}, id="a move"),
        pytest.param(['[data-tool="hand"]', '[data-move="4>7"]'], {"type": "move", "move": "4>7"}, id="a glowing cell"),
        pytest.param(['[data-tool="undo"]', "dialog .strong"], {"type": "undo"}, id="undo"),
        pytest.param([".count button >> nth=1"], {"type": "throw_again"}, id="throw again"),
        pytest.param(
            ['[data-tool="menu"]', "dialog .strong", "dialog .strong"],
            {
                "type": "new_game", "game": "patolli", "preset": "classic", "seats": ["1", "3"],
                "names": {"1": "Ana", "3": "Benito"},
            },
            id="a new game",
        ),
    ],
)  # fmt: skip
def test_commands(open_page: Open, stage: Stage, clicks: list[str], command: dict[str, Any]) -> None:
    page = open_page()
    with page.expect_response("**/api/commands"):
        for each in clicks:
            page.click(each)
    [asked] = stage.commands
    assert {**asked, "client": len(asked["client"])} == {"client": 16, "version": 12, "command": command}


def test_the_next_throw_and_the_latest_one_are_entered_apart(open_page: Open, stage: Stage) -> None:
    stage.snapshot = moment(phase="throw", legal=[], message={"key": "throw", "args": {"seat": "3"}})
    page = open_page()
    page.click('[data-tool="hand"]')
    for kind in ("throw", "recast"):
        if kind == "recast":
            page.click(".hand summary")
        with page.expect_response("**/api/commands"):
            page.click(f'[data-type="{kind}"] [data-marks="2"]')
    commands = [asked["command"] for asked in stage.commands]
    assert commands == [{"type": "throw", "marks": 2}, {"type": "recast", "throw": 17, "marks": 2}]


@pytest.mark.parametrize("phase", ["throw", "move"])
@pytest.mark.parametrize(("needs", "name"), [((5, 0), "4 marks up"), ((0, 1), "4")], ids=["beans", "die"])
def test_what_takes_back_a_throw_is_folded_away_and_named(
    open_page: Open, stage: Stage, phase: str, needs: tuple[int, int], name: str
) -> None:
    stage.snapshot = moment(phase=phase, needs=dict(zip(("beans", "dice"), needs, strict=True)))
    page = open_page()
    page.click('[data-tool="hand"]')
    fours = page.locator('.hand [data-marks="4"], .hand [data-die="4"]')

    def named() -> list[str | None]:
        return [each.get_attribute("aria-label") for each in fours.all() if each.is_visible()]

    assert named() == ([] if phase == "move" else [name])
    page.get_by_text("Correct the last throw").click()
    assert named() == ["Correct it to 4"]
    assert page.inner_text(".hand details p").startswith("Booked: 3 marks up.")


def test_a_glowing_cell_by_keyboard(open_page: Open, stage: Stage) -> None:
    page = open_page()
    page.focus('[data-tool="hand"]')
    page.keyboard.press("Enter")
    page.focus('[data-move="26>29"]')
    with page.expect_response("**/api/commands"):
        page.keyboard.press("Enter")
    assert [asked["command"] for asked in stage.commands] == [{"type": "move", "move": "26>29"}]


def test_moves_that_share_a_target_or_leave_the_board(open_page: Open, stage: Stage) -> None:
    moves = ["reserve>4", "1>4", "52>home"]
    stage.snapshot = moment(pieces={"1": ["1"], "52": ["1"]}, legal=[legal(move) for move in moves])
    page = open_page()
    page.click('[data-tool="hand"]')
    expect(page.locator("[data-move]")).to_have_count(3)
    assert page.locator("[data-book]").all_inner_texts() == ["reserve → 4", "1 → 4", "52 → home"]
    taps = page.eval_on_selector_all(
        "[data-move]", "(all) => all.map((tap) => [tap.dataset.move, tap.getAttribute('points').split(' ')[0]])"
    )
    cells = {name: page.evaluate(FIRST_CORNER, name) for name in ("1", "4", "52")}
    assert taps == [["reserve>4", cells["4"]], ["1>4", cells["1"]], ["52>home", cells["52"]]]


FIRST_CORNER = """async (name) => {
    const layout = await (await fetch("/api/layout")).json();
    return layout.cells.find((cell) => cell.name === name).outline[0].join(",");
}"""


def test_new_game_for_more(open_page: Open, stage: Stage) -> None:
    page = open_page()
    page.click('[data-tool="menu"]')
    page.click("dialog .strong")
    page.check('input[value="quick"]')
    page.check(".player >> nth=3 >> input[type=checkbox]")
    page.fill('.player >> nth=3 >> input[type="text"]', "Ester")
    with page.expect_response("**/api/commands"):
        page.click("form .strong")
    assert stage.commands[0]["command"] == {
        "type": "new_game", "game": "patolli", "preset": "quick", "seats": ["1", "3", "4"],
        "names": {"1": "Ana", "3": "Benito", "4": "Ester"},
    }  # fmt: skip


def test_a_new_game_begins_as_the_last_one(open_page: Open, stage: Stage) -> None:
    seats = [player("2", "Ana", 3, 1, 17), player("4", "", 4, 0, 19)]
    stage.snapshot = moment(preset="modern", seats=seats, turn="2")
    page = open_page()
    page.click('[data-tool="menu"]')
    page.click("dialog .strong")
    page.check('input[value="quick"]')
    page.keyboard.press("Escape")
    page.click('[data-tool="menu"]')
    page.click("dialog .strong")
    expect(page.locator('input[value="modern"]')).to_be_checked()
    assert page.get_attribute(".player >> nth=1 >> input[type=text]", "aria-label") == "Name of Maize"
    with page.expect_response("**/api/commands"):
        page.click("form .strong")
    assert stage.commands[0]["command"] == {
        "type": "new_game", "game": "patolli", "preset": "modern", "seats": ["2", "4"], "names": {"2": "Ana"},
    }  # fmt: skip
