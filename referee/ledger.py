"""Double entry over events: whatever one account pays, another receives."""

from collections.abc import Mapping
from dataclasses import dataclass

from referee.board import Seat
from referee.events import Event, Paid, Pot, Rule, Started

Account = Seat | Pot
POT: Pot = "pot"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of an account's statement."""

    amount: int
    """Whole stakes, negative when the account paid."""
    other: Account | None
    """Who received or paid them; None for what the account opened with."""
    why: tuple[Rule, ...]
    balance: int
    """Of the account after this entry."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """Every payment of a match that still stands."""

    seats: tuple[Seat, ...] = ()
    stakes: int = 0
    """What each seat opened with."""
    payments: tuple[Paid, ...] = ()

    @property
    def balances(self) -> Mapping[Account, int]:
        """What each account holds; the sum is what was brought to the table."""
        held: dict[Account, int] = {POT: 0, **dict.fromkeys(self.seats, self.stakes)}
        for paid in self.payments:
            held[paid.payer] -= paid.amount
            held[paid.payee] += paid.amount
        return held

    def statement(self, account: Account) -> tuple[Entry, ...]:
        """Everything that came and went, oldest first."""
        balance = 0 if account == POT else self.stakes
        entries = [] if account == POT else [Entry(balance, None, ("started",), balance)]
        for paid in self.payments:
            if account in (paid.payer, paid.payee):
                received = account == paid.payee
                amount = paid.amount if received else -paid.amount
                balance += amount
                entries.append(Entry(amount, paid.payer if received else paid.payee, paid.why, balance))
        return tuple(entries)


def after(ledger: Ledger, event: Event) -> Ledger:
    """The ledger after one event; only payments move anything. Undoing is the match's business."""
    match event:
        case Started():
            return Ledger(event.seats, event.stakes)
        case Paid():
            return Ledger(ledger.seats, ledger.stakes, (*ledger.payments, event))
        case _:
            return ledger
