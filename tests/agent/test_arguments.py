from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_agent.agent.arguments import Read, Unreadable, read_arguments

FENCED = '```json\n{"query": "x"}\n```'


@pytest.mark.parametrize(
    ("raw", "arguments"),
    [
        ('{"query": "x"}', {"query": "x"}),
        ('  {"query": "x"}\n', {"query": "x"}),
        ('{"q": "it\'s"}', {"q": "it's"}),
        ('{"sql": "WHERE region = \'EMEA\'"}', {"sql": "WHERE region = 'EMEA'"}),
        ('{"q": "a,} b,] c"}', {"q": "a,} b,] c"}),
        ("", {}),
        ("  ", {}),
        ("null", {}),
        ("None", {}),
        (None, {}),
        ("{}", {}),
    ],
)
def test_plain_arguments_are_read_without_repair(raw: str | None, arguments: dict[str, Any]) -> None:
    assert read_arguments(raw) == Read(arguments)


@pytest.mark.parametrize(
    ("raw", "arguments", "repair"),
    [
        ({"query": "x"}, {"query": "x"}, "object instead of text"),
        (json.dumps('{"query": "x"}'), {"query": "x"}, "inside a string"),
        (json.dumps(json.dumps('{"query": "x"}')), {"query": "x"}, "inside a string"),
        (json.dumps("{'query': 'x',}"), {"query": "x"}, "Python"),
        ('{"query": "AI Club\nday"}', {"query": "AI Club\nday"}, "control characters"),
        (FENCED, {"query": "x"}, "code fence"),
        ('{"query": "x", }', {"query": "x"}, "trailing comma"),
        ('{"q": "a,}", "r": [1, 2,],}', {"q": "a,}", "r": [1, 2]}, "trailing comma"),
        ("{'query': 'x'}", {"query": "x"}, "Python"),
        ("{'query': \"what's the day\"}", {"query": "what's the day"}, "Python"),
        ("{'a': 'it\\'s'}", {"a": "it's"}, "Python"),
        ("{'q': None, 'x': True}", {"q": None, "x": True}, "Python"),
        ("{'q': null, 'x': true}", {"q": None, "x": True}, "Python"),
        ("{'sql': \"WHERE r = 'EMEA'\"}", {"sql": "WHERE r = 'EMEA'"}, "Python"),
    ],
)
def test_a_repair_is_made_and_named_and_the_values_stay_as_they_were(
    raw: str | dict[str, Any], arguments: dict[str, Any], repair: str
) -> None:
    read = read_arguments(raw)
    assert isinstance(read, Read)
    assert read.arguments == arguments
    assert read.repaired is not None
    assert repair in read.repaired


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ('{"query": "AI Cl', "not valid JSON"),
        ("{", "not valid JSON"),
        ("query=x", "not valid JSON"),
        ("WHERE region = 'EMEA'", "not valid JSON"),
        ('{"a": 1} and more', "not valid JSON"),
        ('{"a": NaN}', "not valid JSON"),
        ("{'a': {1, 2}}", "not valid JSON"),
        ("{'a': b'x'}", "not valid JSON"),
        ("{'a': __import__('os')}", "not valid JSON"),
        ("[1]", "a list"),
        ('"x"', "a text"),
        ("5", "the value 5"),
        ("true", "the value true"),
        (["AI Club"], "a list"),
    ],
)
def test_what_cannot_be_read_is_said(raw: Any, reason: str) -> None:
    read = read_arguments(raw)
    assert isinstance(read, Unreadable)
    assert reason in read.reason


@pytest.mark.parametrize("depth", [51, 300, 900, 9_000, 100_000])
def test_arguments_that_are_nested_too_deeply_or_too_long_are_refused(depth: int) -> None:
    whole, cut = '{"a":' * depth + "1" + "}" * depth, '{"a":' * depth
    assert isinstance(read_arguments(whole), Unreadable)
    assert isinstance(read_arguments(cut), Unreadable)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
@pytest.mark.parametrize(
    "raw", ['{{"a": {}}}', '{{"a": [{{"b": {}}}]}}', "{{'a': {}}}", '"{{\\"a\\": {}}}"', "```\n{{'a': {},}}\n```"]
)
def test_a_number_that_json_has_no_word_for_makes_arguments_unreadable(number: str, raw: str) -> None:
    assert isinstance(read_arguments(raw.format(number)), Unreadable)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [1.0, {"b": -float("inf")}]])
def test_arguments_that_come_as_an_object_hold_only_numbers_of_json(value: Any) -> None:
    read = read_arguments({"query": "AI Club", "k": value})
    assert isinstance(read, Unreadable)
    assert "not valid JSON" in read.reason


def test_half_characters_are_replaced() -> None:
    assert read_arguments('{"a": "\\ud83d x", "\\ud800": ["\\udc00"]}') == Read({"a": "? x", "?": ["?"]})


def test_a_number_of_thousands_of_digits_is_named_in_words_for_a_reader() -> None:
    read = read_arguments(f'{{"k": {"9" * 5000}}}')
    assert read == Unreadable("not valid JSON: a number in it has thousands of digits")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=10,
)
objects = st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), json_values)


@given(objects)
def test_every_object_is_read_back_whole_in_each_notation(value: dict[str, Any]) -> None:
    for raw in (json.dumps(value), json.dumps(json.dumps(value)), value, repr(value), f"```\n{json.dumps(value)}\n```"):
        read = read_arguments(raw)
        assert isinstance(read, Read)
        assert read.arguments == value


@given(st.text())
def test_no_text_is_ever_too_odd(raw: str) -> None:
    assert isinstance(read_arguments(raw), (Read, Unreadable))
