"""Measure how well the search finds answers: `python benchmarks/retrieval.py [PATH...]`; see --help.

PATH is a set of questions with their answers: a CSV file with the columns question, answer and perhaps category, or a
chatbot's intents as JSON; without one, the sets beside this file are used, which were written for this project. Only
the answers are indexed, under their category or tag, and every question is asked: the hard case, for a base that holds
the questions too finds more. Answers with the same text count as one, and small talk is left out.

For each set: hit@1, hit@3 and the mean reciprocal rank of rank-bm25 on lower-cased words split at spaces (the
baseline), of our ranking, of it without synonyms, with one typing error in each query, and of what is answered, which
is nothing where too little of the query is there. Then the share of questions that are said to be found, also of those
whose answer is among the first three, and of questions from elsewhere, in the language of the set where there are such,
the share that finds nothing, as it should.
With `--semantic local`, `minilm` or a FOLDER all of ours is searched by meaning too, and the same by words alone is
printed beside it.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import statistics
import string
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rank_bm25 import BM25Okapi

from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.index import Index
from campus_agent.knowledge.language import likely_language
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.search import Searcher
from campus_agent.knowledge.semantic.embedder import Embedder
from campus_agent.knowledge.semantic.meaning import Meaning
from campus_agent.knowledge.semantic.setting import Unavailable, embedder_of
from campus_agent.knowledge.semantic.store import VectorStore
from campus_agent.knowledge.synonyms import Synonyms
from campus_agent.knowledge.words import Words
from campus_agent.settings import Settings

_SMALL_TALK = ("general", "greeting", "greetings", "goodbye", "thanks", "small talk", "smalltalk")
_DEPTH = 1000  # answers looked through for the right one
_SETS = Path(__file__).parent / "sets"

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
    milliseconds: float

    def __str__(self) -> str:
        found = f"hit@1 {self.hit1:.3f}  hit@3 {self.hit3:.3f}  MRR {self.mrr:.3f}"
        return f"{found}  {self.milliseconds:.2f} ms a query"


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
    started = time.perf_counter()
    for question in questions:
        found = search(question.text)
        ranks.append(found.index(question.answer) + 1 if question.answer in found else float("inf"))
    milliseconds = (time.perf_counter() - started) * 1000 / len(questions)
    return Figures(
        hit1=statistics.mean(rank <= 1 for rank in ranks),
        hit3=statistics.mean(rank <= 3 for rank in ranks),
        mrr=statistics.mean(1 / rank for rank in ranks),
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


class NoSynonyms(Synonyms):
    """Knows none."""

    def __init__(self) -> None:
        super().__init__(Words("none"))


def ranking(
    passages: Sequence[Passage], language: str, embedder: Embedder | None = None, *, synonyms: bool = True
) -> Search:
    """Search as the product ranks, whether or not it would say that something was found."""
    words = Words(language)
    meaning = Meaning(embedder, passages, VectorStore(Path(os.devnull))) if embedder else None
    if meaning:
        meaning.start().result()
    searcher = Searcher(Index.build(passages, words), Synonyms(words) if synonyms else NoSynonyms(), meaning)
    return lambda query: [scored.passage.text for scored in searcher.ranked(query)]


def answering(base: KnowledgeBase) -> Search:
    """Search as the product answers: nothing when too little of the query is there."""
    return lambda query: [scored.passage.text for scored in base.search(query, _DEPTH).passages]


def with_a_slip(text: str, chance: random.Random) -> str:
    """Return `text` with one typing error in a word of five letters or more: left out, swapped, changed or doubled."""
    words = text.split()
    long = [position for position, word in enumerate(words) if len(word) >= 5 and word.isalpha()]
    if not long:
        return text
    position = chance.choice(long)
    word = words[position]
    at = chance.randrange(1, len(word) - 1)
    other = chance.choice(string.ascii_lowercase)
    slips = (
        word[:at] + word[at + 1 :],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + other + word[at + 1 :],
        word[:at] + word[at] + word[at:],
    )
    words[position] = chance.choice(slips)
    return " ".join(words)


def from_elsewhere(language: str) -> list[str]:
    """Return questions that no campus answers, in `language` where there are some, else in English."""
    own = _SETS / f"elsewhere-{language}.txt"
    return (own if own.exists() else _SETS / "elsewhere.txt").read_text(encoding="utf-8").splitlines()


def report(
    name: str, questions: Sequence[Question], elsewhere: Path | None, language: str, embedder: Embedder | None
) -> None:
    """Print the figures of one set."""
    answers = dict.fromkeys((q.group, q.answer) for q in questions)
    passages = [Passage(group, answer, name, None) for group, answer in answers]
    language = likely_language(passage.text for passage in passages) if language == "auto" else language
    base = KnowledgeBase("questions", passages, language=language)
    if embedder:
        base.understand(embedder)
    ours = ranking(passages, language, embedder)
    chance = random.Random(7)
    mistyped = [replace(q, text=with_a_slip(q.text, chance)) for q in questions]
    print(f"{name}: {len(questions)} questions, {len(passages)} answers")
    print(f"  rank-bm25         {measure(questions, baseline(passages))}")
    print(f"  ours              {measure(questions, ours)}")
    if embedder:
        print(f"  words alone       {measure(questions, ranking(passages, language))}")
    print(f"  without synonyms  {measure(questions, ranking(passages, language, embedder, synonyms=False))}")
    print(f"  one slip a query  {measure(mistyped, ours)}")
    print(f"  as answered       {measure(questions, answering(base))}")
    found = [base.search(q.text).found for q in questions]
    right = [at for at, q in enumerate(questions) if q.answer in ours(q.text)[:3]]
    others = elsewhere.read_text(encoding="utf-8").splitlines() if elsewhere else from_elsewhere(language)
    nothing = statistics.mean(not base.search(text).found for text in others)
    of_right = statistics.mean(found[at] for at in right) if right else 0.0
    print(f"  said to be found  {statistics.mean(found):.3f}, {of_right:.3f} where the answer is in the first three")
    print(f"  from elsewhere    nothing found for {nothing:.3f} of {len(others)} questions")


def main() -> None:
    """Print the figures of each question set."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    parser.add_argument("--language", default="auto")
    parser.add_argument("--semantic", default="off", help="search by meaning too: local, minilm or a FOLDER")
    parser.add_argument("--small-talk", action="store_true", help="ask greetings and the like too")
    parser.add_argument("--elsewhere", type=Path, help="questions that find nothing, one a line")
    options = parser.parse_args()
    try:
        embedder = embedder_of(Settings(semantic=options.semantic), {})
    except Unavailable as why:
        parser.error(f"--semantic {options.semantic}: {why}")
    for path in options.paths or sorted(path for path in _SETS.iterdir() if path.suffix != ".txt"):
        questions = read_questions(path, small_talk=options.small_talk)
        report(path.name, questions, options.elsewhere, options.language, embedder)


if __name__ == "__main__":
    main()
