"""The window in which people drag the corners of the playing field."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.calibration.test_corners import FIELD, REFUSED
from tests.pages.conftest import Open
from tests.pages.moments import moment
from tests.pages.stage import Stage

OPEN = ['[data-tool="menu"]', "dialog .row button:nth-of-type(2)"]
FAULT = """async (cases) => {
    const { fault } = await import("/ui/corners.js");
    return cases.map((corners) => fault(corners, [1280, 720]));
}"""


def opened(page: Page) -> Page:
    for button in OPEN:
        page.click(button)
    page.wait_for_selector("dialog.corners canvas[data-frames]")
    return page


def middle(page: Page, number: int) -> tuple[float, float]:
    """Of a handle, in pixels of the camera's picture."""
    at: list[float] = page.evaluate(
        """(number) => {
            const [a, b] = [`[data-corner="${number}"]`, "dialog .picture"].map((selector) =>
                document.querySelector(selector).getBoundingClientRect());
            return [(a.x + a.width / 2 - b.x) / b.width * 1280 - .5, (a.y + a.height / 2 - b.y) / b.height * 720 - .5];
        }""",
        number,
    )
    return at[0], at[1]


def drag(page: Page, number: int, to: tuple[float, float]) -> None:
    handle = page.locator(f'[data-corner="{number}"]').bounding_box()
    picture = page.locator("dialog .picture").bounding_box()
    assert handle
    assert picture
    page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    page.mouse.down()
    for share in (0.5, 1.0):
        x = picture["x"] + (to[0] + 0.5) / 1280 * picture["width"]
        y = picture["y"] + (to[1] + 0.5) / 720 * picture["height"]
        page.mouse.move(x * share + handle["x"] * (1 - share), y * share + handle["y"] * (1 - share))
    page.mouse.up()


def test_corners_are_dragged_turned_and_sent(open_page: Open, stage: Stage) -> None:
    page = opened(open_page())
    assert [middle(page, k) for k in (1, 2, 3, 4)] == [
        pytest.approx(corner, abs=0.2) for corner in ((180, 107), (569, 105), (583, 626), (153, 624))
    ], "they begin where the field is believed to be"
    drag(page, 2, (900, 90))
    drag(page, 3, (1400, 660))  # out of the picture: it stays at its edge
    expect(page.locator("[data-fault]")).to_have_attribute("data-fault", "")
    assert page.locator("dialog .overlay .edge").count() == 52, "every cell is drawn where it would be"
    page.locator('[data-corner="1"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    page.click("dialog .row.end button:nth-of-type(1)")
    with page.expect_response("**/api/commands"):
        page.click("dialog .strong")
    page.wait_for_selector("dialog", state="detached")
    (asked,) = stage.commands
    assert asked["command"]["type"] == "show_corners"
    assert asked["command"]["corners"] == [
        pytest.approx(corner, abs=1.5) for corner in ((153, 624), (181, 97), (900, 90), (1279, 660))
    ]


def test_a_bow_tie_is_refused_in_words_before_anything_is_sent(open_page: Open, stage: Stage) -> None:
    page = opened(open_page(locale="ru"))
    drag(page, 2, (583, 650))
    drag(page, 3, (569, 105))
    expect(page.locator("[data-fault]")).to_have_attribute("data-fault", "crossed")
    expect(page.locator("[data-fault]")).to_have_text("Стороны перекрещены бантиком. Поменяйте местами углы 2 и 3.")
    expect(page.locator("dialog .strong")).to_be_disabled()
    assert (page.locator("dialog .overlay .edge").count(), stage.commands) == (0, [])


def test_a_finger_drags_too(open_page: Open) -> None:
    page = opened(open_page())
    page.evaluate("""() => {
        const handle = document.querySelector('[data-corner="4"]');
        const box = document.querySelector("dialog .picture").getBoundingClientRect();
        let held = false;
        handle.setPointerCapture = () => (held = true);
        handle.hasPointerCapture = () => held;
        const touch = (type, x, y) => handle.dispatchEvent(new PointerEvent(type, {
            pointerId: 7, pointerType: "touch", bubbles: true, clientX: box.left + x, clientY: box.top + y,
        }));
        touch("pointerdown", 0, 0);
        touch("pointermove", box.width / 4, box.height / 2);
        touch("pointerup", 0, 0);
    }""")
    page.wait_for_function("document.querySelector('[data-corner=\"4\"]').style.top.startsWith('50')")
    assert middle(page, 4) == pytest.approx((319.5, 359.5), abs=1)
    assert page.locator('[data-corner="4"]').evaluate("(handle) => getComputedStyle(handle).touchAction") == "none"


def test_no_key_is_lost_however_fast_they_come(open_page: Open) -> None:
    page = opened(open_page())
    before = middle(page, 1)
    page.locator('[data-corner="1"]').evaluate(
        """(corner) => {
            const right = () => new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true });
            for (let i = 0; i < 9; i++) corner.dispatchEvent(right());
        }"""
    )
    assert np.subtract(middle(page, 1), before) == pytest.approx([9, 0], abs=0.3)


def test_shown_corners_can_be_forgotten(open_page: Open, stage: Stage) -> None:
    stage.snapshot = moment(sight="corners")
    page = opened(open_page())
    with page.expect_response("**/api/commands"):
        page.click("dialog .row.end button:nth-of-type(1)")
    page.wait_for_selector("dialog", state="detached")
    assert [asked["command"] for asked in stage.commands] == [{"type": "forget_corners"}]


def test_what_the_table_refuses_is_told(open_page: Open, stage: Stage) -> None:
    stage.answer = (422, {"error": "too little is drawn between these corners"})
    page = opened(open_page())
    page.click("dialog .strong")
    expect(page.locator(".notice")).to_have_text("That cannot be done now. too little is drawn between these corners")


def test_the_page_refuses_what_the_table_refuses(open_page: Open) -> None:
    cases: list[Any] = [case.values for case in REFUSED if case.id != "no number"]
    page = open_page()
    found = page.evaluate(FAULT, [[*map(list, corners)] for corners, *_ in cases])
    numbers = [tuple(answer[key] for key in ("a", "b") if key in answer) for answer in found]
    assert [answer["fault"] for answer in found] == [fault for _, fault, *_ in cases]
    assert [given for given, answer in zip(numbers, found, strict=True) if answer["fault"] != "mirrored"] == [
        wanted for _, fault, wanted, _ in cases if fault != "mirrored"
    ]
    assert page.evaluate(FAULT, [[*map(list, FIELD)]]) == [None]
