"""The verdict on counted throws as one page that needs nothing else: no other file, no font, no network.

It is written in English, each text with its key and arguments; as a file has no server to ask, it carries the sentences
of every language and the pages' own script, which says them in the reader's.
"""

import json
import math
from html import escape
from importlib.resources import files

from referee.fairness import Fairness, Share
from referee.rules import Needs
from server.verdict import headline, outcomes, sentences, things, throws
from server.words import LANGUAGES, Said, catalogue, english

WIDTH, LEFT, RIGHT = 480, 72, 476
TOP, BASE = 40, 232
"""The bars' upper and lower end, in units of the drawing as everything here."""
ROW = 23
AXIS = 356
"""Height of the line of the chance of a mark."""
NARROW = 33
"""Bars closer together than this have neither numbers nor whiskers."""

STYLE = """
:root { color-scheme: light dark; --ground: #efe3c8; --leaf: #f8f2e3; --text: #2a1f17; --soft: #594635;
  --rule: #2a1f1740; --bar: #2a9d6f; --fair: #9b2335; }
@media (prefers-color-scheme: dark) { :root { --ground: #1b120b; --leaf: #2b1f15; --text: #f3e4c7; --soft: #cbb491;
  --rule: #f3e4c740; --bar: #2f8f69; --fair: #ffab9f; } }
* { box-sizing: border-box; margin: 0; }
body { background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; padding: 1.5rem 1rem;
  font-variant-numeric: tabular-nums lining-nums; }
main { max-width: 41rem; margin: 0 auto; background: var(--leaf); border: 1.5px solid var(--rule);
  border-radius: .6rem; padding: 1.5rem clamp(1rem, 4vw, 2.25rem) 1.75rem; }
h1 { font: 600 1.75rem/1.2 "Iowan Old Style", Palatino, P052, "Noto Serif", Georgia, serif;
  margin: .15rem 0 .25rem; text-wrap: balance; }
.soft { color: var(--soft); overflow-wrap: anywhere; }
svg { display: block; width: 100%; height: auto; overflow: visible; margin: 1.25rem 0 .5rem; }
svg text { fill: var(--text); font-size: 17px; text-anchor: middle; }
svg .small { fill: var(--soft); font-size: 15px; }
@media (max-width: 30rem) { svg text, svg .small { font-size: 18px; } }
svg .start { text-anchor: start; }
.bar { fill: var(--bar); }
.fair { fill: var(--fair); stroke: var(--leaf); stroke-width: 2; }
.half { stroke: var(--fair); stroke-width: 1.5; stroke-dasharray: 4 4; }
.axis { stroke: var(--rule); stroke-width: 1.5; }
.whisker { stroke: var(--text); stroke-width: 1.5; fill: none; }
.range { stroke: var(--bar); stroke-width: 10; stroke-linecap: round; }
.seen { fill: var(--text); }
ul { padding: 0; list-style: none; display: grid; gap: .4rem; margin-top: 1rem; text-wrap: pretty; }
"""

SCRIPT = """
const words = new Words(firstLanguage(), CATALOGUES[firstLanguage()]);
const point = new Intl.NumberFormat(words.language).format(0.5).charAt(1);
const local = (shown) => String(shown).replace(/(\\d)\\.(\\d)/g, `$1${point}$2`);
for (const each of document.querySelectorAll("[data-say]")) {
  const args = Object.entries(JSON.parse(each.dataset.args)).map(([name, shown]) => [name, local(shown)]);
  const said = words.say(each.dataset.say, Object.fromEntries(args));
  // Not by the property, which older browsers lack.
  if (each.hasAttribute("aria-label")) each.setAttribute("aria-label", said);
  else each.textContent = said;
}
for (const each of document.querySelectorAll(".number")) each.textContent = local(each.textContent);
document.title = [...document.querySelectorAll(".question, h1")].map((each) => each.textContent).join(" ");
document.documentElement.lang = words.language;
"""


def page(judged: Fairness, needs: Needs, name: str) -> str:
    """A whole HTML page.

    Args:
        judged: what the throws say.
        needs: what was thrown.
        name: where the throws come from, as people know it.
    """
    question = Said(f"fair.question.{'beans' if needs.beans else 'dice'}")
    lines = "\n".join(f"<li>{' '.join(_span(said) for said in line)}</li>" for line in sentences(judged))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(english(question, headline(judged)))}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<p class="soft question"{_said(question)}</p>
