"""Carries out the tool calls of a step: each through the gatekeeper, the gate and the budget, then side by side."""

from __future__ import annotations

import asyncio
import json
import random
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from campus_agent.agent import dispatch, endings
from campus_agent.agent.budgets import Ledger
from campus_agent.agent.endings import RunEnded
from campus_agent.agent.events import Acting, Note, Observed, Status
from campus_agent.agent.fitting import fitted
from campus_agent.agent.gate import BeforeAct, Gate, Go, Skip, Stop
from campus_agent.agent.gatekeeper import Verdict, judge, raw_text
from campus_agent.agent.planning import Plan
from campus_agent.agent.relay import Relay
from campus_agent.errors import CampusAgentError, described
from campus_agent.guardrail.hostile import fenced, flags
from campus_agent.guardrail.review import Evidence
from campus_agent.models.chat_model import RequestedCall, ToolCall, ToolMessage
from campus_agent.text import one_line
from campus_agent.tools.tool import BadArguments, Source, Tool, ToolResult

_LONGEST_ID = 256  # characters
ToolErrors = Literal["observe", "fail"]
_Found = ToolResult | Observed  # either may say where its content is from, and how well it matched


@dataclass
class _Act:
    """One requested call on its way to its observation."""

    step: int
    call_id: str
    verdict: Verdict
    extra: Mapping[str, Any]
    key: str = ""
    tries: int = 0
    twin: _Act | None = None  # the same call in the same step, which is run for both
    observed: Observed | None = None

    @property
    def name(self) -> str:
        return self.verdict.name


@dataclass(frozen=True)
class Acted:
    """What the calls of a step came to, in the order asked."""

    calls: tuple[ToolCall, ...]
    messages: tuple[ToolMessage, ...]
    unreadable: bool  # whether not one of the calls could be read


