"""Listings of one Python package: names from `ast`, each use's definition and errors from pyright."""
import ast
import collections
import json
import pathlib
import re
import shutil
import subprocess

import fetch
from listing import places
from lsp import Server

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
MUTANTS, BATCH = 30, 10  # renamed; so many at once
MAX_LINES = 60
RULES = {"reportAttributeAccessIssue", "reportCallIssue", "reportOptionalMemberAccess"}


class Definition:
    def __init__(self, file, node, name, kind, scope, owner, column):
        self.file, self.node, self.name, self.kind = file, node, name, kind
        self.owner, self.nested = owner, isinstance(owner, FUNCTIONS)
        self.line, self.column = node.lineno, column
        self.symbol = ".".join(scope[-1:] + [name]) if isinstance(owner, ast.ClassDef) else name
        self.uses, self.soft, self.bases, self.children = [], [], [], []
        self.type, self.foreign, self.also = None, False, set()

    def head(self):
        return self.file, self.line, self.symbol

    def holds(self, file, line):
        return file == self.file and self.node.lineno <= line <= self.node.end_lineno


class Package:
    def __init__(self, package, root, work):
        self.root = root
        only = package.get("only", [])
        self.files = sorted(f for f in (p.relative_to(root).as_posix() for p in root.rglob("*.py"))
                            if not only or any(f.startswith(o + "/") for o in only))
        self.texts = {f: (root / f).read_text(encoding="utf-8") for f in self.files}
        self.trees = {f: ast.parse(t) for f, t in self.texts.items()}
        self.lines = {f: t.splitlines() for f, t in self.texts.items()}
        self.tests = tuple(package.get("tests", []))
        self.defs, self.tokens, self.strings = [], [], set()
        self.unresolved = collections.defaultdict(set)
        for f, tree in self.trees.items():
            self.walk(f, tree, [], None)
        self.at = {(d.file, d.line, d.column): d for d in self.defs}
        self.merge()
        self.resolve(work)

    def walk(self, file, node, scope, owner):
        for child in ast.iter_child_nodes(node):
            self.note(file, child, scope, owner)
            named = isinstance(child, FUNCTIONS + (ast.ClassDef,))
            self.walk(file, child, scope + [child.name] if named else scope, child if named else owner)

    def note(self, file, node, scope, owner):
        if isinstance(node, FUNCTIONS + (ast.ClassDef,)):
            kind = "class" if isinstance(node, ast.ClassDef) else "method" if isinstance(owner, ast.ClassDef) else "function"
            column = re.compile(rf"\b{node.name}\b").search(self.lines[file][node.lineno - 1], node.col_offset + 4).start()
            self.defs.append(Definition(file, node, node.name, kind, scope, owner, column))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and not isinstance(owner, FUNCTIONS):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    kind = "field" if owner else "constant"
                    self.defs.append(Definition(file, node, target.id, kind, scope, owner, target.col_offset))
                    self.defs[-1].line = target.lineno
        elif isinstance(node, ast.Attribute):
            self.tokens.append((file, node.end_lineno, node.end_col_offset - len(node.attr), node.attr, "member"))
        elif isinstance(node, ast.Name):
            self.tokens.append((file, node.lineno, node.col_offset, node.id, "name"))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for a in node.names:
                self.tokens.append((file, a.lineno, a.col_offset, a.name.split(".")[0], "import"))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.strings.update(re.findall(r"\w+", node.value))

    def merge(self):
        """Overloads, setters and conditional definitions are one symbol: its first with a body."""
        groups = collections.defaultdict(list)
        for d in self.defs:
            groups[d.file, id(d.owner), d.name].append(d)
        for same in groups.values():
            for d in same[1:]:
                self.at[d.file, d.line, d.column] = same[0]
                same[0].also.add((d.file, d.line))
        self.defs = [g[0] for g in groups.values()]

    def resolve(self, work):
        pyright, python = work / "node/node_modules/pyright", str(work / "venv/bin/python")
        settings = {"python": {"pythonPath": python, "analysis": {
            "autoSearchPaths": True, "useLibraryCodeForTypes": True, "diagnosticMode": "openFilesOnly"}}}
        server = Server(["node", str(pyright / "langserver.index.js"), "--stdio"], self.root, settings)
        for f in self.files:
            server.open(f, "python")
        names = {d.name for d in self.defs}
        heads = {id(b): d for d in self.defs if d.kind == "class" for b in d.node.bases}
        targets = {}
        for file, line, column, name, role in self.tokens:
            if name not in names or (file, line, column) in self.at:
                continue
            # Columns are bytes here and UTF-16 there.
            found = server.definitions(file, line, column) if self.lines[file][line - 1].isascii() else []
            known = {self.at[t] for t in found if t in self.at}
            targets[file, line, column] = known
            if role == "member" and not found:
                self.unresolved[name].add((file, line))
            for d in known:
                sure = len(known) == 1 and len(found) <= 1 + len(d.also) and role != "import"
                (d.uses if sure else d.soft).append((file, line))
        server.close()
        for base, d in ((b, heads[id(b)]) for c in self.defs if c.kind == "class" for b in c.node.bases):
            self.inherit(base, d, targets)
        owners = {id(d.node): d for d in self.defs if d.kind == "class"}
        for d in self.defs:
            d.type = owners.get(id(d.owner))

    def inherit(self, base, d, targets):
        while isinstance(base, ast.Subscript):
            base = base.value
        column = base.end_col_offset - len(base.attr) if isinstance(base, ast.Attribute) else base.col_offset
        found = [t for t in targets.get((d.file, base.end_lineno, column), ()) if t.kind == "class"]
        d.foreign |= not found
        for b in found:
            d.bases.append(b)
            b.children.append(d)

    def is_test(self, file):
        return file.startswith(self.tests) if self.tests else False

    def enclosing(self, file, line):
        around = [d for d in self.defs if d.kind in ("function", "method", "class") and d.holds(file, line)]
        return max(around, key=lambda d: d.node.lineno).head() if around else (file, line)


