"""The plan: written before the first step, shown to the model, and ticked only by what happened."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from campus_agent import Settings
from campus_agent.agent.events import Acting, Note, Planned, PlanTicked, StepStarted
from campus_agent.agent.outcome import Outcome
from campus_agent.assemble import assemble
from campus_agent.errors import ContextTooLong, ModelError
from campus_agent.models.chat_model import AssistantMessage, Reply, Usage, UserMessage
from campus_agent.models.offline.model import OfflineModel
from campus_agent.settings import REFUSAL
from campus_agent.tools.tool import tool
from tests.agent.conftest import call, search
from tests.agent.test_loop import CLUB_ANSWER, MakeAgent, events_of, only
from tests.agent.test_second_layer import QUESTION, requests

PLAN = "1. search_campus_info: find the day\n2. days_until_weekday: count\n3. answer: say both"
COUNT = [call("days_until_weekday", weekday="Thursday")]


def ticked(events: list[Any]) -> list[tuple[int, int]]:
    return [(event.step, event.item) for event in only(events, PlanTicked)]


async def test_a_plan_is_asked_for_first_shown_and_given_to_the_model_in_every_step(make_agent: MakeAgent) -> None:
    used = Usage(prompt_tokens=7, completion_tokens=3)
    agent = make_agent([Reply(PLAN, usage=used), search(), CLUB_ANSWER], plan=True)
    events = await events_of(agent)
    assert [event.kind for event in events[:3]] == ["run_started", "planned", "step_started"]
    (planned,) = only(events, Planned)
    items = ("search_campus_info: find the day", "days_until_weekday: count", "answer: say both")
    assert (planned.items, planned.usage) == (items, used)
    first, *steps = requests(agent)
    assert (first.tools, first.messages) == ((), (UserMessage(QUESTION),))
    assert all(f"- {name}: " in first.system for name in agent.tools)
    assert all("\n2. days_until_weekday: count\n" in request.system for request in steps)
    assert [event.of for event in only(events, StepStarted)] == [5, 5]
    assert PLAN not in "".join(message.text for message in agent.conversation.messages)


async def test_items_are_ticked_as_their_tools_return_and_the_last_when_the_run_is_answered(
    make_agent: MakeAgent,
) -> None:
    events = await events_of(make_agent([PLAN, search(), COUNT, CLUB_ANSWER], plan=True))
    assert ticked(events) == [(1, 0), (2, 1), (3, 2)]
    places = [event.kind for event in events if event.kind in ("observed", "plan_ticked", "run_finished")]
    assert places == ["observed", "plan_ticked", "observed", "plan_ticked", "plan_ticked", "run_finished"]


@tool(name="search_campus_info", searches=True)
def broken_search(query: str) -> str:
    """Search.

    Args:
        query: what to look for.
    """
    raise RuntimeError("boom")


@pytest.mark.parametrize(
    ("plan", "script", "options", "items"),
    [
        pytest.param(PLAN, [search("wifi"), REFUSAL], {}, [], id="nothing was found"),
        pytest.param(PLAN, [search(), REFUSAL], {}, [0], id="the run was refused"),
        pytest.param(PLAN, [search(), ModelError("no network")], {}, [0], id="the run failed"),
        pytest.param(PLAN, [[call(topic="x")], "Hello!"], {}, [2], id="the arguments were wrong"),
        pytest.param(PLAN, [search(), "Hello!"], {"tools": [broken_search]}, [], id="the tool failed"),
        pytest.param(PLAN, [search(), CLUB_ANSWER], {"max_tool_calls": 0}, [], id="the call was not run"),
        pytest.param(
            "search_campus_info: one\nsearch_campus_info: two\nanswer: x",
            [search(), search(), CLUB_ANSWER],
            {},
            [0, 2],
            id="the same call again is answered from before",
        ),
        pytest.param(
            "search_campus_info: one\nsearch_campus_info: two\nanswer: x",
            [[*search("AI"), *search("club")], CLUB_ANSWER],
            {},
            [0, 1, 2],
            id="two calls of one tool",
        ),
        pytest.param(
            "search_campus_info and days_until_weekday: both\nanswer: x",
            [search(), CLUB_ANSWER],
            {},
            [1],
            id="only one of two tools of a line",
        ),
        pytest.param(
            "search_campus_info and days_until_weekday: both\nanswer: x",
            [[*search(), *COUNT], CLUB_ANSWER],
            {},
            [0, 1],
            id="both tools of a line",
        ),
    ],
)
async def test_nothing_is_ticked_that_did_not_happen(
    make_agent: MakeAgent, plan: str, script: list[Any], options: dict[str, Any], items: list[int]
) -> None:
    events = await events_of(make_agent([plan, *script], plan=True, **options))
    assert [item for _, item in ticked(events)] == items


@pytest.mark.parametrize(
    ("written", "items"),
    [
        ("- search_campus_info: find it\n- answer: say it", ("search_campus_info: find it", "answer: say it")),
        ("**1)** `search_campus_info`: find it", ("search_campus_info: find it",)),
        ("Step 1: [search_campus_info] find it\nStep 2: Answer.", ("search_campus_info find it", "Answer.")),
        ("Here is my plan:\nsearch_campus_info: find it\nThink.", ("search_campus_info: find it",)),
        ("answer: done\nsearch_campus_info: never", ("answer: done",)),
        ("Find it (search_campus_info).", ("Find it (search_campus_info).",)),
        ("\n".join(f"search_campus_info: {n}" for n in range(9)), tuple(f"search_campus_info: {n}" for n in range(6))),
        ("search_campus_info: \x1b[2J\ud800", ("search_campus_info: \ufffd2J?",)),
    ],
)
async def test_a_plan_is_read_however_its_lines_are_written(
    make_agent: MakeAgent, written: str, items: tuple[str, ...]
) -> None:
    (planned,) = only(await events_of(make_agent([written, "Hello!"], plan=True)), Planned)
    assert planned.items == items


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I do not know.",
        "research_campus_info2",
        ModelError("no network"),
        ContextTooLong("long"),
        RuntimeError("odd"),
    ],
)
async def test_without_a_readable_plan_the_run_goes_on_and_says_so(make_agent: MakeAgent, reply: Any) -> None:
    agent = make_agent([reply, search(), CLUB_ANSWER], plan=True)
    events = await events_of(agent)
    assert events[-1].outcome is Outcome.ANSWERED  # type: ignore[union-attr]
    (note,) = only(events, Note)
    assert (note.step, "no plan" in note.text) == (None, True)
    assert only(events, Planned) == []
    assert "plan" not in requests(agent)[1].system


async def test_a_follow_up_is_planned_with_the_conversation_in_view_but_no_tool_calls(make_agent: MakeAgent) -> None:
    agent = make_agent([PLAN, search(), CLUB_ANSWER, "answer: the room", "Room 204."], plan=True)
    await agent.ask(QUESTION)
    await agent.ask("And where is that?")
    assert requests(agent)[3].messages == (
        UserMessage(QUESTION),
        AssistantMessage(CLUB_ANSWER),
        UserMessage("And where is that?"),
    )


# ---- the offline model ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "tools"),
    [
        ("How many days until the next USC AI Club meeting?", ["search_campus_info", "days_until_weekday", "answer"]),
        ("Is the USC GPU lab open right now?", ["search_campus_info", "get_current_time", "answer"]),
        ("When does the USC AI Club meet?", ["search_campus_info", "answer"]),
        ("How many days until July 4?", ["days_until_date", "answer"]),
        ("What day is it today?", ["get_current_time", "answer"]),
        ("Hello!", ["answer"]),
    ],
)
async def test_the_offline_model_plans_what_it_then_does(question: str, tools: list[str]) -> None:
    agent = assemble(Settings(plan=True, now=datetime(2026, 6, 13, 10))).agent
    events = await events_of(agent, question)
    (planned,) = only(events, Planned)
    assert [item.partition(":")[0] for item in planned.items] == tools
    assert sorted(item for _, item in ticked(events)) == list(range(len(tools)))
    assert [event.tool for event in only(events, Acting)] == tools[:-1]  # in the order asked; they finish in any


async def test_what_the_offline_model_cannot_find_leaves_its_plan_open() -> None:
    agent = assemble(Settings(plan=True, now=datetime(2026, 6, 13, 10))).agent
    events = await events_of(agent, "What is the campus wifi password?")
    assert events[-1].outcome is Outcome.REFUSED  # type: ignore[union-attr]
    assert ticked(events) == []


async def test_the_offline_model_gives_no_second_opinion_and_the_start_says_so(make_agent: MakeAgent) -> None:
    assistant = assemble(Settings(verifier=True, reflection_rounds=2, now=datetime(2026, 6, 13, 10)))
    assert any("--verifier and --reflection-rounds" in problem for problem in assistant.about.problems)
    assert (await assistant.agent.ask("When does the USC AI Club meet?")).outcome is Outcome.ANSWERED
    hosted = assemble(Settings(verifier=True, base_url="http://localhost:1/v1", model="m"))
    assert (hosted.agent.verifier, hosted.about.problems) == (True, ())


async def test_the_offline_model_plans_only_with_what_is_offered(make_agent: MakeAgent) -> None:
    agent = make_agent([], tools=[], plan=True)
    agent.model = OfflineModel(refusal=REFUSAL)
    (planned,) = only(await events_of(agent, "How many days until the AI Club meeting?"), Planned)
    assert planned.items == ("answer: say what was found",)
