"""Room, reach and contrast: measured in the browser at the three sizes, in both lights, in the three languages."""

import math
from typing import Any

import pytest

from tests.pages.conftest import Open
from tests.pages.measures import CUT_OFF, SIZES, SMALL_TARGETS, SMALLEST_TOUCH_PX
from tests.pages.moments import BEANS, ILLEGAL, line, moment, player, throw
from tests.pages.stage import Stage

LEAST_CONTRAST = 4.5
MOST_JUMP_PX = 1.0
SMALL = {"key": "plight_small", "args": {"seat": "1", "px": 20, "needed": 36}}
DOUBTFUL = {"kind": "beans", "counts": True, "marked": 3, "dice_values": [], "beans": BEANS, "dice": []}
PAUSED = {"key": "paused", "args": {"seat": "1"}}


@pytest.mark.parametrize("locale", ["en", "ru", "es"])
@pytest.mark.parametrize("size", SIZES)
def test_everything_fits(open_page: Open, stage: Stage, size: tuple[int, int], locale: str) -> None:
    names = ["Maximiliano Fernández de la Cruz", "B", "Александра Константинопольская", "Daša"]
    seats = [player(str(i + 1), name, 6, 0, 12) for i, name in enumerate(names)]
    page = open_page(size=size, locale=locale)
    pass_ = {"move": "pass", "from": "", "to": "", "cells": []}
    for state in (
        moment(13, seats=seats, legal=[pass_], unwatched="board_two_boards"),
        moment(14, seats=seats, turn="3", objection=ILLEGAL, demo=True),
        moment(15, seats=seats, paused=True, legal=[], unwatched="board_moved", message=PAUSED),
        moment(16, seats=seats, phase="throw", legal=[], doubtful=DOUBTFUL, message=SMALL),
    ):
        stage.show(state)
        page.wait_for_selector('[data-seat="4"]')
        for tool in ("hand", "camera", "menu"):
            page.click(f'[data-tool="{tool}"]')
            page.wait_for_selector({"hand": ".hand", "camera": '[data-tool="camera"]', "menu": "dialog"}[tool])
            wide = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
            assert wide == [size[0], size[0]], tool
            small = page.evaluate(SMALL_TARGETS, SMALLEST_TOUCH_PX)
            assert small == [], tool
            assert page.evaluate(CUT_OFF) == [], tool
            if tool == "menu":
                page.keyboard.press("Escape")
                page.wait_for_selector("dialog", state="detached")
            elif tool == "hand":
                page.click('[data-tool="hand"]')


@pytest.mark.parametrize("size", SIZES)
def test_the_board_is_the_largest_thing(open_page: Open, size: tuple[int, int]) -> None:
    page = open_page(size=size)
    areas: dict[str, float] = (
        page.evaluate("""() => Object.fromEntries([".table", ".banner", ".thrown", ".below"].map((each) => {
        const box = document.querySelector(each).getBoundingClientRect();
        return [each, box.width * box.height];
    }))""")
    )
    assert max(areas, key=lambda each: areas[each]) == ".table"


@pytest.mark.parametrize(("size", "fewest"), [((1280, 800), 8), ((800, 1280), 4)])
def test_what_happened_has_room_beside_the_camera(
    open_page: Open, stage: Stage, size: tuple[int, int], fewest: int
) -> None:
    paid = [line(id_, "paid", payer="3", payee="pot", amount=1, why="triangle") for id_ in range(1, 20)]
    stage.snapshot = moment(demo=True, log=paid)
    page = open_page(size=size)
    page.wait_for_selector("canvas[data-frames]")
    in_sight = page.evaluate("""() => {
        const bottom = document.querySelector(".log ol").getBoundingClientRect().bottom + 1;
        return [...document.querySelectorAll(".entry")].filter((each) => each.getBoundingClientRect().bottom <= bottom)
            .length;
    }""")
    assert in_sight >= fewest


@pytest.mark.parametrize("size", SIZES)
def test_nothing_jumps_when_numbers_change(open_page: Open, stage: Stage, size: tuple[int, int]) -> None:
    page = open_page(size=size)
    measure = """(names) => names.map((each) => {
        const box = document.querySelector(each).getBoundingClientRect();
        return [each, box.top, each === ".seat .figure" ? box.right : box.left];
    })"""
    fixed = [".banner", ".table", ".place", ".count .figure", ".seen", ".mat", ".log", ".seat .figure"]
    before = page.evaluate(measure, fixed)
    seats = [player("1", "Ana", 0, 4, 10), player("3", "Benito", 6, 0, 11)]
    stage.show(
        moment(
            13,
            phase="throw",
            legal=[],
            throw=throw(19, 0, 0, "hand"),
            pot=19,
            seats=seats,
            message={"key": "throw", "args": {"seat": "3"}},
        )
    )
    page.wait_for_selector('[data-throw="19"]')
    after = page.evaluate(measure, fixed)
    moved = [name for (name, *old), (_, *new) in zip(before, after, strict=True) if math.dist(old, new) > MOST_JUMP_PX]
    assert moved == []


PAIRS = [
    *[
        (text, ground)
        for text in ("--text", "--soft", "--red-text")
        for ground in ("--ground", "--ground-far", "--raised")
    ],
    ("--soft", "--field"),
    ("--on-red", "--red"),
    ("--leaf-ink", "--leaf-near"),
    ("--leaf-ink", "--leaf-far"),
    ("--leaf-ink", "--leaf-rose"),
]
CONTRAST = """([pairs, seats]) => {
    const root = document.createElement("p");
    document.body.append(root);
    const rgb = (name) => {
        root.style.color = `var(${name})`;
        return getComputedStyle(root).color.match(/[\\d.]+/g).slice(0, 3).map(Number);
    };
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const light = (parts) => parts.reduce((sum, part, i) => sum + linear(part / 255) * [0.2126, 0.7152, 0.0722][i], 0);
    const ratio = (a, b) => {
        const [dark, bright] = [light(rgb(a)), light(rgb(b))].sort((x, y) => x - y);
        return (bright + 0.05) / (dark + 0.05);
    };
    const found = pairs.map(([a, b]) => [`${a} on ${b}`, ratio(a, b)]);
    for (const seat of seats) {
        root.className = `seat-${seat}`;
        found.push([`${seat} band`, ratio("--on-band", "--band")], [`${seat} piece`, ratio("--on", "--seat")]);
    }
    return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(open_page: Open, scheme: str) -> None:
    page = open_page(scheme=scheme)
    found: list[list[Any]] = page.evaluate(CONTRAST, [PAIRS, ["jade", "maize", "coral", "indigo", "obsidian", "bone"]])
    assert len(found) == len(PAIRS) + 12
    assert [(name, round(ratio, 2)) for name, ratio in found if ratio < LEAST_CONTRAST] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("dialog", ["", "menu", "hand", "undo", "why", "doubtful", "paused"])
def test_axe_finds_nothing(open_page: Open, stage: Stage, scheme: str, dialog: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    shown: dict[str, dict[str, Any]] = {
        "": {"objection": ILLEGAL},
        "doubtful": {"phase": "throw", "legal": [], "doubtful": DOUBTFUL, "message": SMALL},
        "paused": {"paused": True, "legal": [], "message": PAUSED, "unwatched": "board_moved"},
    }
    stage.snapshot = moment(**shown.get(dialog, {}), demo=True)
    page = open_page(scheme=scheme)
    if dialog not in shown:
        page.click("text=Why?" if dialog == "why" else f'[data-tool="{dialog}"]')
    violations = axe.Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in violations] == []
