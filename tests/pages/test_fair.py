"""The verdict on counted throws as a page: a file in a browser, in its reader's language."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from referee.fairness import Fairness, judge_beans, judge_dice
from referee.rules import Needs
from server.fair_page import page as written
from server.verdict import headline, sentences, things, throws
from server.words import Said
from tests.pages.catalogues import LANGUAGES, catalogue
from tests.pages.measures import SIZES

OpenFile = Callable[..., Page]

BENT = (1, 5, 20, 40, 50, 34)
FAIR = (1, 5, 10, 10, 5, 1)
LOADED = (10, 10, 10, 10, 10, 60)

OVERLAPS = """() => {
    const parts = [...document.querySelectorAll("svg text"), document.querySelector(".whisker")];
    const boxes = parts.map((each) => [each.textContent, each.getBoundingClientRect()]);
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
    const svg = document.querySelector("svg").getBoundingClientRect();
    return boxes.flatMap(([text, box], i) => [
        ...boxes.slice(0, i).filter(([, other]) => meet(box, other)).map(([other]) => `${text} / ${other}`),
        ...(box.right > svg.right + 2 || box.left < svg.left - 2 ? [`${text} outside`] : []),
    ]);
}"""
"""Labels in the drawing that run into each other, into the whisker of the legend or out of the drawing."""


@pytest.fixture
def open_file(browser: Browser, tmp_path: Path) -> Iterator[OpenFile]:
    """Opens a page from the disk; at the end it may not have complained or asked for anything else."""
    complaints: list[str] = []
    contexts = []

    def open_(judged: Fairness, needs: Needs, *, locale: str, size: tuple[int, int] = (1280, 800)) -> Page:
        file = tmp_path / "fair.html"
        file.write_text(written(judged, needs, "Ana's <beans>.csv"), encoding="utf-8")
        context = browser.new_context(locale=locale, viewport={"width": size[0], "height": size[1]})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text))
        page.on("request", lambda asked: None if asked.url == file.as_uri() else complaints.append(asked.url))
        page.goto(file.as_uri())
        return page

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.mark.parametrize(
    ("locale", "lines"),
    [
        pytest.param(
            "en-GB",
            [
                "Are my beans fair?",
                "Not fair",
                "150 throws · 5 beans · Ana's <beans>.csv",
                "A bean shows its mark 71.3\u00a0% of the time; the truth lies between 68.0 and 74.5\u00a0% "
                "(95\u00a0% interval).",
                "Marks against half of the beans: chi-square 136.53, 1 degree of freedom, p\u00a0<\u00a00.001.",
                "Histogram against fair beans: chi-square 144.83, 3 degrees of freedom, p\u00a0<\u00a00.001.",
                "The mark comes up too often. Fair beans stray this far in fewer than 1 of 1000 counts.",
            ],
            id="en",
        ),
        pytest.param(
            "es-MX",
            [
                "¿Son justos mis frijoles?",
                "No son justos",
                "150 tiradas · 5 frijoles · Ana's <beans>.csv",
                "Un frijol cae con la marca arriba el 71,3\u00a0% de las veces; el valor real está entre 68,0 y "
                "74,5\u00a0% (intervalo del 95\u00a0%).",
                "Marcas contra la mitad de los frijoles: ji cuadrada 136,53, 1 grado de libertad, p\u00a0<\u00a00,001.",
                "Histograma contra frijoles justos: ji cuadrada 144,83, 3 grados de libertad, p\u00a0<\u00a00,001.",
                "La marca sale demasiado. Los frijoles justos se desvían así en menos de 1 de cada 1000 conteos.",
            ],
            id="es",
        ),
        pytest.param(
            "ru-RU",
            [
                "Честные ли мои бобы?",
                "Нечестные",
                "150 бросков · 5 бобов · Ana's <beans>.csv",
                "Боб ложится меткой вверх в 71,3\u00a0% случаев; на самом деле — от 68,0 до 74,5\u00a0% "
                "(интервал 95\u00a0%).",
                "Метки против половины бобов: хи-квадрат 136,53, 1 степень свободы, p\u00a0<\u00a00,001.",
                "Гистограмма против честных бобов: хи-квадрат 144,83, 3 степени свободы, p\u00a0<\u00a00,001.",
                "Метка выпадает слишком часто. Честные бобы отклоняются так реже чем в 1 подсчёте из 1000.",
            ],
            id="ru",
        ),
    ],
)
def test_the_page_speaks_the_reader_s_language(open_file: OpenFile, locale: str, lines: list[str]) -> None:
    page = open_file(judge_beans(BENT), Needs(beans=5), locale=locale)
    assert page.locator("main > p, h1, li").all_inner_texts() == lines
    assert page.title() == f"{lines[0]} {lines[1]}"
    assert page.locator("html").get_attribute("lang") == locale[:2]
    fair = page.locator("svg text.number").all_text_contents()
    assert fair[0] == ("4.7" if locale == "en-GB" else "4,7")


@pytest.mark.parametrize(
    ("count", "said"),
    [(1, "1 бросок · 1 кость · "), (3, "3 броска · 1 кость · "), (11, "11 бросков · "), (21, "21 бросок · ")],
)
def test_russian_counts(open_file: OpenFile, count: int, said: str) -> None:
    page = open_file(judge_dice((count, 0, 0, 0, 0, 0), count), Needs(dice=1), locale="ru")
    assert page.locator("main > .soft").nth(1).inner_text().startswith(said)


def test_a_chosen_language_is_kept_to(open_file: OpenFile) -> None:
    page = open_file(judge_beans(FAIR), Needs(beans=5), locale="de-DE")
    assert page.inner_text("h1") == "Fair, as far as 32 throws can tell"
    page.evaluate("localStorage.setItem('language', 'es')")
    page.reload()
    assert page.inner_text("h1") == "Justos, hasta donde se ve en 32 tiradas"


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_nothing_in_the_drawing_is_cut_off(open_file: OpenFile, size: tuple[int, int], locale: str) -> None:
    for judged, needs in ((judge_beans(BENT), Needs(beans=5)), (judge_dice(LOADED, 55), Needs(dice=2))):
        page = open_file(judged, needs, locale=locale, size=size)
        assert page.evaluate(OVERLAPS) == []
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]


def said(judged: Fairness, needs: Needs) -> Sequence[Said]:
    """Everything that is said of these counts."""
    lines = [each for line in sentences(judged) for each in line]
    return [headline(judged), throws(judged.throws), things(needs), *lines]


def test_every_verdict_has_its_words() -> None:
    beans = [(0, 1, 0, 1, 0, 0), FAIR, BENT, BENT[::-1], (20, 0, 0, 0, 0, 20), (0, 0, 30, 30, 0, 0)]
    beans += [(5, 8, 12, 11, 3, 1), (1, 10, 20, 7, 2, 0), (1, 5, 6, 21, 7, 0)]
    dice = [(2, 0, 0, 0, 0, 0), (9, 10, 11, 9, 10, 11), LOADED, (2, 20, 20, 20, 20, 20)]
    dice += [(7, 9, 12, 21, 8, 23), (10, 14, 13, 9, 10, 24)]
    judged = [(judge_beans(counts), Needs(beans=5)) for counts in beans]
    judged += [(judge_dice(counts, sum(counts) // 2), Needs(dice=2)) for counts in dice]
    used = {each.key for one in judged for each in said(*one)}
    drawn = {f"fair.{room}.{kind}" for room in ("question", "label", "drawn") for kind in ("beans", "dice")}
    drawn |= {f"fair.label.{name}" for name in ("counted", "fair", "fair_set", "interval", "chance")}
    assert {key for key in catalogue("en") if key.startswith("fair.")} == used | drawn
