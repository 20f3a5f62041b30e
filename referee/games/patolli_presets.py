"""Patolli's readings and presets as data: what differs between the presets, and why."""

from dataclasses import dataclass, replace
from functools import cache

from referee.board import Seat
from referee.events import Rule

# Where the source texts leave a gap, a reading closes it; docs/rules.md tells each in a sentence.
R_ALL_END: Rule = "R-ALL-END"
R_BANKRUPT: Rule = "R-BANKRUPT"
R_CAP_BROKE: Rule = "R-CAP-BROKE"
R_EFFECT_ORDER: Rule = "R-EFFECT-ORDER"
R_ENTRY_HIT: Rule = "R-ENTRY-HIT"
R_EXIT_ORDER: Rule = "R-EXIT-ORDER"
R_EXTRA_MUST: Rule = "R-EXTRA-MUST"
R_EXTRA_ONE: Rule = "R-EXTRA-ONE"
R_FIRST: Rule = "R-FIRST"
R_FIVE_NOMOVE: Rule = "R-FIVE-NOMOVE"
R_JC_COUNT: Rule = "R-JC-COUNT"
R_JUMP_CENTRE: Rule = "R-JUMP-CENTRE"
R_LAST_AT_ONCE: Rule = "R-LAST-AT-ONCE"
R_MUST: Rule = "R-MUST"
R_OUT_ORDER: Rule = "R-OUT-ORDER"
R_OWN: Rule = "R-OWN"
R_POT_END: Rule = "R-POT-END"
R_QUICK_BASE: Rule = "R-QUICK-BASE"
R_QUICK_ENTRY: Rule = "R-QUICK-ENTRY"
R_RESIGN: Rule = "R-RESIGN"
R_SEATS: Rule = "R-SEATS"
R_TRI: Rule = "R-TRI"
R_ZERO_EMPTY: Rule = "R-ZERO-EMPTY"

CELLS = 52
ARM = 13
"""Cells of an arm with its centre cell."""
CENTRES = frozenset(range(ARM, CELLS + 1, ARM))
TIPS = frozenset(cell for base in range(0, CELLS, ARM) for cell in (base + 6, base + 7))
BEANS = 5
SEATS: tuple[Seat, ...] = (Seat(1), Seat(2), Seat(3), Seat(4))

STAKES = {2: 20, 3: 16, 4: 12}
"""R-STAKE-N: by the number of players. In random play with 8, only 3 % of two-player games are decided by the race;
with 20, 83 %."""
TRIANGLE_ROWS = (4,)
"""R-TRI: the fourth of six from the centre, where a board does not say otherwise."""


@dataclass(frozen=True, slots=True)
class Preset:
    """One way to play. The fields' defaults are the classic rules."""

    name: str
    pieces: int = 6
    steps: tuple[int, ...] = (0, 1, 2, 3, 4, 10)
    """Worth of 0 to 5 marks; five count double."""
    offering: bool = True
    """No mark costs a stake to Macuilxochitl, with no piece on the board too (R-ZERO-EMPTY)."""
    five_again: bool = False
    """All five give another throw, whether or not anything could move (R-FIVE-NOMOVE)."""
    entry_on_any: bool = False
    """A piece enters on any throw and stands on the cell of the throw; else only on a 1, on the first cell."""
    entry_reading: tuple[Rule, ...] = ()
    """The reading behind ``entry_on_any``, where it is one."""
    captures: frozenset[int] = CENTRES
    """Cells on which landing on an opponent captures."""
    bar: Rule = "blocked"
    """Why an opponent on any other cell keeps a piece out."""
    exact: bool = True
    """A piece leaves the board by exact count."""
    laps_win: bool = True
    """A piece that completes the lap is home and all pieces home win; else it goes back to the reserve."""
    staked: bool = True
    """Played for stakes: captures, exits and triangles are paid for."""
    throw_limit: int | None = None
    """The throw that ends the game as a draw (R-JC-COUNT)."""
    first: Seat | None = None
    """Who begins by rule; else the highest throw does (R-FIRST)."""
    base: tuple[Rule, ...] = ()
    """The reading by which rules not named in the source are the classic ones."""


CLASSIC = Preset("classic")
PRESETS = {
    preset.name: preset
    for preset in (
        CLASSIC,
        # As Durán describes it: one plays until one player has everything.
        replace(CLASSIC, name="all-stakes", laps_win=False),
        # Shop rules of today: no offering, captures everywhere but on the tips, which shelter.
        replace(
            CLASSIC,
            name="modern",
            steps=(10, 1, 2, 3, 4, 5),
            offering=False,
            five_again=True,
            entry_on_any=True,
            captures=frozenset(range(1, CELLS + 1)) - TIPS,
            bar="tip_shelters",
            exact=False,
        ),
        # Half the pieces and an easy entry; its source is silent about all the rest (R-QUICK-BASE).
        replace(
            CLASSIC, name="quick", pieces=3, entry_on_any=True, entry_reading=(R_QUICK_ENTRY,), base=(R_QUICK_BASE,)
        ),
        # A duel without stakes; the limit keeps two careful players from going round for ever.
        replace(CLASSIC, name="jade-coral", offering=False, staked=False, throw_limit=2000, first=Seat(1)),
    )
}


@dataclass(frozen=True, slots=True)
class Terms:
    """What one match is played under: the preset with the board's and the players' options applied."""

    preset: Preset
    triangles: frozenset[int]
    """Cells on which a stake is due to the pot; empty where triangles mean nothing."""
    throw_limit: int | None


@cache
def terms(name: str, rows: tuple[int, ...] = TRIANGLE_ROWS, throw_limit: int | None = None) -> Terms:
    """The terms of a known preset; triangle rows counted from the centre, 1 to 6."""
    preset = PRESETS[name]
    cells = frozenset(cell for base in range(0, CELLS, ARM) for row in rows for cell in (base + row, base + ARM - row))
    return Terms(preset, cells if preset.staked else frozenset(), throw_limit or preset.throw_limit)


def first_cell(seat: Seat) -> int:
    """Where the seat's pieces enter."""
    return ARM * (seat - 1) + 1
