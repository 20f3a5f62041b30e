"""Patolli after Durán and the codices, in five presets: RULES 1 of the project, told in docs/rules.md."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.board import Cell, Occupancy, Seat
from referee.events import Event, Over, Paid, Rule
from referee.games import patolli_notation, patolli_position
from referee.games.patolli_effects import Course
from referee.games.patolli_moves import Way, at_limit, forbidden, read, reasons, ways, write
from referee.games.patolli_position import PatolliPosition
from referee.games.patolli_presets import BEANS, CLASSIC, PRESETS, R_FIRST, R_JC_COUNT, R_MUST, SEATS, STAKES
from referee.questions import fields, whole
from referee.rules import BadQuestion, Illegal, Needs, Stakes
from referee.throws import Beans, Throw


class Patolli:
    """The Game protocol for Patolli."""

    name: str = "patolli"
    presets: tuple[str, ...] = tuple(PRESETS)
    seats: tuple[Seat, ...] = SEATS
    needs: Needs = Needs(beans=BEANS)
    """R-BEANS: five, lying flat and free in the throwing place, or they are all thrown again."""
    passes: bool = False
    unseen: tuple[Cell, ...] = ()
    rules_version: int = 1
    first_rule: Rule = R_FIRST

    def start(
        self, preset: str, seats: Sequence[Seat], options: Mapping[str, object], stakes: Stakes | None = None
    ) -> PatolliPosition:
        """The position before the first throw. Raises BadQuestion."""
        return patolli_notation.start(preset, tuple(seats), options, stakes)

    def opening(self, position: PatolliPosition) -> tuple[Paid, ...]:
        """Nothing: the pot fills by play."""
        return ()

    def default_stakes(self, preset: str, players: int) -> int:
        """R-STAKE-N."""
        return STAKES[players] if PRESETS[preset].staked else 0

    def load(self, preset: str, state: object, options: Mapping[str, object]) -> PatolliPosition:
        """Read a position as CONTRACTS writes it. Raises BadQuestion naming the field."""
        return patolli_notation.load(preset, state, options)

    def dump(self, position: PatolliPosition) -> dict[str, object]:
        """Write a position as CONTRACTS writes it."""
        return patolli_notation.dump(position)

    def load_throw(self, position: PatolliPosition, throw: object) -> Throw:
        """Read ``{"marks": 3}``. Raises BadQuestion."""
        return Beans(whole(fields(throw, "throw", ("marks",))["marks"], "throw.marks", 0, BEANS))

    def steps(self, position: PatolliPosition, throw: Throw) -> int:
        """What the throw is worth. Raises BadQuestion when it is none of five beans."""
        return position.terms.preset.steps[_marks(throw)]

    def legal(self, position: PatolliPosition, throw: Throw | None) -> tuple[str, ...]:
        """The complete set of legal moves, sorted as strings; without a throw there is none."""
        if throw is None:
            return ()
        found = ways(position, position.terms.preset.steps[_marks(throw)])
        return tuple(sorted([write(origin, target) for origin, target, bars in found if not bars]))

    def decide(self, position: PatolliPosition, throw: Throw | None, move: str | None) -> tuple[Event, ...]:
        """What follows from the throw, or from the move made with it. Raises Illegal or BadQuestion."""
        if throw is None:
            raise Illegal(("throw_due",))
        marks = _marks(throw)
        steps = position.terms.preset.steps[marks]
        found = ways(position, steps)
        if move is None:
            return self._unmoved(position, marks, found)
        origin, target = read(move)
        way = (origin, target, ())
        if way not in found:
            raise forbidden(position, steps, found, origin, target)
        course = Course(position)
        course.move(marks, origin, target, reasons(position, found, way, steps))
        return tuple(course.events)

    def _unmoved(self, position: PatolliPosition, marks: int, found: list[Way]) -> tuple[Event, ...]:
        preset = position.terms.preset
        if position.turn is None:
            raise Illegal(("over",))
        if any(not bars for _, _, bars in found):
            raise Illegal((R_MUST,))
        if at_limit(position):
            return (Over(None, (R_JC_COUNT,)),)
        course = Course(position)
        if marks == 0 and preset.offering:
            course.offer()
        elif preset.steps[marks] == 0:
            course.lose_turn(marks, ("zero",))
        else:
            bars = (bar for way in found for bar in way[2])
            course.lose_turn(marks, (*dict.fromkeys(bars), "no_move"))
        return tuple(course.events)

    def resign(self, position: PatolliPosition, seat: Seat) -> tuple[Event, ...]:
        """The player leaves the match. Raises Illegal when he is not in it."""
        if position.turn is None or all(player.seat != seat for player in position.players):
            raise Illegal(("over",) if position.turn is None else ("not_in",))
        course = Course(position)
        course.resign(seat)
        return tuple(course.events)

    def fold(self, position: PatolliPosition, event: Event) -> PatolliPosition:
        """The position after one event."""
        return patolli_position.fold(position, event)

    def next_turn(self, position: PatolliPosition) -> Seat:
        """Clockwise."""
        return position.others(position.mover.seat)[0].seat

    def players(self, position: PatolliPosition) -> tuple[Seat, ...]:
        """Who is still in."""
        return tuple(player.seat for player in position.players)

    def occupancy(self, position: PatolliPosition) -> Occupancy:
        """Who stands where."""
        return patolli_position.occupancy(position)

    def first_throw_value(self, throw: Throw) -> int:
        """R-FIRST: marks up, all five count 10 under every preset."""
        return CLASSIC.steps[_marks(throw)]

    def chooses_first(self, preset: str) -> bool:
        """False where the preset names who begins."""
        return PRESETS[preset].first is None

    def begin(self, position: PatolliPosition, seat: Seat) -> PatolliPosition:
        """The starting position with ``seat`` to throw."""
        return replace(position, turn=seat)


def _marks(throw: Throw) -> int:
    if isinstance(throw, Beans) and throw.count == BEANS and 0 <= throw.marks <= BEANS:
        return throw.marks
    raise BadQuestion(f"throw: Patolli is thrown with {BEANS} beans, not {throw}")
