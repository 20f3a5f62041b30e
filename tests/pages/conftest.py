"""A real browser and a scripted table for each test; anything odd on the page fails the test that met it."""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.pages.moments import moment
from tests.pages.stage import Stage

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
ROOT_ONLY = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()

Open = Callable[..., Page]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, headless."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: the pages were not tried")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*ROOT_ONLY, *QUIET])
        yield browser
        browser.close()


@pytest.fixture
def stage(browser: Browser) -> Iterator[Stage]:
    """A table in the middle of a match."""
    stage = Stage(moment())
    yield stage
    stage.stop()


@pytest.fixture
def open_page(browser: Browser, stage: Stage) -> Iterator[Open]:
    """Opens pages of the stage; at the end no page may have complained or asked anybody else for anything."""
    contexts = []
    complaints: list[str] = []
    foreign: list[str] = []

    def open_(
        path: str = "", *, size: tuple[int, int] = (1280, 800), scheme: str = "light", locale: str = "en-GB",
        still: bool = True, script: str = "", clock: bool = False, wait: str = ".banner, .caption",
    ) -> Page:  # fmt: skip
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if scheme == "dark" else "light",
            locale=locale,
            reduced_motion="reduce" if still else "no-preference",
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("request", lambda asked: _note_foreign(asked.url, stage, foreign))
        if script:
            page.add_init_script(script)
        if clock:
            page.clock.install()
        page.goto(stage.url + path)
        page.wait_for_selector(wait)
        return page

    yield open_
    for context in contexts:
        context.close()
    # A server that dies, and one that refuses, are part of the play; the browser reports both by itself.
    expected = ("ERR_CONNECTION_REFUSED", "WebSocket connection to", "status of 409", "status of 422")
    assert [text for text in complaints if not any(word in text for word in expected)] == []
    assert foreign == []


def _note_foreign(url: str, stage: Stage, foreign: list[str]) -> None:
    own = (stage.url, stage.url.replace("http", "ws"), "data:", "blob:")
    if not url.startswith(own):
        foreign.append(url)
