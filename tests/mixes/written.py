"""Tool calls that a model writes into its text, in every markup that is known."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from tests.mixes.calls import Call, notated
from tests.mixes.generator import Mix


def write(calls: tuple[Call, ...], mix: Mix) -> str:
    """Return the text that stands for the calls."""
    return WAYS[mix["written"]](calls, mix)


def _object(call: Call, mix: Mix, key: str = "arguments") -> str:
    text = notated(call.arguments, mix)
    value = json.dumps(text) if mix["wrapper"] == "encoded" else text
    return f'{{"name": "{_name(call, mix)}", "{key}": {value}}}'


def _name(call: Call, mix: Mix) -> str:
    return f"functions.{call.name}" if "prefixed" in mix["name"] else call.name


def _hermes(calls: tuple[Call, ...], mix: Mix) -> str:
    return "\n".join(f"<tool_call>\n{_object(call, mix)}\n</tool_call>" for call in calls)


def _function(calls: tuple[Call, ...], mix: Mix) -> str:
    return "".join(f"<function={_name(call, mix)}>{notated(call.arguments, mix)}</function>" for call in calls)


def _qwen(calls: tuple[Call, ...], mix: Mix) -> str:
    def one(call: Call) -> str:
        inner = "".join(f"<parameter={key}>\n{value}\n</parameter>\n" for key, value in call.arguments.items())
        return f"<tool_call>\n<function={_name(call, mix)}>\n{inner}</function>\n</tool_call>"

    return "\n".join(map(one, calls))


def _glm(calls: tuple[Call, ...], mix: Mix) -> str:
    def one(call: Call) -> str:
        pairs = call.arguments.items()
        inner = "".join(f"<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n" for key, value in pairs)
        return f"<tool_call>{_name(call, mix)}\n{inner}</tool_call>"

    return "\n".join(map(one, calls))


def _claude(calls: tuple[Call, ...], mix: Mix) -> str:
    def one(call: Call) -> str:
        inner = "".join(f'<parameter name="{key}">{value}</parameter>\n' for key, value in call.arguments.items())
        return f'<invoke name="{_name(call, mix)}">\n{inner}</invoke>\n'

    return f"<function_calls>\n{''.join(map(one, calls))}</function_calls>"


def _list(calls: tuple[Call, ...], mix: Mix) -> str:
    return f"[{', '.join(_object(call, mix) for call in calls)}]"


def _mistral_named(calls: tuple[Call, ...], mix: Mix) -> str:
    return "".join(f"[TOOL_CALLS]{_name(call, mix)}[ARGS]{notated(call.arguments, mix)}" for call in calls)


def _kimi(calls: tuple[Call, ...], mix: Mix) -> str:
    inner = "".join(
        f"<|tool_call_begin|>functions.{call.name}:{n}<|tool_call_argument_begin|>{notated(call.arguments, mix)}"
        "<|tool_call_end|>"
        for n, call in enumerate(calls)
    )
    return f"<|tool_calls_section_begin|>{inner}<|tool_calls_section_end|>"


def _deepseek(calls: tuple[Call, ...], mix: Mix) -> str:
    inner = "\n".join(
        f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>{_name(call, mix)}\n```json\n{notated(call.arguments, mix)}\n```"
        "<｜tool▁call▁end｜>"
        for call in calls
    )
    return f"<｜tool▁calls▁begin｜>{inner}<｜tool▁calls▁end｜>"


def _react(calls: tuple[Call, ...], mix: Mix) -> str:
    arguments = notated(calls[0].arguments, mix)
    return f"Thought: I need a tool.\nAction: {_name(calls[0], mix)}\nAction Input: {arguments}\nObservation: invented"


def _dsml(calls: tuple[Call, ...], mix: Mix) -> str:
    return re.sub("(</?)(?=function_calls|invoke|parameter)", r"\1｜DSML｜", _claude(calls, mix))


def _cohere(calls: tuple[Call, ...], mix: Mix) -> str:
    objects = ", ".join(_object(call, mix, "parameters").replace('"name"', '"tool_name"', 1) for call in calls)
    return f"<|START_ACTION|>[{objects}]<|END_ACTION|>"


def _harmony(calls: tuple[Call, ...], mix: Mix) -> str:
    return "".join(
        f"<|start|>assistant<|channel|>commentary to=functions.{call.name} <|constrain|>json<|message|>"
        f"{notated(call.arguments, mix)}<|call|>"
        for call in calls
    )


def _functionary(calls: tuple[Call, ...], mix: Mix) -> str:
    return "\n".join(f">>>{_name(call, mix)}\n{notated(call.arguments, mix)}" for call in calls)


def _action(calls: tuple[Call, ...], mix: Mix) -> str:
    return f'{{"action": "{_name(calls[0], mix)}", "action_input": {notated(calls[0].arguments, mix)}}}'


def _message(calls: tuple[Call, ...], mix: Mix) -> str:
    items = ", ".join(f'{{"type": "function", "function": {_object(call, mix)}}}' for call in calls)
    return f'{{"tool_calls": [{items}]}}'


def _python(calls: tuple[Call, ...], mix: Mix) -> str:
    def one(call: Call) -> str:
        return f"{call.name}({', '.join(f'{key}={value!r}' for key, value in call.arguments.items())})"

    return ", ".join(map(one, calls))


WAYS: Mapping[str, Callable[[tuple[Call, ...], Mix], Any]] = MappingProxyType(
    {
        "hermes": _hermes,
        "function": _function,
        "qwen": _qwen,
        "glm": _glm,
        "claude": _claude,
        "mistral": lambda calls, mix: f"[TOOL_CALLS]{_list(calls, mix)}",
        "mistral-named": _mistral_named,
        "python-tag": lambda calls, mix: f"<|python_tag|>{_object(calls[0], mix, 'parameters')}<|eom_id|>",
        "kimi": _kimi,
        "deepseek": _deepseek,
        "react": _react,
        "fence": lambda calls, mix: f"```json\n{_object(calls[0], mix)}\n```",
        "bare": lambda calls, mix: _object(calls[0], mix, "parameters"),
        "python": _python,
        "python-list": lambda calls, mix: f"[{_python(calls, mix)}]",
        "bare-list": _list,
        "nemotron": lambda calls, mix: f"<TOOLCALL>{_list(calls, mix)}</TOOLCALL>",
        "dsml": _dsml,
        "lfm2": lambda calls, mix: f"<|tool_call_start|>[{_python(calls, mix)}]<|tool_call_end|>",
        "internlm": lambda calls, mix: "".join(
            f"<|action_start|><|plugin|>{_object(call, mix)}<|action_end|>" for call in calls
        ),
        "cohere": _cohere,
        "harmony": _harmony,
        "functionary": _functionary,
        "tool-code": lambda calls, mix: f"```tool_code\nprint({_python(calls, mix)})\n```",
        "action": _action,
        "message": _message,
    }
)
