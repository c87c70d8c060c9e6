"""Compares how many requests a second each router answers."""

import json
import statistics
import subprocess
import sys


def run_router(name: str, n_requests: int) -> float:
    """Return the seconds that a router takes for some requests."""
    command = ["node", "bench.mjs", name, str(n_requests)]
    output = subprocess.run(command, capture_output=True, check=True, text=True)
    return json.loads(output.stdout)["seconds"]


def compare(names: list[str], n_rounds: int = 5) -> dict[str, float]:
    """Return the median requests a second of each router."""
    rates = {}
    for name in names:
        seconds = [run_router(name, 10_000) for _ in range(n_rounds)]
        rates[name] = 10_000 / statistics.median(seconds)
    return rates


if __name__ == "__main__":
    for router, rate in compare(sys.argv[1:]).items():
        print(f"{router:16} {rate:10.0f} requests/s")
