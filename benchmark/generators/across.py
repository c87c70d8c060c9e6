"""Writes benchmark/tasks/across: names that one package defines and another uses (P3).

usage: across.py --work FOLDER [--language NAME]... [--seed N] [--out FOLDER] [--checkouts FOLDER]
"""
import argparse
import ast
import collections
import json
import os
import pathlib
import random
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "common"))
import fetch  # noqa: E402
import listing  # noqa: E402
import oracle  # noqa: E402
import sample  # noqa: E402
from validate import holds  # noqa: E402

# Tasks of one language; kinds take turns inside.
WANTED = {"definition": 4, "uses": 5, "callers": 3}
LISTED = ("name", "source", "version", "sha256", "root", "only", "language", "licence")
CALLED = ("function", "method")


def lay_out(group, work):
    """The packages of a group beside each other, so that one oracle reads all; returns the folder."""
    root = work / "across" / group["group"] / group.get("gopath", "")
    for package in group["packages"]:
        package["language"] = group["language"]
        source, package["sha256"] = fetch.fetch(package, work)
        package["path"] = source
        target = root / package["folder"]
        if not target.exists():
            # A crate's manifest names tests and benches, which must be there.
            parts = ["."] if group["language"] == "rust" else package.get("only") or ["."]
            for part in parts:
                copy(source / part, target / part)
    if group["language"] == "rust":
        (root / "Cargo.toml").write_text(workspace(group["packages"]))
    return root


def copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        shutil.copy(source, target)


def workspace(packages):
    """Dependencies among the packages are the folders beside them."""
    names = [(p["source"]["crate"], p["folder"]) for p in packages]
    patches = "".join(f'{name} = {{ path = "{folder}" }}\n' for name, folder in names)
    members = ", ".join(f'"{folder}"' for _, folder in names)
    return f'[workspace]\nresolver = "2"\nmembers = [{members}]\n\n[patch.crates-io]\n{patches}'


def read(group, work):
    """The group as one package: its facts have paths that begin with a folder of `packages`."""
    root = lay_out(group, work)
    below = lambda key, p: [f"{p['folder']}/{part}" for part in p.get(key, [])]  # noqa: E731
    whole = {"name": f"across {group['group']}", "language": group["language"],
             "tests": sum((below("tests", p) for p in group["packages"]), []),
             "only": sum((below("only", p) for p in group["packages"]), []),
             "paths": group.get("paths", {}), "search": [str(root / s) for s in group.get("search", [])]}
    facts = oracle.facts(whole, root, work)
    return sample.Package({**whole, **group, "path": root, "facts": facts})


def home(p, file):
    """The package that a path lies in, and its path there."""
    folder, _, rest = file.partition("/")
    return next(m for m in p.meta["packages"] if m["folder"] == folder), rest


def declarations(p, d):
    """Lines of type files beside JavaScript that name it: the oracle reads what they describe."""
    member, _ = home(p, d["file"])
    if p.meta["language"] != "javascript":
        return set()
    root = p.root / member["folder"]
    files = [f.relative_to(p.root).as_posix() for f in sorted(root.rglob("*.d.ts"))]
    lines = {f: (p.root / f).read_text(encoding="utf-8").split("\n") for f in files}
    return {(f, n) for f in files for n in range(1, len(lines[f]) + 1) if p.names_it(d["name"], (f, n))}


def renamed(p):
    """Names that Python imports under others: pyright gives the uses of neither."""
    names = set()
    for path in sorted(p.root.rglob("*.py")) if p.meta["language"] == "python" else []:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                names |= {a.name for a in node.names if a.asname and a.asname != a.name}
    return names


def is_crossing(p, d, found):
    return any(home(p, file)[0] is not home(p, d["file"])[0] for file, *_ in found)


def is_loose(p, d):
    """A member of an object literal: the language service takes those of one shape for one."""
    return d["member"] and d.get("convention") and p.meta["language"] in ("typescript", "javascript")


def definitions(p, d):
    """Asked from a package that uses it."""
    used_in = {home(p, f)[0]["name"] for f, _ in sample.places(d, "call", "use", "import")}
    others = sorted(used_in - {home(p, d["file"])[0]["name"]})
    if others and sample.plain_name(d) and p.names[d["name"]] == 1 and not d["nested"]:
        own = {(d["file"], d["line"])} | {(a["file"], a["line"]) for a in d["also"]}
        optional = own | declarations(p, d)
        yield d["kind"], others[0], {"symbol": d["name"]}, {(d["file"], d["line"])}, optional, 3


def uses(p, d):
    expected = sample.uses(d)
    if len(d["name"]) >= 3 and 2 <= len(expected) <= 30 and is_crossing(p, d, expected):
        own = {(d["file"], d["line"])} | {(a["file"], a["line"]) for a in d["also"]}
        optional = (own | sample.places(d, "import", "decl", "doc")) - expected
        yield d["kind"], home(p, d["file"])[0]["name"], at(p, d), expected, optional, 2


