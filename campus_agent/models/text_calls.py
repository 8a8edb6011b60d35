"""Tool calls that a model writes into its text instead of calling, and what must not be shown until that is known.

Only two things count as a call: known markup (see markup.py), and a whole message that is JSON or a call in Python.
JSON that is shown as an example inside prose stays prose.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import zip_longest
from typing import Any

from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.markup import CLOSING, MARKUPS, MAYBE_OPENING, NOTHING_MORE, OPENING, TAG
from campus_agent.models.shapes import arguments_of, function_of, has_arguments, name_of
from campus_agent.text import unfenced

_END_OF_TURN = re.compile(
    r"<\|(?:im_end|im_start|eot_id|eom_id|end_of_text|endoftext|end|return|call|start_header_id)\|>"
    r"|<(?:end_of_turn|eos)>|<｜end▁of▁sentence｜>|</s>\s*$"
)
_NAMED = re.compile(r"""(?:function<[|｜][^|｜\n]{1,40}[|｜]>)?[\s>"'*]*(?:name=["'])?([\w.\-]+)(?::\d+)?""")
_BETWEEN = re.compile(
    r"""^(?:\[CALL_ID\]\w+|\[ARGS\]|<[|｜][^|｜\n]{1,40}[|｜]>|\*{0,2}Action Input:\*{0,2}"""
    r"""|```(?:json)?|\b(?:commentary|json)\b|[\s>"'*])*+"""
)
_BROKEN = re.compile(
    r"""\s*\{.{0,80}?["']name["']\s*:\s*["']([\w.\-]+)["'].*?["'](?:arguments|parameters)["']\s*:\s*(.*)""", re.DOTALL
)
# No value holds the opening of the next one, which keeps a text of nothing but openings from being read for ever.
_PARAMETER = re.compile(
    rf"<{TAG}parameter(?:=|\s+name=[\"'])([\w\-]+)[^<>]{{0,80}}>((?:(?!<{TAG}parameter).)*?)</{TAG}parameter>"
    r"|<arg_key>\s*([\w\-]+)\s*</arg_key>\s*<arg_value>((?:(?!<arg_).)*?)</arg_value>",
    re.DOTALL,
)
_TOKEN = re.compile(rf"<[|｜]|{_END_OF_TURN.pattern}")  # nothing of a chat template's own is for the screen
_LONGEST = 200_000  # characters of a text that is looked through for calls
_LONGEST_PYTHON = 16_000  # of one that is read as Python, which takes a while
_OPEN_FENCE = re.compile(r"```\w*(?:[ \t]*\n(.*))?", re.DOTALL)
_PYTHON = re.compile(r"\s*\[?\s*[A-Za-z_][\w.]*\(")


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
        stops = [_TOKEN.search(self._pending), OPENING.search(self._pending) if self._tools else None]
        if any(stops):
            self._held = True
            return min(stop.start() for stop in stops if stop)
        unsure = MAYBE_OPENING.search(self._pending)
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
        functions = ("print", *self._tools)
        if text.startswith("{") or any(text.startswith(f"{name}(") for name in functions):
            return True
        unsure = "```".startswith(text) or any(name.startswith(text) for name in functions)
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
    """Return the calls that `text` holds, and the prose before them ("" calls: all of `text`).

    In markup that is surely that of a call, at the beginning of a line, calls of other tools count too, and what cannot
    be read is a call without a name: the model is to be told what was wrong with it.
    """
    if len(text) > _LONGEST:
        return (), text
    openings = list(OPENING.finditer(text)) if tools else []
    if calls := _in_markup(text, openings, tools):
        return calls, text[: openings[0].start()].strip()
    inner = unfenced(trim_end_of_turn(text)) if tools else ""
    calls = _offered((*_in_json(_json_prefix(inner, whole=True), bare=True), *_in_python(inner)), tools)
    return (calls, "") if calls else ((), text)


def calls_in_thought(thought: str, tools: Set[str]) -> tuple[RequestedCall, ...]:
    """Return the calls of offered tools that a model wrote, in markup, into a thought and nowhere else."""
    return _offered(_in_segments(thought, list(OPENING.finditer(thought)), tools), tools)


def _offered(calls: Iterable[RequestedCall], tools: Set[str]) -> tuple[RequestedCall, ...]:
    named = (RequestedCall(clean_name(call.name, tools), call.arguments, call.id) for call in calls)
    return tuple(call for call in named if call.name in tools)


def _in_markup(text: str, openings: Sequence[re.Match[str]], tools: Set[str]) -> tuple[RequestedCall, ...]:
    calls = tuple(_in_segments(text, openings, tools))
    if not openings or not _is_surely_one(text, openings[0]):
        return _offered(calls, tools)
    if not calls:
        return (RequestedCall("", _unclosed(text[openings[0].end() :]).strip("> \n") or None),)
    return tuple(RequestedCall(clean_name(call.name, tools), call.arguments, call.id) for call in calls)


def _is_surely_one(text: str, opening: re.Match[str]) -> bool:
    before = text[: opening.start()].rpartition("\n")[2]
    return MARKUPS[(opening.lastindex or 0) - 1].sure and not before.strip()


def _in_segments(text: str, openings: Sequence[re.Match[str]], tools: Set[str]) -> Iterator[RequestedCall]:
    for opening, following in zip_longest(openings, openings[1:]):
        yield from _in_segment(text[opening.end() : following.start() if following else None], tools)
        if "Action:" in opening[0]:
            return  # what a model writes after its first action is its own invention of what comes back


def _in_segment(text: str, tools: Set[str]) -> Iterator[RequestedCall]:
    """Read what stands behind an opening: JSON with a name in it, or a name and then its arguments."""
    text = text.lstrip("> \t\r\n")
    value = _json_prefix(text)
    if value is not None:
        yield from _in_json(value, bare=False)
    elif python := list(_in_python(_unclosed(text))):
        yield from python
    elif broken := _BROKEN.match(text):
        yield RequestedCall(broken[1], _unclosed(broken[2]).removesuffix("}"))
    elif name := _NAMED.match(text):
        arguments = _arguments(text[name.end() :])
        if clean_name(name[1], tools) in tools or isinstance(arguments, dict | list):
            yield RequestedCall(name[1], arguments)


def _arguments(text: str) -> str | dict[str, Any] | list[Any] | None:
    """Read the arguments behind a tool's name: XML parameters, JSON, or text for the gatekeeper to make sense of."""
    parameters = {key or key2: (value or value2).strip() for key, value, key2, value2 in _PARAMETER.findall(text)}
    if parameters:
        return parameters
    text = _BETWEEN.sub("", text, count=1)
    value: dict[str, Any] | list[Any] | None = _json_prefix(text)
    return value if value is not None else _unclosed(text) or None


def _unclosed(text: str) -> str:
    closing = CLOSING.search(text)
    return text[: closing.start() if closing else None].strip()


def _in_json(value: object, *, bare: bool) -> Iterator[RequestedCall]:
    """Read a call, or a list of them; a `bare` one, without markup around it, must show its arguments to count."""
    if isinstance(value, dict) and isinstance(value.get("tool_calls"), list):
        value = value["tool_calls"]
    if isinstance(value, list):
        for item in value:
            yield from _in_json(item, bare=bare)
    if not isinstance(value, dict):
        return
    function = function_of(value)
    name, arguments = name_of(function), arguments_of(function)
    if name and (has_arguments(function) or not bare):
        yield RequestedCall(name, arguments if isinstance(arguments, str | dict | list) else None)


def _in_python(text: str) -> Iterator[RequestedCall]:
    """Read a text that is nothing but `tool(name="value")`, or a list of such calls."""
    if len(text) > _LONGEST_PYTHON or not _PYTHON.match(text):
        return
    try:
        with warnings.catch_warnings(action="ignore"):  # what the text holds is nothing for the screen
            tree = ast.parse(text.strip(), mode="eval").body
        for call in tree.elts if isinstance(tree, ast.List) else [tree]:
            call = _printed(call)
            if isinstance(call, ast.Call) and not call.args:
                arguments = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
                yield RequestedCall(ast.unparse(call.func), arguments)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return


def _printed(node: ast.expr) -> ast.expr:
    """Return what a call of `print` prints: some models ask like that for what a tool returns."""
    match node:
        case ast.Call(func=ast.Name(id="print"), args=[inner], keywords=[]):
            return inner
    return node


def _json_prefix(text: str, *, whole: bool = False) -> Any:  # noqa: ANN401 - any JSON container
    """Return the JSON object or list that `text` begins with (or, `whole`, consists of), else None."""
    text = text.strip()
    if not text.startswith(("{", "[")):
        return None
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return None if whole and not NOTHING_MORE.fullmatch(text, end) else value
