from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

import pytest
from pydantic import SecretStr

from campus_agent.errors import ModelError
from campus_agent.models.chat_model import (
    AssistantMessage,
    ModelRequest,
    RequestedCall,
    ToolCall,
    ToolMessage,
    Usage,
    UserMessage,
)
from campus_agent.models.failures import NoToolSupport
from campus_agent.models.openai_chat import OpenAIChatModel
from campus_agent.models.providers import Endpoint
from tests.models.played import ASK, HELLO, TOOLS, Heard, PlayedServer, delta, events, heard, respond, whole

YES = events(delta(content="Yes"), delta(content=", it does."), delta("stop"))
CUT = events(delta(content="It mee"), delta("length"))
CALL = {"id": "a", "type": "function", "function": {"name": "search_campus_info", "arguments": '{"query": "x"}'}}
CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def chunk(*items: Any) -> bytes:
    data = "".join(f"data: {json.dumps(item)}\n\n" for item in items).encode()
    return b"%x\r\n%s\r\n" % (len(data), data)


@pytest.fixture
def ask(talk):
    async def asked(server: PlayedServer, request: ModelRequest = HELLO, **options: Any) -> Heard:
        model = talk(server.base_url, options.pop("model", "m"), **options)
        try:
            return await heard(model.stream(request))
        finally:
            await model.aclose()

    return asked


