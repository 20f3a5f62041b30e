"""Which legal outcome, if any, explains the picture.

Joint inference over the whole board: every hypothesis says what stands on every cell, and the cells' likelihoods
are multiplied. A wrong cell or two does not matter as long as no other legal outcome explains them better.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from referee.board import Cell, Occupancy, Seat
from referee.events import HOME, RESERVE
from referee.observation import BoardSeen

CERTAIN = 0.99
"""Posterior above which the umpire takes a hypothesis (FINDINGS: 99.5 % right, 0 wrong, 0.5 % asked)."""

P_NOTHING, P_MOVE, P_LIFTED, P_ILLEGAL, P_OTHER = 0.45, 0.40, 0.10, 0.04, 0.01
"""Prior of each kind: illegal is one piece moved against the rules, other is anything at all. Without the last three
an illegal move or a piece in the hand would be explained away."""

P_CELL_CHANGES = 0.01
"""Under *anything else* each cell keeps its piece or, this often, holds something else."""

P_OUTLIER = 1e-6
"""A cell's likelihood may be worthless (a crumb, a reflection): no cell alone counts more than 1 : 1,000,000."""

CONTRADICTS = 7.0
"""Natural-log odds with which one cell alone speaks against a move; then the board as a whole is asked about,
however well the move fits elsewhere: something else lies there too."""

PLAIN = 3.0
"""Natural-log odds from which a cell's piece is plain to see; below them a move rests on the rules: it is inferred."""

State = Seat | None
Likelihoods = Mapping[Cell, Mapping[State, float]]
Changes = tuple[tuple[Cell, State], ...]
"""What cells show afterwards."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the picture shows, relative to the position the referee holds."""

    kind: Literal["nothing", "lifted", "move", "illegal", "unclear"]
    move: str | None = None
    """The legal move, for ``move``; what was seen to move (``"11>12"``), where it can be told, for ``illegal``."""
    posterior: float = 0.0
    """Of ``kind`` and ``move`` together."""
    runner_up: str | None = None
    """The next best hypothesis: a move, ``nothing``, ``lifted`` or ``other``."""
    cells: tuple[Cell, ...] = ()
    """Cells that differ from the position or that cannot be told, sorted as on the board."""
    board: Occupancy | None = None
    """For ``move``: what now stands where."""
    inferred: bool = False
    """Only the rules tell it: a piece came to stand between two cells, or the cell that it left could not be read."""


@dataclass(frozen=True, slots=True)
class _Hypothesis:
    kind: Literal["nothing", "lifted", "move"]
    name: str
    occupancy: Occupancy
    log_prior: float


def judge(board: BoardSeen, before: Occupancy, outcomes: Mapping[str, Iterable[Occupancy]]) -> Verdict:
    """Weigh every hypothesis against the picture.

    Args:
        board: likelihoods of the cells; cells that could not be read are absent.
        before: what the referee believes to stand there.
        outcomes: for each legal move the boards it may leave (several where pieces of a player who is out may
            still be standing); empty when no move is due.
    """
    readable = {cell: values for cell, values in board.cells.items() if max(values.values()) > -math.inf}
    cells = {cell: _robust(likelihoods) for cell, likelihoods in readable.items()}
    legal = {move: tuple(boards) for move, boards in outcomes.items()}
    known = _hypotheses(cells, before, legal)
    scores = [hypothesis.log_prior + _log_likelihood(cells, hypothesis.occupancy) for hypothesis in known]
    other = _log_sum(
        [
            math.log(P_ILLEGAL) + _one_piece_illegally(cells, before, legal),
            math.log(P_OTHER) + _anything_else(cells, before, known),
        ]
    )
    total = _log_sum([*scores, other])

    mass: dict[tuple[str, str], float] = {("other", "other"): math.exp(other - total)}
    for hypothesis, score in zip(known, scores, strict=True):
        key = (hypothesis.kind, hypothesis.name)
        mass[key] = mass.get(key, 0.0) + math.exp(score - total)
    lifted = sum(share for (kind, _), share in mass.items() if kind == "lifted")
    ranked = sorted(mass.items(), key=lambda item: -item[1])
    (kind, name), posterior = ranked[0]
    runner_up = ranked[1][0][1] if len(ranked) > 1 else None
    differing = _differing(cells, before, math.log(1 / P_CELL_CHANGES - 1))

    if kind == "move" and posterior > CERTAIN:
        boards = [
            (score, h.occupancy) for h, score in zip(known, scores, strict=True) if (h.kind, h.name) == (kind, name)
        ]
        _, after = max(boards, key=lambda scored: scored[0])
        changed = _changed(before, after)
        unread = tuple(cell for cell in changed if cell not in cells)
        arrived = [cell for cell in changed if _state(after, cell) not in (None, _state(before, cell))]
        against = _differing(cells, after, CONTRADICTS)
        if against:
            return Verdict("illegal", None, 1 - posterior, name, _sorted({*changed, *against}))
        # A piece that is plain to see where it came to stand has left where it stood; the reverse may be a hand's.
        if not unread or (arrived and not set(unread) & set(arrived)):
            inferred = bool(unread) or any(_narrowly(cells[cell], _state(after, cell)) for cell in arrived)
            return Verdict("move", name, posterior, runner_up, _sorted(changed), after, inferred)
        return Verdict("unclear", None, posterior, runner_up, _sorted(unread))
    if kind == "nothing" and posterior > CERTAIN:
        return Verdict("nothing", None, posterior, runner_up)
    if lifted > CERTAIN:
        return Verdict("lifted", None, lifted, runner_up, differing)
    if kind == "other" and posterior > CERTAIN:
        return Verdict("illegal", _seen_move(cells, before, differing), posterior, runner_up, differing)
    return Verdict("unclear", None, posterior, runner_up, differing or _doubtful(known, ranked))


