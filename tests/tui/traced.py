"""Longer scripts for the tests of the trace, and what they look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from screen_runs import QUESTIONS, Script
from textual.pilot import Pilot
from waiting import until

from campus_agent.agent.events import (
    Acting,
    Event,
    GroundingChecked,
    Observed,
    Planned,
    PlanTicked,
    Reviewed,
    Reviewing,
    StepFinished,
    StepStarted,
)
from campus_agent.agent.outcome import Outcome
from campus_agent.guardrail.review import CheckedFact
from campus_agent.models.chat_model import Usage
from campus_agent.tools.tool import Source
from campus_agent.tui.app import CampusApp
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.turn import Turn

CLUB = Source(
    title="Clubs › AI Club", source="clubs.md", line=5, text="The AI Club meets every Thursday at 5 PM in room 204."
)
WORKSHOP = Source(title="Clubs › Workshop", source="clubs.md", line=9, text="The workshop is about retrieval.")
LAB = Source(title="Labs › GPU lab", source="labs/gpu.md", line=2, text="The GPU lab opens at 9:00 on Mondays.")


class Traced(Script):
    """A script that can also say the newer events."""

    def sized_step(self, prompt_chars: int | None) -> Traced:
        self.step_now += 1
        self._add(StepStarted, step=self.step_now, of=self.budgets.max_steps, prompt_chars=prompt_chars)
        return self

    def cost(self, *, ms: float, usage: tuple[int, int] | None = None) -> Traced:
        counted = usage and Usage(prompt_tokens=usage[0], completion_tokens=usage[1])
        self._add(StepFinished, step=self.step_now, usage=counted, latency_ms=ms)
        return self

    def edit(self, arguments: dict[str, Any]) -> Traced:
        asked = next(event for event in reversed(self.events) if isinstance(event, Acting))
        self._add(
            Acting,
            step=asked.step,
            call_id=asked.call_id,
            tool=asked.tool,
            arguments=arguments,
            repaired="the arguments were edited by hand",
        )
        return self

    def find(self, *sources: Source, match: str | None = "strong") -> Traced:
        content = "\n".join(f"- {one.title}: {one.text} ({one.source}, line {one.line})" for one in sources)
        self._add(
            Observed,
            step=self.step_now,
            call_id=f"call-{self.calls}",
            tool="search_campus_info",
            status="ok",
            content=content,
            length=len(content),
            latency_ms=2.0,
            sources=sources,
            match=match,
        )
        return self

    def plan(self, *items: str) -> Traced:
        self._add(Planned, items=items, usage=None, latency_ms=820.0)
        return self

    def tick(self, item: int) -> Traced:
        self._add(PlanTicked, step=self.step_now, item=item)
        return self

    def reviewing(self, by: str, *, of: int = 1) -> Traced:
        self._add(Reviewing, step=self.step_now, by=by, round=1, of=of, prompt_chars=1200)
        return self

    def reviewed(self, by: str, *, approved: bool, text: str = "") -> Traced:
        self._add(Reviewed, step=self.step_now, by=by, round=1, approved=approved, text=text, latency_ms=610.0)
        return self

    def ground(self, *sources: Source, facts: Sequence[tuple[str, str, str]]) -> Traced:
        checked = tuple(CheckedFact(text=text, kind=kind, supported=True, source=where) for text, kind, where in facts)
        self._add(GroundingChecked, step=self.step_now, facts=checked, sources=sources)
        return self


def sourced_run(question: str = QUESTIONS[2]) -> list[Event]:
    """A run whose answer rests on two passages of three."""
    script = Traced(question).sized_step(2000).act("search_campus_info", {"query": "AI Club"})
    script.find(CLUB, WORKSHOP, LAB).cost(ms=5).sized_step(3000)
    script.write("On Thursdays at 17:00, and the lab opens at 9 AM.")
    facts = (("Thursdays", "weekday", "clubs.md"), ("17:00", "time", "clubs.md"), ("9 AM", "time", "labs/gpu.md"))
    return script.ground(CLUB, LAB, facts=facts).cost(ms=5).end(Outcome.ANSWERED, script.events[-3].text).events


async def ask(pilot: Pilot[int], *questions: str) -> ConversationScreen:
    """Ask questions one after the other and wait until all are answered."""
    app = pilot.app
    assert isinstance(app, CampusApp)
    screen = app.screen_stack[0]
    assert isinstance(screen, ConversationScreen)
    await until(pilot, lambda: screen.assistant is not None)
    for number, question in enumerate(questions or ("?",), 1):
        screen.query_one(Prompt).text = question
        await pilot.press("enter")
        await until(pilot, lambda number=number: len(screen.query(Turn)) == number and not screen.busy)
    return screen


def shown(screen: ConversationScreen, kind: type | str) -> str:
    return "\n".join(str(widget.render()) for widget in screen.query(kind))
