"""An agent in a conversation: what the rest of the program, and any other program, holds in its hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from typing import TYPE_CHECKING

from campus_agent.agent.acting import ToolErrors
from campus_agent.agent.conversation import Conversation
from campus_agent.agent.events import Budgets, Event
from campus_agent.agent.gate import Gate, always_go
from campus_agent.agent.loop import Run
from campus_agent.agent.result import RunResult
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from campus_agent.models.chat_model import ChatModel
from campus_agent.text import well_formed
from campus_agent.tools.clock import CampusClock
from campus_agent.tools.tool import Source, Tool

if TYPE_CHECKING:
    from campus_agent.settings import Settings


class Agent:
    """An agent in one conversation.

    Args:
        model: what answers.
        tools: what it may call.
        instructions: the system prompt.
        guardrail: what checks an answer before it counts.
        budgets: what each run may use.
        clock: the clock of the tools; it stands still during a run.
        gate: asked before each model call and each act.
        tool_errors: whether a tool that fails is shown to the model or ends the run.
        history_turns: earlier questions that the model still sees.
        observation_chars: most characters of one observation.
        verifier: whether a draft that the guardrail lets through also needs a yes from a second model call.
        reflection_rounds: how often in a run a critic may have a draft written again.
        plan: whether the model writes down first what it means to do.
        renew: called before each question with the agent, to bring what it says of its campus up to date.
        gone: returns those of some passages that are not what the tools search any more; called on a thread. What an
            earlier question found there bears out no answer then.
    """

    def __init__(
        self,
        model: ChatModel,
        tools: Sequence[Tool],
        *,
        instructions: str,
        guardrail: Guardrail,
        budgets: Budgets | None = None,
        clock: CampusClock | None = None,
        gate: Gate = always_go,
        tool_errors: ToolErrors = "observe",
        history_turns: int = 8,
        observation_chars: int = 4000,
        verifier: bool = False,
        reflection_rounds: int = 0,
        plan: bool = False,
        renew: Callable[[Agent], None] | None = None,
        gone: Callable[[Collection[Source]], Collection[Source]] | None = None,
    ) -> None:
        self.model = model
        self.tools = {tool.name: tool for tool in tools}
        self.instructions = instructions
        self.guardrail = guardrail
        self.budgets = budgets or Budgets()
        self.clock = clock
        self.gate = gate
        self.tool_errors: ToolErrors = tool_errors
        self.observation_chars = observation_chars
        self.verifier = verifier
        self.reflection_rounds = reflection_rounds
        self.plan = plan
        self.gone = gone
        self._renew = renew
        self.conversation = Conversation(history_turns)
        self.result: RunResult | None = None
        self._run: Run | None = None
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @classmethod
    def from_settings(cls, settings: Settings, *, tools: Sequence[Tool] = ()) -> Agent:
        """Build the agent that `settings` describe, with `tools` beside the built-in ones.

        Raises `CampusAgentError` when the settings cannot be met.
        """
        from campus_agent.assemble import assemble

        return assemble(settings, tools=tools).agent

    async def run(self, question: str) -> AsyncGenerator[Event, None]:
        """Answer a question, yielding every event as it happens; the last one is `run_finished`.

        Leaving early, or cancelling the task that reads, cancels the run; `result` then holds what came of it.
        Raises `ValueError` for a blank question and `RuntimeError` while another run is under way.
        """
        if not question.strip():
            raise ValueError("a question needs some text")
        if self._task is not None:
            raise RuntimeError("this agent is answering another question; wait for it, or cancel it")
        if self._renew:
            self._renew(self)
        run = self._run = Run(self, well_formed(question))
        self._loop = asyncio.get_running_loop()
        task = self._task = asyncio.create_task(run.play())
        task.add_done_callback(lambda _: run.relay.finish())
        try:
            while (event := await run.relay.next()) is not None:
                with run.ledger.paused():  # what the reader does with it is not the run's time
                    yield event
                run.relay.release()
        finally:
            run.relay.close()
            self._cancel_now()
            await asyncio.wait({task}, timeout=1)
            self._task = None
            self.result = RunResult.from_events(run.relay.record) if run.finished else None
        task.result()

    async def ask(self, question: str) -> RunResult:
        """Answer a question and return the whole run."""
        async for _ in self.run(question):
            pass
        assert self.result is not None  # every run that is read to its end has one
        return self.result

    def cancel(self) -> None:
        """End the run under way, if there is one, as cancelled; it does so at once. Any thread may call it."""
        if self._task is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._cancel_now)

    def _cancel_now(self) -> None:
        """Cancel the run, unless it is ending by itself: how a run ended is said once."""
        if self._task is not None and self._run is not None and not self._run.ending:
            self._task.cancel()

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Every observation that the answer of the last run may rest on; empty before the first run."""
        return self._run.evidence() if self._run else ()

    def reset(self) -> None:
        """Begin another conversation."""
        self.conversation.clear()
