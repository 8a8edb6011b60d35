"""Replies of a model as chat completions, whole or as the chunks of a stream, as odd as a mix wants them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.mixes.calls import Call, call_deltas, whole_calls
from tests.mixes.generator import Mix
from tests.mixes.written import write

THOUGHT = "SECRET-THOUGHT: which day was it?"
PROSE = "Let me look that up."
EXAMPLE = '\n\n```json\n{"name": "AI Club", "arguments": "none"}\n```'
BLANK_CALL = {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
BLANKS: tuple[dict[str, Any], ...] = (
    {"content": ""},
    {"content": "\n\n"},
    {"content": None},
    {"content": None, "tool_calls": []},
    {"content": "", "reasoning_content": THOUGHT},
    {"content": f"<think>{THOUGHT}</think>"},
    {},
)


@dataclass(frozen=True)
class Said:
    """What the model means to say in a step: calls, or the answer."""

    step: int
    calls: tuple[Call, ...] = ()
    answer: str = ""


def completion(said: Said, mix: Mix) -> dict[str, Any]:
    """Return the whole completion."""
    message: dict[str, Any] = {"role": "assistant", **_thoughts(mix), **_content(_text(said, mix), said, mix)}
    if said.calls and mix["written"] == "native":
        message["tool_calls"] = whole_calls(said.calls, mix, said.step)
    if mix["lacks"] == "role":
        del message["role"]
    choice = {"index": 0, "message": _noisy(message, mix), **_finish(said, mix)}
    usage = {} if mix["usage"] == "none" else {"usage": _usage(mix)}
    return {**_body(choice, mix, "chat.completion"), **usage}


def chunks(said: Said, mix: Mix) -> list[dict[str, Any]]:
    """Return the chunks of the completion; the last with choices has the finish reason."""
    counted = {**_body(None, mix, "chat.completion.chunk"), "usage": _usage(mix)}
    first = [counted] if mix["usage"] in ("first", "both") else []
    last = [counted] if mix["usage"] in ("last", "both", "odd") else []
    deltas = [_noisy(delta, mix) for delta in _deltas(said, mix)]
    reason = "stop" if mix["finish"] == "every" else None
    choices = [{"index": 0, "delta": delta, "finish_reason": reason} for delta in deltas]
    choices.append({"index": 0, "delta": {}, **_finish(said, mix)})
    if mix["noise"] == "message-last":
        choices[-1]["message"] = completion(said, mix)["choices"][0]["message"]
    if mix["noise"] == "message-too":
        _repeat_all_so_far(choices)
    return [*first, *(_body(choice, mix, "chat.completion.chunk") for choice in choices), *last]


def _deltas(said: Said, mix: Mix) -> Iterator[dict[str, Any]]:
    if mix["lacks"] != "role":
        yield {"role": "assistant", "content": None if mix["beside"] == "null" else ""}
    size = int(mix["pieces"])
    for key, thought in _thoughts(mix).items():
        for piece in _cut(thought, size) if isinstance(thought, str) else [thought]:
            yield {key: piece}
    content = _content(_text(said, mix), said, mix).get("content") or ""
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            yield from ({"content": piece} for piece in _cut(part, size))
        elif part["type"] == "text":
            yield from ({"content": [{**part, "text": piece}]} for piece in _cut(part["text"], size))
        else:
            yield {"content": [part]}
    if said.calls and mix["noise"] == "loses-calls":
        yield {"content": PROSE}
    elif said.calls and mix["written"] == "native":
        yield from call_deltas(said.calls, mix, said.step)


def _repeat_all_so_far(choices: list[dict[str, Any]]) -> None:
    """Put beside each piece of text all text so far."""
    so_far = ""
    for choice in choices:
        piece = choice["delta"].get("content")
        if isinstance(piece, str):
            so_far += piece
            choice["message"] = {"role": "assistant", "content": so_far}


def _cut(text: str, size: int) -> Iterator[str]:
    for start in range(0, len(text), size):
        yield text[start : start + size]


def _text(said: Said, mix: Mix) -> str:
    """Return the text that the model writes, thoughts in tags included."""
    if not said.calls:
        text = said.answer + ("<|im_end|>" if mix["answer"] == "token" else "")
    elif mix["written"] == "native":
        text = PROSE if mix["beside"] in ("prose", "parts") else ""
    else:
        text = (f"{PROSE}\n" if mix["beside"] == "prose" else "") + write(said.calls, mix)
    match mix["thought"]:
        case "tags":
            return f"<think>\n{THOUGHT}\n</think>\n\n{text}"
        case "closing":
            return f"{THOUGHT}\n</think>\n\n{text}"
        case "brackets":
            return f"[THINK]{THOUGHT}[/THINK]{text}"
        case "nested":
            return f"<think>{THOUGHT}<think>{THOUGHT}</think>{THOUGHT}</think>{text}"
        case "two-ends":
            return f"{THOUGHT}</think>{THOUGHT}</think>{text}"
        case "channels":
            return f"<|channel|>analysis<|message|>{THOUGHT}<|end|>{_final(said, mix)}{text}"
        case _:
            return text


def _final(said: Said, mix: Mix) -> str:
    """Return what stands before the answer where each part of a reply has a channel."""
    in_text = said.calls and mix["written"] != "native"
    return "" if in_text else "<|start|>assistant<|channel|>final<|message|>"


def _content(text: str, said: Said, mix: Mix) -> dict[str, Any]:
    in_parts = mix["beside"] == "parts" if said.calls else mix["answer"] == "parts"
    thoughts = [{"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]}]
    if mix["thought"] == "parts":
        return {"content": [*thoughts, *([{"type": "text", "text": text}] if text else [])]}
    if in_parts:
        return {"content": [{"type": "text", "text": text}]}
    if text or mix["beside"] not in ("null", "absent"):
        return {"content": text}
    return {"content": None} if mix["beside"] == "null" else {}


def _thoughts(mix: Mix) -> dict[str, Any]:
    details = {"reasoning_details": [{"type": "reasoning.text", "text": THOUGHT}]}
    if mix["history"] == "details-back":
        return details
    return {mix["thought"]: THOUGHT} if mix["thought"] in ("reasoning_content", "reasoning", "thinking") else {}


def _finish(said: Said, mix: Mix) -> dict[str, Any]:
    if said.calls and mix["noise"] == "loses-calls":
        return {"finish_reason": "tool_calls"}
    usual = "tool_calls" if said.calls and mix["written"] == "native" else "stop"
    match mix["finish"]:
        case "usual":
            return {"finish_reason": usual}
        case "length":
            return {"finish_reason": "length" if said.calls else "stop"}
        case "absent":
            return {}
        case "null":
            return {"finish_reason": None}
        case "blank":
            return {"finish_reason": ""}
        case "null-text":
            return {"finish_reason": "null"}
        case "every":
            return {"finish_reason": "stop"}
        case reason:
            return {"finish_reason": reason}


def _noisy(message: dict[str, Any], mix: Mix) -> dict[str, Any]:
    match mix["noise"]:
        case "keys":
            return {"refusal": None, "function_call": None, "audio": None, "annotations": [], **message, "stats": {}}
        case "empty-lists":
            return {"tool_calls": [], "reasoning_content": None, **message}
        case "blank-call" if message.get("content") and "tool_calls" not in message:
            return {**message, "tool_calls": [BLANK_CALL]}
        case _:
            return message


def _body(choice: dict[str, Any] | None, mix: Mix, kind: str) -> dict[str, Any]:
    head: dict[str, Any] = {"id": f"chatcmpl-{mix.seed}", "object": kind, "created": 1781370000, "model": "m"}
    if mix["lacks"] == "head":
        head = {}
        choice = {key: value for key, value in choice.items() if key != "index"} if choice else None
    elif mix["lacks"] == "null-head":
        head = dict.fromkeys(head)
        choice = {**choice, "index": None} if choice else None
    if mix["noise"] == "keys":
        head |= {"error": None, "system_fingerprint": None, "provider_specific_fields": {}, "detail": None}
    choices = [choice] if choice else []
    if choice and mix["noise"] == "second-choice":
        choices.append({"index": 1, "delta": {}, "message": {"content": ""}, "finish_reason": None})
    return {**head, "choices": choices}


def _usage(mix: Mix) -> dict[str, Any]:
    if mix["usage"] == "odd":
        return {"prompt_tokens": "12", "completion_tokens": None}
    return {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17, "prompt_tokens_details": None}
