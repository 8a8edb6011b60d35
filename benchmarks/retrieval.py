"""Measure how well the search finds answers: `python benchmarks/retrieval.py PATH...` prints hit@1, hit@3 and MRR.

PATH is a set of questions with their answers: a CSV file with the columns question, answer and perhaps category, or a
chatbot's intents as JSON. Only the answers are indexed, under their category or tag, and every question is asked: the
hard case, for a base that holds the questions too finds more. Answers with the same text count as one, and small talk
is left out. The baseline, in the same run, is rank-bm25 on lower-cased words split at spaces.
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rank_bm25 import BM25Okapi

from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.index import Index
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.search import Searcher
from campus_agent.knowledge.words import Words

_SMALL_TALK = ("general", "greeting", "greetings", "goodbye", "thanks", "small talk", "smalltalk")
_DEPTH = 1000  # answers looked through for the right one

Search = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the group that it was filed under, and the text that answers it."""

    text: str
    group: str
    answer: str


@dataclass(frozen=True, slots=True)
class Figures:
    """How many of the questions found their answer first, in the first three, and the mean reciprocal rank; 0 to 1."""

    hit1: float
    hit3: float
    mrr: float
    nothing: float
    milliseconds: float

    def __str__(self) -> str:
        found = f"hit@1 {self.hit1:.3f}  hit@3 {self.hit3:.3f}  MRR {self.mrr:.3f}"
        return f"{found}  nothing found {self.nothing:.3f}  {self.milliseconds:.2f} ms a query"


def read_questions(path: Path, *, small_talk: bool = False) -> list[Question]:
    """Read a set of questions; of an intent's responses the first is the answer."""
    text = path.read_text(encoding="utf-8-sig")
    if path.suffix == ".csv":
        rows = csv.DictReader(text.splitlines())
        questions = [
            Question(row["question"], row.get("category") or "", row["answer"]) for row in rows if row["answer"]
        ]
    else:
        intents = json.loads(text)["intents"]
        questions = [Question(p, i["tag"], i["responses"][0]) for i in intents for p in i["patterns"]]
    return [q for q in questions if small_talk or q.group.lower() not in _SMALL_TALK]


def measure(questions: Sequence[Question], search: Search) -> Figures:
    """Ask every question; `search` returns the texts that it found, best first."""
    ranks: list[float] = []
    nothing = 0
    started = time.perf_counter()
    for question in questions:
        found = search(question.text)
        nothing += not found
        ranks.append(found.index(question.answer) + 1 if question.answer in found else float("inf"))
    milliseconds = (time.perf_counter() - started) * 1000 / len(questions)
    return Figures(
        hit1=statistics.mean(rank <= 1 for rank in ranks),
        hit3=statistics.mean(rank <= 3 for rank in ranks),
        mrr=statistics.mean(1 / rank for rank in ranks),
        nothing=nothing / len(questions),
        milliseconds=milliseconds,
    )


def baseline(passages: Sequence[Passage]) -> Search:
    """Search with rank-bm25 as it comes: the text without its title, split at spaces; a score above zero is a find."""
    bm25 = BM25Okapi([passage.text.lower().split() for passage in passages])

    def search(query: str) -> list[str]:
        scores = bm25.get_scores(query.lower().split())
        order = sorted(range(len(passages)), key=lambda i: (-scores[i], i))
        return [passages[i].text for i in order if scores[i] > 0]

    return search


def ranking(passages: Sequence[Passage], language: str) -> Search:
    """Search as the product ranks, whether or not it would say that something was found."""
    words = Words(language)
    searcher, index = Searcher(passages, words), Index(passages, words)

    def search(query: str) -> list[str]:
        return [passages[i].text for i, _ in index.ranked(searcher.understand(query).terms)]

    return search


def product(passages: Sequence[Passage], language: str) -> Search:
    """Search as the product answers: nothing when too little of the query is there."""
    base = KnowledgeBase("questions", passages, language=language)
    return lambda query: [scored.passage.text for scored in base.search(query, _DEPTH).passages]


def main() -> None:
    """Print the figures of each question set."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--language", default="english")
    parser.add_argument("--small-talk", action="store_true", help="ask greetings and the like too")
    options = parser.parse_args()
    for path in options.paths:
        questions = read_questions(path, small_talk=options.small_talk)
        answers = dict.fromkeys((q.group, q.answer) for q in questions)
        passages = [Passage(group, answer, path.name, None) for group, answer in answers]
        print(f"{path.name}: {len(questions)} questions, {len(passages)} answers")
        print(f"  rank-bm25       {measure(questions, baseline(passages))}")
        print(f"  our ranking     {measure(questions, ranking(passages, options.language))}")
        print(f"  with its floor  {measure(questions, product(passages, options.language))}")


if __name__ == "__main__":
    main()
