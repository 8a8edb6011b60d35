"""Compares what came of a question with what was expected: decisions and facts, not prose."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from campus_agent.agent.outcome import Outcome
from campus_agent.agent.result import StepRecord
from campus_agent.evaluation.case import Expect, ExpectedCall
from campus_agent.evaluation.run_record import RunRecord
from campus_agent.evaluation.values import Values, facts_expected
from campus_agent.guardrail.lexicon import ENGLISH
from campus_agent.guardrail.words import fold
from campus_agent.text import one_line, plural

_QUOTED = 160  # characters of an answer in a reason


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that was not met, or a crash.

    Attributes:
        turn: which question of the conversation it is; the first is 1, and 0 stands for the case as a whole.
        key: the key of the expectation, "crash" for what broke.
        expected: what should have come.
        came: what came.
    """

    turn: int
    key: str
    expected: str
    came: str

    def __str__(self) -> str:
        return (
            f"{self.key}: expected {self.expected}; came {self.came}" if self.expected else f"{self.key}: {self.came}"
        )


def check(
    expect: Expect, record: RunRecord, *, turn: int = 1, earlier: Sequence[RunRecord] = (), language: str = ENGLISH
) -> list[Failure]:
    """Return every expectation that a run does not meet.

    `earlier` are the runs before it in its conversation; `language` is that of the base, as the guardrail has it.
    When the run ended in another way than expected that is the one failure, because the others follow from it.
    """
    seen = _Seen(record, tuple(earlier), language)
    named = expect.model_fields_set - {"outcome"}
    kinds = ["outcome", *(key for key in CHECKS if key in named)]
    failures = (
        Failure(turn, key, one_line(expected), one_line(came))
        for key in kinds
        for expected, came in CHECKS[key](expect, seen)
    )
    first = next(failures, None)
    if first is None or first.key == "outcome":
        return [] if first is None else [first]
    return [first, *failures]


@dataclass(frozen=True)
class _Seen:
    """A run, and what is read out of it when it is needed."""

    record: RunRecord
    earlier: tuple[RunRecord, ...]
    language: str

    @cached_property
    def answer(self) -> str:
        return self.record.result.answer or ""

    @cached_property
    def folded(self) -> str:
        return _plain(self.answer)

    @cached_property
    def stated(self) -> Values:
        return Values.stated(self.answer, self.language)

    @property
    def calls(self) -> tuple[StepRecord, ...]:
        return self.record.result.steps

    @property
    def tools(self) -> list[str]:
        return [call.tool for call in self.calls]

    def quoted(self) -> str:
        return f"“{one_line(self.answer, _QUOTED)}”" if self.answer else "no answer"

    def named_tools(self) -> str:
        return ", ".join(self.tools) or "no call"


Unmet = Iterator[tuple[str, str]]  # what was expected, what came


def _outcome(expect: Expect, seen: _Seen) -> Unmet:
    result = seen.record.result
    wanted = expect.outcome or (Outcome.ANSWERED, Outcome.REFUSED)
    if result.outcome in wanted:
        return
    said = f", {result.message.what}" if result.message else ""
    answer = f", {seen.quoted()}" if seen.answer else ""
    yield " or ".join(wanted), f"{result.outcome}{said}{answer}"


def _facts(expect: Expect, seen: _Seen) -> Unmet:
    lacking = [text for text in expect.facts if not seen.stated.hold(text)]
    if lacking:
        yield ", ".join(lacking), str(seen.stated) if seen.stated.facts else seen.quoted()


def _no_facts(expect: Expect, seen: _Seen) -> Unmet:
    for text in expect.no_facts:
        if seen.stated.hold(text):
            yield f"not {text}", seen.quoted()


def _answer_contains(expect: Expect, seen: _Seen) -> Unmet:
    for text in expect.answer_contains:
        if _plain(text) not in seen.folded:
            yield f"“{text}”", seen.quoted()


def _answer_contains_any(expect: Expect, seen: _Seen) -> Unmet:
    if not any(_plain(text) in seen.folded for text in expect.answer_contains_any):
        yield " or ".join(f"“{text}”" for text in expect.answer_contains_any), seen.quoted()


def _answer_not_contains(expect: Expect, seen: _Seen) -> Unmet:
    for text in expect.answer_not_contains:
        if _plain(text) in seen.folded:
            yield f"not “{text}”", seen.quoted()


def _grounded(expect: Expect, seen: _Seen) -> Unmet:
    result = seen.record.result
    unsupported = seen.record.unsupported
    rests = result.outcome is Outcome.ANSWERED and bool(result.facts or result.sources)
    if expect.grounded == (rests and not unsupported):
        return
    if unsupported:
        came = f"no support for {', '.join(unsupported)}"
    elif rests:
        came = "every fact of it is supported"
    elif result.outcome is Outcome.ANSWERED:
        came = f"nothing to check in {seen.quoted()}"
    else:
        came = str(result.outcome)
    yield "a grounded answer" if expect.grounded else "an answer that is not grounded", came


