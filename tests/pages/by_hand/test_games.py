"""Ludo on a chessboard and Batok, played by hand through the page: real server, real rules, a browser."""

import pytest
from playwright.sync_api import expect

from tests.pages.by_hand.player import Lay, Player
from tests.pages.measures import COVERED, CUT_OFF, OFF_THE_PLATE, REACHED, SIZES


def test_a_short_game_of_ludo(lay: Lay) -> None:
    table, page = lay("ludo", (1, 3), {1: "Ana", 3: "Beto"})
    ana = beto = Player(page)
    ana.says("Ana, throw for the right to begin.")
    ana.throws(6)
    beto.says("Beto, throw for the right to begin.")
    beto.throws(1)
    ana.says("Ana, throw the die.")
    for _ in range(2):
        ana.throws(6)
        expect(page.locator(".hand [data-book='reserve>b1']")).to_have_count(1)
        ana.taps("reserve>b1")
        ana.says("Ana, throw the die.")
    expect(page.locator('[data-piece="b1"] .stack')).to_have_text("2")
    expect(page.locator('[data-shelf="reserve1"] .pebble')).to_have_count(2)
    ana.throws(5)
    ana.says("Ana, move one piece 5 steps.")
    ana.taps("b1>g1")
    beto.says("Beto, throw the die.")
    beto.throws(6)
    beto.says("Beto, bring a piece in: put it on g8.")
    beto.chooses("reserve>g8")
    beto.says("Beto, throw the die.")
    beto.throws(1)
    beto.says("Beto, move one piece 1 step.")
    beto.taps("g8>f8")
    ana.says("Ana, throw the die.")
    ana.throws(6)
    ana.says("Ana, move one piece 6 steps.")
    assert page.locator("[data-book]").evaluate_all("(all) => all.map((each) => each.dataset.book)") == [
        "b1>h2",
        "g1>h7",
        "reserve>b1",
    ]
    ana.taps("g1>h7")
    ana.says("Ana, throw the die.")
    ana.throws(2)
    ana.says("Ana, move one piece 2 steps.")
    before = table.state
    ana.taps("h7>f8")
    ana.says("Ana, throw the die.")
    hit = {
        "players": {"1": {"reserve": 2, "track": ["b1", "f8"]}, "3": {"reserve": 4, "track": []}},
        "turn": "1",
    }
    assert table.state == hit
    told = page.locator(".entry .what").all_inner_texts()[:3]
    assert told == ["Ana throws again.", "Ana captures Beto on f8.", "Ana moves h7 → f8."]
    expect(page.locator('[data-shelf="reserve3"] .pebble')).to_have_count(4)
    expect(page.locator('[data-piece="f8"]')).to_have_attribute("data-seat", "1")
    page.click("text=Why?")
    assert page.inner_text("dialog .ruling") == (
        "The die counts as many steps as it shows. The way round leaves the corners out. "
        "A hit sends everything on the square back, and you throw again."
    )
    page.keyboard.press("Escape")
    ana.takes_back("Ana moves h7 → f8.")
    ana.says("Ana, move one piece 2 steps.")
    assert table.state == before
    expect(page.locator('[data-piece="f8"]')).to_have_attribute("data-seat", "3")
    # The throw was another one: what it was is entered, and what may be done with it glows.
    page.click(".hand summary")
    page.click('[data-type="recast"] [data-die="4"]')
    ana.says("Ana, move one piece 4 steps.")
    assert sorted(page.locator("[data-glow]").evaluate_all("(all) => all.map((each) => each.dataset.glow)")) == [
        "d8",
        "f1",
    ]


