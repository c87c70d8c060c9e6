"""Truth of the public primitives benchmark by compiler, and what was wrong with the original.

usage: original.py --work FOLDER --originals FOLDER [--out FOLDER]

ORIGINALS holds primitives_{express,flask,requests}.jsonl; nothing of their text is written.
"""
import argparse
import collections
import io
import json
import pathlib
import re
import sys
import tokenize

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "common"))
import fetch  # noqa: E402
import oracle  # noqa: E402

JS_NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|`[^`]*`", re.S)


class Library:
    def __init__(self, package, work):
        root, _ = fetch.fetch(package, work)
        facts = oracle.facts(package, root, work)
        self.root, self.oracle = root, facts["oracle"]
        self.prefixes = tuple(package["library"])
        self.language = package["language"]
        self.defs = [d for d in facts["defs"] if d["file"].startswith(self.prefixes)]
        self.deps = {f: t for f, t in facts["deps"].items() if f.startswith(self.prefixes)}
        self.code = {}

    def named(self, name):
        return [d for d in self.defs if d["name"] == name and not d["nested"]]

    def code_words(self, file):
        """Places of words outside comments and strings."""
        if file not in self.code:
            text = (self.root / file).read_text(encoding="utf-8")
            words = python_words(text) if self.language == "python" else js_words(text)
            self.code[file] = collections.defaultdict(set)
            for word, line in words:
                self.code[file][line].add(word)
        return self.code[file]


def python_words(text):
    for t in tokenize.generate_tokens(io.StringIO(text).readline):
        if t.type == tokenize.NAME:
            yield t.string, t.start[0]


def js_words(text):
    code = JS_NOT_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
    for number, line in enumerate(code.split("\n"), 1):
        for word in re.findall(r"[\w$]+", line):
            yield word, number


def pairs(found):
    return sorted({(e["file"], e["line"]) for e in found})


def locations(found):
    return {"kind": "locations", "locations": [{"file": f, "line": n} for f, n in sorted(found)]}


def meant(library, name, first):
    """The definition that the original's own lookup task names, else all of that name."""
    found = library.named(name)
    chosen = [d for d in found if (d["file"], d["line"]) in first]
    return chosen or found


def definitions(task, library, report):
    """P1: the definition the original means; others of the same name are alternatives."""
    original = set(pairs(task["expected"]["locations"]))
    found = [d for d in library.named(task["query"]) if d["kind"] != "import"]
    every = {(d["file"], d["line"]) for d in found}
    right = (original & every) or every
    wrong = original - every
    if wrong:
        report.append((task["id"], f"{len(wrong)} of {len(original)} places is no definition"))
    changed = "the original's place is an assignment or an import, not the definition" if wrong else None
    return locations(right), changed, sorted((every | wrong) - right)


def uses_of(library, defs):
    """Every place that the oracle binds to the definitions, their own lines left out."""
    own = {(d["file"], d["line"]) for d in defs if d["kind"] != "import"}
    own |= {(a["file"], a["line"]) for d in defs for a in d["also"]}
    found = {(f, n) for d in defs for f, n, role in d["refs"]
             if f.startswith(library.prefixes) and role != "doc"}
    return found - own, own


def references(task, library, first, report):
    """P2: places that are bound to the definition, imports among them."""
    defs = meant(library, task["query"], first.get(task["query"], set()))
    right, own = uses_of(library, defs)
    original = set(pairs(task["expected"]["locations"]))
    kinds = collections.Counter(why_false(library, task["query"], p, own) for p in original - right)
    missing = len(right - original)
    report.append((task["id"], len(original), len(right), kinds, missing, doubts(defs)))
    changed = None
    if kinds or missing:
        parts = [f"{n} {k}" for k, n in sorted(kinds.items())] + ([f"{missing} were missing"] if missing else [])
        changed = "; ".join(parts)
    return locations(right), changed


def doubts(defs):
    return sorted({d["doubt"] for d in defs if d.get("doubt")})


def why_false(library, name, place, own):
    file, line = place
    if not (library.root / file).is_file():
        return "in a file the package lacks"
    if place in own:
        return "are the definition itself"
    if name not in library.code_words(file)[line]:
        return "in comments or strings"
    return "name another symbol"


def dependencies(task, library, report):
    """P4: resolved imports inside the library; examples and tests are no part of it."""
    file = task["query"]
    right = {"kind": "deps", "imports": library.deps[file],
             "importers": sorted(f for f, t in library.deps.items() if file in t)}
    parts = []
    for side in ("imports", "importers"):
        original = set(task["expected"][side])
        false, missing = original - set(right[side]), set(right[side]) - original
        if false or missing:
            parts.append(f"{side}: {len(false)} of {len(original)} false, {len(missing)} missing")
    report.append((task["id"], "; ".join(parts) or "agrees"))
    return right, "; ".join(parts) or None


def dead(library):
    """P5: internal names of the library that nothing in the package uses."""
    out = set()
    for d in library.defs:
        private = d["name"].startswith("_") if library.language == "python" else not (d["exported"] or d["member"] or "." in d["qual"])
        unclear = d.get("convention") or d.get("in_string") or d.get("doubt") or d["kind"] in ("import", "field", "constant")
        if private and not unclear and all(r[2] == "decl" for r in d["refs"]):
            out.add(d["name"])
    return {"kind": "names", "names": sorted(out)}


def corrected(tasks, library, report):
    first = {t["query"]: set(pairs(t["expected"]["locations"])) for t in tasks if t["category"] == "P1"}
    for t in tasks:
        line = {"id": t["id"], "oracle": library.oracle}
        if t["category"] == "P1":
            expected, changed, others = definitions(t, library, report["P1"])
            if others:
                line["alternatives"] = [{"file": f, "line": n} for f, n in others]
        elif t["category"] == "P2":
            expected, changed = references(t, library, first, report["P2"])
        elif t["category"] == "P4":
            expected, changed = dependencies(t, library, report["P4"])
        else:
            expected = dead(library)
            changed = None if expected == t["expected"] else "the original lists nothing"
            report["P5"].append((t["id"], len(expected["names"])))
        yield {"id": t["id"], "expected": expected, "changed": changed, **{k: line[k] for k in line if k != "id"}}


HEAD = """# Defects of the original primitives truth

The benchmark: Sverklo primitives by Nikita Groshin (CC-BY-4.0), express 4.21.1, flask 3.0.3,
requests 2.32.3. `original-corrected.jsonl` holds the truth that `generators/original.py` computes for
the same task ids; nothing of the original's text is copied. Oracles: {oracles}.

- Like the original, only the library folders count (express `lib/` and `index.js`, `src/` of the
  others). The npm package of express has neither tests nor examples, so P4 has none of them.
- P2: every place bound to the definition that the original's own P1 task of that name means, imports
  and re-exports among them; without the definition. Where express only holds a required module
  (`merge`, `deprecate`), every file's variable of that name counts; `var merge = require(...)` is an
  import line, `var deprecate = require(...)(...)` a definition.
- P1: `alternatives` lists further definitions of the same bare name (and an original place that only
  passes the definition on), which are right answers too.
- P5: internal names (no public interface) that nothing in the package uses, tests included where the
  package has them.
"""


def defects_text(report, oracles):
    rows = [HEAD.format(oracles=", ".join(sorted(oracles)))]
    rows += ["\n## P1\n"] + [f"- {i}: {what}" for i, what in report["P1"]] + [f"\n{len(report['P1'])} of 30 tasks."]
    rows += ["\n## P2\n", "| task | original | true | in comments or strings | another symbol | definition | missing | doubt |", "|---|---|---|---|---|---|---|---|"]
    total = collections.Counter()
    for i, original, true, kinds, missing, doubt in report["P2"]:
        cells = [kinds["in comments or strings"], kinds["name another symbol"], kinds["are the definition itself"], missing]
        rows.append(f"| {i} | {original} | {true} | " + " | ".join(map(str, cells)) + f" | {', '.join(doubt)} |")
        for group in ("all", i[:2]):
            total.update({(group, "o"): original, (group, "c"): cells[0], (group, "s"): cells[1], (group, "d"): cells[2], (group, "m"): missing})
    for group, name in (("ex", "express"), ("fl", "flask"), ("rq", "requests"), ("all", "all")):
        o, c, s, d, m = (total[group, k] for k in "ocsdm")
        rows.append(f"\n{name}: of {o} places {c} ({c / o:.0%}) are comments or strings, {s} ({s / o:.0%}) name another "
                    f"symbol, {d} the definition; {m} were missing.")
    rows += ["\n## P4\n", "The imports of express are written without their extension, and a folder for its index file: no",
             "such files exist, so that each counts as false and its file as missing.", ""] + [f"- {i}: {what}" for i, what in report["P4"]]
    rows += ["\n## P5\n", "All 15 original tasks expect an empty list, so that an empty answer scores 1; five tasks of a",
             "set have the same empty query. Names by the rule above:"] + [""]
    rows += [f"- {i}: {n}" for i, n in report["P5"] if i.endswith("01")]
    return "\n".join(rows) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--originals", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parent / "tasks")
    options = parser.parse_args()
    fetch.tools(options.work)
    report, lines, oracles = collections.defaultdict(list), [], set()
    for package in json.loads((HERE / "originals.json").read_text()):
        path = options.originals / f"primitives_{package['dataset']}.jsonl"
        tasks = [json.loads(line) for line in path.read_text().splitlines()]
        library = Library(package, options.work)
        oracles.add(library.oracle)
        lines += corrected(tasks, library, report)
    (options.out / "original-corrected.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines))
    (options.out / "original-defects.md").write_text(defects_text(report, oracles))
    print(len(lines), "tasks,", sum(x["changed"] is not None for x in lines), "changed")


main()
