"""Throws and choices at random for many games at once; randomness is passed in."""

import numpy as np

from referee.players.patolli_batch import Batch, Bits, Counts
from referee.players.patolli_step import Marks, legal, step

TIDIED_EVERY = 16
"""Throws between looking for games that are over: more often costs more than it saves."""


def nth(moves: Bits, index: Counts) -> Bits:
    """Of each set of bits the one at ``index``, lowest first; 0 where there are not so many."""
    rest = moves
    for passed in range(int(index.max(initial=0))):
        rest = np.where(index > passed, rest & (rest - np.uint64(1)), rest)
    return rest & -rest


def choose(moves: Bits, random: np.random.Generator) -> Bits:
    """One of each set's bits, all equally likely to within 2**-29; 0 of an empty set."""
    drawn = random.integers(0, 1 << 32, len(moves), np.uint32).astype(np.uint64)
    return nth(moves, drawn * np.bitwise_count(moves) >> np.uint64(32))


def throw(n: int, random: np.random.Generator) -> Marks:
    """Five fair beans for each of ``n`` games."""
    marks: Marks = np.bitwise_count(np.frombuffer(random.bytes(n), np.uint8) & np.uint8(31))
    return marks


def play(start: Batch, throws: int, random: np.random.Generator) -> int:
    """Play at random, games that end beginning anew from ``start`` soon after; returns how many plies were made."""
    batch, plies = start, 0
    for made in range(throws):
        if made % TIDIED_EVERY == 0:
            batch = batch.replaced(batch.over != 0, start)
        plies += int(np.count_nonzero(batch.over == 0))
        marks = throw(len(batch.arm), random)
        batch = step(batch, marks, choose(legal(batch, marks), random))
    return plies
