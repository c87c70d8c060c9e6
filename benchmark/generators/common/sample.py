"""Samples tasks from the oracles' facts, seeded and stratified."""
import collections
import random
import re

# Category, the start of its strata, number of tasks: dead and live code get one half each.
WANTED = [("P1", "", 12), ("P2", "", 14), ("P4", "", 8), ("P5", "dead", 5), ("P5", "alive", 5), ("CALLERS", "", 4)]
PER_FILE = 2
TYPES = {"interface", "type", "enum", "trait", "annotation"}
CODE = {"function", "class", "struct", "macro"}
VALUES = {"constant", "variable", "variant"}
# Names that a language, a runtime or a serializer calls without naming them in the package.
DYNAMIC = {"typescript", "javascript", "python"}
PROTOCOL = {"next", "return", "throw", "then", "toString", "toJSON", "valueOf", "inspect",
            "equals", "hashCode", "main", "setUp", "tearDown", "constructor", "serialize", "deserialize", "serialVersionUID"}


class Package:
    def __init__(self, package):
        self.meta = package
        self.name, self.root = package["name"], package["path"]
        facts = package["facts"]
        self.oracle = facts["oracle"]
        self.files = facts["files"]
        self.deps, self.optional_deps = facts["deps"], facts.get("optional_deps", {})
        self.tests = tuple(package.get("tests", []))
        self.all_defs = facts["defs"]
        self.names = collections.Counter(d["name"] for d in self.all_defs)
        self.quals = collections.Counter(d["qual"] for d in self.all_defs)
        self.defs = [d for d in self.all_defs if d.get("refs") and not d.get("in_tests") and not self.is_test(d["file"])]
        self.lines = {}
        self.scopes = collections.defaultdict(list)
        for d in self.all_defs:
            if d["kind"] in ("function", "method", "property"):
                self.scopes[d["file"]].append(d)
        for hole in facts.get("unnamed", []):
            self.scopes[hole["file"]].append({**hole, "name": None})

    def is_test(self, file):
        return file.startswith(self.tests) or file.endswith("_test.go") or "/tests.rs" in file

    def line(self, file, number):
        if file not in self.lines:
            text = (self.root / file).read_text(encoding="utf-8", errors="replace")
            self.lines[file] = text.split("\n")
        return self.lines[file][number - 1]

    def names_it(self, name, place):
        return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self.line(*place)) is not None

    def enclosing(self, file, line):
        """The innermost named function around a line."""
        around = [d for d in self.scopes[file] if d["line"] <= line <= d["end_line"]]
        return max(around, key=lambda d: (d["line"], -d["end_line"]), default=None)


def places(d, *roles):
    return {(f, n) for f, n, role in d["refs"] if role in roles}


def uses(d):
    """Lines of calls, reads and type uses; a declaration's line is none, whatever else it holds."""
    own = places(d, "decl") | {(d["file"], d["line"])} | {(a["file"], a["line"]) for a in d["also"]}
    return places(d, "call", "use") - own


def outside_uses(d):
    return {(f, n) for f, n in uses(d) if not (f == d["file"] and d["line"] <= n <= d["end_line"])}


def as_places(found):
    return [{"file": f, "line": n} for f, n in sorted(found)]


def plain_name(d):
    return len(d["name"]) >= 4 and not d["name"].startswith("__")


def p1_stratum(p, d):
    if not plain_name(d) or d["nested"]:
        return None
    if p.names[d["name"]] == 1:
        if d["kind"] in CODE:
            return "unique"
        if d["kind"] == "method":
            # Members of object literals may be assigned elsewhere under the same name.
            loose = d.get("convention") and p.meta["language"] in ("typescript", "javascript")
            return None if loose else "method"
        return "type" if d["kind"] in TYPES else "constant" if d["kind"] in VALUES else None
    qualified = d["kind"] in ("method", "function") and "." in d["qual"] and p.quals[d["qual"]] == 1
    return "qualified" if qualified else None


