"""Tool calls that a model writes into its text instead of calling, and what must not be shown until that is known.

Only two things count as a call: known markup, and a whole message that is JSON. Both only for a tool that is offered:
JSON that is shown as an example inside prose stays prose.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Set
from typing import Any

from campus_agent.models.chat_model import RequestedCall
from campus_agent.text import unfenced

# What opens a call, one alternative a family: Hermes and Qwen, Llama, Mistral, Granite, Kimi and DeepSeek, ReAct.
_OPENING = re.compile(
    r"<tool_calls?>|<function_calls?>|<function=|<invoke |\[TOOL_CALLS\]|<\|python_tag\|>|<\|tool_calls?\|>"
    r"|<[|｜]tool[_▁]calls?(?:[_▁]section)?[_▁]begin[|｜]>|^[ \t*]*Action:",
    re.MULTILINE,
)
_CLOSING = re.compile(
    r"</tool_calls?>|</function_calls?>|</function>|</invoke>|<[|｜][^|｜\n]{1,40}[|｜]>|^\s*Observation:", re.M
)
_MAYBE_OPENING = re.compile(r"(?:<[^<>\n]{0,40}|\[[A-Z_]{0,11}|(?:^|\n)[ \t*]*(?:A(?:c(?:t(?:i(?:on?)?)?)?)?)?)$")
_END_OF_TURN = re.compile(
    r"<\|(?:im_end|im_start|eot_id|eom_id|end_of_text|endoftext|end|return|start_header_id)\|>"
    r"|<(?:end_of_turn|eos)>|<｜end▁of▁sentence｜>|</s>\s*$"
)
_NAMED = re.compile(r"""(?:function<[|｜][^|｜\n]{1,40}[|｜]>)?[\s>"'*]*(?:name=["'])?([\w.\-]+)(?::\d+)?""")
_BETWEEN = re.compile(
    r"""^(?:\[CALL_ID\]\w+|\[ARGS\]|<[|｜][^|｜\n]{1,40}[|｜]>|\*{0,2}Action Input:\*{0,2}|```(?:json)?|[\s>"'*])*"""
)
_BROKEN = re.compile(
    r"""\s*\{.{0,80}?["']name["']\s*:\s*["']([\w.\-]+)["'].*?["'](?:arguments|parameters)["']\s*:\s*(.*)""", re.DOTALL
)
_PARAMETER = re.compile(
    r"<parameter(?:=|\s+name=[\"'])([\w\-]+)[\"']?\s*>\s?\n?(.*?)\n?\s*</parameter>"
    r"|<arg_key>\s*([\w\-]+)\s*</arg_key>\s*<arg_value>(.*?)</arg_value>",
    re.DOTALL,
)
_OPEN_FENCE = re.compile(r"```\w*(?:[ \t]*\n(.*))?", re.DOTALL)
_PYTHON = re.compile(r"\s*\[?\s*[A-Za-z_][\w.]*\(")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input")


def clean_name(name: str, known: Set[str]) -> str:
    """Return a tool's name without leaked template tokens, and without a prefix or counter unless they belong to it."""
    name = re.split(r"<[|｜]", name, maxsplit=1)[0].strip()
    bare = re.sub(r":\d+$", "", name).rsplit(".", 1)[-1]
    return bare if name not in known and bare in known else name


def trim_end_of_turn(text: str) -> str:
    """Return `text` up to the first token by which a chat template ends a turn."""
    end = _END_OF_TURN.search(text)
    return text[: end.start()] if end else text


class Draft:
    """The answer text of one reply as it streams: lets through what is surely no tool call, holds the rest back."""

    def __init__(self, tools: Set[str]) -> None:
        self._tools = tools
        self._parts: list[str] = []
        self._pending = ""
        self._held = False
        self._shown = False

    def feed(self, text: str) -> str:
        """Take some text; return what may be shown by now."""
        self._parts.append(text)
        self._pending += text
        if self._held:
            return ""
        if not self._shown:
            self._pending = self._pending.lstrip()
        end = self._certain()
        shown, self._pending = self._pending[:end], self._pending[end:]
        self._shown = self._shown or bool(shown)
        return shown

    def _certain(self) -> int:
        """Return how much of the pending text can be no part of a call, nor of the end of a turn."""
        if not self._shown and self._tools:
            whole_call = self._is_whole_call()
            if whole_call is not False:
                self._held = bool(whole_call)
                return 0
        stops = [_END_OF_TURN.search(self._pending), _OPENING.search(self._pending) if self._tools else None]
        if any(stops):
            self._held = True
            return min(stop.start() for stop in stops if stop)
        unsure = _MAYBE_OPENING.search(self._pending)
        return unsure.start() if unsure else len(self._pending)

    def _is_whole_call(self) -> bool | None:
        """Return whether the message begins as one that is a call and nothing else; None while it could be either."""
        text = self._pending
        if "```".startswith(text[:3]):
            fence = _OPEN_FENCE.fullmatch(text)
            text = fence[1] or "" if fence else text
            if fence is None and len(text) > 2:
                return False
        text = text.lstrip("[ \n")
        if text.startswith("{") or any(text.startswith(f"{tool}(") for tool in self._tools):
            return True
        unsure = "```".startswith(text) or any(tool.startswith(text) for tool in self._tools)
        return None if unsure else False

    @property
    def whole(self) -> str:
        """All text so far."""
        return "".join(self._parts)

    def close(self) -> tuple[tuple[RequestedCall, ...], str, str]:
        """Say that the text is over; return the calls in it, its prose, and the part of that not shown yet."""
        calls, prose = read_calls(self.whole, self._tools)
        if calls:
            return calls, prose, ""
        return (), trim_end_of_turn(self.whole).strip(), trim_end_of_turn(self._pending).rstrip()


def read_calls(text: str, tools: Set[str]) -> tuple[tuple[RequestedCall, ...], str]:
    """Return the calls of offered tools that `text` holds, and the prose before them ("" calls: all of `text`)."""
    first = _OPENING.search(text) if tools else None
    if first:
        calls = _offered(_in_markup(text), tools)
        if calls:
            return calls, text[: first.start()].strip()
    whole = trim_end_of_turn(text)
    inner = unfenced(whole)
    calls = _offered((*_in_json(_json_prefix(inner, whole=True), bare=True), *_in_python(inner)), tools)
    return (calls, "") if calls else ((), text)


def _offered(calls: Iterable[RequestedCall], tools: Set[str]) -> tuple[RequestedCall, ...]:
    named = (RequestedCall(clean_name(call.name, tools), call.arguments, call.id) for call in calls)
    return tuple(call for call in named if call.name in tools)


def _in_markup(text: str) -> Iterator[RequestedCall]:
    openings = list(_OPENING.finditer(text))
    for opening, following in zip(openings, [*openings[1:], None], strict=True):
        yield from _in_segment(text[opening.end() : following.start() if following else None])
        if "Action:" in opening[0]:
            return  # what a model writes after its first action is its own invention of what comes back


def _in_segment(text: str) -> Iterator[RequestedCall]:
    """Read what stands behind an opening: JSON with a name in it, or a name and then its arguments."""
    value = _json_prefix(text)
    if value is not None:
        yield from _in_json(value, bare=False)
    elif python := list(_in_python(_unclosed(text))):
        yield from python
    elif broken := _BROKEN.match(text):
        yield RequestedCall(broken[1], _unclosed(broken[2]).removesuffix("}"))
    elif name := _NAMED.match(text):
        yield RequestedCall(name[1], _arguments(text[name.end() :]))


def _arguments(text: str) -> str | dict[str, Any] | list[Any] | None:
    """Read the arguments behind a tool's name: XML parameters, JSON, or text for the gatekeeper to make sense of."""
    parameters = {key or key2: value or value2 for key, value, key2, value2 in _PARAMETER.findall(text)}
    if parameters:
        return parameters
    text = _BETWEEN.sub("", text, count=1)
    value: dict[str, Any] | list[Any] | None = _json_prefix(text)
    return value if value is not None else _unclosed(text) or None


def _unclosed(text: str) -> str:
    closing = _CLOSING.search(text)
    return text[: closing.start() if closing else None].strip()


def _in_json(value: object, *, bare: bool) -> Iterator[RequestedCall]:
    """Read a call, or a list of them; a `bare` one, without markup around it, must show its arguments to count."""
    if isinstance(value, list):
        for item in value:
            yield from _in_json(item, bare=bare)
    if not isinstance(value, dict):
        return
    call = value["function"] if isinstance(value.get("function"), dict) else value
    key = next((key for key in _ARGUMENT_KEYS if key in call), None)
    if isinstance(call.get("name"), str) and (key or not bare):
        yield RequestedCall(call["name"], call[key] if key else None)


def _in_python(text: str) -> Iterator[RequestedCall]:
    """Read a text that is nothing but `tool(name="value")`, or a list of such calls."""
    if not _PYTHON.match(text):
        return
    try:
        with warnings.catch_warnings(action="ignore"):  # what the text holds is nothing for the screen
            tree = ast.parse(text.strip(), mode="eval").body
        for call in tree.elts if isinstance(tree, ast.List) else [tree]:
            if isinstance(call, ast.Call) and not call.args:
                arguments = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
                yield RequestedCall(ast.unparse(call.func), arguments)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return


def _json_prefix(text: str, *, whole: bool = False) -> Any:  # noqa: ANN401 - any JSON container
    """Return the JSON object or list that `text` begins with (or, `whole`, consists of), else None."""
    text = text.strip()
    if not text.startswith(("{", "[")):
        return None
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return None if whole and end < len(text) else value
