"""A book: entries in the order in which they were made."""

from .entry import Entry


class Book:
    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def add(self, entry: Entry) -> None:
        entry.check()
        self.entries.append(entry)

    def balance(self, account: str):
        """Return what an account holds after all entries."""
        postings = (posting for entry in self.entries for posting in entry.postings)
        return sum(posting.amount for posting in postings if posting.account == account)
