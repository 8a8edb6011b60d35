"""A passage with the words marked that bear an answer out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from textual.content import Content

from campus_agent.guardrail.review import CheckedFact
from campus_agent.text import one_line, plural
from campus_agent.tools.tool import Source
from campus_agent.tui.words import DIM, GOOD, line, plain

_LONGEST = 20_000  # characters of a passage that are shown
_MARK = f"{GOOD} bold underline"


def shown_passage(source: Source, facts: Sequence[CheckedFact]) -> Content:
    """Return a passage as it is read: its title, where it stands, its text, and what of the answer rests on it.

    Args:
        source: the passage.
        facts: the facts of the answer; those that this document supports are marked in the text.
    """
    where = source.source if source.line is None else f"{source.source}, line {source.line}"
    resting = [fact for fact in facts if fact.supported and fact.source == source.source]
    text = source.text[:_LONGEST]
    parts = [line(source.title, 200, "bold"), line(where, 300, DIM), Content(""), _marked(text, resting)]
    if len(source.text) > _LONGEST:
        parts.append(Content.styled(f"… {plural(len(source.text) - _LONGEST, 'more character')} in the document", DIM))
    if resting:
        named = dict.fromkeys(one_line(fact.text, 60) for fact in resting)
        parts += [Content(""), Content.assemble(("✓ supports  ", GOOD), " · ".join(named))]
    return Content("\n").join(parts)


def _marked(text: str, facts: Sequence[CheckedFact]) -> Content:
    content = plain(text)
    if len(content.plain) != len(text):  # carriage returns are dropped: no place in the text would be right
        text = content.plain
    for start, end in _places(text, facts):
        content = content.stylize(_MARK, start, end)
    return content


def _places(text: str, facts: Sequence[CheckedFact]) -> Iterator[tuple[int, int]]:
    """Yield where `text` says what the facts say: the same value in any writing, or else the same words."""
    from campus_agent.guardrail.facts import facts as read  # known only where an answer was checked

    there = read(text)
    for fact in facts:
        wanted = read(fact.text)
        same = [(found.start, found.end) for found in there if any(one.supported_by(found.gives) for one in wanted)]
        yield from same or ((m.start(), m.end()) for m in re.finditer(re.escape(fact.text), text, re.IGNORECASE))
