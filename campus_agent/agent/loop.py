"""The loop: ask the model, run the tools that it asks for, show it what came back, until there is an answer.

`Run.play` is the whole of it. Everything that a person sees of a run is an event; every way out is a `RunEnded`.
"""

from __future__ import annotations

import asyncio
import uuid
from contextlib import nullcontext
from typing import TYPE_CHECKING

from campus_agent.agent import endings
from campus_agent.agent.acting import Workbench
from campus_agent.agent.budgets import Ledger
from campus_agent.agent.calling import ModelCalls
from campus_agent.agent.checking import reviewed
from campus_agent.agent.conversation import Turn
from campus_agent.agent.endings import RunEnded
from campus_agent.agent.events import (
    GroundingChecked,
    Note,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
    ThoughtDelta,
)
from campus_agent.agent.gatekeeper import raw_text
from campus_agent.agent.instructions import (
    NUDGE,
    correction,
    last_step,
    no_calls_left,
    not_confirmed,
    off_topic,
    search_first,
)
from campus_agent.agent.outcome import Outcome
from campus_agent.agent.planning import ANSWER, Plan, ask_for_plan
from campus_agent.agent.relay import Relay
from campus_agent.agent.second_look import SecondLook
from campus_agent.daemon_threads import on_a_thread
from campus_agent.errors import ContextTooLong, Explanation, ModelError, described
from campus_agent.guardrail.review import Evidence, Review
from campus_agent.models.chat_model import AssistantMessage, Message, ModelRequest, Reply, UserMessage, total_usage
from campus_agent.text import one_line, plural, well_formed

if TYPE_CHECKING:
    from campus_agent.agent.agent import Agent


