"""Listings of languages with classes, from facts: definitions, uses, what overrides and extends what.

A definition has: id, name, qual, kind, file, line, end, inside, static, abstract, public, marked (annotated),
above (overridden members), foreign (overrides one of elsewhere), supers, uses (file, line, around, role).
"""
import collections
import re

from listing import places

NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
WORD = re.compile(r"[A-Za-z_]\w*")
TYPES = {"class", "interface", "enum", "struct", "annotation", "record", "type"}
MEMBERS = {"method", "field"}
VALUES = {"constant", "variable"}


class Facts:
    """`special`: names that a language calls itself; `hidden`: what nothing outside could reach."""

    def __init__(self, root, files, facts, special, hidden):
        self.defs = facts["defs"]
        self.doubtful = set(facts["unknown"])
        self.strings = set(facts["strings"])
        self.unnamed = {i: {tuple(s) for s in spots} for i, spots in facts["unnamed"]}
        self.special, self.hidden = special, hidden
        self.comments = collections.defaultdict(set)
        for file in files:
            self._comments(root, file)
        self.below = collections.defaultdict(set)
        for d in self.defs:
            for a in d["above"]:
                self.below[a].add(d["id"])
        self.roots = {i for d in self.defs if d.get("root") for i in self.around(d["id"])}
        self.subtypes = collections.defaultdict(set)
        for d in self.defs:
            for s in d["supers"]:
                self.subtypes[s].add(d["id"])

    def _comments(self, root, file):
        text = (root / file).read_text(encoding="utf-8", errors="replace")
        for m in NOT_CODE.finditer(text):
            if m.group(0).startswith("/"):
                first = text.count("\n", 0, m.start()) + 1
                for k, line in enumerate(m.group(0).split("\n")):
                    for w in WORD.findall(line):
                        self.comments[w].add((file, first + k))

    def head(self, i):
        d = self.defs[i]
        return d["file"], d["line"], d["qual"]

    def lines(self, i, *roles):
        return {(f, n) for f, n, _, role in self.defs[i]["uses"] if role in roles}

    def family(self, d):
        return set(d["above"]) | self.below[d["id"]] | {b for a in d["above"] for b in self.below[a]} - {d["id"]}

    def task(self, category, stratum, d, expected, optional, **query):
        taken = {e[:2] for e in expected}
        return {"category": category, "stratum": stratum, "kind": d["kind"],
                "query": {"symbol": d["qual"], "file": d["file"], "line": d["line"], **query},
                "expected": places(expected), "optional": places(o for o in set(optional) if o[:2] not in taken), "tol": 0}

    def asked(self, d):
        return d["name"] not in self.doubtful and len(d["name"]) > 2 and WORD.fullmatch(d["name"])

    def overloaded(self, d):
        """A query by name, file and line is clear; a name by itself is not."""
        return sum(o["qual"] == d["qual"] and o["file"] == d["file"] for o in self.defs) > 1

    def p2_stratum(self, d):
        if d["kind"] not in MEMBERS:
            return None
        if d["abstract"]:
            return "interface"
        if d["above"] or d["foreign"]:
            return "override"
        return None if self.below[d["id"]] else "member"

    def p2(self, tests):
        for d in self.defs:
            stratum, expected = self.p2_stratum(d), self.lines(d["id"], "use", "unnamed")
            if not stratum or not self.asked(d) or tests(d["file"]) or self.overloaded(d) or not 2 <= len(expected) <= 40:
                continue
            optional = self.comments[d["name"]] | self.lines(d["id"], "import", "decl") | {(d["file"], d["line"])}
            for i in self.family(d) if stratum != "member" else ():
                optional |= self.lines(i, "use", "unnamed", "import", "decl") | {self.head(i)[:2]}
            yield self.task("P2", stratum, d, expected, optional)

    def reached(self, start, step):
        seen, todo = set(), [start]
        while todo:
            for i in step[todo.pop()] - seen:
                seen.add(i)
                todo.append(i)
        return seen

    def direct(self, d):
        """Members below with no other member between."""
        return {i for i in self.below[d["id"]] if not any(a != d["id"] and d["id"] in self.defs[a]["above"] for a in self.defs[i]["above"])}

    def implementations(self, tests):
        for d in self.defs:
            clear = d["kind"] in TYPES or self.asked(d)  # bases are always resolved
            if tests(d["file"]) or not clear or self.overloaded(d):
                continue
            near, far, stratum = set(), set(), "types"
            if d["kind"] in TYPES:
                near, far = self.subtypes[d["id"]], self.reached(d["id"], self.subtypes)
            elif d["kind"] == "method":
                near, far, stratum = self.direct(d), self.below[d["id"]], "members"
            expected = {self.head(i) for i in near}
            optional = {self.head(i) for i in far} | {self.head(d["id"])}
            optional |= self.unnamed.get(d["id"], set()) if stratum == "types" else set()
            optional |= {p for i in near for p in self.lines(i, "decl")}  # declared here, defined there
            if 1 <= len(expected) <= 60:
                yield self.task("IMPLEMENTS", stratum, d, expected, optional)

    def around(self, i):
        while i >= 0:
            yield i
            i = self.defs[i]["inside"]

    def alive(self, d):
        return bool(d["above"] or d["foreign"] or d["name"] in self.special or d["id"] in self.roots)

    def doubt(self, d):
        listed = d["kind"] in TYPES | VALUES | {"method", "function"}
        return not listed or d["marked"] or d["name"] in self.doubtful or d["name"] in self.strings or not self.hidden(self, d) or d.get("doubt")

    def dead(self):
        """What nothing uses; then what only such things use, which is optional."""
        gone = {d["id"]: not d["uses"] or all(u[3] in ("decl", "import") for u in d["uses"]) for d in self.defs}
        first = {i for i, g in gone.items() if g and not self.alive(self.defs[i])}
        dropped, again = set(first), True
        while again:
            again = False
            for d in self.defs:
                if d["id"] in dropped or self.alive(d):
                    continue
                uses = [u for u in d["uses"] if u[3] not in ("decl", "import")]
                if all(dropped & set(self.around(u[2])) or d["id"] in self.around(u[2]) for u in uses):
                    dropped.add(d["id"])
                    again = True
        within = {d["id"] for d in self.defs if dropped & (set(self.around(d["id"])) - {d["id"]})}
        sure = {i for i in first if not self.doubt(self.defs[i]) and not self.below[i] and not self.subtypes[i]}
        sure -= {i for i in sure if sure & (set(self.around(i)) - {i})}
        optional = {self.head(i) for i in (dropped | within) - sure}
        task = self.task("DEAD", "package", {"kind": "package", "qual": "", "file": "", "line": 0},
                         {self.head(i) for i in sure}, optional)
        return {**task, "query": {"path": ""}}

    def breaker(self, use):
        """The function around a use, or None where a field or a class without a name is nearest."""
        file, line, around, role = use
        if around < 0:
            return (file, line) if role == "use" else None
        return self.head(around) if role == "use" and self.defs[around]["kind"] in ("function", "method", "constructor") else None

    def impact_stratum(self, d):
        if d["kind"] == "function" or d["kind"] == "method" and d["static"]:
            return "function"
        if d["kind"] != "method" or d["above"] or d["foreign"]:
            return None
        if self.below[d["id"]]:
            return "interface" if d["abstract"] else None
        return None if d["abstract"] else "method"

    def impact(self, tests, rng, mutants, broken):
        """`broken(d)`: the lines of uses that fail when `d` is renamed, or None where the errors are unclear."""
        pools = collections.defaultdict(list)
        for d in self.defs:
            stratum, uses = self.impact_stratum(d), [u for u in d["uses"] if u[3] != "decl"]
            heads = [self.breaker(u) for u in uses]
            if stratum and self.asked(d) and not self.overloaded(d) and not tests(d["file"]) and uses and None not in heads and len(heads) <= 60:
                pools[stratum].append((d, set(heads), {tuple(u[:2]) for u in uses}))
        for stratum in sorted(pools):
            rng.shuffle(pools[stratum])
            for d, heads, lines in pools[stratum][:mutants]:
                if broken(d) != lines:
                    continue
                below = self.below[d["id"]]
                expected = (heads | {self.head(i) for i in below}) - {self.head(d["id"])}
                optional = {self.head(d["id"])} | {h for i in below for h in map(self.breaker, self.defs[i]["uses"]) if h}
                optional |= {self.head(c) for i in below for c in list(self.around(i))[1:2]}
                if 1 <= len(expected) <= 40:
                    yield self.task("IMPACT", stratum, d, expected, optional, max_depth=1)
