"""Tools where there are neither tool calls nor schemas: Thought, Action and Observation, written as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from campus_agent.errors import SettingsError
from campus_agent.models.chat_model import AssistantMessage, ChatModel, ModelRequest, ToolMessage, ToolSchema
from campus_agent.models.protocols.react_parser import ReactParser
from campus_agent.models.protocols.written import (
    WrittenProtocol,
    as_data,
    described,
    earlier_thought,
    json_text,
    plain_turns,
)

PROMPT = """\
You can call these tools:

{tools}

Write in exactly this form, and stop after the input:

Thought: To find out ..., I need to ...
Action: (one of {tool_names})
Action Input: (its arguments, as a JSON object)

What the tool returns then comes to you behind "Observation:". Never write an Observation yourself. Call tools in this \
way until the question can be answered from observations, or cannot be answered. Then write:

Thought: (what the observations say, in one short sentence)
Final Answer: (the answer to the person)"""

_ANSWER_ONLY = """\
Write in exactly this form:

Final Answer: (the answer to the person)"""

_PARTS = ("{tools}", "{tool_names}", "Thought:", "Action:", "Action Input:", "Observation:", "Final Answer:")


class ReactTextModel(WrittenProtocol):
    """A `ChatModel` that thinks, acts and answers in marked lines of text."""

    protocol = "text"

    def __init__(self, inner: ChatModel, *, prompt: str | None = None) -> None:
        """Stand around `inner`.

        Args:
            inner: the model that writes the text.
            prompt: how the form is explained to it, instead of `PROMPT`. `{tools}` and `{tool_names}` in it are filled
                in, and every marker must be mentioned. Raises `SettingsError` naming what is missing.
        """
        super().__init__(inner)
        self._prompt = PROMPT if prompt is None else prompt
        missing = [part for part in _PARTS if part.lower() not in self._prompt.lower()]
        if missing:
            raise SettingsError(
                f"The prompt for the text protocol lacks {', '.join(missing)}.",
                "Without it the model does not know its tools, or its replies cannot be read.",
                f"A prompt for this protocol holds all of: {', '.join(_PARTS)}.",
            )

    def _ask(self, request: ModelRequest) -> ModelRequest:
        prompt = _ANSWER_ONLY
        if request.tool_choice == "auto":
            names = ", ".join(tool.name for tool in request.tools)
            tools = "\n".join(map(described, request.tools))
            prompt = self._prompt.replace("{tool_names}", names).replace("{tools}", tools)
        return replace(
            request,
            system=f"{request.system}\n\n{prompt}".strip(),
            messages=plain_turns(request.messages, say=_say, observe=_observe),
            tools=(),
            tool_choice="auto",
            stop=("Observation:",),
        )

    def _reader(self, tools: Sequence[ToolSchema]) -> ReactParser:
        return ReactParser(tools)


def _say(message: AssistantMessage) -> str:
    thought = earlier_thought(message)
    lines = [f"Thought: {thought}"] if thought else []
    for call in message.calls:
        return "\n".join([*lines, f"Action: {call.name}", f"Action Input: {json_text(call.arguments)}"])
    return "\n".join([*lines, f"Final Answer: {message.text}"])


def _observe(message: ToolMessage) -> str:
    return f"Observation:\n{as_data(message.text)}"
