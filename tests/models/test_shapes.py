from __future__ import annotations

import json
from typing import Any

import pytest

from campus_agent.models.assembly import Assembly
from campus_agent.models.chat_model import Reply, RequestedCall
from tests.models.played import NAMES

SEARCH, PLAIN = "search_campus_info", {"query": "AI Club"}
FUNCTION = {"name": SEARCH, "arguments": PLAIN}
CALL = {"id": "a", "type": "function", "function": FUNCTION}


def reply(message: dict[str, Any], finish: str = "stop", *, streamed: bool) -> Reply:
    assembly = Assembly(NAMES)
    choice = {"index": 0, "delta" if streamed else "message": message, "finish_reason": finish}
    *_, last = (*assembly.add({"choices": [choice]}), *assembly.close())
    assert isinstance(last, Reply)
    return last


MESSAGES = [
    {"tool_calls": CALL},
    {"tool_calls": {"0": CALL}},
    {"tool_calls": json.dumps([CALL])},
    {"tool_calls": json.dumps(CALL)},
    *({"tool_calls": [{"id": "a", "function": {"name": SEARCH, key: PLAIN}}]} for key in ("input", "parameters")),
    {"tool_calls": [{"id": "a", "name": SEARCH, "arguments": PLAIN}]},
    {"content": [{"type": "tool_use", "id": "a", "name": SEARCH, "input": PLAIN}]},
    {"content": [{"type": "text", "text": ""}, {"id": "a", "functionCall": {"name": SEARCH, "args": PLAIN}}]},
]


@pytest.mark.parametrize("streamed", [True, False])
@pytest.mark.parametrize("message", MESSAGES)
def test_a_call_is_found_wherever_a_server_puts_it(message: dict[str, Any], streamed: bool) -> None:
    assert reply(message, streamed=streamed).calls == (RequestedCall(SEARCH, PLAIN, "a"),)


@pytest.mark.parametrize("odd", ["no JSON", "[", 7, [None], {"0": None}, {"name": None}])
def test_what_is_no_list_of_calls_is_none(odd: object) -> None:
    assert reply({"content": "Yes.", "tool_calls": odd}, streamed=False) == Reply("Yes.")


def test_what_a_server_adds_to_a_call_is_kept_with_it_unless_it_could_not_go_back() -> None:
    added = {"extra_content": {"google": {"thought_signature": "SIG"}}}
    (call,) = reply({"tool_calls": [{**CALL, **added}]}, streamed=True).calls
    assert call.extra == added
    (call,) = reply({"tool_calls": [{**CALL, "score": float("nan")}]}, streamed=True).calls
    assert call.extra == {}


def test_thoughts_in_the_server_s_own_form_are_kept_as_they_came() -> None:
    details = [{"type": "reasoning.text", "text": "Hm."}, {"type": "reasoning.encrypted", "data": "abc"}]
    assert reply({"content": "Yes.", "reasoning_details": details}, streamed=True).details == tuple(details)


@pytest.mark.parametrize("streamed", [True, False])
@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "refusal": "I cannot help with that."},
        {"content": [{"type": "refusal", "refusal": "I cannot help with that."}]},
    ],
)
def test_a_refusal_in_a_field_of_its_own_is_no_answer(message: dict[str, Any], streamed: bool) -> None:
    said = reply(message, streamed=streamed)
    assert (said.text, said.finish) == ("", "filter")


@pytest.mark.parametrize(
    ("finish", "meaning"),
    [
        *((word, "filter") for word in ("CONTENT_FILTER", "content_filtered", "sensitive", "SAFETY", "RECITATION")),
        *((word, "filter") for word in ("PROHIBITED_CONTENT", "guardrail_intervened", "refusal")),
        *((word, "length") for word in ("LENGTH", "model_length", "MAX_TOKENS", "max_output_tokens", "incomplete")),
        *((word, "stop") for word in ("STOP", "eos", "end_turn", "COMPLETE")),
    ],
)
def test_a_finish_reason_means_the_same_in_the_words_of_every_server(finish: str, meaning: str) -> None:
    assert reply({"content": "Yes."}, finish, streamed=True).finish == meaning


@pytest.mark.parametrize("streamed", [True, False])
@pytest.mark.parametrize("message", [{"content": "<think>I look. {}</think>"}, {"reasoning_content": "I look. {}"}])
def test_a_call_that_was_written_into_a_thought_is_recovered_where_nothing_else_was_said(
    message: dict[str, str], streamed: bool
) -> None:
    markup = f"<tool_call>{json.dumps(FUNCTION)}</tool_call>"
    message = {key: text.replace("{}", markup) for key, text in message.items()}
    assert reply(message, streamed=streamed).calls == (RequestedCall(SEARCH, PLAIN),)
    answered = {**message, "content": message.get("content", "") + "On Thursday."}
    assert reply(answered, streamed=streamed).calls == ()


@pytest.mark.parametrize(
    "fragments",
    [
        ['{"q', '{"query": "AI', '{"query": "AI Club"}'],
        ['{"query": "AI Club"', '{"query": "AI Club"}', '{"query": "AI Club"}'],
    ],
)
def test_fragments_that_each_hold_all_so_far_come_to_the_last(fragments: list[str]) -> None:
    assembly = Assembly(NAMES)
    for text in fragments:
        call = {"index": 0, "id": "a", "function": {"name": SEARCH, "arguments": text}}
        list(assembly.add({"choices": [{"delta": {"tool_calls": [call]}}]}))
    *_, last = assembly.close()
    assert isinstance(last, Reply)
    assert last.calls == (RequestedCall(SEARCH, json.dumps(PLAIN), "a"),)
