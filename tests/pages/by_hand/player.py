"""A tablet in somebody's hands."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.pages.obedient import ObedientTable

Lay = Callable[..., tuple[ObedientTable, Page]]
"""Lays a table for a game, its seats and names, and opens its page."""


class Player:
    """Whoever holds the tablet, entering everything by hand."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.click('[data-tool="hand"]')

    def says(self, sentence: str) -> None:
        """The page asks for the next thing."""
        expect(self.page.locator(".banner .next")).to_have_text(sentence)

    def throws(self, *dice: int) -> None:
        for value in dice:
            self.page.click(f'.hand > [data-type="throw"] [data-die="{value}"]')

    def taps(self, move: str) -> None:
        """On the board."""
        self.page.locator(f'[data-move="{move}"]').click()

    def chooses(self, move: str) -> None:
        """Among the buttons."""
        self.page.click(f'[data-book="{move}"]')

    def takes_back(self, what: str) -> None:
        self.page.click('[data-tool="undo"]')
        assert self.page.inner_text("dialog .quoted") == what
        self.page.click("dialog .strong")