@dataclass
class Workbench:
    """The tools of one run, and what they have returned so far.

    Attributes:
        refusal: the line that the assistant says when the information is not there.
        evidence: every useful observation, for the guardrail; `lasting` are those that stay true after the run.
        searches: whether each search of this run worked, in order.
        last_failure: the latest observation of a search that failed.
        used: whether the model has asked for any tool.
    """

    tools: Mapping[str, Tool]
    relay: Relay
    ledger: Ledger
    gate: Gate
    tool_errors: ToolErrors
    observation_chars: int
    plan: Plan
    refusal: str
    evidence: list[Evidence] = field(default_factory=list)
    lasting: list[Evidence] = field(default_factory=list)
    searches: list[bool] = field(default_factory=list)
    last_failure: str = ""
    used: bool = False
    _earlier: dict[str, list[Observed]] = field(default_factory=dict)
    _open: list[_Act] = field(default_factory=list)  # the calls of this step
    _started: dict[str, _Act] = field(default_factory=dict)  # those of them that were started, by tool and arguments

    @property
    def every_search_failed(self) -> bool:
        """Whether this run has searched, and not one search worked."""
        return bool(self.searches) and not any(self.searches)

    async def carry_out(self, step: int, calls: Sequence[RequestedCall], *, forbidden: str = "") -> Acted:
        """Carry out the calls of one reply; with `forbidden`, the reason why none may run, none does."""
        self.used = True
        self._open, self._started = [], {}
        try:
            await self._run_all(step, calls, forbidden)
        except (RunEnded, asyncio.CancelledError):
            for act in self._open:
                if not act.observed:
                    await self._observe(act, "skipped", "No result: the run ended first.")
            raise
        return Acted(
            calls=tuple(ToolCall(act.call_id, act.name, act.verdict.arguments or {}, act.extra) for act in self._open),
            messages=tuple(ToolMessage(a.call_id, a.name, a.observed.content) for a in self._open if a.observed),
            unreadable=all(act.verdict.unreadable for act in self._open),
        )

    async def _run_all(self, step: int, calls: Sequence[RequestedCall], forbidden: str) -> None:
        arrivals: asyncio.Queue[tuple[_Act, ToolResult | Exception, float]] = asyncio.Queue()
        for call, call_id in zip(calls, _unique_ids(calls), strict=True):
            self.ledger.check_deadline(call.name)
            act = _Act(step, call_id, judge(call, self.tools), call.extra)
            self._open.append(act)
            await self._announce(act, call)
            await self._begin(act, arrivals, forbidden)
        while running := [act for act in self._started.values() if not act.observed]:
            names = ", ".join(act.name for act in running)
            act, result, latency_ms = await self.ledger.next_from(arrivals, names)
            await self._finish(act, result, latency_ms, arrivals)

    async def _announce(self, act: _Act, call: RequestedCall) -> None:
        verdict = act.verdict
        await self.relay.emit(
            Acting,
            step=act.step,
            call_id=act.call_id,
            tool=act.name,
            arguments=verdict.arguments,
            raw_arguments=raw_text(call) if verdict.arguments is None or verdict.repaired else None,
            repaired=verdict.repaired,
        )

    async def _begin(self, act: _Act, arrivals: asyncio.Queue[Any], forbidden: str) -> None:
        """Start the call, or say at once why it is not run."""
        if forbidden:
            return await self._observe(act, "skipped", forbidden)
        if act.verdict.tool is None:
            return await self._observe(act, "error", act.verdict.observation)
        act.key = _key(act)
        if act.key in self._earlier:
            return await self._repeat(act)
        act.twin = self._started.get(act.key)
        if act.twin:
            return await self._copy(act) if act.twin.observed else None
        if self.ledger.out_of_calls:
            limit = self.ledger.budgets.max_tool_calls
            return await self._observe(act, "skipped", f"Not run: the limit of {limit} tool calls is reached.")
        if await self._may_run(act):
            self.ledger.calls += 1
            self._start(act, arrivals)
        return None

    async def _may_run(self, act: _Act) -> bool:
        """Ask the gate; it may change the arguments, which are then checked like the model's own."""
        with self.ledger.paused():
            decision = await self.gate(BeforeAct(act.step, act.call_id, act.name, act.verdict.arguments or {}))
        self.ledger.check_deadline(act.name)
        match decision:
            case Stop():
                raise endings.cancelled("")
            case Skip():
                await self._observe(act, "skipped", "Not run: the person at the screen skipped this call.")
                return False
            case Go(arguments=None):
                return True
            case Go(arguments=edited):
                call = RequestedCall(act.name, json.dumps(edited))
                act.verdict = replace(judge(call, self.tools), repaired="the arguments were edited by hand")
                act.key = _key(act)
                await self._announce(act, call)
        if act.verdict.tool is None:
            await self._observe(act, "error", act.verdict.observation)
        return act.verdict.tool is not None

    def _start(self, act: _Act, arrivals: asyncio.Queue[Any]) -> None:
        tool, arguments = act.verdict.tool, act.verdict.checked or {}
        assert tool is not None
        act.tries += 1
        self._started[act.key] = act
        dispatch.start(tool, arguments, lambda result, ms: arrivals.put_nowait((act, result, ms)))

    async def _finish(
        self, act: _Act, result: ToolResult | Exception, latency_ms: float, arrivals: asyncio.Queue[Any]
    ) -> None:
        tool = act.verdict.tool
        assert tool is not None
        match result:
            case ToolResult():
                for note in result.notes:
                    await self.relay.emit(Note, step=act.step, text=note)
                result = fitted(result, self.observation_chars)
                status: Status = "empty" if result.empty else "ok"
                await self._observe(act, status, result.content, latency_ms, result)
            case BadArguments():
                await self._observe(act, "error", f"Tool '{act.name}': {result}", latency_ms)
            case error:
                reason = _reason(error)
                if tool.read_only and act.tries <= self.ledger.budgets.tool_retries:
                    self.ledger.check_deadline(act.name)
                    await self.relay.emit(Note, step=act.step, text=f"{act.name} failed, trying again: {reason}")
                    return self._start(act, arrivals)
                await self._observe(act, "error", f"Tool '{act.name}' failed: {reason}", latency_ms)
                if self.tool_errors == "fail":
                    raise endings.tool_failed(f"Tool '{act.name}' failed: {reason}")
        for twin in self._open:
            if twin.twin is act:
                await self._copy(twin)
        return None

    async def _observe(
        self, act: _Act, status: Status, content: str, latency_ms: float = 0.0, found: _Found | None = None
    ) -> None:
        sources = found.sources if found else ()
        if not isinstance(found, Observed):  # what was observed before is harmless already, and noted
            content = await self._harmless(act, content)
        self._remember(act, status, content, sources)
        await self.relay.emit(
            Observed,
            step=act.step,
            call_id=act.call_id,
            tool=act.name,
            status=status,
            content=content,
            length=len(content),
            latency_ms=round(latency_ms, 3),
            sources=sources,
            match=found.match if found else None,
        )
        observed = self.relay.record[-1]
        assert isinstance(observed, Observed)
        act.observed = observed
        if status in ("ok", "empty", "cached") and act.key:
            self._earlier.setdefault(act.key, []).append(observed)
        if status == "ok":
            await self.plan.happened(act.step, act.name)

    async def _harmless(self, act: _Act, content: str) -> str:
        """Return what came back as the model may read it; text in it that speaks to the model is noted."""
        for flag in flags(content, refusal=self.refusal, tools=self.tools):
            await self.relay.emit(Note, step=act.step, text=f"{act.name} returned suspicious text. {flag}")
        return fenced(content, refusal=self.refusal, tools=self.tools)

    def _remember(self, act: _Act, status: Status, content: str, sources: tuple[Source, ...]) -> None:
        tool = act.verdict.tool
        if tool is None or status in ("cached", "skipped"):
            return
        if tool.searches:
            self.searches.append(status != "error")
            self.last_failure = content if status == "error" else self.last_failure
        if status == "ok":
            evidence = Evidence(tool.name, content, sources)
            self.evidence.append(evidence)
            if tool.timeless:
                self.lasting.append(evidence)

    async def _repeat(self, act: _Act) -> None:
        """Give the earlier observation of the same call again; from the third time on, ask for the answer."""
        earlier = self._earlier[act.key]
        content = earlier[0].content
        if len(earlier) >= 2:
            content += "\nThis same call was made before, with the same result. Answer now from what is there."
        await self._observe(act, "cached", content, 0.0, earlier[0])

    async def _copy(self, act: _Act) -> None:
        """Give the observation of the same call in the same step."""
        same = act.twin.observed if act.twin else None
        assert same is not None
        status: Status = "cached" if same.status in ("ok", "empty") else same.status
        await self._observe(act, status, same.content, 0.0, same)


def _key(act: _Act) -> str:
    return f"{act.name} {json.dumps(act.verdict.checked, sort_keys=True, default=str)}"


def _unique_ids(calls: Sequence[RequestedCall]) -> list[str]:
    """Keep the ids that came, and make one up (nine letters and digits) where it is missing, odd, or stands twice."""
    ids: dict[str, None] = {}
    for call in calls:
        fresh = "".join(random.choices(string.ascii_letters + string.digits, k=9))
        usable = call.id and len(call.id) <= _LONGEST_ID and call.id.isprintable() and call.id not in ids
        ids[call.id if call.id and usable else fresh] = None
    return list(ids)


def _reason(error: Exception) -> str:
    if isinstance(error, CampusAgentError):
        return one_line(error.explanation.what, 400)
    name, _, said = described(error).partition(": ")
    return one_line(said or name, 400)
