"""Every quirk of the quirk server, played against the model alone: what is the wire's business must be mended here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from campus_agent.errors import ModelError
from campus_agent.models.chat_model import AssistantMessage, ModelRequest, ToolCall, ToolMessage, UserMessage
from campus_agent.models.openai_chat import OpenAIChatModel
from tests.models.played import ASK, TOOLS, Heard, heard
from tests.quirk_server import SCENARIOS, QuirkServer

FOUND = "- AI Club: meets every Thursday, code NONCE-17 (clubs.md)"
COUNTED = "The next Thursday is in 5 day(s), code NONCE-42."
QUESTION = UserMessage("When does the AI Club meet?")

# A history in which everything was asked and answered, so that the policy gives its answer.
AFTER = ModelRequest(
    "Be brief.",
    (
        QUESTION,
        AssistantMessage("", (ToolCall("aaaaaaaa1", "search_campus_info", {"query": "AI Club"}),)),
        ToolMessage("aaaaaaaa1", "search_campus_info", FOUND),
        AssistantMessage("", (ToolCall("aaaaaaaa2", "days_until_weekday", {"weekday": "Thursday"}),)),
        ToolMessage("aaaaaaaa2", "days_until_weekday", COUNTED),
    ),
    TOOLS,
)
# What the loop must deal with, because a reply is there and only its meaning is wrong.
FOR_THE_LOOP = {"runaway", "runaway-same", "stubborn-error", "stubborn-unknown", "choices-empty", "content-filter"}
BLANK = {"empty-once", "empty-forever", "space-only", "reasoning-only"}
ENDS_IN_ERROR = {name for name, one in SCENARIOS.items() if one.ends[0] == "provider_error"} - FOR_THE_LOOP - BLANK


async def one_call(model: OpenAIChatModel, request: ModelRequest) -> Heard | ModelError:
    try:
        return await heard(model.stream(request))
    except ModelError as error:
        return error
    finally:
        await model.aclose()


async def everything(quirks: QuirkServer, talk: Callable[..., OpenAIChatModel], request: ModelRequest, **options):
    few = asyncio.Semaphore(8)  # at a time: a busy machine must not look like a silent server

    async def call(name: str) -> Heard | ModelError:
        async with few:
            return await one_call(talk(quirks.base_url, name, **options), request)

    return dict(zip(SCENARIOS, await asyncio.gather(*map(call, SCENARIOS)), strict=True))


@pytest.mark.parametrize("stream", [True, False])
async def test_every_first_reply_is_a_call_an_answer_or_a_named_error(quirks, talk, stream: bool) -> None:
    quirks.reset()
    said = await everything(quirks, talk, ASK, stream=stream, first_byte_timeout=2)
    for name, result in said.items():
        if isinstance(result, ModelError):
            assert name in ENDS_IN_ERROR, result
            assert len(result.explanation.what) <= 400
            assert "<" not in str(result)
            continue
        assert result.reply.calls or name in {"no-tool", *FOR_THE_LOOP}, name
        assert "SECRET-THOUGHT" not in result.shown + result.reply.text
        assert not any(mark in result.shown for mark in ("<tool_call", "<function", "[TOOL", "<|", "```", "{")), name


@pytest.mark.parametrize("stream", [True, False])
async def test_every_answer_holds_what_the_tools_returned_and_nothing_of_the_template(
    quirks, talk, stream: bool
) -> None:
    quirks.reset()
    said = await everything(quirks, talk, AFTER, stream=stream, first_byte_timeout=2)
    for name, result in said.items():
        if isinstance(result, ModelError):
            assert name in ENDS_IN_ERROR, result
        elif result.reply.text:
            assert result.shown.strip() == result.reply.text or result.reply.finish == "length"
            assert "SECRET-THOUGHT" not in result.reply.text
            assert "<|" not in result.reply.text
        else:
            assert result.reply.calls or name in {*BLANK, *FOR_THE_LOOP}, name
    good = {name for name, result in said.items() if isinstance(result, Heard) and "NONCE-17" in result.reply.text}
    assert len(good) >= 75


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    "name", ["http-401", "http-403", "http-404-model", "http-404-html", "http-429-long", "no-tools"]
)
async def test_what_will_not_pass_is_asked_once(quirks, talk, name: str, stream: bool) -> None:
    quirks.reset()
    await one_call(talk(quirks.base_url, name, stream=stream), ASK)
    assert len(quirks.requests(model=name)) == 1


@pytest.mark.parametrize("name", ["http-502-html", "error-200"])
async def test_what_may_pass_is_asked_three_times(quirks, talk, name: str) -> None:
    quirks.reset()
    assert isinstance(await one_call(talk(quirks.base_url, name), ASK), ModelError)
    assert len(quirks.requests(model=name)) == 3


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        ("no-stream-options", "stream_options"),
        ("no-max-tokens", "max_tokens"),
        ("no-temperature", "temperature"),
    ],
)
async def test_a_refused_parameter_is_sent_once_a_session(quirks, talk, name: str, parameter: str) -> None:
    quirks.reset()
    model = talk(quirks.base_url, name)
    for request in (ASK, AFTER, ASK):
        await heard(model.stream(request))
    await model.aclose()
    assert [parameter in entry["body"] for entry in quirks.requests(model=name)] == [True, False, False, False]


async def test_a_refused_tool_choice_leaves_the_tools_out_on_the_last_step(quirks, talk) -> None:
    quirks.reset()
    last = ModelRequest(AFTER.system, AFTER.messages, TOOLS, "none")
    said = await one_call(talk(quirks.base_url, "no-tool-choice"), last)
    assert isinstance(said, Heard)
    assert "NONCE-17" in said.reply.text
    bodies = [entry["body"] for entry in quirks.requests(model="no-tool-choice")]
    assert [("tools" in body, "tool_choice" in body) for body in bodies] == [(True, True), (False, False)]


async def test_two_calls_in_the_history_are_split_for_a_server_that_takes_one(quirks, talk) -> None:
    calls = (ToolCall("a", "search_campus_info", {"query": "x"}), ToolCall("b", "get_current_time", {}))
    results = (ToolMessage("a", "search_campus_info", FOUND), ToolMessage("b", "get_current_time", "noon, NONCE-99"))
    said = await one_call(
        talk(quirks.base_url, "single-call"),
        ModelRequest("", (QUESTION, AssistantMessage("", calls), *results), TOOLS),
    )
    assert isinstance(said, Heard)
    assert "NONCE-17" in said.reply.text
    assert "NONCE-99" in said.reply.text
