"""Listings of one Java source tree: javac's attribution, and what it says after a method got another name."""
import glob
import json
import os
import pathlib
import subprocess

from classes import Facts

HERE = pathlib.Path(__file__).resolve().parent
JARS = ("junit", "hamcrest", "opentest4j", "apiguardian", "asm", "cglib", "commons-lang3", "bcel")
MUTANTS = 15  # of each kind
SPECIAL = {"main", "readObject", "writeObject", "readResolve", "writeReplace", "readObjectNoData", "serialVersionUID",
           "valueOf", "values", "serialPersistentFields", "setUp", "tearDown", "suite"}


def hidden(facts, d):
    """Private and package-private; with members of such types, which others may still reach, left in doubt."""
    return not d["public"] and not any(facts.defs[i]["kind"] in ("interface", "annotation") for i in list(facts.around(d["id"]))[1:2])


class Javac:
    def __init__(self, package, root):
        jars = [j for j in sorted(glob.glob("/usr/share/java/*.jar")) if os.path.basename(j).startswith(JARS)]
        self.process = subprocess.Popen(
            ["java", str(HERE / "Listing.java"), str(root), ",".join(package["folders"]), ":".join(jars)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.facts = json.loads(self.process.stdout.readline())

    def broken(self, d):
        """Lines that lack the name; errors of other kinds only where an override or an implementation follows."""
        self.process.stdin.write(f"{d['file']} {d['offset'] + len(d['name'])} Whyrank\n")
        self.process.stdin.flush()
        lines = set()
        for file, line, code in json.loads(self.process.stdout.readline()):
            if code.startswith("compiler.err.cant.resolve") or code.startswith("compiler.err.invalid.mref"):
                lines.add((file, line))
            elif not any(k in code for k in ("does.not.override", "method.does.not.override")):
                return None
        return lines


def pool(package, root, work, rng):
    javac = Javac(package, root)
    if javac.facts["errors"]:
        print(package["name"], "errors:", javac.facts["errors"][:5])
    files = sorted({d["file"] for d in javac.facts["defs"]})
    facts = Facts(root, files, javac.facts, SPECIAL, hidden)

    def tests(file):
        return file.startswith(tuple(package.get("tests", ["src/test/"])))
    tasks = [*facts.p2(tests), *facts.implementations(tests), facts.dead(), *facts.impact(tests, rng, MUTANTS, javac.broken)]
    javac.process.stdin.close()
    javac.process.wait()
    return "javac 17 tree API", tasks
