"""The model calls beside the steps: each is counted, asked of the gate, and ended by the deadline and by a cancel."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from campus_agent.agent.events import Reviewed, StepFinished
from campus_agent.agent.gate import BeforeAct, BeforeModel, Decision, Go, Stop
from campus_agent.agent.outcome import Outcome
from campus_agent.models.chat_model import ModelRequest, Reply, Usage
from campus_agent.models.scripted import ScriptedModel
from tests.agent.conftest import search
from tests.agent.test_loop import CLUB_ANSWER, MakeAgent, events_of, only
from tests.agent.test_second_layer import OTHER_ANSWER, QUESTION, requests


class Hanging(ScriptedModel):
    """Plays its script, and then never replies again."""

    def __init__(self, replies: list[Any]) -> None:
        super().__init__(replies)
        self.left = len(replies)
        self.reached = asyncio.Event()

    async def stream(self, request: ModelRequest) -> Any:
        if self.left == len(self.requests):
            self.reached.set()
            await asyncio.Event().wait()
        async for piece in super().stream(request):
            yield piece


async def test_the_tokens_of_every_call_count_and_each_is_said_once(make_agent: MakeAgent) -> None:
    one = Usage(prompt_tokens=10, completion_tokens=1)
    texts = [OTHER_ANSWER, "Name the day.", CLUB_ANSWER, "yes"]
    script = [Reply(calls=tuple(search()), usage=one), *(Reply(text, usage=one) for text in texts)]
    events = await events_of(make_agent(script, reflection_rounds=1, verifier=True))
    assert events[-1].usage == Usage(prompt_tokens=50, completion_tokens=5)  # type: ignore[union-attr]
    counted = [e.usage for e in events if isinstance(e, (StepFinished, Reviewed))]
    assert sum(usage.prompt_tokens for usage in counted if usage) == 50
    assert [e.usage.prompt_tokens for e in only(events, StepFinished)] == [10, 20]


PURPOSES = ["plan", "step", "step", "critic", "rewrite", "verifier"]
WHOLE = ["answer: say when", search(), OTHER_ANSWER, "Name the day.", CLUB_ANSWER, "yes"]


async def test_the_gate_is_asked_before_every_model_call_and_told_what_it_is_for(make_agent: MakeAgent) -> None:
    asked: list[BeforeModel] = []

    async def watch(moment: BeforeModel | BeforeAct) -> Decision:
        if isinstance(moment, BeforeModel):
            asked.append(moment)
        return Go()

    agent = make_agent(WHOLE, plan=True, reflection_rounds=1, verifier=True, gate=watch)
    assert (await agent.ask(QUESTION)).outcome is Outcome.ANSWERED
    assert [moment.purpose for moment in asked] == PURPOSES
    assert [moment.step for moment in asked] == [0, 1, 2, 2, 2, 2]


@pytest.mark.parametrize("place", range(len(WHOLE)), ids=PURPOSES)
async def test_stopping_cancelling_or_running_out_of_time_in_any_call_ends_the_run(
    make_agent: MakeAgent, place: int
) -> None:
    options: dict[str, Any] = {"plan": True, "reflection_rounds": 1, "verifier": True}
    asked: list[BeforeModel] = []

    async def stop(moment: BeforeModel | BeforeAct) -> Decision:
        asked.extend([moment] if isinstance(moment, BeforeModel) else [])
        return Stop() if len(asked) > place else Go()

    stopped = make_agent(WHOLE, gate=stop, **options)
    assert (await stopped.ask(QUESTION)).outcome is Outcome.CANCELLED
    assert len(requests(stopped)) == place

    late = make_agent([], deadline=0.2, **options)
    late.model = Hanging(WHOLE[:place])
    result = await late.ask(QUESTION)
    assert (result.outcome, result.answer) == (Outcome.DEADLINE, None)
    assert late.conversation.messages == ()

    cancelled = make_agent([], **options)
    cancelled.model = model = Hanging(WHOLE[:place])
    task = asyncio.create_task(cancelled.ask(QUESTION))
    await model.reached.wait()
    cancelled.cancel()
    assert (await task).outcome is Outcome.CANCELLED
    assert cancelled.conversation.messages == ()


@pytest.mark.parametrize("place", range(1, len(WHOLE)), ids=PURPOSES[1:])
async def test_no_call_begins_after_the_deadline(
    make_agent: MakeAgent, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    now = [0.0]
    monkeypatch.setattr("campus_agent.agent.budgets.monotonic", lambda: now[0])

    def late(_: ModelRequest) -> Any:
        now[0] += 200
        return WHOLE[place - 1]

    script = [*WHOLE[: place - 1], late, *WHOLE[place:]]
    agent = make_agent(script, plan=True, reflection_rounds=1, verifier=True, deadline=180)
    assert (await agent.ask(QUESTION)).outcome is Outcome.DEADLINE
    assert len(requests(agent)) == place


async def test_without_a_second_layer_nothing_is_added(make_agent: MakeAgent) -> None:
    agent = make_agent([search(), CLUB_ANSWER])
    events = await events_of(agent)
    assert {e.kind for e in events}.isdisjoint({"planned", "plan_ticked", "reviewing", "reviewed", "note"})
    assert len(requests(agent)) == 2
