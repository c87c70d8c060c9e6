"""The reverse direction of a language server's references: a second opinion on each symbol."""

# A name that occurs more often than this outside the references is not checked token by token.
MAX_LEFTOVER = 150


class Reverse:
    def __init__(self, server, tokens):
        self.server = server
        self.tokens = tokens
        self.cache = {}

    def targets(self, place):
        if place not in self.cache:
            self.cache[place] = self.server.definitions(*place)
        return self.cache[place]

    def doubt(self, name, own, references):
        """Each token of the name that is no reference has to resolve, and to something else."""
        left = [p for p in self.tokens.get(name, []) if p not in references and p not in own]
        if len(left) > MAX_LEFTOVER:
            return len(left), "common"
        for place in left:
            targets = self.targets(place)
            if not targets:
                return len(left), "unresolved"
            if any(t in own for t in targets):
                return len(left), "directions"
        return len(left), None
