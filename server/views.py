"""Single pictures of boards in play, traced by a path tracer, each drawn whole from one number: how right is what
`macuil locate` and `macuil judge` make of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from calibration.inks import SEATS
from calibration.layout import Layout, load
from referee import rules
from referee.adjudicator import Question
from referee.board import Cell, Occupancy, Seat
from referee.registry import GAMES
from referee.rules import BadQuestion, Game, Position
from server.commands.judge import ruling_on
from server.evenings import PIECES, PRESETS
from server.outcomes import boards_after
from vision.camera import Image
from vision.glance import Glance, Glancer

KINDS: Mapping[Literal["move", "nothing", "illegal"], float] = {"move": 0.8, "nothing": 0.1, "illegal": 0.1}
"""What has happened since the throw, and how often; where nothing illegal can be done, as with sticks, nothing has."""
PLIES = (4, 90)
"""How many throws the game is old."""
ENTERED = 0.7
"""How often a piece that may enter does: random play leaves the board empty else."""


@dataclass(frozen=True, slots=True)
class View:
    """What a picture is to show."""

    seed: int
    layout: Layout
    question: Question
    """The position and the throw before the move."""
    kind: Literal["move", "nothing", "illegal"]
    move: str | None
    """The move that was made, legal or not."""
    standing: Occupancy
    """Where the pieces stand in the picture."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Whose pieces there may be."""
        return self.question.game.players(self.question.position)


@dataclass(frozen=True, slots=True)
class Read:
    """What was made of one picture."""

    view: View
    arm: bool
    found: bool
    right: int = 0
    """Cells in sight that were read as they are."""
    unread: tuple[Cell, ...] = ()
    wrong: tuple[tuple[Cell, Seat | None, float], ...] = ()
    """Cell, what it was taken for, and by how much, as a logarithm of likelihoods."""
    ruling: Mapping[str, Any] = field(default_factory=dict)

    @property
    def told(self) -> bool:
        """The verdict is what happened."""
        moves = {"move": self.ruling.get("move"), "nothing": None, "illegal": self.ruling.get("seen")}
        return self.ruling.get("verdict") == self.view.kind and moves[self.view.kind] == self.view.move

    @property
    def certain(self) -> bool:
        """The table would book it, or name it as against the rules."""
        return bool(self.ruling.get("certain"))


def drawn_view(seed: int) -> View:
    """A view at random: game, preset, seats, position, throw and what was done with it follow from the seed."""
    rng = np.random.default_rng((seed, 5))
    name, preset = PRESETS[int(rng.integers(len(PRESETS)))]
    game, layout = GAMES[name], load(name)
    while True:
        known = [seat for seat in game.seats if seat in SEATS]
        seats = sorted(rng.choice(known, rng.integers(2, len(known) + 1), replace=False).tolist())
        try:
            position = _played(rng, game, game.start(preset, tuple(map(Seat, seats)), {}))
        except BadQuestion:  # jade-coral is for two certain seats
            continue
        throw = game.load_throw(position, _thrown(rng, game)) if position.over is None else None
        # Of moves that leave the board looking as it did no picture tells.
        if throw is not None and (boards := boards_after(game, position, throw)):
            break
    question = Question(game, position, throw, None)
    kind = rng.choice(list(KINDS), p=list(KINDS.values()))
    illegal = _illegal(rng, game, position, game.legal(position, throw), layout) if kind == "illegal" else None
    if illegal:
        return View(seed, layout, question, "illegal", *illegal)
    if kind == "move":
        move = sorted(boards)[int(rng.integers(len(boards)))]
        return View(seed, layout, question, "move", move, boards[move][0])
    return View(seed, layout, question, "nothing", None, game.occupancy(position))


