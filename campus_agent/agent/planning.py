"""The plan of a run: written down by the model before the first step, and ticked off by what happens.

An item names the tool that it needs. It is ticked when that tool has returned something, and the answering item when
the run is answered: by events, never by what the model says that it did.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from campus_agent.agent.calling import ModelCalls
from campus_agent.agent.conversation import Turn
from campus_agent.agent.events import Note, Planned, PlanTicked
from campus_agent.agent.relay import Relay
from campus_agent.errors import ModelError
from campus_agent.models.chat_model import Message, ModelRequest, UserMessage
from campus_agent.text import one_line, well_formed
from campus_agent.tools.tool import Tool

ANSWER = "answer"  # stands in the place of a tool's name in the item that answers
_MOST_ITEMS = 6
_LONGEST = 100  # characters of an item
_MARKS = re.compile(r"[*`\[\]]")
_BULLET = re.compile(r"[\s>•·–-]*(?:(?:step\s+)?\d{1,2}\s*[.):])?\s*", re.IGNORECASE)
_ANSWERS = re.compile(rf"{ANSWER}\b", re.IGNORECASE)
_NAME = re.compile(r"[\w-]+")

_TASK = """\
Plan the steps that answer a question about a campus; do not answer it yet. At most {most} short lines, in order. Each \
begins with the name of the one tool that it needs and a colon, or with "{answer}:", and says in a few words what for. \
The last one begins with "{answer}:". Write nothing else.

The tools:
{tools}"""


@dataclass
class Plan:
    """The items of a plan, and what each still needs to have happened.

    Attributes:
        items: short lines, in order; none when there is no plan.
    """

    relay: Relay
    items: tuple[str, ...] = ()
    _open: list[set[str]] = field(default_factory=list)  # of each item, the names that it still waits for

    def take(self, items: Mapping[str, set[str]]) -> None:
        """Take the items, each with the names of what it needs."""
        self.items = tuple(items)
        self._open = [set(needs) for needs in items.values()]

    def instructions(self) -> str:
        """Return the plan in words for the model, "" without one."""
        if not self.items:
            return ""
        return f"\n\nYour plan for this question, to be left where what you find asks for it:\n{_numbered(self.items)}"

    async def happened(self, step: int, name: str) -> None:
        """Tick the first open item that waited only for this: a tool that returned something, or the answer."""
        place = next((place for place, needs in enumerate(self._open) if name in needs), None)
        if place is None:
            return
        self._open[place].discard(name)
        if not self._open[place]:
            await self.relay.emit(PlanTicked, step=step, item=place)


async def ask_for_plan(
    calls: ModelCalls, plan: Plan, question: str, history: Sequence[Turn], tools: Mapping[str, Tool]
) -> None:
    """Have the model write the plan of a run, before its first step; without a readable one the run has none.

    Raises `RunEnded` as `deadline` or `cancelled`.
    """
    began = calls.ledger.elapsed
    listed = "\n".join(f"- {name}: {one_line(tool.schema.description, _LONGEST)}" for name, tool in tools.items())
    request = ModelRequest(
        system=_TASK.format(most=_MOST_ITEMS, answer=ANSWER, tools=listed or "(none)"),
        messages=(*_said(history), UserMessage(question)),
    )
    try:
        reply = await calls.consult(request, step=0, purpose="plan", awaited="the plan")
    except ModelError as error:
        return await _without(calls, error.explanation.what)
    items = dict(islice(_items(well_formed(reply.text), tools), _MOST_ITEMS))
    if not items:
        return await _without(calls, "no line of the reply names a tool or the answer.")
    plan.take(items)
    await calls.relay.emit(
        Planned, items=plan.items, usage=reply.usage, latency_ms=calls.ledger.milliseconds_since(began)
    )


async def _without(calls: ModelCalls, reason: str) -> None:
    await calls.relay.emit(Note, step=None, text=one_line(f"There is no plan, and the run goes on without: {reason}"))


def _said(history: Sequence[Turn]) -> Iterator[Message]:
    """Yield the earlier questions and answers, without the tool calls between: no tool is offered here."""
    for turn in history:
        yield turn.messages[0]
        yield turn.messages[-1]


def _items(text: str, tools: Iterable[str]) -> Iterator[tuple[str, set[str]]]:
    """Yield the lines that name what they need, as far as the answer; what names nothing could never be ticked."""
    known = set(tools)
    for line in text.splitlines():
        item = one_line(_BULLET.sub("", _MARKS.sub("", line), count=1), _LONGEST)
        if _ANSWERS.match(item):
            yield item, {ANSWER}
            return
        if needs := known.intersection(_NAME.findall(item)):
            yield item, needs


def _numbered(items: Sequence[str]) -> str:
    return "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))
