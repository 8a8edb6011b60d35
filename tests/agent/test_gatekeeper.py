from __future__ import annotations

from typing import Any

import pytest

from campus_agent.agent.gatekeeper import NO_NAME, judge, raw_text
from campus_agent.models.chat_model import RequestedCall
from campus_agent.tools.tool import tool


@tool
def multiply(a: int, b: int) -> str:
    """Multiply."""
    return str(a * b)


@tool
def ping() -> str:
    """Ping."""
    return "pong"


TOOLS = {"multiply": multiply, "ping": ping}


def test_a_good_call_may_run_with_its_arguments_converted() -> None:
    verdict = judge(RequestedCall("multiply", '{"a": "6912", "b": 5.0}'), TOOLS)
    assert verdict.tool is multiply
    assert verdict.arguments == {"a": "6912", "b": 5.0}
    assert verdict.checked == {"a": 6912, "b": 5}
    assert not verdict.unreadable


@pytest.mark.parametrize("arguments", ["", "null", None, "{}", {}])
def test_a_call_without_arguments_may_run_when_none_are_needed(arguments: Any) -> None:
    assert judge(RequestedCall("ping", arguments), TOOLS).tool is ping


@pytest.mark.parametrize(
    ("call", "said", "unreadable"),
    [
        (RequestedCall("", ""), "No tool call was found: it has no name. Valid tools: multiply, ping.", True),
        (RequestedCall("multiply", '{"a": 1', cut=True), "they were cut off by the token limit", True),
        (RequestedCall("multiply", '{"a": 1'), "not valid JSON", True),
        (RequestedCall("multiply", "[1, 2]"), "a list, not an object", True),
        (RequestedCall("multiply", [1, 2]), "a list, not a JSON object", True),
        (RequestedCall("web", "{"), "not valid JSON", True),  # the first fault is the one named
        (RequestedCall("web", "{}"), "Tool 'web' is not available. Valid tools: multiply, ping.", False),
        (RequestedCall("multiply", '{"a": 1}'), "missing required argument 'b'", False),
        (RequestedCall("multiply", "{}"), "missing required argument 'a', 'b'", False),
        (RequestedCall("multiply", '{"a": 1, "b": 2, "c": 3}'), "unknown argument 'c'; it takes: a, b", False),
        (RequestedCall("multiply", '{"a": 5.9, "b": 2}'), "argument 'a'", False),
        (RequestedCall("multiply", '{"a": true, "b": 2}'), "argument 'a'", False),
    ],
)
def test_a_call_that_may_not_run_is_told_why_in_a_fixed_order(call: RequestedCall, said: str, unreadable: bool) -> None:
    verdict = judge(call, TOOLS)
    assert verdict.tool is None
    assert said in verdict.observation
    assert verdict.unreadable is unreadable


def test_unreadable_arguments_come_with_an_example() -> None:
    assert 'such as {"a": "...", "b": "..."}' in judge(RequestedCall("multiply", "{"), TOOLS).observation


def test_an_empty_name_gets_one_that_a_history_can_hold() -> None:
    assert judge(RequestedCall("", '{"a": 1}'), TOOLS).name == NO_NAME


def test_a_hostile_name_is_made_harmless() -> None:
    verdict = judge(RequestedCall("\x1b]0;x\x07[/x]\n" + "n" * 5000, "{}"), TOOLS)
    assert "\x1b" not in verdict.observation
    assert len(verdict.name) <= 100


@pytest.mark.parametrize(("raw", "text"), [("{", "{"), (None, ""), ({"a": 1}, '{"a": 1}'), ([1], "[1]")])
def test_raw_arguments_are_kept_as_text(raw: Any, text: str) -> None:
    assert raw_text(RequestedCall("x", raw)) == text