def read(view: View, image: Image, hidden: frozenset[Cell], arm: bool) -> Read:
    """What the commands make of a picture of it; ``hidden``: cells that are not judged."""
    glance = Glancer(view.layout, {seat: SEATS[seat] for seat in view.seats}).look(image)
    if not isinstance(glance, Glance):
        return Read(view, arm, found=False)
    right, unread, wrong = 0, [], []
    for place in view.layout.cells:
        if place.name in hidden or place.name in view.question.game.unseen:
            continue
        chances, stack = glance.seen.cells.get(place.name), view.standing.get(place.name)
        if chances is None:
            unread.append(place.name)
            continue
        likeliest = max(chances, key=lambda seat: chances[seat])
        if likeliest == (stack[-1] if stack else None):
            right += 1
        else:
            wrong.append((place.name, likeliest, round(chances[likeliest] - sorted(chances.values())[-2], 1)))
    ruling = ruling_on(view.question, [glance], [])
    return Read(view, arm, True, right, tuple(unread), tuple(wrong), ruling)


def in_figures(reads: Sequence[Read]) -> Mapping[str, tuple[int, int]]:
    """The figures as hits and of how many: with free view of the board, and with an arm over it."""
    figures: dict[str, tuple[int, int]] = {}
    for name, arm in (("", False), (", an arm over it", True)):
        some = [one for one in reads if one.arm == arm]
        seen = [one for one in some if one.found]
        cells = sum(one.right + len(one.unread) + len(one.wrong) for one in seen)
        figures |= {
            f"boards found{name}": (len(seen), len(some)),
            f"cells right{name}": (sum(one.right for one in seen), cells),
            f"cells wrong{name}": (sum(len(one.wrong) for one in seen), cells),
            f"told what happened{name}": (sum(one.told for one in seen), len(some)),
            f"asked{name}": (sum(not one.certain for one in some), len(some)),
            f"wrong while certain{name}": (sum(one.certain and not one.told for one in some), len(some)),
        }
    return figures


def _played(rng: np.random.Generator, game: Game[Any], position: Position) -> Position:
    for _ in range(int(rng.integers(*PLIES))):
        if position.over is not None:
            break
        throw = game.load_throw(position, _thrown(rng, game))
        legal = game.legal(position, throw)
        entering = [move for move in legal if move.startswith("reserve")]
        some = entering if entering and rng.random() < ENTERED else legal
        move = some[int(rng.integers(len(some)))] if some else None
        events = (rules.thrown(game, position, throw), *game.decide(position, throw, move))
        position = rules.fold(game, position, events)
    return position


def _thrown(rng: np.random.Generator, game: Game[Any]) -> dict[str, object]:
    if game.needs.beans:
        return {"marks": int(rng.binomial(game.needs.beans, 0.5))}
    return {"dice": rng.integers(1, 7, game.needs.dice).tolist()}


def _illegal(
    rng: np.random.Generator, game: Game[Any], position: Position, legal: Sequence[str], layout: Layout
) -> tuple[str, Occupancy] | None:
    """A piece of whose turn it is goes to a free cell where it may not; None where none can."""
    before = game.occupancy(position)
    mine = [cell for cell, stack in before.items() if position.turn in stack and cell not in game.unseen]
    free = [place.name for place in layout.cells if place.name not in (*before, *game.unseen)]
    ways = [(origin, target) for origin in mine for target in free if f"{origin}>{target}" not in legal]
    if not ways or not any(">" in move for move in legal):  # sticks are put down and stay
        return None
    origin, target = ways[int(rng.integers(len(ways)))]
    assert position.turn is not None
    left = list(before[origin])
    left.remove(position.turn)
    after = {**before, origin: tuple(left), target: (position.turn,)}
    return f"{origin}>{target}", {cell: stack for cell, stack in after.items() if stack}


Renders = Callable[[View], tuple[Image, frozenset[Cell], bool]]
"""The picture, the cells out of sight, and whether an arm reaches over the board."""


def rendered(view: View) -> tuple[Image, frozenset[Cell], bool]:
    """As the path tracer sees it."""
    # Part of the training extra: who only plays has no path tracer.
    from vision.training.traced_board import render_board

    rng = np.random.default_rng((view.seed, 6))
    colours = {seat: SEATS[seat] for seat in view.seats}
    seen = render_board(rng, view.layout, view.standing, colours, sticks="stick" in PIECES.get(view.layout.game, ()))
    return seen.image, seen.hidden, seen.arm
