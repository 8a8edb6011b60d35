"""Finds the documents that a draft cites though nothing that was looked up came from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from campus_agent.guardrail.finding import Finding, Said, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.relation import Places
from campus_agent.guardrail.words import stems

_DOCUMENT = re.compile(
    r"(?<![\w@./-])[\w./-]{0,200}?(?P<file>[\w-]{1,80}\.(?:md|pdf|txt|rtf|docx?|odt|html?|csv|xlsx?|pptx?|json|ya?ml|toml))(?![\w@/-])",
    re.IGNORECASE,
)


def invented_sources(draft: Said, seen: Iterable[str], ground: Ground) -> Iterator[Finding]:
    """Yield every document, or other source, that the draft names and no text of `seen` does."""
    read = "\n".join(seen)
    files = {found["file"].lower() for found in _DOCUMENT.finditer(read)}
    places = Places(ground)
    for sentence in draft.sentences:
        named = [
            (found["file"], found.start("file"))
            for found in _DOCUMENT.finditer(draft.text, sentence.start, sentence.end)
            if found["file"].lower() not in files
            and not any(fact.start <= found.start("file") < fact.end for fact in draft.inside(sentence))
        ]
        for found in ground.lexicon.pattern("cited").finditer(draft.text, sentence.start, sentence.end):
            what = found["what"] or found["named"]
            if not _DOCUMENT.search(what) and not stems(what, ground.language) <= stems(read, ground.language):
                named.append((what, found.start("what" if found["what"] else "named")))
        for text, start in named:
            yield Finding(claim(text, start, "name"), places.of(sentence)[sentence.clause_at(start)], None)