def p1(p):
    for d in p.defs:
        stratum = p1_stratum(p, d)
        if stratum:
            own = {(d["file"], d["line"])}
            symbol = d["qual"] if stratum == "qualified" else d["name"]
            also = {(a["file"], a["line"]) for a in d["also"]} - own
            yield stratum, d, {"query": {"symbol": symbol}, "expected": as_places(own),
                               "optional": as_places(also), "tol": 3}


def p2_stratum(p, d):
    if p.names[d["name"]] > 1:
        same_file = sum(o["name"] == d["name"] and o["file"] == d["file"] for o in p.all_defs)
        return "ambiguous" if same_file == 1 and d["kind"] != "signature" else None
    if d["nested"]:
        return "nested"
    if d["same_word"] > 0:
        return "noisy"
    if d["kind"] in ("method", "function", "class", "struct", "macro", "constant", "variable"):
        return d["kind"]
    return "type" if d["kind"] in TYPES else None


def p2(p):
    for d in p.defs:
        stratum = p2_stratum(p, d)
        expected = uses(d)
        if not stratum or len(d["name"]) < 3 or d["name"] in PROTOCOL or not 2 <= len(expected) <= 30:
            continue
        query = {"symbol": d["name"]}
        # A field named like everybody's locals is no fair question without its place.
        if stratum == "ambiguous" or (stratum == "noisy" and d["kind"] in ("field", "signature", "property")):
            query = {"symbol": d["name"], "file": d["file"], "line": d["line"]}
        own = {(d["file"], d["line"])} | {(a["file"], a["line"]) for a in d["also"]}
        optional = (own | places(d, "import", "decl", "doc")) - expected
        yield stratum, d, {"query": query, "expected": as_places(expected),
                           "optional": as_places(optional), "tol": 2}


def importers(deps):
    out = collections.defaultdict(list)
    for file, targets in deps.items():
        for t in targets or []:
            out[t].append(file)
    return out


def p4(p):
    back, optional_back = importers(p.deps), importers(p.optional_deps)
    for file in p.files:
        if p.is_test(file):
            continue
        sides = (("imports", p.deps.get(file) or [], p.optional_deps.get(file) or []),
                 ("importers", back[file], optional_back[file]))
        for direction, found, optional in sides:
            expected = sorted(f for f in found if not p.is_test(f))
            rest = sorted((set(optional) | set(found)) - set(expected))
            if 1 <= len(expected) <= 25:
                task = {"query": {"file": file, "direction": direction},
                        "expected": [{"file": f} for f in expected],
                        "optional": [{"file": f} for f in rest], "tol": 0}
                if p.tests:
                    task["optional_prefixes"] = list(p.tests)
                yield direction, {"file": file, "name": file + direction, "kind": "file"}, task


def p5_stratum(d):
    if d["kind"] == "method":
        return "method"
    if d["kind"] in CODE | TYPES | {"constant", "variable"}:
        return "exported" if d["exported"] else "internal"
    return None


def p5(p):
    for d in p.defs:
        stratum = p5_stratum(d)
        unclear = d.get("convention") or d.get("in_string") or d["name"] in PROTOCOL or d["nested"]
        if not stratum or unclear or len(d["name"]) < 3 or p.names[d["name"]] > 3:
            continue
        dead = all(role == "decl" for _, _, role in d["refs"])
        meant = p.meta["language"] == "rust" and d["name"].startswith("_")  # unused on purpose
        # The same word elsewhere may still reach it where receivers have no type.
        loose = d["same_word"] and p.meta["language"] in DYNAMIC
        if dead and (d.get("attribute") or loose or meant):
            continue
        if dead or outside_uses(d):
            task = {"query": {"symbol": d["name"], "file": d["file"], "line": d["line"]},
                    "expected": {"dead": dead}, "optional": [], "tol": 2}
            yield f"{'dead' if dead else 'alive'} {stratum}", d, task


