from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from campus_agent.agent.agent import Agent
from campus_agent.agent.endings import NO_ANSWER, STEP_LIMIT
from campus_agent.agent.events import Acting, AnswerWithdrawn, Event, Note, Observed, RunFinished, StepStarted
from campus_agent.agent.gate import BeforeAct, BeforeModel, Decision, Go, Skip, Stop
from campus_agent.agent.outcome import Outcome
from campus_agent.errors import ContextTooLong, ModelError, SearchFailed
from campus_agent.models.chat_model import (
    AnswerPiece,
    AssistantMessage,
    ModelRequest,
    Reply,
    RequestedCall,
    ToolMessage,
    Usage,
    UserMessage,
)
from campus_agent.models.chat_model import AnswerWithdrawn as PieceWithdrawn
from campus_agent.settings import REFUSAL
from campus_agent.tools.tool import Tool, ToolResult, tool
from tests.agent.conftest import CLUB, call, search, search_campus_info

MakeAgent = Callable[..., Agent]
CLUB_ANSWER = "The AI Club meets every Thursday at 5 PM in room 204."


async def events_of(agent: Agent, question: str = "When does the AI Club meet?") -> list[Event]:
    return [event async for event in agent.run(question)]


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events if event.kind not in ("answer_delta", "thought_delta")]


