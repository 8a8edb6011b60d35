"""Checks a draft against its evidence without holding anything else up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from campus_agent.daemon_threads import on_a_thread
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence, Review

_AT_ONCE = 4_000  # characters that are checked in a few milliseconds


async def reviewed(guardrail: Guardrail, draft: str, *, question: str, evidence: Sequence[Evidence]) -> Review:
    """Return what the guardrail says of a draft; a long one is checked on a thread, as it may take seconds."""
    review = partial(guardrail.review, draft, question=question, evidence=evidence)
    if len(draft) <= _AT_ONCE:
        return review()
    return await on_a_thread(review)
