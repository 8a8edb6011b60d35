"""The checks of the server, against one that answers well and many that do not."""

from __future__ import annotations

import asyncio
import json
import socket

import pytest

from campus_agent.models.chat_model import AnswerPiece
from campus_agent.models.openai_chat import OpenAIChatModel
from tests.models.played import PlayedServer, delta, events, respond, whole

LISTED = respond(200, json.dumps({"data": [{"id": "m1"}, {"id": "m2"}]}))
HELLO = whole(content="Hello.")
STREAMED = events(delta(content="Hel"), delta(content="lo."), delta("stop"))
CALLED = whole(
    "tool_calls",
    tool_calls=[
        {"id": "c", "type": "function", "function": {"name": "look_up_word", "arguments": '{"word": "campus"}'}}
    ],
)
GREETING = whole(content='{"greeting": "Hello."}')
SERVER = ["address", "key", "model", "streaming", "native tools", "JSON schema"]


def statuses(checks, *names):
    return [checks[name].status.value for name in names]


@pytest.fixture
def closed_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"


async def test_a_server_that_can_do_everything_passes_every_check(examined):
    async with PlayedServer(LISTED, HELLO, STREAMED, CALLED, GREETING) as server:
        checks = await examined(base_url=server.base_url, model="m1", api_key="sk-secret")
    assert list(checks) == ["provider", *SERVER, "clock", "knowledge base", "semantic", "terminal"]
    assert statuses(checks, "provider", *SERVER) == ["ok"] * 7
    assert checks["address"].found == f"{server.base_url} answers, and lists 2 models"
    assert checks["key"].found == "api_key (CAMPUS_AGENT_API_KEY) is set, and accepted"
    assert checks["model"].found.startswith("m1 replied in ")
    assert checks["native tools"].found == "the model called look_up_word"


async def test_each_request_is_tiny_and_asks_for_what_it_checks(examined):
    async with PlayedServer(LISTED, HELLO, STREAMED, CALLED, GREETING) as server:
        await examined(base_url=server.base_url, model="m1")
    listing, greeting, streamed, tools, schema = server.bodies
    assert listing is None
    assert [body["stream"] for body in (greeting, streamed, tools, schema)] == [False, True, False, False]
    assert [tool["function"]["name"] for tool in tools["tools"]] == ["look_up_word"]
    assert "greeting" in json.dumps(schema["response_format"])
    assert all(len(json.dumps(body)) < 1000 and body["max_tokens"] <= 200 for body in server.bodies[1:])


async def test_no_secret_is_shown_although_the_server_repeats_it(examined):
    refused = respond(401, '{"error": {"message": "sk-secret is no key"}}')
    async with PlayedServer(refused) as server:
        checks = await examined(base_url=server.base_url, model="m1", api_key="sk-secret")
    assert statuses(checks, "address", "key", "model") == ["ok", "failed", "skipped"]
    assert "sk-secret" not in str(checks)


async def test_the_offline_model_has_no_server_to_check(examined):
    checks = await examined()
    assert statuses(checks, "provider", *SERVER) == ["ok", *["not_applicable"] * 6]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"provider": "nvidia"}, "NVIDIA_API_KEY"),
        ({"provider": "nonsense"}, "nonsense"),
        ({"base_url": "ftp://localhost"}, "base_url"),
        ({"base_url": "https://models.example/v1"}, "CAMPUS_AGENT_API_KEY"),
        ({"base_url": "https://models.example/v1", "api_key": "k"}, "--model"),
    ],
)
async def test_settings_that_lead_to_no_server_are_said_and_its_checks_skipped(examined, settings, words):
    checks = await examined(**settings)
    assert statuses(checks, "provider", *SERVER) == ["failed", *["skipped"] * 6]
    assert words in f"{checks['provider'].found} {checks['provider'].next}"
    assert checks["provider"].next
    assert checks["clock"].status == "ok"


async def test_a_closed_port_fails_the_address_and_skips_what_rests_on_it(examined, closed_port):
    checks = await examined(base_url=closed_port, model="m")
    assert statuses(checks, *SERVER) == ["failed", *["skipped"] * 5]
    assert closed_port in checks["address"].found
    assert "--base-url" in checks["address"].next
    assert checks["model"].found == "skipped: the address has to work first"


async def test_a_server_that_never_answers_is_given_up(examined):
    async with PlayedServer([None]) as server:
        checks = await examined(base_url=server.base_url, model="m", first_byte_timeout=0.05)
    assert statuses(checks, "address", "key") == ["failed", "skipped"]
    assert "0.05 s" in checks["address"].found
    assert "--first-byte-timeout" in checks["address"].next


async def test_a_reply_that_never_ends_is_given_up(examined, monkeypatch):
    async def never(self, request):
        yield AnswerPiece("Hello")
        await asyncio.Event().wait()

    monkeypatch.setattr(OpenAIChatModel, "stream", never)
    async with PlayedServer(LISTED) as server:
        checks = await examined(base_url=server.base_url, model="m", first_byte_timeout=0.04, idle_timeout=0.01)
    assert statuses(checks, "address", "key", "model", "streaming") == ["ok", "ok", "failed", "skipped"]
    assert "0.05 s" in checks["model"].found
    assert "--first-byte-timeout" in checks["model"].next


