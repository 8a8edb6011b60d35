from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as some

from campus_agent.models.assembly import Assembly
from campus_agent.models.chat_model import Reply
from campus_agent.models.failures import failure_from_response, failure_in_body
from campus_agent.models.sse import BodyReader, NotACompletion
from tests.models.played import NAMES

KEYS = some.one_of(
    some.sampled_from(["choices", "delta", "message", "content", "tool_calls", "function", "name", "arguments", "id"]),
    some.sampled_from(["index", "finish_reason", "usage", "error", "type", "text", "reasoning_content", "thinking"]),
    some.sampled_from(["code", "detail", "loc", "msg", "prompt_tokens", "completion_tokens", "function_call"]),
)
TEXTS = some.sampled_from(
    [
        "",
        "{",
        "{}{}",
        '{"a":1}',
        "<think>",
        "</think>",
        "<tool_call>",
        "```",
        "search_campus_info",
        "\nAction: ",
        "length",
    ]
) | some.text(max_size=5)
VALUES = some.recursive(
    some.none() | some.booleans() | some.integers() | TEXTS,
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)
DELTAS = some.dictionaries(KEYS, VALUES, max_size=5)
CHUNKS = some.dictionaries(KEYS, VALUES, max_size=4) | some.builds(
    lambda delta, key, reason: {"choices": [{key: delta, "finish_reason": reason}]},
    DELTAS,
    some.sampled_from(["delta", "message"]),
    VALUES,
)


@settings(max_examples=150, deadline=None)
@given(some.lists(CHUNKS, max_size=6))
def test_no_chunk_of_any_shape_breaks_a_reply(chunks: list[dict[str, Any]]) -> None:
    assembly = Assembly(NAMES)
    pieces = [piece for chunk in chunks for piece in assembly.add(chunk)]
    last = [*pieces, *assembly.close()][-1]
    assert isinstance(last, Reply)
    assert all(isinstance(call.name, str) for call in last.calls)


@settings(max_examples=150, deadline=None)
@given(VALUES, some.integers(400, 599))
def test_no_error_of_any_shape_breaks_its_reading(body: Any, status: int) -> None:
    assert "\n" not in failure_from_response(status, {}, json.dumps(body)).text
    failure = failure_in_body(body) if isinstance(body, dict) else None
    assert failure is None or isinstance(failure.text, str)


@settings(max_examples=150, deadline=None)
@given(
    some.lists(
        some.binary(max_size=8) | some.sampled_from([b"data: ", b"{", b"}", b"\n\n", b"[DONE]", b"event: error\n"])
    )
)
def test_no_bytes_break_the_reader(packets: list[bytes]) -> None:
    reader = BodyReader()
    try:
        items = [item for packet in packets for item in reader.feed(packet)] + reader.close()
    except NotACompletion as error:
        items = [{"error": str(error)}]
    assert all(isinstance(item, dict) for item in items)
