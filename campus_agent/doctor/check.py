"""What one look at one thing found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from campus_agent.errors import CampusAgentError
from campus_agent.text import one_line

_LONGEST = 500  # characters of a finding


class Status(StrEnum):
    """How a check came out."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"
    SKIPPED = "skipped"
    NOT_APPLICABLE = "not_applicable"

    @property
    def sign(self) -> str:
        """The sign that stands for it at the beginning of a line."""
        match self:
            case Status.OK:
                return "✓"
            case Status.WARNING:
                return "!"
            case Status.FAILED:
                return "✕"
            case _:
                return "–"


@dataclass(frozen=True, slots=True)
class Check:
    """One check that was made, or could not be.

    Attributes:
        name: what was looked at, such as "knowledge base".
        status: how it came out.
        found: what was seen, on one line.
        next: what to do about it, on one line; "" where there is nothing to do.
    """

    name: str
    status: Status
    found: str
    next: str = ""

    @classmethod
    def failed(cls, name: str, error: CampusAgentError, next: str = "") -> Check:
        """Make a failed check of an error; `next` stands instead of the error's own advice."""
        said = error.explanation
        found = one_line(f"{said.what.rstrip('.')}. {said.cause}", _LONGEST)
        advice = (next or said.next).partition("\n")[0]  # what follows is examples for every shell
        return cls(name, Status.FAILED, found, one_line(advice.removesuffix(":"), _LONGEST))
