"""Arguments with something of the model's habits around them."""

from __future__ import annotations

import pytest

from campus_agent.agent.arguments import Read, read_arguments
from campus_agent.agent.gatekeeper import judge
from campus_agent.models.chat_model import RequestedCall
from campus_agent.tools.tool import tool


@tool
def search_campus_info(query: str) -> str:
    """Search."""
    return query


@tool
def set_input(input: dict[str, str]) -> str:
    """Take an object under a name that could be a wrapper."""
    return str(input)


TOOLS = {one.name: one for one in (search_campus_info, set_input)}


@pytest.mark.parametrize(
    "text",
    [
        '\ufeff{"query": "AI}"}',
        '{"query": "AI}"}}',
        '{"query": "AI}"}]\n}',
        '{"query": "AI}"}\n</tool_call>',
        '{"query": "AI}"}<|tool_call_end|>',
        "{'query': 'AI}'}{'query': 'AI}'}",
        "{'query': 'AI}'}\n{'query': 'AI}'}",
    ],
)
def test_what_stands_around_an_object_is_taken_off(text: str) -> None:
    read = read_arguments(text)
    assert isinstance(read, Read)
    assert read.arguments == {"query": "AI}"}


@pytest.mark.parametrize("text", ['{"query": "x"} and more', '{"query": "x"}{"query": "y"}', "{'q': 1}{'q': 2}", "{}x"])
def test_two_things_that_are_not_alike_are_unreadable(text: str) -> None:
    assert not isinstance(read_arguments(text), Read)


@pytest.mark.parametrize(
    "arguments",
    [
        '{"arguments": {"query": "x"}}',
        '{"parameters": {"query": "x"}}',
        '{"search_campus_info": {"query": "x"}}',
        '{"name": "search_campus_info", "arguments": {"query": "x"}}',
        '{"arguments": "{\\"query\\": \\"x\\"}"}',
        {"input": {"query": "x"}},
    ],
)
def test_arguments_inside_another_object_are_taken_out(arguments: str | dict) -> None:
    verdict = judge(RequestedCall("search_campus_info", arguments), TOOLS)
    assert (verdict.checked, verdict.tool) == ({"query": "x"}, search_campus_info)
    assert verdict.repaired


def test_what_is_an_argument_of_the_tool_is_no_wrapper() -> None:
    assert judge(RequestedCall("set_input", '{"input": {"a": "b"}}'), TOOLS).checked == {"input": {"a": "b"}}


def test_an_object_of_neither_kind_is_handed_on_as_it_is() -> None:
    verdict = judge(RequestedCall("search_campus_info", '{"arguments": 7}'), TOOLS)
    assert (verdict.arguments, verdict.tool) == ({"arguments": 7}, None)
