"""Entries of the books."""

from dataclasses import dataclass, field
from decimal import Decimal


class UnbalancedEntry(ValueError):
    """The postings of an entry do not add up to zero."""


@dataclass
class Posting:
    account: str
    amount: Decimal


@dataclass
class Entry:
    text: str
    postings: list[Posting] = field(default_factory=list)

    def total(self) -> Decimal:
        return sum((posting.amount for posting in self.postings), Decimal(0))

    def check(self) -> None:
        """Refuse an entry whose postings do not add up."""
        if self.total() != 0:
            raise UnbalancedEntry(self.text)
