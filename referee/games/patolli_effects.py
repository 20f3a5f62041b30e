"""What follows from a throw or a move of Patolli, in the order in which it falls due (R-EFFECT-ORDER)."""

from referee.board import Seat
from referee.events import HOME, RESERVE, Captured, Event, Moved, Out, Over, Paid, Pot, Rule, Turn
from referee.games.patolli_position import OFF, PatolliPosition
from referee.games.patolli_presets import (
    BEANS,
    R_ALL_END,
    R_BANKRUPT,
    R_CAP_BROKE,
    R_EFFECT_ORDER,
    R_ENTRY_HIT,
    R_EXIT_ORDER,
    R_EXTRA_MUST,
    R_EXTRA_ONE,
    R_FIVE_NOMOVE,
    R_LAST_AT_ONCE,
    R_MUST,
    R_OUT_ORDER,
    R_POT_END,
    R_RESIGN,
    R_TRI,
    R_ZERO_EMPTY,
    TIPS,
)

POT: Pot = "pot"


class Course:
    """The events of one throw as they fall due.

    Keeps the purses, so that each payment finds what the one before has left, and stops when the match is over.
    """

    def __init__(self, position: PatolliPosition) -> None:
        self.events: list[Event] = []
        self.over = False
        self._position = position
        assert position.turn is not None
        self._mover = position.turn
        self._purses: dict[Seat | Pot, int] = {POT: position.pot}
        self._seats: list[Seat] = []
        for player in position.players:
            self._purses[player.seat] = player.stakes
            self._seats.append(player.seat)

    def offer(self) -> None:
        """No mark: a stake for Macuilxochitl, and the turn is lost."""
        position = self._position
        empty = () if position.mover.track else (R_ZERO_EMPTY,)
        self._charge(self._mover, POT, ("offering", *empty, *position.terms.preset.base))
        self._pass_on(())

    def lose_turn(self, marks: int, why: tuple[Rule, ...]) -> None:
        """Nothing can move."""
        if self._five(marks):
            self._add(Turn(self._mover, (*why, "five", R_FIVE_NOMOVE), again=True))
        else:
            self._pass_on(why)

    def move(self, marks: int, origin: int, target: int, why: tuple[Rule, ...]) -> None:
        """A piece goes from ``origin`` to ``target`` (``OFF``: reserve, home) and everything that follows."""
        preset = self._position.terms.preset
        self._add(Moved(self._mover, str(origin or RESERVE), str(target or HOME), why))
        if target == OFF:
            self._leave_board()
        else:
            self._land(origin, target)
        if not self.over and not preset.laps_win:
            self._end_of_stakes()
        if self.over:
            return
        tip, five = target in TIPS, marks == BEANS and preset.five_again
        if self._mover in self._seats and (tip or five):
            once = (R_EXTRA_ONE,) if tip and five else ()
            again = ("tip", R_EXTRA_MUST) if tip else ()
            self._add(Turn(self._mover, (*again, *(("five",) if five else ()), *once), again=True))
        else:
            self._pass_on(())

    def resign(self, seat: Seat) -> None:
        """A player leaves of his own will; what he has goes to the pot (R-RESIGN)."""
        if self._purses[seat]:
            self._pay(seat, POT, self._purses[seat], ("resigned", R_RESIGN))
        self._remove(seat, ("resigned",), ("last",))
        if seat == self._mover:
            self._pass_on(())
        elif not self.over:
            self._add(Turn(self._mover))

    def _land(self, origin: int, target: int) -> None:
        terms = self._position.terms
        owners = [player.seat for player in self._position.players if target in player.track]
        owner = owners[0] if owners else None
        due = target in terms.triangles
        order = (R_EFFECT_ORDER,) if due and (owner is not None or target in TIPS) else ()
        if owner is not None:
            hit = (R_ENTRY_HIT,) if origin == OFF else ()
            self._add(Captured(owner, self._mover, str(target), ("capture", *hit, *order)))
            if terms.preset.staked:
                self._charge(owner, self._mover, ("capture",), (R_CAP_BROKE,))
        if due and not self.over:
            self._charge(self._mover, POT, ("triangle", R_TRI, *order), (R_MUST,))

    def _leave_board(self) -> None:
        preset = self._position.terms.preset
        if preset.staked:
            opponents = self._position.others(self._mover)
            order = (R_EXIT_ORDER,) if len(opponents) > 1 else ()
            for opponent in opponents:
                self._charge(opponent.seat, self._mover, ("exit", *order))
                if self.over:
                    return
            if self._purses[POT]:
                self._pay(POT, self._mover, self._purses[POT], ("exit", "pot"))
        if preset.laps_win and self._position.mover.home + 1 == preset.pieces:
            self._end(self._mover, ("race",))

    def _end_of_stakes(self) -> None:
        holders = [seat for seat in self._seats if self._purses[seat]]
        if len(holders) == 1 and not self._purses[POT]:
            self._end(holders[0], (R_ALL_END,))

    def _five(self, marks: int) -> bool:
        return marks == BEANS and self._position.terms.preset.five_again

    def _charge(self, payer: Seat, payee: Seat | Pot, why: tuple[Rule, ...], broke: tuple[Rule, ...] = ()) -> None:
        """One stake falls due; who cannot pay it is out."""
        if self._purses[payer]:
            self._pay(payer, payee, 1, why)
        else:
            self._remove(payer, (*why, *broke, "out", R_BANKRUPT), ("last", R_LAST_AT_ONCE))

    def _pay(self, payer: Seat | Pot, payee: Seat | Pot, amount: int, why: tuple[Rule, ...]) -> None:
        self._purses[payer] -= amount
        self._purses[payee] += amount
        self._add(Paid(payer, payee, amount, why))

    def _remove(self, seat: Seat, why: tuple[Rule, ...], last: tuple[Rule, ...]) -> None:
        self._add(Out(seat, why))
        self._seats.remove(seat)
        if len(self._seats) == 1:
            (winner,) = self._seats
            if self._purses[POT]:
                self._pay(POT, winner, self._purses[POT], (R_POT_END,))
            self._end(winner, last)

    def _pass_on(self, why: tuple[Rule, ...]) -> None:
        if self.over:
            return
        out = () if self._mover in self._seats else (R_OUT_ORDER,)
        clockwise = [seat for seat in self._seats if seat > self._mover] or self._seats
        self._add(Turn(clockwise[0], (*why, *out)))

    def _end(self, winner: Seat, why: tuple[Rule, ...]) -> None:
        self.over = True
        self._add(Over(winner, why))

    def _add(self, event: Event) -> None:
        self.events.append(event)
