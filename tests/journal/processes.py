"""Children of one process that write into one journal: killed at a random moment, or side by side.

python processes.py killed JOURNAL ROUNDS   ->  prints how many events were shown, and which of them are missing
python processes.py together JOURNAL SECONDS  ->  prints the notes that were shown, and how many runs ended how
python processes.py once JOURNAL            ->  one run, and the journal is left
python processes.py full JOURNAL BYTES      ->  prints the outcome of each run, and the notes; 0 bytes: no limit but
                                                that of the disk, which is then full
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from stored import agent, notes, record

from campus_agent.journal.recorder import Recorder
from campus_agent.journal.store import Journal

_MANY = 10_000


async def endless(path: Path, show: Callable[[bytes], object]) -> None:
    recorder = Recorder(path)
    for _ in range(_MANY):
        async for event in recorder.follow(agent().run("When?")):
            show(f"{event.run_id} {event.seq}\n".encode())


def killed(path: Path, rounds: int) -> None:
    dice = random.Random(7)
    shown = 0
    for _ in range(rounds):
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            asyncio.run(endless(path, partial(os.write, writing)))
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            lines = [pipe.readline() for _ in range(dice.randrange(1, 60))]
            os.kill(child, signal.SIGKILL)
            lines += pipe.readlines()
        os.waitpid(child, 0)
        shown += len(lines)
        with Journal(path) as journal:
            ids = dict.fromkeys(line.split()[0].decode() for line in lines)
            stored = {f"{event.run_id} {event.seq}\n".encode() for id in ids for event in journal.events(id)}
        print(*(f"missing {line!r}" for line in lines if line not in stored), sep="\n", end="")
    print("shown", shown)


def together(path: Path, seconds: float) -> None:
    async def several() -> None:
        recorder = Recorder(path)
        end = time.monotonic() + seconds
        ended: Counter[str] = Counter()
        while not ended or time.monotonic() < end:
            events = await record(recorder, agent(*(["Hello! What would you like to know?"] * 40)), *["Hi"] * 40)
            ended.update(event.outcome for event in events if event.kind == "run_finished")
            print(*(f"{text}\n" for text in notes(events) if "journal" in text), sep="", end="")
        recorder.close()
        print(*(f"{outcome} {number}\n" for outcome, number in ended.items()), sep="", end="", flush=True)

    child = os.fork()
    asyncio.run(several())
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


def once(path: Path) -> None:
    recorder = Recorder(path)
    asyncio.run(record(recorder, agent(), "And elsewhere?"))
    recorder.close()


def full(path: Path, size: int) -> None:
    import resource

    async def several() -> None:
        recorder = Recorder(path)
        if size:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        for number in range(40):
            shown = await record(recorder, agent(), f"{number}?" + " word" * 400)
            print(shown[-1].outcome, *notes(shown))
        recorder.close()

    asyncio.run(several())


if __name__ == "__main__":
    way, where, *more = sys.argv[1:]
    if way == "killed":
        killed(Path(where), int(more[0]))
    elif way == "together":
        together(Path(where), float(more[0]))
    elif way == "once":
        once(Path(where))
    else:
        full(Path(where), int(more[0]))
