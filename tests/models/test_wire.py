from __future__ import annotations

import json
from typing import Any

import pytest

from campus_agent.models.abilities import Abilities
from campus_agent.models.chat_model import AssistantMessage, ModelRequest, ToolCall, ToolMessage, UserMessage
from campus_agent.models.failures import failure_from_response
from campus_agent.models.wire import encode
from tests.models.played import ASK, TOOLS

TWO = AssistantMessage("", (ToolCall("a", "search", {"q": "café"}), ToolCall("b", "", {})), "I wonder.")
TALK = ModelRequest(
    "Be brief.",
    (
        UserMessage("When?"),
        TWO,
        ToolMessage("b", "", "no such tool"),
        ToolMessage("a", "search", "Thursday"),
        AssistantMessage("On Thursday."),
    ),
    TOOLS,
)


def body(request: ModelRequest, *, stream: bool = True, **abilities: Any) -> dict[str, Any]:
    return encode(request, Abilities(**abilities), model="m", temperature=0.2, max_tokens=800, stream=stream)


def test_the_history_holds_only_what_every_server_reads() -> None:
    messages = body(TALK)["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "tool", "tool", "assistant"]
    assert all(isinstance(message["content"], str) for message in messages)
    assert {key for message in messages for key in message} == {"role", "content", "tool_calls", "tool_call_id"}
    assert "tool_calls" not in messages[-1]
    first, second = messages[2]["tool_calls"]
    assert first == {"id": "a", "type": "function", "function": {"name": "search", "arguments": '{"q": "café"}'}}
    assert second["function"] == {"name": "unknown_tool", "arguments": "{}"}


def test_a_name_that_no_server_takes_back_is_made_fit() -> None:
    odd = AssistantMessage("", (ToolCall("a", "web search!" + "x" * 99, {}),))
    name = body(ModelRequest("", (odd,)))["messages"][0]["tool_calls"][0]["function"]["name"]
    assert name.startswith("web_search_x")
    assert len(name) == 64


def test_a_hopeful_request_asks_for_everything() -> None:
    sent = body(ASK)
    assert (sent["model"], sent["stream"], sent["temperature"], sent["max_tokens"]) == ("m", True, 0.2, 800)
    assert sent["stream_options"] == {"include_usage": True}
    assert [tool["function"]["name"] for tool in sent["tools"]] == [tool.name for tool in TOOLS]
    assert "tool_choice" not in sent
    assert "parallel_tool_calls" not in sent
    assert "stream_options" not in body(ASK, stream=False)
    assert "tools" not in body(ModelRequest("", ASK.messages))


def test_tools_that_must_not_be_called_are_shown_and_forbidden_or_else_not_offered() -> None:
    last = ModelRequest("", ASK.messages, TOOLS, "none")
    assert body(last)["tool_choice"] == "none"
    assert body(last)["tools"]
    assert not {"tools", "tool_choice"} & set(body(last, tool_choice=False))


def test_a_server_of_single_calls_gets_one_call_a_message_each_followed_by_its_result() -> None:
    messages = body(TALK, several_calls=False)["messages"]
    assert "one tool at a time" in messages[0]["content"]
    shapes = [
        (message["role"], [call["id"] for call in message.get("tool_calls", [])] or message.get("tool_call_id"))
        for message in messages[2:]
    ]
    assert shapes == [("assistant", ["a"]), ("tool", "a"), ("assistant", ["b"]), ("tool", "b"), ("assistant", None)]


def test_what_a_server_cannot_read_is_written_as_it_can() -> None:
    sent = body(
        TALK, empty_content=None, thoughts_back="reasoning_content", system_role=False, temperature=False, room=None
    )
    assert sent["messages"][0] == {"role": "user", "content": "Be brief.\n\nWhen?"}
    assert sent["messages"][1]["content"] is None
    assert sent["messages"][1]["reasoning_content"] == "I wonder."
    assert not {"temperature", "max_tokens", "max_completion_tokens"} & set(sent)


EXTRA = {"extra_content": {"google": {"thought_signature": "SIG"}}}
DETAILS = ({"type": "reasoning.encrypted", "data": "abc"},)


@pytest.mark.parametrize(
    ("abilities", "added"),
    [
        ({}, {}),
        ({"thoughts_back": "reasoning_content"}, {"reasoning_content": ""}),
        ({"thoughts_back": "reasoning"}, {"reasoning": ""}),
        ({"thoughts_back": "reasoning_details"}, {"reasoning_details": [*DETAILS]}),
    ],
)
def test_what_a_server_demands_back_stands_beside_each_call_even_where_nothing_was_thought(
    abilities: dict[str, Any], added: dict[str, Any]
) -> None:
    said = AssistantMessage("", (ToolCall("a", "search", {}, EXTRA),), "", DETAILS)
    plain = AssistantMessage("On Thursday.")
    calling, answering = body(ModelRequest("", (said, plain)), **abilities)["messages"]
    assert {key: value for key, value in calling.items() if key not in ("role", "content", "tool_calls")} == added
    assert answering == {"role": "assistant", "content": "On Thursday."}


@pytest.mark.parametrize("several", [True, False])
def test_what_a_server_added_to_a_call_goes_back_as_it_came_where_it_is_demanded(several: bool) -> None:
    said = AssistantMessage("", (ToolCall("a", "search", {}, EXTRA), ToolCall("b", "search", {})))
    sent = body(ModelRequest("", (said,)), extra_back=True, several_calls=several)["messages"]
    calls = [call for message in sent for call in message.get("tool_calls", ())]
    assert [call.get("extra_content") for call in calls] == [EXTRA["extra_content"], None]
    assert "extra_content" not in json.dumps(body(ModelRequest("", (said,)))["messages"])


def test_a_word_of_the_model_stands_between_a_result_and_a_user_where_the_server_wants_one() -> None:
    request = ModelRequest("", (*TALK.messages[:-1], UserMessage("Answer now.")))
    abilities = Abilities()
    assert abilities.adapt(refused("Unexpected role 'user' after role 'tool'"), body(request))
    roles = [message["role"] for message in body(request, user_after_tool=abilities.user_after_tool)["messages"]]
    assert roles == ["user", "assistant", "tool", "tool", "assistant", "user"]


@pytest.mark.parametrize("status", [400, 405, 501])
def test_a_server_that_cannot_stream_is_asked_for_whole_replies(status: int) -> None:
    abilities = Abilities()
    assert abilities.adapt(refused("Streaming is not supported for this model", status), body(ASK))
    assert not abilities.stream


REFUSALS = [
    ("Unsupported parameter: 'stream_options'", ["stream_options"]),
    ("Unsupported value: 'temperature' does not support 0.2 with this model.", ["temperature"]),
    ("'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", ["room"]),
    ("This model only supports single tool-calls at once!", ["several_calls"]),
    ("messages.1.content: String should have at least 1 character", ["empty_content"]),
    ("The text field in the ContentBlock object at messages.1.content.0 is blank", ["empty_content"]),
    ("The `reasoning_content` in the thinking mode must be passed back to the API.", ["thoughts_back"]),
    ("assistant message with tool calls must contain 'reasoning'", ["thoughts_back"]),
    ("reasoning_details must be passed back for this model", ["thoughts_back"]),
    ("Function call is missing a thought_signature in functionCall parts.", ["extra_back"]),
    ("Unexpected role 'user' after role 'tool'", []),  # nobody speaks there
    ("System role not supported", ["system_role"]),
    ("Your organization must be verified to stream this model.", ["stream"]),
    ("This model's maximum context length is 4096 tokens, max_tokens is 800", []),
    ("Something else is wrong.", []),
]


def refused(message: str, status: int = 400) -> Any:
    return failure_from_response(status, {}, json.dumps({"error": {"message": message}}))


@pytest.mark.parametrize(("message", "changed"), REFUSALS)
def test_a_refusal_changes_the_one_thing_that_it_names(message: str, changed: list[str]) -> None:
    abilities = Abilities()
    note = abilities.adapt(refused(message), body(TALK))
    assert [name for name in vars(abilities) if getattr(abilities, name) != getattr(Abilities(), name)] == changed
    assert bool(note) == bool(changed)


def test_the_same_refusal_teaches_only_once_so_that_it_cannot_go_on_for_ever() -> None:
    abilities = Abilities()
    sent = body(TALK)
    for _ in range(20):
        if not abilities.adapt(refused("temperature max_tokens max_completion_tokens stream_options 'stream'"), sent):
            break
        sent = encode(TALK, abilities, model="m", temperature=0.2, max_tokens=800, stream=abilities.stream)
    assert (abilities.temperature, abilities.room, abilities.stream_options, abilities.stream) == (
        False,
        None,
        False,
        False,
    )
    assert "max_tokens" not in sent


def test_a_refused_tool_choice_is_learned_where_it_was_sent() -> None:
    message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
    last = ModelRequest("", ASK.messages, TOOLS, "none")
    abilities = Abilities()
    assert abilities.adapt(refused(message), body(ASK)) is None
    assert abilities.adapt(refused(message), body(last))
    assert not abilities.tool_choice


def test_a_field_named_by_its_place_is_a_refusal_too() -> None:
    detail = {"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]}
    abilities = Abilities()
    assert abilities.adapt(failure_from_response(422, {}, json.dumps(detail)), body(ASK))
    assert not abilities.stream_options


def test_an_error_of_another_kind_teaches_nothing() -> None:
    assert Abilities().adapt(refused("temperature", status=401), body(ASK)) is None


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [{"a": -float("inf")}]])
def test_no_number_that_json_has_no_word_for_is_ever_sent(value: Any) -> None:
    said = AssistantMessage("", (ToolCall("a", "search", {"query": "AI Club", "k": value}),))
    sent = body(ModelRequest("", (UserMessage("When?"), said, ToolMessage("a", "search", "On Thursday."))))
    assert sent["messages"][1]["tool_calls"][0]["function"]["arguments"] == "{}"
    json.dumps(sent, allow_nan=False)
