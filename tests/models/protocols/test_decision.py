from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campus_agent.agent.arguments import read_arguments
from campus_agent.models.chat_model import Reply, RequestedCall
from campus_agent.models.protocols.decision_reader import DecisionReader
from campus_agent.models.protocols.decision_schema import decision_schema
from tests.models.played import Heard
from tests.models.protocols.reading import TEXT, TOOLS, read, schema

SEARCH = '{"thought": "I look.", "decision": {"tool": "search_campus_info", "arguments": {"query": "AI Club"}}}'
SEARCHES = RequestedCall("search_campus_info", '{"query": "AI Club"}')
ANSWER = '{"thought": "I know.", "decision": {"answer": "On Thursday."}}'


def said(text: str, **options) -> Heard:
    return read(DecisionReader(TOOLS), text, **options)


# ---- the schema ------------------------------------------------------------------------------------------------------


def decisions(*tools) -> list[dict[str, Any]]:
    decision = decision_schema(tools)["properties"]["decision"]
    return decision.get("anyOf", [decision])


def arguments_of(field: dict[str, Any], *required: str, **rest) -> dict[str, Any]:
    tool = schema("t", required, x=field)
    tool.parameters.update(rest)
    return decisions(tool)[0]["properties"]["arguments"]


def test_a_decision_is_a_call_of_a_tool_with_its_own_arguments_or_an_answer() -> None:
    *calls, answer = decisions(*TOOLS)
    assert [call["properties"]["tool"]["enum"] for call in calls] == [[tool.name] for tool in TOOLS]
    assert list(calls[3]["properties"]["arguments"]["properties"]) == ["room", "day"]
    assert list(answer["properties"]) == ["answer"]


def test_without_tools_only_an_answer_is_left() -> None:
    (answer,) = decisions()
    assert list(answer["properties"]) == ["answer"]


def objects(value: Any):
    if isinstance(value, dict):
        if value.get("type") == "object":
            yield value
        for inner in value.values():
            yield from objects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from objects(inner)


def test_every_object_is_closed_and_every_property_required() -> None:
    whole = decision_schema(TOOLS)
    assert whole["type"] == "object"
    for one in objects(whole):
        assert one["additionalProperties"] is False
        assert one["required"] == list(one["properties"])


@pytest.mark.parametrize(
    ("field", "strict"),
    [
        ({"type": "integer", "minimum": 1, "default": 5}, {"type": "integer"}),
        ({"const": "a"}, {"enum": ["a"]}),
        ({"type": "string", "enum": ["a", "b"], "title": "X"}, {"type": "string", "enum": ["a", "b"]}),
        ({"type": "array", "items": {"type": "string", "maxLength": 3}}, {"type": "array", "items": TEXT}),
        ({"oneOf": [TEXT, {"type": "integer"}]}, {"anyOf": [TEXT, {"type": "integer"}]}),
        ({"$ref": "#/$defs/Day"}, {"type": "string", "enum": ["Mon"]}),
        ({"$ref": "#/$defs/Tree"}, {"type": "object"}),
    ],
)
def test_a_field_is_written_in_what_every_server_reads(field: dict[str, Any], strict: dict[str, Any]) -> None:
    definitions = {"Day": {"type": "string", "enum": ["Mon"]}, "Tree": {"$ref": "#/$defs/Tree"}}
    assert arguments_of(field, "x", **{"$defs": definitions})["properties"]["x"] == strict


@pytest.mark.parametrize("field", [TEXT, {"anyOf": [TEXT]}])
def test_an_optional_argument_may_be_null(field: dict[str, Any]) -> None:
    assert arguments_of(field)["properties"]["x"] == {"anyOf": [TEXT, {"type": "null"}]}


