"""`@tool`: an ordinary Python function becomes something that a model can call.

The JSON schema that the model reads is made from the function's signature and docstring, so the two cannot disagree;
the arguments that come back are checked against the same signature.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_type_hints, overload

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from campus_agent.models.chat_model import ToolSchema

Match = Literal["strong", "weak"]


class Source(BaseModel):
    """Where a passage stands: the document's path inside its base, and the line (first is 1) where it begins."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    source: str
    line: int | None = None
    text: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool returns when plain text is not enough.

    Attributes:
        content: the observation, word for word as the model will read it.
        empty: whether the tool worked but found nothing.
        sources: the passages that the content was taken from.
        match: how well a search found what was asked for.
        notes: what a person should know of how it came about; the trace says it, and no model reads it.
    """

    content: str
    empty: bool = False
    sources: tuple[Source, ...] = ()
    match: Match | None = None
    notes: tuple[str, ...] = ()


class BadArguments(ValueError):
    """Arguments that do not fit a tool; the text says which and why, for the model to read."""


@dataclass(frozen=True)
class Tool:
    """A function that a model may call.

    Attributes:
        function: the function itself, plain or async; it returns text, a `ToolResult` or None.
        name: the name that the model calls it by.
        description: what the model is told of it.
        arguments: a pydantic model with a field for each parameter.
        read_only: whether calling it again does no harm; only such a tool is tried again when it raises.
        timeless: whether what it returned stays true in later runs (a search does, a clock does not).
        searches: whether it looks up campus information, so that its failure is not passed off as a refusal.
    """

    function: Callable[..., Any]
    name: str
    description: str
    arguments: type[BaseModel]
    read_only: bool = True
    timeless: bool = True
    searches: bool = False

    @cached_property
    def schema(self) -> ToolSchema:
        """The tool as it is offered to a model."""
        parameters = _plain(self.arguments.model_json_schema())
        parameters.setdefault("properties", {})
        return ToolSchema(self.name, self.description, parameters)

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments converted to the declared types, defaults left out; raise `BadArguments` otherwise.

        Conversions lose nothing: "5" and "5.0" are the integer 5, "false" is False; 5.9, True, "NaN" and None are
        no integers. None and "" for an optional argument mean that it is absent.
        """
        fields = self.arguments.model_fields
        known = ", ".join(fields) or "none"
        unknown = [name for name in arguments if name not in fields]
        if unknown:
            raise BadArguments(f"unknown argument {_names(unknown)}; it takes: {known}")
        given = {n: v for n, v in arguments.items() if fields[n].is_required() or v not in (None, "")}
        missing = [n for n, field in fields.items() if field.is_required() and n not in given]
        if missing:
            raise BadArguments(f"missing required argument {_names(missing)}")
        given = {n: _convert(v, fields[n].annotation) for n, v in given.items()}
        try:
            checked = self.arguments.model_validate(given, strict=True)
        except ValidationError as error:
            raise BadArguments(_said(error)) from None
        return {name: getattr(checked, name) for name in given}


@overload
def tool(function: Callable[..., Any], /) -> Tool: ...
@overload
def tool(
    *, name: str | None = None, read_only: bool = True, timeless: bool = True, searches: bool = False
) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    read_only: bool = True,
    timeless: bool = True,
    searches: bool = False,
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Make a `Tool` of a function whose parameters are annotated and whose docstring says what it does.

    The docstring's text up to `Args:` is the description; the lines under `Args:` describe the parameters.
    See `Tool` for the options. Raises `TypeError` for a parameter without an annotation, or for `*args`/`**kwargs`.
    """

    def make(function: Callable[..., Any]) -> Tool:
        description, described = _read_docstring(inspect.getdoc(function) or "")
        return Tool(
            function=function,
            name=name or function.__name__,
            description=description,
            arguments=_arguments_model(function, described),
            read_only=read_only,
            timeless=timeless,
            searches=searches,
        )

    return make if function is None else make(function)


def _arguments_model(function: Callable[..., Any], described: Mapping[str, str]) -> type[BaseModel]:
    hints = get_type_hints(function)
    fields: dict[str, Any] = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise TypeError(f"{function.__name__}: a tool's parameters are named one by one")
        if parameter.name not in hints:
            raise TypeError(f"{function.__name__}: parameter {parameter.name!r} needs a type annotation")
        default = ... if parameter.default is parameter.empty else parameter.default
        description = described.get(parameter.name)
        fields[parameter.name] = (hints[parameter.name], Field(default=default, description=description))
    return create_model(function.__name__, __config__=ConfigDict(extra="forbid", allow_inf_nan=False), **fields)


_PARAMETER = re.compile(r"^\s*(\w+)\s*(?:\([^)]*\))?:\s*(.*)$")


def _read_docstring(text: str) -> tuple[str, dict[str, str]]:
    """Split a docstring into its description and what it says of each parameter."""
    head, _, rest = text.partition("\nArgs:\n")
    described: dict[str, str] = {}
    current = ""
    for line in rest.splitlines():
        if line and not line[0].isspace():
            break
        found = _PARAMETER.match(line)
        if found:
            current = found[1]
            described[current] = found[2].strip()
        elif current and line.strip():
            described[current] += " " + line.strip()
    return " ".join(head.split()), described


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Drop the titles that pydantic adds, and write "X or null" with a default as plain X: small models read it."""
    properties = {}
    for name, field in schema.get("properties", {}).items():
        choices = field.pop("anyOf", [])
        real = [choice for choice in choices if choice.get("type") != "null"]
        if len(choices) == 2 and len(real) == 1:
            field = {**real[0], **field}
        elif choices:
            field["anyOf"] = choices
        if field.get("default", ...) is None:
            del field["default"]
        field.pop("title", None)
        properties[name] = field
    plain = {key: value for key, value in schema.items() if key not in ("title", "description")}
    return {**plain, "properties": properties}


_LONGEST_NUMBER = 300  # digits
_WHOLE = re.compile(r"[+-]?\d+(?:\.0+)?")
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def _convert(value: Any, annotation: Any) -> Any:  # noqa: ANN401 - a JSON value of any shape
    """Convert text to the number or truth value that is wanted, and a list of one text to the text; else leave it."""
    wanted = set(getattr(annotation, "__args__", ())) | {annotation}
    if isinstance(value, list) and len(value) == 1 and str in wanted and list not in wanted:
        value = value[0] if isinstance(value[0], str) else value
    if isinstance(value, str) and str not in wanted:
        text = value.strip()
        if len(text) > _LONGEST_NUMBER:
            return value
        if bool in wanted and text.lower() in ("true", "false"):
            return text.lower() == "true"
        if int in wanted and _WHOLE.fullmatch(text):
            return int(text.partition(".")[0])
        if float in wanted and _DECIMAL.fullmatch(text):
            return float(text)
    if isinstance(value, float) and int in wanted and float not in wanted and value.is_integer():
        return int(value)
    return value


def _names(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def _said(error: ValidationError) -> str:
    """Say what pydantic found, in one line."""
    parts = []
    for fault in error.errors(include_url=False):
        where = ".".join(str(part) for part in fault["loc"])
        parts.append(f"argument '{where}': {fault['msg']} (got {fault['input']!r})")
    return "; ".join(parts)
