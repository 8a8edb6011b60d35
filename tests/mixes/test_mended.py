"""The kinds of fault that mixes have found, each where it was mended."""

from __future__ import annotations

import json
from typing import Any

import pytest

from campus_agent.models.assembly import Assembly
from campus_agent.models.chat_model import Reply
from campus_agent.models.sse import BodyReader
from tests.mixes.calls import CLOCK, COUNT, SEARCH


def calls_of(*fragments: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return name and arguments of each call that these fragments come to."""
    assembly = Assembly(frozenset((SEARCH, CLOCK, COUNT)))
    for fragment in fragments:
        list(assembly.add({"choices": [{"delta": {"tool_calls": [fragment]}}]}))
    *_, reply = assembly.close()
    assert isinstance(reply, Reply)
    return [
        (call.name, json.loads(call.arguments) if isinstance(call.arguments, str) else call.arguments)
        for call in reply.calls
    ]


def piece(name: str, arguments: str, **keys: object) -> dict[str, Any]:
    return {"index": 0, "function": {"name": name, "arguments": arguments}, **keys}


@pytest.mark.parametrize("form", ["{}", "functions.{}", "functions.{}:0", "{}<|channel|>commentary"])
@pytest.mark.parametrize("first", ["", "{}"])
def test_a_name_repeated_in_every_fragment_is_one_call_however_it_is_dressed(form: str, first: str) -> None:
    name = form.format(SEARCH)
    parts = [first, '{"que', 'ry": ', '"x"}']
    assert calls_of(*(piece(name, part) for part in parts)) == [(SEARCH, {"query": "x"})]


@pytest.mark.parametrize("rest", ["\n", " \n ", ""])
def test_space_after_the_arguments_opens_no_call_although_the_name_is_repeated(rest: str) -> None:
    parts = ['{"query": "x"}', rest]
    assert calls_of(*(piece(SEARCH, part) for part in parts)) == [(SEARCH, {"query": "x"})]


def test_the_same_id_is_the_same_call_although_its_first_object_is_complete() -> None:
    parts = ['{"a": 1}', '{"a"', ": 1}"]
    assert calls_of(*(piece(SEARCH, part, id="x") for part in parts)) == [(SEARCH, {"a": 1})]


@pytest.mark.parametrize("arguments", ["", '{"a": 1}'])
@pytest.mark.parametrize("at", [1, 8, 12])
def test_a_name_in_parts_opens_another_call_where_nothing_else_tells_them_apart(arguments: str, at: int) -> None:
    before = piece(SEARCH, '{"b": 2}')
    parts = [piece(COUNT[:at], ""), piece(COUNT[at:], arguments)]
    assert calls_of(before, *parts) == [(SEARCH, {"b": 2}), (COUNT, json.loads(arguments or "null"))]


def test_a_stray_part_of_a_name_opens_no_call() -> None:
    parts = [("", '{"a"'), (" ", ": "), ("search", "1"), ("null", "}")]
    assert calls_of(piece(SEARCH, ""), *(piece(*part) for part in parts)) == [(SEARCH, {"a": 1})]


@pytest.mark.parametrize("form", ["{}", "functions.{}"])
def test_a_dressed_name_of_another_tool_still_opens_another_call(form: str) -> None:
    fragments = [piece(form.format(name), part) for name in (SEARCH, COUNT) for part in ('{"a"', ": 1}")]
    assert calls_of(*fragments) == [(SEARCH, {"a": 1}), (COUNT, {"a": 1})]


@pytest.mark.parametrize("size", [1, 2, 4, 1000])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_byte_order_mark_costs_no_event(size: int, end: str) -> None:
    body = ("\ufeff" + "".join(f'data: {{"n": {n}}}{end}{end}' for n in (1, 2))).encode()
    reader = BodyReader()
    items = [item for start in range(0, len(body), size) for item in reader.feed(body[start : start + size])]
    assert items + reader.close() == [{"n": 1}, {"n": 2}]
