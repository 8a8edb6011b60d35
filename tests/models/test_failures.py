from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import SecretStr

from campus_agent.models.failures import NoToolSupport, ServerFailure, explain, failure_from_response, failure_in_body
from campus_agent.models.providers import Endpoint

ENDPOINT = Endpoint("nvidia", "https://a.example/v1", SecretStr("nvapi-secret"), "m", "nvidia", False, "NVIDIA_API_KEY")


def failed(status: int, body: Any, **headers: str) -> ServerFailure:
    return failure_from_response(status, headers, body if isinstance(body, str) else json.dumps(body))


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
    ],
)
def test_an_error_with_status_200_is_an_error(body: dict[str, Any], status: int | None) -> None:
    failure = failure_in_body(body)
    assert failure is not None
    assert (failure.text, failure.status) == ("x", status)


@pytest.mark.parametrize(
    "body", [{"choices": []}, {"choices": [{"delta": {}}], "error": None}, {"id": "x", "usage": {}}, {}]
)
def test_a_chunk_is_no_error(body: dict[str, Any]) -> None:
    assert failure_in_body(body) is None


def test_the_time_to_wait_is_read_in_all_its_forms() -> None:
    assert failed(429, "", **{"retry-after": "7"}).retry_after == 7
    assert failed(429, "", **{"retry-after-ms": "250", "retry-after": "7"}).retry_after == 0.25
    assert failed(429, "", **{"retry-after": "-1"}).retry_after == 0
    assert failed(429, "", **{"retry-after": "soon"}).retry_after is None
    assert failed(429, "").retry_after is None
    assert (failed(429, "", **{"retry-after": "Wed, 21 Oct 2099 07:28:00 GMT"}).retry_after or 0) > 3600
    assert failed(429, "", **{"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}).retry_after == 0
