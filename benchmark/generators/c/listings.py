"""Listings of one C or C++ library, by libclang, which the work folder's Python has."""
import json
import pathlib
import subprocess

import fetch
from classes import Facts
from oracle import stubs

HERE = pathlib.Path(__file__).resolve().parent
MUTANTS = 8  # of each kind; a package may set fewer
BUILTIN = sorted(pathlib.Path("/usr/lib/gcc/x86_64-linux-gnu").glob("*/include"))


def arguments(package, root, work):
    """Headers of the compiler, of the package and those that its configure step would write."""
    folders = [root / f for f in package["headers"]] + [pathlib.Path(stubs(package, work))]
    found = [f"-isystem{BUILTIN[-1]}"] + [f"-I{f}" for f in folders] + [f"-D{d}" for d in package.get("defines", [])]
    return found + (["-xc++", "-std=c++17"] if package["language"] == "cpp" else [])


def hidden(facts, d):
    """C: static, or declared in no header of the interface; C++: private or in a namespace without a name."""
    return not d["public"]


class Clang:
    def __init__(self, package, root, work):
        self.process = subprocess.Popen(
            [str(work / "venv/bin/python"), str(HERE / "listing.py"), str(root), ",".join(package["only"]),
             ",".join(package.get("interface", ["include"])), json.dumps(arguments(package, root, work))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.facts = json.loads(self.process.stdout.readline())

    def broken(self, d):
        """Lines that lack the name after every declaration of it got another."""
        self.process.stdin.write(json.dumps(d["id"]) + "\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        return None if found is None else {tuple(f) for f in found}


def pool(package, root, work, rng):
    fetch.tools(work)
    clang = Clang(package, root, work)
    print(package["name"], "errors:", len(clang.facts["errors"]), clang.facts["errors"][:3])
    facts = Facts(root, clang.facts["files"], clang.facts, {"main"}, hidden)

    def tests(file):
        return file.startswith(tuple(package.get("tests", []))) if package.get("tests") else False
    tasks = [*facts.p2(tests), *facts.implementations(tests), facts.dead(), *facts.impact(tests, rng, package.get("mutants", MUTANTS), clang.broken)]
    clang.process.stdin.close()
    clang.process.wait()
    return "libclang 18.1.1", tasks