def callers(p, d):
    if d["kind"] not in CALLED or not sample.plain_name(d):
        return
    found = sample.callers_of(p, d)
    heads = [(c["file"], c["line"], c["end_line"], c["name"]) for c in found or []]
    if 1 <= len(heads) <= 10 and is_crossing(p, d, heads):
        yield d["kind"], home(p, d["file"])[0]["name"], at(p, d), set(heads), set(), 3


def at(p, d):
    return {"symbol": d["name"], "file": home(p, d["file"])[1], "line": d["line"]}


RELATIONS = {"definition": definitions, "uses": uses, "callers": callers}


def task_of(p, relation, asked, query, expected, optional, tolerance):
    """The question in the form of the files; a place says its package unless it is the asked one."""
    members = [m["name"] for m in p.meta["packages"]]
    def place(found):
        member, file = home(p, found[0])
        named = dict(zip(("line", "end_line", "symbol"), found[1:]))
        elsewhere = {} if member["name"] == asked else {"repo": member["name"]}
        return {"file": file, **named, **elsewhere}
    return {"repo": asked, "category": "P3",
            "query": {**query, "relation": relation, "elsewhere": [m for m in members if m != asked]},
            "expected": [place(e) for e in sorted(expected)],
            "optional": [place(o) for o in sorted(optional)],
            "tol": tolerance, "optional_tests": relation == "callers"}


def candidates(packages, relation, dropped):
    out = collections.defaultdict(list)
    for p in packages:
        others = renamed(p)
        for d in p.defs:
            if d["name"] in sample.PROTOCOL or is_loose(p, d):
                continue
            for stratum, asked, query, expected, optional, tolerance in RELATIONS[relation](p, d):
                doubt = d.get("doubt") or ("alias" if d["name"] in others else None)
                if doubt:
                    dropped[relation, doubt] += 1
                    continue
                task = task_of(p, relation, asked, query, expected, optional, tolerance)
                out[p.name, f"{relation} {stratum}"].append((p, f"{relation} {stratum}", d, task))
    return out


def language_tasks(packages, seed, dropped):
    taken, counter = set(), collections.Counter()
    for relation, wanted in WANTED.items():
        rng = random.Random(f"{seed} {packages[0].meta['language']} {relation}")
        pools = candidates(packages, relation, dropped)
        for p, stratum, d, task in sample.draw(pools, wanted, rng, taken):
            counter[p.meta["group"]] += 1
            member = next(m for m in p.meta["packages"] if m["name"] == task["repo"])
            yield {"id": f"{p.meta['group']}-P3-{counter[p.meta['group']]:02}", "version": member["version"],
                   "lang": p.meta["language"], **task, "stratum": stratum, "kind": d["kind"], "oracle": p.oracle}


def problems(task, roots):
    """Places whose file is missing or whose line lacks the name."""
    for e in task["expected"] + task["optional"]:
        path = roots[e.get("repo", task["repo"])] / e["file"]
        name = e.get("symbol") or task["query"]["symbol"]
        if not path.is_file():
            yield f"{task['id']}: no file {e['file']}"
        elif not holds(path, e["line"], name):
            yield f"{task['id']}: {e['file']}:{e['line']} does not name {name}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--language", action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parent / "tasks/across")
    parser.add_argument("--checkouts", type=pathlib.Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    fetch.tools(options.work)
    groups = collections.OrderedDict()
    for group in json.loads((HERE / "across.json").read_text()):
        if not options.language or group["language"] in options.language:
            groups.setdefault(group["language"], []).append(read(group, options.work))
    dropped, found, asked = collections.Counter(), [], set()
    for language, packages in groups.items():
        tasks = list(language_tasks(packages, options.seed, dropped))
        write(options.out / f"{language}.jsonl", "".join(json.dumps(t) + "\n" for t in tasks))
        members = [m for p in packages for m in p.meta["packages"]]
        for member in members if options.checkouts else []:
            listing.checkout(member, member["path"], options.checkouts)
        asked |= {m for t in tasks for m in [t["repo"], *t["query"]["elsewhere"]]}
        found += [f for t in tasks for f in problems(t, {m["name"]: m["path"] for m in members})]
        print(language, dict(collections.Counter(t["query"]["relation"] for t in tasks)), flush=True)
    if not options.language:
        members = [m for packages in groups.values() for p in packages for m in p.meta["packages"] if m["name"] in asked]
        listed = [{k: m[k] for k in LISTED if k in m} for m in members]
        write(options.out / "repositories.json", "[\n" + ",\n".join(map(json.dumps, listed)) + "\n]\n")
    print("candidates left out:", {" ".join(k): n for k, n in sorted(dropped.items())})
    print("\n".join(found) or "no problems")
    sys.exit(bool(found))


def write(path, text):
    fresh = path.with_suffix(".new")
    fresh.write_text(text)
    os.replace(fresh, path)


main()
