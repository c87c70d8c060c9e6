"""Writes benchmark/tasks: fetches the packages, runs the oracles, samples, verifies.

usage: make.py --work FOLDER [--seed N] [--out FOLDER]
"""
import argparse
import collections
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "common"))
import fetch  # noqa: E402
import oracle  # noqa: E402
import sample  # noqa: E402
import symbols  # noqa: E402
import validate  # noqa: E402

LISTED = ("name", "source", "version", "sha256", "archive", "root", "only", "language", "licence")


def collect(work):
    """Every package with its root, its archive's hash and its facts."""
    for package in json.loads((HERE / "packages.json").read_text()):
        root, digest = fetch.fetch(package, work)
        facts = oracle.facts(package, root, work)
        yield sample.Package({**package, "sha256": digest, "path": root, "facts": facts})


def by_language(packages):
    groups = collections.OrderedDict()
    for p in packages:
        groups.setdefault(p.meta["language"], []).append(p)
    return groups


def write_lines(path, items):
    path.write_text("".join(json.dumps(i) + "\n" for i in items))


def write_array(path, items):
    path.write_text("[\n" + ",\n".join(json.dumps(i) for i in items) + "\n]\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parent / "tasks")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    fetch.tools(options.work)
    packages = list(collect(options.work))
    dropped, found = collections.Counter(), []
    for language, group in by_language(packages).items():
        write_lines(options.out / f"{language}.jsonl", sample.language_tasks(group, options.seed, dropped))
        found += symbols.language_symbols(group, options.seed)
    write_array(options.out / "symbols.json", found)
    listed = [{k: p.meta[k] for k in LISTED if k in p.meta} for p in packages]
    write_array(options.out / "repositories.json", listed)
    print("symbol tasks:", dict(collections.Counter(s["type"] for s in found)))
    print("candidates left out:", {" ".join(k): n for k, n in sorted(dropped.items())})
    sys.exit(not validate.validate(options.out, {p.name: p.root for p in packages}))


main()
