"""Facts of one Python package: names from `ast`, references and definitions from pyright.

usage: facts.py ROOT ONLY TEST_PREFIXES PYRIGHT_FOLDER PYTHON [FOLDER...] > facts.json

FOLDERs below ROOT are where imports lead, when it holds several packages.
"""
import ast
import collections
import io
import json
import pathlib
import re
import sys
import tokenize

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "common"))
from check import Reverse  # noqa: E402
from lsp import Server  # noqa: E402

SKIP = {".git"}
INTERNAL = ("own", "column", "decorators", "bases", "owner_bases", "path", "owner")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def sources(root, only):
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if SKIP & set(name.split("/")[:-1]):
            continue
        if not only or any(name.startswith(o) for o in only):
            yield name


class Module:
    """One parsed file: its definitions, its tokens, its imports, its calls."""

    def __init__(self, root, file):
        self.file = file
        self.text = (root / file).read_text(encoding="utf-8")
        self.lines = self.text.splitlines()
        self.tree = ast.parse(self.text)
        self.defs = []
        self.calls = set()
        self.imports = []
        self.strings = set()
        self._walk(self.tree, [], None)

    def tokens(self):
        for t in tokenize.generate_tokens(io.StringIO(self.text).readline):
            if t.type == tokenize.NAME:
                yield t.string, t.start

    def _walk(self, node, scope, owner):
        for child in ast.iter_child_nodes(node):
            self._note(child, scope, owner)
            if isinstance(child, FUNCTIONS + (ast.ClassDef,)):
                self._walk(child, scope + [child.name], child)
            else:
                self._walk(child, scope, owner)

    def _note(self, node, scope, owner):
        if isinstance(node, FUNCTIONS):
            self._function(node, scope, owner)
        elif isinstance(node, ast.ClassDef):
            self._add(node, node.name, "class", scope, owner, bases=bases_of(node))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            self._assign(node, scope, owner)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self.imports.append(node)
        elif isinstance(node, ast.Call):
            self.calls.add(name_place(node.func))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.strings.add(node.value)

    def _function(self, node, scope, owner):
        decorators = {ast.unparse(d).split("(")[0].split(".")[-1] for d in node.decorator_list}
        kind = "method" if isinstance(owner, ast.ClassDef) else "function"
        if decorators & {"property", "cached_property", "setter", "deleter"}:
            kind = "property"
        self._add(node, node.name, kind, scope, owner, decorators=decorators)

    def _assign(self, node, scope, owner):
        if isinstance(owner, FUNCTIONS):
            return
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if isinstance(target, ast.Name):
                kind = "field" if owner else "constant"
                self._add(target, target.id, kind, scope, owner, end=node.end_lineno)

    def _add(self, node, name, kind, scope, owner, decorators=(), bases=(), end=None):
        column = node.col_offset
        if not isinstance(node, ast.Name):
            column = self.lines[node.lineno - 1].index(name, column + 4)
        self.defs.append({
            "name": name, "qual": ".".join(scope[-1:] + [name]) if owner else name,
            "path": ".".join(scope + [name]), "kind": kind, "file": self.file,
            "line": node.lineno, "column": column, "end_line": end or node.end_lineno,
            "member": isinstance(owner, ast.ClassDef), "nested": isinstance(owner, FUNCTIONS),
            "owner": scope[-1] if isinstance(owner, ast.ClassDef) else None,
            "decorators": sorted(decorators), "bases": list(bases),
            "owner_bases": bases_of(owner) if isinstance(owner, ast.ClassDef) else [],
        })

    def role(self, line, column):
        if any(n.lineno <= line <= n.end_lineno for n in self.imports):
            return "import"
        if self.lines[line - 1][column - 1:column] in "\"'" and column:
            return "import"  # an entry of __all__
        return "call" if (line, column) in self.calls else "use"


def bases_of(node):
    return [ast.unparse(b).split("[")[0].split(".")[-1] for b in node.bases]


def name_place(func):
    if isinstance(func, ast.Attribute):
        return func.end_lineno, func.end_col_offset - len(func.attr)
    return func.lineno, func.col_offset


def merge(defs):
    """Overloads, property setters and conditional definitions are one symbol."""
    groups = collections.OrderedDict()
    for d in defs:
        groups.setdefault((d["file"], d["path"]), []).append(d)
    for same in groups.values():
        bodies = [d for d in same if "overload" not in d["decorators"]]
        main = (bodies or same)[0]
        main["also"] = [{"file": d["file"], "line": d["line"]} for d in same if d is not main]
        main["own"] = {(d["file"], d["line"], d["column"]) for d in same}
        yield main


def ancestors(name, bases):
    seen, todo = set(), [name]
    while todo:
        for base in bases.get(todo.pop(), []):
            if base not in seen:
                seen.add(base)
                todo.append(base)
    return seen


def overrides(d, defs, bases):
    """True when a class above or below in the package has a member of this name."""
    if not d["owner"]:
        return False
    for other in defs:
        if other["name"] == d["name"] and other["owner"] and other["owner"] != d["owner"]:
            if other["owner"] in ancestors(d["owner"], bases) or d["owner"] in ancestors(other["owner"], bases):
                return True
    return False