def closure(d, side):
    seen, todo = [], list(getattr(d, side))
    while todo:
        c = todo.pop()
        if c not in seen:
            seen.append(c)
            todo += getattr(c, side)
    return seen


class Listing:
    def __init__(self, package):
        self.p, self.tasks = package, []
        self.members = {(id(d.type), d.name): d for d in package.defs if d.type}

    def related(self, d, side):
        hidden = d.name.startswith("__") and not d.name.endswith("__")
        types = closure(d.type, side) if d.type and not hidden else []
        return [m for m in (self.members.get((id(t), d.name)) for t in types) if m]

    def add(self, category, stratum, d, expected, optional, **extra):
        query = {"symbol": d.symbol, "file": d.file, "line": d.line, **extra}
        known = {e[:2] for e in expected}
        self.tasks.append({"category": category, "stratum": stratum, "kind": d.kind, "query": query, "expected": places(expected),
                           "optional": places({o for o in optional if o[:2] not in known}), "tol": 0})

    def uses(self):
        for d in self.p.defs:
            loose = self.p.unresolved[d.name]
            special = d.name.startswith("__")
            if not d.type or special or len(d.name) < 3 or d.type.nested or self.p.is_test(d.file):
                continue
            own = {(d.file, d.line)} | d.also
            expected = set(d.uses) - own
            if not 1 <= len(expected) <= MAX_LINES or len(loose) > len(expected):
                continue
            over, under = self.related(d, "bases"), self.related(d, "children")
            stratum = "override" if over else "interface" if under else "member"
            near = {u for m in over + under for u in [*m.uses, *m.soft, (m.file, m.line)]}
            self.add("P2", stratum, d, expected, own | set(d.soft) | loose | near)

    def implementers(self):
        for d in self.p.defs:
            if d.children:
                self.add("IMPLEMENTS", "types", d, {c.head() for c in d.children}, {c.head() for c in closure(d, "children")} | {d.head()})
            under = self.related(d, "children")
            if not under or d.name == "__init__":
                continue
            nearest = [m for m in under if not any(o in under for o in self.related(m, "bases"))]
            self.add("IMPLEMENTS", "members", d, {m.head() for m in nearest}, {m.head() for m in under} | {d.head()})

    def dead(self):
        """Nothing resolves to it; the word itself stands nowhere else; no name that is public."""
        words = collections.Counter(w for t in self.p.texts.values() for w in re.findall(r"\w+", t))
        gone, sure = [], []
        for d in self.p.defs:
            if any(not d.holds(*u) for u in d.uses + d.soft) or d.nested:
                continue
            special = d.name.startswith("__") or d.name == "_"
            private = d.name.startswith("_") and not special
            bases = self.related(d, "bases") or self.related(d, "children") or (d.type and (d.type.foreign or closure_foreign(d.type)))
            doubt = bases or d.foreign or d.bases or getattr(d.node, "decorator_list", None) or self.p.unresolved[d.name] or d.also
            # A file's own test may find it by its folder's convention.
            doubt = doubt or self.p.is_test(d.file) or words[d.name] > 1 or d.uses or (d.type and d.kind == "field")
            (sure if private and not doubt else gone).append(d)
        for grown in iter(lambda: self.follow(gone, sure), []):
            gone += grown
        expected = {d.head() for d in sure}
        self.tasks.append({"category": "DEAD", "stratum": "package", "kind": "package", "query": {"path": ""}, "expected": places(expected),
                           "optional": places({d.head() for d in gone} - expected), "tol": 0})

    def follow(self, gone, sure):
        """What only dead code uses."""
        known = {id(d) for d in gone + sure}
        return [d for d in self.p.defs if id(d) not in known and d.uses + d.soft
                and all(any(g.holds(*u) for g in gone + sure) for u in d.uses + d.soft)]

    def impacts(self, root, work, rng):
        shuffled = sorted((d for d in self.p.defs if self.impact_kind(d)), key=Definition.head)
        rng.shuffle(shuffled)
        batches, counts = [], collections.Counter()
        for d in shuffled:
            kind = self.impact_kind(d)
            if counts[kind] >= MUTANTS // 2:
                continue
            counts[kind] += 1
            fit = next((b for b in batches if len(b) < BATCH and all(x.name != d.name for x in b)), None)
            fit.append(d) if fit else batches.append([d])
        before = errors(self.p, work, root)
        for batch in batches:
            folder = mutated(self.p, root, work, batch)
            found = errors(self.p, work, folder) - before
            for d in batch:
                self.impact(d, {(f, n) for f, n, _, name in found if name == d.name})

    def impact_kind(self, d):
        if d.kind not in ("function", "method") or d.nested or d.also or len(d.name) < 3 or self.p.is_test(d.file) or d.name.startswith("__"):
            return None
        if not d.uses or len(set(d.uses)) > 60 or self.p.unresolved[d.name] or (d.type and d.type.foreign) or self.related(d, "bases"):
            return None
        if d.kind == "function":
            return "function" if not d.node.decorator_list else None
        return "interface" if self.related(d, "children") else "method"

    def impact(self, d, hit):
        under = self.related(d, "children")
        sure = {u for u in d.uses if u != (d.file, d.line)}
        soft = set(d.soft) | {u for m in under for u in m.uses + m.soft}
        # Taken only when the errors are the uses that pyright listed before.
        if not hit or hit - sure - soft or sure - hit:
            return
        expected = {self.p.enclosing(*h) for h in hit & sure} | {m.head() for m in under}
        expected.discard(d.head())
        optional = {self.p.enclosing(*s) for s in soft} | {d.head()} | soft
        if expected:
            self.add("IMPACT", self.impact_kind(d), d, expected, optional, max_depth=1)