class Run:
    """One question on its way to its outcome."""

    def __init__(self, agent: Agent, question: str) -> None:
        self.agent = agent
        self.question = question
        self.ending = False
        self.finished = False
        self.ledger = Ledger(agent.budgets)
        self.relay = Relay(uuid.uuid4().hex[:12])
        self.emit = self.relay.emit
        self.plan = Plan(self.relay)
        self.bench = Workbench(
            agent.tools,
            self.relay,
            self.ledger,
            agent.gate,
            agent.tool_errors,
            agent.observation_chars,
            self.plan,
            agent.guardrail.refusal,
        )
        self.calls = ModelCalls(agent.model, agent.gate, self.relay, self.ledger)
        self.second_look = SecondLook(self.calls, agent, question)
        self.history: list[Turn] = []  # the earlier turns that are still sent
        self.messages: list[Message] = [UserMessage(question)]  # of this run, and kept if it completes
        self.aside: list[Message] = []  # said for the next model call only, then forgotten
        self.sent_back = False

    async def play(self) -> None:
        """Play the run from `run_started` to `run_finished`."""
        clock = self.agent.clock
        try:
            with clock.held() if clock else nullcontext():
                await self._start()
                if self.agent.plan:
                    await ask_for_plan(self.calls, self.plan, self.question, self.history, self.agent.tools)
                while True:
                    await self._step()
        except RunEnded as ended:
            await self._end(ended)
        except asyncio.CancelledError:
            await self._end(endings.cancelled(self.calls.draft))
        except Exception as error:  # whatever else goes wrong is an outcome too, never a crash
            what = one_line(f"Something broke: {described(error)}", endings.LONGEST_QUOTE)
            await self._end(endings.provider_error(Explanation(what=what, next="Ask again.")))

    async def _step(self) -> None:
        """Make one model call, and run what it asks for or judge what it says."""
        step = self.ledger.steps = self.ledger.steps + 1
        answer_only = self.ledger.last_step or self.ledger.out_of_calls
        began = self.ledger.elapsed
        self.calls.of_step.clear()
        size = self._request(answer_only).size
        await self.emit(StepStarted, step=step, of=self.agent.budgets.max_steps, prompt_chars=size)
        try:
            if answer_only:
                await self.emit(Note, step=step, text=_LAST_STEP if self.ledger.last_step else _NO_CALLS)
            reply = await self._ask(step, answer_only)
            if reply.calls:
                await self._act(step, reply, answer_only)
            else:
                await self._judge(step, reply, answer_only)
        finally:
            usage, latency_ms = total_usage(self.calls.of_step), self.ledger.milliseconds_since(began)
            await self.emit(StepFinished, step=step, usage=usage, latency_ms=latency_ms)

    async def _ask(self, step: int, answer_only: bool) -> Reply:
        """Ask the gate, then the model."""
        await self.calls.permit(step)
        while True:
            try:
                reply = await self.calls.write(self._request(answer_only), step=step)
            except ContextTooLong as error:
                await self._make_room(step, error, answer_only)
            except ModelError as error:
                raise endings.provider_error(error.explanation) from None
            else:
                self.aside.clear()
                return reply

    async def _make_room(self, step: int, error: ContextTooLong, answer_only: bool) -> None:
        """Leave out the oldest turn when the request is too long; end the run when there is none."""
        if not self.history:
            raise endings.provider_error(error.explanation)
        self.history.pop(0)
        size = plural(self._request(answer_only).size, "character")
        text = f"Memory: the oldest question was left out, because it no longer fits; the prompt is now {size}."
        await self.emit(Note, step=step, text=text)

    def _request(self, answer_only: bool) -> ModelRequest:
        system = self.agent.instructions + self.plan.instructions()
        if self.ledger.last_step:
            system += f"\n\n{last_step(self.ledger.steps, self.agent.budgets.max_steps)}"
        elif answer_only:
            system += f"\n\n{no_calls_left()}"
        return ModelRequest(
            system=system,
            messages=(*(said for turn in self.history for said in turn.messages), *self.messages, *self.aside),
            tools=tuple(tool.schema for tool in self.agent.tools.values()),
            tool_choice="none" if answer_only else "auto",
        )

    async def _act(self, step: int, reply: Reply, answer_only: bool) -> None:
        """Run the tools that were asked for and remember what they returned."""
        if self.calls.draft:
            await self.calls.withdraw(step, "became_thought")
        elif reply.text:
            await self.emit(ThoughtDelta, step=step, text=well_formed(reply.text))
        forbidden = "Not run: no tool can be called in this step." if answer_only else ""
        acted = await self.bench.carry_out(step, reply.calls, forbidden=forbidden)
        if answer_only:
            raise self._limit()
        self.ledger.unreadable = self.ledger.unreadable + 1 if acted.unreadable else 0
        if self.ledger.out_of_patience:
            asked = "; ".join(f"{call.name}({raw_text(call)})" for call in reply.calls)
            raise endings.malformed(reply.text or asked)
        self.messages += [AssistantMessage(reply.text, acted.calls, reply.thought, reply.details), *acted.messages]

    async def _judge(self, step: int, reply: Reply, answer_only: bool) -> None:
        """Decide whether what the model says is the answer; raise how the run ends, or send it back."""
        text = well_formed(reply.text).strip()
        if reply.finish == "filter":
            raise endings.filtered()
        if not text:
            return self._nudge(reply)
        self.ledger.unreadable = 0
        await self.calls.show(step, text)
        if reply.finish == "length":
            raise endings.truncated(await self._so_far(step, text))
        text = await self._improve(step, text, answer_only)
        review = await self._check(step, text)
        if complaint := self._complaint(review):
            if not review.unsupported:  # else the check has said what is wrong
                await self.emit(Note, step=step, text=_UNBORNE if review.off_topic else _TOO_SOON)
            return await self._send_back(step, text, complaint)
        if self.bench.every_search_failed and not review.states_something:
            raise endings.tool_failed(self.bench.last_failure)
        if review.refusal:
            raise endings.refused(self.agent.guardrail.refusal)
        if answer_only and self.bench.used and not review.states_something:
            raise self._limit()
        if await self.second_look.confirm(step, text, review, self.evidence()):
            raise endings.answered(text)
        await self._send_back(step, text, not_confirmed())

    def _nudge(self, reply: Reply) -> None:
        """Ask again after an empty reply, once."""
        if reply.finish == "length":
            raise endings.truncated("")
        self.ledger.unreadable += 1
        if self.ledger.out_of_patience or self.ledger.last_step:
            raise endings.malformed("")
        self.aside.append(UserMessage(NUDGE))

    async def _improve(self, step: int, text: str, answer_only: bool) -> str:
        """Let the critic, if there is one, have a draft written again; not one that is of no use anyway."""
        in_vain = not self.second_look.has_rounds or self.bench.every_search_failed
        if in_vain or self._complaint(await self._review(text)):
            return text
        return await self.second_look.improve(step, text, self.evidence(), self._request(answer_only))

    async def _so_far(self, step: int, text: str) -> str:
        """Return what may be shown of a draft that was cut off: all of it or nothing."""
        review = await self._check(step, text)
        if not self._unsupported(review) and await self.second_look.confirm(step, text, review, self.evidence()):
            return text
        await self.calls.withdraw(step, "rejected")
        return ""

    async def _check(self, step: int, text: str) -> Review:
        """Check a draft in code, and say what was found."""
        review = await self._review(text)
        if self.agent.guardrail.mode != "off" and (review.facts or review.sources):
            await self.emit(GroundingChecked, step=step, facts=review.facts, sources=review.sources)
        return review

    async def _review(self, text: str) -> Review:
        return await reviewed(self.agent.guardrail, text, question=self.question, evidence=self.evidence())

    def evidence(self) -> tuple[Evidence, ...]:
        """Return every observation that stands in what the model is sent, and may bear an answer out."""
        return (*(one for turn in self.history for one in turn.evidence), *self.bench.evidence)

    def _unsupported(self, review: Review) -> bool:
        return self.agent.guardrail.mode == "strict" and bool(review.unsupported)

    def _complaint(self, review: Review) -> str:
        """Return what is wrong with a draft, in words for the model, or nothing."""
        if self._unsupported(review):
            facts = [fact.text for fact in review.unsupported]
            return correction(facts, has_evidence=bool(self.evidence()))
        if review.off_topic and self.agent.guardrail.mode == "strict":
            return off_topic()
        can_search = any(tool.searches for tool in self.agent.tools.values())
        no_step_left = self.sent_back or self.ledger.last_step or self.ledger.out_of_calls
        if review.refusal and can_search and not self.bench.searches and not no_step_left:
            return search_first()
        return ""

    async def _send_back(self, step: int, text: str, complaint: str) -> None:
        """Withdraw a draft and ask for a better one, once; then the refusal line takes its place."""
        await self.calls.withdraw(step, "rejected")
        if self.sent_back or self.ledger.last_step:
            if self.bench.every_search_failed:
                raise endings.tool_failed(self.bench.last_failure)
            raise endings.refused(self.agent.guardrail.refusal)
        self.sent_back = True
        self.aside += [AssistantMessage(text), UserMessage(complaint)]

    def _limit(self) -> RunEnded:
        if self.bench.every_search_failed:
            return endings.tool_failed(self.bench.last_failure)
        if self.ledger.last_step:
            return endings.step_limit(self.agent.budgets.max_steps)
        return endings.call_limit(self.agent.budgets.max_tool_calls)

    async def _start(self) -> None:
        model = self.agent.model
        await self.emit(
            RunStarted,
            question=self.question,
            model=model.name,
            provider=model.provider,
            protocol=model.protocol,
            budgets=self.agent.budgets,
        )
        if self.agent.gone and (quoted := self.agent.conversation.sources):
            gone = await self.ledger.within(on_a_thread(self.agent.gone, quoted), "the knowledge base")
            self.agent.conversation.doubt(gone)
        self.history = list(self.agent.conversation.turns)

    async def _end(self, ended: RunEnded) -> None:
        """Remember a complete run, forget an incomplete one, and say how it ended."""
        self.ending = True
        if ended.outcome.complete:
            self.messages.append(AssistantMessage(ended.answer or ""))
            turn = Turn(tuple(self.messages), tuple(self.bench.lasting))
            if let_go := self.agent.conversation.remember((*self.history, turn)):
                await self.emit(Note, step=None, text=let_go)
        if ended.outcome is Outcome.ANSWERED:
            await self.plan.happened(self.ledger.steps, ANSWER)
        self.finished = True
        await self.emit(
            RunFinished,
            outcome=ended.outcome,
            complete=ended.outcome.complete,
            answer=ended.answer,
            message=ended.message,
            usage=total_usage(self.calls.usage),
            duration_ms=round(self.ledger.elapsed * 1000, 3),
        )


_UNBORNE = "Nothing that was looked up bears this draft out."
_TOO_SOON = "Nothing has been looked up yet: the model is sent to search before it may refuse."
_LAST_STEP = "This is the last step: no tool can be called in it."
_NO_CALLS = "All tool calls are used up: none can be made in this step."
