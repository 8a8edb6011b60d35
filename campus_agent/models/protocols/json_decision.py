"""Tools for a model that cannot call them: each reply is held to a JSON schema, and says what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from campus_agent.models.chat_model import AssistantMessage, Message, ModelRequest, ToolMessage, ToolSchema, UserMessage
from campus_agent.models.protocols.decision_reader import DecisionReader
from campus_agent.models.protocols.decision_schema import decision_schema
from campus_agent.models.protocols.written import (
    WrittenProtocol,
    as_data,
    described,
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
        tools = _worth_calling(request) if request.tool_choice == "auto" else ()
        return replace(
            request,
            system=f"{request.system}\n\n{_instructions(tools)}".strip(),
            messages=_reminded(plain_turns(request.messages, say=_say, observe=_observe), request.messages),
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


def _worth_calling(request: ModelRequest) -> tuple[ToolSchema, ...]:
    """Return the tools; after a call just as one before it, those not called yet: a small model goes in circles."""
    asked = max((n for n, said in enumerate(request.messages) if isinstance(said, UserMessage)), default=0)
    said = (said for said in request.messages[asked:] if isinstance(said, AssistantMessage))
    *earlier, newest = [(call.name, call.arguments) for one in said for call in one.calls] or [("", {})]
    called = {name for name, _ in earlier} if newest in earlier else ()
    return tuple(tool for tool in request.tools if tool.name not in called)


def _reminded(turns: tuple[Message, ...], messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Say the question again below the newest observation: a small model minds what it read last the most."""
    question = next((said.text for said in reversed(messages) if isinstance(said, UserMessage)), "")
    match turns, messages:
        case (*earlier, UserMessage(observed)), (*_, ToolMessage()):
            return (*earlier, UserMessage(f"{observed}\n\nThe question is: {question}"))
    return turns


def _say(message: AssistantMessage) -> str:
    """Write what the model decided, without what it thought: a small model would think the same again, and do it."""
    for call in message.calls:
        return _decided("", {"tool": call.name, "arguments": call.arguments})
    return _decided("", {"answer": message.text})


def _observe(message: ToolMessage) -> str:
    return f"Result of {message.tool}:\n{as_data(message.text)}"


def _decided(thought: str, decision: dict[str, Any]) -> str:
    return json_text({"thought": thought, "decision": decision})
