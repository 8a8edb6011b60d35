"""How long the command line takes to say something, beside a script that defines one pydantic model.

Run: python benchmarks/startup.py [ROUNDS]

Each command is a process of its own; the rounds are interleaved, so that a busy machine slows all of them alike.
The figure is the median of the rounds, in milliseconds, and its ratio to the baseline.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

BASELINE = "from pydantic import BaseModel\nclass One(BaseModel):\n    a: int = 1\n"
COMMANDS = {
    "one pydantic model": ["-c", BASELINE],
    "campus-agent --version": ["-m", "campus_agent", "--version"],
    "campus-agent --help": ["-m", "campus_agent", "--help"],
    "campus-agent config show": ["-m", "campus_agent", "config", "show"],
    "campus-agent kb check": ["-m", "campus_agent", "kb", "check"],
}


def main() -> None:
    """Measure and print a line a command."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(rounds):
        for name, arguments in COMMANDS.items():
            times[name].append(_milliseconds(arguments))
    baseline = statistics.median(times["one pydantic model"])
    for name, taken in times.items():
        median = statistics.median(taken)
        print(f"{name:<26} {median:7.1f} ms   {median / baseline:4.2f} times the baseline")


def _milliseconds(arguments: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