<h1{_said(headline(judged))}</h1>
<p class="soft">{_span(throws(judged.throws))} · {_span(things(needs))} · {escape(name)}</p>
{_drawing(judged)}
<ul>
{lines}
</ul>
</main>
<script type="module">
{_script()}
</script>
</body>
</html>
"""


def _script() -> str:
    fair = {
        language: {key: text for key, text in catalogue(language).items() if key.startswith("fair.")}
        for language in LANGUAGES
    }
    words = (files("server") / "static" / "words.js").read_text(encoding="utf-8")
    return f"{words}\nconst CATALOGUES = {json.dumps(fair)};{SCRIPT}"


def _span(said: Said) -> str:
    return f"<span{_said(said)}</span>"


def _said(said: Said) -> str:
    """The rest of an element that says something."""
    return f"{_key(said)}>{escape(english(said))}"


def _key(said: Said) -> str:
    return f' data-say="{said.key}" data-args="{escape(json.dumps(said.args))}"'


def _drawing(judged: Fairness) -> str:
    total, shown = sum(judged.counts), outcomes(judged)
    kind, first = ("beans", 0) if judged.mark else ("dice", 1)
    fair = [expected / total for expected in judged.expected]
    highest = max(*(share.high for share in judged.shares), *fair)
    step = (RIGHT - LEFT) / len(shown)
    narrow = step < NARROW
    parts = [_legend(), f'<path class="axis" d="M{LEFT} {BASE}H{RIGHT}"/>', _label(0, _row(1), f"label.{kind}")]
    if not narrow:
        parts += [_label(0, _row(2), "label.counted"), _label(0, _row(3), "label.fair")]
    for place, number in enumerate(shown):
        x = LEFT + step * (place + 0.5)
        parts.append(_bar(x, step, judged.shares[number], highest))
        dot = (
            f'<circle class="fair" cx="{x:.1f}" cy="{_height(fair[number], highest):.1f}" r="{min(6, step / 2):.1f}"/>'
        )
        parts.append(dot)
        if place % math.ceil(NARROW / step) == 0:
            parts.append(_text(x, 1, str(number + first), "label"))
        if not narrow:
            parts.append(_text(x, 2, str(judged.counts[number]), "small"))
            parts.append(_text(x, 3, f"{judged.expected[number]:.1f}", "small number"))
    if judged.mark:
        parts.append(_chance(judged.mark))
    told = ", ".join(f"{number + first}: {judged.counts[number]} ({judged.expected[number]:.1f})" for number in shown)
    label = Said(f"fair.drawn.{kind}", {"told": told})
    bottom = AXIS + 32 if judged.mark else BASE + 3 * ROW + 8
    drawn = "\n".join(parts)
    spoken = f'role="img" aria-label="{escape(english(label))}"{_key(label)}'
    return f'<svg viewBox="0 0 {WIDTH} {bottom}" {spoken}>\n{drawn}\n</svg>'


def _legend() -> str:
    return (
        '<rect class="bar" x="0" y="4" width="14" height="14" rx="2"/>'
        f'{_label(21, 16, "label.counted")}<circle class="fair" cx="112" cy="11" r="6"/>'
        f'{_label(125, 16, "label.fair_set")}<path class="whisker" d="M226 3V19M222 3h8M222 19h8"/>'
        f"{_label(238, 16, 'label.interval')}"
    )


def _label(x: float, y: float, key: str) -> str:
    return f'<text class="small start" x="{x}" y="{y}"{_said(Said(f"fair.{key}"))}</text>'


def _text(x: float, row: int, text: str, style: str) -> str:
    return f'<text class="{style}" x="{x:.1f}" y="{_row(row)}">{text}</text>'


def _row(row: int) -> int:
    return BASE + row * ROW - 2


def _height(share: float, highest: float) -> float:
    return BASE - (BASE - TOP) * share / highest


def _bar(x: float, step: float, share: Share, highest: float) -> str:
    top, low, high = (_height(value, highest) for value in (share.seen, share.low, share.high))
    half = min(0.36 * step, 26)
    size = f'width="{2 * half:.1f}" height="{BASE - top:.1f}"'
    bar = f'<rect class="bar" x="{x - half:.1f}" y="{top:.1f}" {size} rx="1.5"/>'
    if step < NARROW:
        return bar
    # Beside the bar's middle, so that the dot of the fair set does not cover it.
    side = x + half * 0.62
    return f'{bar}<path class="whisker" d="M{side:.1f} {low:.1f}V{high:.1f}m-4 0h8M{side - 4:.1f} {low:.1f}h8"/>'


def _chance(mark: Share) -> str:
    def at(share: float) -> float:
        return 28 + (WIDTH - 56) * share

    ticks = "".join(
        f'<text class="small" x="{at(share):.1f}" y="{AXIS + 27}">{share * 100:.0f} %</text>' for share in (0, 0.5, 1)
    )
    return (
        f"{_label(0, AXIS - 18, 'label.chance')}"
        f'<path class="axis" d="M{at(0):.1f} {AXIS}H{at(1):.1f}"/>'
        f'<path class="range" d="M{at(mark.low):.1f} {AXIS}H{at(mark.high):.1f}"/>'
        f'<path class="half" d="M{at(0.5):.1f} {AXIS - 14}V{AXIS + 12}"/>'
        f'<circle class="seen" cx="{at(mark.seen):.1f}" cy="{AXIS}" r="4"/>{ticks}'
    )
