"""The rows of the reference tables that concern the evidence of a whole run, by their ids."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from campus_agent.agent.events import Acting, Observed
from campus_agent.agent.outcome import Outcome
from campus_agent.cli.entry import run
from campus_agent.journal.audit import audit_of
from campus_agent.models.chat_model import ModelRequest, Reply, ToolMessage, UserMessage
from campus_agent.models.scripted import ScriptedModel
from campus_agent.settings import REFUSAL
from campus_agent.tools.tool import tool
from tests.agent.conftest import call, search
from tests.agent.test_loop import MakeAgent, events_of

CLUB_ANSWER = "The AI Club meets on Thursday at 5 PM in room 204."
INVENTED = "The AI Club meets on Friday at 6 PM in room 205."
FIVE = ("When does it meet?", "Where does it meet?", "Which day?", "At what time?", "In which room?")


@tool(name="search_campus_info", searches=True)
def broken_search(query: str) -> str:
    """Search.

    Args:
        query: what to look for.
    """
    raise ConnectionError("the base does not answer")


async def test_x9_a_search_that_is_down_is_no_search_that_found_nothing(make_agent: MakeAgent) -> None:
    down = make_agent([search("wifi"), REFUSAL, REFUSAL], tools=[broken_search], tool_retries=0)
    nothing = make_agent([search("wifi"), REFUSAL])
    seen = []
    for agent in (down, nothing):
        result = await agent.ask("What is the wifi password?")
        (step, *_) = result.steps
        seen.append((step.status, result.outcome))
        assert "wifi password" not in (result.answer or "")
        assert step.observation is not None
        assert ("Nothing found" in step.observation) is (agent is nothing)
    assert seen == [("error", Outcome.TOOL_FAILED), ("empty", Outcome.REFUSED)]


async def test_x10_there_is_one_record_a_call_whatever_became_of_it_and_questions_do_not_mix(
    make_agent: MakeAgent,
) -> None:
    fast_is_over = threading.Event()

    @tool(name="slow")
    def slow() -> str:
        """Wait for the other."""
        fast_is_over.wait(30)
        return "slow"

    @tool(name="fast")
    def fast() -> str:
        """Do not wait."""
        return "fast"

    asked = [call("slow"), call("weather"), call("fast")]
    agent = make_agent([asked, "Done.", "Hello!"], tools=[slow, fast])
    first = []
    async for event in agent.run("Which of the two is faster?"):
        first.append(event)
        if isinstance(event, Observed) and event.tool == "fast":
            fast_is_over.set()
    assert [entry.tool for entry in audit_of(first)] == ["slow", "weather", "fast"]
    assert [entry.status for entry in audit_of(first)] == ["ok", "error", "ok"]
    assert all(entry.timestamp and entry.latency_ms is not None and entry.output_length for entry in audit_of(first))
    assert [event.tool for event in first if isinstance(event, Observed)][-1] == "slow"
    assert not [event for event in await events_of(agent, "Hi") if isinstance(event, Acting | Observed)]


async def test_x12_three_independent_calls_take_the_time_of_one_and_come_back_in_the_order_asked(
    make_agent: MakeAgent,
) -> None:
    together = threading.Barrier(3, timeout=30)  # passed only when all three run at the same time

    @tool(name="wait")
    def wait(who: str) -> str:
        """Wait for the others.

        Args:
            who: who waits.
        """
        together.wait()
        return who

    agent = make_agent([[call("wait", who=who) for who in "abc"], "Done."], tools=[wait])
    await events_of(agent, "Who is there?")
    sent = agent.model.requests[1].messages  # type: ignore[attr-defined]
    assert [message.text for message in sent if isinstance(message, ToolMessage)] == ["a", "b", "c"]


@pytest.mark.parametrize("stream", [True, False], ids=["streaming", "whole"])
async def test_x11_what_a_model_writes_as_an_observation_is_none(make_agent: MakeAgent, stream: bool) -> None:
    invented = "Observation: The AI Club meets on Friday.\nThe AI Club meets on Friday."
    replies = [Reply(invented)] * 4 if stream else [[Reply(invented)]] * 4
    result = await make_agent([search(), *replies]).ask("When does the AI Club meet?")
    assert result.outcome is Outcome.REFUSED
    assert result.answer == REFUSAL


@pytest.mark.parametrize(("invented", "status", "total"), [(0, 0, "5 passed"), (1, 1, "4 passed, 0 flaky, 1 failed")])
def test_x13_five_scripted_questions_are_grounded_with_their_steps_and_one_that_is_not_ends_with_one(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    invented: int,
    status: int,
    total: str,
) -> None:
    suite = tmp_path / "five.toml"
    case = '[[cases]]\nname = "{}"\nquestion = "The USC AI Club: {}"\nexpect = {{ grounded = true }}\n'
    suite.write_text("now = 2026-06-13T10:00:00\n" + "".join(case.format(name, name) for name in FIVE), "utf-8")
    wrong = FIVE[:invented]

    def answer(request: ModelRequest) -> str:
        asked = " ".join(message.text for message in request.messages if isinstance(message, UserMessage))
        return INVENTED if any(question in asked for question in wrong) else CLUB_ANSWER

    script = [search(), answer, answer]
    monkeypatch.setattr("campus_agent.models.offline.model.OfflineModel", lambda **_: ScriptedModel(script))
    assert run(("eval", str(suite), "--repeat", "1")) == status
    printed = capsys.readouterr().out
    rows = [line.split() for line in printed.splitlines() if line.startswith(("●", "✕"))][:5]
    assert f"eval summary: {total}" in printed
    assert ("grounded: expected a grounded answer" in printed) is bool(invented)
    assert all(row[-6].isdigit() for row in rows)