@pytest.mark.parametrize(
    ("model", "failing", "advice"),
    [
        ("http-401", "key", "CAMPUS_AGENT_API_KEY"),
        ("http-403", "model", "--model"),
        ("http-404-model", "model", "--model"),
        ("http-404-html", "model", "--base-url"),
        ("no-such-model", "model", "campus-agent models"),
        ("http-502-html", "model", "Try again"),
        ("choices-empty", "model", "--model"),
        ("error-200", "model", "Try again"),
    ],
)
async def test_what_the_server_refuses_fails_the_check_that_is_about_it(examined, quirks, model, failing, advice):
    checks = await examined(base_url=quirks.base_url, model=model)
    assert [name for name in SERVER if checks[name].status == "failed"] == [failing]
    assert advice in checks[failing].next
    after = SERVER[SERVER.index(failing) + 1 :]
    assert statuses(checks, *after) == ["skipped"] * len(after)


async def test_a_key_that_is_not_the_fault_is_not_said_to_be_accepted(examined, quirks):
    checks = await examined({"CAMPUS_AGENT_API_KEY": "k"}, base_url=quirks.base_url, model="http-404-model")
    assert (checks["key"].status, checks["key"].found) == ("ok", "api_key (CAMPUS_AGENT_API_KEY) is set")


async def test_a_server_without_a_list_of_models_is_used_all_the_same(examined):
    async with PlayedServer(respond(404, "{}"), HELLO, STREAMED, CALLED, GREETING) as server:
        checks = await examined(base_url=server.base_url, model="m1")
    assert statuses(checks, *SERVER) == ["warning", *["ok"] * 5]
    assert "--base-url" in checks["address"].next


async def test_a_model_that_is_not_named_is_the_first_of_the_list(examined):
    async with PlayedServer(LISTED, LISTED, HELLO, LISTED, STREAMED, LISTED, CALLED, LISTED, GREETING) as server:
        checks = await examined(base_url=server.base_url)
    assert checks["model"].found.startswith("m1 replied in ")
    assert statuses(checks, *SERVER) == ["ok"] * 6


async def test_a_reply_that_needed_a_second_try_says_so(examined, quirks):
    quirks.reset()
    checks = await examined(base_url=quirks.base_url, model="http-500-once", request_retries=1)
    assert checks["model"].status == "ok"
    assert "trying again" in checks["model"].found


# ---- what a model need not be able to do -------------------------------------------------------------------------


async def test_a_server_that_refuses_tools_is_a_warning_with_other_ways(examined, quirks):
    checks = await examined(base_url=quirks.base_url, model="no-tools")
    assert statuses(checks, "model", "native tools") == ["ok", "warning"]
    assert "does not support tools" in checks["native tools"].found
    assert "--protocol json" in checks["native tools"].next
    assert "--model" in checks["native tools"].next


async def test_a_model_that_does_not_call_the_tool_is_a_warning(examined):
    async with PlayedServer(LISTED, HELLO, STREAMED, HELLO, GREETING) as server:
        checks = await examined(base_url=server.base_url, model="m1")
    tools = checks["native tools"]
    assert (tools.status, tools.found) == (
        "warning",
        "the model answered without calling the tool it was asked to call",
    )
    assert "--protocol" in tools.next


@pytest.mark.parametrize(
    "reply",
    [HELLO, whole(content='{"hello": 1}'), whole(content='["greeting"]'), whole(content='{"greeting": 1}')],
    ids=["prose", "another object", "no object", "another type"],
)
async def test_a_reply_that_ignores_the_schema_is_a_warning(examined, reply):
    async with PlayedServer(LISTED, HELLO, STREAMED, CALLED, reply) as server:
        checks = await examined(base_url=server.base_url, model="m1")
    assert checks["JSON schema"].status == "warning"
    assert "--protocol json" in checks["JSON schema"].next


async def test_a_server_that_refuses_schemas_is_a_warning_that_repeats_its_words(examined):
    refusal = respond(400, '{"error": {"message": "response_format json_schema is not supported"}}')
    async with PlayedServer(LISTED, HELLO, STREAMED, CALLED, refusal) as server:
        checks = await examined(base_url=server.base_url, model="m1")
    assert checks["JSON schema"].status == "warning"
    assert "json_schema is not supported" in checks["JSON schema"].found


async def test_a_stream_that_fails_names_the_flag_that_does_without(examined):
    async with PlayedServer(LISTED, HELLO, respond(500, "{}"), CALLED, GREETING) as server:
        checks = await examined(base_url=server.base_url, model="m1")
    assert statuses(checks, "streaming", "native tools") == ["failed", "ok"]
    assert "--no-stream" in checks["streaming"].next


async def test_a_detour_that_only_streaming_needs_is_a_warning(examined, quirks):
    checks = await examined(base_url=quirks.base_url, model="no-stream-options")
    assert (checks["model"].status, checks["streaming"].status) == ("ok", "warning")
    assert "stream_options" in checks["streaming"].found


async def test_a_detour_that_every_request_needs_is_told_with_the_model_alone(examined, quirks):
    checks = await examined(base_url=quirks.base_url, model="no-temperature")
    assert statuses(checks, "model", "streaming") == ["ok", "ok"]
    assert "temperature" in checks["model"].found


async def test_streaming_that_is_switched_off_is_not_tried(examined, quirks):
    quirks.reset()
    checks = await examined(base_url=quirks.base_url, model="good", stream=False)
    assert checks["streaming"].status == "not_applicable"
    assert [request["stream"] for request in quirks.requests(model="good")] == [False, False, False]
