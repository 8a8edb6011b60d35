"""What can go wrong, each said as: what happened, the likely cause, what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why something did not work, in words for the person in front of the screen."""

    # A field of events and results, yet no model of pydantic: the first frame of the app need not wait for that.
    __pydantic_config__: ClassVar[dict[Literal["extra"], str]] = {"extra": "forbid"}

    what: str
    cause: str = ""
    next: str = ""

    def __str__(self) -> str:
        return "\n".join(part for part in (self.what, self.cause, self.next) if part)


class CampusAgentError(Exception):
    """The root of every error that this program raises for a person to read."""

    def __init__(self, what: str, cause: str = "", next: str = "") -> None:
        super().__init__(what)
        self.explanation = Explanation(what=what, cause=cause, next=next)

    def __str__(self) -> str:
        return str(self.explanation)


class SettingsError(CampusAgentError):
    """A setting, flag or configuration file that cannot be used (exit status 2)."""


class KnowledgeError(CampusAgentError):
    """A knowledge base with nothing in it to search (exit status 2)."""


class SearchFailed(CampusAgentError):
    """A search that could not be carried out; not the same as one that found nothing."""


class ModelError(CampusAgentError):
    """A model or its server that gave no usable reply; ends a run as `provider_error`."""


class ContextTooLong(ModelError):
    """A request that is longer than the model can take; a shorter one may still work."""


def described(error: BaseException) -> str:
    """Say what an error of somebody else's code is: its type, and its text if it has one that can be read."""
    try:
        said = str(error)
    except Exception:  # the border to whatever `__str__` does
        said = ""
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
