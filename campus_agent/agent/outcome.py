"""The names for how a run can end."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """How a run ended: exactly one of these, the same on the screen, in plain text and in JSON."""

    ANSWERED = "answered"
    REFUSED = "refused"
    STEP_LIMIT = "step_limit"
    CALL_LIMIT = "call_limit"
    DEADLINE = "deadline"
    CANCELLED = "cancelled"
    MALFORMED = "malformed"
    TRUNCATED = "truncated"
    FILTERED = "filtered"
    TOOL_FAILED = "tool_failed"
    PROVIDER_ERROR = "provider_error"

    @property
    def complete(self) -> bool:
        """Whether the question got its reply: an answer, or the refusal line."""
        return self in (Outcome.ANSWERED, Outcome.REFUSED)

    @property
    def sign(self) -> str:
        """A sign for it, which tells the endings apart without colour."""
        return _SHOWN[self][0]

    @property
    def words(self) -> str:
        """How it is called in front of a person."""
        return _SHOWN[self][1]


_SHOWN = {
    Outcome.ANSWERED: ("●", "answered"),
    Outcome.REFUSED: ("○", "refused"),
    Outcome.STEP_LIMIT: ("◐", "step limit"),
    Outcome.CALL_LIMIT: ("◐", "call limit"),
    Outcome.DEADLINE: ("◐", "out of time"),
    Outcome.CANCELLED: ("■", "cancelled"),
    Outcome.MALFORMED: ("✕", "unreadable reply"),
    Outcome.TRUNCATED: ("◐", "cut short"),
    Outcome.FILTERED: ("✕", "withheld by the provider"),
    Outcome.TOOL_FAILED: ("✕", "tool failed"),
    Outcome.PROVIDER_ERROR: ("✕", "provider error"),
}
