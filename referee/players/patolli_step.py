"""What may be done with a throw of Patolli and what follows, for all games of a batch at once.

The plain rules in referee/games/patolli*.py decide what is right; a test holds every step to them.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from referee.games.patolli_presets import ARM, BEANS, CELLS, TIPS, Preset
from referee.players.patolli_batch import ARMS, DRAW, HOME, LAP, Batch, Bits, Mask

Marks = NDArray[np.uint8]
"""Marks up in each game, 0 to 5, shape (n,)."""
ANYWHERE = np.uint64((1 << 64) - 1)


def legal(batch: Batch, marks: Marks) -> Bits:
    """All legal moves, shape (n,): one bit for each place, seen from the mover, that a piece of his may leave."""
    preset, mine = batch.terms.preset, batch.track[0]
    theirs = np.zeros_like(mine)
    for row in range(1, len(batch.track)):
        theirs |= _turned(batch.track[row], row * batch.gap)
    steps, enters = _worth(preset)
    waiting = np.bitwise_count(mine) + batch.home[0] < preset.pieces
    movable = mine | (waiting & enters.take(marks))
    barred = mine | (theirs & (LAP ^ _bits(preset.captures)))
    ends = LAP | HOME if preset.exact else ANYWHERE
    by = steps.take(marks)
    return np.where(_in_time(batch), (movable << by & ends & ~barred) >> by, np.uint64(0))


def step(batch: Batch, marks: Marks, choice: Bits) -> Batch:
    """Every game that is on one throw later.

    Args:
        choice: one bit of ``legal(batch, marks)`` in each game, 0 only where it has none; this is not checked.
    """
    terms, preset, in_time = batch.terms, batch.terms.preset, _in_time(batch)
    after = batch.copy()
    target = choice << _worth(preset)[0].take(marks)
    landing, exits = target & LAP, target > LAP
    after.track[0] ^= choice & LAP | landing
    captured = [_captured(after, row, landing) for row in range(1, len(after.track))]
    if preset.staked:
        offering = in_time & (marks == 0) if preset.offering else np.False_
        _settle(after, captured, exits, offering | (landing & _bits(terms.triangles) != 0))
        _end_by_stakes(after)
    if preset.laps_win:
        after.home[0] += exits
        _end(after, 0, exits & (after.home[0] == preset.pieces))
    if terms.throw_limit is not None:
        on = batch.over == 0
        after.throws[:] += on
        after.over[on & ~in_time] = DRAW
    again = landing & _bits(TIPS) != 0
    if preset.five_again:
        again |= marks == BEANS
    return _passed_on(after, (after.over == 0) & ~(again & after.playing[0]))


@cache
def _worth(preset: Preset) -> tuple[Bits, Mask]:
    """By marks: the steps, and whether a piece may enter on them."""
    steps = np.array(preset.steps, np.uint64)
    return steps, (steps > 0 if preset.entry_on_any else steps == 1)


@cache
def _bits(cells: frozenset[int]) -> np.uint64:
    """Cells as bits; all sets of a preset look the same from every arm."""
    return np.uint64(sum(1 << cell for cell in cells))


def _in_time(batch: Batch) -> Mask:
    """Where the game is on and the next throw is not the one that ends it as a draw (R-JC-COUNT)."""
    on, limit = batch.over == 0, batch.terms.throw_limit
    in_time: Mask = on if limit is None else on & (batch.throws < limit - 1)
    return in_time


def _turned(bits: Bits, arms: int) -> Bits:
    """Cells as seen by the player so many arms before (negative: after) the one who sees ``bits``."""
    by = arms * ARM % CELLS
    return (bits << np.uint64(by) | bits >> np.uint64(CELLS - by)) & LAP


def _captured(after: Batch, row: int, landing: Bits) -> Mask:
    """Take away what the mover has landed on; where that is barred he has not landed."""
    there = _turned(landing, -row * after.gap) & after.track[row]
    after.track[row] ^= there
    hit: Mask = there != 0
    return hit


def _settle(after: Batch, captured: Sequence[Mask], exits: Mask, due: Mask) -> None:
    """What comes in for captures and exits (R-EXIT-ORDER), then what is ``due`` to the pot (R-EFFECT-ORDER)."""
    for row, hit in enumerate(captured, 1):
        after.stakes[0] += _charge(after, row, hit | exits & after.playing[row])
    after.stakes[0] += after.pot * exits
    after.pot[exits] = 0
    # R-LAST-AT-ONCE: who is alone has won and is charged nothing more.
    after.pot[:] += _charge(after, 0, due & after.playing[1:].any(axis=0))


def _charge(after: Batch, row: int, due: Mask) -> Mask:
    """Where the stake that is due is paid; elsewhere the payer is out (R-BANKRUPT)."""
    paid: Mask = due & (after.stakes[row] > 0)
    after.stakes[row] -= paid
    broke = due ^ paid
    after.playing[row] ^= broke
    after.track[row][broke] = 0
    return paid


def _end_by_stakes(after: Batch) -> None:
    """The last one left takes the pot (R-POT-END); where laps do not win, who holds every stake does (R-ALL-END)."""
    last = (after.over == 0) & (after.playing.sum(axis=0, dtype=np.uint8) == 1)
    for row, playing in enumerate(after.playing):
        won = last & playing
        after.stakes[row] += after.pot * won
        _end(after, row, won)
    after.pot[last] = 0
    if not after.terms.preset.laps_win:
        held = after.stakes > 0
        all_held = (after.over == 0) & (after.pot == 0) & (held.sum(axis=0, dtype=np.uint8) == 1)
        for row, holder in enumerate(held):
            _end(after, row, all_held & holder)


def _end(after: Batch, row: int, won: Mask) -> None:
    after.over[won] = ((after.arm + np.uint8(row * after.gap)) % ARMS + 1)[won]


def _passed_on(after: Batch, passing: Mask) -> Batch:
    """The next player still in to throw (R-OUT-ORDER)."""
    arm, track, home, playing, stakes = after.arm, after.track, after.home, after.playing, after.stakes
    while passing.any():
        arm = (arm + after.gap * passing.view(np.uint8)) % ARMS
        track, home, playing, stakes = (
            np.where(passing, np.roll(rows, -1, axis=0), rows) for rows in (track, home, playing, stakes)
        )
        passing = passing & ~playing[0]
    return Batch(after.terms, after.gap, arm, track, home, playing, stakes, after.pot, after.throws, after.over)
