"""Multiplies ordinary sentences: each way to tell a fact by ways to ask for it and to answer, rightly and wrongly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from campus_agent.guardrail.review import Evidence
from campus_agent.tools.tool import Source
from tests.guardrail.triples import Triple

_CLOCK = Evidence("get_current_time", "Wednesday, October 07, 2026 at 09:41 AM PDT")
# How many ways to ask and to answer each telling is tried with, in turn.
_ASKED, _ANSWERED = 1, 3


def load_plain(name: str) -> tuple[Triple, ...]:
    """Multiply the sentences of a file: of the things of a kind, each with a value, one is asked about.

    The wrong drafts give it the value of the next thing.
    """
    data = json.loads(Path(__file__).with_name(name).read_text("utf-8"))
    return tuple(triple for kind in data["kinds"] for triple in _multiplied(kind, data["half"]))


def _multiplied(kind: dict[str, Any], half: str) -> Iterator[Triple]:
    asks, answers = cycle(kind["ask"]), cycle(kind["answer"])
    for passages in _told(kind):
        evidence = (_search(passages), _CLOCK)
        for at, (thing, value) in enumerate(kind["things"]):
            _, wrong = kind["things"][(at + 1) % len(kind["things"])]
            for ask in islice(asks, _ASKED):
                question = _filled(ask, thing, value)
                for answer in islice(answers, _ANSWERED):
                    for given in (value, wrong):
                        unsupported = () if given == value else (wrong,)
                        draft = _filled(answer, thing, given)
                        yield Triple(half, kind["name"], question, draft, evidence, unsupported)


def _told(kind: dict[str, Any]) -> Iterator[list[tuple[str, str]]]:
    """Yield the passages that tell all things of a kind, alike or each otherwise: in one, in lines, in three."""
    tells, things, title = kind["tell"], kind["things"], kind["title"]
    for first in range(len(tells)):
        for step in (0, 1):
            used = [tells[(first + step * at) % len(tells)] for at in range(len(things))]
            told = [_filled(tell, *thing) for tell, thing in zip(used, things, strict=True)]
            yield [(title, " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in told))]
            yield [(title, "\n".join(told))]
            yield [(title, text) for text in told]
            yield [(thing.capitalize(), text) for (thing, _), text in zip(things, told, strict=True)]


def _filled(template: str, thing: str, value: str) -> str:
    return template.format(n=thing, N=thing[:1].upper() + thing[1:], v=value)


def _search(passages: list[tuple[str, str]]) -> Evidence:
    sources = tuple(
        Source(title=title, source="a.md", line=line, text=text) for line, (title, text) in enumerate(passages, 1)
    )
    lines = (f"- {one.title}: {one.text} (a.md, line {one.line})" for one in sources)
    return Evidence("search_campus_info", "\n".join(lines), sources)
