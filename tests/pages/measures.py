"""What is measured on a page in the browser, and at which sizes: JavaScript for ``Page.evaluate``."""

SIZES = [(1280, 800), (800, 1280), (390, 844)]
SMALLEST_TOUCH_PX = 44

SMALL_TARGETS = """(least) => [...document.querySelectorAll("button, .choice, input[type=text]")]
    .map((each) => [each.textContent || each.ariaLabel, each.getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.width < least || box.height < least))
    .map(([name, box]) => [name, box.width, box.height])"""

CUT_OFF = """() => [...document.querySelectorAll("button, .choice")]
    .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)"""
"""What has more to say than room."""

OFF_THE_PLATE = """() => [...document.querySelectorAll(".beside")].filter((each) => {
    const right = (part) => each.querySelector(part).getBoundingClientRect().right;
    return right(".name") > right(".plate");
}).map((each) => each.textContent)"""

COVERED = """() => {
    // Of a line of text only what its letters fill: how much air a font has above and below them differs by a third.
    const lettered = ({ left, right, top, bottom }) =>
        ({ left, right, top: top + (bottom - top) / 4, bottom: bottom - (bottom - top) / 4 });
    const drawn = (each) => each.tagName === "text"
        ? lettered(each.getBoundingClientRect())
        : each.getBoundingClientRect();
    const box = (each) => {
        const parts = [...each.querySelectorAll("*"), each].filter((part) => part.tagName !== "g").map(drawn);
        const most = (side, of) => of(...parts.map((part) => part[side]));
        return {
            left: most("left", Math.min), right: most("right", Math.max),
            top: most("top", Math.min), bottom: most("bottom", Math.max),
        };
    };
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const cells = [...document.querySelectorAll(".cell .field")].map(box);
    const table = document.querySelector(".table").getBoundingClientRect();
    return [...document.querySelectorAll(".seat, .board .lamp, .free")].filter((each) => {
        const at = box(each);
        const out = at.left < table.left - 1 || at.right > table.right + 1 || at.top < table.top - 1;
        return out || cells.some((cell) => over(cell, at));
    }).map((each) => each.outerHTML.slice(0, 80));
}"""

REACHED = """(tap) => {
    tap.scrollIntoView({ block: "center" });
    const { left, top, width, height } = tap.getBoundingClientRect();
    const reach = LEAST / 2 - 0.5;
    const around = [[0, 0], [-reach, 0], [reach, 0], [0, -reach], [0, reach]];
    const met = around.map(([x, y]) => document.elementFromPoint(left + width / 2 + x, top + height / 2 + y));
    return met.every((each) => each === tap);
}""".replace("LEAST", str(SMALLEST_TOUCH_PX))
"""A fingertip anywhere on it meets it and nothing else."""