# ---- the reader ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        SEARCH,
        f"```json\n{SEARCH}\n```",
        f"Sure, I search first:\n{SEARCH}\nThen I answer.",
        '{"decision": {"tool": "search_campus_info", "arguments": {"query": "AI Club"}}}',
        '{"tool": "search_campus_info", "arguments": {"query": "AI Club"}}',
        '{"name": "search_campus_info", "parameters": {"query": "AI Club"}, "answer": ""}',
        '{"tool": "search_campus_info", "arguments": "{\\"query\\": \\"AI Club\\"}"}',
        f"{SEARCH}\n{ANSWER}",
        '<tool_call>{"name": "search_campus_info", "arguments": {"query": "AI Club"}}</tool_call>',
        '<function=search_campus_info>{"query": "AI Club"}</function>',
        '{"thought": "", "decision": {"tool": "search_campus_info", "arguments": {"query": "AI Club"},}}',
        "{'tool': 'search_campus_info', 'arguments': {'query': 'AI Club'}}",
        '{"tool": "search_campus_info", "tool_input": {"query": "AI Club"}}',
    ],
)
def test_a_call_is_read_and_nothing_of_it_shown(text: str) -> None:
    heard = said(text, cuts=range(1, len(text)))
    (call,) = heard.reply.calls
    assert (call.name, read_arguments(call.arguments).arguments) == ("search_campus_info", {"query": "AI Club"})
    assert (heard.shown, heard.reply.text) == ("", "")


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ('{"weekday": "Thu", "after_time": null}', '{"weekday": "Thu"}'),
        ('{"weekday": null, "after_time": null}', '{"weekday": null}'),
        ("null", None),
    ],
)
def test_null_is_no_argument_where_that_may_be_missing(arguments: str, given: str | None) -> None:
    text = f'{{"decision": {{"tool": "days_until_weekday", "arguments": {arguments}}}}}'
    assert said(text).reply.calls == (RequestedCall("days_until_weekday", given),)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (ANSWER, "On Thursday."),
        (f"```json\n{ANSWER}\n```", "On Thursday."),
        ('{"answer": "On Thursday."}', "On Thursday."),
        ('{"thought": "", "decision": {"answer": "a\\n\\"b\\" \\\\ \\u00e9 \\ud83c\\udf89"}}', 'a\n"b" \\ é 🎉'),
        ('{"thought": "", "decision": {"answer": "raw\nline"}}', "raw\nline"),
        ('{"decision": {"tool": null, "answer": "x"}}', "x"),
        ('{"decision": {"answer": 204}}', "204"),
        ('{"thought": "", "decision": {"answer": "On Thursday.",}}', "On Thursday."),
        ('{"thought": "", "decision": {"answer": "On Thursday."},}', "On Thursday."),
        ('{"thought": "", "decision": {"answer": "On Thursday."', "On Thursday."),
        ("{'thought': '', 'decision': {'answer': 'On Thursday.'}}", "On Thursday."),
        ("On Thursday.", "On Thursday."),
        ('Use {"query": "x"} there.', 'Use {"query": "x"} there.'),
        ("", ""),
    ],
)
def test_an_answer_is_read_and_what_is_shown_of_it_is_the_same(text: str, answer: str) -> None:
    heard = said(text, cuts=range(1, len(text)))
    assert (heard.reply.text, heard.reply.calls) == (answer, ())
    assert heard.shown in ("", answer)


def test_thought_and_answer_are_shown_while_they_are_written() -> None:
    reader = DecisionReader(TOOLS)
    texts = ['{"thought": "I', ' know."', ', "decision": {"answer": "It\\', "u00e9", '!"}}']
    shown = [[(type(piece).__name__, piece.text) for piece in reader.feed(text)] for text in texts]
    assert shown == [
        [("ThoughtPiece", "I")],
        [("ThoughtPiece", " know.")],
        [("AnswerPiece", "It")],
        [("AnswerPiece", "é")],
        [("AnswerPiece", "!")],
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{"thought": "x", "decision": {"tool": "search_campus_info", "arguments": {"query": ',
        '{"thought": "x", "decision": {"answer": "He said "hi" to me"}}',
        '{"query": "AI Club"}',
        "[1, 2]",
        "{}",
    ],
)
def test_what_holds_no_decision_is_an_unreadable_call(text: str) -> None:
    (call,) = said(text).reply.calls
    assert (call.name, call.cut) == ("", False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"thought": "x", "decision": {"answer": "It meets', Reply("It meets", finish="length")),
        ('{"thought": "x", "deci', Reply(finish="length")),
        ('```json\n{"thought": "x', Reply(finish="length")),
        ("It meets on", Reply("It meets on", finish="length")),
        (ANSWER + " ", Reply("On Thursday.", thought="I know.")),
    ],
)
def test_a_reply_that_the_token_limit_cut_off_is_what_was_written_of_it(text: str, expected: Reply) -> None:
    assert said(text, finish="length").reply == expected


def test_a_call_that_the_token_limit_cut_off_is_marked() -> None:
    (call,) = said(SEARCH[:-8], finish="length").reply.calls
    assert (call.name, call.cut) == ("search_campus_info", True)


@pytest.mark.parametrize(("thought", "calls"), [(SEARCH, (SEARCHES,)), ("I know.", ())])
def test_a_decision_that_was_taken_for_a_thought_is_recovered(thought: str, calls: tuple[RequestedCall, ...]) -> None:
    assert said("", thought=thought).reply.calls == calls


@settings(max_examples=200, deadline=None)
@given(st.text(), st.text(), st.booleans(), st.data())
def test_any_answer_is_shown_the_same_however_it_is_cut(thought: str, answer: str, escaped: bool, data) -> None:
    text = json.dumps({"thought": thought, "decision": {"answer": answer}}, ensure_ascii=escaped)
    heard = said(text, cuts=data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    assert (heard.shown, heard.reply.text) == (answer, answer)
    assert heard.thought == heard.reply.thought == thought
