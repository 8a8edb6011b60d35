from __future__ import annotations

import pytest
from played import NOON

from campus_agent.agent.events import (
    Acting,
    AnswerDelta,
    AnswerWithdrawn,
    GroundingChecked,
    Note,
    Observed,
    Planned,
    PlanTicked,
    Reviewed,
    Reviewing,
    RunFinished,
    StepStarted,
    ThoughtDelta,
)
from campus_agent.agent.outcome import Outcome
from campus_agent.cli.printer import Printer
from campus_agent.guardrail.review import CheckedFact
from campus_agent.models.chat_model import Usage

COMMON = {"run_id": "r1", "seq": 0, "time": NOON}
START = StepStarted(**COMMON, step=1, of=5)


def acting(call_id="c1", tool="search_campus_info", **more):
    return Acting(**COMMON, step=1, call_id=call_id, tool=tool, **{"arguments": {"query": "café"}, **more})


def observed(content, call_id="c1", tool="search_campus_info"):
    return Observed(
        **COMMON, step=1, call_id=call_id, tool=tool, status="ok", content=content, length=len(content), latency_ms=1
    )


def finished(outcome=Outcome.ANSWERED, milliseconds=6.4):
    return RunFinished(
        **COMMON, outcome=outcome, complete=outcome.complete, answer=None, message=None, usage=None,
        duration_ms=milliseconds,
    )  # fmt: skip


def fact(text, supported):
    return CheckedFact(text=text, kind="room", supported=supported)


def delta(text):
    return AnswerDelta(**COMMON, step=1, text=text)


def withdrawn(reason):
    return AnswerWithdrawn(**COMMON, step=1, reason=reason)


def reviewed(by, approved, text):
    used = Usage(prompt_tokens=1000, completion_tokens=1)
    return (
        Reviewing(**COMMON, step=1, by=by, round=1, of=2, prompt_chars=1234),
        Reviewed(**COMMON, step=1, by=by, round=1, approved=approved, text=text, usage=used, latency_ms=6),
    )


def trace(*events) -> list[str]:
    lines: list[str] = []
    printer = Printer(trace=lines.append, murmur=lines.append, answer=lines.append, message=lines.append)
    for event in events:
        printer.read(event)
    return lines


