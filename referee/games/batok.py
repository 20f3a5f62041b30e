"""Batok, ten posts and a hole: RULES 3 of the project, told in docs/rules.md."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.board import Cell, Occupancy, Seat
from referee.events import RESERVE, Corrected, Event, Moved, Out, Over, Paid, Rule, Turn
from referee.games import batok_moves, batok_position
from referee.games.batok_moves import Dice2
from referee.games.batok_position import HOLE, R_BA_FIRST, R_BA_HOLE, R_BA_PASS, SEATS, SIX, STICKS, BatokPosition
from referee.questions import fields, items, purses, shown, whole
from referee.rules import BadQuestion, Illegal, Needs, Stakes
from referee.throws import Dice, Throw

PASS = "pass"
PRESET = "standard"


class Batok:
    """The Game protocol for Batok.

    Sticks are Moved from the reserve, which is the hand, to a post or the hole, and back to it from the posts.
    """

    name: str = "batok"
    presets: tuple[str, ...] = (PRESET,)
    seats: tuple[Seat, ...] = SEATS
    needs: Needs = Needs(dice=2)
    passes: bool = True
    unseen: tuple[Cell, ...] = (HOLE,)
    rules_version: int = 1
    first_rule: Rule = R_BA_FIRST

    def start(
        self, preset: str, seats: Sequence[Seat], options: Mapping[str, object], stakes: Stakes | None = None
    ) -> BatokPosition:
        """The position before the first throw. Raises BadQuestion."""
        _check_preset(preset)
        terms = batok_position.load_terms(options)
        if len(seats) < 2 or list(seats) != sorted(set(seats) & set(SEATS)):
            raise BadQuestion("seats: two to six of 1 to 6, in ascending order")
        purses(stakes or 0, seats, 0, 0)
        return BatokPosition(terms, tuple((seat, STICKS) for seat in seats), (), 0, seats[0])

    def opening(self, position: BatokPosition) -> tuple[Paid, ...]:
        """Nothing: there are no stakes."""
        return ()

    def default_stakes(self, preset: str, players: int) -> int:
        """There are none."""
        return 0

    def load(self, preset: str, state: object, options: Mapping[str, object]) -> BatokPosition:
        """Read a position as CONTRACTS writes it. Raises BadQuestion naming the field."""
        _check_preset(preset)
        return batok_position.load(batok_position.load_terms(options), state)

    def dump(self, position: BatokPosition) -> dict[str, object]:
        """Write a position as CONTRACTS writes it."""
        return batok_position.dump(position)

    def load_throw(self, position: BatokPosition, throw: object) -> Throw:
        """Read ``{"dice": [5, 3]}``. Raises BadQuestion."""
        dice = items(fields(throw, "throw", ("dice",))["dice"], "throw.dice")
        if len(dice) != 2:
            raise BadQuestion(f"throw.dice: Batok is thrown with 2 dice, not {len(dice)}")
        return Dice(tuple(sorted(whole(die, "throw.dice", 1, SIX) for die in dice)))

    def steps(self, position: BatokPosition, throw: Throw) -> int:
        """The sum. Raises BadQuestion when it is no throw of two dice."""
        return sum(_dice(throw))

    def legal(self, position: BatokPosition, throw: Throw | None) -> tuple[str, ...]:
        """The complete set of legal moves, sorted as strings; without a throw ``pass``, where one was completed."""
        if position.turn is None:
            return ()
        if throw is None:
            return (PASS,) if position.may_pass else ()
        return tuple(sorted(map(batok_moves.write, batok_moves.moves(position, _dice(throw)))))

    def decide(self, position: BatokPosition, throw: Throw | None, move: str | None) -> tuple[Event, ...]:
        """What follows from the throw, from the move made with it, or from passing. Raises Illegal or BadQuestion."""
        places = None if move in (None, PASS) else batok_moves.read(str(move))
        if position.turn is None:
            raise Illegal(("over",))
        if throw is None:
            if move != PASS or not position.may_pass:
                raise Illegal((R_BA_PASS,) if move == PASS else ("throw_due",))
            return (Turn(self.next_turn(position), (PASS,)),)
        dice = _dice(throw)
        found = batok_moves.moves(position, dice)
        if places is None:
            if move == PASS or found:
                raise Illegal((R_BA_PASS,) if move == PASS else ("must_move",))
            return self._failed(position, dice)
        if places not in found:
            raise batok_moves.forbidden(position, dice, places)
        why = batok_moves.reasons(position, dice, places)
        placed = [
            Moved(position.turn, RESERVE, batok_moves.cell(place), () if later else why)
            for later, place in enumerate(places)
        ]
        if len(places) == position.hand(position.turn):
            return (*placed, Over(position.turn, ("hand_empty",)))
        return (*placed, Turn(position.turn, again=True))

    def _failed(self, position: BatokPosition, dice: Dice2) -> tuple[Event, ...]:
        assert position.turn is not None
        why = (*batok_moves.failed(position, dice), "no_move", *(("take_back",) if position.posts else ()))
        back = [Moved(position.turn, str(post), RESERVE, ("take_back",)) for post in position.posts]
        hole = (R_BA_HOLE,) if position.dropped else ()
        if back:
            back[0] = replace(back[0], why=(*why, *hole))
            return (*back, Turn(self.next_turn(position)))
        return (Turn(self.next_turn(position), why),)

    def resign(self, position: BatokPosition, seat: Seat) -> tuple[Event, ...]:
        """The player leaves with the sticks in his hand. Raises Illegal when he is not in."""
        if position.turn is None or seat not in position.seats:
            raise Illegal(("over",) if position.turn is None else ("not_in",))
        left = [other for other in position.seats if other != seat]
        if len(left) == 1:
            return (Out(seat, ("resigned",)), Over(left[0], ("last",)))
        return (Out(seat, ("resigned",)), Turn(self.next_turn(position) if seat == position.turn else position.turn))

    def fold(self, position: BatokPosition, event: Event) -> BatokPosition:
        """The position after one event. Raises BadQuestion for a ``Corrected`` that cannot stand."""
        match event:
            case Moved(origin="reserve", target=target) if target == HOLE:
                return replace(position.held(event.seat, -1), dropped=position.dropped + 1, may_pass=True)
            case Moved(origin="reserve"):
                posts = tuple(sorted((*position.posts, int(event.target))))
                return replace(position.held(event.seat, -1), posts=posts, may_pass=True)
            case Moved():
                posts = tuple(post for post in position.posts if str(post) != event.origin)
                return replace(position.held(event.seat, 1), posts=posts)
            case Out():
                hands = tuple(hand for hand in position.hands if hand[0] != event.seat)
                gone = tuple(sorted((*position.gone, (event.seat, position.hand(event.seat)))))
                return replace(position, hands=hands, gone=gone)
            case Turn():
                return replace(position, turn=event.seat, may_pass=position.may_pass and event.seat == position.turn)
            case Over():
                return replace(position, turn=None, over="draw" if event.winner is None else str(event.winner))
            case Corrected():
                return batok_position.placed(position, event.pieces)
            case _:
                return position

    def next_turn(self, position: BatokPosition) -> Seat:
        """Clockwise: ascending seats."""
        assert position.turn is not None
        turn = position.turn
        return min((seat for seat in position.seats if seat > turn), default=min(position.seats))

    def players(self, position: BatokPosition) -> tuple[Seat, ...]:
        """Who is still in."""
        return position.seats

    def occupancy(self, position: BatokPosition) -> Occupancy:
        """Which posts are taken. Sticks are all alike and nobody's: the lowest seat at the table stands for them."""
        nobody = min(seat for seat, _ in (*position.hands, *position.gone))
        return {str(post): (nobody,) for post in position.posts}

    def first_throw_value(self, throw: Throw) -> int:
        """R-BA-FIRST: the sum."""
        return sum(_dice(throw))

    def chooses_first(self, preset: str) -> bool:
        """The highest sum begins, always."""
        return True

    def begin(self, position: BatokPosition, seat: Seat) -> BatokPosition:
        """The starting position with ``seat`` to throw."""
        return replace(position, turn=seat)


def _check_preset(preset: str) -> None:
    if preset != PRESET:
        raise BadQuestion(f"preset: {shown(preset)} is none of {PRESET}")


def _dice(throw: Throw) -> Dice2:
    if isinstance(throw, Dice) and len(throw.values) == 2 and all(1 <= value <= SIX for value in throw.values):
        one, two = sorted(throw.values)
        return one, two
    raise BadQuestion(f"throw: Batok is thrown with two dice, not {throw}")
