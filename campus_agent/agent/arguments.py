"""Reads the arguments of a tool call, in whatever shape a model wrote them.

A ladder: strict JSON first, then one mild repair after the other. A repair counts only if the whole text then is an
object, and no repair touches the text inside a value.
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from campus_agent.text import unfenced, well_formed

LONGEST = 64_000  # characters of arguments that are looked at
_BLANK = "\ufeff \t\r\n"  # with the mark that some systems put in front of a text
_TAIL = re.compile(r"(?:[\s}\]]|</\w{1,20}>|<[|｜]\w{1,30}[|｜]>)*+")  # what models leave behind an object
_NOTHING = ("", "null", "None")
_STRING_OR_COMMA = re.compile(r'"(?:\\.|[^"\\])*+"?|,(?=\s*[}\]])', re.DOTALL)  # also the text that never ends
_DEEPEST = 50  # objects and lists inside one another
_MOST_LAYERS = 3  # of JSON inside a JSON string


@dataclass(frozen=True, slots=True)
class Read:
    """Arguments that could be read, and the repair it took, if any."""

    arguments: dict[str, Any]
    repaired: str | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Arguments that could not be read, and why, in words for the model."""

    reason: str


def read_arguments(raw: str | dict[str, Any] | list[Any] | None) -> Read | Unreadable:
    """Read the arguments of a call into an object."""
    if isinstance(raw, list):
        return Unreadable("a list, not a JSON object")
    try:
        if isinstance(raw, dict):
            return Read(_well_formed(raw), "the arguments came as an object instead of text")
        return _read_text((raw or "").strip(_BLANK))
    except RecursionError:
        return Unreadable("nested too deeply")
    except _NotFinite:
        return Unreadable("not valid JSON: a number in it is infinite, or is none")


def _read_text(text: str) -> Read | Unreadable:
    if text in _NOTHING:
        return Read({})
    if len(text) > LONGEST:
        return Unreadable(f"longer than {LONGEST:,} characters")
    return _climb(text)


def _climb(text: str, layer: int = 0) -> Read | Unreadable:
    try:
        value = _strict(text)
    except ValueError as error:
        why = "a number in it has thousands of digits" if "int_max_str_digits" in str(error) else error
        return _repair(text) or Unreadable(f"not valid JSON: {why}")
    if isinstance(value, dict):
        return Read(_well_formed(value), "the arguments were JSON inside a string" if layer else None)
    if isinstance(value, str) and layer < _MOST_LAYERS:
        inner = _climb(value, layer + 1)
        if isinstance(inner, Read):
            return inner
    return Unreadable(f"valid JSON, but {_kind(value)}, not an object")


def _repair(text: str) -> Read | None:
    ladder: tuple[tuple[str, Callable[[str], Any]], ...] = (
        ("raw control characters inside a string", _lenient),
        ("a code fence around the arguments", lambda text: _lenient(unfenced(text))),
        ("a trailing comma", lambda text: _lenient(_without_trailing_commas(unfenced(text)))),
        ("something behind the arguments", _with_tail),
        ("Python notation instead of JSON", lambda text: _python(unfenced(text))),
        ("the same arguments twice", lambda text: _python(_half(text))),
    )
    for name, read in ladder:
        try:
            value = read(text)
        except (ValueError, SyntaxError, TypeError, MemoryError):
            continue
        if isinstance(value, dict):
            return Read(_well_formed(value), name)
    return None


def _strict(text: str) -> Any:  # noqa: ANN401 - a JSON value of any shape
    return json.loads(text, parse_constant=_no_constant)


def _lenient(text: str) -> Any:  # noqa: ANN401 - a JSON value of any shape
    return json.loads(text, parse_constant=_no_constant, strict=False)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def _without_trailing_commas(text: str) -> str:
    return _STRING_OR_COMMA.sub(lambda found: "" if found[0] == "," else found[0], text)


def _with_tail(text: str) -> Any:  # noqa: ANN401 - a JSON value of any shape
    value, end = json.JSONDecoder(parse_constant=_no_constant, strict=False).raw_decode(text)
    if not _TAIL.fullmatch(text, end):
        raise ValueError("there is more behind it than brackets and markup")
    return value


def _half(text: str) -> str:
    middle = len(text) // 2
    first, second = text[:middle].strip(), text[middle:].strip()
    if first != second:
        raise ValueError("the halves are not alike")
    return first


def _python(text: str) -> Any:  # noqa: ANN401 - a literal of any shape
    tree = _JsonNames().visit(ast.parse(text, mode="eval"))
    value = ast.literal_eval(tree)
    json.dumps(value, allow_nan=False)  # raises for what JSON does not know: sets, bytes, complex numbers
    return value


class _JsonNames(ast.NodeTransformer):
    """Lets true, false and null stand in a Python literal."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        names = {"true": True, "false": False, "null": None}
        return ast.Constant(names[node.id]) if node.id in names else node


class _NotFinite(Exception):
    """A number that JSON has no word for: some servers write it all the same, and 1e999 becomes one."""


def _well_formed(value: Any, depth: int = 0) -> Any:  # noqa: ANN401 - a JSON value of any shape
    """Make every text inside a JSON value well formed; raise `RecursionError` for one that no reader could handle."""
    if depth > _DEEPEST:
        raise RecursionError
    if isinstance(value, float) and not math.isfinite(value):
        raise _NotFinite
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {well_formed(str(key)): _well_formed(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_well_formed(inner, depth + 1) for inner in value]
    return value


def _kind(value: object) -> str:
    if isinstance(value, list):
        return "a list"
    return "a text" if isinstance(value, str) else f"the value {json.dumps(value)[:40]}"