@pytest.mark.parametrize(
    ("events", "lines"),
    [
        ([START], ["  step 1/5"]),
        ([START, acting()], ["  step 1/5", '  step 1 · acting  -> search_campus_info({"query": "café"})']),
        (
            [START, acting(arguments=None, raw_arguments='{"query": "AI\nCl', repaired="a bracket")],
            [
                "  step 1/5",
                '  step 1 · acting  -> search_campus_info({"query": "AI Cl)',
                "  note: arguments repaired: a bracket",
            ],
        ),
        (
            [START, observed("- one\n- two\n")],
            ["  step 1/5", "  step 1 · observe <- - one\n                      - two"],
        ),
        (
            [START, acting(), acting("c2", "clock", arguments={}), observed("Monday", "c2", "clock")],
            [
                "  step 1/5",
                '  step 1 · acting  -> search_campus_info({"query": "café"})',
                "  step 1 · acting  -> clock({})",
                "  step 1 · observe <- (clock) Monday",
            ],
        ),
        (
            [
                START,
                acting(),
                acting("c2", arguments={"query": "a very long query that nobody needs to read"}),
                acting("c3", "clock", arguments={}),
                observed("- one", "c2"),
                observed("- two", "c1"),
                observed("Monday", "c3", "clock"),
            ],
            [
                "  step 1/5",
                '  step 1 · acting  -> search_campus_info({"query": "café"})',
                '  step 1 · acting  -> search_campus_info({"query": "a very long query that nobody needs to read"})',
                "  step 1 · acting  -> clock({})",
                "  step 1 · observe <- (search_campus_info: a very long query that nobody needs to…) - one",
                "  step 1 · observe <- (search_campus_info: café) - two",
                "  step 1 · observe <- (clock) Monday",
            ],
        ),
        (
            [
                START,
                acting(arguments={"query": 5}),
                acting("c2", arguments=None, raw_arguments="{"),
                observed("- one", "c1"),
                observed("- two", "c2"),
            ],
            [
                "  step 1/5",
                '  step 1 · acting  -> search_campus_info({"query": 5})',
                "  step 1 · acting  -> search_campus_info({)",
                "  step 1 · observe <- (search_campus_info) - one",
                "  step 1 · observe <- (search_campus_info) - two",
            ],
        ),
        (
            [
                START,
                ThoughtDelta(**COMMON, step=1, text="I need "),
                ThoughtDelta(**COMMON, step=1, text="the day."),
                Note(**COMMON, step=None, text="asked\nagain"),
            ],
            ["  step 1/5", "  step 1 · thought .. I need the day.", "  note: asked again"],
        ),
        (
            [START, delta("Let me "), delta("look."), withdrawn("became_thought")],
            ["  step 1/5", "  step 1 · thought .. Let me look."],
        ),
        (
            [
                START,
                delta("Room 205."),
                GroundingChecked(**COMMON, step=1, facts=(fact("room 205", False), fact("5 PM", True))),
                withdrawn("rejected"),
            ],
            [
                "  step 1/5",
                "  step 1 · checked == 1 of 2 facts supported; not: room 205",
                "  step 1 · draft   xx Room 205.",
            ],
        ),
        ([START, GroundingChecked(**COMMON, step=1, facts=())], ["  step 1/5"]),
        (
            [
                Planned(**COMMON, items=("clock: read\nit", "answer: say it"), usage=None, latency_ms=6),
                START,
                PlanTicked(**COMMON, step=1, item=0),
            ],
            [
                "  plan · 1. clock: read it",
                "  plan · 2. answer: say it",
                "  plan · tokens n/a · 6 ms",
                "  step 1/5",
                "  plan · 1. clock: read it · done",
            ],
        ),
        (
            [START, *reviewed("verifier", True, "yes"), *reviewed("critic", False, "no day\nno room\x1b")],
            [
                "  step 1/5",
                "  step 1 · verify  · prompt of 1,234 characters",
                "  step 1 · verify  ?? approved",
                "  step 1 · verify  · 1,000 tokens read, 1 written · 6 ms",
                "  step 1 · critic  · prompt of 1,234 characters",
                "  step 1 · critic  ?? not approved: no day\n                      no room\ufffd",
                "  step 1 · critic  · 1,000 tokens read, 1 written · 6 ms",
            ],
        ),
        (
            [START, delta("Roo"), withdrawn("retried")],
            ["  step 1/5", "  step 1 · draft   xx the answer broke off and is asked for again"],
        ),
        ([START, acting(tool="x\x1b[2J\n")], ["  step 1/5", '  step 1 · acting  -> x\ufffd[2J({"query": "café"})']),
    ],
)  # fmt: skip
def test_every_event_has_its_line_in_the_trace(events, lines):
    assert trace(*events) == lines


@pytest.mark.parametrize(
    ("outcome", "milliseconds", "line"),
    [
        (Outcome.ANSWERED, 6.4, "  ● answered in 1 step, 0 calls, 6 ms"),
        (Outcome.REFUSED, 1234, "  ○ refused in 1 step, 0 calls, 1.2 s"),
        (Outcome.STEP_LIMIT, 6, "  ◐ step limit in 1 step, 0 calls, 6 ms"),
        (Outcome.PROVIDER_ERROR, 6, "  ✕ provider error in 1 step, 0 calls, 6 ms"),
    ],
)
def test_the_last_line_says_how_the_run_ended(outcome, milliseconds, line):
    assert trace(START, finished(outcome, milliseconds))[-1] == line


def test_the_next_run_is_counted_afresh():
    lines = trace(START, acting(), finished(), START, finished())
    assert lines[-1] == "  ● answered in 1 step, 0 calls, 6 ms"
