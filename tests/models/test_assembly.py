from __future__ import annotations

from typing import Any

import pytest

from campus_agent.models.assembly import Assembly
from campus_agent.models.chat_model import RequestedCall, Usage
from tests.models.played import NAMES, Heard, delta

SEARCH, COUNT = "search_campus_info", "days_until_weekday"


def assembled(*chunks: dict[str, Any]) -> Heard:
    assembly = Assembly(NAMES)
    pieces = [piece for chunk in chunks for piece in assembly.add(chunk)]
    return Heard([*pieces, *assembly.close()])


def fragment(name: str | None = None, arguments: object = None, **keys: object) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return delta(
        tool_calls=[{**keys, "function": {key: value for key, value in function.items() if value is not None}}]
    )


def message(**message: Any) -> dict[str, Any]:
    return {"choices": [{"message": message, "finish_reason": "stop"}]}


FRAGMENTS = {
    "by index": [
        fragment(SEARCH, "", index=0, id="a"),
        fragment(COUNT, "", index=1, id="b"),
        fragment(None, '{"q', index=0),
        fragment(None, '{"w', index=1),
        fragment(None, '":1}', index=0),
        fragment(None, '":2}', index=1),
    ],
    "one index for all, and an id each": [
        fragment(SEARCH, '{"q":1}', index=0, id="a"),
        fragment(COUNT, '{"w":2}', index=0, id="b"),
    ],
    "one index for all, the id in each fragment": [
        fragment(SEARCH, '{"q', index=0, id="a"),
        fragment(COUNT, '{"w', index=0, id="b"),
        fragment(None, '":1}', index=0, id="a"),
        fragment(None, '":2}', index=0, id="b"),
    ],
    "no index": [
        fragment(SEARCH, '{"q', id="a"),
        fragment(None, '":1}'),
        fragment(COUNT, '{"w', id="b"),
        fragment(None, '":2}'),
    ],
    "an index that begins at 1 and skips": [
        fragment(SEARCH, '{"q":1}', index=1, id="a"),
        fragment(COUNT, '{"w":2}', index=4, id="b"),
    ],
    "blank ids and names later": [
        fragment(SEARCH, "", index=0, id="a"),
        fragment("", '{"q":1}', index=0, id=""),
        fragment(COUNT, "", index=1, id="b"),
        fragment("", '{"w":2}', index=1, id=""),
    ],
    "the whole name in each fragment": [
        fragment(SEARCH, '{"q', index=0, id="a"),
        fragment(SEARCH, '":1}', index=0, id="a"),
        fragment(COUNT, '{"w', index=1, id="b"),
        fragment(COUNT, '":2}', index=1, id="b"),
    ],
    "a name in parts": [
        fragment("search_", "", index=0, id="a"),
        fragment("campus_info", '{"q":1}', index=0),
        fragment("functions.", "", index=1, id="b"),
        fragment(COUNT, '{"w":2}', index=1),
    ],
    "a name that grows": [
        fragment("search_", "", index=0, id="a"),
        fragment(SEARCH, '{"q":1}', index=0),
        fragment(COUNT, '{"w":2}', index=1, id="b"),
    ],
    "another id in each fragment": [
        fragment(SEARCH, '{"q', index=0, id="a"),
        fragment(None, '":1}', index=0, id="x"),
        fragment(COUNT, '{"w', index=1, id="b"),
        fragment(None, '":2}', index=1, id="y"),
    ],
}


@pytest.mark.parametrize("name", FRAGMENTS)
def test_fragments_become_the_calls_that_they_belong_to(name: str) -> None:
    calls = assembled(*FRAGMENTS[name]).reply.calls
    assert calls == (RequestedCall(SEARCH, '{"q":1}', "a"), RequestedCall(COUNT, '{"w":2}', "b"))


def test_calls_with_neither_index_nor_id_are_told_apart_by_their_names_and_complete_arguments() -> None:
    calls = assembled(fragment(COUNT, '{"w":1}'), fragment(COUNT, '{"w":2}'), fragment(SEARCH, '{"q":3}')).reply.calls
    assert [(call.name, call.arguments) for call in calls] == [
        (COUNT, '{"w":1}'),
        (COUNT, '{"w":2}'),
        (SEARCH, '{"q":3}'),
    ]


def test_another_known_name_opens_another_call_although_nothing_else_tells_them_apart() -> None:
    chunks = [fragment(COUNT, ""), fragment(None, '{"w":1}{"w":1}'), fragment(SEARCH, ""), fragment(None, '{"q":2}')]
    calls = assembled(*chunks).reply.calls
    assert [(call.name, call.arguments) for call in calls] == [(COUNT, {"w": 1}), (SEARCH, '{"q":2}')]


def test_the_calls_of_a_whole_message_are_never_merged() -> None:
    function = {"name": COUNT, "arguments": "{}"}
    calls = assembled(
        message(tool_calls=[{"id": "a", "function": function}, {"id": "a", "function": function}])
    ).reply.calls
    assert calls == (RequestedCall(COUNT, "{}", "a"), RequestedCall(COUNT, "{}", "a"))


