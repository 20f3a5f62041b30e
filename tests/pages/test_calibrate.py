"""The page on which a board of one's own is calibrated, in a real browser over a real server."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from calibration.corners import CornersFault
from calibration.cross import ARMS, place
from calibration.cross_fit import WHY
from calibration.layout import load
from server.calibrate_page import Desk, create_page
from server.own_board import open_photo
from tests.calibration.drawn import draw
from tests.pages.catalogues import SERVER, catalogue
from tests.pages.door import Door, free_port

DRAWN = draw(240, ratio=0.9)
SIZE = (400.0, 360.0)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    cv2.setNumThreads(1)
    cv2.imwrite(str(tmp_path / "photo.png"), DRAWN.image)
    return Desk(open_photo(tmp_path / "photo.png"), tmp_path / "mine.toml", SIZE, (4,))


@pytest.fixture
def address(desk: Desk) -> Iterator[str]:
    port = free_port()
    door = Door(create_page(desk), port)
    yield f"http://127.0.0.1:{port}/"
    door.close()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The page; at the end it may have complained of nothing but refusals, which the browser notes by itself."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.goto(address)
    page.wait_for_selector('[data-grip="corner-4"]')
    yield page
    context.close()
    assert [text for text in complaints if "status of 422" not in text] == []


def drag(page: Page, grip: str, to: tuple[float, float]) -> None:
    """By the mouse, to pixels of the photo."""
    begin = page.locator(f'[data-grip="{grip}"] .knob').bounding_box()
    assert begin is not None
    x, y = page.evaluate(
        """([x, y]) => {
            const svg = document.querySelector(".photo svg");
            const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
            return [at.x, at.y];
        }""",
        list(to),
    )
    page.mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + begin["height"] / 2)
    page.mouse.down()
    page.mouse.move(x, y, steps=4)
    page.mouse.up()


def test_corners_are_dragged_lines_found_and_set_right_and_the_layout_saved(page: Page, desk: Desk) -> None:
    for number, corner in enumerate(DRAWN.corners_px, 1):
        drag(page, f"corner-{number}", (float(corner[0]), float(corner[1])))
    page.click('[data-do="find"]')
    expect(page.locator(".said li")).to_have_count(4, timeout=120_000)
    north = re.compile(r"^North arm: 30 of 30 lines found, 0\.\d mm \([01]\.\d px\) off even rows\.$")
    expect(page.locator(".said li").first).to_have_text(north)
    page.click('[data-do="save"]')
    expect(page.locator(".saved")).to_have_text(f"Saved as {desk.out}. To see it read:")
    truth = place(DRAWN.truth, SIZE)
    found = load(desk.out)
    assert max(np.hypot(*np.subtract(cell.centre_mm, truth.cell(cell.name).centre_mm)) for cell in found.cells) < 4

    for grip, keys in (("row-south-3", 1), ("width-west", 2)):
        page.focus(f'[data-grip="{grip}"]')
        for _ in range(keys):
            page.keyboard.press("Shift+ArrowDown" if grip.startswith("row") else "Shift+ArrowLeft")
    page.click('.rows button:text-is("5")')
    page.click('[data-do="save"]')
    expect(page.locator(".saved")).to_be_visible()
    moved = load(desk.out)
    assert moved.triangle_rows == (4, 5)
    by_mm = {cell.name: np.subtract(cell.centre_mm, found.cell(cell.name).centre_mm).round(1) for cell in moved.cells}
    assert by_mm["3"][1] > 1  # its lower line went down, so did the middle between both
    assert by_mm["4"][1] == pytest.approx(by_mm["3"][1], abs=1.0)
    assert by_mm["20"][0] < -3  # the west arm went outwards as a whole
    assert np.abs(by_mm["45"]).max() < 0.1


def test_what_cannot_be_a_board_is_said(page: Page, desk: Desk) -> None:
    one, two, three, four = ((float(x), float(y)) for x, y in DRAWN.corners_px)
    for number, at in enumerate((one, three, two, four), 1):
        drag(page, f"corner-{number}", at)
    page.click('[data-do="find"]')
    expect(page.locator(".said")).to_have_text("The sides cross like a bow-tie. Swap corners 2 and 3.", timeout=60_000)
    drag(page, "corner-2", two)
    drag(page, "corner-3", three)
    page.click('[data-do="lay"]')
    page.wait_for_selector('[data-grip="row-north-6"]')
    assert page.locator("[data-grip]").count() == 45
    for _ in range(30):
        page.locator('[data-grip="row-north-3"]').press("Shift+ArrowUp")
    page.click('[data-do="save"]')
    expect(page.locator(".said .warning")).to_contain_text("So it cannot be a board: cell", timeout=60_000)
    assert not desk.out.exists()


def test_no_key_is_lost_however_fast_they_come(page: Page) -> None:
    corner = page.locator('[data-grip="corner-1"]')
    before, after = corner.evaluate(
        """(grip) => {
            const at = () => grip.transform.baseVal.consolidate().matrix.e;
            const before = at();
            const right = () => new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true });
            for (let i = 0; i < 5; i++) grip.dispatchEvent(right());
            return [before, at()];
        }"""
    )
    assert after - before == pytest.approx(5, abs=0.01)


def test_every_word_of_the_page_is_there() -> None:
    scripts = "".join(path.read_text(encoding="utf-8") for path in (SERVER / "static" / "calibrate").glob("*.js"))
    used = set(re.findall(r'"(calibrate\.[\w.]+)"', scripts))
    used |= {f"calibrate.{name}" for name in ("find", "lay", "save")}
    used |= {f"calibrate.arm.{arm}" for arm in ARMS}
    refusals = (*get_args(CornersFault), *WHY, "layout", "file", "numbers", "gone")
    used |= {f"calibrate.error.{key}" for key in refusals}
    assert used == {key for key in catalogue("en") if key.startswith("calibrate.")}
