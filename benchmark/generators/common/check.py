"""The reverse direction of a language server's references: a second opinion on each symbol."""

# A name that occurs more often than this outside the references is not checked token by token.
MAX_LEFTOVER = 150


class Reverse:
    """With `strict` a token counts as resolved only when its target carries the same name."""

    def __init__(self, server, tokens, strict=False):
        self.server = server
        self.tokens = tokens
        self.strict = strict
        self.cache = {}
        self.lines = {}

    def targets(self, place):
        if place not in self.cache:
            self.cache[place] = self.server.definitions(*place)
        return self.cache[place]

    def named(self, name, target):
        file, line, column = target
        if file not in self.lines:
            path = self.server.root / file
            self.lines[file] = path.read_text(encoding="utf-8", errors="replace").split("\n") if path.is_file() else []
        lines = self.lines[file]
        return line <= len(lines) and lines[line - 1].startswith(name, column)

    def doubt(self, name, own, references):
        """Each token of the name that is no reference has to resolve, and to something else."""
        left = [p for p in self.tokens.get(name, []) if p not in references and p not in own]
        if len(left) > MAX_LEFTOVER:
            return len(left), "common"
        for place in left:
            targets = self.targets(place)
            if self.strict:
                targets = [t for t in targets if self.named(name, t)]
            if not targets:
                return len(left), "unresolved"
            if any(t in own for t in targets):
                return len(left), "directions"
        return len(left), None

    def confirmed(self, own, references):
        """True when each reference resolves back to the definition."""
        return all(p in own or any(t in own for t in self.targets(p)) for p in references)