@pytest.mark.parametrize(
    ("sent", "arguments"),
    [({"q": 1}, {"q": 1}), ([1], [1]), (None, None), ("", None), ("null", "null"), (7, "7"), ("{", "{")],
)
def test_arguments_are_handed_on_as_received(sent: object, arguments: object) -> None:
    assert assembled(fragment(SEARCH, sent, index=0)).reply.calls == (RequestedCall(SEARCH, arguments),)


@pytest.mark.parametrize(
    ("sent", "arguments"),
    [
        ('{"q":1}{"q":1}', [{"q": 1}]),
        ('{"q":1}\n{"q":2}', [{"q": 1}, {"q": 2}]),
        ('{}{"q":1}', [{"q": 1}]),
        ("{}{}", [{}]),
        ('{"q":"}{"}', ['{"q":"}{"}']),
        ('{"q":1}{', ['{"q":1}{']),
    ],
)
def test_equal_objects_in_one_call_count_once_and_different_ones_are_calls_of_their_own(
    sent: str, arguments: list[object]
) -> None:
    calls = assembled(fragment(SEARCH, sent, id="a")).reply.calls
    assert [call.arguments for call in calls] == arguments
    assert [call.id for call in calls] == ["a", None][: len(calls)]


@pytest.mark.parametrize(
    ("finish", "arguments", "cut"),
    [
        ("length", '{"q": "AI', True),
        ("length", "", True),
        ("length", '{"q": "AI"}', False),
        ("length", {"q": "AI"}, False),
        ("tool_calls", '{"q": "AI', False),
    ],
)
def test_only_a_call_that_the_token_limit_cut_is_marked_as_cut(finish: str, arguments: object, cut: bool) -> None:
    said = assembled(fragment(SEARCH, arguments, index=0), delta(finish))
    assert [call.cut for call in said.reply.calls] == [cut]


@pytest.mark.parametrize(
    ("finish", "meaning"),
    [
        ("stop", "stop"),
        ("eos", "stop"),
        (None, "stop"),
        ("", "stop"),
        (3, "stop"),
        ("length", "length"),
        ("content_filter", "filter"),
    ],
)
def test_any_finish_reason_is_taken(finish: Any, meaning: str) -> None:
    assert assembled(delta(finish, content="Yes.")).reply.finish == meaning


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning", "thinking"])
def test_thoughts_are_never_part_of_the_answer(key: str) -> None:
    said = assembled(delta(**{key: "I wonder. "}), delta(content="<thi"), delta(content="nk>Hm.</think>\n\nYes."))
    assert (said.reply.thought, said.reply.text, said.shown) == ("I wonder. Hm.", "Yes.", "Yes.")
    assert said.thought == "I wonder. Hm."


def test_an_answer_that_turns_out_to_be_a_thought_is_withdrawn() -> None:
    said = assembled(delta(content="They ask "), delta(content="when.</think>"), delta(content="On Thursday."))
    assert (said.withdrawn, said.shown) == (1, "On Thursday.")
    assert (said.reply.thought, said.reply.text) == ("They ask when.", "On Thursday.")


@pytest.mark.parametrize(
    ("content", "text", "thought"),
    [
        ([{"type": "text", "text": "On "}, {"type": "text", "text": "Thursday."}], "On Thursday.", ""),
        (
            [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, {"type": "text", "text": "Yes."}],
            "Yes.",
            "Hm.",
        ),
        (["On Thursday."], "On Thursday.", ""),
        (None, "", ""),
        ({"type": "text", "text": "Yes."}, "Yes.", ""),
        ([{"type": "text", "text": {"value": "Yes.", "annotations": []}}], "Yes.", ""),
        ({"type": "image"}, "", ""),
    ],
)
def test_content_in_parts_is_read(content: object, text: str, thought: str) -> None:
    said = assembled(message(content=content))
    assert (said.reply.text, said.reply.thought, said.shown) == (text, thought, text)


def test_nothing_that_a_chunk_holds_or_lacks_breaks_the_reply() -> None:
    odd = [
        {},
        {"choices": None},
        {"choices": []},
        {"choices": [None]},
        {"choices": [{}]},
        delta(content=5, tool_calls=[None]),
    ]
    said = assembled(*odd, {"choices": [{"delta": None}]}, delta(content="Yes.", tool_calls=None, function_call=None))
    assert said.reply.text == "Yes."


def test_the_name_for_calls_before_tools_is_understood() -> None:
    said = assembled(
        delta(function_call={"name": SEARCH, "arguments": '{"q'}), delta(function_call={"arguments": '":1}'})
    )
    assert said.reply.calls == (RequestedCall(SEARCH, '{"q":1}'),)


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        ({"prompt_tokens": 3, "completion_tokens": 4}, Usage(prompt_tokens=3, completion_tokens=4)),
        ({}, None),
        (None, None),
    ],
)
def test_tokens_are_those_that_the_server_counted(usage: object, counted: Usage | None) -> None:
    assert assembled(delta("stop", content="Yes."), {"choices": [], "usage": usage}).reply.usage == counted


def test_markup_beside_real_calls_is_not_a_second_call() -> None:
    text = f'<tool_call>{{"name": "{SEARCH}", "arguments": {{}}}}</tool_call>'
    said = assembled(delta(content=text), fragment(COUNT, "{}", index=0, id="a"))
    assert said.reply.calls == (RequestedCall(COUNT, "{}", "a"),)
    assert (said.reply.text, said.shown) == ("", "")
