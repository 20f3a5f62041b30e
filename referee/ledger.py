"""Double entry over events: whatever one account pays, another receives."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.board import Seat
from referee.events import Event, Paid, Pot, Rule, Started
from referee.rules import BadQuestion

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

    opened: Mapping[Account, int] = field(default_factory=dict)
    """What each seat came with."""
    payments: tuple[Paid, ...] = ()

    @property
    def balances(self) -> Mapping[Account, int]:
        """What each account holds; the sum is what was brought to the table."""
        held: dict[Account, int] = {POT: 0, **self.opened}
        for paid in self.payments:
            held[paid.payer] -= paid.amount
            held[paid.payee] += paid.amount
        return held

    def statement(self, account: Account) -> tuple[Entry, ...]:
        """Everything that came and went, oldest first."""
        balance = 0 if account == POT else self.opened[account]
        entries = [] if account == POT else [Entry(balance, None, ("started",), balance)]
        for paid in self.payments:
            if account in (paid.payer, paid.payee):
                received = account == paid.payee
                amount = paid.amount if received else -paid.amount
                balance += amount
                entries.append(Entry(amount, paid.payer if received else paid.payee, paid.why, balance))
        return tuple(entries)


def after(ledger: Ledger, event: Event) -> Ledger:
    """The ledger after one event; only payments move anything. Undoing is the match's business.

    Raises BadQuestion for a payment by or to somebody who is not there, or of nothing.
    """
    match event:
        case Started():
            return Ledger({seat: event.handicap.get(seat, event.stakes) for seat in event.seats})
        case Paid():
            accounts = (POT, *ledger.opened)
            if event.amount < 1 or event.payer not in accounts or event.payee not in accounts:
                raise BadQuestion(f"event: {event.payer} cannot pay {event.amount} to {event.payee}")
            return Ledger(ledger.opened, (*ledger.payments, event))
        case _:
            return ledger
