"""How the app bears what is long: an answer, a conversation, a wait; each beside a named baseline in the same run.

    python benchmarks/app.py                    everything; some minutes
    python benchmarks/app.py stream cancel      some parts only: stream cancel tool turns paint idle
    python benchmarks/app.py --quick            everything, smaller: for a first look

CPU is the time of the process, so that a busy machine matters little: where nothing else runs it is what a person
waits. Memory is what the system says that the process holds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Figures = dict[str, float]
HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table: what was measured, beside what, and whether it is within the mark."""

    what: str
    value: str
    baseline: str
    mark: str
    good: bool

    def __str__(self) -> str:
        return f"{'✓' if self.good else '✕'} {self.what:<46} {self.value:>12}   {self.baseline:<30} {self.mark}"


def apart(part: str, size: int) -> Figures:
    """Measure a part in a process of its own."""
    command = [sys.executable, str(HERE / "app_parts.py"), part, str(size)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: Figures = json.loads(done.stdout.splitlines()[-1])
    return figures


def ratio(what: str, value: float, baseline: float, beside: str, mark: float, unit: str = "ms") -> Line:
    """Return a line for a value that may be so many times its baseline."""
    times = value / baseline if baseline else float("inf")
    said = f"{times:.2f} times {beside} {baseline:,.1f} {unit}"
    return Line(what, f"{value:,.1f} {unit}", said, f"at most {mark:g} times", times <= mark)


def bound(what: str, value: float, unit: str, mark: float, baseline: str = "") -> Line:
    """Return a line for a value that may be so much."""
    return Line(what, f"{value:,.0f} {unit}", baseline, f"at most {mark:g} {unit}", value <= mark)


def stream(quick: bool) -> Iterator[Line]:
    """Measure a long answer."""
    size = 40 if quick else 200
    found = apart("stream", size)
    yield ratio(f"a streamed answer of {size} KB, CPU", found["value"], found["baseline"], "a bare stream's", 1.3, "s")


def cancel(quick: bool) -> Iterator[Line]:
    """Measure how soon one can type after Esc, in the middle of a long answer."""
    size = 40 if quick else 200
    yield from _stopping(f"Esc in an answer of {size} KB, then a key", apart("cancel", size), "a key alone")


def tool(quick: bool) -> Iterator[Line]:
    """Measure how soon one can type after Esc, while a tool is stuck."""
    yield from _stopping("Esc while a tool is stuck, then a key", apart("cancel_tool", 0), "nothing going on")


def _stopping(what: str, found: Figures, beside: str) -> Iterator[Line]:
    yield bound(f"{what}, CPU", found["value"], "ms", 100, f"{beside} {found['baseline']:.0f} ms")
    yield bound("  the longest wait of a key after that, CPU", found["freeze"], "ms", 100)
    if found["wall"] > 100:
        print(f"  (it took {found['wall']:.0f} ms on the wall: more than its CPU means that the machine is busy)")


def turns(quick: bool) -> Iterator[Line]:
    """Measure a long conversation."""
    count = 150 if quick else 1000
    found = apart("turns", count)
    ten = "after ten"
    yield ratio(f"a turn after {count:,}, CPU", found["value"], found["baseline"], ten, 1.3)
    yield ratio("  layouts of the screen in it", found["layouts"], found["layouts_baseline"], ten, 1.1, "")
    yield ratio("  a page up or down in the chat, CPU", found["page"], found["page_baseline"], ten, 1.5)
    yield bound(f"memory after {count:,} turns", found["memory"], "MB", 200, f"{found['widgets']:.0f} widgets")
    yield bound("  after scrolling back, the most", found["peak"], "MB", 200, f"{found['most_widgets']:.0f} widgets")
    seen = found["scrolled_back"]
    yield Line("  questions one can scroll back to", f"{seen:.0f}", f"of {count:,}", "all", seen >= count)


def terminal(part: Literal["paint", "idle"], size: int) -> Figures:
    """Measure a part in a terminal."""
    from app_terminal import PARTS  # only where there are such terminals

    return PARTS[part](size)


def paint(quick: bool) -> Iterator[Line]:
    """Measure the first paint."""
    found = terminal("paint", 3 if quick else 9)
    yield ratio("first paint", found["value"], found["baseline"], "a blank app's", 1.5)
    yield ratio("  CPU until then", found["cpu"], found["cpu_baseline"], "a blank app's", 1.5)


def idle(quick: bool) -> Iterator[Line]:
    """Measure what the app does while nobody does anything."""
    seconds = 4 if quick else 20
    found = terminal("idle", seconds)
    alone = found["baseline"]  # Textual's own thread that waits for keys wakes now and then
    yield bound(f"idle for {seconds} s, CPU", found["value"], "ms", alone + 10, f"a blank app {alone:.0f} ms")
    yield bound("  painted meanwhile", found["painted"], "bytes", 0)


PARTS: dict[str, Callable[[bool], Iterator[Line]]] = {
    "stream": stream,
    "cancel": cancel,
    "tool": tool,
    "turns": turns,
    "paint": paint,
    "idle": idle,
}


def main() -> None:
    """Measure and print a line for each figure; the exit status is 1 when one is beyond its mark."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure: {', '.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="measure less")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    good = True
    for name in options.parts or PARTS:
        for line in PARTS[name](options.quick):
            print(line, flush=True)
            good = good and line.good
    sys.exit(not good)


if __name__ == "__main__":
    main()
