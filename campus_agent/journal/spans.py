"""Runs as OpenTelemetry spans: a file of OTLP's JSON, which any collector takes.

Names follow the semantic conventions for generative AI (https://opentelemetry.io/docs/specs/semconv/gen-ai/): a span
`invoke_agent` for the run, in it a `chat` for each step and an `execute_tool` for each call that was asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from campus_agent import __version__
from campus_agent.agent.events import Acting, Event, Observed, RunFinished, RunStarted, StepFinished, StepStarted
from campus_agent.text import sanitize
from campus_agent.transcript import Runs

_INTERNAL, _CLIENT = 1, 3  # kinds of span
_OK, _ERROR = 1, 2  # codes of a status

Value = str | int | None


def as_otlp(runs: Runs) -> str:
    """Return the spans of the runs, each run a trace of its own, as one request of OTLP in JSON."""
    spans = [span for run in runs if run for span in _RunSpans(run).all()]
    scope = {"scope": {"name": "campus-agent", "version": __version__}, "spans": spans}
    resource = {"attributes": _attributes({"service.name": "campus-agent", "service.version": __version__})}
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}) + "\n"


@dataclass
class _Step:
    """The time of the model in a step, which ends when it asks for the first tool."""

    number: int
    began: datetime
    ended: datetime | None = None
    finished: StepFinished | None = None


@dataclass
class _RunSpans:
    """The spans of one run."""

    run: Sequence[Event]
    steps: dict[int, _Step] = field(default_factory=dict)
    calls: dict[tuple[int, str], Acting] = field(default_factory=dict)
    observed: dict[tuple[int, str], Observed] = field(default_factory=dict)
    started: RunStarted | None = None
    finished: RunFinished | None = None

    def all(self) -> Iterator[dict[str, Any]]:
        for event in self.run:
            self._read(event)
        yield self._whole()
        yield from map(self._step, self.steps.values())
        for key, act in self.calls.items():
            yield self._call(act, self.observed.get(key))

    def _read(self, event: Event) -> None:
        match event:
            case RunStarted():
                self.started = event
            case StepStarted():
                self.steps[event.step] = _Step(event.step, event.time)
            case Acting():
                self.calls[event.step, event.call_id] = event
                self._model_done(event.step, event.time)
            case Observed():
                self.observed[event.step, event.call_id] = event
            case StepFinished():
                self._model_done(event.step, event.time)
                if event.step in self.steps:
                    self.steps[event.step].finished = event
            case RunFinished():
                self.finished = event
            case _:
                pass

    def _model_done(self, step: int, time: datetime) -> None:
        if step in self.steps:
            self.steps[step].ended = self.steps[step].ended or time

    def _whole(self) -> dict[str, Any]:
        end = self.finished
        attributes: dict[str, Value] = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": "campus-agent",
            "campus_agent.outcome": end.outcome.value if end else None,
            "campus_agent.question": self.started.question if self.started else None,
            "campus_agent.answer": end.answer if end else None,
            "error.type": None if end and end.complete else end.outcome.value if end else "cut",
            **self._model(),
        }
        if end and end.usage:
            attributes["gen_ai.usage.input_tokens"] = end.usage.prompt_tokens
            attributes["gen_ai.usage.output_tokens"] = end.usage.completion_tokens
        return self._span("", "invoke_agent campus-agent", _INTERNAL, self._began, self._ended, attributes)

    def _step(self, step: _Step) -> dict[str, Any]:
        model = self.started.model if self.started else ""
        attributes: dict[str, Value] = {
            "gen_ai.operation.name": "chat",
            "campus_agent.step": step.number,
            **self._model(),
        }
        usage = step.finished.usage if step.finished else None
        if usage:
            attributes["gen_ai.usage.input_tokens"] = usage.prompt_tokens
            attributes["gen_ai.usage.output_tokens"] = usage.completion_tokens
        name = f"chat {model}".strip()
        ended = step.ended or self._ended
        return self._span(f"step {step.number}", name, _CLIENT, step.began, ended, attributes)

    def _call(self, act: Acting, observed: Observed | None) -> dict[str, Any]:
        asked = (act.raw_arguments or "") if act.arguments is None else json.dumps(act.arguments)
        attributes: dict[str, Value] = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": act.tool,
            "gen_ai.tool.type": "function",
            "gen_ai.tool.call.id": act.call_id,
            "gen_ai.tool.call.arguments": asked,
            "gen_ai.tool.call.result": observed.content if observed else None,
            "campus_agent.step": act.step,
            "campus_agent.status": observed.status if observed else None,
            "error.type": "tool_error" if observed is None or observed.status == "error" else None,
        }
        ended = observed.time if observed else self._ended
        began = ended - timedelta(milliseconds=observed.latency_ms) if observed and observed.ran else act.time
        name = f"execute_tool {act.tool}"
        key = f"call {act.step} {act.call_id}"
        return self._span(key, name, _INTERNAL, max(began, act.time), ended, attributes)

    @property
    def _began(self) -> datetime:
        return self.run[0].time

    @property
    def _ended(self) -> datetime:
        return self.run[-1].time

    def _model(self) -> dict[str, Value]:
        if self.started is None:
            return {}
        return {"gen_ai.provider.name": self.started.provider, "gen_ai.request.model": self.started.model}

    def _span(
        self,
        key: str,
        name: str,
        kind: int,
        began: datetime,
        ended: datetime,
        attributes: Mapping[str, Value],
    ) -> dict[str, Any]:
        """Return a span; the whole run has no key. One with a type of error failed."""
        run_id = self.run[0].run_id
        parent = {"parentSpanId": _id(run_id, 16)} if key else {}
        return {
            "traceId": _id(f"trace {run_id}", 32),
            "spanId": _id(f"{run_id} {key}" if key else run_id, 16),
            **parent,
            "name": sanitize(name),
            "kind": kind,
            "startTimeUnixNano": _nanoseconds(began),
            "endTimeUnixNano": _nanoseconds(max(began, ended)),
            "attributes": _attributes(attributes),
            "status": {"code": _ERROR if attributes.get("error.type") else _OK},
        }


def _attributes(values: Mapping[str, Value]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in values.items() if value is not None]


def _value(value: str | int) -> dict[str, str]:
    # OTLP's JSON writes whole numbers of 64 bits as text, as Protocol Buffers do.
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": sanitize(value)}


def _nanoseconds(time: datetime) -> str:
    return str(round(time.timestamp() * 1_000_000) * 1000)


def _id(text: str, digits: int) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:digits]
