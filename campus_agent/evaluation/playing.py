"""Plays golden cases, some at a time, each with an agent of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from enum import StrEnum

from campus_agent.agent.agent import Agent
from campus_agent.agent.checking import reviewed
from campus_agent.agent.outcome import Outcome
from campus_agent.errors import described
from campus_agent.evaluation.case import Case
from campus_agent.evaluation.checking import Failure, check
from campus_agent.evaluation.run_record import RunRecord
from campus_agent.guardrail.review import Review
from campus_agent.settings import Settings
from campus_agent.text import one_line

_LONGEST_REASON = 500  # characters of what an error of other code says


class Verdict(StrEnum):
    """What came of a case over all its attempts: all good, some of them, none."""

    PASS = "PASS"
    FLAKY = "FLAKY"
    FAIL = "FAIL"

    @property
    def sign(self) -> str:
        """A sign for it, which tells the verdicts apart without colour."""
        return {Verdict.PASS: "●", Verdict.FLAKY: "◐", Verdict.FAIL: "✕"}[self]


@dataclass(frozen=True, slots=True)
class Planned:
    """A case to play: the name of its suite, the case, and the settings of its agent."""

    suite: str
    case: Case
    settings: Settings


@dataclass(frozen=True, slots=True)
class Attempt:
    """One time that a case was played: its runs, in the order asked, and what was not as expected."""

    runs: tuple[RunRecord, ...]
    failures: tuple[Failure, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A case, the name of its suite, and the attempts at it; there is at least one."""

    suite: str
    case: Case
    attempts: tuple[Attempt, ...]

    @property
    def verdict(self) -> Verdict:
        """What the attempts come to."""
        good = [not attempt.failures for attempt in self.attempts]
        if all(good):
            return Verdict.PASS
        return Verdict.FLAKY if any(good) else Verdict.FAIL


class Evaluation:
    """Plays cases against agents that `make` builds.

    Args:
        cases: what to play.
        make: builds the agent of a case from its settings; called in a thread, once a case.
        jobs: how many cases are played at the same time.
        repeat: how often each case is played; None: once, and once more if that failed.
        done: told of each case that is over.
    """

    def __init__(
        self,
        cases: Sequence[Planned],
        *,
        make: Callable[[Settings], Agent] = Agent.from_settings,
        jobs: int = 4,
        repeat: int | None = None,
        done: Callable[[Played], None] = lambda _: None,
    ) -> None:
        self.interrupted = False
        self._cases = cases
        self._make = make
        self._jobs = jobs
        self._repeat = repeat
        self._done = done
        self._active: set[Agent] = set()

    async def play(self) -> tuple[Played, ...]:
        """Play the cases and return them in their order; after `cancel` those that have an attempt behind them."""
        places = asyncio.Semaphore(self._jobs)
        played = await asyncio.gather(*(self._one(planned, places) for planned in self._cases))
        return tuple(one for one in played if one is not None)

    def cancel(self) -> None:
        """Cancel the runs under way and begin no other; what is over stays."""
        self.interrupted = True
        for agent in tuple(self._active):
            agent.cancel()

    async def _one(self, planned: Planned, places: asyncio.Semaphore) -> Played | None:
        async with places:
            attempts = [] if self.interrupted else await self._attempts(planned)
        if not attempts:
            return None
        played = Played(planned.suite, planned.case, tuple(attempts))
        self._done(played)
        return played

    async def _attempts(self, planned: Planned) -> list[Attempt]:
        attempts: list[Attempt] = []
        try:
            agent = await asyncio.to_thread(self._make, planned.settings)
        except Exception as error:  # the border to everything that a base, a model or a tool may do at its start
            return [Attempt((), (_crash(0, error),))]
        self._active.add(agent)
        try:
            while self._wants_another(attempts) and not self.interrupted:
                attempt = await self._attempt(agent, planned.case)
                if all(run.finished for run in attempt.runs) or not self.interrupted:
                    attempts.append(attempt)
        finally:
            self._active.discard(agent)
            await _close(agent)
        return attempts

    def _wants_another(self, attempts: Sequence[Attempt]) -> bool:
        if self._repeat is not None:
            return len(attempts) < self._repeat
        return not attempts or (len(attempts) == 1 and bool(attempts[0].failures))

    async def _attempt(self, agent: Agent, case: Case) -> Attempt:
        """Ask the questions of a case; the first turn that is not as expected is the last, as the next rest on it."""
        runs: list[RunRecord] = []
        earlier: list[RunRecord] = []
        agent.reset()
        for number, turn in enumerate(case.conversation, 1):
            if turn.new_conversation:
                agent.reset()
                earlier.clear()
            try:
                run = await _ask(agent, turn.question)
                failures = check(turn.expect, run, turn=number, earlier=earlier, language=agent.guardrail.language)
            except Exception as error:  # a case that breaks is a case that fails, and the others go on
                return Attempt(tuple(runs), (_crash(number, error),))
            runs.append(run)
            earlier.append(run)
            if failures:
                return Attempt(tuple(runs), tuple(failures))
        return Attempt(tuple(runs), ())


async def _ask(agent: Agent, question: str) -> RunRecord:
    async with aclosing(agent.run(question)) as stream:
        events = [event async for event in stream]
    return RunRecord.from_events(events, await _review(agent, question))


async def _review(agent: Agent, question: str) -> Review:
    """Check the answer of the last run, whatever its guardrail was told to do."""
    result = agent.result
    if result is None or result.outcome is not Outcome.ANSWERED:
        return Review()
    return await reviewed(agent.guardrail.strictly(), result.answer or "", question=question, evidence=agent.evidence)


async def _close(agent: Agent) -> None:
    """Close the connections of the agent's model, if it has any."""
    close = getattr(agent.model, "aclose", None)
    if close:
        with suppress(Exception):  # what breaks after the answer is no fault of the case
            await close()


def _crash(turn: int, error: Exception) -> Failure:
    return Failure(turn, "crash", "", one_line(described(error), _LONGEST_REASON))
