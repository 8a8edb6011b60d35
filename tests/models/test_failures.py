from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import SecretStr

from campus_agent.errors import ContextTooLong
from campus_agent.models.failures import (
    NoToolSupport,
    ServerFailure,
    Withheld,
    explain,
    failure_from_response,
    failure_in_body,
)
from campus_agent.models.providers import Endpoint

ENDPOINT = Endpoint("nvidia", "https://a.example/v1", SecretStr("nvapi-secret"), "m", "nvidia", False, "NVIDIA_API_KEY")


def failed(status: int, body: Any, **headers: str) -> ServerFailure:
    return failure_from_response(status, headers, body if isinstance(body, str) else json.dumps(body))


def inside(error: dict[str, Any]) -> ServerFailure:
    """Return the failure that comes with status 200."""
    failure = failure_in_body({"error": error})
    assert failure is not None
    return failure


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": {"message": "No such model.", "code": "x"}}, "No such model."),
        ({"error": "No such model."}, "No such model."),
        ({"object": "error", "message": "No such model."}, "No such model."),
        ({"status": 403, "title": "Forbidden", "detail": "Not yours."}, "Not yours."),
        ({"detail": [{"loc": ["body", "x"], "msg": "not permitted"}]}, "body.x: not permitted"),
        ({"message": {"detail": [{"loc": ["x"], "msg": "bad"}, {"loc": ["y"], "msg": "worse"}]}}, "x: bad; y: worse"),
        ({"errors": [{"message": "one"}, {"message": "two"}]}, "one; two"),
        ({"code": 1301, "msg": "No such model.", "success": False}, "No such model."),
        ({"base_resp": {"status_code": 1004, "status_msg": "No such model."}}, "No such model."),
        ({"error": True, "message": "No such model."}, "No such model."),
        ("plain\nwords", "plain words"),
        ("<!DOCTYPE html><html><body>Bad gateway</body></html>", ""),
        ({}, ""),
        ([], ""),
        ("null", ""),
    ],
)
def test_the_message_is_found_wherever_the_server_keeps_it(body: Any, said: str) -> None:
    assert failed(400, body).text == said


def test_what_a_person_reads_is_one_short_line_without_pages_and_keys() -> None:
    page = explain(failed(502, "<html>" + "x" * 5000 + "</html>"), ENDPOINT, "m").explanation
    long = explain(failed(400, {"error": "words\n" * 500 + "nvapi-secret"}), ENDPOINT, "m").explanation
    edge = explain(failed(400, {"error": "x" * 365 + "nvapi-secret"}), ENDPOINT, "m").explanation
    keyed = explain(failed(401, {"error": "Incorrect key nvapi-secret."}), ENDPOINT, "m").explanation
    assert page.what == "nvidia answered 502: Bad Gateway (no readable message)"
    assert 390 < len(long.what) <= 400
    assert "\n" not in long.what
    assert "nvapi" not in edge.what
    assert keyed.what == "nvidia answered 401: Incorrect key ***."
    assert "NVIDIA_API_KEY" in keyed.next


@pytest.mark.parametrize(
    ("failure", "again"),
    [
        (failed(408, ""), True),
        (failed(409, ""), True),
        (failed(429, {"error": "slow down"}), True),
        (failed(500, ""), True),
        (failed(503, ""), True),
        (failed(400, {"error": {"message": "x", "code": "tool_use_failed"}}), True),
        (ServerFailure("", "lost"), True),
        (ServerFailure("", "silent"), True),
        (ServerFailure('{"choices', "garbled"), True),
        (ServerFailure("no code", "status"), True),
        (ServerFailure("<html>sign in</html>", "garbled"), False),
        (failed(400, ""), False),
        (failed(401, ""), False),
        (failed(403, ""), False),
        (failed(404, ""), False),
        (failed(429, {"error": {"message": "You exceeded your current quota.", "code": "insufficient_quota"}}), False),
        (inside({"message": "You exceeded your current quota.", "code": "insufficient_quota"}), False),
        (inside({"message": "Incorrect API key provided.", "code": "invalid_api_key"}), False),
        (inside({"message": "x", "type": "authentication_error"}), False),
        (inside({"message": "This model's maximum context length is 10."}), False),
        (failed(500, {"error": "the request exceeds the available context size"}), False),
        (failed(429, {"error": "Too many tokens, please wait before trying again."}), True),
        (inside({"message": "The load balancer has no server."}), True),
    ],
)
def test_only_what_may_pass_is_worth_another_try(failure: ServerFailure, again: bool) -> None:
    assert failure.transient is again


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (failed(403, {"detail": "no"}), "may not use the model"),
        (failed(404, "<html></html>"), "https://a.example/v1"),
        (failed(429, {"error": "slow down"}), "Too many requests"),
        (failed(429, {"error": {"code": "insufficient_quota", "message": "quota"}}), "out of credit"),
        (failed(500, ""), "fault of its own"),
        (failed(413, {"error": "Request too large for model"}), "longer than this model can read"),
        (failed(400, {"error": "the request exceeds the available context size"}), "longer than this model can read"),
        (failed(418, {"error": "teapot"}), "did not accept"),
        (ServerFailure("refused", "lost"), "https://a.example/v1"),
        (ServerFailure("silence", "silent"), "hangs"),
        (ServerFailure("<html>", "garbled"), "not the address of its API"),
    ],
)
def test_each_failure_has_a_cause_and_a_next_step(failure: ServerFailure, words: str) -> None:
    explanation = explain(failure, ENDPOINT, "m").explanation
    assert words in explanation.cause
    assert explanation.what
    assert explanation.next


