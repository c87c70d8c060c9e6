"""Writes benchmark/tasks/listings: whole listings (uses, implementations, dead code, impact, tests).

usage: listings.py --work FOLDER [--language NAME]... [--seed N] [--out FOLDER] [--checkouts FOLDER]
"""
import argparse
import importlib.util
import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "common"))
import fetch  # noqa: E402
import listing  # noqa: E402

# Each module has `pool(package, root, work, rng)`: the oracle's name and all tasks it is sure of.
MODULES = {"go": "go/listings.py", "java": "java/listings.py", "c": "c/listings.py", "cpp": "c/listings.py",
           "typescript": "node/listings.py", "javascript": "node/listings.py",
           "python": "python/listings.py", "rust": "rust/listings.py"}
LISTED = ("name", "source", "version", "sha256", "archive", "root", "only", "language", "licence")


def module(language):
    path = HERE / MODULES[language]
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_listings", path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def pool(package, root, work, seed):
    """Kept in the work folder: mutants take long."""
    kept = work / "listings" / (listing.key(package["name"]) + ".json")
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        rng = random.Random(f"{seed} {package['name']}")
        oracle, tasks = module(package["language"]).pool(package, root.resolve(), work.resolve(), rng)
        kept.write_text(json.dumps({"oracle": oracle, "tasks": list(tasks)}))
    return json.loads(kept.read_text())


def language_tasks(packages, options):
    """The tasks of one language; fills in each package's root and hash."""
    for package in packages:
        root, digest = fetch.fetch(package, options.work)
        if package.setdefault("sha256", digest) != digest:
            sys.exit(f"{package['name']}: the archive is {digest}")
        package["path"] = root
        found = pool(package, root, options.work, options.seed)
        if options.checkouts:
            listing.checkout(package, root, options.checkouts)
        yield from listing.sampled(package, found, random.Random(f"{options.seed} {package['name']}"))


def write_lines(path, items):
    written = path.with_suffix(".new")
    written.write_text("".join(json.dumps(i) + "\n" for i in items))
    written.rename(path)


def write_repositories(path, packages, languages):
    """Rows of languages that were not asked for stay."""
    old = json.loads(path.read_text()) if path.exists() else []
    rows = [r for r in old if r["language"] not in languages]
    rows += [{k: p[k] for k in LISTED if k in p} for p in packages]
    order = list(MODULES)
    rows.sort(key=lambda r: order.index(r["language"]))
    path.write_text("[\n" + ",\n".join(json.dumps(r) for r in rows) + "\n]\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--language", action="append", choices=list(MODULES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parent / "tasks/listings")
    parser.add_argument("--checkouts", type=pathlib.Path, help="a git repository for each package")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    packages = json.loads((HERE / "listings.json").read_text())
    languages = options.language or [m for m in MODULES if any(p["language"] == m for p in packages)]
    packages = [p for p in packages if p["language"] in languages]
    sound = True
    for language in languages:
        group = [p for p in packages if p["language"] == language]
        tasks = list(language_tasks(group, options))
        roots = {p["name"]: p["path"] for p in group}
        wrong = [line for t in tasks for line in listing.problems(t, roots[t["repo"]])]
        print("\n".join(wrong), listing.table(tasks), sep="\n")
        sound = sound and not wrong
        write_lines(options.out / f"{language}.jsonl", tasks)
    write_repositories(options.out / "repositories.json", packages, languages)
    sys.exit(not sound)


if __name__ == "__main__":
    main()
