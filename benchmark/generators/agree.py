"""How often jedi finds the same lines as pyright: a second oracle for the Python P2 tasks.

usage: WORK/venv/bin/python agree.py --work FOLDER [--tasks FOLDER]
"""
import argparse
import json
import pathlib
import re

import jedi

HERE = pathlib.Path(__file__).resolve().parent


def definition(task):
    if "line" in task["query"]:
        return task["query"]["file"], task["query"]["line"]
    return None


def jedi_lines(root, task, place):
    file, line = place
    text = (root / file).read_text(encoding="utf-8")
    column = re.search(rf"\b{task['query']['symbol']}\b", text.split("\n")[line - 1]).start()
    project = jedi.Project(root, added_sys_path=[str(root / "src")])
    script = jedi.Script(text, path=root / file, project=project)
    found = script.get_references(line, column, scope="project")
    return {(r.module_path.relative_to(root).as_posix(), r.line) for r in found
            if r.module_path and r.module_path.is_relative_to(root)}


def place_of(root, task):
    """The definition among the optional lines, for tasks that ask by the bare name."""
    known = definition(task)
    if known:
        return known
    for e in task["optional"]:
        text = (root / e["file"]).read_text(encoding="utf-8").split("\n")[e["line"] - 1]
        if re.match(rf"\s*(async\s+)?(def|class)\s+{task['query']['symbol']}\b|\s*{task['query']['symbol']}\s*[:=]", text):
            return e["file"], e["line"]
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--tasks", type=pathlib.Path, default=HERE.parent / "tasks")
    options = parser.parse_args()
    same = total = both = ours = theirs = 0
    roots = {r["name"]: r["root"] for r in json.loads((options.tasks / "repositories.json").read_text())}
    for line in (options.tasks / "python.jsonl").read_text().splitlines():
        task = json.loads(line)
        root = (options.work / "packages" / task["repo"].replace(":", "_") / "tree" / roots[task["repo"]]).resolve()
        if task["category"] != "P2" or not (place := place_of(root, task)):
            continue
        expected = {(e["file"], e["line"]) for e in task["expected"]}
        optional = {(e["file"], e["line"]) for e in task["optional"]}
        found = {p for p in jedi_lines(root, task, place) if p[0].startswith(("src/", "tests/", "rich/"))} - optional
        total, same = total + 1, same + (found == expected)
        both, ours, theirs = both + len(found & expected), ours + len(expected - found), theirs + len(found - expected)
        if found != expected:
            print(task["id"], "only pyright", len(expected - found), "only jedi", sorted(found - expected)[:3])
    print(f"{same} of {total} tasks the same; {both} lines in both, {ours} only pyright, {theirs} only jedi")


main()
