"""The verdict on counted throws as one page that needs nothing else: no script, no font, no network."""

import math
from html import escape

from referee.fairness import Fairness, Share
from referee.rules import Needs
from server.verdict import headline, outcomes, sentences, thrown, times

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
h1 { font: 600 1.75rem/1.2 "Iowan Old Style", Palatino, P052, "Noto Serif", Georgia, serif; margin: .15rem 0 .25rem; }
.soft { color: var(--soft); overflow-wrap: anywhere; }
svg { display: block; width: 100%; height: auto; margin: 1.25rem 0 .5rem; }
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


def page(judged: Fairness, needs: Needs, name: str) -> str:
    """A whole HTML page.

    Args:
        judged: what the throws say.
        needs: what was thrown.
        name: where the throws come from, as people know it.
    """
    question = f"Are my {'beans' if needs.beans else 'dice'} fair?"
    lines = "\n".join(f"<li>{_unbroken(escape(sentence))}</li>" for sentence in sentences(judged))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{question} {escape(headline(judged))}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<p class="soft">{question}</p>
<h1>{escape(headline(judged))}</h1>
<p class="soft">{times(judged.throws)} of {thrown(needs)}, {escape(name)}</p>
{_drawing(judged)}
<ul>
{lines}
</ul>
</main>
</body>
</html>
"""


def _unbroken(text: str) -> str:
    """Keeps a number in one line with its sign."""
    return text.replace(" %", "&nbsp;%").replace("p = ", "p&nbsp;=&nbsp;").replace("p &lt; ", "p&nbsp;&lt;&nbsp;")


def _drawing(judged: Fairness) -> str:
    total, shown = sum(judged.counts), outcomes(judged)
    what, first = ("marks", 0) if judged.mark else ("face", 1)
    fair = [expected / total for expected in judged.expected]
    highest = max(*(share.high for share in judged.shares), *fair)
    step = (RIGHT - LEFT) / len(shown)
    narrow = step < NARROW
    parts = [_legend(), f'<path class="axis" d="M{LEFT} {BASE}H{RIGHT}"/>', _text(0, 1, what, "small start")]
    if not narrow:
        parts += [_text(0, 2, "counted", "small start"), _text(0, 3, "fair", "small start")]
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
            parts.append(_text(x, 3, f"{judged.expected[number]:.1f}", "small"))
    if judged.mark:
        parts.append(_chance(judged.mark))
    told = ", ".join(
        f"{number + first}: {judged.counts[number]} (fair {judged.expected[number]:.1f})" for number in shown
    )
    bottom = AXIS + 32 if judged.mark else BASE + 3 * ROW + 8
    drawn = "\n".join(parts)
    return f'<svg viewBox="0 0 {WIDTH} {bottom}" role="img" aria-label="How often by {what}: {told}">\n{drawn}\n</svg>'


def _legend() -> str:
    return (
        '<rect class="bar" x="0" y="4" width="14" height="14" rx="2"/>'
        '<text class="small start" x="21" y="16">counted</text>'
        '<circle class="fair" cx="108" cy="11" r="6"/><text class="small start" x="121" y="16">a fair set</text>'
        '<path class="whisker" d="M218 3V19M214 3h8M214 19h8"/>'
        '<text class="small start" x="230" y="16">95 % interval</text>'
    )


def _text(x: float, row: int, text: str, style: str) -> str:
    return f'<text class="{style}" x="{x:.1f}" y="{BASE + row * ROW - 2}">{text}</text>'


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
        f'<text class="small start" x="0" y="{AXIS - 18}">chance of a mark</text>'
        f'<path class="axis" d="M{at(0):.1f} {AXIS}H{at(1):.1f}"/>'
        f'<path class="range" d="M{at(mark.low):.1f} {AXIS}H{at(mark.high):.1f}"/>'
        f'<path class="half" d="M{at(0.5):.1f} {AXIS - 14}V{AXIS + 12}"/>'
        f'<circle class="seen" cx="{at(mark.seen):.1f}" cy="{AXIS}" r="4"/>{ticks}'
    )
