"""How often each outcome came up, as bars in the terminal."""

import sys
from collections.abc import Iterator

from referee.fairness import Fairness
from server.verdict import outcomes

WIDEST = 40
"""The longest bar of the histogram, in characters."""
EIGHTHS = " ▏▎▍▌▋▊▉"


def histogram(judged: Fairness) -> Iterator[str]:
    """One line an outcome: how often it came up, and how often it would with fair beans or dice."""
    longest = max(*judged.counts, *judged.expected)
    full, parts = ("█", EIGHTHS) if _drawable("█" + EIGHTHS) else ("#", " " * 8)
    for number in outcomes(judged):
        count, fair = judged.counts[number], judged.expected[number]
        whole, eighth = divmod(round(count / longest * WIDEST * 8), 8)
        bar = (full * whole + parts[eighth]).rstrip().ljust(WIDEST)
        yield f"{number + (judged.mark is None):3}  {bar} {count:5}   fair {fair:.1f}"


def _drawable(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
