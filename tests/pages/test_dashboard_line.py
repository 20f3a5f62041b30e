"""The dashboard's line to the table: cut, mended, answered with a newer state or with a refusal."""

from playwright.sync_api import expect

from tests.pages.conftest import Open
from tests.pages.moments import moment
from tests.pages.stage import Stage


def test_the_line_mends_itself(open_page: Open, stage: Stage) -> None:
    page = open_page()
    stage.stop()
    expect(page.locator(".offline")).to_have_text("Reconnecting…")
    assert page.get_attribute('[data-status="link"]', "aria-label") == "Reconnecting…"
    stage.snapshot = moment(30, pot=9)
    stage.start()
    expect(page.locator(".offline")).to_have_count(0)
    expect(page.locator('[data-purse="pot"] .bead')).to_have_count(9)


def test_a_server_that_begins_anew_is_believed(open_page: Open, stage: Stage) -> None:
    page = open_page()
    stage.stop()
    stage.snapshot = moment(2, pot=1)
    stage.start()
    expect(page.locator('[data-purse="pot"] .bead')).to_have_count(1)


def test_a_line_that_died_silently_is_replaced(open_page: Open, stage: Stage) -> None:
    page = open_page(clock=True)
    # The page's time stands still from here on, however slow this machine is; its silence begins anew.
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 5)
    stage.show(moment(30, pot=9))
    expect(page.locator('[data-purse="pot"] .bead')).to_have_count(9)
    connections = stage.connections
    page.clock.run_for(11_000)
    assert stage.connections == connections
    page.clock.run_for(3_000)
    expect(page.locator(".offline")).to_have_count(0)
    assert stage.connections == connections + 1


def test_a_stale_command_brings_the_new_state(open_page: Open, stage: Stage) -> None:
    page = open_page()
    stage.answer = (409, moment(20, pot=8))
    page.click('[data-tool="hand"]')
    page.click('[data-book="4>7"]')
    expect(page.locator('[data-purse="pot"] .bead')).to_have_count(8)
    assert page.inner_text(".notice") == "The table has moved on. Look again and repeat if you still want to."


def test_an_answer_older_than_what_is_shown_changes_nothing(open_page: Open, stage: Stage) -> None:
    page = open_page()
    stage.answer = (409, moment(3, pot=8))
    page.click('[data-tool="hand"]')
    page.click('[data-book="4>7"]')
    expect(page.locator(".notice")).to_have_count(1)
    assert page.locator('[data-purse="pot"] .bead').count() == 4


def test_a_refusal_is_told(open_page: Open, stage: Stage) -> None:
    page = open_page()
    stage.answer = (422, {"error": "no throw is due"})
    page.click('[data-tool="hand"]')
    page.click('[data-book="4>7"]')
    expect(page.locator(".notice")).to_have_text("That cannot be done now. no throw is due")
