"""Reads the labelled drafts: what was asked, what the tools returned, what was said, and what is wrong with it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from campus_agent.guardrail.review import Evidence

REFUSAL = "I don't have that information — check with the USC AI Club."


@dataclass(frozen=True)
class Triple:
    half: str
    sort: str
    question: str
    draft: str
    evidence: tuple[Evidence, ...]
    unsupported: tuple[str, ...]


def load() -> tuple[Triple, ...]:
    data = json.loads(Path(__file__).with_name("triples.json").read_text("utf-8"))
    return tuple(_triple(case, data["passages"], data["tools"]) for case in data["cases"])


def _triple(case: dict[str, Any], passages: dict[str, str], tools: dict[str, list[str]]) -> Triple:
    found = "\n".join(passages[name] for name in case["see"] if name in passages)
    evidence = [Evidence("search_campus_info", found)] if found else []
    evidence += [Evidence(*tools[name]) for name in case["see"] if name in tools]
    return Triple(
        half=case["half"],
        sort=case["sort"],
        question=case["question"],
        draft=case["draft"],
        evidence=tuple(evidence),
        unsupported=tuple(case["unsupported"]),
    )


def load_fresh(name: str = "fresh.json") -> tuple[Triple, ...]:
    """Drafts by campus; of the half "held out" no verdict was looked at while rules were written."""
    data = json.loads(Path(__file__).with_name(name).read_text("utf-8"))
    return tuple(
        _triple(
            {"half": campus["half"], "sort": sort, "see": see.split(), "question": question, "draft": draft}
            | {"unsupported": unsupported},
            campus["passages"],
            campus["tools"],
        )
        for campus in data["campuses"]
        for sort, see, question, draft, unsupported in campus["cases"]
    )