def only(events: list[Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def slow_tool(release: threading.Event, name: str = "slow") -> Tool:
    @tool(name=name)
    def wait() -> str:
        """Wait."""
        release.wait(30)
        return "late"

    return wait


# ---- a run ---------------------------------------------------------------------------------------------------------


async def test_a_run_searches_counts_and_answers_in_three_steps(make_agent: MakeAgent) -> None:
    agent = make_agent(
        [search(), [call("days_until_weekday", weekday="Thursday")], f"{CLUB_ANSWER} That is in 5 days."]
    )
    events = await events_of(agent)
    assert kinds(events) == [
        "run_started",
        "step_started",
        "acting",
        "observed",
        "step_finished",
        "step_started",
        "acting",
        "observed",
        "step_finished",
        "step_started",
        "grounding_checked",
        "step_finished",
        "run_finished",
    ]
    finished = events[-1]
    assert isinstance(finished, RunFinished)
    assert (finished.outcome, finished.complete) == (Outcome.ANSWERED, True)
    assert finished.answer == f"{CLUB_ANSWER} That is in 5 days."
    assert [event.seq for event in events] == list(range(len(events)))
    assert len({event.run_id for event in events}) == 1
    assert only(events, StepStarted)[0].of == 5
    assert only(events, Observed)[0].content == CLUB
    assert only(events, Observed)[1].content == "The next Thursday is in 5 day(s), on June 18, 2026."


async def test_events_are_one_json_line_each_and_come_back_the_same(make_agent: MakeAgent) -> None:
    from campus_agent.agent.events import event_from_json

    for event in await events_of(make_agent([search(), CLUB_ANSWER])):
        line = event.model_dump_json()
        assert "\n" not in line
        assert event_from_json(line) == event


async def test_a_result_holds_every_call_in_the_order_asked(make_agent: MakeAgent) -> None:
    result = await make_agent([[call("weather"), *search()], CLUB_ANSWER]).ask("When does the AI Club meet?")
    assert [(step.step, step.tool, step.status) for step in result.steps] == [
        (1, "weather", "error"),
        (1, "search_campus_info", "ok"),
    ]
    assert result.steps[0].observation is not None
    assert result.steps[0].observation.startswith("Tool 'weather' is not available. Valid tools: search_campus_info,")
    assert result.exit_status == 0


async def test_usage_is_added_up_and_is_none_where_the_server_never_said(make_agent: MakeAgent) -> None:
    used = Usage(prompt_tokens=10, completion_tokens=5)
    agent = make_agent([Reply(calls=tuple(search()), usage=used), Reply(CLUB_ANSWER, usage=used)])
    assert (await agent.ask("When?")).usage == Usage(prompt_tokens=20, completion_tokens=10)
    assert (await make_agent(["Hello!"]).ask("Hi")).usage is None


async def test_the_calls_of_one_step_run_side_by_side_and_go_back_in_the_order_asked(make_agent: MakeAgent) -> None:
    together = threading.Barrier(3, timeout=10)

    @tool
    def meet(who: str) -> str:
        """Meet."""
        together.wait()
        return f"met {who}"

    calls = [call("meet", id=who, who=who) for who in ("a", "b", "c")]
    agent = make_agent([calls, "They met."], tools=[meet])
    await events_of(agent)
    sent = agent.model.requests[1].messages  # type: ignore[attr-defined]
    assert [(m.call_id, m.text) for m in sent if isinstance(m, ToolMessage)] == [
        ("a", "met a"),
        ("b", "met b"),
        ("c", "met c"),
    ]


async def test_missing_and_repeated_ids_are_replaced_within_a_message(make_agent: MakeAgent) -> None:
    calls = [call(id="x", query="AI"), call(id="x", query="club"), call(id="", query="day"), call(query="room")]
    agent = make_agent([calls, CLUB_ANSWER])
    await events_of(agent)
    message = agent.model.requests[1].messages[1]  # type: ignore[attr-defined]
    assert isinstance(message, AssistantMessage)
    ids = [one.id for one in message.calls]
    assert ids[0] == "x"
    assert len(set(ids)) == 4
    assert all(len(one) == 9 and one.isalnum() for one in ids[1:])


async def test_text_beside_a_tool_call_is_a_thought_and_no_answer(make_agent: MakeAgent) -> None:
    agent = make_agent([Reply("Let me look.", tuple(search())), CLUB_ANSWER])
    events = await events_of(agent)
    shown = [event for event in events if isinstance(event, AnswerWithdrawn) and event.reason == "became_thought"]
    thoughts = [event for event in events if event.kind == "thought_delta"]
    assert shown or thoughts
    assert events[-1].answer == CLUB_ANSWER  # type: ignore[union-attr]


async def test_one_run_has_one_today_even_at_midnight(make_agent: MakeAgent) -> None:
    from datetime import UTC, datetime
    from zoneinfo import ZoneInfo

    from campus_agent.tools.clock import CampusClock, clock_tool

    zone = ZoneInfo("America/Los_Angeles")
    clock = CampusClock(zone)
    moments = iter([datetime(2026, 6, 14, 6, 59, 30, tzinfo=UTC), datetime(2026, 6, 14, 7, 0, 30, tzinfo=UTC)])

    class Ticking(CampusClock):
        def now(self) -> datetime:
            return (self._held or next(moments)).astimezone(zone)

    clock = Ticking(zone)
    agent = make_agent(
        [[call("get_current_time")], [call("get_current_time", timezone="UTC")], "Fine."], tools=[clock_tool(clock)]
    )
    agent.clock = clock
    seen = [event.content for event in only(await events_of(agent), Observed)]
    assert seen == ["Saturday, June 13, 2026 at 11:59 PM PDT", "Sunday, June 14, 2026 at 06:59 AM UTC"]


# ---- budgets -------------------------------------------------------------------------------------------------------


async def test_a_model_that_never_answers_is_ended_at_the_step_limit(make_agent: MakeAgent) -> None:
    agent = make_agent([search(f"AI Club {n}") for n in range(9)])
    events = await events_of(agent)
    finished = events[-1]
    assert isinstance(finished, RunFinished)
    assert (finished.outcome, finished.complete, finished.answer) == (Outcome.STEP_LIMIT, False, None)
    assert finished.message is not None
    assert finished.message.what == STEP_LIMIT
    assert len(agent.model.requests) == 5  # type: ignore[attr-defined]
    assert [event.step for event in only(events, StepStarted)] == [1, 2, 3, 4, 5]
    assert [event.status for event in only(events, Observed)] == ["ok", "ok", "ok", "ok", "skipped"]


async def test_the_last_step_is_told_so_and_gets_no_tools(make_agent: MakeAgent) -> None:
    agent = make_agent([search(), CLUB_ANSWER], max_steps=2)
    await events_of(agent)
    first, last = agent.model.requests  # type: ignore[attr-defined]
    assert (first.tool_choice, last.tool_choice) == ("auto", "none")
    assert "step 2 of 2, the last one" in last.system
    assert "the last one" not in first.system


async def test_an_answer_on_the_last_step_counts(make_agent: MakeAgent) -> None:
    result = await make_agent([search(), CLUB_ANSWER], max_steps=2).ask("When does the AI Club meet?")
    assert (result.outcome, result.answer) == (Outcome.ANSWERED, CLUB_ANSWER)


@pytest.mark.parametrize("said", ["I could not finish within the allowed steps.", "Let me search once more."])
async def test_a_last_word_that_states_nothing_is_the_step_limit(make_agent: MakeAgent, said: str) -> None:
    result = await make_agent([search(), said], max_steps=2).ask("When does the AI Club meet?")
    assert result.outcome is Outcome.STEP_LIMIT


async def test_the_refusal_line_on_the_last_step_is_a_refusal(make_agent: MakeAgent) -> None:
    result = await make_agent([search(), REFUSAL], max_steps=2).ask("When does the AI Club meet?")
    assert (result.outcome, result.answer) == (Outcome.REFUSED, REFUSAL)


async def test_a_greeting_in_a_run_of_one_step_is_an_answer(make_agent: MakeAgent) -> None:
    assert (await make_agent(["Hello!"], max_steps=1).ask("Hi")).outcome is Outcome.ANSWERED


@pytest.mark.parametrize("cap", [0, 1, 3])
async def test_no_tool_runs_past_the_call_limit(make_agent: MakeAgent, cap: int) -> None:
    runs: list[str] = []

    @tool
    def look(n: int) -> str:
        """Look."""
        runs.append(str(n))
        return f"found {n}"

    agent = make_agent([[call("look", n=n)] for n in range(9)], tools=[look], max_tool_calls=cap, max_steps=8)
    result = await agent.ask("What is there?")
    assert result.outcome is Outcome.CALL_LIMIT
    assert len(runs) == cap
    assert len(agent.model.requests) == cap + 1  # type: ignore[attr-defined]
    assert agent.model.requests[-1].tool_choice == "none"  # type: ignore[attr-defined]


async def test_of_the_calls_of_one_step_those_that_fit_run_and_the_rest_are_skipped(make_agent: MakeAgent) -> None:
    calls = [call(query=f"AI Club {n}") for n in range(4)]
    agent = make_agent([calls, CLUB_ANSWER], max_tool_calls=2)
    result = await agent.ask("When does the AI Club meet?")
    assert [step.status for step in result.steps] == ["ok", "ok", "skipped", "skipped"]
    assert result.outcome is Outcome.ANSWERED
    assert agent.model.requests[1].tool_choice == "none"  # type: ignore[attr-defined]


async def test_exactly_as_many_calls_as_allowed_and_then_an_answer_is_answered(make_agent: MakeAgent) -> None:
    result = await make_agent([search(), CLUB_ANSWER], max_tool_calls=1).ask("When does the AI Club meet?")
    assert result.outcome is Outcome.ANSWERED


@pytest.mark.parametrize("retries", [0, 1, 3])
async def test_unreadable_calls_in_a_row_end_the_run_as_malformed(make_agent: MakeAgent, retries: int) -> None:
    agent = make_agent(
        [[RequestedCall("search_campus_info", "{")] for _ in range(9)], parse_retries=retries, max_steps=9
    )
    result = await agent.ask("When?")
    assert result.outcome is Outcome.MALFORMED
    assert len(agent.model.requests) == retries + 1  # type: ignore[attr-defined]
    assert result.answer is None
    assert result.steps[0].raw_arguments == "{"


async def test_a_readable_reply_resets_the_count(make_agent: MakeAgent) -> None:
    bad = [RequestedCall("search_campus_info", "{")]
    result = await make_agent([bad, search(), bad, CLUB_ANSWER]).ask("When does the AI Club meet?")
    assert result.outcome is Outcome.ANSWERED


async def test_unknown_tools_and_wrong_arguments_never_count_as_unreadable(make_agent: MakeAgent) -> None:
    wrong = [
        [call("weather")],
        [call(topic="x")],
        [call("days_until_weekday", weekday="jueves")],
        search(),
        CLUB_ANSWER,
    ]
    result = await make_agent(wrong).ask("When does the AI Club meet?")
    assert result.outcome is Outcome.ANSWERED
    assert [step.status for step in result.steps] == ["error", "error", "error", "ok"]


@pytest.mark.parametrize("blank", ["", " \n"])
async def test_a_blank_reply_is_asked_about_once(make_agent: MakeAgent, blank: str) -> None:
    agent = make_agent([search(), Reply(blank), CLUB_ANSWER])
    result = await agent.ask("When does the AI Club meet?")
    assert result.answer == CLUB_ANSWER
    nudge = agent.model.requests[2].messages[-1]  # type: ignore[attr-defined]
    assert isinstance(nudge, UserMessage)
    assert "empty" in nudge.text
    assert all("empty" not in m.text for m in agent.conversation.messages)


async def test_two_blank_replies_end_the_run_as_malformed(make_agent: MakeAgent) -> None:
    result = await make_agent([Reply(""), Reply("")]).ask("When?")
    assert result.outcome is Outcome.MALFORMED
    assert result.message is not None
    assert result.message.what == NO_ANSWER


@pytest.mark.parametrize("retries", [0, 1, 3])
async def test_a_read_only_tool_that_raises_is_tried_again_as_often_as_allowed(
    make_agent: MakeAgent, retries: int
) -> None:
    runs: list[int] = []

    @tool
    def broken() -> str:
        """Break."""
        runs.append(1)
        raise RuntimeError("boom")

    agent = make_agent([[call("broken")], "Sorry."], tools=[broken], tool_retries=retries)
    result = await agent.ask("What?")
    assert len(runs) == retries + 1
    assert result.steps[0].observation == "Tool 'broken' failed: boom"
    assert result.steps[0].status == "error"


async def test_a_tool_that_changes_something_is_never_tried_again(make_agent: MakeAgent) -> None:
    runs: list[int] = []

    @tool(read_only=False)
    def book() -> str:
        """Book."""
        runs.append(1)
        raise RuntimeError("boom")

    await make_agent([[call("book")], "Sorry."], tools=[book], tool_retries=3).ask("Book it")
    assert len(runs) == 1


@pytest.mark.parametrize("value", [None, "", "  "])
async def test_an_empty_result_is_observed_once_and_said(make_agent: MakeAgent, value: str | None) -> None:
    runs: list[int] = []

    @tool
    def nothing() -> str | None:
        """Return nothing."""
        runs.append(1)
        return value

    result = await make_agent([[call("nothing")], "Nothing there."], tools=[nothing]).ask("What?")
    assert (result.steps[0].status, len(runs)) == ("empty", 1)
    assert result.steps[0].observation == "The tool nothing provided an empty response."


async def test_with_tool_errors_fail_a_broken_tool_ends_the_run(make_agent: MakeAgent) -> None:
    @tool
    def broken() -> str:
        """Break."""
        raise RuntimeError("boom")

    result = await make_agent([[call("broken")]], tools=[broken], tool_errors="fail").ask("What?")
    assert result.outcome is Outcome.TOOL_FAILED
    assert result.message is not None
    assert result.message.what == "Tool 'broken' failed: boom"


@pytest.mark.parametrize("raised", [SystemExit(1), KeyboardInterrupt(), GeneratorExit()])
async def test_a_tool_that_tries_to_leave_the_program_only_fails(make_agent: MakeAgent, raised: BaseException) -> None:
    @tool
    def leave() -> str:
        """Leave."""
        raise raised

    result = await make_agent([[call("leave")], "Sorry."], tools=[leave], tool_retries=0).ask("What?")
    assert result.steps[0].status == "error"


async def test_an_async_tool_runs_on_a_loop_of_its_own(make_agent: MakeAgent) -> None:
    here = asyncio.get_running_loop()

    @tool
    async def elsewhere() -> str:
        """Say where."""
        await asyncio.sleep(0)
        return str(asyncio.get_running_loop() is not here and threading.current_thread() is not threading.main_thread())

    result = await make_agent([[call("elsewhere")], "Done."], tools=[elsewhere]).ask("Where?")
    assert result.steps[0].observation == "True"


# ---- time and cancelling -------------------------------------------------------------------------------------------


async def test_a_tool_that_never_returns_cannot_move_the_deadline(make_agent: MakeAgent) -> None:
    release = threading.Event()
    agent = make_agent([[call("slow")], "Never."], tools=[slow_tool(release)], deadline=0.05)
    result = await agent.ask("What?")
    assert result.outcome is Outcome.DEADLINE
    assert result.message is not None
    assert "slow" in result.message.cause
    assert result.steps[0].status == "skipped"
    release.set()
    assert agent.conversation.messages == ()


async def test_a_model_that_never_replies_and_ignores_cancelling_cannot_move_the_deadline(
    make_agent: MakeAgent,
) -> None:
    release = asyncio.Event()

    class Deaf:
        name, provider, protocol = "deaf", "test", "native"

        async def stream(self, request: ModelRequest) -> Any:
            while not release.is_set():
                try:
                    await release.wait()
                except asyncio.CancelledError:
                    continue
            yield Reply("late")

    agent = make_agent([], deadline=0.05)
    agent.model = Deaf()
    result = await agent.ask("What?")
    release.set()
    assert result.outcome is Outcome.DEADLINE
    assert result.answer is None


async def test_a_slow_reader_and_a_slow_gate_do_not_use_up_the_deadline(
    make_agent: MakeAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("campus_agent.agent.budgets.monotonic", lambda: now[0])

    async def thoughtful(_: BeforeModel | BeforeAct) -> Decision:
        now[0] += 100
        return Go()

    agent = make_agent([search(), CLUB_ANSWER], deadline=180, gate=thoughtful)
    events = []
    async for event in agent.run("When does the AI Club meet?"):
        events.append(event)
        now[0] += 100
    assert isinstance(events[-1], RunFinished)
    assert (events[-1].outcome, events[-1].duration_ms) == (Outcome.ANSWERED, 0)


async def test_time_that_the_model_takes_does_use_it_up(make_agent: MakeAgent, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("campus_agent.agent.budgets.monotonic", lambda: now[0])

    def late(_: ModelRequest) -> str:
        now[0] += 200
        return CLUB_ANSWER

    assert (await make_agent([search(), late], deadline=180).ask("When?")).outcome is Outcome.DEADLINE


async def test_cancelling_ends_the_run_at_once_whatever_the_tool_does(make_agent: MakeAgent) -> None:
    release = threading.Event()
    agent = make_agent([[call("slow")], "Never."], tools=[slow_tool(release)])
    events = []
    async for event in agent.run("What?"):
        events.append(event)
        if isinstance(event, Acting):
            agent.cancel()
    release.set()
    assert isinstance(events[-1], RunFinished)
    assert events[-1].outcome is Outcome.CANCELLED
    assert agent.conversation.messages == ()


async def test_the_partial_text_of_a_cancelled_run_is_kept(make_agent: MakeAgent) -> None:
    never = asyncio.Event()

    class Stalling:
        name, provider, protocol = "stalling", "test", "native"

        async def stream(self, request: ModelRequest) -> Any:
            yield AnswerPiece("The club ")
            await never.wait()

    agent = make_agent([])
    agent.model = Stalling()
    async for event in agent.run("What?"):
        if event.kind == "answer_delta":
            agent.cancel()
    assert isinstance(event, RunFinished)
    assert (event.outcome, event.answer) == (Outcome.CANCELLED, "The club ")


async def test_cancelling_the_reading_task_is_recorded_and_raised_again(make_agent: MakeAgent) -> None:
    release = threading.Event()
    agent = make_agent([[call("slow")], "Never."], tools=[slow_tool(release)])
    acting = asyncio.Event()

    async def read() -> None:
        async for event in agent.run("What?"):
            if isinstance(event, Acting):
                acting.set()

    task = asyncio.create_task(read())
    await acting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    release.set()
    assert agent.result is not None
    assert agent.result.outcome is Outcome.CANCELLED


async def test_a_reader_that_leaves_early_cancels_the_run_and_the_next_question_works(make_agent: MakeAgent) -> None:
    agent = make_agent([search(), search(), CLUB_ANSWER])
    run = agent.run("When does the AI Club meet?")
    async for event in run:
        if isinstance(event, Observed):
            break
    await run.aclose()
    assert agent.result is not None
    assert agent.result.outcome is Outcome.CANCELLED
    assert (await agent.ask("When does the AI Club meet?")).outcome is Outcome.ANSWERED


async def test_nothing_runs_ahead_of_its_reader(make_agent: MakeAgent) -> None:
    runs: list[int] = []

    @tool
    def look() -> str:
        """Look."""
        runs.append(1)
        return "found"

    agent = make_agent([[call("look")], "Found."], tools=[look])
    run = agent.run("What?")
    async for event in run:
        if isinstance(event, Acting):
            await asyncio.sleep(0)
            break
    await run.aclose()
    assert runs == []


async def test_a_second_run_at_the_same_time_is_an_error(make_agent: MakeAgent) -> None:
    agent = make_agent([search(), CLUB_ANSWER])
    async for event in agent.run("When does the AI Club meet?"):
        if event.kind == "run_started":
            with pytest.raises(RuntimeError, match="another question"):
                await agent.ask("And?")
    assert isinstance(event, RunFinished)
    assert event.outcome is Outcome.ANSWERED


@pytest.mark.parametrize("question", ["", "  \n"])
async def test_a_blank_question_makes_no_model_call(make_agent: MakeAgent, question: str) -> None:
    agent = make_agent([])
    with pytest.raises(ValueError, match="question"):
        await agent.ask(question)
    assert agent.model.requests == []  # type: ignore[attr-defined]


async def test_an_endless_stream_cannot_move_the_deadline(make_agent: MakeAgent) -> None:
    class Endless:
        name, provider, protocol = "endless", "test", "native"

        async def stream(self, request: ModelRequest) -> Any:
            while True:
                yield AnswerPiece("x")
                await asyncio.sleep(0)

    agent = make_agent([], deadline=0.1)
    agent.model = Endless()
    assert (await agent.ask("What?")).outcome is Outcome.DEADLINE


async def test_a_reply_that_is_longer_than_any_answer_is_not_read_to_its_end(make_agent: MakeAgent) -> None:
    result = await make_agent([[AnswerPiece("x" * 600_000), AnswerPiece("x" * 600_000), Reply("x")]]).ask("What?")
    assert result.outcome is Outcome.PROVIDER_ERROR


async def test_a_cancel_that_comes_after_the_end_does_nothing(make_agent: MakeAgent) -> None:
    agent = make_agent(["Hello!", "Hello again!"])
    outcomes = []
    async for event in agent.run("Hi"):
        if isinstance(event, RunFinished):
            agent.cancel()
            await asyncio.sleep(0)
            outcomes.append(event.outcome)
    agent.cancel()
    assert outcomes == [Outcome.ANSWERED]
    assert (await agent.ask("Hi")).outcome is Outcome.ANSWERED


@pytest.mark.parametrize("raised", [asyncio.CancelledError(), GeneratorExit(), SystemExit(1)])
async def test_a_model_that_tries_to_leave_ends_the_run_at_once_as_an_error(
    make_agent: MakeAgent, raised: BaseException
) -> None:
    class Leaving:
        name, provider, protocol = "leaving", "test", "native"

        async def stream(self, request: ModelRequest) -> Any:
            yield AnswerPiece("Well, ")
            raise raised

    agent = make_agent([], deadline=60)
    agent.model = Leaving()
    result = await agent.ask("What?")
    assert result.outcome is Outcome.PROVIDER_ERROR
    assert result.duration_ms < 30_000


async def test_a_tool_whose_error_or_result_is_broken_itself_is_only_a_failed_call(make_agent: MakeAgent) -> None:
    class Unspeakable(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    @tool
    def odd(kind: str) -> Any:
        """Break."""
        if kind == "error":
            raise Unspeakable
        return ToolResult("fine", sources=("not a source",))  # type: ignore[arg-type]

    calls = [call("odd", kind="error"), call("odd", kind="sources")]
    result = await make_agent([calls, "Sorry."], tools=[odd], tool_retries=0).ask("What?")
    assert [step.status for step in result.steps] == ["error", "error"]
    assert result.steps[0].observation == "Tool 'odd' failed: Unspeakable"
    assert result.outcome is Outcome.ANSWERED


async def test_a_number_with_thousands_of_digits_is_only_a_wrong_argument(make_agent: MakeAgent) -> None:
    @tool
    def double(n: int) -> str:
        """Double."""
        return str(2 * n)

    result = await make_agent([[call("double", n="1" * 5000)], "Sorry."], tools=[double]).ask("What?")
    assert result.steps[0].status == "error"
    assert result.outcome is Outcome.ANSWERED


async def test_thousands_of_calls_in_one_reply_are_answered_within_the_budget(make_agent: MakeAgent) -> None:
    calls = [call(query=f"AI {n}") for n in range(3000)]
    result = await make_agent([calls, CLUB_ANSWER], deadline=60).ask("When does the AI Club meet?")
    assert [step.status for step in result.steps].count("ok") == 15
    assert len(result.steps) == 3000
    assert result.outcome is Outcome.ANSWERED


@pytest.mark.parametrize("odd", ["call_\ud800", "x" * 100_000, "a\nb", "\x1b[2J"])
async def test_an_id_that_no_history_should_hold_is_replaced(make_agent: MakeAgent, odd: str) -> None:
    agent = make_agent([[call(id=odd, query="AI Club")], CLUB_ANSWER])
    assert (await agent.ask("When does the AI Club meet?")).outcome is Outcome.ANSWERED
    sent = agent.model.requests[1].messages[1]  # type: ignore[attr-defined]
    assert len(sent.calls[0].id) == 9


# ---- repetition ----------------------------------------------------------------------------------------------------


async def test_the_same_call_again_returns_the_earlier_observation(make_agent: MakeAgent) -> None:
    agent = make_agent([search(), search(), search(), CLUB_ANSWER])
    result = await agent.ask("When does the AI Club meet?")
    assert [step.status for step in result.steps] == ["ok", "cached", "cached"]
    assert result.steps[1].observation == CLUB
    assert "Answer now" in (result.steps[2].observation or "")


async def test_two_identical_calls_in_one_step_run_once(make_agent: MakeAgent) -> None:
    runs: list[int] = []

    @tool
    def look(n: int) -> str:
        """Look."""
        runs.append(n)
        return "found"

    agent = make_agent([[call("look", n=1), call("look", n="1")], "Found."], tools=[look])
    result = await agent.ask("What?")
    assert runs == [1]
    assert [step.status for step in result.steps] == ["ok", "cached"]


async def test_a_failed_call_may_be_tried_again(make_agent: MakeAgent) -> None:
    outcomes = iter([RuntimeError("down"), None])

    @tool
    def look() -> str:
        """Look."""
        if error := next(outcomes):
            raise error
        return "found"

    result = await make_agent([[call("look")], [call("look")], "Found."], tools=[look], tool_retries=0).ask("What?")
    assert [step.status for step in result.steps] == ["error", "ok"]


async def test_an_observation_that_is_too_long_is_cut_between_passages_and_says_so(make_agent: MakeAgent) -> None:
    @tool
    def many() -> str:
        """Return much."""
        return "\n".join(f"- Passage {n}: {'x' * 80}" for n in range(10))

    result = await make_agent([[call("many")], "Done."], tools=[many], observation_chars=300).ask("What?")
    observation = result.steps[0].observation or ""
    assert observation.splitlines()[-1].startswith("[cut here: ")
    assert all(line.endswith("x" * 80) for line in observation.splitlines()[:-1])


# ---- conversation --------------------------------------------------------------------------------------------------


async def test_a_follow_up_is_sent_with_the_earlier_turn_and_its_results(make_agent: MakeAgent) -> None:
    agent = make_agent([search(), CLUB_ANSWER, "It meets in room 204."])
    await agent.ask("When does the AI Club meet?")
    await agent.ask("Where is that?")
    sent = agent.model.requests[-1].messages  # type: ignore[attr-defined]
    assert [type(m) for m in sent] == [UserMessage, AssistantMessage, ToolMessage, AssistantMessage, UserMessage]
    assert sent[2].text == CLUB


async def test_reset_begins_another_conversation(make_agent: MakeAgent) -> None:
    agent = make_agent([search(), CLUB_ANSWER, "Hello!"])
    await agent.ask("When does the AI Club meet?")
    agent.reset()
    await agent.ask("Hi")
    assert agent.model.requests[-1].messages == (UserMessage("Hi"),)  # type: ignore[attr-defined]
    assert agent.model.requests[-1].system == "Answer."  # type: ignore[attr-defined]


async def test_only_whole_turns_are_dropped_and_every_result_keeps_its_call(make_agent: MakeAgent) -> None:
    agent = make_agent([reply for n in range(9) for reply in (search(f"AI Club {n}"), CLUB_ANSWER)], history_turns=8)
    notes: list[str] = []
    for n in range(9):
        notes += [e.text for e in await events_of(agent, f"When does the AI Club meet? {n}") if isinstance(e, Note)]
    messages = agent.conversation.messages
    assert messages[0] == UserMessage("When does the AI Club meet? 1")
    asked = {one.id for m in messages if isinstance(m, AssistantMessage) for one in m.calls}
    assert {m.call_id for m in messages if isinstance(m, ToolMessage)} == asked
    assert notes == ['Memory: let go of "When does the AI Club meet? 0".']


@pytest.mark.parametrize(
    "bad",
    [ModelError("down"), Reply(""), Reply(finish="filter"), Reply("cut", finish="length"), RuntimeError("odd")],
    ids=["error", "blank", "filter", "length", "crash"],
)
async def test_a_run_that_fails_leaves_the_conversation_as_it_was(make_agent: MakeAgent, bad: Any) -> None:
    agent = make_agent([search(), CLUB_ANSWER, search("AI Club day"), bad, CLUB_ANSWER], parse_retries=0)
    await agent.ask("When does the AI Club meet?")
    before = agent.conversation.messages
    assert not (await agent.ask("And where does the AI Club meet?")).complete
    assert agent.conversation.messages == before
    assert (await agent.ask("When does the AI Club meet?")).outcome is Outcome.ANSWERED


async def test_a_question_that_no_longer_fits_drops_the_oldest_turns_and_says_so(make_agent: MakeAgent) -> None:
    too_long = ContextTooLong("too long")
    agent = make_agent([search(), CLUB_ANSWER, search("AI"), CLUB_ANSWER, too_long, too_long, search(), CLUB_ANSWER])
    await agent.ask("When does the AI Club meet? 1")
    await agent.ask("When does the AI Club meet? 2")
    result = await agent.ask("When does the AI Club meet? 3")
    assert result.outcome is Outcome.ANSWERED
    sizes = [f"{request.size:,} characters" for request in agent.model.requests[5:7]]  # type: ignore[attr-defined]
    assert [size in note for size, note in zip(sizes, result.notes, strict=True)] == [True, True]
    assert all("left out" in note for note in result.notes)
    assert agent.model.requests[-2].messages == (UserMessage("When does the AI Club meet? 3"),)  # type: ignore[attr-defined]
    assert agent.conversation.messages[0] == UserMessage("When does the AI Club meet? 3")


async def test_a_single_question_that_does_not_fit_ends_the_run_and_keeps_the_conversation(
    make_agent: MakeAgent,
) -> None:
    too_long = ContextTooLong("too long")
    agent = make_agent([search(), CLUB_ANSWER, too_long, too_long])
    await agent.ask("When does the AI Club meet?")
    before = agent.conversation.messages
    assert (await agent.ask("And where is that?")).outcome is Outcome.PROVIDER_ERROR
    assert agent.conversation.messages == before


# ---- outcomes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (ModelError("HTTP 500: oh no", "The server broke.", "Try later."), Outcome.PROVIDER_ERROR),
        (RuntimeError("odd"), Outcome.PROVIDER_ERROR),
        (Reply(finish="filter"), Outcome.FILTERED),
        (Reply("So far", finish="length"), Outcome.TRUNCATED),
        (Reply("", finish="length"), Outcome.TRUNCATED),
    ],
)
async def test_each_failure_has_an_outcome_of_its_own_and_is_no_answer(
    make_agent: MakeAgent, reply: Any, outcome: Outcome
) -> None:
    result = await make_agent([reply]).ask("Hi")
    assert result.outcome is outcome
    assert not result.complete
    assert result.message is not None
    assert result.exit_status == 1
    assert result.answer == ("So far" if outcome is Outcome.TRUNCATED and reply.text else None)


async def test_a_failing_search_is_never_passed_off_as_a_refusal(make_agent: MakeAgent) -> None:
    @tool(name="search_campus_info", searches=True)
    def down(query: str) -> str:
        """Search."""
        raise SearchFailed("the index is gone")

    for said in (REFUSAL, "I cannot help you."):
        result = await make_agent([search(), said], tools=[down]).ask("When does the AI Club meet?")
        assert result.outcome is Outcome.TOOL_FAILED
        assert result.message is not None
        assert "the index is gone" in result.message.what


async def test_finding_nothing_is_a_refusal_and_no_failure(make_agent: MakeAgent) -> None:
    result = await make_agent([search("wifi"), REFUSAL]).ask("What is the wifi password?")
    assert (result.outcome, result.answer) == (Outcome.REFUSED, REFUSAL)
    assert result.steps[0].status == "empty"


async def test_a_stream_that_breaks_withdraws_what_was_shown(make_agent: MakeAgent) -> None:
    pieces = [AnswerPiece("Half"), PieceWithdrawn(), AnswerPiece("Hello!"), Reply("Hello!")]
    events = await events_of(make_agent([pieces]))
    assert [e.reason for e in only(events, AnswerWithdrawn)] == ["retried"]
    assert events[-1].answer == "Hello!"  # type: ignore[union-attr]


async def test_half_characters_from_a_model_or_a_person_do_no_harm(make_agent: MakeAgent) -> None:
    events = await events_of(make_agent([[AnswerPiece("Hi \ud83d"), Reply("Hi \ud83d")]]), "Hi \udc00")
    assert all(event.model_dump_json() for event in events)
    assert events[-1].outcome is Outcome.ANSWERED  # type: ignore[union-attr]


# ---- the guardrail -------------------------------------------------------------------------------------------------


async def test_an_invented_fact_is_sent_back_once_and_then_refused(make_agent: MakeAgent) -> None:
    agent = make_agent([search(), "It meets in room 999.", "It meets in room 998."])
    events = await events_of(agent, "Where does the AI Club meet?")
    assert events[-1].outcome is Outcome.REFUSED  # type: ignore[union-attr]
    assert events[-1].answer == REFUSAL  # type: ignore[union-attr]
    assert [e.reason for e in only(events, AnswerWithdrawn)] == ["rejected", "rejected"]
    sent = agent.model.requests[2].messages  # type: ignore[attr-defined]
    assert "999" in sent[-1].text
    kept = "".join(m.text for m in agent.conversation.messages)
    assert "999" not in kept
    assert "998" not in kept


async def test_a_draft_that_was_mended_is_the_answer(make_agent: MakeAgent) -> None:
    result = await make_agent([search(), "It meets in room 999.", CLUB_ANSWER]).ask("Where does the AI Club meet?")
    assert (result.outcome, result.answer) == (Outcome.ANSWERED, CLUB_ANSWER)


async def test_a_repair_for_which_no_step_is_left_is_a_refusal(make_agent: MakeAgent) -> None:
    result = await make_agent([search(), "It meets in room 999."], max_steps=2).ask("Where does the AI Club meet?")
    assert (result.outcome, result.answer) == (Outcome.REFUSED, REFUSAL)


async def test_facts_without_any_search_are_sent_back_to_search_first(make_agent: MakeAgent) -> None:
    agent = make_agent(["It meets on Thursday in room 204.", search(), CLUB_ANSWER])
    result = await agent.ask("When does the AI Club meet?")
    assert result.outcome is Outcome.ANSWERED
    assert "Search first" in agent.model.requests[1].messages[-1].text  # type: ignore[attr-defined]


async def test_a_refusal_before_any_search_is_sent_back_once(make_agent: MakeAgent) -> None:
    agent = make_agent([REFUSAL, search(), CLUB_ANSWER])
    assert (await agent.ask("When does the AI Club meet?")).answer == CLUB_ANSWER
    assert (await make_agent([REFUSAL, REFUSAL]).ask("Tell me a joke")).outcome is Outcome.REFUSED


async def test_warn_shows_the_answer_with_its_facts_marked(make_agent: MakeAgent) -> None:
    result = await make_agent([search(), "It meets in room 999."], mode="warn").ask("Where does the AI Club meet?")
    assert result.outcome is Outcome.ANSWERED
    assert [fact.supported for fact in result.facts] == [False]


async def test_off_lets_everything_through(make_agent: MakeAgent) -> None:
    result = await make_agent([search(), "It meets in room 999."], mode="off").ask("Where does the AI Club meet?")
    assert (result.outcome, result.facts) == (Outcome.ANSWERED, ())


async def test_what_an_earlier_search_found_counts_but_an_old_clock_reading_does_not(make_agent: MakeAgent) -> None:
    count = call("days_until_weekday", weekday="Thursday")
    script = [[*search(), count], f"{CLUB_ANSWER} That is June 18.", "Room 204.", "On June 18.", "On June 18."]
    agent = make_agent(script)
    await agent.ask("When does the AI Club meet?")
    assert (await agent.ask("Which room does the AI Club meet in?")).outcome is Outcome.ANSWERED
    assert (await agent.ask("Which date is that?")).outcome is Outcome.REFUSED


async def test_cut_off_text_with_an_unsupported_fact_is_not_shown(make_agent: MakeAgent) -> None:
    result = await make_agent([search(), Reply("It is in room 999 and", finish="length")]).ask("Where?")
    assert (result.outcome, result.answer) == (Outcome.TRUNCATED, None)


# ---- the gate ------------------------------------------------------------------------------------------------------


async def test_the_gate_is_asked_before_each_model_call_and_each_act(make_agent: MakeAgent) -> None:
    asked: list[BeforeModel | BeforeAct] = []

    async def watch(moment: BeforeModel | BeforeAct) -> Decision:
        asked.append(moment)
        return Go()

    await make_agent([[call(id="a", query="AI Club")], CLUB_ANSWER], gate=watch).ask("When does the AI Club meet?")
    assert asked == [
        BeforeModel(1, 5),
        BeforeAct(1, "a", "search_campus_info", {"query": "AI Club"}),
        BeforeModel(2, 5),
    ]


async def test_the_gate_may_change_arguments_skip_an_act_or_stop(make_agent: MakeAgent) -> None:
    def gate(decision: Decision) -> Any:
        async def decide(moment: BeforeModel | BeforeAct) -> Decision:
            return decision if isinstance(moment, BeforeAct) else Go()

        return decide

    changed = await make_agent([search(), REFUSAL], gate=gate(Go({"query": "wifi"}))).ask("When?")
    assert changed.steps[0].status == "empty"
    assert changed.steps[0].arguments == {"query": "wifi"}
    wrong = await make_agent([search(), REFUSAL], gate=gate(Go({"topic": "wifi"}))).ask("When?")
    assert wrong.steps[0].status == "error"
    skipped = await make_agent([search(), REFUSAL], gate=gate(Skip())).ask("When?")
    assert skipped.steps[0].status == "skipped"
    stopped = await make_agent([search(), REFUSAL], gate=gate(Stop())).ask("When?")
    assert stopped.outcome is Outcome.CANCELLED


async def test_arguments_edited_by_hand_are_announced_and_answer_for_themselves_only(make_agent: MakeAgent) -> None:
    @tool
    def double(n: int) -> str:
        """Double."""
        return str(2 * n)

    decisions = iter([Go({"n": 2}), Go()])

    async def edit(moment: BeforeModel | BeforeAct) -> Decision:
        return next(decisions) if isinstance(moment, BeforeAct) else Go()

    agent = make_agent([[call("double", n=1)], [call("double", n=1)], "Done."], tools=[double], gate=edit)
    events = await events_of(agent, "What?")
    assert [e.content for e in only(events, Observed)] == ["4", "2"]
    assert [e.arguments for e in only(events, Acting)] == [{"n": 1}, {"n": 2}, {"n": 1}]
    assert "by hand" in only(events, Acting)[1].repaired


async def test_a_gate_that_waits_for_ever_can_be_cancelled(make_agent: MakeAgent) -> None:
    async def never(_: BeforeModel | BeforeAct) -> Decision:
        await asyncio.Event().wait()
        return Go()

    agent = make_agent([CLUB_ANSWER], gate=never)
    async for event in agent.run("When?"):
        if isinstance(event, StepStarted):
            asyncio.get_running_loop().call_soon(agent.cancel)
    assert isinstance(event, RunFinished)
    assert event.outcome is Outcome.CANCELLED


def test_the_agent_works_on_one_event_loop_after_another(make_agent: MakeAgent) -> None:
    agent = make_agent([search(), CLUB_ANSWER, "Room 204."])
    assert asyncio.run(agent.ask("When does the AI Club meet?")).complete
    assert asyncio.run(agent.ask("Which room does the AI Club meet in?")).complete


def test_a_search_result_carries_its_sources(make_agent: MakeAgent) -> None:
    result = search_campus_info.function("AI Club")
    assert isinstance(result, ToolResult)
    assert result.sources[0].source == "clubs.md"


@pytest.mark.parametrize("match", ["strong", "weak", None])
async def test_how_well_a_search_matched_is_told_also_when_it_is_given_again(make_agent: MakeAgent, match: Any) -> None:
    @tool(searches=True)
    def look(query: str) -> ToolResult:
        """Look."""
        return ToolResult("- Club: at noon (a.md)", match=match)

    calls = [call("look", query="club")]
    agent = make_agent([calls, calls, "Hello."], tools=[look])
    observed = [event async for event in agent.run("What?") if isinstance(event, Observed)]
    assert [(event.status, event.match) for event in observed] == [("ok", match), ("cached", match)]


async def test_the_notes_of_a_result_are_told_before_it_and_never_read_by_the_model(make_agent: MakeAgent) -> None:
    @tool(searches=True)
    def search_campus_info(query: str) -> ToolResult:
        """Search."""
        return ToolResult(CLUB, notes=("The folder is gone.",))

    agent = make_agent([search(), search(), CLUB_ANSWER], tools=[search_campus_info])
    events = await events_of(agent)
    assert kinds(events)[2:5] == ["acting", "note", "observed"]
    assert [(note.step, note.text) for note in only(events, Note)] == [(1, "The folder is gone.")]
    assert [observed.content for observed in only(events, Observed)] == [CLUB, CLUB]


async def test_notes_that_are_no_texts_make_the_call_fail_and_not_the_run(make_agent: MakeAgent) -> None:
    @tool(searches=True)
    def search_campus_info(query: str) -> ToolResult:
        """Search."""
        return ToolResult(CLUB, notes=(5,))  # type: ignore[arg-type]

    events = await events_of(make_agent([search(), REFUSAL], tools=[search_campus_info], tool_retries=0))
    assert [observed.status for observed in only(events, Observed)] == ["error"]
    assert only(events, RunFinished)[0].outcome is Outcome.TOOL_FAILED
