"""What the listings of all languages share: sampling, numbering, checkouts."""
import collections
import shutil

from fetch import run
from validate import holds

# Tasks of one package at most.
WANTED = {"P2": 30, "IMPLEMENTS": 25, "DEAD": 1, "IMPACT": 25, "TESTS": 20}
PER_FILE = 6


def key(name):
    return name.replace("/", "_").replace(":", "_")


def draw(tasks, wanted, rng):
    """Strata take turns; at most PER_FILE queries a file, a symbol once."""
    strata = collections.defaultdict(list)
    for t in tasks:
        strata[t["stratum"]].append(t)
    for name in sorted(strata):
        strata[name].sort(key=lambda t: (t["query"].get("file", ""), t["query"].get("line", 0)))
        rng.shuffle(strata[name])
    files, asked, chosen = collections.Counter(), set(), []
    while len(chosen) < wanted and any(strata.values()):
        for name in sorted(strata):
            while strata[name] and len(chosen) < wanted:
                t = strata[name].pop()
                file, symbol = t["query"].get("file"), t["query"].get("symbol")
                if files[file] < PER_FILE and (file, symbol) not in asked:
                    files[file] += 1
                    asked.add((file, symbol))
                    chosen.append(t)
                    break
    return chosen


def sampled(package, found, rng):
    """Tasks in the form of the files."""
    for category, wanted in WANTED.items():
        chosen = draw([t for t in found["tasks"] if t["category"] == category], wanted, rng)
        chosen.sort(key=lambda t: (t["query"].get("file", ""), t["query"].get("line", 0)))
        for number, t in enumerate(chosen, 1):
            yield {"id": f"{package['name']}-{category}-{number:02}", "repo": package["name"],
                   "version": package["version"], "lang": package["language"], "category": category,
                   "query": t["query"], "expected": t["expected"], "optional": t["optional"],
                   "tol": t["tol"], "stratum": t["stratum"], "kind": t["kind"], "oracle": found["oracle"]}


def places(found):
    """Sorted places of (file, line) or (file, line, symbol)."""
    return [dict(zip(("file", "line", "symbol"), f)) for f in sorted(found)]


def checkout(package, root, folder):
    """The files that are asked about, as a git repository of one commit."""
    target = folder / key(package["name"])
    if target.exists():
        return
    for part in package.get("only") or ["."]:
        source = root / part
        if source.is_dir():
            shutil.copytree(source, target / part, dirs_exist_ok=True, symlinks=True)
        else:
            (target / part).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target / part)
    git = ["git", "-C", str(target), "-c", "user.name=whyrank", "-c", "user.email=none"]
    run(*git, "init", "-q")
    run(*git, "add", "-A", "-f")
    run(*git, "commit", "-q", "-m", f"{package['name']} {package['version']}")


def problems(task, root):
    """Places whose file is missing or whose line lacks the name. Outside of functions impact names none."""
    asked = task["query"].get("symbol") if task["category"] == "P2" else None
    for e in task["expected"] + task["optional"]:
        name = (e.get("symbol") or asked or "").split(".")[-1]
        if not (root / e["file"]).is_file():
            yield f"{task['id']}: no file {e['file']}"
        elif name and not holds(root / e["file"], e["line"], name):
            yield f"{task['id']}: {e['file']}:{e['line']} does not name {name}"


def table(tasks):
    count = collections.Counter((t["repo"], t["category"], t["stratum"]) for t in tasks)
    rows = collections.defaultdict(list)
    for (repo, category, stratum), n in sorted(count.items()):
        rows[repo, category].append(f"{stratum} {n}")
    return "\n".join(f"{repo} {category}: {', '.join(r)}" for (repo, category), r in rows.items())
