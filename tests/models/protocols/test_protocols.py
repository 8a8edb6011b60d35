"""Each protocol from question to outcome, through the loop."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from campus_agent.agent.agent import Agent
from campus_agent.agent.instructions import correction, search_first
from campus_agent.agent.outcome import Outcome
from campus_agent.agent.result import RunResult
from campus_agent.errors import SettingsError
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.models.chat_model import (
    AnswerPiece,
    AnswerWithdrawn,
    AssistantMessage,
    ModelRequest,
    Reply,
    Usage,
    UserMessage,
)
from campus_agent.models.failures import NoSchemaSupport, NoToolSupport
from campus_agent.models.openai_chat import OpenAIChatModel
from campus_agent.models.protocols import with_protocol
from campus_agent.models.protocols.auto import AutoModel
from campus_agent.models.protocols.react_text import PROMPT, ReactTextModel
from campus_agent.models.scripted import ScriptedModel
from campus_agent.settings import REFUSAL
from tests.agent.conftest import search
from tests.agent.test_quirks import COUNTED, FOUND, days_until_weekday, get_current_time, search_campus_info
from tests.models.played import PlayedServer, delta, events, heard, whole
from tests.quirk_server import QuirkServer

QUESTION = "When does the AI Club meet?"
ANSWER = "It meets on Thursday at 5 PM."


def decide(**decision) -> str:
    return json.dumps({"thought": "One step.", "decision": decision})


def step(tool: str, **arguments) -> str:
    return f"Thought: One step.\nAction: {tool}\nAction Input: {json.dumps(arguments)}\n"


def request(*messages) -> ModelRequest:
    return ModelRequest("", messages or (UserMessage(QUESTION),), (search_campus_info.schema,))


WRITTEN: dict[str, dict[str, Callable[..., str]]] = {
    "json": {
        "call": lambda tool, **arguments: decide(tool=tool, arguments=arguments),
        "answer": lambda text: decide(answer=text),
        "broken": lambda: '{"thought": "Hm.", "decision": {"tool": ',
    },
    "text": {
        "call": step,
        "answer": lambda text: f"Thought: I know.\nFinal Answer: {text}",
        "broken": lambda: "Thought: Hm.\nAction: let me think",
    },
}


@pytest.fixture(params=["json", "text"])
def protocol(request) -> str:
    return request.param


@pytest.fixture
def agent(make_agent, protocol: str) -> Callable[..., Agent]:
    """Return a function that makes an agent of a script of written calls: `agent(("call", ...), ("answer", ...))`."""

    def make(*script, **options) -> Agent:
        replies = [WRITTEN[protocol][kind](*given, **named) for kind, given, named in script]
        made: Agent = make_agent(replies, **options)
        made.model = with_protocol(made.model, protocol)
        return made

    return make


def call(tool: str = "search_campus_info", **arguments):
    return "call", (tool,), arguments


def answer(text: str = ANSWER):
    return "answer", (text,), {}


BROKEN = ("broken", (), {})
BROKEN_SAID = {"json": "not valid JSON", "text": "No tool call was found"}


async def kinds(agent: Agent, question: str = QUESTION) -> list[str]:
    return [event.kind async for event in agent.run(question)]


# ---- json and text alike ---------------------------------------------------------------------------------------------


async def test_a_search_and_an_answer_make_a_run_like_any_other(agent, protocol: str) -> None:
    made = agent(call(query="AI Club"), answer())
    seen = await kinds(made)
    assert [kind for kind in dict.fromkeys(seen)] == [
        "run_started",
        "step_started",
        "thought_delta",
        "acting",
        "observed",
        "step_finished",
        "answer_delta",
        "grounding_checked",
        "run_finished",
    ]
    result = made.result
    assert (result.outcome, result.answer) == (Outcome.ANSWERED, ANSWER)
    assert [(one.tool, one.arguments, one.status) for one in result.steps] == [
        ("search_campus_info", {"query": "AI Club"}, "ok")
    ]
    assert result.notes == ()
    assert made.model.protocol == protocol


async def test_the_next_question_follows_from_the_conversation(agent) -> None:
    made = agent(call(query="AI Club"), answer(), answer("In room 204."))
    await made.ask(QUESTION)
    second = await made.ask("And in which room?")
    assert (second.outcome, second.answer) == (Outcome.ANSWERED, "In room 204.")


async def test_unreadable_replies_are_counted_and_sent_back(agent, protocol: str) -> None:
    once = await agent(BROKEN, call(query="AI Club"), answer()).ask(QUESTION)
    twice = await agent(BROKEN, BROKEN, answer()).ask(QUESTION)
    assert (once.outcome, twice.outcome) == (Outcome.ANSWERED, Outcome.MALFORMED)
    assert once.steps[0].status == "error"
    assert once.steps[0].observation
    assert BROKEN_SAID[protocol] in once.steps[0].observation


async def test_the_gatekeeper_judges_written_calls_like_any_other(agent) -> None:
    made = agent(call("web_search", q="x"), call(nothing=1), call(query="AI Club"), answer())
    result = await made.ask(QUESTION)
    assert [one.status for one in result.steps] == ["error", "error", "ok"]
    assert "Tool 'web_search' is not available." in (result.steps[0].observation or "")
    assert result.outcome is Outcome.ANSWERED


async def test_a_draft_without_a_search_is_sent_back_and_searched_for(agent) -> None:
    result = await agent(answer("On Tuesday."), call(query="AI Club"), answer()).ask(QUESTION)
    assert (result.outcome, result.answer) == (Outcome.ANSWERED, ANSWER)


async def test_the_last_step_is_for_the_answer(agent) -> None:
    made = agent(call(query="AI Club"), call(query="AI Club again"), max_steps=2)
    result = await made.ask(QUESTION)
    assert result.outcome is Outcome.STEP_LIMIT
    assert result.steps[-1].status == "skipped"


# ---- text ------------------------------------------------------------------------------------------------------------


async def test_what_a_model_invents_after_its_action_reaches_neither_history_nor_answer(make_agent) -> None:
    invented = f"{step('search_campus_info', query='AI Club')}Observation: On Friday.\nFinal Answer: On Friday."
    agent = make_agent([invented, f"Final Answer: {ANSWER}"])
    inner = agent.model
    agent.model = ReactTextModel(inner)
    result = await agent.ask(QUESTION)
    assert result.answer == ANSWER
    assert "Friday" not in repr(inner.requests[1].messages)
    assert "Friday" not in result.model_dump_json()


async def test_a_stream_that_breaks_is_read_from_its_beginning_again(make_agent) -> None:
    again = [AnswerPiece("Thought: Hm.\nAction: "), AnswerPiece("search_campus_info\nAction Input: AI Club"), Reply()]
    script = [[AnswerPiece("Final Answer: On Friday"), AnswerWithdrawn(), *again], f"Final Answer: {ANSWER}"]
    agent = make_agent(script)
    agent.model = ReactTextModel(agent.model)
    seen = [event async for event in agent.run(QUESTION)]
    assert [event.reason for event in seen if event.kind == "answer_withdrawn"] == ["retried"]
    assert "".join(event.text for event in seen if event.kind == "thought_delta") == "Hm."
    assert agent.result.answer == ANSWER


@pytest.mark.parametrize(
    "content",
    [
        f"<think>Final Answer: secret</think>{step('search_campus_info', query='x')}",
        f"Final Answer: secret</think>{step('search_campus_info', query='x')}",
        f"<think>{step('search_campus_info', query='x')}</think>",
        f"<think>secret\n{step('search_campus_info', query='x')}",
    ],
)
@pytest.mark.parametrize("stream", [True, False], ids=["streaming", "whole"])
async def test_what_a_model_thinks_is_no_answer_and_what_it_does_is_found(talk, content: str, stream: bool) -> None:
    reply = events(delta(content=content), delta("stop")) if stream else whole(content=content)
    async with PlayedServer(reply) as server:
        inner = talk(server.base_url, stream=stream)
        said = await heard(with_protocol(inner, "text").stream(request()))
        await inner.aclose()
    assert [call.name for call in said.reply.calls] == ["search_campus_info"]
    assert "secret" not in said.shown + said.reply.text


@pytest.mark.parametrize(
    "part", ["{tools}", "{tool_names}", "Thought:", "Action:", "Action Input:", "Observation:", "Final Answer:"]
)
def test_a_prompt_that_lost_a_part_is_refused_by_its_name(part: str) -> None:
    assert ReactTextModel(ScriptedModel([]), prompt=PROMPT.upper().replace("{TOOL", "{tool").replace("S}", "s}"))
    with pytest.raises(SettingsError) as refused:
        ReactTextModel(ScriptedModel([]), prompt=PROMPT.replace(part, "").replace("NAMES", ""))
    assert part in refused.value.explanation.what


async def test_a_prompt_of_ones_own_is_filled_in_and_may_hold_braces() -> None:
    inner = ScriptedModel(["Final Answer: x"])
    model = ReactTextModel(inner, prompt=PROMPT + '\nAn object looks like {"query": "x"}.')
    tools = (search_campus_info.schema,)
    await heard(model.stream(ModelRequest("", (UserMessage("?"),), tools)))
    assert inner.requests[0].system.endswith('An object looks like {"query": "x"}.')
    assert "{tool" not in inner.requests[0].system


# ---- auto ------------------------------------------------------------------------------------------------------------


async def test_a_model_that_calls_tools_stays_native(make_agent) -> None:
    agent = make_agent([search(), ANSWER])
    agent.model = AutoModel(agent.model)
    result = await agent.ask(QUESTION)
    assert (result.outcome, result.notes, agent.model.protocol) == (Outcome.ANSWERED, (), "native")


async def test_refusals_lead_down_step_by_step_and_are_remembered() -> None:
    inner = ScriptedModel(
        [NoToolSupport("no tools"), NoSchemaSupport("no schema"), "Final Answer: x", "Final Answer: y"]
    )
    model = AutoModel(inner)
    first, second = await heard(model.stream(request())), await heard(model.stream(request()))
    assert (first.reply.text, second.reply.text, model.protocol) == ("x", "y", "text")
    assert [bool(note) for note in first.notes] == [True, True]
    assert second.notes == []
    assert len(inner.requests) == 4


@pytest.mark.parametrize(
    ("script", "error"),
    [([NoSchemaSupport("x")], NoSchemaSupport), ([NoToolSupport("x"), NoToolSupport("y")], NoToolSupport)],
)
async def test_a_refusal_of_what_was_not_asked_for_is_an_error(script: list[Exception], error: type[Exception]) -> None:
    with pytest.raises(error):
        await heard(AutoModel(ScriptedModel(script)).stream(request()))


async def test_json_that_holds_no_decision_leads_to_text() -> None:
    model = AutoModel(ScriptedModel([NoToolSupport("x"), '{"query": "x"}', "Final Answer: x"]))
    said = await heard(model.stream(request()))
    assert (said.reply.text, model.protocol) == ("x", "text")


async def test_a_second_draft_without_a_call_is_withdrawn_and_asked_for_in_json(make_agent) -> None:
    used = Usage(prompt_tokens=1, completion_tokens=1)
    decisions = decide(tool="search_campus_info", arguments={"query": "x"}), decide(answer=ANSWER)
    script = [[AnswerPiece(text), Reply(text, usage=used)] for text in ("On Tuesday.", "On Monday.", *decisions)]
    agent = make_agent(script)
    agent.model = AutoModel(agent.model)
    seen = [event async for event in agent.run(QUESTION)]
    assert [event.reason for event in seen if event.kind == "answer_withdrawn"] == ["rejected", "retried"]
    result: RunResult = agent.result
    assert (result.outcome, result.answer, result.usage) == (
        Outcome.ANSWERED,
        ANSWER,
        Usage(prompt_tokens=4, completion_tokens=4),
    )
    assert len(result.notes) == 1
    assert agent.model.protocol == "json"
    assert max(event.step for event in seen if event.kind == "step_started") == 3


async def test_a_model_that_has_called_a_tool_before_is_not_moved(make_agent) -> None:
    agent = make_agent([search(), "On Tuesday.", ANSWER])
    agent.model = AutoModel(agent.model)
    assert (await agent.ask(QUESTION)).answer == ANSWER
    assert agent.model.protocol == "native"


@pytest.mark.parametrize("complaint", [correction(["x"], has_evidence=False), search_first()])
async def test_every_way_of_sending_a_draft_back_is_recognised(complaint: str) -> None:
    inner = ScriptedModel(["On Monday.", decide(answer="x")])
    model = AutoModel(inner)
    draft = (AssistantMessage("On Tuesday."), UserMessage(complaint))
    said = await heard(model.stream(request(UserMessage(QUESTION), *draft)))
    assert (said.shown, said.withdrawn, model.protocol) == ("x", 1, "json")
    assert AnswerWithdrawn() in said.pieces
    assert inner.requests[1].messages == (UserMessage(QUESTION),)


async def test_a_model_that_calls_nothing_in_json_either_is_asked_for_text_the_next_time(make_agent) -> None:
    act = 'Thought: I look.\nAction: search_campus_info\nAction Input: {"query": "x"}'
    first = ["On Tuesday.", "On Monday.", decide(answer="On Sunday.")]
    then = [decide(answer="On Tuesday."), "On Monday, it says.", act, f"Thought: I know.\nFinal Answer: {ANSWER}"]
    agent = make_agent([*first, *then])
    agent.model = AutoModel(agent.model)
    one, two = await agent.ask(QUESTION), await agent.ask(QUESTION)
    assert (one.outcome, two.outcome, two.answer) == (Outcome.REFUSED, Outcome.ANSWERED, ANSWER)
    assert agent.model.protocol == "text"


# ---- against a server ------------------------------------------------------------------------------------------------


def served(inner: OpenAIChatModel, protocol: str) -> Agent:
    tools = [search_campus_info, get_current_time, days_until_weekday]
    model = with_protocol(inner, protocol)
    return Agent(model, tools, instructions="Answer.", guardrail=Guardrail(refusal=REFUSAL))


@pytest.mark.parametrize("stream", [True, False], ids=["streaming", "whole"])
@pytest.mark.parametrize(
    ("name", "asked", "used"),
    [
        ("good", "auto", "native"),
        ("json-only", "auto", "json"),
        ("json-only", "json", "json"),
        ("json-only@ignores=1", "auto", "json"),
        ("text-only", "auto", "text"),
        ("text-only", "text", "text"),
    ],
)
async def test_a_server_is_asked_in_the_way_that_it_can_answer(
    quirks: QuirkServer, talk, name: str, asked: str, used: str, stream: bool
) -> None:
    quirks.reset()
    agent = served(talk(quirks.base_url, name, stream=stream, first_byte_timeout=5, idle_timeout=2), asked)
    first, second = await agent.ask(QUESTION), await agent.ask("And how many days are left?")
    await agent.model.aclose()
    assert agent.model.protocol == used
    for result in (first, second):
        assert result.outcome is Outcome.ANSWERED
        assert FOUND in (result.answer or "")
        assert COUNTED in (result.answer or "")
    assert second.notes == ()


async def test_a_server_that_ignores_the_schema_may_write_its_calls_in_markup(quirks: QuirkServer, talk) -> None:
    quirks.reset()
    agent = served(talk(quirks.base_url, "no-tools", first_byte_timeout=5, idle_timeout=2), "auto")
    result = await agent.ask(QUESTION)
    await agent.model.aclose()
    assert [one.tool for one in result.steps] == ["search_campus_info", "days_until_weekday"]
    assert result.outcome is Outcome.ANSWERED