def callers_of(p, d):
    """The functions that hold a call, tests left out; None where a call stands in none."""
    found = {}
    for file, line in places(d, "call"):
        if p.is_test(file):
            continue
        around = p.enclosing(file, line)
        if around is None or around["name"] is None or around["nested"]:
            return None
        if around.get("in_tests"):
            continue
        found[(around["file"], around["line"])] = around
    return [found[k] for k in sorted(found)]


def callers(p):
    for d in p.defs:
        if d["kind"] not in ("function", "method") or not plain_name(d) or d["name"] in PROTOCOL:
            continue
        found = callers_of(p, d)
        if found and 2 <= len(found) <= 10:
            expected = [{"file": c["file"], "line": c["line"], "end_line": c["end_line"], "symbol": c["name"]} for c in found]
            stratum = d["kind"] if p.names[d["name"]] == 1 else "ambiguous"
            yield stratum, d, {"query": {"symbol": d["name"], "file": d["file"], "line": d["line"]},
                               "expected": expected, "optional": [], "tol": 3, "optional_tests": True}


CATEGORIES = {"P1": p1, "P2": p2, "P4": p4, "P5": p5, "CALLERS": callers}
CHECKED = {"P2", "P5", "CALLERS"}


def without_name(p, d, task):
    """Expected places whose line does not hold the name: the oracle or the place is wrong."""
    expected = task["expected"]
    if isinstance(expected, dict) or (expected and "line" not in expected[0]):
        return False
    name = task["query"]["symbol"].split(".")[-1]
    return not all(p.names_it(e.get("symbol", name), (e["file"], e["line"])) for e in expected)


def candidates(packages, category, dropped):
    """Tasks nobody doubts, by (package, stratum)."""
    out = collections.defaultdict(list)
    for p in packages:
        for stratum, d, task in CATEGORIES[category](p):
            if category in CHECKED and d.get("doubt"):
                dropped[category, d["doubt"]] += 1
            elif without_name(p, d, task):
                dropped[category, "name not on the line"] += 1
            else:
                out[p.name, stratum].append((p, stratum, d, task))
    return out


def order(pools, rng):
    """Strata take turns, packages take turns inside each."""
    strata = sorted({s for _, s in pools})
    names = sorted({n for n, _ in pools})
    rng.shuffle(names)
    for key in sorted(pools):
        rng.shuffle(pools[key])
    turn = collections.Counter()
    while any(pools.values()):
        for stratum in strata:
            for _ in names:
                name = names[turn[stratum] % len(names)]
                turn[stratum] += 1
                if pools.get((name, stratum)):
                    yield pools[name, stratum].pop()
                    break


def draw(pools, wanted, rng, taken):
    """At most PER_FILE tasks a file; a symbol that served is not used again."""
    per_file, chosen = collections.Counter(), []
    for p, stratum, d, task in order(pools, rng):
        if len(chosen) == wanted:
            break
        if per_file[p.name, d["file"]] >= PER_FILE or (p.name, d["name"]) in taken:
            continue
        per_file[p.name, d["file"]] += 1
        taken.add((p.name, d["name"]))
        chosen.append((p, stratum, d, task))
    return chosen


def language_tasks(packages, seed, dropped):
    language = packages[0].meta["language"]
    taken, tasks, counter = set(), [], collections.Counter()
    kept = {category: candidates(packages, category, dropped) for category in CATEGORIES}
    for category, start, wanted in WANTED:
        rng = random.Random(f"{seed} {language} {category} {start}")
        pools = {k: v for k, v in kept[category].items() if k[1].startswith(start)}
        for p, stratum, d, task in draw(pools, wanted, rng, taken):
            tasks.append(numbered(p, category, stratum, d, task, counter))
    return tasks


def numbered(p, category, stratum, d, task, counter):
    counter[p.name, category] += 1
    return {"id": f"{p.name}-{category}-{counter[p.name, category]:02}", "repo": p.name,
            "version": p.meta["version"], "lang": p.meta["language"], "category": category,
            **task, "stratum": stratum, "kind": d["kind"], "oracle": p.oracle}
