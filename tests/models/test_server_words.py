"""What servers say instead of a reply, over the wire."""

from __future__ import annotations

import json

import pytest
from pydantic import SecretStr

from campus_agent.errors import ModelError
from campus_agent.models.chat_model import AssistantMessage, ModelRequest, ToolCall, ToolMessage, UserMessage
from campus_agent.models.openai_chat import OpenAIChatModel
from campus_agent.models.providers import Endpoint
from tests.models.played import ASK, HELLO, TOOLS, Heard, PlayedServer, delta, events, heard, respond, whole

KEY = "sk-SECRET-0123456789"
TALK = ModelRequest(
    "",
    (
        UserMessage("When?"),
        AssistantMessage("", (ToolCall("a", "search_campus_info", {}, {"extra_content": {"signature": "SIG"}}),)),
        ToolMessage("a", "search_campus_info", "Thursday"),
        UserMessage("Answer now."),
    ),
    TOOLS,
)


async def ask(server: PlayedServer, request: ModelRequest = HELLO, *, stream: bool = True) -> Heard:
    endpoint = Endpoint("custom", server.base_url, SecretStr(KEY), "m", "the server", True)
    model = OpenAIChatModel(endpoint, stream=stream, backoff=0.001)
    try:
        return await heard(model.stream(request))
    finally:
        await model.aclose()


def error(status: int, message: str, **keys: str) -> bytes:
    return respond(status, json.dumps({"error": {"message": message, **keys}}))


@pytest.mark.parametrize("stream", [True, False])
async def test_a_question_that_the_provider_s_filter_stops_is_withheld_at_once(stream: bool) -> None:
    async with PlayedServer(error(400, "The prompt was filtered.", code="content_filter")) as server:
        said = await ask(server, stream=stream)
    assert (said.reply.text, said.reply.finish, len(server.requests)) == ("", "filter", 1)


@pytest.mark.parametrize("stream", [True, False])
async def test_an_error_that_is_written_as_an_answer_is_asked_again_and_then_said(stream: bool) -> None:
    broken = events(delta(content="Error: "), delta("error")) if stream else whole("error", content="Error: timeout")
    good = events(delta(content="Yes."), delta("stop")) if stream else whole(content="Yes.")
    async with PlayedServer(broken, good) as server:
        assert (await ask(server, stream=stream)).shown in ("Yes.", "")
    async with PlayedServer(broken) as server:
        with pytest.raises(ModelError):
            await ask(server, stream=stream)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "message", ["You exceeded your current quota.", "Incorrect API key provided.", "maximum context length is 10"]
)
async def test_what_cannot_pass_is_not_tried_again_although_it_came_with_status_200(message: str) -> None:
    async with PlayedServer(events({"error": {"message": message}})) as server:
        with pytest.raises(ModelError):
            await ask(server)
    assert len(server.requests) == 1


async def test_a_redirect_in_circles_is_followed_a_few_times_and_no_more() -> None:
    async with PlayedServer(respond(307, "", "Location: /v1/chat/completions")) as server:
        with pytest.raises(ModelError, match="circles"):
            await ask(server)
    assert len(server.requests) == 4


@pytest.mark.parametrize("status", [400, 405, 501])
async def test_a_server_that_does_not_stream_is_asked_for_the_whole_reply(status: int) -> None:
    async with PlayedServer(error(status, "Streaming is not supported"), whole(content="Yes.")) as server:
        assert (await ask(server)).reply.text == "Yes."
    assert [body["stream"] for body in server.bodies] == [True, False]


async def test_what_a_server_demands_of_its_history_it_gets() -> None:
    refusals = (
        error(400, "Unexpected role 'user' after role 'tool'"),
        error(400, "Function call is missing a thought_signature"),
        error(400, "Missing `reasoning_content` field in the assistant message"),
    )
    async with PlayedServer(*refusals, whole(content="Yes.")) as server:
        said = await ask(server, TALK, stream=False)
    _, calling, _, between, _ = server.bodies[-1]["messages"]
    assert (said.reply.text, len(said.notes)) == ("Yes.", 3)
    assert (between["role"], bool(between["content"])) == ("assistant", True)
    assert (calling["tool_calls"][0]["extra_content"], calling["reasoning_content"]) == ({"signature": "SIG"}, "")


@pytest.mark.parametrize("stream", [True, False])
async def test_a_key_that_a_server_sends_back_is_seen_by_nobody(stream: bool) -> None:
    call = {"id": "a", "function": {"name": "search_campus_info", "arguments": json.dumps({"query": KEY})}}
    said = {"content": f"It is {KEY}.", "reasoning": KEY, "tool_calls": [call]}
    letters = [delta(content=letter) for letter in said["content"]]
    reply = events(delta(reasoning=KEY), *letters, delta(tool_calls=[call]), delta("stop")) if stream else whole(**said)
    async with PlayedServer(reply) as server:
        heard = await ask(server, ASK, stream=stream)
    assert KEY not in repr(heard.pieces)
    assert heard.reply.text == "It is ***."
    for body in (respond(401, f"{'x' * 190} {KEY}"), b"HTTP/1.1 200 OK\r\n" + b"x" * 180 + KEY.encode() + b"\r\n\r\n"):
        async with PlayedServer(body) as server:
            with pytest.raises(ModelError) as caught:
                await ask(server, stream=stream)
        assert KEY[:10] not in str(caught.value)
