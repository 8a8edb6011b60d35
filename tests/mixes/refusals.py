"""What a server refuses with 400 or 422, in the words of many servers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.mixes.generator import Mix

KNOWN_KEYS = frozenset(("role", "content", "tool_calls", "tool_call_id", "name"))
ONE_CALL = (
    "This model only supports single tool-calls at once!",
    "Multiple tool calls in one message are not supported by this chat template.",
)
NO_EMPTY = (
    "messages: text content blocks must be non-empty",
    "The content field in the Message object at messages.2 is empty. Add text to the content field, and try again.",
    "messages.2.content: String should have at least 1 character",
)
NO_SYSTEM = (
    "System role not supported",
    "Invalid message role: 'system' is not allowed for this model.",
    "Developer instruction is not enabled for this model: system messages are not supported.",
)
THOUGHTS_BACK = (
    "The `reasoning_content` in the thinking mode must be passed back to the API.",
    "Missing `reasoning_content` field in the assistant message at index 2.",
)

Refusal = tuple[int, Any]


def refused_parameter(body: dict[str, Any], mix: Mix) -> Refusal | None:
    """Return the refusal of the first parameter that the mix does not take."""
    for parameter in mix["refuses"].split("+"):
        if body.get(parameter) is not None:
            return _worded(parameter, int(mix["wording"]))
    return None


def refused_history(messages: list[dict[str, Any]], mix: Mix) -> Refusal | None:
    """Return the refusal of a history that other servers would take."""
    words = dict(_demands(messages)).get(mix["history"])
    if not words:
        return None
    said = words[mix.seed % len(words)]
    return 400, {"error": {"message": said, "type": "invalid_request_error", "param": "messages", "code": None}}


def _demands(messages: list[dict[str, Any]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    said = [message for message in messages if message["role"] == "assistant"]
    calling = [message for message in said if message.get("tool_calls")]
    if any(len(message["tool_calls"]) > 1 for message in calling):
        yield "one-call", ONE_CALL
    if any(message["content"] == "" for message in said):
        yield "no-empty", NO_EMPTY
    if any(message["role"] == "system" for message in messages):
        yield "no-system", NO_SYSTEM
    if any("reasoning_content" not in message for message in calling):
        yield "thoughts-back", THOUGHTS_BACK
    if any("reasoning" not in message for message in calling):
        yield "reasoning-back", ("An assistant message with tool calls must contain 'reasoning'.",)
    if any(not message.get("reasoning_details") for message in calling):
        yield "details-back", ("`reasoning_details` must be passed back for this model.",)
    if any("extra_content" not in call for message in calling for call in message["tool_calls"]):
        yield "signature-back", ("Function call is missing a thought_signature in functionCall parts.",)
    extra = sorted({key for message in messages for key in set(message) - KNOWN_KEYS})
    if extra:
        yield "only-known-keys", (f"messages.{extra[0]}: Extra inputs are not permitted",)


def _worded(name: str, way: int) -> Refusal:
    forbidden = {"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs are not permitted", "input": 1}
    said = f"Unsupported parameter: '{name}' is not supported with this model."
    if name == "max_tokens":
        said += " Use 'max_completion_tokens' instead."
    ways: tuple[Refusal, ...] = (
        (400, {"error": {"message": said, "type": "invalid_request_error", "param": name}}),
        (400, {"error": {"message": "Invalid request.", "param": name, "code": "unsupported_parameter"}}),
        (400, {"error": f'json: unknown field "{name}"'}),
        (400, {"error": {"message": f"property '{name}' is unsupported", "type": "invalid_request_error"}}),
        (400, {"object": "error", "message": f"[{forbidden}]", "type": "BadRequestError", "code": 400}),
        (400, f"Unrecognized request argument supplied: {name}"),
        (400, [{"error": {"code": 400, "message": f'Unknown name "{name}": Cannot find field.', "status": "INVALID"}}]),
        (422, {"detail": [forbidden]}),
        (422, {"object": "error", "message": {"detail": [forbidden]}, "type": "invalid_request_error", "code": None}),
        (422, {"error": {"message": f"{name}: extra fields not permitted"}}),
    )
    return ways[way]
