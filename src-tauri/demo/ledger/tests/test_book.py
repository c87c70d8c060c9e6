from decimal import Decimal

import pytest

from ledger.book import Book
from ledger.entry import Entry, Posting, UnbalancedEntry


def test_an_unbalanced_entry_is_refused():
    entry = Entry("rent", [Posting("cash", Decimal(-5))])
    with pytest.raises(UnbalancedEntry):
        Book().add(entry)
