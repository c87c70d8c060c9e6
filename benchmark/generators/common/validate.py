"""Checks the written files against the fetched packages; prints counts."""
import collections
import json
import re


def load(folder):
    """The task files of the languages; the corrections of the originals have another shape."""
    for path in sorted(folder.glob("*.jsonl")):
        if path.stem != "original-corrected":
            for line in path.read_text().splitlines():
                yield json.loads(line)


def places_of(task):
    expected = task["expected"]
    if isinstance(expected, dict):
        yield task["query"]["file"], task["query"]["line"], task["query"]["symbol"]
        return
    for e in expected + task.get("optional", []):
        symbol = e.get("symbol") or task["query"].get("symbol")
        yield e["file"], e.get("line"), symbol


def problems(task, roots):
    root = roots[task["repo"]]
    for file, line, symbol in places_of(task):
        path = root / file
        if not path.is_file():
            yield f"{task['id']}: no file {file}"
        elif line and not holds(path, line, symbol.split(".")[-1]):
            yield f"{task['id']}: {file}:{line} does not name {symbol}"


def holds(path, line, name):
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", lines[line - 1]) is not None


def validate(folder, roots):
    tasks = list(load(folder))
    ids = collections.Counter(t["id"] for t in tasks)
    found = [f"double id {i}" for i, n in ids.items() if n > 1]
    for t in tasks:
        found += problems(t, roots)
    table(tasks)
    print("\n".join(found) or "no problems")
    return not found


def table(tasks):
    count = collections.Counter((t["lang"], t["category"]) for t in tasks)
    languages, kinds = sorted({a for a, _ in count}), ["P1", "P2", "P4", "P5", "CALLERS"]
    print(f"{'language':12}" + "".join(f"{k:>8}" for k in kinds) + "   total")
    for name in languages:
        row = [count[name, k] for k in kinds]
        print(f"{name:12}" + "".join(f"{n:8}" for n in row) + f"{sum(row):8}")
    print(f"{'all':12}" + "".join(f"{sum(count[n, k] for n in languages):8}" for k in kinds) + f"{len(tasks):8}")
