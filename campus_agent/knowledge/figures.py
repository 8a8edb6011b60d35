"""A base in figures: how much there is of it, of what kind, and in which words."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.kinds import kind_of
from campus_agent.knowledge.language import languages_of
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.words import Words

_FREQUENT = 10  # words


@dataclass(frozen=True, slots=True)
class Share:
    """How much of a base is of one kind."""

    documents: int
    passages: int


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a base.

    Attributes:
        documents: how many.
        passages: how many.
        words: of all passages and their titles, however often each stands there.
        vocabulary: how many different words these are.
        kinds: the share of each kind of document, the one with most passages first.
        languages: how many documents are in each language, "none" where it cannot be told; of the first 500.
        longest: the passage with most characters.
        shortest: that with the fewest.
        frequent: the words that stand there most often and say something, with how often.
        kept: where the index of a large base is kept, and its size in bytes; None for one that is made at each start.
    """

    documents: int
    passages: int
    words: int
    vocabulary: int
    kinds: dict[str, Share]
    languages: dict[str, int]
    longest: Passage
    shortest: Passage
    frequent: tuple[tuple[str, int], ...]
    kept: tuple[Path, int] | None

    def as_json(self) -> dict[str, Any]:
        """Return the figures as `kb stats --json` prints them."""
        return {
            "documents": self.documents,
            "passages": self.passages,
            "words": self.words,
            "vocabulary": self.vocabulary,
            "kinds": {
                name: {"documents": share.documents, "passages": share.passages} for name, share in self.kinds.items()
            },
            "languages": self.languages,
            "longest": _measured(self.longest),
            "shortest": _measured(self.shortest),
            "frequent": [{"word": word, "count": count} for word, count in self.frequent],
            "index": None if self.kept is None else {"path": str(self.kept[0]), "bytes": self.kept[1]},
        }


def figures(base: KnowledgeBase) -> Figures:
    """Count a base, which has at least one passage; its index is built, and kept if it is large."""
    passages = tuple(base.passages)
    vocabulary = base.vocabulary
    documents = Counter(passage.document for passage in passages)
    of_kind: dict[str, Counter[str]] = defaultdict(Counter)
    for document, count in documents.items():
        of_kind[kind_of(document)][document] = count
    kinds = {kind: Share(len(counted), counted.total()) for kind, counted in of_kind.items()}
    return Figures(
        documents=len(documents),
        passages=len(passages),
        words=sum(vocabulary.values()),
        vocabulary=len(vocabulary),
        kinds=dict(sorted(kinds.items(), key=lambda item: (-item[1].passages, item[0]))),
        languages=dict(Counter(languages_of(passages).values()).most_common()),
        longest=max(passages, key=lambda passage: len(passage.text)),
        shortest=min(passages, key=lambda passage: len(passage.text)),
        frequent=_frequent(vocabulary, Words(base.language)),
        kept=_kept(base),
    )


def _frequent(vocabulary: Counter[str], words: Words) -> tuple[tuple[str, int], ...]:
    """Return the commonest words; the stop words, figures and single letters would be the same for every base."""
    telling = ((w, n) for w, n in vocabulary.items() if w not in words.stop and len(w) > 1 and not w.isnumeric())
    return tuple(sorted(telling, key=lambda item: (-item[1], item[0]))[:_FREQUENT])


def _kept(base: KnowledgeBase) -> tuple[Path, int] | None:
    if base.kept is None:
        return None
    return base.kept, sum(map(_bytes, base.kept.rglob("*")))


def _bytes(path: Path) -> int:
    """Return the size of a file, 0 for a folder and for what another process has just taken away."""
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0


def _measured(passage: Passage) -> dict[str, Any]:
    return {
        "characters": len(passage.text),
        "title": passage.title,
        "source": passage.source,
        "line": passage.line,
    }