def test_a_short_game_of_batok(lay: Lay) -> None:
    table, page = lay("batok", (1, 2), {})
    jade = maize = Player(page)
    jade.says("Jade, throw for the right to begin.")
    jade.throws(6, 6)
    maize.says("Maize, throw for the right to begin.")
    # A wrong tap is taken off before the throw is booked.
    maize.throws(5)
    page.click('[data-tapped="5"]')
    maize.throws(1, 1)
    jade.says("Jade, throw both dice.")
    jade.throws(6, 4)
    jade.says("Jade, put sticks: 10, 4 + 6, or 4 + hole.")
    glowing = page.locator("[data-glow]").evaluate_all("(all) => all.map((each) => each.dataset.glow)")
    assert sorted(glowing) == ["10", "4", "6", "hole"]
    jade.chooses("4,hole")
    jade.says("Jade, throw again or pass.")
    expect(page.locator('[data-shelf="reserve1"] .tally')).to_have_count(18)
    expect(page.locator(".dropped")).to_have_text("1")
    expect(page.locator("[data-piece]")).to_have_count(1)
    page.click(".banner .aside")
    maize.says("Maize, throw both dice.")
    expect(page.locator(".banner .aside")).to_have_count(0)
    maize.throws(4, 3)
    maize.says("Maize, put sticks: 7.")
    maize.taps("7")
    maize.says("Maize, throw again or pass.")
    before = table.state
    maize.throws(3, 4)
    jade.says("Jade, throw both dice.")
    taken = {"players": {"1": {"sticks": 18}, "2": {"sticks": 21}}, "posts": [], "dropped": 1, "turn": "1"}
    assert {key: table.state[key] for key in taken} == taken
    expect(page.locator("[data-piece]")).to_have_count(0)
    assert page.locator(".entry .what").all_inner_texts()[:5] == [
        "Jade is next.",
        "Maize takes the stick on 7 back.",
        "Maize takes the stick on 4 back.",
        "Maize throws 3 + 4.",
        "Maize may throw again or pass.",
    ]
    page.click("text=Why?")
    assert page.inner_text("dialog .ruling") == (
        "A stick for each die, or one stick on their sum. Use the whole throw or none of it. Nothing can be done with "
        "this throw. The throw cannot be used: take all sticks from the posts. What has dropped into the hole stays "
        "there."
    )
    page.keyboard.press("Escape")
    maize.takes_back("Maize throws 3 + 4.")
    maize.says("Maize, throw again or pass.")
    assert table.state == before
    expect(page.locator("[data-piece]")).to_have_count(2)
    maize.takes_back("Maize puts a stick on 7.")
    maize.says("Maize, put sticks: 7.")
    expect(page.locator(".entry .what").first).to_have_text("Someone at the table takes back the sticks on 7.")


def test_a_tapped_die_is_not_of_the_next_throw(lay: Lay) -> None:
    table, page = lay("batok", (1, 2), {})
    jade = maize = Player(page)
    tapped, slots = page.locator(".hand [data-tapped]"), page.locator('.hand > [data-type="throw"] .slot-die')
    jade.says("Jade, throw for the right to begin.")
    jade.throws(5)
    expect(tapped).to_have_count(1)
    table.command(type="throw", dice=[6, 6])
    maize.says("Maize, throw for the right to begin.")
    expect(tapped).to_have_count(0)
    expect(slots).to_have_count(2)
    # Nor is what an earlier throw should have been.
    page.click(".hand summary")
    page.click('.hand [data-type="recast"] [data-die="4"]')
    expect(tapped).to_have_count(1)
    table.command(type="throw", dice=[1, 1])
    jade.says("Jade, throw both dice.")
    expect(tapped).to_have_count(0)
    jade.throws(6)
    expect(tapped).to_have_count(1)
    jade.throws(4)
    jade.says("Jade, put sticks: 10, 4 + 6, or 4 + hole.")


@pytest.mark.parametrize(
    ("game", "seats", "dice"),
    [
        ("ludo", (1, 2, 3, 4), [[6], [1], [1], [1], [6]]),
        ("batok", (1, 2, 3), [[6, 6], [1, 1], [1, 2], [2, 3]]),
        ("batok", (1, 2, 3, 4, 5, 6), [[6, 6], *([[1, 1]] * 5), [2, 3]]),
    ],
)
@pytest.mark.parametrize("size", SIZES)
def test_nothing_lies_over_the_cells(
    lay: Lay, game: str, seats: tuple[int, ...], dice: list[list[int]], size: tuple[int, int]
) -> None:
    names = {1: "Maximiliano Fernández de la Cruz", 2: "Александра Константинопольская"}
    table, page = lay(game, seats, names, size=size, locale="ru")
    for each in dice:
        table.command(type="throw", dice=each)
    page.wait_for_selector("[data-glow]")
    assert page.evaluate(COVERED) == []
    page.evaluate("document.querySelector('.seat').setAttribute('transform', 'translate(-900 0)')")
    assert page.evaluate(COVERED) != [], "what lies elsewhere would be told"
    page.evaluate("document.querySelector('.seat').removeAttribute('transform')")
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    plates = page.locator(".seat").evaluate_all(
        "(all) => all.map((each) => each.getBoundingClientRect()).map(({left, right}) => [left, right])"
    )
    assert len(plates) == len(seats)
    assert all(0 <= left < right <= size[0] for left, right in plates)
    page.click('[data-tool="hand"]')
    reached = page.locator("[data-move]").evaluate_all(f"(all) => all.map({REACHED})")
    assert reached
    assert all(reached)
    assert page.evaluate(OFF_THE_PLATE) == []
    page.click('[data-tool="menu"]')
    page.click("dialog .strong")
    page.wait_for_selector("dialog .player")
    assert page.evaluate(CUT_OFF) == []