async def failing(said: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await said
    return caught.value


# ---- what is sent ----------------------------------------------------------------------------------------------------


async def test_nothing_of_the_environment_leaves_with_a_request(ask, monkeypatch) -> None:
    names = ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID", "WEBHOOK_SECRET", "BASE_URL")
    for name in names:
        monkeypatch.setenv(f"OPENAI_{name}", f"http://leaked-{name}")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer leaked\nX-Extra: leaked\nUser-Agent: leaked")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    async with PlayedServer(YES) as server:
        await ask(server)
        _, headers, _ = server.requests[0]
    assert "leaked" not in json.dumps(server.requests)
    assert set(headers) <= {
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "host",
        "user-agent",
    }


async def test_the_key_of_the_endpoint_goes_along_and_shows_nowhere(ask, monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer leaked")
    error = respond(401, '{"error": {"message": "Incorrect API key: own-key"}}')
    async with PlayedServer(YES, error) as server:
        endpoint = Endpoint("custom", server.base_url, SecretStr("own-key"), "m", "the server", True)
        await ask(server, endpoint=endpoint)
        failure = await failing(ask(server, endpoint=endpoint))
    assert [headers["authorization"] for _, headers, _ in server.requests] == ["Bearer own-key"] * 2
    assert "own-key" not in str(failure)
    assert "CAMPUS_AGENT_API_KEY" in failure.explanation.next


async def test_a_redirect_to_another_origin_is_refused_and_gets_nothing(ask) -> None:
    async with PlayedServer(YES) as other:
        away = respond(307, "", f"Location: {other.base_url}/chat/completions")
        async with PlayedServer(away) as server:
            endpoint = Endpoint("custom", server.base_url, SecretStr("own-key"), "m", "the server", True)
            failure = await failing(ask(server, endpoint=endpoint))
        assert other.requests == []
        assert other.base_url.removesuffix("/v1") in failure.explanation.what
        assert len(server.requests) == 1


async def test_a_redirect_on_the_same_server_is_followed_unless_it_loses_the_body(ask) -> None:
    async with PlayedServer(respond(308, "", "Location: /v2/chat/completions"), YES) as server:
        assert (await ask(server)).reply.text == "Yes, it does."
    assert [first.split()[:2] for first, _, _ in server.requests][1] == ["POST", "/v2/chat/completions"]
    async with PlayedServer(respond(302, "", "Location: /login")) as server:
        assert "redirects" in str(await failing(ask(server)))


# ---- replies ---------------------------------------------------------------------------------------------------------


async def test_a_streamed_reply_is_shown_as_it_comes_and_its_tokens_are_counted(ask) -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}
    async with PlayedServer(events(delta(content="Yes"), delta(content="."), delta("stop"), usage)) as server:
        said = await ask(server)
    assert (said.shown, said.reply.text, said.reply.usage) == (
        "Yes.",
        "Yes.",
        Usage(prompt_tokens=7, completion_tokens=2),
    )
    assert server.bodies[0]["stream"] is True


async def test_a_whole_reply_is_read_the_same_way(ask) -> None:
    async with PlayedServer(whole(content="<think>Hm.</think>Yes.", tool_calls=[CALL])) as server:
        said = await ask(server, ASK, stream=False)
    assert (said.reply.text, said.reply.thought) == ("Yes.", "Hm.")
    assert said.reply.calls == (RequestedCall("search_campus_info", '{"query": "x"}', "a"),)
    assert server.bodies[0]["stream"] is False


async def test_a_blank_stream_is_asked_for_whole_and_lost_tool_calls_are_remembered(talk) -> None:
    async with PlayedServer(
        events(delta("stop")), whole(content="", tool_calls=[CALL]), whole(content="Yes.")
    ) as server:
        model = talk(server.base_url)
        first, second = await heard(model.stream(ASK)), await heard(model.stream(ASK))
        await model.aclose()
    assert len(first.reply.calls) == 1
    assert second.reply.text == "Yes."
    assert [body["stream"] for body in server.bodies] == [True, False, False]


async def test_a_single_blank_stream_does_not_end_streaming(talk) -> None:
    async with PlayedServer(events(delta("stop")), whole(content="Yes."), YES) as server:
        model = talk(server.base_url)
        assert [(await heard(model.stream(ASK))).reply.text for _ in range(2)] == ["Yes.", "Yes, it does."]
        await model.aclose()
    assert [body["stream"] for body in server.bodies] == [True, False, True]


async def test_a_reply_that_was_cut_is_asked_for_once_more_with_twice_the_room(ask) -> None:
    async with PlayedServer(CUT, YES) as server:
        said = await ask(server, max_tokens=100)
    assert (said.withdrawn, said.shown, said.reply.finish) == (1, "Yes, it does.", "stop")
    assert [body["max_tokens"] for body in server.bodies] == [100, 200]


@pytest.mark.parametrize("again", [CUT, respond(400, '{"error": {"message": "200 is above the limit of max_tokens"}}')])
async def test_what_was_cut_is_kept_when_more_room_does_not_help(ask, again: bytes) -> None:
    async with PlayedServer(CUT, again, again, CUT) as server:
        said = await ask(server, max_tokens=100)
    assert (said.reply.text, said.reply.finish) == ("It mee", "length")


async def test_a_reply_that_is_withheld_says_so(ask) -> None:
    async with PlayedServer(events(delta("content_filter", content=""))) as server:
        assert (await ask(server)).reply.finish == "filter"


async def test_half_a_character_from_a_server_can_be_sent_back(talk) -> None:
    half = {**CALL, "function": {"name": "search_campus_info", "arguments": '{"query": "\\ud83e"}'}}
    async with PlayedServer(whole(content="\ud83e", tool_calls=[half]), YES) as server:
        model = talk(server.base_url)
        reply = (await heard(model.stream(ASK))).reply
        calls = (ToolCall("a", "search_campus_info", json.loads(str(reply.calls[0].arguments))),)
        result = ToolMessage("a", "search_campus_info", "\ud83e")
        history = (*ASK.messages, AssistantMessage(reply.text, calls), result)
        assert (await heard(model.stream(ModelRequest("\ud83e", history, TOOLS)))).reply.text == "Yes, it does."
        await model.aclose()


# ---- failures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "first",
    [
        respond(500, '{"error": {"message": "overloaded"}}'),
        respond(503, '{"error": {"message": "Loading model"}}'),
        respond(429, '{"error": {"message": "slow down"}}', "Retry-After: 0"),
        events(delta(content="It mee"), {"error": {"message": "Internal server error", "code": 500}}),
        [CHUNKED, chunk(delta(content="It mee"))],
        [CHUNKED, chunk(delta(content="It mee")), b"0\r\n\r\n"],
        [],
        [b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", b'{"choices": [{'],
        respond(200, '{"choices": [{'),
        [CHUNKED, chunk(delta(content="It mee")), None],
    ],
    ids=["500", "503", "429", "error event", "drop", "no end", "no reply", "short", "half a document", "silence"],
)
async def test_a_try_that_fails_is_followed_by_another_and_takes_back_what_it_showed(ask, first: Any) -> None:
    async with PlayedServer(first, YES) as server:
        said = await ask(server)
    assert (said.reply.text, said.shown) == ("Yes, it does.", "Yes, it does.")
    assert len(server.requests) == 2
    assert "trying again (2 of 3)" in said.notes[0]
    assert "waiting" not in said.notes[0]


@pytest.mark.parametrize(
    ("reply", "tries"),
    [
        (respond(500, ""), 3),
        (respond(401, ""), 1),
        (respond(404, "<html></html>"), 1),
        (respond(400, '{"error": "no"}'), 1),
        (respond(429, '{"error": {"code": "insufficient_quota", "message": "quota"}}'), 1),
        (respond(429, "", "Retry-After: 3600"), 1),
        (respond(200, "<html>Sign in to the campus network</html>", kind="text/html"), 1),
        ([None], 2),
    ],
)
async def test_it_is_not_tried_for_ever(ask, reply: Any, tries: int) -> None:
    async with PlayedServer(reply) as server:
        failure = await failing(ask(server, first_byte_timeout=0.3 if reply == [None] else 30.0))
    assert len(server.requests) == tries
    assert failure.explanation.next


@pytest.mark.parametrize("length", [b"Content-Length: 900000000", b"Connection: close"])
async def test_of_a_refusal_without_end_only_the_beginning_is_read(ask, length: bytes) -> None:
    head = b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\n" + length + b"\r\n\r\n"
    async with PlayedServer([head, b"The model is asleep. " * 20_000, None]) as server:
        failure = await failing(ask(server))
    assert "answered 400: The model is asleep." in failure.explanation.what
    assert len(failure.explanation.what) <= 400


async def test_retries_are_tries_after_the_first(ask) -> None:
    async with PlayedServer(respond(500, "")) as server:
        await failing(ask(server, request_retries=0))
        assert len(server.requests) == 1
        await failing(ask(server, request_retries=4))
        assert len(server.requests) == 6


async def test_a_server_that_is_not_there_is_named(talk) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        failure = await failing(heard(talk(address).stream(HELLO)))
    assert address in failure.explanation.cause


async def test_a_reply_that_said_it_was_over_counts_although_its_end_is_missing(ask) -> None:
    for end in ([], [None], [b"0\r\n\r\n"]):
        async with PlayedServer([CHUNKED, chunk(delta(content="Yes."), delta("stop")), *end]) as server:
            assert (await ask(server)).reply.text == "Yes."
        assert len(server.requests) == 1


async def test_a_server_that_never_says_that_it_is_over_is_believed_the_second_time(ask) -> None:
    async with PlayedServer([CHUNKED, chunk(delta(content="Yes.")), b"0\r\n\r\n"]) as server:
        said = await ask(server)
    assert (said.reply.text, said.shown, len(server.requests)) == ("Yes.", "Yes.", 2)


async def test_comments_between_the_events_are_skipped(ask) -> None:
    comments = [b"c\r\n: waiting\n\n\n\r\n"] * 5
    async with PlayedServer([CHUNKED, *comments, chunk(delta("stop", content="Yes.")), b"0\r\n\r\n"]) as server:
        assert (await ask(server)).reply.text == "Yes."
    assert len(server.requests) == 1


async def test_a_slow_reader_is_not_taken_for_a_silent_server(talk, monkeypatch) -> None:
    loop, late, read = asyncio.get_running_loop(), 0.0, asyncio.Event()
    clock = loop.time
    monkeypatch.setattr(loop, "time", lambda: clock() + late)
    rest = [read, chunk(delta("stop", content=".")), b"0\r\n\r\n"]
    async with PlayedServer([CHUNKED, chunk(delta(content="Yes")), *rest]) as server:
        model = talk(server.base_url, idle_timeout=5)
        pieces = []
        async for piece in model.stream(HELLO):
            pieces.append(piece)
            late += 60
            read.set()
        await model.aclose()
    assert (Heard(pieces).reply.text, len(server.requests)) == ("Yes.", 1)


async def test_what_a_server_refuses_is_left_out_from_then_on(talk) -> None:
    refusal = respond(400, '{"error": {"message": "Unsupported parameter: \'temperature\'"}}')
    async with PlayedServer(refusal, YES) as server:
        model = talk(server.base_url)
        said = await heard(model.stream(HELLO))
        await heard(model.stream(HELLO))
        await model.aclose()
    assert ["temperature" in body for body in server.bodies] == [True, False, False]
    assert said.notes == ["The server takes no temperature; it uses its own."]


async def test_a_model_without_tools_is_an_error_of_its_own(ask) -> None:
    async with PlayedServer(respond(400, '{"error": {"message": "gemma:2b does not support tools"}}')) as server:
        with pytest.raises(NoToolSupport, match="gemma:2b does not support tools"):
            await ask(server, ASK)
    assert len(server.requests) == 1


# ---- the model's name, and life --------------------------------------------------------------------------------------


async def test_without_a_name_the_first_model_of_the_server_is_used_and_said(talk) -> None:
    listing = respond(200, '{"data": [{"id": "nomic-embed-text"}, {"id": "qwen2.5"}]}')
    async with PlayedServer(listing, YES) as server:
        model = talk(server.base_url, None)
        assert model.name == ""
        first, second = await heard(model.stream(HELLO)), await heard(model.stream(HELLO))
        await model.aclose()
    assert model.name == "qwen2.5"
    assert "qwen2.5" in first.notes[0]
    assert second.notes == []
    assert [body and body["model"] for body in server.bodies] == [None, "qwen2.5", "qwen2.5"]


@pytest.mark.parametrize(
    "listing", ['{"data": []}', '{"data": 5}', "5", "true", "[" * 9_000, "{}", "[]", "null", '"x"', "<html>"]
)
async def test_a_server_that_lists_no_model_is_asked_for_none(talk, listing: str) -> None:
    async with PlayedServer(respond(200, listing)) as server:
        failure = await failing(heard(talk(server.base_url, None).stream(HELLO)))
    assert "--model" in failure.explanation.next


def test_one_model_serves_several_event_loops(quirks, talk) -> None:
    model = talk(quirks.base_url, "no-tool")

    async def once() -> str:
        return (await heard(model.stream(ASK))).reply.text

    assert len({asyncio.run(once()) for _ in range(3)}) == 1


async def test_a_call_that_is_cancelled_leaves_the_model_usable(talk) -> None:
    async with PlayedServer([CHUNKED, chunk(delta(content="Yes")), None], YES) as server:
        model: OpenAIChatModel = talk(server.base_url, idle_timeout=30)
        shown = asyncio.Event()

        async def listen() -> None:
            async for _ in model.stream(HELLO):
                shown.set()

        task = asyncio.create_task(listen())
        await shown.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await heard(model.stream(HELLO))).reply.text == "Yes, it does."
        await model.aclose()


async def test_a_connection_is_used_again_from_one_request_to_the_next(quirks, talk) -> None:
    model = talk(quirks.base_url, "no-tool")
    connections = 0
    connect = asyncio.get_running_loop().create_connection

    async def counted(*args: Any, **options: Any) -> Any:
        nonlocal connections
        connections += 1
        return await connect(*args, **options)

    asyncio.get_running_loop().create_connection = counted  # type: ignore[method-assign]
    for n in range(3):
        await heard(model.stream(ModelRequest("", (UserMessage(f"Hello {n}"),), TOOLS)))
    await model.aclose()
    assert connections == 1
