"""The vocabulary of a run: everything that a screen, a printer, a journal or a test knows of it.

A run is a stream of these events and nothing else. They are frozen, typed, discriminated by `kind`, and each is one
JSON object, so a recorded run and a live one look the same to every reader.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter

from campus_agent.agent.outcome import Outcome
from campus_agent.errors import Explanation
from campus_agent.guardrail.review import CheckedFact
from campus_agent.models.chat_model import Usage
from campus_agent.tools.tool import Match, Source

StepNumber = Annotated[int, Field(ge=0, le=10_000)]  # a recording may hold any number
Status = Literal["ok", "empty", "error", "cached", "skipped"]
WithdrawnReason = Literal["became_thought", "retried", "rejected"]


class _Event(BaseModel):
    # Built on first use: the app and `--help` import these words before they need any of them.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, allow_inf_nan=False)

    run_id: str
    seq: int
    time: AwareDatetime  # UTC


class Budgets(BaseModel):
    """What a run may use: each is counted apart. Times in seconds; retries are tries after the first."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_steps: int = Field(default=5, ge=1)
    max_tool_calls: int = Field(default=15, ge=0)
    parse_retries: int = Field(default=1, ge=0)
    tool_retries: int = Field(default=1, ge=0)
    deadline: float = Field(default=180.0, gt=0)


class RunStarted(_Event):
    """A question was taken up."""

    kind: Literal["run_started"] = "run_started"
    question: str
    model: str
    provider: str
    protocol: str
    budgets: Budgets


class StepStarted(_Event):
    """A model call is about to be made: step `step` of at most `of`.

    `prompt_chars` is the size of all that is sent: instructions, tools and messages; None in an older recording.
    """

    kind: Literal["step_started"] = "step_started"
    step: StepNumber
    of: StepNumber
    prompt_chars: int | None = None


class ThoughtDelta(_Event):
    """Some text of the model's reasoning."""

    kind: Literal["thought_delta"] = "thought_delta"
    step: StepNumber
    text: str


class AnswerDelta(_Event):
    """Some text of a draft; only `run_finished` says whether it is the answer."""

    kind: Literal["answer_delta"] = "answer_delta"
    step: StepNumber
    text: str


class AnswerWithdrawn(_Event):
    """The draft text of this step is not, or no longer, a candidate for the answer."""

    kind: Literal["answer_withdrawn"] = "answer_withdrawn"
    step: StepNumber
    reason: WithdrawnReason


class Acting(_Event):
    """The model asked for a tool. `arguments` is None when `raw_arguments` could not be read as an object."""

    kind: Literal["acting"] = "acting"
    step: StepNumber
    call_id: str
    tool: str
    arguments: dict[str, Any] | None
    raw_arguments: str | None = None
    repaired: str | None = None


class Observed(_Event):
    """What came back from that request, word for word as the model will read it.

    `length` is in characters; `match` is how well a search found what was asked for, None for anything else.
    """

    kind: Literal["observed"] = "observed"
    step: StepNumber
    call_id: str
    tool: str
    status: Status
    content: str
    length: int
    latency_ms: float
    sources: tuple[Source, ...] = ()
    match: Match | None = None

    @property
    def ran(self) -> bool:
        """Whether the tool was really run for this: not for a call that was refused, skipped or answered before."""
        return self.status in ("ok", "empty") or self.latency_ms > 0


class StepFinished(_Event):
    """The model call and the tool calls of a step are over. `usage` is None where the server did not say."""

    kind: Literal["step_finished"] = "step_finished"
    step: StepNumber
    usage: Usage | None
    latency_ms: float


class GroundingChecked(_Event):
    """The draft was compared with what the tools returned; `sources` are the passages that bore it out."""

    kind: Literal["grounding_checked"] = "grounding_checked"
    step: StepNumber
    facts: tuple[CheckedFact, ...]
    sources: tuple[Source, ...] = ()


class Planned(_Event):
    """The model wrote down, before the first step, what it means to do; `items` are short lines, in order."""

    kind: Literal["planned"] = "planned"
    items: tuple[str, ...]
    usage: Usage | None = None
    latency_ms: float


class PlanTicked(_Event):
    """An item of the plan is done; the first is 0."""

    kind: Literal["plan_ticked"] = "plan_ticked"
    step: StepNumber
    item: int


class Reviewing(_Event):
    """A second look at the draft begins: by the verifier, or by the critic in round `round` of at most `of`."""

    kind: Literal["reviewing"] = "reviewing"
    step: StepNumber
    by: Literal["verifier", "critic"]
    round: int
    of: StepNumber
    prompt_chars: int


class Reviewed(_Event):
    """What the second look came to: `approved`, or not; `text` is what was said, or why there is no verdict."""

    kind: Literal["reviewed"] = "reviewed"
    step: StepNumber
    by: Literal["verifier", "critic"]
    round: int
    approved: bool
    text: str
    usage: Usage | None = None
    latency_ms: float


class Note(_Event):
    """Something a person should know: a repair, a retry, history that was dropped.

    `wait` is how many seconds pass before anything else happens, because a server asked for them.
    """

    kind: Literal["note"] = "note"
    step: int | None
    text: str
    wait: float = 0.0


class RunFinished(_Event):
    """How the run ended: exactly one a run, always the last event."""

    kind: Literal["run_finished"] = "run_finished"
    outcome: Outcome
    complete: bool
    answer: str | None
    message: Explanation | None
    usage: Usage | None
    duration_ms: float


Event = Annotated[
    RunStarted
    | StepStarted
    | ThoughtDelta
    | AnswerDelta
    | AnswerWithdrawn
    | Acting
    | Observed
    | StepFinished
    | GroundingChecked
    | Planned
    | PlanTicked
    | Reviewing
    | Reviewed
    | Note
    | RunFinished,
    Field(discriminator="kind"),
]


@cache
def _adapter() -> TypeAdapter[Event]:
    return TypeAdapter(Event)


def event_from_json(line: str | bytes) -> Event:
    """Read one event from a line of JSON; raises `pydantic.ValidationError` when it is none."""
    return _adapter().validate_json(line)
