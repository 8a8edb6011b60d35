"""Runs for the tests of the screen: stored events with fixed numbers, and agents that play them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from campus_agent.agent.events import (
    Acting,
    AnswerDelta,
    AnswerWithdrawn,
    Budgets,
    Event,
    GroundingChecked,
    Note,
    Observed,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
    ThoughtDelta,
)
from campus_agent.agent.outcome import Outcome
from campus_agent.assemble import About, Assistant
from campus_agent.errors import Explanation
from campus_agent.guardrail.review import CheckedFact
from campus_agent.settings import REFUSAL, Settings
from campus_agent.tools.tool import Source
from campus_agent.tui.app import CampusApp

QUESTIONS = (
    "How many days until the next USC AI Club meeting?",
    "Is the USC GPU lab open right now?",
    "When does the USC AI Club meet?",
    "What is the campus wifi password?",
)
ABOUT = About(
    model="offline model (not a language model)",
    brief="offline, no language model",
    base="USC demo, 7 passages",
    questions=QUESTIONS,
)
CLUB = "AI Club: meets every Thursday at 5 PM in the engineering building, room 204."
HOSTILE = (
    "[/x] [b]bold[/b] [@click=app.quit]quit[/] $primary \x1b[31mred\x1b]52;c;aGk=\x07 \x9b2J \u202egnp.exe list[int]"
)


class Script:
    """Makes the events of a run, numbered, at one fixed time."""

    def __init__(self, question: str = QUESTIONS[0], **budgets: Any) -> None:
        self.events: list[Event] = []
        self.step_now = 0
        self.calls = 0
        self.budgets = Budgets(**budgets)
        self._add(
            RunStarted, question=question, model="offline", provider="offline", protocol="native", budgets=self.budgets
        )

    def _add(self, kind: type, **fields: Any) -> Script:
        time = datetime(2026, 6, 13, 17, 0, tzinfo=UTC)
        self.events.append(kind(run_id="run-1", seq=len(self.events), time=time, **fields))
        return self

    def step(self) -> Script:
        self.step_now += 1
        return self._add(StepStarted, step=self.step_now, of=self.budgets.max_steps)

    def think(self, *texts: str) -> Script:
        for text in texts:
            self._add(ThoughtDelta, step=self.step_now, text=text)
        return self

    def write(self, *texts: str) -> Script:
        for text in texts:
            self._add(AnswerDelta, step=self.step_now, text=text)
        return self

    def withdraw(self, reason: str) -> Script:
        return self._add(AnswerWithdrawn, step=self.step_now, reason=reason)

    def act(self, tool: str, arguments: dict[str, Any] | None, **fields: Any) -> Script:
        self.calls += 1
        return self._add(
            Acting, step=self.step_now, call_id=f"call-{self.calls}", tool=tool, arguments=arguments, **fields
        )

    def observe(
        self,
        content: str,
        *,
        status: str = "ok",
        ms: float = 3.2,
        call: int | None = None,
        sources: Iterable[Source] = (),
    ) -> Script:
        number = self.calls if call is None else call
        acting = next(event for event in self.events if isinstance(event, Acting) and event.call_id == f"call-{number}")
        return self._add(
            Observed,
            step=acting.step,
            call_id=acting.call_id,
            tool=acting.tool,
            status=status,
            content=content,
            length=len(content),
            latency_ms=ms,
            sources=tuple(sources),
        )

    def step_over(self, ms: float = 4.0) -> Script:
        return self._add(StepFinished, step=self.step_now, usage=None, latency_ms=ms)

    def check(self, *facts: tuple[str, str, str | None]) -> Script:
        checked = tuple(CheckedFact(text=t, kind=k, supported=s is not None, source=s) for t, k, s in facts)
        return self._add(GroundingChecked, step=self.step_now, facts=checked)

    def note(self, text: str, step: int | None = None, wait: float = 0.0) -> Script:
        return self._add(Note, step=step, text=text, wait=wait)

    def end(self, outcome: Outcome, answer: str | None = None, message: Explanation | None = None) -> Script:
        return self._add(
            RunFinished,
            outcome=outcome,
            complete=outcome.complete,
            answer=answer,
            message=message,
            usage=None,
            duration_ms=6.4,
        )


def club_run(*, until_second_call: bool = False) -> list[Event]:
    source = Source(title="AI Club", source="clubs.md", line=3, text=CLUB)
    script = Script().step().act("search_campus_info", {"query": "USC AI Club meeting"})
    script.observe(f"- {CLUB} (clubs.md, line 3)", sources=[source]).step_over()
    script.step().act("days_until_weekday", {"weekday": "Thursday", "after_time": "5 PM"})
    if until_second_call:
        return script.events
    script.observe("The next Thursday is in 5 day(s), on June 18, 2026.", ms=0.3).step_over()
    answer = "The next AI Club meeting is **Thursday, June 18**: in 5 days, at 5 PM, engineering building, room 204."
    script.step().write(*(f"{word} " for word in answer.split(" "))).step_over(1.0)
    script.check(
        ("Thursday", "weekday", "clubs.md"),
        ("June 18", "date", "days_until_weekday"),
        ("5", "number", "days_until_weekday"),
        ("5 PM", "time", "clubs.md"),
        ("204", "room", "clubs.md"),
    )
    return script.end(Outcome.ANSWERED, answer).events


def refused_run() -> list[Event]:
    script = Script(QUESTIONS[3]).step().act("search_campus_info", {"query": "campus wifi password"})
    script.observe(
        "Nothing found for “campus wifi password”. No passage has: wifi, password.", status="empty"
    ).step_over()
    return script.step().write(REFUSAL).step_over(0.8).check().end(Outcome.REFUSED, REFUSAL).events


def rejected_run() -> list[Event]:
    source = Source(title="AI Club", source="clubs.md", line=3, text=CLUB)
    script = Script(QUESTIONS[2]).step().think("They ask ", "when the club meets, ", "so I search.")
    script.act("search_campus_info", {"query": "AI Club", "limit": 3})
    script.observe(f"- {CLUB} (clubs.md, line 3)", sources=[source]).step_over()
    script.step().write("The AI Club meets on ", "Tuesday at 5 PM.").step_over(2.0)
    script.check(("Tuesday", "weekday", None), ("5 PM", "time", "clubs.md")).withdraw("rejected")
    answer = "The AI Club meets every Thursday at 5 PM."
    script.step().write(answer).step_over(2.0).check(("Thursday", "weekday", "clubs.md"), ("5 PM", "time", "clubs.md"))
    return script.end(Outcome.ANSWERED, answer).events


def capped_run() -> list[Event]:
    script = Script("Which of all the clubs meets first, and where?", max_steps=3)
    for query in ("clubs", "club meetings", "club rooms"):
        script.step().act("search_campus_info", {"query": query})
        script.observe(f"- {CLUB} (clubs.md, line 3)").step_over()
    message = Explanation(
        what="I reached the step limit before finishing — try asking a narrower question.",
        cause="The run may take 3 steps, and all of them went into searching.",
        next="Ask about one club, or start with --max-steps 8.",
    )
    return script.end(Outcome.STEP_LIMIT, None, message).events


def failed_run() -> list[Event]:
    message = Explanation(
        what="The server at http://localhost:11434/v1 does not answer.",
        cause="Nothing listens there; it is probably not running.",
        next="Start it, or choose another with --base-url.",
    )
    script = Script(QUESTIONS[2]).step().note("no connection, tried 3 times", step=1)
    return script.end(Outcome.PROVIDER_ERROR, None, message).events


class PlayedAgent:
    """An agent that plays stored events, one list a run; after the last event of an unfinished list it is stuck."""

    def __init__(self, *runs: Sequence[Event], delay: float = 0.0) -> None:
        self.runs = list(runs)
        self.asked: list[str] = []
        self.resets = 0
        self.delay = delay
        self._cancelled = asyncio.Event()

    async def run(self, question: str) -> AsyncGenerator[Event, None]:
        self.asked.append(question)
        self._cancelled = asyncio.Event()
        events = self.runs[(len(self.asked) - 1) % len(self.runs)]
        for event in events:
            await asyncio.sleep(self.delay)
            yield event
        if events and not isinstance(events[-1], RunFinished):
            await self._cancelled.wait()
            yield Script().end(Outcome.CANCELLED).events[-1]

    def cancel(self) -> None:
        self._cancelled.set()

    def reset(self) -> None:
        self.resets += 1


def campus_app(
    agent: object, *, about: About = ABOUT, theme: str | None = None, fails: Exception | None = None
) -> CampusApp:
    def assemble(_: Settings) -> Assistant:
        if fails is not None:
            raise fails
        return Assistant(agent=agent, about=about)  # type: ignore[arg-type]

    return CampusApp(Settings(theme=theme), assemble=assemble, clock=lambda: 0.0)
