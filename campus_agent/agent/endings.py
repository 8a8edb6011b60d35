"""How a run ends, and what the person then reads: what happened, the likely cause, what to do next."""

from __future__ import annotations

from campus_agent.agent.outcome import Outcome
from campus_agent.errors import Explanation
from campus_agent.text import one_line

STEP_LIMIT = "I reached the step limit before finishing — try asking a narrower question."
NO_ANSWER = "I could not generate an answer. Please try again."
LONGEST_QUOTE = 200  # characters of a server's output that are shown


class RunEnded(Exception):
    """Raised inside the loop wherever a run ends; the one way out of it."""

    def __init__(self, outcome: Outcome, answer: str | None = None, message: Explanation | None = None) -> None:
        super().__init__(outcome.value)
        self.outcome = outcome
        self.answer = answer
        self.message = message


def answered(text: str) -> RunEnded:
    """End with an answer."""
    return RunEnded(Outcome.ANSWERED, text)


def refused(line: str) -> RunEnded:
    """End with the refusal line."""
    return RunEnded(Outcome.REFUSED, line)


def step_limit(steps: int) -> RunEnded:
    """End because the last step brought no answer."""
    return _ended(
        Outcome.STEP_LIMIT,
        STEP_LIMIT,
        f"All {steps} steps were used, and the last one brought no answer.",
        "Ask for one thing at a time, or allow more steps with --max-steps.",
    )


def call_limit(calls: int) -> RunEnded:
    """End because the model kept asking for tools after the last tool call was spent."""
    return _ended(
        Outcome.CALL_LIMIT,
        STEP_LIMIT,
        f"All {calls} tool calls were used, and the model brought no answer.",
        "Ask for one thing at a time, or allow more calls with --max-tool-calls.",
    )


def deadline(seconds: float, outstanding: str) -> RunEnded:
    """End because the time is over; `outstanding` names what was being waited for."""
    return _ended(
        Outcome.DEADLINE,
        f"The time for this question is over: it took {seconds:.1f} seconds.",
        f"Still outstanding: {outstanding}.",
        "Ask again, or allow more time with --deadline.",
    )


def cancelled(partial: str) -> RunEnded:
    """End because a person stopped it; `partial` is the text that had been written."""
    message = Explanation(what="You stopped this run.", next="Ask again whenever you like.")
    return RunEnded(Outcome.CANCELLED, partial or None, message)


def malformed(last: str) -> RunEnded:
    """End because what the model sends cannot be read; `last` is the last of it."""
    quote = one_line(last, LONGEST_QUOTE)
    return _ended(
        Outcome.MALFORMED,
        NO_ANSWER,
        f"The model's reply could not be read: {quote}" if quote else "The model sent an empty reply.",
        "Ask again; if it stays so, choose another model with --model.",
    )


def truncated(partial: str) -> RunEnded:
    """End because the model ran out of tokens; `partial` is what it had written."""
    message = Explanation(
        what="The answer was cut off.",
        cause="The model ran out of tokens before it had finished.",
        next="Allow more with --max-tokens, or ask a narrower question.",
    )
    return RunEnded(Outcome.TRUNCATED, partial or None, message)


def filtered() -> RunEnded:
    """End because the provider withheld the answer."""
    return _ended(
        Outcome.FILTERED,
        "The provider withheld the answer.",
        "Its content filter stopped the reply.",
        "Ask in other words, or choose another model with --model.",
    )


def tool_failed(observation: str) -> RunEnded:
    """End because a tool that the answer needs did not work; `observation` is what it said."""
    return _ended(
        Outcome.TOOL_FAILED,
        one_line(observation, 400),
        "The tool broke, so this says nothing about whether the information exists.",
        "Ask again; if it stays so, look at the knowledge base with: campus-agent kb check",
    )


def provider_error(explanation: Explanation) -> RunEnded:
    """End because the model or its server gave no usable reply."""
    return RunEnded(Outcome.PROVIDER_ERROR, None, explanation)


def _ended(outcome: Outcome, what: str, cause: str, next: str) -> RunEnded:
    return RunEnded(outcome, None, Explanation(what=what, cause=cause, next=next))
