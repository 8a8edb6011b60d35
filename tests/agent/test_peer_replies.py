"""What other agents read wrongly, row by row: steps as text, thoughts, blocks, calls and texts that were cut off."""

from __future__ import annotations

from typing import Any

import pytest

from campus_agent.agent.agent import Agent
from campus_agent.agent.events import Observed
from campus_agent.agent.outcome import Outcome
from campus_agent.models.assembly import Assembly
from campus_agent.models.chat_model import ModelRequest
from campus_agent.models.protocols.react_text import ReactTextModel
from campus_agent.models.scripted import ScriptedModel
from tests.agent.test_loop import CLUB_ANSWER, MakeAgent, events_of, only
from tests.models.played import delta

QUESTION = "When does the AI Club meet?"
LOOK = {"name": "search_campus_info", "arguments": '{"query": "AI Club"}'}


class Chunks:
    """A model whose server sends these chunks, a list of them for each call."""

    name, provider, protocol = "chunks", "test", "native"

    def __init__(self, *replies: list[dict[str, Any]]) -> None:
        self.replies = list(replies)

    async def stream(self, request: ModelRequest) -> Any:
        assembly = Assembly(frozenset(offered.name for offered in request.tools))
        for chunk in self.replies.pop(0):
            for piece in assembly.add(chunk):
                yield piece
        for piece in assembly.close():
            yield piece


def served(make_agent: MakeAgent, *replies: list[dict[str, Any]]) -> Agent:
    agent = make_agent([])
    agent.model = Chunks(*replies)
    return agent


def act(arguments: str = LOOK["arguments"], finish: str = "tool_calls") -> list[dict[str, Any]]:
    return [delta(tool_calls=[{"index": 0, "id": "a", "function": {**LOOK, "arguments": arguments}}]), delta(finish)]


def say(content: Any, finish: str = "stop") -> list[dict[str, Any]]:
    return [delta(content=content), delta(finish)]


DECK = "where is the observation deck"
AS_TEXT = {
    "plain": ('Thought: Hm.\nAction: search_campus_info\nAction Input: {"query": "AI Club"}', ["AI Club"]),
    "observation deck": (f"Action: search_campus_info\nAction Input: {DECK}", [DECK]),
    "two actions": (
        "Action: search_campus_info\nAction Input: AI Club\nAction: search_campus_info\nAction Input: lab",
        ["AI Club", "lab"],
    ),
    "bold": ("**Action:** search_campus_info\n**Action Input:** AI Club", ["AI Club"]),
    "numbered": ("Action 1: search_campus_info\nAction Input 1: AI Club\nObservation 1: x", ["AI Club"]),
    "lower case": ("action: search_campus_info\naction input: AI Club", ["AI Club"]),
    "invented observation": (
        "Action: search_campus_info\nAction Input: AI Club\nObservation: Friday\nFinal Answer: On Friday.",
        ["AI Club"],
    ),
}


@pytest.mark.parametrize(("text", "queries"), AS_TEXT.values(), ids=[f"N-T10 {name}" for name in AS_TEXT])
async def test_steps_written_as_text_are_read_and_an_invented_observation_is_dropped(
    make_agent: MakeAgent, text: str, queries: list[str]
) -> None:
    agent = make_agent([])
    agent.model = ReactTextModel(ScriptedModel([text, f"**Final Answer:** {CLUB_ANSWER}"]))
    result = await agent.ask(QUESTION)
    assert [(step.arguments or {})["query"] for step in result.steps] == queries
    assert (result.outcome, result.answer) == (Outcome.ANSWERED, CLUB_ANSWER)
    assert "Friday" not in "".join(message.text for message in agent.conversation.messages)


@pytest.mark.parametrize(
    ("reply", "steps"),
    [
        pytest.param(f"<think>Say Friday.</think>{CLUB_ANSWER}", 2, id="N-T11 before the answer"),
        pytest.param(f"Say Friday.</think>{CLUB_ANSWER}", 2, id="N-T11 only the end"),
        pytest.param("<think>Say Friday.", 3, id="N-T11 never ended"),
        pytest.param(f"<think>{CLUB_ANSWER} Friday.</think>", 3, id="N-T11 all of it"),
    ],
)
async def test_what_stands_in_think_tags_is_never_the_answer(make_agent: MakeAgent, reply: str, steps: int) -> None:
    agent = served(make_agent, act(), say(reply), say(CLUB_ANSWER))
    events = await events_of(agent)
    assert (events[-1].outcome, events[-1].answer) == (Outcome.ANSWERED, CLUB_ANSWER)  # type: ignore[union-attr]
    assert sum(event.kind == "step_started" for event in events) == steps
    assert "Friday" in "".join(event.text for event in events if event.kind == "thought_delta")