@pytest.mark.parametrize(
    "message",
    [
        "registry.ollama.ai/library/gemma:2b does not support tools",
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        "No endpoints found that support tool use.",
        "`tools` is not supported with this model",
        "This model doesn't support function calling",
    ],
)
def test_a_model_without_tools_is_named_as_such(message: str) -> None:
    assert isinstance(explain(failed(400, {"error": message}), ENDPOINT, "m"), NoToolSupport)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"error": {"message": "x", "code": 502}}, 502),
        ({"error": {"message": "x", "code": "rate_limit"}}, None),
        ({"choices": [{"error": {"message": "x", "code": "503"}}]}, 503),
        ({"object": "error", "message": "x", "code": 400}, 400),
        ({"error": "x"}, None),
        ({"code": 1301, "msg": "x", "success": False}, None),
        ({"code": 503, "msg": "x"}, 503),
        ({"success": False, "errors": [{"code": 7009, "message": "x"}]}, None),
        ({"base_resp": {"status_code": 1004, "status_msg": "x"}}, None),
        ({"error": True, "message": "x"}, None),
        ({"choices": [{"message": {"content": "x"}, "finish_reason": "error"}]}, None),
        ({"choices": [{"delta": {}, "finish_reason": "error", "error": {"message": "x"}}]}, None),
    ],
)
def test_an_error_with_status_200_is_an_error(body: dict[str, Any], status: int | None) -> None:
    failure = failure_in_body(body)
    assert failure is not None
    assert (failure.text, failure.status) == ("x", status)


GOOD: list[dict[str, Any]] = [
    {"choices": [{"delta": {}}], "error": {"code": None, "message": None}},
    {"choices": [{"delta": {}}], "base_resp": {"status_code": 0, "status_msg": "success"}},
    {"id": "x", "base_resp": {"status_code": 0, "status_msg": "success"}},
    {"code": 200, "msg": "ok", "data": {}},
]


@pytest.mark.parametrize(
    "body", [{"choices": []}, {"choices": [{"delta": {}}], "error": None}, {"id": "x", "usage": {}}, {}, *GOOD]
)
def test_a_chunk_is_no_error(body: dict[str, Any]) -> None:
    assert failure_in_body(body) is None


@pytest.mark.parametrize(
    "message",
    [
        "Input length 9000 exceeds the maximum allowed token length of 8192.",
        "Please reduce the length of the messages or completion.",
        "Too many tokens: 9000 > 8192.",
        "This model's maximum context length is 8192 tokens.",
        "The request is over the model's token limit.",
        "The input token count (40000) exceeds the maximum number of tokens allowed (32768).",
    ],
)
def test_a_request_that_is_too_long_is_known_in_the_words_of_many_servers(message: str) -> None:
    for failure in (failed(400, {"error": message}), failed(500, {"error": message}), inside({"message": message})):
        assert isinstance(explain(failure, ENDPOINT, "m"), ContextTooLong)


def test_a_question_that_the_filter_stops_is_said_to_be_withheld() -> None:
    error = {
        "message": "The prompt triggered Azure OpenAI's content management policy.",
        "code": "content_filter",
        "innererror": {"code": "ResponsibleAIPolicyViolation"},
    }
    assert isinstance(explain(failed(400, {"error": error}), ENDPOINT, "m"), Withheld)
    assert isinstance(explain(inside(error), ENDPOINT, "m"), Withheld)


def test_a_key_is_masked_however_it_is_written_and_before_anything_is_cut() -> None:
    escaped = explain(failed(500, 'said {"h": "nvapi\\u002dsecret"} or nvapi%2Dsecret or NVAPI-SECRET'), ENDPOINT, "m")
    assert escaped.explanation.what == 'nvidia answered 500: said {"h": "***"} or *** or ***'


def test_the_time_to_wait_is_read_in_all_its_forms() -> None:
    assert failed(429, "", **{"retry-after": "7"}).retry_after == 7
    assert failed(429, "", **{"retry-after-ms": "250", "retry-after": "7"}).retry_after == 0.25
    assert failed(429, "", **{"retry-after": "-1"}).retry_after == 0
    assert failed(429, "", **{"retry-after": "soon"}).retry_after is None
    assert failed(429, "").retry_after is None
    assert (failed(429, "", **{"retry-after": "Wed, 21 Oct 2099 07:28:00 GMT"}).retry_after or 0) > 3600
    assert failed(429, "", **{"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}).retry_after == 0
