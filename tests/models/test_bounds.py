"""What would take minutes to read is read at once, or not at all. Each of these hung before it was bounded."""

from __future__ import annotations

from typing import Any

import pytest

from campus_agent.agent.arguments import LONGEST, Read, Unreadable, read_arguments
from campus_agent.models.slots import MOST_CALLS
from campus_agent.models.text_calls import Draft
from tests.models.played import NAMES
from tests.models.test_assembly import SEARCH, assembled, delta, fragment, message

LONG = {
    "quotes that are never closed": '{"a": "' + '\\"' * 31_000,
    "quotes, each open": '{"a": ' + '"' * 63_000,
    "commas": '{"a": 1' + "," * 60_000 + "}",
    "a sum": "{'a': " + "1+" * 30_000 + "1}",
    "comparisons": "{'a': " + "1<" * 30_000 + "1}",
    "fences": "```" * 20_000,
    "brackets": '{"a": ' + "[" * 60_000,
}


@pytest.mark.parametrize("name", LONG)
def test_long_arguments_that_are_none_are_unreadable(name: str) -> None:
    assert len(LONG[name]) <= LONGEST
    assert isinstance(read_arguments(LONG[name]), Unreadable)


def test_arguments_beyond_any_use_are_not_read_and_that_is_said() -> None:
    fits = '{"a": "' + "x" * (LONGEST - 9) + '"}'
    assert isinstance(read_arguments(fits), Read)
    too_long = read_arguments(fits.replace("x", "xx", 1))
    assert isinstance(too_long, Unreadable)
    assert "longer than 64,000 characters" in too_long.reason


@pytest.mark.parametrize("row", ["{}" * 150_000, "".join(f'{{"a": {n}}}' for n in range(24_000))])
def test_a_row_of_thousands_of_objects_is_one_call_that_cannot_be_read(row: str) -> None:
    said = assembled(fragment(SEARCH, row, id="a"))
    (call,) = said.reply.calls
    assert isinstance(read_arguments(call.arguments), Unreadable)


@pytest.mark.parametrize("whole", [True, False])
def test_of_thousands_of_calls_the_first_are_read_and_that_is_said(whole: bool) -> None:
    calls: list[dict[str, Any]] = [
        {"index": n, "function": {"name": SEARCH, "arguments": f'{{"query": "{n}"}}'}} for n in range(20_000)
    ]
    said = assembled(message(tool_calls=calls) if whole else delta(tool_calls=calls))
    assert [call.arguments for call in said.reply.calls] == [f'{{"query": "{n}"}}' for n in range(MOST_CALLS)]
    assert said.notes == ["More than 100 tool calls came in one reply; only the first were read."]


@pytest.mark.parametrize("part", ["{}", "{", '{"a": 1}', " "])
def test_tens_of_thousands_of_fragments_without_a_mark_of_their_own_are_read(part: str) -> None:
    calls = [{"function": {"name": SEARCH, "arguments": part}}] * 20_000
    assert 1 <= len(assembled(delta(tool_calls=calls)).reply.calls) <= MOST_CALLS


WRITTEN = {
    "parameters that are never closed": "<function=search_campus_info>" + "<parameter=query>" * 6_000,
    "pairs that are never closed": "<tool_call>search_campus_info" + "<arg_key>a</arg_key><arg_value>" * 3_000,
    "newlines": "<tool_call>search_campus_info " + "\n" * 60_000,
    "a sum": "search_campus_info(query=" + "1+" * 45_000 + "1)",
    "openings": "<tool_call>" * 9_000,
    "names": '<tool_call>{"name": ' * 4_000,
}


@pytest.mark.parametrize("name", WRITTEN)
def test_long_texts_that_are_almost_calls_are_read_through(name: str) -> None:
    draft = Draft(NAMES)
    shown = draft.feed(WRITTEN[name])
    calls, prose, rest = draft.close()
    assert calls or (shown + rest).strip() == prose.strip()


def test_of_thousands_of_written_calls_the_first_are_read() -> None:
    said = assembled(delta(content='<tool_call>{"name": "search_campus_info", "arguments": {}}</tool_call>' * 1_500))
    assert len(said.reply.calls) == MOST_CALLS
