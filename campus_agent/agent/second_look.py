"""A second look at a draft: the critic, who may have it written again, and the verifier, who says yes or no.

A draft goes through the checks in code first. One that passes goes to the critic, if there is one; what was written
again goes through the checks in code like any draft. So the critic can make an answer better, and never let one
through. The verifier comes last, changes nothing, and can only say no. None of these calls is a step: the critic has
its rounds, each one look and at most one writing, and the verifier looks once at each draft that would be the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from campus_agent.agent.calling import ModelCalls
from campus_agent.agent.events import Note, Reviewed, Reviewing
from campus_agent.agent.instructions import write_again
from campus_agent.errors import ModelError
from campus_agent.guardrail.reflection import approves, criticism
from campus_agent.guardrail.refusal import is_refusal
from campus_agent.guardrail.review import Evidence, Review
from campus_agent.guardrail.verifier import confirms, no_verdict, verification
from campus_agent.models.chat_model import AssistantMessage, ModelRequest, Reply, UserMessage
from campus_agent.text import one_line, well_formed

if TYPE_CHECKING:
    from campus_agent.agent.agent import Agent

_MOST_LOOKS = 2  # of the verifier in a run, in which a draft is sent back once
_LONGEST = 2000  # characters of a verdict

Reader = Literal["verifier", "critic"]


class SecondLook:
    """The critic and the verifier of one run.

    Args:
        calls: makes the model calls.
        agent: says whether there is a verifier, how many rounds the critic has, and what the refusal line is.
        question: what the person asked.
    """

    def __init__(self, calls: ModelCalls, agent: Agent, question: str) -> None:
        self._calls = calls
        self._question = question
        self._guardrail = agent.guardrail  # nobody looks at its refusal line twice
        self._verifier = agent.verifier
        self._rounds = agent.reflection_rounds
        self._round = 0  # looks of the critic so far
        self._looks = 0  # of the verifier so far

    @property
    def has_rounds(self) -> bool:
        """Whether the critic may still look at a draft."""
        return self._round < self._rounds

    async def improve(self, step: int, draft: str, evidence: Sequence[Evidence], request: ModelRequest) -> str:
        """Let the critic look at a draft until it approves or the rounds are used up; return the last draft.

        `request` is the one that the draft was the reply to. Raises `RunEnded` as `deadline` or `cancelled`.
        """
        while self.has_rounds and not is_refusal(draft, self._guardrail.refusal, self._guardrail.language):
            problems = await self._criticise(step, draft, evidence)
            better = await self._write_again(step, draft, problems, request) if problems else None
            if better is None:
                break
            draft = better
        return draft

    async def confirm(self, step: int, draft: str, review: Review, evidence: Sequence[Evidence]) -> bool:
        """Whether the verifier, if there is one, says yes to a draft; small talk and the refusal line need none.

        No verdict is a no, with a note that says why. Raises `RunEnded` as `deadline` or `cancelled`.
        """
        if not self._verifier or review.small_talk or review.refusal:
            return True
        self._looks += 1
        request = verification(draft, question=self._question, evidence=evidence)
        verdict = await self._look(step, "verifier", self._looks, _MOST_LOOKS, request, confirms)
        if verdict.missing:
            told = f"The verifier gave no verdict, which says nothing about the information itself: {verdict.missing}"
            await self._calls.relay.emit(Note, step=step, text=one_line(told, _LONGEST))
        return verdict.approved

    async def _criticise(self, step: int, draft: str, evidence: Sequence[Evidence]) -> str:
        """Return what the critic finds wrong; "" when it approves, or says nothing that could be mended."""
        self._round += 1
        request = criticism(draft, question=self._question, evidence=evidence)
        verdict = await self._look(step, "critic", self._round, self._rounds, request, approves)
        return "" if verdict.approved or verdict.missing else verdict.text

    async def _look(
        self, step: int, by: Reader, round: int, of: int, request: ModelRequest, approved_by: Callable[[Reply], bool]
    ) -> _Verdict:
        """Have a draft read, from `reviewing` to `reviewed`."""
        calls, began, reply = self._calls, self._calls.ledger.elapsed, None
        await calls.relay.emit(Reviewing, step=step, by=by, round=round, of=of, prompt_chars=request.size)
        try:
            awaited = f"the {by}'s verdict in step {step}"
            reply = await calls.consult(request, step=step, purpose=by, awaited=awaited)
            said = well_formed(reply.text).strip()[:_LONGEST]
            reason = no_verdict(reply)
            verdict = _missing(by, reason) if reason else _Verdict(said, approved=approved_by(reply))
        except ModelError as error:
            verdict = _missing(by, error.explanation.what)
        await calls.relay.emit(
            Reviewed,
            step=step,
            by=by,
            round=round,
            approved=verdict.approved,
            text=verdict.text,
            usage=reply.usage if reply else None,
            latency_ms=calls.ledger.milliseconds_since(began),
        )
        return verdict

    async def _write_again(self, step: int, draft: str, problems: str, request: ModelRequest) -> str | None:
        """Withdraw a draft and have a better one written; where that fails, show it again and return None."""
        calls = self._calls
        await calls.permit(step, "rewrite")
        await calls.withdraw(step, "rejected")
        said = (*request.messages, AssistantMessage(draft), UserMessage(write_again(problems)))
        reason = "the reply holds no whole text."
        try:
            reply = await calls.write(replace(request, messages=said, tool_choice="none"), step=step)
            text = "" if reply.calls or reply.finish != "stop" else well_formed(reply.text).strip()
        except ModelError as error:
            text, reason = "", error.explanation.what
        if text:
            await calls.show(step, text)
            return text
        if calls.draft:
            await calls.withdraw(step, "rejected")
        await calls.show(step, draft)
        note = one_line(f"The draft could not be written again, so it stays as it was: {reason}", _LONGEST)
        await calls.relay.emit(Note, step=step, text=note)
        return None


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What a second reader said of a draft; `missing` says why that is no verdict at all."""

    text: str
    approved: bool = False
    missing: str = ""


def _missing(by: Reader, reason: str) -> _Verdict:
    meaning = "so the draft goes on as it is" if by == "critic" else "which counts as a no"
    return _Verdict(one_line(f"no verdict, {meaning}: {reason}", _LONGEST), missing=one_line(reason, _LONGEST))