def _sources(expect: Expect, seen: _Seen) -> Unmet:
    there = [(source.source, source.title) for source in seen.record.result.sources]
    for text in expect.sources:
        if not any(_plain(text) in _plain(name) for names in there for name in names):
            yield text, ", ".join(dict.fromkeys(source for source, _ in there)) or "no source"


def _tools_called(expect: Expect, seen: _Seen) -> Unmet:
    lacking = [tool for tool in expect.tools_called if tool not in seen.tools]
    if lacking:
        yield f"a call of {', '.join(lacking)}", seen.named_tools()


def _tools_in_order(expect: Expect, seen: _Seen) -> Unmet:
    rest = iter(seen.tools)
    if not all(tool in rest for tool in expect.tools_in_order):
        yield ", then ".join(expect.tools_in_order), seen.named_tools()


def _tools_not_called(expect: Expect, seen: _Seen) -> Unmet:
    called = [tool for tool in dict.fromkeys(expect.tools_not_called) if tool in seen.tools]
    if called:
        yield f"no call of {', '.join(called)}", seen.named_tools()


def _calls(expect: Expect, seen: _Seen) -> Unmet:
    """Find a call of its own for each that is expected, so that two that look alike mean two."""
    left = list(seen.calls)
    for wanted in expect.calls:
        found = next((call for call in left if _is_like(wanted, call, seen.language)), None)
        if found is None:
            yield _written(wanted), "; ".join(map(_shown, seen.calls)) or "no call"
        else:
            left.remove(found)


def _is_like(wanted: ExpectedCall, call: StepRecord, language: str) -> bool:
    if call.tool != wanted.tool or wanted.status not in (None, call.status):
        return False
    given = call.arguments or {}
    return all(name in given and _holds(given[name], text, language) for name, text in wanted.arguments.items())


def _holds(value: Any, text: str, language: str) -> bool:  # noqa: ANN401 - whatever the model gave for an argument
    """Whether an argument has a text in it, or an equal fact."""
    written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if _plain(text) in _plain(written):
        return True
    return bool(facts_expected(text, language)) and Values.of([written], language, ENGLISH).hold(text)


def _written(wanted: ExpectedCall) -> str:
    status = f" with status {wanted.status}" if wanted.status else ""
    return f"{wanted.tool}({json.dumps(wanted.arguments, ensure_ascii=False)}){status}"


def _shown(call: StepRecord) -> str:
    arguments = call.raw_arguments if call.arguments is None else json.dumps(call.arguments, ensure_ascii=False)
    return f"{call.tool}({one_line(arguments or '', _QUOTED)}) {call.status}"


def _most_steps(expect: Expect, seen: _Seen) -> Unmet:
    if expect.most_steps is not None and seen.record.steps > expect.most_steps:
        yield f"at most {plural(expect.most_steps, 'step')}", f"{seen.record.steps}: {seen.named_tools()}"


def _most_calls(expect: Expect, seen: _Seen) -> Unmet:
    if expect.most_calls is not None and len(seen.calls) > expect.most_calls:
        yield f"at most {plural(expect.most_calls, 'call')}", f"{len(seen.calls)}: {seen.named_tools()}"


def _remembers(expect: Expect, seen: _Seen) -> Unmet:
    observed = (call.observation or "" for record in seen.earlier for call in record.result.steps)
    found, asked = (
        Values.of(observed, seen.language, ENGLISH),
        Values.of([seen.record.result.question], seen.language),
    )
    given = (json.dumps(call.arguments, ensure_ascii=False) for call in seen.calls if call.arguments)
    used = Values.of([seen.answer, *given], seen.language, ENGLISH)
    for text in expect.remembers:
        if asked.hold(text):
            yield f"{text}, remembered", "the question itself names it"
        elif not found.hold(text):
            yield f"{text}, remembered", f"no earlier turn found it; there were {found}"
        elif not used.hold(text):
            yield f"{text}, remembered", f"it was found earlier, and not used: {seen.quoted()}"


def _plain(text: str) -> str:
    return " ".join(fold(text).split())


CHECKS: Mapping[str, Callable[[Expect, _Seen], Unmet]] = {
    "outcome": _outcome,
    "facts": _facts,
    "no_facts": _no_facts,
    "answer_contains": _answer_contains,
    "answer_contains_any": _answer_contains_any,
    "answer_not_contains": _answer_not_contains,
    "grounded": _grounded,
    "sources": _sources,
    "tools_called": _tools_called,
    "tools_in_order": _tools_in_order,
    "tools_not_called": _tools_not_called,
    "calls": _calls,
    "most_steps": _most_steps,
    "most_calls": _most_calls,
    "remembers": _remembers,
}
"""How each key of an expectation is judged, the outcome first."""