def most_likely(board: BoardSeen, standing: Occupancy, booked: Occupancy) -> Occupancy:
    """What seems to stand there, each cell taken alone.

    How high a stack is cannot be seen: where the uppermost piece is the booked one, or else the one that stood there,
    it is taken to be as high. Where a cell could not be read, what stood there still does.
    """
    seen = dict(standing)
    for cell, values in board.cells.items():
        best = max(values, key=lambda state: values[state])
        known = next((stacks[cell] for stacks in (booked, standing) if best and _state(stacks, cell) == best), None)
        seen.pop(cell, None)
        if best is not None:
            seen[cell] = known or (best,)
    return seen


def _hypotheses(
    cells: Likelihoods, before: Occupancy, outcomes: Mapping[str, tuple[Occupancy, ...]]
) -> list[_Hypothesis]:
    """Nothing, each legal move, each standing piece lifted."""
    boards = sum(len(results) for results in outcomes.values())
    hypotheses = [_Hypothesis("nothing", "nothing", before, math.log(P_NOTHING))]
    hypotheses += [
        _Hypothesis("move", move, occupancy, math.log(P_MOVE / boards))
        for move, results in outcomes.items()
        for occupancy in results
    ]
    # A legal move off the board looks like a lifted piece; then the picture itself says that the move is done.
    explained = {_key(hypothesis.occupancy) for hypothesis in hypotheses}
    # Of a piece that cannot be seen nothing says that it is gone.
    lifted = [_without(before, cell) for cell in before if cell in cells]
    hypotheses += [
        _Hypothesis("lifted", "lifted", occupancy, math.log(P_LIFTED / len(lifted)))
        for occupancy in lifted
        if _key(occupancy) not in explained
    ]
    return hypotheses


def _robust(likelihoods: Mapping[State, float]) -> Mapping[State, float]:
    best = max(likelihoods.values())
    return {state: math.log(math.exp(value - best) + P_OUTLIER) for state, value in likelihoods.items()}


def _log_likelihood(cells: Likelihoods, occupancy: Occupancy) -> float:
    return sum(values.get(_state(occupancy, cell), math.log(P_OUTLIER)) for cell, values in cells.items())


def _one_piece_illegally(cells: Likelihoods, before: Occupancy, legal: Mapping[str, tuple[Occupancy, ...]]) -> float:
    """Log evidence of *one piece went where it may not*, all such moves being equally likely."""
    nowhere = math.log(P_OUTLIER)

    def gain(cell: Cell, state: State) -> float:
        values = cells.get(cell)
        return 0.0 if values is None else values.get(state, nowhere) - values.get(_state(before, cell), nowhere)

    seats = {state for values in cells.values() for state in values if state is not None}
    origins: list[tuple[State, float, Changes]] = [(seat, 0.0, ()) for seat in seats]
    for cell, stack in before.items():
        rest = _state(_without(before, cell), cell)
        origins.append((stack[-1], gain(cell, rest), () if rest == stack[-1] else ((cell, rest),)))
    # What looks like a legal move is none, whichever way the game writes its moves.
    allowed = {
        frozenset((cell, _state(board, cell)) for cell in _changed(visible(before), visible(board)))
        for boards in legal.values()
        for board in boards
    }
    gains = [
        leaves + gain(target, seat)
        for seat, leaves, gone in origins
        for target in cells
        if _state(before, target) != seat and frozenset((*gone, (target, seat))) not in allowed
    ]
    return _log_likelihood(cells, before) + _log_sum(gains) - math.log(len(gains)) if gains else -math.inf


