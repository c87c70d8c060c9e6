"""Facts of one Rust crate from rust-analyzer.

usage: facts.py ROOT ONLY TEST_PREFIXES > facts.json
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "common"))
from check import Reverse  # noqa: E402
from lsp import Server  # noqa: E402

SETTLE = 15
SKIP = {"target", ".git"}
# SymbolKind numbers of the protocol that are definitions somebody looks up.
KINDS = {5: "struct", 6: "method", 8: "field", 10: "enum", 11: "trait", 12: "function",
         14: "constant", 22: "variant", 23: "struct", 26: "type"}
# Everything that is no code: raw strings, strings, chars, comments (nested ones are rare).
NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?\'(?:\\.[^\']*|[^\\\'\n])\'', re.S)
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
USE = re.compile(r"\buse\s+[^;]*;")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


class Source:
    def __init__(self, root, file):
        self.file = file
        text = (root / file).read_text(encoding="utf-8")
        self.code = NOT_CODE.sub(blank, text)
        self.strings = {m.group(0).strip('br#"') for m in NOT_CODE.finditer(text) if '"' in m.group(0)[:4]}
        self.lines = self.code.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.uses = [m.span() for m in USE.finditer(self.code)]

    def place(self, offset):
        line = self.code.count("\n", 0, offset)
        return line + 1, offset - self.starts[line]

    def words(self):
        for number, line in enumerate(self.lines, 1):
            for m in WORD.finditer(line):
                yield m.group(0), number, m.start()

    def role(self, line, column, name):
        offset = self.starts[line - 1] + column
        if any(a <= offset < b for a, b in self.uses):
            return "import"
        rest = self.code[offset + len(name):offset + len(name) + 80]
        return "call" if re.match(r"\s*(::<[^(]*>)?\(", rest) else "use"

    def use_names(self):
        """Each name of the use declarations with its place; leaf: it is not a path's middle."""
        for a, b in self.uses:
            for m in WORD.finditer(self.code, a + 3, b):
                leaf = not self.code[m.end():b].lstrip().startswith("::")
                yield m.group(0), leaf, self.place(m.start())


def sources(root, only):
    for path in sorted(root.rglob("*.rs")):
        name = path.relative_to(root).as_posix()
        if not SKIP & set(name.split("/")[:-1]):
            if not only or any(name.startswith(o) for o in only):
                yield name


def flatten(symbols, file, owner=None, nested=False, in_tests=False):
    for s in symbols or []:
        kind, name = KINDS.get(s["kind"]), s["name"]
        start = s["selectionRange"]["start"]
        if kind and WORD.fullmatch(name):
            yield {**definition(s, file, owner, nested, kind, start), "in_tests": in_tests}
        inner = s if s["kind"] in (5, 10, 11, 19, 23) or name.startswith("impl") else None
        tests = in_tests or (s["kind"] == 2 and name in ("test", "tests"))
        yield from flatten(s.get("children"), file, inner or owner, nested or kind in ("function", "method"), tests)


def owner_name(owner):
    """`impl<T> Trait<X> for Type<T>` and `impl Type<T>` both belong to Type."""
    if owner is None:
        return None, False
    name = owner["name"]
    if not name.startswith("impl"):
        return name, owner["kind"] == 11
    trait = " for " in name
    body = name.split(" for ")[-1] if trait else re.sub(r"^impl\s*(<.*?>)?\s*", "", name)
    match = re.search(r"[A-Za-z_]\w*", body.replace("dyn ", "").replace("mut ", "").lstrip("&"))
    return (match.group(0) if match else None), trait


def definition(s, file, owner, nested, kind, start):
    container, convention = owner_name(owner)
    if kind == "function" and container:
        kind = "method"
    member = kind in ("method", "field", "variant")
    return {
        "name": s["name"], "qual": f"{container}.{s['name']}" if container else s["name"],
        "kind": kind, "file": file, "line": start["line"] + 1, "column": start["character"],
        "end_line": s["range"]["end"]["line"] + 1, "member": member, "nested": nested,
        "convention": convention, "also": [],
    }


