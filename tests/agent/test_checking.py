from __future__ import annotations

import threading
from typing import Any

import pytest

from campus_agent.agent.checking import reviewed
from campus_agent.agent.outcome import Outcome
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.settings import REFUSAL
from tests.agent.conftest import search
from tests.agent.test_loop import MakeAgent

LONG = "The AI Club meets every Thursday at 5 PM in room 204. " * 200


class Watched(Guardrail):
    """Notes on which thread a draft is checked."""

    threads: list[threading.Thread]

    def review(self, *args: Any, **options: Any) -> Any:
        self.__dict__.setdefault("threads", []).append(threading.current_thread())
        return super().review(*args, **options)


@pytest.mark.parametrize(("draft", "aside"), [("Hello!", False), (LONG, True)], ids=["short", "long"])
async def test_a_long_draft_is_checked_on_a_thread_of_its_own_and_a_short_one_at_once(draft: str, aside: bool) -> None:
    guardrail = Watched(refusal=REFUSAL)
    review = await reviewed(guardrail, draft, question="When?", evidence=())
    assert review == Guardrail(refusal=REFUSAL).review(draft, question="When?", evidence=())
    (thread,) = guardrail.threads
    assert (thread is not threading.current_thread()) is aside


@pytest.mark.parametrize("draft", ["The AI Club meets on Thursday at 5 PM.", LONG], ids=["short", "long"])
async def test_long_and_short_answers_end_in_the_same_way(make_agent: MakeAgent, draft: str) -> None:
    result = await make_agent([search(), draft]).ask("When does the AI Club meet?")
    assert result.outcome is Outcome.ANSWERED
