"""Makes of stored runs what an agent remembers of a conversation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from campus_agent.agent.conversation import Turn
from campus_agent.agent.events import (
    Acting,
    AnswerDelta,
    AnswerWithdrawn,
    Event,
    Observed,
    RunFinished,
    RunStarted,
    StepStarted,
    ThoughtDelta,
)
from campus_agent.guardrail.review import Evidence
from campus_agent.models.chat_model import AssistantMessage, Message, ToolCall, ToolMessage, UserMessage
from campus_agent.tools.tool import Tool


def turns_of(runs: Iterable[Sequence[Event]], tools: Mapping[str, Tool]) -> tuple[Turn, ...]:
    """Return the turns that an agent which made these runs would remember: one for each complete run, in order.

    Args:
        runs: the events of each run, oldest first.
        tools: the tools of the agent that is to remember them, by name. Only what a timeless one of them returned bears
            out later answers: what the clock said then is not true now, and of a tool that is gone nothing is known.
    """
    return tuple(turn for run in runs if (turn := _turn(run, tools)))


def last_turns(newest_first: Iterable[Sequence[Event]], tools: Mapping[str, Tool], *, most: int) -> tuple[Turn, ...]:
    """Return the last turns of a conversation of any length, oldest first, at most so many.

    No more runs are asked for than it takes, so they may be read as they are asked for; `tools` as for `turns_of`.
    """
    turns: list[Turn] = []
    runs = iter(newest_first)
    while len(turns) < most and (run := next(runs, None)) is not None:
        turns += turns_of([run], tools)
    return tuple(reversed(turns))


@dataclass
class _Step:
    """What was said in a step, and what its calls came to, in the order asked."""

    draft: str = ""
    text: str = ""  # a draft that turned out to come with calls
    thought: str = ""
    calls: dict[str, Acting] = field(default_factory=dict)
    observed: dict[str, Observed] = field(default_factory=dict)

    def messages(self) -> list[Message]:
        """Return what the model remembers of the step: nothing, where no call was answered in it."""
        answered = [(act, self.observed[id]) for id, act in self.calls.items() if id in self.observed]
        if not answered:
            return []
        calls = tuple(ToolCall(act.call_id, act.tool, act.arguments or {}) for act, _ in answered)
        results = [ToolMessage(seen.call_id, seen.tool, seen.content) for _, seen in answered]
        return [AssistantMessage(self.text, calls, self.thought), *results]


def _turn(run: Sequence[Event], tools: Mapping[str, Tool]) -> Turn | None:
    if not run or not isinstance(run[0], RunStarted):
        return None
    steps: list[_Step] = []
    evidence: list[Evidence] = []
    for event in run:
        match event:
            case StepStarted():
                steps.append(_Step())
            case RunFinished(complete=True):
                said: list[Message] = [UserMessage(run[0].question)]
                for step in steps:
                    said += step.messages()
                return Turn((*said, AssistantMessage(event.answer or "")), tuple(evidence))
            case _ if steps:
                _add(steps[-1], event)
        if isinstance(event, Observed) and _lasts(event, tools):
            evidence.append(Evidence(event.tool, event.content, event.sources))
    return None


def _add(step: _Step, event: Event) -> None:
    match event:
        case ThoughtDelta():
            step.thought += event.text
        case AnswerDelta():
            step.draft += event.text
        case AnswerWithdrawn():
            step.text = step.draft if event.reason == "became_thought" else ""
            step.draft = ""
        case Acting():
            step.calls[event.call_id] = event
        case Observed():
            step.observed[event.call_id] = event
        case _:
            pass


def _lasts(event: Observed, tools: Mapping[str, Tool]) -> bool:
    return event.status == "ok" and event.tool in tools and tools[event.tool].timeless
