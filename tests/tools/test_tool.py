from __future__ import annotations

from typing import Any, Literal

import pytest

from campus_agent.tools.tool import BadArguments, Tool, tool


@tool(read_only=False, timeless=False, searches=True)
def multiply(a: int, b: int, exact: bool = True, scale: float = 1.0, unit: str | None = None) -> str:
    """Multiply two numbers.

    And say so.

    Args:
        a: the first number,
            which is whole.
        b (int): the second number.
        unit: what is counted.

    Returns:
        The product, as text.
    """
    return str(a * b)


def test_the_schema_comes_from_the_signature_and_the_docstring() -> None:
    schema = multiply.schema
    assert schema.name == "multiply"
    assert schema.description == "Multiply two numbers. And say so."
    assert schema.parameters == {
        "type": "object",
        "additionalProperties": False,
        "required": ["a", "b"],
        "properties": {
            "a": {"type": "integer", "description": "the first number, which is whole."},
            "b": {"type": "integer", "description": "the second number."},
            "exact": {"type": "boolean", "default": True},
            "scale": {"type": "number", "default": 1.0},
            "unit": {"type": "string", "description": "what is counted."},
        },
    }


def test_the_options_are_kept() -> None:
    assert (multiply.read_only, multiply.timeless, multiply.searches) == (False, False, True)


def test_a_bare_decorator_makes_a_read_only_tool_without_arguments() -> None:
    @tool
    def ping() -> str:
        """Ping."""
        return "pong"

    assert isinstance(ping, Tool)
    assert ping.read_only
    assert ping.schema.parameters == {"type": "object", "additionalProperties": False, "properties": {}}
    assert ping.check({}) == {}


def test_choices_become_an_enumeration() -> None:
    @tool
    def pick(side: Literal["left", "right"]) -> str:
        """Pick."""
        return side

    assert pick.schema.parameters["properties"]["side"]["enum"] == ["left", "right"]
    with pytest.raises(BadArguments, match="'side'"):
        pick.check({"side": "up"})


@pytest.mark.parametrize(
    ("given", "checked"),
    [
        ({"a": "6912", "b": "5"}, {"a": 6912, "b": 5}),
        ({"a": "5.0", "b": 5.0}, {"a": 5, "b": 5}),
        ({"a": 1, "b": 2, "exact": "false"}, {"a": 1, "b": 2, "exact": False}),
        ({"a": 1, "b": 2, "scale": "1.5"}, {"a": 1, "b": 2, "scale": 1.5}),
        ({"a": 1, "b": 2, "scale": 2}, {"a": 1, "b": 2, "scale": 2.0}),
        ({"a": 1, "b": 2, "unit": None, "exact": "", "scale": None}, {"a": 1, "b": 2}),
        ({"a": 1, "b": 2, "unit": ["kg"]}, {"a": 1, "b": 2, "unit": "kg"}),
    ],
)
def test_what_can_be_converted_without_loss_is_converted(given: dict[str, Any], checked: dict[str, Any]) -> None:
    assert multiply.check(given) == checked


@pytest.mark.parametrize(
    "value", [5.9, "5.9", True, False, "NaN", float("nan"), float("inf"), None, "1_000", "five", [1, 2], {}, ""]
)
def test_what_is_no_whole_number_is_refused(value: object) -> None:
    with pytest.raises(BadArguments, match="'a'"):
        multiply.check({"a": value, "b": 1})


@pytest.mark.parametrize("value", ["NaN", float("nan"), float("inf"), "Infinity", "1,5", True])
def test_what_is_no_finite_number_is_refused(value: object) -> None:
    with pytest.raises(BadArguments, match="'scale'"):
        multiply.check({"a": 1, "b": 1, "scale": value})


@pytest.mark.parametrize("value", [5, 1.5, True, {"x": 1}, ["a", "b"], [1]])
def test_what_is_no_text_is_refused_and_not_written_out(value: object) -> None:
    with pytest.raises(BadArguments, match="'unit'"):
        multiply.check({"a": 1, "b": 1, "unit": value})


def test_none_for_a_required_text_is_refused_and_not_the_word_none() -> None:
    @tool
    def say(text: str) -> str:
        """Say."""
        return text

    with pytest.raises(BadArguments, match="'text'"):
        say.check({"text": None})


def test_missing_and_unknown_arguments_are_named() -> None:
    with pytest.raises(BadArguments, match="missing required argument 'b'"):
        multiply.check({"a": 1})
    with pytest.raises(BadArguments, match="unknown argument 'c'; it takes: a, b, exact, scale, unit"):
        multiply.check({"a": 1, "b": 2, "c": 3})


def test_a_parameter_without_an_annotation_is_no_tool() -> None:
    with pytest.raises(TypeError, match="annotation"):

        @tool
        def broken(a) -> str:  # type: ignore[no-untyped-def]  # the fault under test
            """Broken."""
            return str(a)


def test_parameters_that_are_not_named_are_no_tool() -> None:
    with pytest.raises(TypeError, match="one by one"):

        @tool
        def broken(*numbers: int) -> str:
            """Broken."""
            return str(numbers)
