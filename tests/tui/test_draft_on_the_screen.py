from __future__ import annotations

from typing import Any

import pytest
from screen_runs import PlayedAgent, campus_app, club_run, rejected_run
from waiting import until

from campus_agent.assemble import Assistant, assemble
from campus_agent.models.inventing import DRAFTS, inventing_model
from campus_agent.settings import REFUSAL, Settings
from campus_agent.tui.app import CampusApp
from campus_agent.tui.widgets.answer import Answer
from campus_agent.tui.widgets.chat_pane import ChatPane
from campus_agent.tui.widgets.trace_pane import TracePane
from campus_agent.tui.widgets.turn import Turn

QUESTION = "When does the USC AI Club meet?"
INVENTED = ("Monday", "118", "Dana Whitfield", "213-555-0147")


def inventing(settings: Settings) -> Assistant:
    assistant = assemble(settings)
    assistant.agent.model = inventing_model(QUESTION)
    return assistant


def shown(screen: Any, pane: type) -> str:
    return "\n".join(str(one.render()) for one in screen.query_one(pane).query("*") if not one.query("*"))


async def test_on_the_screen_each_invented_fact_is_named_in_the_trace_and_none_stands_in_the_answer():
    app = CampusApp(Settings(provider="offline"), assemble=inventing, clock=lambda: 0.0)
    async with app.run_test(size=(120, 60)) as pilot:
        screen: Any = app.screen
        await until(pilot, lambda: screen.assistant is not None)
        screen.question(QUESTION)
        await until(pilot, lambda: screen.query(Turn) and not screen.busy)
        assert screen.query_one(Answer).text == REFUSAL
        assert not any(value in shown(screen, ChatPane) for value in INVENTED)
        trace = shown(screen, TracePane)
        assert all(f"{value} was not found for this" in trace.replace("room 118", "118") for value in INVENTED)
        assert trace.count("✕ rejected") == len(DRAFTS)


@pytest.mark.parametrize("ended", [False, True])
async def test_a_draft_is_named_as_such_until_the_run_has_ended_with_it(ended: bool):
    events = club_run()
    app = campus_app(PlayedAgent(events if ended else events[:-1]))
    async with app.run_test(size=(120, 40)) as pilot:
        screen: Any = app.screen
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("?")
        await until(pilot, lambda: screen.query(Answer) and screen.query_one(Answer).source and screen.busy != ended)
        assert ("Agent · draft" in shown(screen, ChatPane)) != ended


async def test_what_was_withdrawn_leaves_no_draft_behind():
    app = campus_app(PlayedAgent(rejected_run()[:14]))
    async with app.run_test(size=(120, 40)) as pilot:
        screen: Any = app.screen
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("?")
        await until(pilot, lambda: "rejected" in shown(screen, TracePane))
        assert "draft" not in shown(screen, ChatPane)
        assert "Tuesday" not in shown(screen, ChatPane)
