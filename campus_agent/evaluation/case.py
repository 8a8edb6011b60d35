"""What a suite of golden cases says: the questions, and what has to come of each of them.

The descriptions here are the reference for whoever writes a suite; docs/evaluation.md repeats them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from campus_agent.agent.events import Status
from campus_agent.agent.outcome import Outcome
from campus_agent.evaluation.values import facts_expected
from campus_agent.settings import Settings, Text, in_words


def _checkable(text: str) -> str:
    if not facts_expected(text):
        raise ValueError(f"{text!r} holds no fact, such as a day, a time or a room; answer_contains looks for any text")
    return text


def _moment(value: object) -> object:
    """Read a moment as the setting `now` is read."""
    try:
        return Settings.model_validate({"now": value}).now
    except ValidationError as error:
        raise ValueError(in_words(error.errors(include_url=False)[0])) from None


def _as_table(turn: object) -> object:
    return {"question": turn} if isinstance(turn, str) else turn


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _as_text(value: object) -> object:
    return json.dumps(value) if isinstance(value, int | float) else value


FactText = Annotated[Text, AfterValidator(_checkable)]
Moment = Annotated[datetime | None, BeforeValidator(_moment)]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ExpectedCall(_Table):
    """A tool call that has to be among those of the run."""

    tool: Text = Field(description="The tool's name.")
    arguments: dict[str, Annotated[str, BeforeValidator(_as_text)]] = Field(
        default={}, description="What the arguments named here have to hold: a part of the text, or an equal fact."
    )
    status: Status | None = Field(
        default=None, description="How the call came out: ok, empty, error, cached or skipped."
    )


class Expect(_Table):
    """What has to come of one question. Everything that is named here has to be so."""

    outcome: Annotated[tuple[Outcome, ...], BeforeValidator(_as_list)] = Field(
        default=(), description="How the run ends, or a list of ways; without it, answered or refused."
    )
    facts: tuple[FactText, ...] = Field(
        default=(),
        description="Facts that the answer states and does not deny, however it writes them: 5 PM is 17:00.",
    )
    no_facts: tuple[FactText, ...] = Field(
        default=(), description="Facts that the answer does not state; it may deny them."
    )
    answer_contains: tuple[Text, ...] = Field(
        default=(), description="Texts that all stand in the answer; case is ignored."
    )
    answer_contains_any: tuple[Text, ...] = Field(
        default=(), description="Texts of which at least one stands in the answer."
    )
    answer_not_contains: tuple[Text, ...] = Field(default=(), description="Texts that do not stand in the answer.")
    grounded: bool | None = Field(
        default=None, description="true: the answer rests on what the tools returned, and no fact of it is unsupported."
    )
    sources: tuple[Text, ...] = Field(
        default=(),
        description="Documents, or titles of passages, that the answer rests on; a part of the name is enough.",
    )
    tools_called: tuple[Text, ...] = Field(default=(), description="Tools that were all asked for, in any order.")
    tools_in_order: tuple[Text, ...] = Field(
        default=(), description="Tools that were asked for in this order; others may stand between them."
    )
    tools_not_called: tuple[Text, ...] = Field(default=(), description="Tools that were not asked for.")
    calls: tuple[ExpectedCall, ...] = Field(
        default=(), description="Calls that were each made: tool, arguments, status."
    )
    most_steps: int | None = Field(default=None, ge=1, description="The most steps (model calls) of the run.")
    most_calls: int | None = Field(default=None, ge=0, description="The most tool calls of the run.")
    remembers: tuple[FactText, ...] = Field(
        default=(),
        description="Facts found in an earlier turn and used in this one, in the answer or in a call, "
        "although the question does not name them.",
    )

    @field_validator("*")
    @classmethod
    def _names_something(cls, value: object) -> object:
        if value == ():
            raise ValueError("names nothing, so it expects nothing; leave the key out")
        return value

    @property
    def tools(self) -> frozenset[str]:
        """Every tool that is named."""
        asked = (call.tool for call in self.calls)
        return frozenset((*self.tools_called, *self.tools_in_order, *self.tools_not_called, *asked))


class Turn(_Table):
    """One question of a conversation."""

    question: Text = Field(description="What the person asks.")
    expect: Expect = Field(default=Expect(), description="What has to come of it.")
    new_conversation: bool = Field(
        default=False, description="true: what was said before this question is forgotten first."
    )


class Case(_Table):
    """One golden case: a question, or the turns of a conversation, and what has to come of it."""

    name: Text = Field(description="What the report calls it; no two cases of a suite have the same.")
    question: Text | None = Field(default=None, description="The question; a conversation has turns instead.")
    turns: tuple[Annotated[Turn, BeforeValidator(_as_table)], ...] = Field(
        default=(),
        description="The questions of a conversation: texts, or tables of question, expect, new_conversation.",
    )
    expect: Expect = Field(default=Expect(), description="What has to come of the question, or of the last turn.")
    now: Moment = Field(default=None, description="The moment that the tools take it to be; instead of the suite's.")
    kb: tuple[Text, ...] = Field(default=(), description="Folders or files to answer from; instead of the suite's.")

    @property
    def conversation(self) -> tuple[Turn, ...]:
        """The questions in the order asked, each with what is expected of it."""
        if self.question:
            return (Turn(question=self.question, expect=self.expect),)
        *before, last = self.turns
        return (*before, last.model_copy(update={"expect": self.expect}) if _says_something(self.expect) else last)

    @model_validator(mode="after")
    def _one_way_to_ask(self) -> Self:
        if bool(self.question) == bool(self.turns):
            raise ValueError("needs either a question or turns")
        if self.turns and _says_something(self.expect) and _says_something(self.turns[-1].expect):
            raise ValueError("the last turn has an expect of its own, so the case must have none")
        if not any(_says_something(turn.expect) for turn in self.conversation):
            raise ValueError("expects nothing; add for example: expect.outcome = 'answered'")
        return self

    @model_validator(mode="after")
    def _something_to_remember(self) -> Self:
        known = False
        for turn in self.conversation:
            if turn.expect.remembers and (turn.new_conversation or not known):
                raise ValueError("remembers is for a turn that has another one before it in its conversation")
            known = True
        return self


class Suite(_Table):
    """A file of golden cases."""

    name: Text | None = Field(
        default=None, description="What the report calls the suite; without it, the name of the file."
    )
    now: Moment = Field(
        default=None, description="The moment that the tools take it to be; without an offset, campus time."
    )
    kb: tuple[Text, ...] = Field(
        default=(), description="Folders or files to answer from; relative ones begin at the suite's own folder."
    )
    cases: tuple[Case, ...] = Field(description="The cases.")

    @field_validator("cases")
    @classmethod
    def _has_cases(cls, cases: tuple[Case, ...]) -> tuple[Case, ...]:
        if not cases:
            raise ValueError("there is no case in it")
        names = [case.name for case in cases]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two cases have the same name: {', '.join(twice)}")
        return cases


def _says_something(expect: Expect) -> bool:
    return bool(expect.model_fields_set)


TABLES: Mapping[str, type[BaseModel]] = {
    "cases": Case,
    "turns": Turn,
    "expect": Expect,
    "calls": ExpectedCall,
}
"""What stands under each key that holds a table or a list of them."""


def known_keys(location: tuple[Any, ...]) -> tuple[str, ...]:
    """Return the keys that are known in the table at `location`, such as ("cases", 0, "expect")."""
    table = next((TABLES[part] for part in reversed(location) if part in TABLES), Suite)
    return tuple(table.model_fields)