def closure_foreign(d):
    return any(b.foreign for b in closure(d, "bases"))


def mutated(p, root, work, batch):
    """Methods get another name; a function's name gets a value that is none: every call is an error."""
    folder = work / "mutants" / root.name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(root, folder)
    for file in {d.file for d in batch}:
        lines = p.texts[file].split("\n")
        for d in (d for d in batch if d.file == file):
            if d.type:
                line = lines[d.line - 1]
                lines[d.line - 1] = re.sub(rf"\bdef {d.name}\b", f"def {d.name}__was", line)
            else:
                lines.append(f"{d.name}: int = 0")
        (folder / file).write_text("\n".join(lines) + "\n")
    return folder


def errors(p, work, folder):
    """(file, line, column, name) of the errors at a name."""
    config = folder / "pyrightconfig.json"
    config.write_text(json.dumps({"include": sorted({f.split("/")[0] for f in p.files}), "typeCheckingMode": "standard"}))
    done = subprocess.run(["node", str(work / "node/node_modules/pyright/index.js"), "--outputjson", "--pythonpath",
                           str(work / "venv/bin/python"), "-p", str(config)], cwd=folder, capture_output=True, text=True)
    config.unlink()
    out = set()
    for e in json.loads(done.stdout)["generalDiagnostics"]:
        if e["severity"] != "error" or e.get("rule") not in RULES:
            continue
        file = pathlib.Path(e["file"]).resolve().relative_to(folder.resolve()).as_posix()
        start, end = e["range"]["start"], e["range"]["end"]
        if file in p.lines and start["line"] < len(p.lines[file]):
            text = p.lines[file][start["line"]]
            named = re.match(r"(?:\w+\.)*(\w+)", text[start["character"]:])
            out.add((file, start["line"] + 1, start["character"], named.group(1) if named else ""))
    return out


def pool(package, root, work, rng):
    fetch.tools(work)
    found = Listing(Package(package, root, work))
    found.uses()
    found.implementers()
    found.dead()
    found.impacts(root, work, rng)
    version = json.loads((work / "node/node_modules/pyright/package.json").read_text())["version"]
    return f"pyright {version}", found.tasks
