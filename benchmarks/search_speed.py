"""How fast a search is, beside rank-bm25 and bm25s, and how fast a large base starts.

Run: python benchmarks/search_speed.py [--sizes 1000,10000,100000] [--queries 60] [--no-start]

The passages are made up: 80 words each, drawn from 50,000 as often as words are in a language (Zipf), and the queries
are five words of one passage, so they hold common ones. All engines are given the same terms and the same idf, and each
returns the best ten. "whole search" is what the assistant does: reading the query, ranking, and judging what was found.
The ratio is that of the median to the median of `BM25Okapi.get_scores` alone, in the same run.
The start is measured in processes of their own: reading and indexing for the first time, again from what was kept, and
after one of the files was changed; each is all from the start of Python to the end of the first search.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from rank_bm25 import BM25Okapi

from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.inverted import Inverted, idf
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.words import NO_LANGUAGE

_WORDS, _LENGTH, _BEST = 50_000, 80, 10
_FILES = 100
_FIRST_SEARCH = """
import sys, time
from campus_agent.knowledge.base import KnowledgeBase
loading = time.perf_counter()
base = KnowledgeBase.load([sys.argv[1]], language="none")
searching = time.perf_counter()
found = base.search(sys.argv[2]).passages
print(len(base.passages), searching - loading, time.perf_counter() - searching, time.process_time())
"""


def corpus(size: int, seed: int = 1) -> list[list[str]]:
    """Make up passages."""
    chance = np.random.default_rng(seed)
    weights = 1 / np.arange(1, _WORDS + 1)
    drawn = chance.choice(_WORDS, size=(size, _LENGTH), p=weights / weights.sum())
    names = [f"w{number}" for number in range(_WORDS)]
    return [[names[number] for number in row] for row in drawn]


def queries(passages: Sequence[Sequence[str]], count: int) -> list[list[str]]:
    """Take five words each from some of the passages."""
    chance = random.Random(2)
    return [list(dict.fromkeys(chance.sample(list(chance.choice(passages)), 5))) for _ in range(count)]


def timed(
    name: str, asked: Sequence[Sequence[str]], search: Callable[[list[str]], object], base: float | None
) -> float:
    """Print the median and the 95th percentile of a search in milliseconds, and return the median."""
    taken = []
    for query in asked:
        began = time.perf_counter()
        search(list(query))
        taken.append((time.perf_counter() - began) * 1000)
    median, high = statistics.median(taken), sorted(taken)[int(len(taken) * 0.95)]
    ratio = f"{base / median:7.1f} x" if base else "      1 x"
    print(f"  {name:<34} p50 {median:8.3f} ms   p95 {high:8.3f} ms {ratio}", flush=True)
    return median


def best(scores: np.ndarray) -> list[int]:
    """Return the positions of the best, equal ones in their order."""
    least = np.partition(scores, -_BEST)[-_BEST]
    there = np.flatnonzero((scores >= least) & (scores > 0))
    return there[np.lexsort((there, -scores[there]))][:_BEST].tolist()  # type: ignore[no-any-return]


def compare(size: int, count: int) -> None:
    """Print a line an engine for a base of `size` passages."""
    passages = corpus(size)
    asked = queries(passages, count)
    print(f"{size:,} passages")
    began = time.perf_counter()
    okapi = BM25Okapi(passages)
    inverted_began = time.perf_counter()
    inverted = Inverted.build(passages)
    ended = time.perf_counter()
    okapi.idf = {term: idf(size, inverted.having(term)) for term in inverted.terms}
    print(f"  built: rank-bm25 {inverted_began - began:.2f} s, ours {ended - inverted_began:.2f} s")
    reference = timed("rank-bm25, scores", asked, okapi.get_scores, None)
    timed("rank-bm25, scores and best", asked, lambda query: best(okapi.get_scores(query)), reference)
    timed("ours, scores and best", asked, lambda query: best(inverted.scores(query)), reference)
    if importlib.util.find_spec("bm25s"):
        import bm25s

        engine = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
        engine.index(passages, show_progress=False)
        timed(
            "bm25s, scores and best",
            asked,
            lambda query: engine.retrieve([query], k=_BEST, show_progress=False),
            reference,
        )
    else:
        print("  bm25s is not installed: pip install bm25s")
    exact = [(okapi.get_scores(query), inverted.scores(query)) for query in asked[:10]]
    apart = max(float(np.abs(one - other).max()) for one, other in exact)
    same = all(best(one) == best(other) for one, other in exact)
    print(f"  scores differ by at most {apart:.1e}, ranking {'the same' if same else 'NOT the same'}")
    base = KnowledgeBase(
        "made up", [Passage("", " ".join(terms), "a", n) for n, terms in enumerate(passages)], language=NO_LANGUAGE
    )
    base.prepare()
    base.search("w1")
    timed("ours, whole search", asked, lambda query: base.search(" ".join(query)), reference)


def start(size: int) -> None:
    """Print how long a base of `size` passages in files takes from nothing to the first answer."""
    passages = corpus(size)
    query = " ".join(queries(passages, 1)[0])
    with tempfile.TemporaryDirectory() as folder:
        kb = Path(folder) / "kb"
        kb.mkdir()
        each = -(-size // _FILES)
        for number in range(_FILES):
            rows = passages[number * each : (number + 1) * each]
            lines = [json.dumps({"title": f"Part {number}", "text": " ".join(words)}) for words in rows]
            (kb / f"part{number:03}.jsonl").write_text("\n".join(lines))
        environ = {**os.environ, "XDG_CACHE_HOME": folder, "HOME": folder, "LOCALAPPDATA": folder}
        print(f"Start with {size:,} passages in {_FILES} files")
        _start("for the first time", kb, query, environ)
        for _ in range(3):
            _start("from what was kept", kb, query, environ)
        changed = kb / "part000.jsonl"
        changed.write_text(changed.read_text() + '\n{"title": "New", "text": "A passage that was not there."}')
        _start("after a file changed", kb, query, environ)
        kept = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file() and kb not in path.parents)
        print(f"  kept on the disk: {kept / 1e6:.0f} MB")


def _start(name: str, kb: Path, query: str, environ: dict[str, str]) -> None:
    began = time.perf_counter()
    command = [sys.executable, "-c", _FIRST_SEARCH, str(kb), query]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    whole = time.perf_counter() - began
    count, load, search, processor = done.stdout.split()
    print(
        f"  {name:<20} {whole:6.2f} s in all: load {float(load):.3f} s, first search {float(search):.3f} s, "
        f"{float(processor):.2f} s of processor time ({count} passages)"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--no-start", action="store_true", help="leave out the start, which takes a minute")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    for size in sizes:
        compare(size, options.queries)
    if not options.no_start:
        start(max(sizes))


if __name__ == "__main__":
    main()
