"""Tools for a model that cannot call them: each reply is held to a JSON schema, and says what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from campus_agent.models.chat_model import AssistantMessage, ModelRequest, ToolMessage, ToolSchema
from campus_agent.models.protocols.decision_reader import DecisionReader
from campus_agent.models.protocols.decision_schema import decision_schema
from campus_agent.models.protocols.written import (
    WrittenProtocol,
    as_data,
    described,
    earlier_thought,
    json_text,
    plain_turns,
)

# Begun like this, a small model looks things up instead of guessing them, and answers when it has found them.
_BEFORE_A_CALL = "To find out ..., I need to ..."
_BEFORE_AN_ANSWER = "(what the results say, in one short sentence)"


class JsonDecisionModel(WrittenProtocol):
    """A `ChatModel` whose every reply is one decision as JSON: call this tool with these arguments, or answer.

    Raises `NoSchemaSupport` where the server refuses the schema.
    """

    protocol = "json"

    def _ask(self, request: ModelRequest) -> ModelRequest:
        tools = request.tools if request.tool_choice == "auto" else ()
        return replace(
            request,
            system=f"{request.system}\n\n{_instructions(tools)}".strip(),
            messages=plain_turns(request.messages, say=_say, observe=_observe),
            tools=(),
            tool_choice="auto",
            reply_schema=decision_schema(tools),
        )

    def _reader(self, tools: Sequence[ToolSchema]) -> DecisionReader:
        return DecisionReader(tools)


def _instructions(tools: Sequence[ToolSchema]) -> str:
    """Describe the tools and the form of a reply."""
    answer = _decided(_BEFORE_AN_ANSWER, {"answer": "..."})
    if not tools:
        return f"Reply with one JSON object and nothing else, your answer to the person:\n{answer}"
    return "\n".join(
        [
            "Reply with one JSON object and nothing else, which says what you do next.",
            f"To call a tool: {_decided(_BEFORE_A_CALL, {'tool': '(its name)', 'arguments': {}})}",
            f"To answer the person: {answer}",
            "",
            "The tools, with their arguments:",
            *map(described, tools),
        ]
    )


def _say(message: AssistantMessage) -> str:
    thought = earlier_thought(message)
    for call in message.calls:
        return _decided(thought, {"tool": call.name, "arguments": call.arguments})
    return _decided(thought, {"answer": message.text})


def _observe(message: ToolMessage) -> str:
    return f"Result of {message.tool}:\n{as_data(message.text)}"


def _decided(thought: str, decision: dict[str, Any]) -> str:
    return json_text({"thought": thought, "decision": decision})
