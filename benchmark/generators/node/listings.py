"""Listings of one TypeScript or JavaScript package, by the TypeScript checker and its errors."""
import json
import pathlib
import subprocess
import sys

import fetch

HERE = pathlib.Path(__file__).resolve().parent
MUTANTS = 16  # of each stratum


def pool(package, root, work, rng):
    fetch.tools(work)
    command = ["node", "--max-old-space-size=4000", str(HERE / "listing.cjs"), str(root), package["language"], ",".join(package.get("only", [])),
               ",".join(package.get("entries", [])), str(rng.randrange(1, 1 << 30)), str(MUTANTS)]
    done = subprocess.run(command, cwd=work / "node", capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{package['name']}: {done.stderr[-3000:]}")
    print(package["name"], done.stderr.strip()[-200:])
    found = json.loads(done.stdout)
    return found["oracle"], found["tasks"]
