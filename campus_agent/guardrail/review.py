"""What the guardrail says of a draft."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from campus_agent.tools.tool import Source

GuardrailMode = Literal["strict", "warn", "off"]


class CheckedFact(BaseModel):
    """A checkable value of a draft, and the observation that supports it, if one does.

    Attributes:
        text: the value as the draft writes it.
        kind: weekday, date, time, number, room, email, link, phone, money, percent, name, claim or comparison.
        supported: whether an observation supports it.
        source: where the support stands: a document such as "clubs.md", or a tool's name; None without support.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    kind: str
    supported: bool
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """An observation that an answer may rest on: what `tool` returned, and the passages behind it."""

    tool: str
    text: str
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """The guardrail's findings on one draft.

    Attributes:
        facts: every fact of the draft, in the order written.
        refusal: whether the draft is the refusal line, or says the same in nearly the same words.
        states_something: whether the draft says at least one thing that an observation supports.
        off_topic: whether nothing of it comes from an observation and it is code, or long, or was said without anything
            looked up and is no small talk.
        small_talk: whether it says nothing but courtesies to somebody who asked nothing of the campus.
        sources: the passages that supported its facts, each once, in the order of the facts.
    """

    facts: tuple[CheckedFact, ...] = ()
    refusal: bool = False
    states_something: bool = False
    off_topic: bool = False
    small_talk: bool = False
    sources: tuple[Source, ...] = ()

    @property
    def unsupported(self) -> tuple[CheckedFact, ...]:
        """The facts that no observation supports."""
        return tuple(fact for fact in self.facts if not fact.supported)