def finish(d, server, files, reverse, strings, tests):
    # Trait methods are called through the trait: their references say nothing about one of them.
    if d["convention"] or d["in_tests"] or any(d["file"].startswith(t) for t in tests):
        return
    own = {(d["file"], d["line"], d["column"])}
    found = {p for p in server.references(d["file"], d["line"], d["column"]) if p[0] in files}
    refs = []
    for file, line, column in sorted(found):
        # rust-analyzer also follows links in doc comments and renamed imports: no code of that name.
        if not files[file].lines[line - 1].startswith(d["name"], column):
            continue
        mine = (file, line, column) in own
        refs.append([file, line, "decl" if mine else files[file].role(line, column, d["name"])])
    d["refs"] = refs
    d["same_word"], d["doubt"] = reverse.doubt(d["name"], own, found)
    if not d["doubt"] and not reverse.confirmed(own, found):
        d["doubt"] = "directions"
    d["in_string"] = d["name"] in strings
    line = files[d["file"]].lines[d["line"] - 1]
    if "macro_rules!" in line:
        d["kind"] = "macro"
    d["exported"] = bool(re.match(r"\s*pub\b(?!\()", line))
    d["attribute"] = files[d["file"]].lines[d["line"] - 2].strip().startswith("#[") if d["line"] > 1 else False


def dependencies(server, source, files):
    """Leaf names of `use` give the files; modules on the way and `mod x;` are optional."""
    needed, optional = set(), set()
    for name, leaf, (line, column) in source.use_names():
        for file, _, _ in server.definitions(source.file, line, column):
            if file in files and file != source.file:
                (needed if leaf else optional).add(file)
    for number, line in enumerate(source.lines, 1):
        m = re.match(r"\s*(?:pub(?:\([a-z]+\))?\s+)?mod\s+(\w+)\s*;", line)
        if m:
            targets = server.definitions(source.file, number, m.start(1))
            optional |= {f for f, _, _ in targets if f in files and f != source.file}
    return sorted(needed), sorted(optional - needed)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    only, tests = (list(filter(None, a.split(","))) for a in sys.argv[2:4])
    files = {f: Source(root, f) for f in sources(root, only)}
    # One thread and no priming: in parallel the server's references are not the same twice.
    settings = {"rust-analyzer": {"checkOnSave": False, "cargo": {"features": "all"}, "numThreads": 1,
                                  "cachePriming": {"enable": False}}}
    server = Server(["rust-analyzer"], root, settings, settings["rust-analyzer"], dict(os.environ))
    for f in files:
        server.open(f, "rust")
    server.wait_quiet()
    time.sleep(SETTLE)  # quiescent comes before the macros of dependencies are there
    server.wait_quiet()
    tokens = collections.defaultdict(list)
    for s in files.values():
        for name, line, column in s.words():
            tokens[name].append((s.file, line, column))
    defs = []
    for f in files:
        answer = server.request("textDocument/documentSymbol", {"textDocument": {"uri": server.uri(f)}})
        defs += flatten(answer, f)
    reverse = Reverse(server, tokens, strict=True)
    strings = set().union(*(s.strings for s in files.values()))
    for d in defs:
        finish(d, server, files, reverse, strings, tests)
        d.pop("column")
    deps = {f: dependencies(server, s, files) for f, s in files.items()}
    server.close()
    version = subprocess.run(["rust-analyzer", "--version"], capture_output=True, text=True).stdout.split("(")[0]
    json.dump({"oracle": version.strip(), "files": sorted(files), "defs": defs,
               "deps": {f: a for f, (a, _) in deps.items()},
               "optional_deps": {f: b for f, (_, b) in deps.items()}}, sys.stdout)


main()