async def test_n_t11_an_action_inside_think_tags_is_recovered(make_agent: MakeAgent) -> None:
    agent = make_agent([])
    text = "Action: search_campus_info\nAction Input: AI Club"
    agent.model = ReactTextModel(Chunks(say(f"<think>{text}</think>"), say(f"Final Answer: {CLUB_ANSWER}")))
    result = await agent.ask(QUESTION)
    assert [step.status for step in result.steps] == ["ok"]
    assert result.answer == CLUB_ANSWER


async def test_n_t12_reasoning_beside_a_call_without_content_is_a_thought_and_the_call_runs(
    make_agent: MakeAgent,
) -> None:
    events = await events_of(served(make_agent, [delta(reasoning_content="I look.", content=""), *act()], say("Hi!")))
    assert [event.text for event in events if event.kind == "thought_delta"] == ["I look."]
    assert [event.status for event in only(events, Observed)] == ["ok"]


PART = {"type": "text", "text": CLUB_ANSWER}
CONTENTS = {
    "a text": CLUB_ANSWER,
    "one block": [PART],
    "two blocks": [{"type": "text", "text": CLUB_ANSWER[:9]}, {"type": "text", "text": CLUB_ANSWER[9:]}],
    "a list of texts": [CLUB_ANSWER],
    "beside a thought": [{"type": "thinking", "thinking": [{"type": "text", "text": "Friday?"}]}, PART],
}


@pytest.mark.parametrize("content", CONTENTS.values(), ids=[f"N-T13 {name}" for name in CONTENTS])
async def test_content_in_blocks_is_its_text(make_agent: MakeAgent, content: Any) -> None:
    assert (await served(make_agent, act(), say(content)).ask(QUESTION)).answer == CLUB_ANSWER


async def test_n_t14_a_text_that_was_cut_off_is_marked_and_a_call_that_was_cut_off_is_not_run(
    make_agent: MakeAgent,
) -> None:
    cut = await served(make_agent, act(), say("The AI Club meets every Thursday", "length")).ask(QUESTION)
    assert (cut.outcome, cut.complete) == (Outcome.TRUNCATED, False)
    result = await served(make_agent, act('{"query": "AI Cl', "length"), act(), say(CLUB_ANSWER)).ask(QUESTION)
    assert [step.status for step in result.steps] == ["error", "ok"]
    assert "cut off by the token limit" in (result.steps[0].observation or "")


async def test_n_t15_what_the_provider_withholds_is_no_answer(make_agent: MakeAgent) -> None:
    result = await served(make_agent, act(), say("The AI Club", "content_filter")).ask(QUESTION)
    assert (result.outcome, result.answer, result.exit_status) == (Outcome.FILTERED, None, 1)


async def test_n_t16_arguments_that_are_no_json_are_an_observation_for_the_model(make_agent: MakeAgent) -> None:
    result = await served(make_agent, act('{"query": AI}'), act(), say(CLUB_ANSWER)).ask(QUESTION)
    assert [step.status for step in result.steps] == ["error", "ok"]
    assert "not valid JSON" in (result.steps[0].observation or "")
    assert result.answer == CLUB_ANSWER


@pytest.mark.parametrize(
    ("raw", "query"),
    [
        pytest.param("{'query': 'x'}", "x", id="N-T17 single quotes"),
        pytest.param('{"query": "it\'s"}', "it's", id="N-T17 an apostrophe"),
        pytest.param("{'query': 'x', 'more': None}", "x", id="N-T17 None"),
        pytest.param('{"query": "WHERE region = \'EMEA\'"}', "WHERE region = 'EMEA'", id="N-T17 SQL"),
        pytest.param('{"query": NaN}', None, id="N-T17 NaN"),
        pytest.param("WHERE region = 'EMEA'", None, id="N-T17 bare SQL"),
    ],
)
async def test_arguments_are_repaired_only_into_an_object_and_never_inside_a_value(
    make_agent: MakeAgent, raw: str, query: str | None
) -> None:
    result = await served(make_agent, act(raw), act(), say(CLUB_ANSWER)).ask(QUESTION)
    assert (result.steps[0].arguments or {}).get("query") == query
    assert (result.steps[0].raw_arguments or raw) == raw
