"""What the journal costs: a run that is recorded, and lists, searches and resuming with many stored runs.

Each look at the journal stands beside the plain SQLite query that fetches the same rows; each run beside the same run
without a journal, in turns with it.

    python benchmarks/journal.py [--runs 100000] [--rounds 200] [--journal FILE]

With a FILE, what was stored there by an earlier call is used again.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from campus_agent.agent.agent import Agent
from campus_agent.agent.conversation import Turn
from campus_agent.agent.events import (
    Acting,
    Budgets,
    Event,
    Observed,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
)
from campus_agent.agent.outcome import Outcome
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.journal.importing import take_in
from campus_agent.journal.memory import turns_of
from campus_agent.journal.recorder import Recorder
from campus_agent.journal.records import Filter
from campus_agent.journal.store import Journal
from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.scripted import ScriptedModel
from campus_agent.settings import REFUSAL
from campus_agent.tools.tool import tool

MARK = 0.2  # seconds
LONG = 10_000  # runs of the longest conversation
SHORT = 10
SHOWN = 50  # runs of a conversation that are loaded at once
PLACES = ("library", "gym", "robotics lab", "cafeteria", "pool", "career center", "observatory", "archive")


@tool(searches=True)
def search_campus_info(query: str) -> str:
    """Search the campus information."""
    return "- AI Club: The AI Club meets every Thursday at 5 PM. (clubs.md)"


def made(number: int) -> list[Event]:
    """Make a run of one call."""
    place = PLACES[number % len(PLACES)]
    content = f"- {place}: The {place} is open Monday to Friday, 10 AM to 6 PM, in room {number % 900}. (places.md)"
    common: dict[str, Any] = {
        "run_id": f"{number:012x}",
        "time": datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=number),
    }
    call: dict[str, Any] = {"step": 1, "call_id": "c1", "tool": "search_campus_info"}
    started: dict[str, Any] = {"model": "offline", "provider": "offline", "protocol": "native", "budgets": Budgets()}
    outcome = Outcome.REFUSED if number % 997 == 0 else Outcome.ANSWERED
    return [
        RunStarted(**common, seq=0, question=f"When is the {place} open, asked {number} times?", **started),
        StepStarted(**common, seq=1, step=1, of=5, prompt_chars=2000),
        Acting(**common, seq=2, **call, arguments={"query": place}),
        Observed(**common, seq=3, **call, status="ok", content=content, length=len(content), latency_ms=number % 50),
        StepFinished(**common, seq=4, step=1, usage=None, latency_ms=number % 900),
        RunFinished(
            **common,
            seq=5,
            outcome=outcome,
            complete=True,
            answer=f"The {place} is open Monday to Friday.",
            message=None,
            usage=None,
            duration_ms=number % 1000,
        ),
    ]


def fill(path: Path, runs: int) -> None:
    """Store one long conversation, and the rest in short ones."""
    began = time.perf_counter()
    first = min(LONG, runs)
    take_in(path, map(made, range(first)), base="made up")
    for start in range(first, runs, 100 * SHORT):
        for group in range(start, min(start + 100 * SHORT, runs), SHORT):
            take_in(path, map(made, range(group, min(group + SHORT, runs))), base="made up")
    print(f"stored {runs:,} runs in {time.perf_counter() - began:.0f} s, {path.stat().st_size / 1e6:.0f} MB")


def looks(path: Path) -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """Yield what a person does with the journal, each with the plain query for the same rows."""
    db = sqlite3.connect(path)
    journal = Journal(path)
    longest = db.execute("SELECT conversation FROM members WHERE place = ? LIMIT 1", (SHOWN + 1,)).fetchone() or (1,)
    id = db.execute("SELECT id FROM conversations WHERE key = ?", longest).fetchone()[0]
    events = {tool.name: tool for tool in (search_campus_info,)}

    def plain(query: str, *values: object) -> Callable[[], object]:
        return lambda: db.execute(query, values).fetchall()

    def resume() -> tuple[Turn, ...]:
        return turns_of([journal.events(row.id) for row in journal.runs(id, limit=SHOWN)], events)

    def found(words: str) -> Callable[[], object]:
        query = " ".join(f'"{word}"*' for word in words.split())
        return plain("SELECT rowid, text FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT 20", query)

    newest = "SELECT * FROM runs {} ORDER BY key DESC LIMIT 20"
    yield "open", lambda: Journal(path).close(), lambda: sqlite3.connect(path).close()
    yield "list", journal.newest, plain(newest.format(""))
    refused = Filter(outcome=Outcome.REFUSED)
    yield "list, refused", lambda: journal.newest(refused), plain(newest.format("WHERE outcome = 'refused'"))
    slow = Filter(shortest=0.999)
    yield "list, slow", lambda: journal.newest(slow), plain(newest.format("WHERE duration_ms >= 999"))
    absent = Filter(tool="no_such_tool")
    with_tool = "WHERE key IN (SELECT run FROM calls WHERE tool = 'no_such_tool')"
    yield "list, a tool never used", lambda: journal.newest(absent), plain(newest.format(with_tool))
    yield "conversations", journal.conversations, plain("SELECT * FROM conversations ORDER BY changed DESC LIMIT 50")
    for words in ("robotics", "library monday", "open", "asked 77777", "zebra"):
        yield f"search {words}", lambda words=words: journal.search(words), found(words)  # type: ignore[misc]
    yield (
        f"resume, last {SHOWN} of {LONG:,}",
        resume,
        plain(
            "SELECT body FROM members m JOIN events e ON e.run = m.run WHERE m.conversation = ?"
            f" ORDER BY m.place DESC LIMIT {6 * SHOWN}",
            *longest,
        ),
    )


def median(act: Callable[[], object], rounds: int) -> float:
    """Return the median of how long something takes, in milliseconds."""
    taken = []
    for _ in range(rounds):
        began = time.perf_counter()
        act()
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)


async def one_run(recorder: Recorder) -> float:
    """Play one run of two steps, and return how long it took, in milliseconds."""
    replies = [[RequestedCall("search_campus_info", {"query": "AI Club"})], "The AI Club meets every Thursday at 5 PM."]
    guardrail = Guardrail(refusal=REFUSAL)
    agent = Agent(ScriptedModel(replies), [search_campus_info], instructions="Answer.", guardrail=guardrail)
    began = time.perf_counter()
    async for _ in recorder.follow(agent.run("When does the AI Club meet?")):
        pass
    return 1000 * (time.perf_counter() - began)


async def measure_runs(path: Path, rounds: int) -> None:
    """Play runs with and without a journal, in turns."""
    recorders = {"kept": Recorder(path), "not kept": Recorder(None)}
    times: dict[str, list[float]] = {name: [] for name in recorders}
    for _ in range(rounds):
        for name, recorder in recorders.items():
            times[name].append(await one_run(recorder))
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    recorders["kept"].close()
    extra = medians["kept"] - medians["not kept"]
    print(f"a run of 12 events: kept {medians['kept']:.2f} ms, not kept {medians['not kept']:.2f} ms, +{extra:.2f} ms")


def measure(path: Path, runs: int, rounds: int) -> None:
    """Store the runs, unless they are there, and measure."""
    if not path.exists():
        fill(path, runs)
    for name, ours, plain in looks(path):
        own = median(ours, 15)
        print(f"{name:<30} {own:8.2f} ms   plain {median(plain, 15):8.2f} ms   (mark {MARK * 1000:.0f} ms)")
    with closing(Journal(path)) as journal:
        print(f"{'stats of everything':<30} {median(journal.statistics, 3):8.2f} ms")
    asyncio.run(measure_runs(path, rounds))


def main() -> None:
    """Measure, in a folder that is removed afterwards unless a file is named."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--journal", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(options.journal or Path(folder, "journal.db"), options.runs, options.rounds)


if __name__ == "__main__":
    main()
