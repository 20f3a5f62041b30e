"""What people are told and can enter while the camera does not see, doubts or the match rests."""

import pytest
from playwright.sync_api import expect

from referee.observation import BeanSeen, DieSeen, Face, Plight, ThrowSeen
from tests.pages.by_hand.player import Lay, Player


def test_without_a_camera_the_banner_follows_what_is_entered(lay: Lay) -> None:
    table, page = lay("ludo", (1, 3), {1: "Ana", 3: "Beto"})
    ana = beto = Player(page)
    notice = page.locator(".banner .unwatched")
    ana.says("Ana, throw for the right to begin.")
    table.has_camera = False
    ana.says("I see nothing. Check the camera or go on by hand.")
    expect(notice).to_have_count(0)
    ana.throws(6)
    beto.says("Beto, throw for the right to begin.")
    expect(notice).to_have_text("I see nothing. Check the camera or go on by hand.")
    beto.throws(1)
    ana.says("Ana, throw the die.")
    ana.throws(6)
    ana.says("Ana, bring a piece in: put it on b1.")
    ana.chooses("reserve>b1")
    ana.says("Ana, throw the die.")
    expect(notice).to_have_count(1)
    table.has_camera = True
    expect(notice).to_have_count(0)
    ana.says("Ana, throw the die.")
    table.has_camera = False
    ana.says("I see nothing. Check the camera or go on by hand.")


def test_while_the_board_is_moved_the_banner_follows_what_is_entered(lay: Lay) -> None:
    table, page = lay("ludo", (1, 3), {1: "Ana", 3: "Beto"})
    ana = beto = Player(page)
    notice = page.locator(".banner .unwatched")
    table.is_moving = True
    ana.says("The board has moved. Lay it flat and in sight of the camera.")
    expect(notice).to_have_count(0)
    ana.throws(6)
    beto.says("Beto, throw for the right to begin.")
    expect(notice).to_have_text("The board has moved. Lay it flat and in sight of the camera.")
    beto.throws(1)
    ana.says("Ana, throw the die.")
    expect(page.locator(".banner .who")).to_have_text("Ana")
    table.is_moving = False
    expect(notice).to_have_count(0)
    ana.says("Ana, throw the die.")


def test_a_pause_is_asked_for_and_ended_on_the_page(lay: Lay) -> None:
    table, page = lay("ludo", (1, 3), {1: "Ana", 3: "Beto"})
    ana = Player(page)
    for value in (6, 1, 6):
        table.command(type="throw", dice=[value])
    ana.says("Ana, bring a piece in: put it on b1.")
    page.click('[data-tool="menu"]')
    page.click("dialog >> text=Pause")
    expect(page.locator(".banner .who")).to_have_text("Pause")
    ana.says("The match rests. Ana goes on afterwards.")
    expect(page.locator(".banner")).to_have_attribute("data-turn", "1")
    expect(page.locator("[data-glow], [data-book], [data-die]")).to_have_count(0)
    expect(page.locator(".entry .what").first).to_have_text("Someone at the table pauses the match.")
    page.click('[data-tool="menu"]')
    expect(page.locator("dialog >> text=Pause")).to_have_count(0)
    page.keyboard.press("Escape")
    page.click("text=Play on")
    ana.says("Ana, bring a piece in: put it on b1.")
    expect(page.locator("[data-glow]")).to_have_count(1)


def beans(*faces: Face, plight: Plight = "small") -> ThrowSeen:
    """Five beans that were thrown, too small to be sure."""
    seen = [BeanSeen((0.0, 0.0), face, True, 0.9, 0.0, (0.5, 0.1 + 0.2 * i)) for i, face in enumerate(faces)]
    return ThrowSeen("beans", tuple(seen), plights=(plight,), length_px=20.0)


def test_a_throw_that_is_not_certain_is_shown_and_booked_by_one_tap(lay: Lay) -> None:
    table, page = lay("patolli", (1, 3), {1: "Ana", 3: "Beto"})
    asked, choices = page.locator(".banner .doubtful p"), page.locator(".banner .doubtful button")
    expect(page.locator(".banner .next")).to_have_text("Ana, throw for the right to begin.")
    expect(choices).to_have_count(0)
    table.lying = beans("marked", "plain", "marked", "marked", "plain")
    expect(asked).to_have_text("Or tap what lies there. I take it for 3.")
    expect(page.locator(".banner .next")).to_contain_text("bring the camera nearer")
    expect(choices).to_have_text(["0", "1", "2", "3", "4", "5"])
    expect(page.locator(".banner [aria-current]")).to_have_text("3")
    assert page.locator(".place .marked").count() == 3
    expect(page.locator(".count .steps")).to_have_text("Not certain")
    # One of them cannot be told: nothing is suggested, and it is shown which one.
    table.lying = beans("marked", "plain", "unsure", "marked", "plain")
    expect(asked).to_have_text("Or tap what lies there.")
    expect(page.locator(".banner [aria-current]")).to_have_count(0)
    expect(page.locator(".place .unsure text")).to_have_text("?")
    page.click('.banner [data-marks="2"]')
    expect(page.locator(".banner .next")).to_have_text("Beto, throw for the right to begin.")
    expect(choices).to_have_count(0)
    expect(page.locator(".entry .what").first).to_have_text("Ana throws 2: 2 steps.")
    expect(page.locator(".place .unsure")).to_have_count(0)


def test_two_dice_that_were_made_out_are_booked_by_one_tap(lay: Lay) -> None:
    table, page = lay("batok", (1, 2), {1: "Ana", 2: "Beto"})
    expect(page.locator(".banner .next")).to_have_text("Ana, throw for the right to begin.")
    dice = tuple(DieSeen((0, 0, 9, 9), value, True, 0.9, (0.5, 0.1 * value)) for value in (3, 5))
    table.lying = ThrowSeen("dice", dice=dice, plights=("dark",))
    expect(page.locator(".banner .doubtful p")).to_have_text("Or tap what lies there. I take it for 3 + 5.")
    page.click('.banner [data-taken="3,5"]')
    expect(page.locator(".entry .what").first).to_have_text("Ana throws 3 + 5.")
    expect(page.locator(".banner .next")).to_have_text("Beto, throw for the right to begin.")


@pytest.mark.parametrize("plight", ["leaning", "stacked", "missing", "extra"])
def test_a_void_throw_is_shown_and_cannot_be_tapped(lay: Lay, plight: Plight) -> None:
    table, page = lay("patolli", (1, 3), {1: "Ana", 3: "Beto"})
    expect(page.locator(".banner .next")).to_have_text("Ana, throw for the right to begin.")
    table.lying = beans("marked", "plain", "marked", "marked", "plain", plight=plight)
    expect(page.locator(".count .steps")).to_have_text("Not certain")
    assert page.locator(".place .marked").count() == 3
    expect(page.locator(".banner .doubtful")).to_have_count(0)
    expect(page.locator(".count .figure")).to_have_text("?")
    page.click('[data-tool="hand"]')
    page.click('.hand > [data-type="throw"] [data-marks="3"]')
    expect(page.locator(".entry .what").first).to_have_text("Ana throws 3: 3 steps.")
