"""Runs the oracle of each language and keeps its facts in the work folder."""
import glob
import json
import os
import pathlib
import subprocess
import sys

from fetch import run

HERE = pathlib.Path(__file__).resolve().parent.parent


def node_command(package, root, work):
    return ["node", str(HERE / "node/facts.cjs"), str(root), package["language"],
            ",".join(package.get("only", [])), ",".join(package.get("tests", [])),
            "requires" if package.get("requires") else "", json.dumps(package.get("paths", {}))]


def python_command(package, root, work):
    python = str(work / "venv/bin/python")
    return [python, str(HERE / "python/facts.py"), str(root), ",".join(package.get("only", [])),
            ",".join(package.get("tests", [])), str(work / "node/node_modules/pyright"), python,
            *package.get("search", [])]


def go_command(package, root, work):
    program = work / "gofacts"
    env = {**os.environ, "GO111MODULE": "off", "GOCACHE": str(work / "gocache")}
    run("go", "build", "-o", str(program), str(HERE / "go/facts.go"), env=env)
    gopath = str(root).split("/src/")[0] + ":/usr/share/gocode"
    return [str(program), str(root), gopath]


def java_command(package, root, work):
    jars = sorted(glob.glob("/usr/share/java/*.jar"))
    wanted = ("junit", "hamcrest", "opentest4j", "apiguardian", "jetty9", "servlet", "jsr305", "commons-lang3", "gson")
    path = ":".join(j for j in jars if os.path.basename(j).startswith(wanted))
    return ["java", str(HERE / "java/Facts.java"), str(root), ",".join(package["folders"]), path]


def stubs(package, work):
    """Headers that the package's own configure step would write."""
    folder = work / "stubs" / package["name"].replace(":", "_")
    folder.mkdir(parents=True, exist_ok=True)
    for name, defines in package.get("stubs", {}).items():
        (folder / name).write_text("".join(f"#define {d} 1\n" for d in defines))
    return str(folder)


def c_command(package, root, work):
    builtin = sorted(glob.glob("/usr/lib/gcc/x86_64-linux-gnu/*/include"))[-1]
    folders = sorted({str(h.parent) for h in root.rglob("*.h")} | {stubs(package, work)})
    arguments = [f"-I{builtin}"] + [f"-I{f}" for f in folders] + [f"-D{d}" for d in package.get("defines", [])]
    return [str(work / "venv/bin/python"), str(HERE / "c/facts.py"), str(root),
            ",".join(package.get("only", [])), "", json.dumps(arguments)]


def rust_command(package, root, work):
    return [str(work / "venv/bin/python"), str(HERE / "rust/facts.py"), str(root),
            ",".join(package.get("only", [])), ",".join(package.get("tests", []))]


COMMANDS = {"typescript": node_command, "javascript": node_command, "python": python_command,
            "go": go_command, "java": java_command, "c": c_command, "rust": rust_command}


def facts(package, root, work):
    kept = work / "facts" / (package["name"].replace("/", "_").replace(":", "_").replace(" ", "_") + ".json")
    if not kept.exists():
        kept.parent.mkdir(exist_ok=True)
        command = COMMANDS[package["language"]](package, root.resolve(), work.resolve())
        env = {**os.environ, "CARGO_TARGET_DIR": str(work / "target"), "GO111MODULE": "off"}
        done = subprocess.run(command, cwd=work / "node", env=env, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{package['name']}: {done.stderr[-3000:]}")
        print(package["name"], done.stderr.strip()[-100:], flush=True)
        kept.write_text(done.stdout)
    return json.loads(kept.read_text())