def _anything_else(cells: Likelihoods, before: Occupancy, known: list[_Hypothesis]) -> float:
    """Log evidence of *each cell keeps or changes on its own*, without the boards other hypotheses stand for."""
    evidence = 0.0
    for cell, values in cells.items():
        kept = _state(before, cell)
        others = [value for state, value in values.items() if state != kept]
        change = _log_sum(others) + math.log(P_CELL_CHANGES / len(others)) if others else -math.inf
        evidence += _log_sum([values.get(kept, math.log(P_OUTLIER)) + math.log(1 - P_CELL_CHANGES), change])
    spoken_for = 0.0
    for key in {_key(hypothesis.occupancy) for hypothesis in known}:
        seen = dict(key)
        share = -evidence
        for cell, values in cells.items():
            kept, state = _state(before, cell), seen.get(cell)
            prior = 1 - P_CELL_CHANGES if state == kept else P_CELL_CHANGES / max(1, len(values) - 1)
            share += values.get(state, math.log(P_OUTLIER)) + math.log(prior)
        spoken_for += math.exp(min(share, 0.0))
    return evidence + math.log(max(1 - spoken_for, 1e-12))


def _differing(cells: Likelihoods, believed: Occupancy, odds: float) -> tuple[Cell, ...]:
    """Cells that, taken alone, hold something else than believed, with natural-log odds above ``odds``."""
    differing = []
    for cell, values in cells.items():
        kept = _state(believed, cell)
        best = max(values, key=lambda state: values[state])
        doubt = values[best] - values.get(kept, math.log(P_OUTLIER))
        if best != kept and doubt > odds:
            differing.append(cell)
    return _sorted(differing)


def _doubtful(known: list[_Hypothesis], ranked: list[tuple[tuple[str, str], float]]) -> tuple[Cell, ...]:
    """Cells in which the two best hypotheses disagree."""
    named = {(hypothesis.kind, hypothesis.name): hypothesis.occupancy for hypothesis in known}
    best = [named[key] for key, _ in ranked if key in named][:2]
    return _sorted(_changed(*best)) if len(best) == 2 else ()


def _narrowly(values: Mapping[State, float], state: State) -> bool:
    """Whether the cell alone would not tell that this is its piece."""
    return values.get(state, -math.inf) - max(value for other, value in values.items() if other != state) < PLAIN


def _seen_move(cells: Likelihoods, before: Occupancy, differing: tuple[Cell, ...]) -> str | None:
    """The one piece that went from one cell to another, or on or off the board; None for anything else."""
    gone: dict[Cell, State] = {}
    come: dict[Cell, State] = {}
    for cell in differing:
        seen = max(cells[cell], key=lambda state: cells[cell][state])
        if seen is None:
            gone[cell] = _state(before, cell)
        else:
            come[cell] = seen
    match list(gone.items()), list(come.items()):
        case [(origin, owner)], [(target, seat)] if owner == seat:
            return f"{origin}>{target}"
        case [], [(target, _)]:
            return f"{RESERVE}>{target}"
        case [(origin, _)], []:
            return f"{origin}>{HOME}"
    return None


def _state(occupancy: Occupancy, cell: Cell) -> State:
    """What a camera from above sees of a cell: the seat of its uppermost piece."""
    stack = occupancy.get(cell)
    return stack[-1] if stack else None


def _without(occupancy: Occupancy, cell: Cell) -> Occupancy:
    rest = occupancy[cell][:-1]
    return {name: stack for name, stack in occupancy.items() if name != cell} | ({cell: rest} if rest else {})


def _changed(one: Mapping[Cell, object], two: Mapping[Cell, object]) -> tuple[Cell, ...]:
    return tuple(cell for cell in {*one, *two} if one.get(cell) != two.get(cell))


def visible(occupancy: Occupancy) -> Mapping[Cell, Seat]:
    """What a camera from above sees of it: the uppermost piece of each stack, not how high it is."""
    return {cell: stack[-1] for cell, stack in occupancy.items() if stack}


def _key(occupancy: Occupancy) -> tuple[tuple[Cell, Seat], ...]:
    return tuple(sorted(visible(occupancy).items()))


def _sorted(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    return tuple(sorted(cells, key=lambda cell: (len(cell), cell)))


def _log_sum(values: list[float]) -> float:
    best = max(values)
    return best + math.log(sum(math.exp(value - best) for value in values))
