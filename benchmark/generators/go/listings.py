"""Listings of one Go module: go/types, and tests run one by one against panicking functions."""
import json
import os
import pathlib
import shutil
import subprocess

from fetch import run
from listing import key, places

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = ("universe.go", "members.go", "listing.go", "mutants.go", "probe.go")
MUTANTS = 40  # of each kind: renamed, and panicking
SHARE = 0.6   # a function that breaks more of the tests is no question
RUNS = 4000   # tests that are run against mutants, at most


def pool(package, root, work, rng):
    program, probe = work / "golisting", work / "probe" / key(package["name"])
    env = {**os.environ, "GO111MODULE": "off", "GOCACHE": str(work / "gocache"), "GOFLAGS": "-p=1"}
    run("go", "build", "-o", str(program), *(str(HERE / s) for s in SOURCES), env=env)
    gopath = str(root).split("/src/")[0] + ":/usr/share/gocode"
    shutil.rmtree(probe, ignore_errors=True)
    found = json.loads(run(str(program), str(root), gopath, str(rng.randrange(1 << 30)), str(MUTANTS), str(probe), env=env))
    env["GOPATH"] = f"{probe}:/usr/share/gocode"
    return found["oracle"] + ", go test", found["tasks"] + Probe(probe, env).tasks(rng)


class Probe:
    """The module's tests, each in a process of its own."""

    def __init__(self, folder, env):
        self.folder, self.env = folder, env
        facts = json.loads((folder / "probe.json").read_text())
        self.functions, self.path = facts["functions"], facts["path"]
        self.programs = {d: self.compiled(d) for d in sorted({t["dir"] for t in facts["tests"]})}
        self.tests = [t for t in facts["tests"] if self.programs[t["dir"]]]
        self.entered = [self.reached(t) for t in self.tests]

    def compiled(self, directory):
        program = self.folder / "bin" / (directory.replace("/", "_") + ".test")
        done = subprocess.run(["go", "test", "-c", "-vet=off", "-o", str(program), f"{self.path}/{directory}"],
                              env=self.env, capture_output=True, text=True)
        print(done.stderr[-500:], end="")
        return program if program.exists() else None

    def passes(self, test, **env):
        name = f"^{test['symbol']}$"
        which = ["-test.run", "^$", "-test.bench", name, "-test.benchtime", "1x"] if test["symbol"].startswith("Benchmark") \
            else ["-test.run", name, "-test.v"]
        command = [str(self.programs[test["dir"]]), *which, "-test.timeout", "30s"]
        try:
            done = subprocess.run(command, cwd=self.folder / "src" / self.path / test["dir"], env={**self.env, **env},
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=40)
        except subprocess.TimeoutExpired:
            return None
        ran = b"--- PASS" in done.stdout or test["symbol"].startswith("Benchmark")
        return done.returncode == 0 and ran if done.returncode == 0 else False

    def reached(self, test):
        """The functions that a test enters; None when it fails by itself or does not run."""
        log = self.folder / "log"
        log.unlink(missing_ok=True)
        sound = self.passes(test, WHYRANK_LOG=str(log)) and self.passes(test)
        return set(map(int, log.read_text().split())) if sound and log.exists() else set() if sound else None

    def tasks(self, rng):
        running = [(t, e) for t, e in zip(self.tests, self.entered) if e is not None and not t["symbol"].startswith("Benchmark")]
        timed = [(t, e) for t, e in zip(self.tests, self.entered) if e is not None and t["symbol"].startswith("Benchmark")]
        unclear = [t for t, e in zip(self.tests, self.entered) if e is None]
        print(len(running), "tests,", len(unclear), "that fail or are skipped")
        functions = list(self.functions)
        rng.shuffle(functions)
        left, out = RUNS, []
        for f in functions:
            near = [t for t, e in running if f["id"] in e]
            if not near or len(near) > SHARE * len(running) or f["lines"] < 2 or len(near) > left:
                continue
            left -= len(near)
            failing = [t for t in near if not self.passes(t, WHYRANK_MUTANT=str(f["id"]))]
            passing = [t for t in near if t not in failing] + [t for t, e in timed if f["id"] in e] + unclear
            if failing and len(failing) <= 40:
                out.append(self.task(f, failing, passing))
            if len(out) == MUTANTS:
                break
        return out

    def task(self, function, failing, passing):
        query = {k: function[k] for k in ("symbol", "file", "line")}
        spots = [[(t["file"], t["line"], t["symbol"]) for t in part] for part in (failing, passing)]
        return {"category": "TESTS", "stratum": "direct" if function["direct"] else "through", "kind": function["kind"],
                "query": query, "expected": places(spots[0]), "optional": places(spots[1]), "tol": 0}