def module_place(module, node):
    """Line and column of the last part of the module's name in a from-import."""
    segment = ast.get_source_segment(module.text, node)
    match = re.match(r"from\s+\.*([\w.]+)\s", segment)
    if not node.module or not match:
        return None
    last = node.module.split(".")[-1]
    return node.lineno, node.col_offset + match.end(1) - len(last)


def module_at(server, module, files, line, column):
    """The file of a module's name. A module resolves to the start of its file; a name inside it does not."""
    for file, at, col in server.definitions(module.file, line, column):
        if file in files and (at, col) == (1, 0) and file != module.file:
            return file
    return None


def imported(server, module, files, node):
    """Files that an import needs; the package's own file is optional when only submodules are taken."""
    if isinstance(node, ast.Import):
        last = [(a.lineno, a.col_offset + len(a.name) - len(a.name.split(".")[-1])) for a in node.names]
        return {module_at(server, module, files, *p) for p in last}, set()
    place = module_place(module, node)
    package = {module_at(server, module, files, *place)} if place else set()
    inside = [module_at(server, module, files, a.lineno, a.col_offset) for a in node.names]
    if inside and all(inside):
        return set(inside), package
    return package | set(inside), set()


def dependencies(server, module, files):
    needed, optional = set(), set()
    for node in module.imports:
        found, rest = imported(server, module, files, node)
        needed |= found
        optional |= rest
    return sorted(needed - {None}), sorted(optional - needed - {None})


def references(server, modules, d):
    refs, places, text_differs = [], set(), False
    for file, line, column in sorted(server.references(d["file"], d["line"], d["column"])):
        if file not in modules:
            continue
        places.add((file, line, column))
        if not modules[file].lines[line - 1].startswith(d["name"], column):
            text_differs = True
            continue
        own = (file, line, column) in d["own"]
        refs.append([file, line, "decl" if own else modules[file].role(line, column)])
    return refs, places, text_differs


def named_in_string(name, strings):
    """A whole name, or the start of one ("visit_" + kind), may be looked up at run time."""
    return name in strings or any(s.endswith("_") and name.startswith(s) for s in strings)


def convention(d):
    """Names that Python, a base class from elsewhere or a decorator may call unseen."""
    dunder = d["name"].startswith("__") and d["name"].endswith("__")
    foreign = [b for b in d["owner_bases"] if b != "object"]
    known = {"staticmethod", "classmethod", "property", "cached_property", "overload", "wraps"}
    # A subclass may be found through its base class.
    subclass = d["kind"] == "class" and bool(set(d["bases"]) - {"object"})
    return dunder or subclass or bool(foreign) or bool(set(d["decorators"]) - known)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    only, tests = (list(filter(None, a.split(","))) for a in sys.argv[2:4])
    pyright, python, search = pathlib.Path(sys.argv[4]), sys.argv[5], sys.argv[6:]
    modules = {f: Module(root, f) for f in sources(root, only)}
    tokens = collections.defaultdict(list)
    for m in modules.values():
        for name, (line, column) in m.tokens():
            tokens[name].append((m.file, line, column))
    settings = {"python": {"pythonPath": python, "analysis": {
        "autoSearchPaths": True, "extraPaths": search, "useLibraryCodeForTypes": True, "diagnosticMode": "openFilesOnly"}}}
    server = Server(["node", str(pyright / "langserver.index.js"), "--stdio"], root, settings)
    for f in modules:
        server.open(f, "python")
    defs = list(merge([d for m in modules.values() for d in m.defs]))
    bases = {d["name"]: d["bases"] for d in defs if d["kind"] == "class"}
    strings = set().union(*(m.strings for m in modules.values()))
    reverse = Reverse(server, tokens)
    for d in defs:
        finish(d, defs, bases, strings, server, modules, reverse, tests)
    for d in defs:
        for key in INTERNAL:
            d.pop(key, None)
    deps = {f: dependencies(server, m, modules) for f, m in modules.items()}
    server.close()
    version = json.loads((pyright / "package.json").read_text())["version"]
    json.dump({"oracle": f"pyright {version}", "files": sorted(modules), "defs": defs,
               "deps": {f: a for f, (a, _) in deps.items()},
               "optional_deps": {f: b for f, (_, b) in deps.items()}}, sys.stdout)


def finish(d, defs, bases, strings, server, modules, reverse, tests):
    if not any(d["file"].startswith(t) for t in tests):
        d["refs"], places, differs = references(server, modules, d)
        d["same_word"], d["doubt"] = reverse.doubt(d["name"], d["own"], places)
        if differs:
            d["doubt"] = "alias"
        if overrides(d, defs, bases):
            d["doubt"] = "override"
        d["in_string"] = named_in_string(d["name"], strings)
        d["convention"] = convention(d)
        d["exported"] = not d["name"].startswith("_")


main()
