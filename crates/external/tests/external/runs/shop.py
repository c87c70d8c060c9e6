"""A toy whose calls go through a table."""


class Till:
    def __init__(self):
        self.handlers = {"sell": self.sell, "refund": self.refund}

    def dispatch(self, word, amount):
        return self.handlers[word](amount)

    def sell(self, amount):
        return round_up(amount)

    def refund(self, amount):
        return -round_up(amount)


def round_up(amount):
    return sorted([amount], key=lambda one: -one)[0]


if __name__ == "__main__":
    till = Till()
    for amount in range(3):
        till.dispatch("sell", amount)
    till.dispatch("refund", 1)
